"""Columns and rows of the leaderboard, as the template shows them."""

from collections.abc import Callable
from dataclasses import dataclass

from augury.report.numbers import count, decimals, milliseconds, ratio
from augury.summary.contents import LeaderboardLine, Measure, Summary


@dataclass(frozen=True, slots=True)
class LeaderboardHeading:
    """Heading of a column.

    Attributes
    ----------
    title, explained : str
        Text and tooltip.
    first : str
        Order after the first click on the heading, "ascending" or "descending".
    sorted : str or None
        Order of the column when the page is loaded.
    """

    title: str
    explained: str
    first: str
    sorted: str | None = None


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of numbers: its heading, the number of a line, and the text of a number."""

    heading: LeaderboardHeading
    value: Callable[[LeaderboardLine], float | None]
    write: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    """A number of the leaderboard: its exact value, and the text that is shown."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A model of the leaderboard."""

    name: str
    is_reference: bool
    cells: tuple[LeaderboardCell, ...]


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """The leaderboard and the sentences above it."""

    lead: str
    columns: tuple[LeaderboardHeading, ...]
    rows: tuple[LeaderboardRow, ...]


def view_leaderboard(summary: Summary) -> LeaderboardView:
    """Return the columns that have a value, and the models by rank."""
    lines = summary.comparisons.leaderboard
    reference = summary.experiment.reference
    columns = [
        column
        for column in _columns(summary)
        if any(column.value(line) is not None for line in lines)
    ]
    main = summary.measures[0]
    shared = count(len(summary.comparisons.shared), "shared data set")
    sizes = ""
    if any(dataset.has_curves for dataset in summary.datasets):
        some = "each" if summary.has_only_curves else "those with learning curves"
        sizes = f"{some} at the largest training size that all models have completed, "
    return LeaderboardView(
        lead=(
            f"Means over the {shared}, {sizes}ordered by mean rank in {main.title.lower()} (1 is "
            "best). Times depend on the machine: compare them only within this page."
        ),
        columns=(
            LeaderboardHeading("Model", "Name", "ascending"),
            *(column.heading for column in columns),
        ),
        rows=tuple(
            LeaderboardRow(
                name=line.model,
                is_reference=line.model == reference,
                cells=tuple(_cell(column, line) for column in columns),
            )
            for line in lines
        ),
    )


def _columns(summary: Summary) -> list[_Column]:
    lines = summary.comparisons.leaderboard
    main, *others = summary.measures
    columns = [_measure_column(main), _rank_column(main), *map(_measure_column, others)]
    training = LeaderboardHeading("Training", "Mean training time of a fold", "ascending")
    columns.append(_Column(training, lambda line: line.fit_ms, milliseconds))
    explained = f"Training time divided by that of {summary.experiment.reference}"
    relative = LeaderboardHeading("× reference", explained, "ascending")
    columns.append(_Column(relative, lambda line: line.fit_ratio_to_reference, ratio))
    prediction = LeaderboardHeading("Prediction", "Mean prediction time of a fold", "ascending")
    columns.append(_Column(prediction, lambda line: line.predict_ms, milliseconds))
    if len({line.n_datasets for line in lines}) > 1:
        heading = LeaderboardHeading("Data sets", "Data sets with completed folds", "descending")
        columns.append(_Column(heading, lambda line: line.n_datasets, str))
    if any(line.n_failed for line in lines):
        heading = LeaderboardHeading("Failed", "Folds that raised an error", "ascending")
        columns.append(_Column(heading, lambda line: line.n_failed, str))
    return columns


def _measure_column(measure: Measure) -> _Column:
    unit = f" ({measure.unit})" if measure.unit else ""
    words = "higher is better" if measure.higher_is_better else "lower is better"
    heading = LeaderboardHeading(
        title=measure.title + unit,
        explained=f"Mean {measure.title.lower()}; {words}",
        first="descending" if measure.higher_is_better else "ascending",
    )
    return _Column(
        heading,
        lambda line: line.mean(measure.key),
        lambda value: decimals(value, measure.decimals),
    )


def _rank_column(measure: Measure) -> _Column:
    explained = f"Mean rank in {measure.title.lower()}; 1 is best"
    heading = LeaderboardHeading("Rank", explained, "ascending", sorted="ascending")
    return _Column(heading, lambda line: line.rank(measure.key), lambda value: decimals(value, 2))


def _cell(column: _Column, line: LeaderboardLine) -> LeaderboardCell:
    value = column.value(line)
    if value is None:
        return LeaderboardCell("", "–")
    return LeaderboardCell(repr(value), column.write(value))


__all__ = ["LeaderboardView", "view_leaderboard"]
