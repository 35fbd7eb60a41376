"""Tick marks of axes: round numbers."""

from itertools import pairwise
from math import ceil, floor, log10


def nice_ticks(low: float, high: float, max_steps: int = 6, *, whole: bool = False) -> list[float]:
    """Return equidistant round numbers that cover a range.

    The distance is 1, 2 or 5 times a power of ten: the smallest that divides the range into at
    most `max_steps` steps, before the ends are rounded outwards.

    Parameters
    ----------
    low, high : float
        Range. An empty range is widened by a tenth of the number, or by one.
    max_steps : int
        Maximum number of steps before the ends are rounded.
    whole : bool
        Whether all numbers must be whole.

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
    smallest = (high - low) / max_steps * (1 - 1e-9)
    exponent = floor(log10(smallest))
    if whole and exponent < 0:
        exponent, smallest = 0, max(smallest, 1.0)
    factor, exponent = next(
        (factor, power)
        for factor, power in ((1, exponent), (2, exponent), (5, exponent), (1, exponent + 1))
        if factor * 10.0**power >= smallest
    )
    step = factor * 10.0**exponent
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 1)
    # Division of whole numbers gives 0.3 for 3 tenths, and not 0.30000000000000004.
    return [
        float(k * factor * 10**exponent) if exponent >= 0 else k * factor / 10**-exponent
        for k in range(first, last + 1)
    ]


def log_ticks(low: float, high: float) -> list[float]:
    """Return round numbers that cover a range of positive numbers, for a logarithmic axis.

    These are powers of ten; for a range of less than two decades also their double and
    fivefold.

    Examples
    --------
    >>> log_ticks(0.3, 4000.0)
    [0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0]
    >>> log_ticks(3.0, 40.0)
    [2.0, 5.0, 10.0, 20.0, 50.0]
    """
    first, last = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    factors = (1, 2, 5) if log10(high) - log10(low) < 2 else (1,)
    # Parsing "2e-1" gives exactly 0.2; the product 2 * 10.0 ** -1 may not.
    ticks = [float(f"{k}e{power}") for power in range(first, last + 1) for k in factors]
    below = max(i for i, tick in enumerate(ticks) if tick <= low * (1 + 1e-9))
    above = min([i for i, tick in enumerate(ticks) if tick >= high * (1 - 1e-9)] or [len(ticks)])
    above = max(above, below + 1)
    return ticks[below : above + 1]


def tick_texts(ticks: list[float]) -> list[str]:
    """Return tick marks as text, with as many decimals as their distance needs."""
    step = min(b - a for a, b in pairwise(ticks))
    largest = max(abs(ticks[0]), abs(ticks[-1]))
    exponent = floor(log10(step) + 1e-9)
    if exponent < -6 or largest >= 1e12:
        digits = max(floor(log10(largest)) - exponent, 0)
        texts = [f"{tick:.{digits}e}" for tick in ticks]
    else:
        texts = [f"{tick:,.{max(-exponent, 0)}f}" for tick in ticks]
    return [text.replace("-", "−") for text in texts]
