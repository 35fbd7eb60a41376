"""Check of the available memory before a large table is allocated.

Tables of pairs and families of columns grow with the product of their states. The error of NumPy
names only a shape. It also comes too late on systems that overcommit memory: the process is killed
when the table is filled.

Memory of models
----------------
The docstring of each model states under Notes the bytes that `fit` takes at its peak above the
training table, and the bytes that the fitted model keeps, for default parameters and one thread.
`tests/memory` compares the formulas with measurements of tables of two shapes: a measurement is
between a third of the formula and one and a half times of it, plus 2 MB. The letters are

=  ===============================================================================================
n  rows
d  columns of labels; of a matrix of counts, all columns
m  columns of numbers
q  classes
v  states of a column of labels, if all columns have as many
s  states of all columns, Σ v_j, the intervals of numbers included
p  columns of a matrix of numbers and indicators, m + Σ (v_j - 1) over the columns of labels
b  states of the columns that a regression reads
c  cells of the tables of families, Σ_i Π (v_j + 1) over column i and its parents; of an ensemble,
   those of all members. A sparse table takes less.
e  stored counts of a sparse matrix
k  nodes of a tree
t  members of an ensemble
=  ===============================================================================================

A code takes 1 byte, as in the formulas, if no column has more than 255 states; 2 bytes up to 65,535
states; otherwise 4. `100 s` stands for the labels of the states, which are Python objects.

A table of more than 2^25 cells is read in blocks of 2^22 cells. A generative model then holds the
rows of one block instead of all n, and 8 bytes for the class of each row. Numbers are an exception:
to learn from them, `fit` reads all of them at once. The other models hold all rows. Pairs of
columns with many states are counted sparsely, see `augury.counts.PairCounts`.

Models that cut numbers into intervals read the columns of a pandas frame in place if they are
float64. Numbers of other types and of other tables are copied, which takes 8 n bytes for each
column.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Smaller tables are always allowed, so the available memory is not read.
_SMALL = 1 << 24
# Number of columns that a message names.
_NAMED = 3
# The limit of a cgroup without a limit is near 2^63.
_NO_LIMIT = 1 << 60

Column = tuple[int | str, int]


class RefusedTableError(ValueError):
    """A model refuses a table before it starts, because of the size of the table.

    Parameters
    ----------
    owner : name of the estimator, or "" if it is not known yet
    *details : what a subclass tells about the table
    """

    def __init__(self, owner: str, *details: object) -> None:
        # All arguments, so that the error can be pickled and sent to another process.
        super().__init__(owner, *details)
        self.owner = owner

    def named(self, owner: str, names: Sequence[str]) -> "RefusedTableError":
        """Return the same error with the name of the estimator and of its columns."""
        return type(self)(owner, *self.args[1:])


class TableTooLargeError(RefusedTableError):
    """A table needs more memory than is available.

    Parameters
    ----------
    owner : name of the estimator, or "" if it is not known yet
    what : description of the table
    n_bytes, available : bytes needed and available; None if memory is not the limit
    columns : the columns with the most states, by name or number, and their numbers of states
    advice : what the user can do
    """

    what: str
    n_bytes: int
    available: int | None
    columns: tuple[Column, ...]
    advice: str

    def __init__(
        self,
        owner: str,
        what: str,
        n_bytes: int,
        available: int | None,
        columns: tuple[Column, ...] = (),
        advice: str = "",
    ) -> None:
        super().__init__(owner, what, n_bytes, available, columns, advice)
        self.what, self.n_bytes = what, n_bytes
        self.available, self.columns, self.advice = available, columns, advice

    def __str__(self) -> str:
        text = f"{self.what} need {in_words(self.n_bytes)} of memory, "
        if self.available is None:
            text += "more than can be counted"
        else:
            text += f"and {in_words(self.available)} are available"
        if self.columns:
            named = (f"{name if isinstance(name, int) else repr(name)}" for name, _ in self.columns)
            counts = (f"{n:,}" for _, n in self.columns)
            pairs = (f"{name} ({n})" for name, n in zip(named, counts, strict=True))
            text += f"; the columns with the most states are {', '.join(pairs)}"
        text = f"{self.owner}: {text}" if self.owner else text[0].upper() + text[1:]
        return f"{text}: {self.advice}" if self.advice else text

    def named(self, owner: str, names: Sequence[str]) -> "TableTooLargeError":
        """Return the same error with the name of the estimator and of its columns."""
        columns = tuple(
            (names[name] if isinstance(name, int) and name < len(names) else name, n)
            for name, n in self.columns
        )
        return TableTooLargeError(
            owner, self.what, self.n_bytes, self.available, columns, self.advice
        )


@contextmanager
def columns_named(owner: str, names: Sequence[str]) -> Iterator[None]:
    """Add the name of an estimator and of its columns to a `RefusedTableError`."""
    try:
        yield
    except RefusedTableError as error:
        raise error.named(owner, names) from None


def require_bytes(
    n_bytes: int, what: str, n_states: Iterable[int] = (), *, owner: str = "", advice: str = ""
) -> None:
    """Raise `TableTooLargeError` unless this number of bytes is available.

    Parameters
    ----------
    n_bytes : a Python integer, which does not overflow
    what : description of the table, in the plural
    n_states : number of states of each column; the columns with the most are named
    owner : name of the estimator
    advice : what the user can do
    """
    if is_small(n_bytes):
        return
    available = available_bytes()
    if available is not None and n_bytes > available:
        columns = widest(n_states)
        if not columns:  # the number of columns is the cause, not a few of them
            advice = advice.replace("leave these columns out", "use fewer columns")
        raise TableTooLargeError(owner, what, int(n_bytes), available, columns, advice)


def is_small(n_bytes: int) -> bool:
    """Return whether so few bytes are always available."""
    return n_bytes <= _SMALL


def is_affordable(n_bytes: int) -> bool:
    """Return whether `require_bytes` accepts this number of bytes."""
    if is_small(n_bytes):
        return True
    available = available_bytes()
    return available is None or n_bytes <= available


def widest(n_states: Iterable[int]) -> tuple[Column, ...]:
    """Return the columns with the most states, by number, and their numbers of states.

    Columns with less than a tenth of the largest number are omitted. If three columns have less
    than a tenth of all states, none is named: it is not they that make the table large.

    >>> widest([2, 50, 5, 70]), widest([2, 3] * 100)
    (((3, 70), (1, 50)), ())
    """
    counts = [int(n) for n in n_states]
    if 10 * sum(sorted(counts)[-_NAMED:]) < sum(counts):
        return ()
    order = sorted(range(len(counts)), key=lambda j: -counts[j])[:_NAMED]
    return tuple((j, counts[j]) for j in order if 10 * counts[j] >= counts[order[0]] > 0)


def in_words(n_bytes: int) -> str:
    """Return bytes in the largest unit in which the number is at least one.

    >>> in_words(21_600_000_000), in_words(1 << 20), in_words(10**40)
    ('20.1 GiB', '1.0 MiB', '8.27e+15 YiB')
    """
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    unit = min((max(n_bytes, 1).bit_length() - 1) // 10, len(units) - 1)
    amount = n_bytes / (1 << 10 * unit)
    return f"{amount:.1f} {units[unit]}" if amount < 1e6 else f"{amount:.3g} {units[unit]}"


# ---- available memory ---------------------------------------------------------------------


def available_bytes(root: Path = Path("/")) -> int | None:
    """Return the number of bytes that this process can still allocate; None if unknown.

    This is the minimum of the free memory of the machine (Linux: MemAvailable; elsewhere all
    physical memory), of the cgroups of the process (versions 1 and 2), and of its own limits
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
    """Yield the bytes that are left in the cgroups of the process and in their parents."""
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
        # In a container the path may be that of the host; then only the top folder exists.
        here = top / path.strip("/")
        for folder in [here, *here.parents][: len(here.parts) - len(top.parts) + 1]:
            yield from _left_in(folder, *files)


