"""Rules by which a computed cell agrees with a printed one."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

# Larger than the rounding error of a mean of doubles, smaller than a printed digit.
_NOISE = Decimal("1e-9")


class Tolerance(Protocol):
    """A rule by which a computed cell agrees with a printed one."""

    @property
    def description(self) -> str:
        """The rule in words."""

    def agrees(self, mean: float, std: float, printed_mean: Decimal, printed_std: Decimal) -> bool:
        """Return whether our mean and standard deviation, in percent, agree with the printed."""

    def is_near(self, mean: float, printed_mean: Decimal, allowance: float) -> bool:
        """Return whether the mean agrees if the rule is widened by `allowance` points."""


@dataclass(frozen=True, slots=True)
class EqualAfterRounding:
    """Agreement of mean and standard deviation to the last printed digit.

    A value halfway between two printable numbers agrees with both, because the printed one
    depends on the last bit of the paper's own sum. For example, on hepatitis Table 6 of the
    2022 hybrid paper prints KNN's 87.175 as 87.17, but C4.5's 81.325 as 81.33, so it rounds
    neither half up nor half to even.

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
        """Return whether both numbers round to the printed ones."""
        return rounds_to(mean, printed_mean) and rounds_to(std, printed_std)

    def is_near(self, mean: float, printed_mean: Decimal, allowance: float) -> bool:
        """Return whether the mean is within half a printed digit plus `allowance`."""
        return _within(mean, printed_mean, _half_digit(printed_mean) + Decimal(allowance))


@dataclass(frozen=True, slots=True)
class WithinPoints:
    """Agreement of the mean within some percentage points; the standard deviation may differ.

    This rule is for documents that do not state how their folds were drawn, so that their
    digits cannot be reproduced.

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
        """Return whether the means differ by at most `points`."""
        return self.is_near(mean, printed_mean, 0.0)

    def is_near(self, mean: float, printed_mean: Decimal, allowance: float) -> bool:
        """Return whether the means differ by at most `points` plus `allowance`."""
        return _within(mean, printed_mean, Decimal(str(self.points)) + Decimal(allowance))


def rounds_to(value: float, printed: Decimal) -> bool:
    """Return whether `value`, rounded to the printed number of decimals, is `printed`."""
    return _within(value, printed, _half_digit(printed))


def _half_digit(printed: Decimal) -> Decimal:
    exponent = printed.as_tuple().exponent
    assert isinstance(exponent, int), "a printed number is finite"
    return Decimal(5).scaleb(exponent - 1)


def _within(value: float, printed: Decimal, distance: Decimal) -> bool:
    return math.isfinite(value) and abs(Decimal(value) - printed) <= distance + _NOISE


__all__ = ["EqualAfterRounding", "Tolerance", "WithinPoints", "rounds_to"]
