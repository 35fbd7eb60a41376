"""Conclusions of a paper beside ours, as Markdown text and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from augury.evaluate.significance import BETTER, WORSE
from augury.reproduce.conclusions.compared import (
    ComparedBiasVariance,
    ComparedConclusions,
    ComparedSeconds,
    ComparedSignedRanks,
    ComparedTable,
    ComparedTrainingTime,
)

_SIGNS = {BETTER: "○", WORSE: "●"}
_SCORES = {"accuracy": "accuracy", "fit_seconds": "training time"}
_WINNERS = {"r": "row", "c": "column", ".": "neither"}


def render_conclusions(conclusions: ComparedConclusions) -> str:
    """Return tables of the conclusions that agree, and lists of those that differ.

    ● means "worse than the first column" and ○ means "better", as papers print it.
    """
    runs = "one run" if conclusions.n_runs == 1 else f"{conclusions.n_runs} runs"
    lines = [
        f"# {conclusions.paper}: printed conclusions and ours",
        "",
        f"Ours are from {runs} of the {conclusions.protocol} protocol.",
        "",
    ]
    for table in conclusions.tables:
        lines += [*_render_table(table), ""]
    for tests in conclusions.signed_ranks:
        lines += [*_render_signed_ranks(tests, conclusions.n_datasets), ""]
    if conclusions.seconds:
        lines += [*_render_seconds(conclusions.seconds), ""]
    if conclusions.training_times:
        times, reference = conclusions.training_times, conclusions.seconds_reference
        lines += [*_render_training_times(times, reference), ""]
    if conclusions.bias_variance:
        changes, n_datasets = conclusions.bias_variance, conclusions.n_datasets
        lines += [*_render_bias_variance(changes, n_datasets), ""]
    return "\n".join(lines).rstrip()


def describe_conclusions(conclusions: ComparedConclusions) -> dict[str, object]:
    """Return the compared conclusions as a dictionary that can be written as JSON."""
    return {
        "protocol": conclusions.protocol,
        "runs": conclusions.n_runs,
        "agrees": conclusions.agrees,
        "tables": [_describe_table(table) for table in conclusions.tables],
        "signed_ranks": [_describe_signed_ranks(tests) for tests in conclusions.signed_ranks],
        "seconds": [asdict(cell) for cell in conclusions.seconds],
        "times": [
            {
                name: value if value == value else None  # a NaN is unequal to itself
                for name, value in asdict(time).items()
            }
            for time in conclusions.training_times
        ],
        "bias_variance": [asdict(change) for change in conclusions.bias_variance],
    }


def _describe_table(table: ComparedTable) -> dict[str, object]:
    return {
        "table": table.table,
        "reference": table.reference,
        "score": table.score,
        "n_cells": len(table.marks),
        "n_printed": table.n_printed,
        "differing": [asdict(mark) for mark in table.differing],
        "win_tie_loss": {model: table.win_tie_loss(model) for model in table.models},
    }


def _describe_signed_ranks(tests: ComparedSignedRanks) -> dict[str, object]:
    return {
        "table": tests.printed.table,
        "score": tests.printed.score,
        "n_datasets": tests.n_datasets,
        "n_pairs": len(tests.ours),
        "differing": [
            {
                "row": row,
                "column": column,
                "printed": _WINNERS[tests.printed_mark(row, column)],
                "same_sets": _WINNERS[tests.same_sets[row, column]],
                "ours": _WINNERS[tests.ours[row, column]],
                "p": tests.p[row, column],
            }
            for row, column in tests.differing
        ],
    }


def _render_table(table: ComparedTable) -> Iterator[str]:
    yield f"## Table {table.table}: significance marks, compared with {table.reference}"
    yield ""
    n_agree = len(table.marks) - len(table.differing)
    yield (
        f"{n_agree} of {len(table.marks)} marks agree (corrected t-test of "
        f"{_SCORES[table.score]}, 5 %, two-tailed); the table has {table.n_printed}."
    )
    if table.models:
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
                for model in table.models
            ],
        )
    if table.differing:
        unit, factor = ("points", 1.0) if table.score == "accuracy" else ("ms", 1000.0)
        yield ""
        yield from _markdown(
            ["set", "model", "printed", "ours", unit, "p"],
            [
                [
                    mark.dataset,
                    mark.model,
                    _SIGNS.get(mark.printed, "none"),
                    _SIGNS.get(mark.ours, "none"),
                    f"{factor * mark.difference:+.2f}",
                    f"{mark.p:.4f}",
                ]
                for mark in table.differing
            ],
        )


def _render_signed_ranks(tests: ComparedSignedRanks, n_datasets: int) -> Iterator[str]:
    yield f"## Table {tests.printed.table}: signed ranks of {_SCORES[tests.printed.score]}"
    yield ""
    n_agree = len(tests.ours) - len(tests.differing)
    expected = "marks" if tests.is_whole else "numbers of the same data sets, tested again"
    yield (
        f"{n_agree} of {len(tests.ours)} pairs agree with the printed {expected}; "
        f"{tests.n_datasets} of {n_datasets} data sets (KEEL's convention; 5 % below the "
        "diagonal, 10 % above)."
    )
    absent = [model for model in tests.printed.models if model not in tests.models]
    if absent:
        yield f"Not computed: {', '.join(absent)}."
    for row, column in tests.contradictions:
        outcome = "better" if tests.printed_mark(row, column) == "r" else "worse"
        yield (
            f"The printed table contradicts itself: {row} and {column} are each marked {outcome} "
            "than the other."
        )
    if tests.differing:
        yield ""
        yield from _markdown(
            ["row", "column", "better, printed", "better, tested again", "better, ours", "p"],
            [
                [
                    row,
                    column,
                    _WINNERS[tests.printed_mark(row, column)],
                    _WINNERS[tests.same_sets[row, column]],
                    _WINNERS[tests.ours[row, column]],
                    f"{tests.p[row, column]:.4f}",
                ]
                for row, column in tests.differing
            ],
        )


def _render_seconds(cells: Sequence[ComparedSeconds]) -> Iterator[str]:
    yield "## Training times in seconds, ours / printed"
    yield ""
    found = {(cell.dataset, cell.model): f"{cell.ours:.4f} / {cell.printed:.2f}" for cell in cells}
    names = dict.fromkeys(cell.dataset for cell in cells)
    models = dict.fromkeys(cell.model for cell in cells)
    yield from _markdown(
        ["set", *models],
        [[name, *(found.get((name, model), "-") for model in models)] for name in names],
    )


def _render_training_times(times: Sequence[ComparedTrainingTime], reference: str) -> Iterator[str]:
    yield f"## Training time relative to {reference}"
    yield ""
    yield (
        "Mean seconds, ratios of these means, and medians of the ratios on data sets where the "
        f"paper prints at least 0.05 s for {reference}. The paper used other programs on another "
        "machine; our seconds are elapsed time, not processor time."
    )
    yield ""
    yield from _markdown(
        [
            "model",
            "sets",
            "seconds, ours",
            "printed",
            "ratio, ours",
            "printed",
            "sets",
            "median, ours",
            "printed",
        ],
        [
            [
                time.model,
                str(time.n_datasets),
                f"{time.ours_seconds:.4f}",
                f"{time.printed_seconds:.2f}",
                _ratio(time.ours),
                _ratio(time.printed),
                str(time.n_measurable),
                _ratio(time.ours_median),
                _ratio(time.printed_median),
            ]
            for time in times
        ],
    )


def _render_bias_variance(
    changes: Sequence[ComparedBiasVariance], n_datasets: int
) -> Iterator[str]:
    yield "## Bias and variance (Webb)"
    yield ""
    yield f"Number of data sets on which they are lower; the paper has {n_datasets} data sets."
    yield ""
    yield from _markdown(
        [
            "figure",
            "model",
            "compared with",
            "sets",
            "bias, ours",
            "printed",
            "variance, ours",
            "printed",
        ],
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


__all__ = ["describe_conclusions", "render_conclusions"]