def _left_in(folder: Path, max_file: str, used: str, reclaimable: str) -> Iterator[int]:
    limit = _number(folder / max_file)
    if limit is None or limit >= _NO_LIMIT:
        return
    # Cached pages of files count as used, but can be freed.
    cached = [
        int(line.split()[1])
        for line in _read(folder / "memory.stat").splitlines()
        if line.startswith(f"{reclaimable} ")
    ]
    yield limit - (_number(folder / used) or 0) + sum(cached)


def _limits(root: Path) -> Iterator[int]:
    """Yield the bytes that are left of the address space and the data segment of the process."""
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


def release_free_memory() -> None:
    """Return freed memory to the system, where the C library keeps it for each thread (glibc).

    Threads that allocate large blocks in turn would otherwise hold a block each.
    """
    if _malloc_trim is not None:
        _malloc_trim(0)


def _find_malloc_trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library
        return None


_malloc_trim = _find_malloc_trim()


def _number(path: Path) -> int | None:
    text = _read(path).strip()
    return int(text) if text.isdigit() else None


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


__all__ = [
    "RefusedTableError",
    "TableTooLargeError",
    "available_bytes",
    "columns_named",
    "in_words",
    "is_affordable",
    "is_small",
    "release_free_memory",
    "require_bytes",
    "widest",
]
