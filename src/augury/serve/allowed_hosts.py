"""Names under which a server may be asked.

A page of a foreign site can make its own name point to 127.0.0.1, and then read what a server of
this machine answers (DNS rebinding). Its requests have the foreign name in the header `host`.
"""

from collections.abc import Iterable
from ipaddress import ip_address

from augury.serve.problems import Header, RequestError

# Different values of the header that are remembered.
_MAX_REMEMBERED = 100


class AllowedHosts:
    """Accepts requests to addresses, to localhost, and to some names.

    Parameters
    ----------
    names : iterable of str

    Attributes
    ----------
    accepted : set of bytes
        Values of the header that were accepted.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = {"localhost", *(name.lower() for name in names)}
        self.accepted: set[bytes] = set()

    def check(self, headers: Iterable[Header]) -> None:
        """Raise `RequestError` if the headers name another host.

        >>> AllowedHosts().check([(b"host", b"127.0.0.1:8000")])
        >>> AllowedHosts().check([(b"host", b"evil.example")])
        Traceback (most recent call last):
        ...
        augury.serve.problems.RequestError: 421: the host must be an address, localhost or a name
        that --allow-host gives, got 'evil.example'
        """
        for name, value in headers:
            if name == b"host" and value not in self.accepted:
                self._learn(value)

    def _learn(self, value: bytes) -> None:
        host, colon, port = value.decode("latin-1").lower().rpartition(":")
        if not colon or not port.isdigit():
            host = value.decode("latin-1").lower()
        if host not in self._names and not _is_address(host.strip("[]")):
            message = (
                "the host must be an address, localhost or a name that --allow-host gives, got "
                f"{host[:60]!r}"
            )
            raise RequestError.of(421, message, "host", ("header", "host"))
        if len(self.accepted) < _MAX_REMEMBERED:
            self.accepted.add(value)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


__all__ = ["AllowedHosts"]
