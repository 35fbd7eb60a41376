"""Figures of the page that are drawn in Python: those without choices of the reader.

To add a figure, write a function that takes the summary and returns its drawings, and add it to
`FIGURES` with the section of the page in which it appears.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from augury.report.critical_difference import critical_difference_diagram
from augury.report.curve_figures import draw_learning_curves
from augury.report.figure import NARROW, WIDE, Figure, FigureTable, as_markup
from augury.report.numbers import decimals, p_value
from augury.report.palette import PAGE
from augury.report.scatter_chart import Dot, scatter_chart
from augury.report.ticks import nice_ticks, tick_texts
from augury.summary.contents import FriedmanRanks, Measure, Summary


def draw_ranks(summary: Summary) -> Iterator[Figure]:
    """Yield the critical-difference diagram of each measure, or the reason why there is none."""
    for measure in summary.measures:
        found = summary.comparisons.friedman.get(measure.key)
        if found is None:
            text = "Ranks are not tested: too few data sets or models have this measure."
            yield Figure(measure.title, text, measure=measure.key)
        else:
            yield _draw_ranks(summary, measure, found)


def _draw_ranks(summary: Summary, measure: Measure, found: FriedmanRanks) -> Figure:
    names = [model.name for model in summary.models]
    ranks = {
        name: rank for name, rank in zip(names, found.mean_ranks, strict=True) if rank is not None
    }
    chart = partial(
        critical_difference_diagram,
        ranks,
        found.critical_difference,
        found.groups,
        title=f"Critical difference: {measure.title}",
        palette=PAGE,
    )
    return Figure(
        title=measure.title,
        text=_describe_test(found),
        wide=as_markup(chart(width=WIDE)),
        narrow=as_markup(chart(width=NARROW)),
        measure=measure.key,
        table=_holm_table(found, summary.experiment.reference),
    )


def _describe_test(found: FriedmanRanks) -> str:
    ranks = f"Mean ranks over {found.n_datasets} data sets; the best model is first"
    level = f"{100 * found.alpha:g} %"
    parts = [ranks, f"Bars join models that Nemenyi's test does not distinguish at {level}"]
    if found.chi2 is not None and found.chi2_p is not None:
        parts.append(f"Friedman: χ² = {found.chi2:.2f}, p {_equals(found.chi2_p)}")
    if found.f_p is not None:
        statistic = "∞" if found.f is None else f"{found.f:.2f}"
        parts[-1] += f"; Iman and Davenport: F = {statistic}, p {_equals(found.f_p)}"
    return ". ".join(parts) + "."


def _equals(p: float) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"


def _holm_table(found: FriedmanRanks, reference: str | None) -> FigureTable | None:
    if not found.holm:
        return None
    rows = tuple(
        (row.model, p_value(row.p), p_value(row.adjusted_p), "yes" if row.rejected else "no")
        for row in found.holm
    )
    title = f"Holm's procedure against {reference}"
    return FigureTable(title, ("Model", "p", "adjusted p", "differs"), rows)


def draw_costs(summary: Summary) -> Iterator[Figure]:
    """Yield accuracy against training time, or the reason why there is no such figure."""
    families = {model.name: model.family for model in summary.models}
    measure = summary.measures[0]
    dots = [
        Dot(line.model, families[line.model], line.fit_ms, mean)
        for line in summary.comparisons.leaderboard
        if line.fit_ms and (mean := line.mean(measure.key)) is not None
    ]
    if len(dots) < 2:
        yield Figure("", "Fewer than two models have both a mean and a training time.")
        return
    unit = f", {measure.unit}" if measure.unit else ""
    chart = partial(
        scatter_chart,
        dots,
        title=f"{measure.title} against training time",
        x_label="training time of a fold, ms (log scale)",
        y_label=f"mean {measure.title.lower()}{unit}",
        palette=PAGE,
    )
    best = max(dots, key=lambda dot: dot.y)
    fastest = min(dots, key=lambda dot: dot.x)
    yield Figure(
        title="",
        text=(
            f"Means over the shared data sets. Highest: {best.name} "
            f"({decimals(best.y, measure.decimals)}); fastest: {fastest.name}. Models at the top "
            "left are better; the shape shows the family."
        ),
        wide=as_markup(chart(width=WIDE)),
        narrow=as_markup(chart(width=NARROW, height=380.0)),
    )


@dataclass(frozen=True, slots=True)
class AxisTicks:
    """Tick marks of an axis that a script draws."""

    ticks: tuple[float, ...]
    texts: tuple[str, ...]


def bias_variance_ticks(summary: Summary) -> dict[str, AxisTicks]:
    """Return an axis of errors that has room for every model, by decomposition."""
    found = summary.predictions.bias_variance
    if found is None:
        return {}
    layout = {}
    for method in ("webb", "kohavi_wolpert"):
        cells = [cell for row in found.table(method).datasets for cell in row if cell is not None]
        if not cells:
            continue
        highest = max(max(cell.error, cell.bias + cell.variance) for cell in cells)
        ticks = nice_ticks(0.0, highest, 5)
        layout[method] = AxisTicks(tuple(ticks), tuple(tick_texts(ticks)))
    return layout


# Section of the page and its figures, in the order in which they appear.
FIGURES: tuple[tuple[str, Callable[[Summary], Iterator[Figure]]], ...] = (
    ("significance", draw_ranks),
    ("time", draw_costs),
    ("learning", draw_learning_curves),
)


def draw_figures(summary: Summary) -> Mapping[str, tuple[Figure, ...]]:
    """Return the figures of each section of the page."""
    drawn: dict[str, tuple[Figure, ...]] = {section: () for section, _ in FIGURES}
    for section, draw in FIGURES:
        drawn[section] += tuple(draw(summary))
    return drawn


__all__ = [
    "FIGURES",
    "AxisTicks",
    "Figure",
    "FigureTable",
    "bias_variance_ticks",
    "draw_figures",
]
