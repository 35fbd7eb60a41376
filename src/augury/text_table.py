"""Plain-text tables with aligned columns."""

from collections.abc import Collection, Sequence


def align_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,)
) -> str:
    """Return a plain-text table.

    The columns whose indices are in `left` are aligned to the left, the others to the right.

    Examples
    --------
    >>> print(align_columns(["set", "rows"], [["iris", "150"], ["labor", "57"]]))
    set    rows
    -----  ----
    iris    150
    labor    57
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if number in left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    rule = ["-" * width for width in widths]
    return "\n".join(line(cells) for cells in (header, rule, *rows))


__all__ = ["align_columns"]
