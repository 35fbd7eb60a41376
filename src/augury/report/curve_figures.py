"""Learning curves of the page, their numbers, and where they cross."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf, isnan, log

from augury.report.figure import NARROW, WIDE, Figure, FigureTable, as_markup
from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.numbers import decimals
from augury.report.palette import PAGE
from augury.summary.contents import CurveComparison, LearningCurves, Measure, Summary


def draw_learning_curves(summary: Summary) -> Iterator[Figure]:
    """Yield the learning curves of each data set and measure, and their comparison."""
    n_classes = {dataset.name: len(dataset.classes) for dataset in summary.datasets}
    found = {(each.dataset, each.measure): each for each in summary.learning_curves}
    for dataset in dict.fromkeys(each.dataset for each in summary.learning_curves):
        for measure in summary.measures:
            curves = found.get((dataset, measure.key))
            if curves is None or not list(_lines(curves, measure)):
                text = f"No model has the measure {measure.title} on {dataset}."
                yield Figure("", text, measure=measure.key, choice=dataset)
                continue
            yield _draw(curves, measure, _ceiling(measure, n_classes.get(dataset, 0)))
            if curves.comparisons:
                yield _compare(curves, measure)


def _ceiling(measure: Measure, n_classes: int) -> float:
    """Return twice the loss of equal probabilities: larger losses would hide the differences."""
    return 2.0 * log(n_classes) if measure.key == "log_loss" and n_classes > 1 else inf


def _draw(curves: LearningCurves, measure: Measure, ceiling: float) -> Figure:
    lines = list(_lines(curves, measure, ceiling))
    above = [
        curve.model
        for curve in curves.curves
        for mean in curve.mean
        if mean is not None and mean > ceiling
    ]
    if not lines:  # all means are above the ceiling
        lines, above = list(_lines(curves, measure)), []
    chart = partial(
        line_chart,
        lines,
        title="",
        x_label="training rows (log scale)",
        y_label=f"{measure.title}, {measure.unit}" if measure.unit else measure.title,
        palette=PAGE,
        log_x=True,
    )
    return Figure(
        title=f"{curves.dataset}: {measure.title}",
        text=_caption(measure, ceiling, above),
        wide=as_markup(chart(width=WIDE)),
        narrow=as_markup(chart(width=NARROW)),
        measure=measure.key,
        choice=curves.dataset,
        table=_numbers(curves, measure),
    )


def _lines(curves: LearningCurves, measure: Measure, ceiling: float = inf) -> Iterator[Line]:
    """Yield the lines; means above the ceiling are left out, and bands end at it."""
    highest = min(ceiling, 100.0 if measure.unit == "%" else inf)
    for curve in curves.curves:
        mean = [float("nan") if value is None or value > ceiling else value for value in curve.mean]
        if all(isnan(value) for value in mean):
            continue
        band = [
            (max(m - (s or 0.0), 0.0), min(m + (s or 0.0), highest))
            for m, s in zip(mean, curve.std, strict=True)
        ]
        yield Line(
            curve.model, curves.sizes, mean, [low for low, _ in band], [up for _, up in band]
        )


def _caption(measure: Measure, ceiling: float, above: Sequence[str]) -> str:
    """Return the caption; `above` has the model of each mean that is not drawn."""
    direction = "higher" if measure.higher_is_better else "lower"
    text = (
        f"Mean over the runs; {direction} is better. The band is one standard deviation. In one "
        "run all models and sizes are tested on the same rows, and a smaller training sample is "
        "part of a larger one."
    )
    if not above:
        return text
    means = "1 mean is" if len(above) == 1 else f"{len(above)} means are"
    return (
        f"{text} {means} not drawn, but in the table ({', '.join(dict.fromkeys(above))}): above "
        f"{ceiling:.2f}, which is twice the loss of equal probabilities."
    )


def _numbers(curves: LearningCurves, measure: Measure) -> FigureTable:
    rows = tuple(
        (
            f"{size:,}",
            *(_with_spread(curve.mean[i], curve.std[i], measure) for curve in curves.curves),
        )
        for i, size in enumerate(curves.sizes)
    )
    header = ("Training rows", *(curve.model for curve in curves.curves))
    return FigureTable("Numbers: mean ± standard deviation", header, rows)


def _compare(curves: LearningCurves, measure: Measure) -> Figure:
    text = (
        f"Each number is the measure of the model less that of {curves.reference}, the "
        "mean over the runs ± one standard error of the paired differences. The second column "
        "has the smallest size from which the model is better, or worse, at all larger sizes. "
        "Runs share rows: the standard errors hold for this data set only, and a difference of "
        "less than two of them may be noise. The option --reference of augury report chooses "
        "another model."
    )
    rows = tuple(
        (each.model, each.words(curves.sizes), *_differences(each, measure))
        for each in curves.comparisons
    )
    header = ("Model", "Outcome", *(f"{size:,}" for size in curves.sizes))
    title = f"Compared with {curves.reference}, by training rows"
    return Figure(
        title=f"{curves.dataset}: where the curves cross",
        text=text,
        measure=measure.key,
        choice=curves.dataset,
        table=FigureTable(title, header, rows, is_open=True),
    )


def _differences(each: CurveComparison, measure: Measure) -> Iterator[str]:
    for value, error in zip(each.difference, each.error, strict=True):
        sign = "+" if value is not None and value > 0 else ""
        yield sign + _with_spread(value, error, measure)


def _with_spread(value: float | None, spread: float | None, measure: Measure) -> str:
    if value is None:
        return "–"
    text = decimals(value, measure.decimals)
    return text if spread is None else f"{text} ± {decimals(spread, measure.decimals)}"


__all__ = ["draw_learning_curves"]
