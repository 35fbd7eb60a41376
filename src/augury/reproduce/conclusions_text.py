"""A paper's conclusions beside ours, in Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from augury.evaluate.significance import BETTER, WORSE
from augury.reproduce.compared_conclusions import (
    ComparedChange,
    ComparedSquare,
    MarkedTable,
    MarksComparison,
    TimeRatio,
)

_SIGNS = {BETTER: "○", WORSE: "●"}
_WINNERS = {"r": "row", "c": "column", ".": "neither"}


def render_marks(comparison: MarksComparison) -> str:
    """Return tables of what agrees, and a list of what does not.

    ● stands for "worse than the first column" and ○ for "better", as papers print it.
    """
    runs = "one run" if comparison.n_runs == 1 else f"{comparison.n_runs} runs"
    lines = [
        f"# {comparison.paper}: its conclusions, and ours",
        "",
        f"Ours are from {runs} of the {comparison.protocol} protocol.",
        "",
    ]
    for table in comparison.tables:
        lines += [*_render_table(table), ""]
    for square in comparison.squares:
        lines += [*_render_square(square, comparison.n_datasets), ""]
    if comparison.times:
        lines += [*_render_times(comparison.times, comparison.seconds_reference), ""]
    if comparison.changes:
        lines += [*_render_changes(comparison.changes, comparison.n_datasets), ""]
    return "\n".join(lines).rstrip()


def describe_marks(comparison: MarksComparison) -> dict[str, Any]:
    """Return the comparison as JSON can hold it."""
    return {
        "protocol": comparison.protocol,
        "runs": comparison.n_runs,
        "agrees": comparison.agrees,
        "tables": [
            {
                "table": table.table,
                "reference": table.reference,
                "n_cells": len(table.cells),
                "n_printed": table.n_printed,
                "differing": [asdict(cell) for cell in table.differing],
                "win_tie_loss": {
                    model: table.win_tie_loss(model)
                    for model in dict.fromkeys(cell.model for cell in table.cells)
                },
            }
            for table in comparison.tables
        ],
        "signed_ranks": [
            {
                "table": square.printed.table,
                "score": square.printed.score,
                "n_datasets": square.n_datasets,
                "n_pairs": len(square.ours),
                "differing": [
                    {
                        "row": row,
                        "column": column,
                        "printed": _WINNERS[square.printed_mark(row, column)],
                        "same_sets": _WINNERS[square.same_sets[row, column]],
                        "ours": _WINNERS[square.ours[row, column]],
                        "p": square.p[row, column],
                    }
                    for row, column in square.differing
                ],
            }
            for square in comparison.squares
        ],
        "times": [
            {
                name: value if value == value else None  # a NaN is unequal to itself
                for name, value in asdict(time).items()
            }
            for time in comparison.times
        ],
        "bias_variance": [asdict(change) for change in comparison.changes],
    }


def _render_table(table: MarkedTable) -> Iterator[str]:
    yield f"## Table {table.table}: marks beside {table.reference}"
    yield ""
    n_agree = len(table.cells) - len(table.differing)
    yield (
        f"{n_agree} of {len(table.cells)} marks agree (corrected t-test of accuracy, 5 %, "
        f"two-tailed); the table has {table.n_printed}."
    )
    models = list(dict.fromkeys(cell.model for cell in table.cells))
    if models:
        yield ""
        yield from _markdown(
            ["model", "sets", "W/T/L ours", "printed, same sets", "printed line"],
            [
                [
                    model,
                    str(sum(table.win_tie_loss(model))),
                    _counts(table.win_tie_loss(model)),
                    _counts(table.win_tie_loss(model, printed=True)),
                    _counts(table.printed_line[model]) if model in table.printed_line else "-",
                ]
                for model in models
            ],
        )
    if table.differing:
        yield ""
        yield from _markdown(
            ["set", "model", "printed", "ours", "points", "p"],
            [
                [
                    cell.dataset,
                    cell.model,
                    _SIGNS.get(cell.printed, "none"),
                    _SIGNS.get(cell.ours, "none"),
                    f"{cell.difference:+.2f}",
                    f"{cell.p:.4f}",
                ]
                for cell in table.differing
            ],
        )


def _render_square(square: ComparedSquare, n_datasets: int) -> Iterator[str]:
    what = "accuracy" if square.printed.score == "accuracy" else "training time"
    yield f"## Table {square.printed.table}: signed ranks of {what}"
    yield ""
    n_agree = len(square.ours) - len(square.differing)
    with_what = "the print" if square.is_whole else "what the printed numbers of these sets lead to"
    yield (
        f"{n_agree} of {len(square.ours)} pairs agree with {with_what}, over {square.n_datasets} "
        f"of {n_datasets} sets (KEEL's convention; 5 % below the diagonal, 10 % above)."
    )
    lacking = [model for model in square.printed.models if model not in square.models]
    if lacking:
        yield f"Not computed: {', '.join(lacking)}."
    for row, column in square.contradictions:
        yield f"The print contradicts itself: {row} and {column} are each said to lose or to win."
    if square.differing:
        yield ""
        yield from _markdown(
            ["row", "column", "better, printed", "by printed numbers", "ours", "p"],
            [
                [
                    row,
                    column,
                    _WINNERS[square.printed_mark(row, column)],
                    _WINNERS[square.same_sets[row, column]],
                    _WINNERS[square.ours[row, column]],
                    f"{square.p[row, column]:.4f}",
                ]
                for row, column in square.differing
            ],
        )


def _render_times(times: Sequence[TimeRatio], reference: str) -> Iterator[str]:
    yield f"## Training time in that of {reference}"
    yield ""
    yield (
        "Ratios of the mean times, and medians of the ratios on sets where the paper prints at "
        "least 0.05 s; other programs on other machines."
    )
    yield ""
    yield from _markdown(
        ["model", "sets", "ours", "printed", "sets", "median, ours", "median, printed"],
        [
            [
                time.model,
                str(time.n_datasets),
                _ratio(time.ours),
                _ratio(time.printed),
                str(time.n_measurable),
                _ratio(time.ours_median),
                _ratio(time.printed_median),
            ]
            for time in times
        ],
    )


def _render_changes(changes: Sequence[ComparedChange], n_datasets: int) -> Iterator[str]:
    yield "## Bias and variance (Webb)"
    yield ""
    yield f"Number of sets on which they are lower; the paper counts {n_datasets} sets."
    yield ""
    yield from _markdown(
        ["figure", "model", "beside", "sets", "bias, ours", "printed", "variance, ours", "printed"],
        [
            [
                change.printed.figure,
                change.printed.model,
                change.printed.other,
                str(change.n_datasets),
                _lower(change.lower_bias, change.even_bias),
                _count(change.printed.lower_bias),
                _lower(change.lower_variance, change.even_variance),
                _count(change.printed.lower_variance),
            ]
            for change in changes
        ],
    )


def _markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for cells in (header, ["---"] * len(header), *rows):
        yield f"| {' | '.join(cells)} |"


def _counts(counts: Sequence[int]) -> str:
    return "/".join(map(str, counts))


def _count(count: int | None) -> str:
    return "-" if count is None else str(count)


def _lower(lower: Sequence[str], even: Sequence[str]) -> str:
    return f"{len(lower)} ({len(even)} even)" if even else str(len(lower))


def _ratio(value: float) -> str:
    # A NaN is unequal to itself.
    return f"{value:.2f}" if value == value else "-"


__all__ = ["describe_marks", "render_marks"]
