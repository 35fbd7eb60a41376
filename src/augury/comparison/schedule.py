"""How the time of a comparison is divided: folds, the fit to all rows, and the page.

- A tenth of the time limit is kept for the page, and the expected time of the longest fit to all
  rows, but at most two fifths of the limit, for that fit. A model that was not timed yet is
  expected to take a twentieth of the limit.
- A twentieth of the limit before that, no fold begins that is expected to end later. A fold that
  takes longer than expected is ended when this twentieth has passed: the page and the fit keep
  their time.
- On a large table (at least 250,000 values) fits to small samples of the rows show how long each
  model takes (`augury.comparison.trial_fits`). The folds are then run one after another, each with
  all models. If three folds of all models take too long, the models are compared on a sample of
  the rows, and the one that is recommended is fitted to all rows. If the time suffices for three
  folds but not for all, further folds are those of the models that are still tied.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from time import monotonic

_LARGE = 250_000
_SHARE_OF_PAGE, _SHARE_OF_FIT, _SHARE_OF_OVERRUN = 0.1, 0.4, 0.05
_SHARE_OF_UNKNOWN_FIT = 0.05
FEWEST_FOLDS = 3
_FEWEST_ROWS = 5_000


def is_large(n_rows: int, n_columns: int) -> bool:
    """Return whether fits to samples of a table show how long its folds take."""
    return n_rows * n_columns >= _LARGE


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """The time that a comparison may take.

    Attributes
    ----------
    seconds : float
        From the start to the end.
    start : float
        Value of `time.monotonic`.
    """

    seconds: float
    start: float = field(default_factory=monotonic)

    @property
    def left(self) -> float:
        """Seconds until the end; negative after it."""
        return self.start + self.seconds - monotonic()

    def deadline(self, fits: Iterable[float | None]) -> float:
        """Return the value of `time.monotonic` at which all folds are to be completed.

        Parameters
        ----------
        fits : iterable of float or None
            Expected seconds of the fits to all rows of the models that may be recommended; None
            for a model that was not timed.
        """
        unknown = _SHARE_OF_UNKNOWN_FIT * self.seconds
        longest = max((unknown if each is None else each for each in fits), default=0.0)
        kept = (_SHARE_OF_PAGE + _SHARE_OF_OVERRUN) * self.seconds
        return self.start + self.seconds - kept - min(longest, _SHARE_OF_FIT * self.seconds)

    def overrun(self, deadline: float) -> float:
        """Return the value of `time.monotonic` at which folds under way are ended."""
        return deadline + _SHARE_OF_OVERRUN * self.seconds

    def can_fit(self, seconds: float | None) -> bool:
        """Return whether a fit to all rows of so many seconds leaves half the time of the page."""
        return seconds is None or seconds <= self.left - _SHARE_OF_PAGE / 2 * self.seconds


def seconds_of_folds(costs: Iterable[float], n_folds: int, n_workers: int) -> float:
    """Return the seconds that folds take, given the seconds of one fold of each model.

    The last fold of the longest model may run while other workers wait.

    >>> seconds_of_folds([1.0, 3.0], n_folds=5, n_workers=2)
    11.5
    """
    costs = list(costs)
    waiting = max(costs, default=0.0) * (1.0 - 1.0 / n_workers)
    return n_folds * sum(costs) / n_workers + waiting


def affordable_folds(costs: Iterable[float], n_folds: int, n_workers: int, seconds: float) -> int:
    """Return the number of folds of all models, at most `n_folds`, that a time suffices for."""
    costs = list(costs)
    fitting = (k for k in range(n_folds, 0, -1) if seconds_of_folds(costs, k, n_workers) <= seconds)
    return next(fitting, 0)


def affordable_rows(
    costs: Mapping[str, float],
    exponents: Mapping[str, float],
    n_rows: int,
    n_folds: int,
    n_workers: int,
    seconds: float,
) -> int:
    """Return the number of rows on which the folds of all models can be run.

    Parameters
    ----------
    costs : mapping from model to float
        Expected seconds of a fold of all rows.
    exponents : mapping from model to float
        Power of the rows with which they grow.
    n_rows, n_folds, n_workers : int
    seconds : float

    Returns
    -------
    int
        `n_rows` if the time suffices, otherwise a number of two digits and zeros, at least 5,000.

    Examples
    --------
    >>> affordable_rows({"a": 100.0}, {"a": 1.0}, 1_000_000, 3, 1, seconds=50.0)
    160000
    """
    low, high = 0.0, 1.0
    if _seconds_of_share(costs, exponents, high, n_folds, n_workers) <= seconds:
        return n_rows
    for _ in range(40):
        middle = (low + high) / 2
        is_short = _seconds_of_share(costs, exponents, middle, n_folds, n_workers) <= seconds
        low, high = (middle, high) if is_short else (low, middle)
    found = max(int(low * n_rows), 1)
    step: int = 10 ** max(0, int(math.log10(found)) - 1)
    return min(n_rows, max(found // step * step, _FEWEST_ROWS))


def _seconds_of_share(
    costs: Mapping[str, float],
    exponents: Mapping[str, float],
    share: float,
    n_folds: int,
    n_workers: int,
) -> float:
    shrunk = [seconds * share ** exponents[model] for model, seconds in costs.items()]
    return seconds_of_folds(shrunk, n_folds, n_workers)


__all__ = [
    "FEWEST_FOLDS",
    "TimeLimit",
    "affordable_folds",
    "affordable_rows",
    "is_large",
    "seconds_of_folds",
]
