"""Sums of floating-point numbers without rounding: the order of the additions has no effect."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from augury.arrays import FloatArray

# Every finite float64 is an integer multiple of 2^-1074.
_UNIT = 1074
# Numbers at a time: they stay in cache, and the sum of their leading parts is exact.
_CHUNK = 1 << 13
_LARGEST_EXPONENT = 960


@dataclass(frozen=True)
class ExactSum:
    """The exact sum of float64 numbers, as an integer multiple of 2^-1074.

    A sum of rounded partial sums depends on how rows are divided into blocks. This sum does not,
    so that any division of the rows gives the same mean.

    Examples
    --------
    >>> total = ExactSum.of(np.array([1e100, 1.0])) + ExactSum.of(np.array([-1e100]))
    >>> total.divided_by(ExactSum.of(np.array([4.0])))
    0.25
    """

    units: int = 0

    @classmethod
    def of(cls, numbers: FloatArray) -> ExactSum:
        """Return the sum of finite numbers."""
        parts: list[float] = []
        for start in range(0, len(numbers), _CHUNK):
            parts += _exact_parts(numbers[start : start + _CHUNK])
        return cls(sum(map(_units, parts)))

    @classmethod
    def of_integer(cls, total: int) -> ExactSum:
        """Return an integer as a sum."""
        return cls(total << _UNIT)

    def __add__(self, other: ExactSum) -> ExactSum:
        return ExactSum(self.units + other.units)

    def __float__(self) -> float:
        return float(Fraction(self.units, 1 << _UNIT))

    def divided_by(self, other: ExactSum) -> float:
        """Return the quotient, rounded once."""
        return float(Fraction(self.units, other.units))


def _units(number: float) -> int:
    numerator, denominator = number.as_integer_ratio()
    return numerator * ((1 << _UNIT) // denominator)


def _exact_parts(numbers: FloatArray) -> list[float]:
    """Return few numbers that have exactly the same sum.

    The leading bits of all numbers are taken off by an addition and a subtraction of a large power
    of two, and summed without rounding; so are the bits that remain (S. Rump, T. Ogita, S. Oishi:
    Accurate floating-point summation I. SIAM J. Sci. Comput. 31, 2008).
    """
    largest = float(np.abs(numbers).max(initial=0.0))
    if not largest:
        return []
    exponent = int(np.frexp(largest)[1]) + len(numbers).bit_length()
    if exponent > _LARGEST_EXPONENT:
        return [float(number) for number in numbers]
    parts: list[float] = []
    rest = numbers
    while True:
        power = 2.0**exponent
        leading = (rest + power) - power
        parts.append(float(leading.sum()))
        rest = rest - leading
        largest = float(np.abs(rest).max())
        if not largest:
            return parts
        exponent = int(np.frexp(largest)[1]) + len(numbers).bit_length()


__all__ = ["ExactSum"]
