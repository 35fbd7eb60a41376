"""Round numbers for axes."""

from itertools import pairwise
from math import ceil, floor, log10


def nice_ticks(low: float, high: float, most: int = 6, *, whole: bool = False) -> list[float]:
    """Return round numbers at equal distances that cover a range.

    The distance is 1, 2 or 5 times a power of ten, the least that divides the range
    into no more than `most` steps, before the ends are rounded outwards.

    Parameters
    ----------
    low, high : float
        The range. If it is empty, it is widened by a tenth of the number, or by one.
    most : int
        Number of steps aimed at.
    whole : bool
        Whether only whole numbers make sense.

    Examples
    --------
    >>> nice_ticks(0.713, 0.782)
    [0.7, 0.72, 0.74, 0.76, 0.78, 0.8]
    >>> nice_ticks(1, 3, whole=True)
    [1.0, 2.0, 3.0]
    >>> nice_ticks(5, 5)
    [4.4, 4.6, 4.8, 5.0, 5.2, 5.4, 5.6]
    """
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        around = abs(low) / 10 or 1.0
        low, high = low - around, high + around
    least = (high - low) / most * (1 - 1e-9)
    exponent = floor(log10(least))
    if whole and exponent < 0:
        exponent, least = 0, max(least, 1.0)
    factor, exponent = next(
        (factor, power)
        for factor, power in ((1, exponent), (2, exponent), (5, exponent), (1, exponent + 1))
        if factor * 10.0**power >= least
    )
    step = factor * 10.0**exponent
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 1)
    # Whole numbers are divided, so that 3 tenths are 0.3 and not 0.30000000000000004.
    return [
        float(k * factor * 10**exponent) if exponent >= 0 else k * factor / 10**-exponent
        for k in range(first, last + 1)
    ]


def tick_texts(ticks: list[float]) -> list[str]:
    """Write numbers with as many decimals as their distance needs."""
    step = min(b - a for a, b in pairwise(ticks))
    largest = max(abs(ticks[0]), abs(ticks[-1]))
    exponent = floor(log10(step) + 1e-9)
    if exponent < -6 or largest >= 1e12:
        digits = max(floor(log10(largest)) - exponent, 0)
        texts = [f"{tick:.{digits}e}" for tick in ticks]
    else:
        texts = [f"{tick:,.{max(-exponent, 0)}f}" for tick in ticks]
    return [text.replace("-", "−") for text in texts]
