"""Learning curves as plain-text tables of at most 80 columns."""

from collections.abc import Iterable, Iterator

from augury.summary.contents import CurveComparison, LearningCurves, Measure
from augury.summary.fold_scores import MEASURES
from augury.text_table import align_columns

_WIDTH = 80
# The terminal has room for two measures; the page and the JSON output have all.
_SHOWN = ("accuracy", "log_loss")


def curve_tables(curves: Iterable[LearningCurves]) -> Iterator[str]:
    """Yield the means of each data set by training rows, and the comparison with the reference.

    Examples
    --------
    >>> from augury.summary.contents import LearningCurve
    >>> nb = LearningCurve("nb", (80.0, 84.0), (2.0, 1.0), (10, 10))
    >>> lr = LearningCurve("lr", (78.5, 86.0), (4.0, 1.0), (10, 10))
    >>> better = CurveComparison("lr", (-1.5, 2.0), (0.6, 0.3), "better", 64)
    >>> curves = LearningCurves("iris", "accuracy", (16, 64), (nb, lr), "nb", (better,))
    >>> print(next(curve_tables([curves])))
    iris: accuracy (%) by training rows, means of 10 runs
    model     16     64
    -----  -----  -----
    nb     80.00  84.00
    lr     78.50  86.00
    compared with nb                         at 16 rows    at 64 rows
    ----------------  -------------------  ------------  ------------
    lr                better from 64 rows  -1.50 ± 0.60  +2.00 ± 0.30
    """
    measures = {measure.key: measure for measure in MEASURES if measure.key in _SHOWN}
    for found in curves:
        if found.measure in measures:
            yield "\n".join(_lines(found, measures[found.measure]))


def _lines(found: LearningCurves, measure: Measure) -> Iterator[str]:
    unit = f" ({measure.unit})" if measure.unit else ""
    n_runs = sorted({n for curve in found.curves for n in curve.n if n})
    runs = "–".join(map(str, n_runs[:: max(len(n_runs) - 1, 1)]))
    runs += " run" if runs == "1" else " runs"
    yield f"{found.dataset}: {measure.title.lower()}{unit} by training rows, means of {runs}"
    header = ["model", *map(str, found.sizes)]
    rows = [
        [curve.model, *(_number(value, measure) for value in curve.mean)] for curve in found.curves
    ]
    for chosen in _blocks(header, rows):
        yield align_columns([header[i] for i in chosen], [[row[i] for i in chosen] for row in rows])
    if found.comparisons:
        yield _comparison_table(found, measure)


def _blocks(header: list[str], rows: list[list[str]]) -> Iterator[list[int]]:
    """Divide the columns into tables that fit the width; each begins with the first column."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    block, width = [0], widths[0]
    for i, each in enumerate(widths[1:], start=1):
        if len(block) > 1 and width + 2 + each > _WIDTH:
            yield block
            block, width = [0], widths[0]
        block.append(i)
        width += 2 + each
    yield block


def _comparison_table(found: LearningCurves, measure: Measure) -> str:
    ends = dict.fromkeys((0, len(found.sizes) - 1))  # one column if there is one size
    header = [f"compared with {found.reference}", "", *(f"at {found.sizes[i]} rows" for i in ends)]
    rows = [
        [each.model, each.words(found.sizes), *(_difference(each, i, measure) for i in ends)]
        for each in found.comparisons
    ]
    return align_columns(header, rows, left=(0, 1))


def _difference(each: CurveComparison, i: int, measure: Measure) -> str:
    value, error = each.difference[i], each.error[i]
    if value is None:
        return "-"
    spread = "" if error is None else f" ± {_number(error, measure)}"
    return f"{value:+.{measure.decimals}f}{spread}"


def _number(value: float | None, measure: Measure) -> str:
    return "-" if value is None else f"{value:.{measure.decimals}f}"


__all__ = ["curve_tables"]
