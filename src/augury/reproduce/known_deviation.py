"""Printed cells that are known to differ from ours, with the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class KnownDeviation:
    """A printed cell, or a column of them, that differs for a known reason.

    Attributes
    ----------
    model, dataset : str
        The cell; an empty data set means every cell of the column.
    reason : str
        Why our cell differs, in a few words.
    link : str
        Page and anchor with the details, relative to the root of the repository.
    bounds : pair of float
        Lower and upper bound of our mean minus the printed one, in percentage points. A
        difference outside the bounds has another cause and is not excused.
    std_bounds : pair of float
        The same for the standard deviation.

    Examples
    --------
    >>> known = KnownDeviation("SVM", "letter", "stopped early", "page.md#svm", (0.0, 4.5))
    >>> known.concerns("letter", "SVM"), known.excuses(4.37, -1.8), known.excuses(4.6, -1.8)
    (True, True, False)
    """

    model: str
    dataset: str
    reason: str
    link: str
    bounds: Bounds
    std_bounds: Bounds = (-inf, inf)

    def concerns(self, dataset: str, model: str) -> bool:
        """Return whether the deviation applies to a cell."""
        return model == self.model and self.dataset in ("", dataset)

    def excuses(
        self, mean_difference: float, std_difference: float, allowance: float = 0.0
    ) -> bool:
        """Return whether both differences are within bounds; `allowance` widens the mean's."""
        low, high = self.bounds
        return (
            low - allowance <= mean_difference <= high + allowance
            and self.std_bounds[0] <= std_difference <= self.std_bounds[1]
        )


def measured_deviations(
    model: str, differences: Mapping[str, float], reason: str, link: str, *, margin: float
) -> tuple[KnownDeviation, ...]:
    """Return a known deviation for each data set of a column, all with the same reason.

    Parameters
    ----------
    model : str
        The column.
    differences : mapping from data set to float
        Our mean minus the printed one, as measured. A smaller difference of the same sign is
        excused as well.
    reason, link : str
        See `KnownDeviation`.
    margin : float
        Percentage points by which a difference may exceed the measured one. Results on another
        machine may differ by a few rows.

    Examples
    --------
    >>> [known] = measured_deviations("NB", {"iris": -2.0}, "other rows", "page.md", margin=0.25)
    >>> known.bounds
    (-2.25, 0.25)
    """
    return tuple(
        KnownDeviation(
            model, name, reason, link, (min(measured, 0.0) - margin, max(measured, 0.0) + margin)
        )
        for name, measured in differences.items()
    )


__all__ = ["KnownDeviation", "measured_deviations"]
