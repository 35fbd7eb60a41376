"""Cells of a paper that are known to differ from ours, with the reason."""

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
        Why ours differs, in a few words.
    link : str
        Page and anchor, from the root of the repository, that gives the details.
    bounds : pair of float
        Our mean less the printed one, in percent points, is between these. A larger
        difference has another cause and is not excused.
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
        """Tell whether this is the deviation of a cell."""
        return model == self.model and self.dataset in ("", dataset)

    def excuses(
        self, mean_difference: float, std_difference: float, allowance: float = 0.0
    ) -> bool:
        """Tell whether differences are within the bounds, the mean's widened by `allowance`."""
        low, high = self.bounds
        return (
            low - allowance <= mean_difference <= high + allowance
            and self.std_bounds[0] <= std_difference <= self.std_bounds[1]
        )


def measured_deviations(
    model: str, differences: Mapping[str, float], reason: str, link: str, *, margin: float
) -> tuple[KnownDeviation, ...]:
    """Return a known deviation for each data set of a column, with one reason.

    Parameters
    ----------
    model : str
        The column.
    differences : mapping from data set to float
        Our mean less the printed one, as measured. A smaller difference of the same sign is
        excused too.
    reason, link : str
        See `KnownDeviation`.
    margin : float
        Points by which a difference may exceed the measured one: results of another machine
        may differ by a few rows.

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
