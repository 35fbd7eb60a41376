"""Bytes that a table needs, compared with the memory that there is before it is allocated.

Tables of pairs and families of columns grow with the product of their states. NumPy's own error
names a shape only, and comes too late where the system promises more memory than it has: there the
process is killed when the table is filled.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Smaller tables are never refused, so the system is not asked.
_SMALL = 1 << 24
# Columns that a message names.
_NAMED = 3
# A cgroup without a limit has one near 2^63.
_NO_LIMIT = 1 << 60

Column = tuple[int | str, int]


class TableTooLargeError(ValueError):
    """More bytes are needed than there are.

    Parameters
    ----------
    owner : who needs them: the estimator, once it is known
    what : what they are needed for
    n_bytes, available : bytes needed and available; None where memory is not what is short
    columns : the columns with the most states, by name or number, and how many
    advice : what to do
    """

    def __init__(
        self,
        owner: str,
        what: str,
        n_bytes: int,
        available: int | None,
        columns: tuple[Column, ...] = (),
        advice: str = "",
    ) -> None:
        # All of them, so that the error survives the way out of another process.
        super().__init__(owner, what, n_bytes, available, columns, advice)
        self.owner, self.what, self.n_bytes = owner, what, n_bytes
        self.available, self.columns, self.advice = available, columns, advice

    def __str__(self) -> str:
        said = f"{self.what} need {in_words(self.n_bytes)} of memory, "
        if self.available is None:
            said += "more than can be counted"
        else:
            said += f"and {in_words(self.available)} are available"
        if self.columns:
            named = (f"{name if isinstance(name, int) else repr(name)}" for name, _ in self.columns)
            counts = (f"{n:,}" for _, n in self.columns)
            pairs = (f"{name} ({n})" for name, n in zip(named, counts, strict=True))
            said += f"; the columns with the most states are {', '.join(pairs)}"
        said = f"{self.owner}: {said}" if self.owner else said[0].upper() + said[1:]
        return f"{said}: {self.advice}" if self.advice else said

    def named(self, owner: str, names: Sequence[str]) -> "TableTooLargeError":
        """Return the same error of an estimator with these columns."""
        columns = tuple(
            (names[name] if isinstance(name, int) and name < len(names) else name, n)
            for name, n in self.columns
        )
        return TableTooLargeError(
            owner, self.what, self.n_bytes, self.available, columns, self.advice
        )


@contextmanager
def columns_named(owner: str, names: Sequence[str]) -> Iterator[None]:
    """Say in the name of an estimator, and with the names of its columns, what is too large."""
    try:
        yield
    except TableTooLargeError as error:
        raise error.named(owner, names) from None


def require_bytes(
    n_bytes: int, what: str, n_states: Iterable[int] = (), *, owner: str = "", advice: str = ""
) -> None:
    """Raise `TableTooLargeError` unless there is memory for so many bytes.

    Parameters
    ----------
    n_bytes : a Python integer, which does not overflow
    what : what needs them, in the plural
    n_states : states of each column; the columns with the most are named
    owner : who needs them
    advice : what to do
    """
    if n_bytes <= _SMALL:
        return
    available = available_bytes()
    if available is not None and n_bytes > available:
        raise TableTooLargeError(owner, what, int(n_bytes), available, widest(n_states), advice)


def is_affordable(n_bytes: int) -> bool:
    """Return whether `require_bytes` would accept so many bytes."""
    if n_bytes <= _SMALL:
        return True
    available = available_bytes()
    return available is None or n_bytes <= available


def widest(n_states: Iterable[int]) -> tuple[Column, ...]:
    """Return the numbers of the columns with the most states, and how many they have.

    Those with less than a tenth of the most are not to blame.

    >>> widest([2, 50, 5, 70])
    ((3, 70), (1, 50))
    """
    counts = [int(n) for n in n_states]
    order = sorted(range(len(counts)), key=lambda j: -counts[j])[:_NAMED]
    return tuple((j, counts[j]) for j in order if 10 * counts[j] >= counts[order[0]] > 0)


def in_words(n_bytes: int) -> str:
    """Return bytes in the largest unit that leaves a number above one.

    >>> in_words(21_600_000_000), in_words(1 << 20), in_words(10**40)
    ('20.1 GiB', '1.0 MiB', '8.27e+15 YiB')
    """
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    unit = min((max(n_bytes, 1).bit_length() - 1) // 10, len(units) - 1)
    amount = n_bytes / (1 << 10 * unit)
    return f"{amount:.1f} {units[unit]}" if amount < 1e6 else f"{amount:.3g} {units[unit]}"


# ---- what the machine has -----------------------------------------------------------------


def available_bytes(root: Path = Path("/")) -> int | None:
    """Return the bytes that this process can still take; None if the system does not say.

    The least of what is free in the machine (Linux: MemAvailable; elsewhere all physical
    memory), in the process's cgroups (versions 1 and 2), and within its own limits
    (`ulimit -v` and `ulimit -d`).
    """
    found = [*_machine(root), *_cgroups(root), *_limits(root)]
    return max(0, min(found)) if found else None


def _machine(root: Path) -> Iterator[int]:
    for line in _read(root / "proc/meminfo").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            yield int(value.split()[0]) * 1024
            return
    if hasattr(os, "sysconf") and {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= os.sysconf_names.keys():
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _cgroups(root: Path) -> Iterator[int]:
    """Yield what is left in the process's cgroups and in those above them."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            top = root / "sys/fs/cgroup"
            files = "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            top = root / "sys/fs/cgroup/memory"
            files = "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
        else:
            continue
        # In a container the path may be that of the host, where only the top is to be seen.
        here = top / path.strip("/")
        for folder in [here, *here.parents][: len(here.parts) - len(top.parts) + 1]:
            yield from _left_in(folder, *files)


def _left_in(folder: Path, most: str, used: str, reclaimable: str) -> Iterator[int]:
    limit = _number(folder / most)
    if limit is None or limit >= _NO_LIMIT:
        return
    # Pages of files that can be given back count as used.
    cached = [
        int(line.split()[1])
        for line in _read(folder / "memory.stat").splitlines()
        if line.startswith(f"{reclaimable} ")
    ]
    yield limit - (_number(folder / used) or 0) + sum(cached)


def _limits(root: Path) -> Iterator[int]:
    """Yield what is left of the process's address space and of its data."""
    if sys.platform == "win32":
        return
    import resource

    sizes = [
        int(pages) * resource.getpagesize() for pages in _read(root / "proc/self/statm").split()
    ]
    for kind, field in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
        limit, _ = resource.getrlimit(kind)
        if limit != resource.RLIM_INFINITY:
            yield limit - (sizes[field] if field < len(sizes) else 0)


def _number(path: Path) -> int | None:
    text = _read(path).strip()
    return int(text) if text.isdigit() else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


__all__ = [
    "TableTooLargeError",
    "available_bytes",
    "columns_named",
    "in_words",
    "is_affordable",
    "require_bytes",
    "widest",
]
