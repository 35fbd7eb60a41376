"""When a number of ours counts as the printed one."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

# Far above the rounding of a mean of doubles, far below a printed digit.
_NOISE = Decimal("1e-9")


class Tolerance(Protocol):
    """A rule for the agreement of a cell."""

    @property
    def description(self) -> str:
        """The rule in words, for the verdict."""

    def agrees(self, mean: float, std: float, printed_mean: Decimal, printed_std: Decimal) -> bool:
        """Tell whether our mean and standard deviation, in percent, are the printed ones."""

    def is_near(self, mean: float, printed_mean: Decimal, allowance: float) -> bool:
        """Tell whether the mean is within the rule, widened by `allowance` points."""


@dataclass(frozen=True, slots=True)
class EqualAfterRounding:
    """Agreement of mean and standard deviation to the last printed digit.

    A value that lies half-way between two printable ones agrees with both: which of
    them was printed depends on the last bit of the paper's own sum. On hepatitis, for
    instance, Table 6 of the 2022 hybrid paper prints KNN's 87.175 as 87.17, but C4.5's
    81.325 as 81.33, so neither half-up nor half-to-even is its rule.

    Examples
    --------
    >>> rule = EqualAfterRounding()
    >>> rule.agrees(94.4667, 5.61, Decimal("94.47"), Decimal("5.61"))
    True
    >>> rule.agrees(94.4649, 5.61, Decimal("94.47"), Decimal("5.61"))
    False
    """

    description: str = "mean and std equal to 2 decimals"

    def agrees(self, mean: float, std: float, printed_mean: Decimal, printed_std: Decimal) -> bool:
        """Tell whether both are printed as ours would be."""
        return rounds_to(mean, printed_mean) and rounds_to(std, printed_std)

    def is_near(self, mean: float, printed_mean: Decimal, allowance: float) -> bool:
        """Tell whether the mean is within half a printed digit and `allowance`."""
        return _within(mean, printed_mean, _half_digit(printed_mean) + Decimal(allowance))


@dataclass(frozen=True, slots=True)
class WithinPoints:
    """Agreement of the mean up to some percent points; the standard deviation may differ.

    For documents that do not say how they drew their folds, and so cannot be computed
    again to the digit.

    Examples
    --------
    >>> rule = WithinPoints(1.5)
    >>> rule.agrees(74.6, 3.0, Decimal("76.1"), Decimal("9.9")), rule.description
    (True, 'mean within 1.5 points')
    """

    points: float

    @property
    def description(self) -> str:
        """The rule in words."""
        return f"mean within {self.points:g} points"

    def agrees(self, mean: float, std: float, printed_mean: Decimal, printed_std: Decimal) -> bool:
        """Tell whether the means are as near as that."""
        return self.is_near(mean, printed_mean, 0.0)

    def is_near(self, mean: float, printed_mean: Decimal, allowance: float) -> bool:
        """Tell whether the mean is within the points and `allowance`."""
        return _within(mean, printed_mean, Decimal(str(self.points)) + Decimal(allowance))


def rounds_to(value: float, printed: Decimal) -> bool:
    """Tell whether `printed` is `value`, rounded to as many decimals as are printed."""
    return _within(value, printed, _half_digit(printed))


def _half_digit(printed: Decimal) -> Decimal:
    exponent = printed.as_tuple().exponent
    assert isinstance(exponent, int), "a printed number is finite"
    return Decimal(5).scaleb(exponent - 1)


def _within(value: float, printed: Decimal, distance: Decimal) -> bool:
    return math.isfinite(value) and abs(Decimal(value) - printed) <= distance + _NOISE


__all__ = ["EqualAfterRounding", "Tolerance", "WithinPoints", "rounds_to"]
