"""Measured times of fits, and the times that they let expect of fits to other numbers of rows."""

import math
from collections.abc import Iterable

# Small fits have a share that does not grow with the rows, and hide that the rest does.
_SMALLEST_EXPONENT, _LARGEST_EXPONENT = 1.0, 2.0
# Folds of a run differ by a row.
_SAME_SIZE = 0.1


class FitTimes:
    """Seconds of fits of several models, with the prediction of the test rows of their folds.

    Examples
    --------
    >>> times = FitTimes()
    >>> times.add("lr", 1_000, 0.2)
    >>> times.expect("lr", 4_000), times.expect("nb", 4_000)
    (0.8, None)
    >>> times.add("lr", 2_000, 0.6)
    >>> round(times.expect("lr", 4_000), 1)  # three times as long for twice the rows
    1.8
    """

    def __init__(self) -> None:
        self._seconds: dict[str, dict[int, float]] = {}

    def add(self, model: str, n_rows: int, seconds: float) -> None:
        """Add a fit to so many rows. It takes the place of earlier ones of about this size."""
        known = self._seconds.get(model, {})
        others = {n: s for n, s in known.items() if abs(n - n_rows) > _SAME_SIZE * n_rows}
        self._seconds[model] = {**others, n_rows: seconds}

    def expect(self, model: str, n_rows: int) -> float | None:
        """Return the expected seconds of a fit; None if the model was not timed.

        From the largest fit below this size, the time grows with a power of the rows: the one
        between the two largest fits, but at least 1 and at most 2.
        """
        known = self._seconds.get(model)
        if not known:
            return None
        largest = max(known)
        growth = n_rows / largest
        return known[largest] * math.pow(growth, self.exponent(model) if growth > 1.0 else 1.0)

    def exponent(self, model: str) -> float:
        """Return the power of the rows with which the time of a model grows."""
        sizes = sorted(self._seconds.get(model, ()))
        if len(sizes) < 2:
            return _SMALLEST_EXPONENT
        small, large = sizes[-2:]
        seconds = self._seconds[model]
        if min(seconds[small], seconds[large]) <= 0.0:
            return _SMALLEST_EXPONENT
        slope = math.log(seconds[large] / seconds[small]) / math.log(large / small)
        return min(max(slope, _SMALLEST_EXPONENT), _LARGEST_EXPONENT)

    def expect_all(self, models: Iterable[str], n_rows: int) -> dict[str, float]:
        """Return the expected seconds of each model that was timed."""
        found = ((model, self.expect(model, n_rows)) for model in models)
        return {model: seconds for model, seconds in found if seconds is not None}


__all__ = ["FitTimes"]
