"""Numbers as text for a reader."""


def decimals(value: float, digits: int) -> str:
    """Return a number with this number of decimals.

    >>> decimals(85.125, 1)
    '85.1'
    """
    return f"{value:z,.{digits}f}".replace("-", "−")


def percent(share: float | None) -> str:
    """Return a share in percent, with one decimal.

    >>> percent(0.985), percent(None)
    ('98.5 %', '–')
    """
    return "–" if share is None else f"{decimals(100 * share, 1)} %"


def signed(value: float) -> str:
    """Return a number with its sign and two decimals; there is no negative zero.

    >>> signed(1.234), signed(-0.001)
    ('+1.23', '+0.00')
    """
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "−")


def milliseconds(value: float) -> str:
    """Return a time in a suitable unit, with three digits.

    >>> milliseconds(0.0421), milliseconds(12.34), milliseconds(98_765.0)
    ('42.1 µs', '12.3 ms', '98.8 s')
    """
    for unit, factor in (("µs", 1e3), ("ms", 1.0), ("s", 1e-3)):
        scaled = value * factor
        # 999.6 would round to 1000, which belongs to the next unit.
        if scaled < 999.5 or unit == "s":
            break
    if scaled >= 999.5:
        return f"{scaled:,.0f} {unit}"
    return f"{scaled:#.3g}".rstrip(".") + f" {unit}"


def ratio(value: float) -> str:
    """Return a ratio with a multiplication sign.

    >>> ratio(0.523), ratio(1.0), ratio(123.4)
    ('0.52×', '1.0×', '123×')
    """
    digits = 2 if value < 0.995 else 1 if value < 99.5 else 0
    return f"{value:,.{digits}f}×"


def p_value(value: float) -> str:
    """Return a p-value with three decimals, or "< 0.001".

    >>> p_value(0.04321), p_value(2e-9)
    ('0.043', '< 0.001')
    """
    return "< 0.001" if value < 0.0005 else f"{value:.3f}"


def count(number: int, word: str) -> str:
    """Return a number with its noun.

    >>> count(1, "data set"), count(36, "data set")
    ('1 data set', '36 data sets')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
