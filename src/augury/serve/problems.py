"""Problems of a request, as the answer lists them."""

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps

# Problems that an answer lists; the others are counted.
MAX_LISTED = 100
_LONGEST = 40

Place = tuple[str | int, ...]
Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a request.

    Attributes
    ----------
    place : tuple
        Keys and indices that lead to the value in the JSON body, such as ("rows", 3, "age").
    message : str
        What is allowed, and what came.
    kind : str
        A word for programs, such as "missing" or "number_type".
    """

    place: Place
    message: str
    kind: str


class RequestError(Exception):
    """A request is refused.

    Attributes
    ----------
    status : int
        Status code of HTTP.
    problems : sequence of Problem
    headers : tuple of pairs
        Further headers of the answer.
    """

    def __init__(
        self, status: int, problems: Sequence[Problem], headers: tuple[Header, ...] = ()
    ) -> None:
        super().__init__(f"{status}: {'; '.join(each.message for each in problems[:3])}")
        self.status = status
        self.problems = problems
        self.headers = headers

    @classmethod
    def of(
        cls,
        status: int,
        message: str,
        kind: str,
        place: Place = ("body",),
        headers: tuple[Header, ...] = (),
    ) -> "RequestError":
        """Return the error of one problem."""
        return cls(status, [Problem(place, message, kind)], headers)

    def to_json(self) -> bytes:
        """Return the body of the answer: `{"detail": [{"loc": …, "msg": …, "type": …}]}`."""
        content: dict[str, object] = {
            "detail": [
                {"loc": each.place, "msg": each.message, "type": each.kind}
                for each in self.problems[:MAX_LISTED]
            ]
        }
        if len(self.problems) > MAX_LISTED:
            content["omitted"] = len(self.problems) - MAX_LISTED
        return dumps(content).encode()


def describe_value(value: object) -> str:
    """Return what came, for a message: its JSON type and its beginning.

    >>> describe_value("3"), describe_value(True), describe_value([1])
    ('the text "3"', 'true', 'an array')
    """
    if isinstance(value, str):
        return f"the text {dumps(shorten(value), ensure_ascii=False)}"
    if isinstance(value, bool) or value is None:
        return dumps(value)
    if isinstance(value, int | float):
        return f"the number {shorten(str(value))}"
    return "an array" if isinstance(value, list) else "an object"


def shorten(text: str) -> str:
    """Return a text of at most 40 characters."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


__all__ = ["MAX_LISTED", "Header", "Place", "Problem", "RequestError", "describe_value", "shorten"]
