"""Fits that run side by side, so that a pass over the rows serves all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar

from augury.bases.row_blocks import Block, RowBlocks
from augury.scale.rows.streamed_rows import MappedRows

T = TypeVar("T")


class _UnknownSum(BaseException):
    """Stops a fit that asks for a sum which has not been computed yet."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function


class SharedRows(RowBlocks):
    """Rows of a fit, whose sums are computed in a pass for several fits.

    The fit is stopped when it asks for a sum that is not known, and begins again when it is. It
    takes the same sums in the same order each time.

    Parameters
    ----------
    first : the first block, or a part of it
    """

    def __init__(self, first: Block) -> None:
        self._first = first
        self._known: list[Any] = []
        self._n_asked = 0

    def total(self, function: Callable[..., T]) -> T:
        """Return the sum of a function over the blocks."""
        if self._n_asked == len(self._known):
            raise _UnknownSum(function)
        # A copy: the fit may change it, and may ask for it again.
        total: T = deepcopy(self._known[self._n_asked])
        self._n_asked += 1
        return total

    def first(self, function: Callable[..., T]) -> T:
        """Return a function of the first block."""
        return function(*self._first)

    def map(self, function: Callable[..., Block]) -> RowBlocks:
        """Return the blocks that a function makes of each block, each time it is read."""
        return MappedRows(self, function)

    def __iter__(self) -> Iterator[Block]:
        """Raise: the rows are never all in this process."""
        raise TypeError("rows that are streamed cannot be iterated over; take sums of them")

    def begin(self) -> None:
        """Begin with the first sum again."""
        self._n_asked = 0

    def learn(self, total: Any) -> None:
        """Take the sum that the fit has asked for."""
        self._known.append(total)

    def forget(self) -> None:
        """Release the memory of the sums."""
        self._known = []


@dataclass(eq=False)
class SharedFit:
    """A fit that takes sums over its rows.

    Attributes
    ----------
    function : what fits the model; it may be called several times
    rows : its rows
    error : the error that the function has raised, or None
    seconds : time of the calls, without the passes over the rows
    """

    function: Callable[[], object]
    rows: SharedRows
    error: Exception | None = None
    seconds: float = 0.0

    def call(self) -> Callable[..., Any] | None:
        """Call the function; return what it needs the sum of, or None if it has ended."""
        self.rows.begin()
        start = perf_counter()
        try:
            self.function()
        except _UnknownSum as unknown:
            return unknown.function
        except Exception as error:  # noqa: BLE001 - the caller decides what becomes of it
            self.error = error
        finally:
            self.seconds += perf_counter() - start
        self.rows.forget()
        return None


# Computes the sums that fits ask for: (fit, function) of each, in one pass over the rows.
ComputeSums = Callable[[Sequence[tuple[SharedFit, Callable[..., Any]]]], Sequence[Any]]


def run_side_by_side(fits: Sequence[SharedFit], compute: ComputeSums) -> None:
    """Run fits until each has ended, or has raised an error, which is noted in it.

    When each fit has ended or needs a sum over its rows, `compute` is called once for all sums.
    """
    waiting = list(fits)
    while asked := [(fit, wanted) for fit in waiting if (wanted := fit.call()) is not None]:
        for (fit, _), total in zip(asked, compute(asked), strict=True):
            fit.rows.learn(total)
        waiting = [fit for fit, _ in asked]


__all__ = ["ComputeSums", "SharedFit", "SharedRows", "run_side_by_side"]
