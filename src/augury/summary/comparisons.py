"""Every cell, and every two models on every data set."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from augury.evaluate import corrected_t_test
from augury.summary.fold_scores import CellScores, FoldScores, Measure

ALPHA = 0.05

BETTER, WORSE, EVEN, NOT_COMPARED = "+", "-", "=", "."
_OPPOSITE = {BETTER: WORSE, WORSE: BETTER, EVEN: EVEN, NOT_COMPARED: NOT_COMPARED}

Marks = list[list[str]]  # [reference][data set] -> one character for each model


def describe_cells(scores: FoldScores, measure: Measure) -> list[list[dict[str, Any] | None]]:
    """Return mean, deviation and number of the folds, [data set][model]."""
    return [
        [_describe_cell(scores.cells.get((dataset, model)), measure) for model in scores.models]
        for dataset in scores.datasets
    ]


def _describe_cell(cell: CellScores | None, measure: Measure) -> dict[str, Any] | None:
    if cell is None or not cell.has(measure.key):
        return None
    values = cell.columns[measure.key]
    deviation = float(values.std(ddof=1)) if len(values) > 1 else None
    return {"mean": float(values.mean()), "std": deviation, "n": len(values)}


def mark_models(scores: FoldScores, measure: Measure) -> Marks:
    """Compare every two models on every data set by the corrected t-test.

    Over the folds that both have. At least two are needed; else, and for a model and
    itself, the mark is ".".
    """
    n_models = len(scores.models)
    marks = np.full((n_models, len(scores.datasets), n_models), NOT_COMPARED, dtype="<U1")
    for d, dataset in enumerate(scores.datasets):
        tested = [(m, cell) for m, cell in _cells_of(scores, dataset) if cell.has(measure.key)]
        for (i, one), (j, other) in combinations(tested, 2):
            mark = _mark(one, other, measure)
            marks[j, d, i], marks[i, d, j] = mark, _OPPOSITE[mark]
    return [["".join(of_set) for of_set in of_reference] for of_reference in marks]


def _cells_of(scores: FoldScores, dataset: str) -> Iterator[tuple[int, CellScores]]:
    for m, model in enumerate(scores.models):
        if (cell := scores.cells.get((dataset, model))) is not None:
            yield m, cell


def _mark(one: CellScores, other: CellScores, measure: Measure) -> str:
    """Return what the one is beside the other."""
    if one.keys != other.keys:
        shared = sorted(set(one.keys) & set(other.keys))
        one, other = one.at(shared), other.at(shared)
    if len(one.keys) < 2:
        return NOT_COMPARED
    test = corrected_t_test(
        one.columns[measure.key],
        other.columns[measure.key],
        n_train=one.columns["n_train"],
        n_test=one.columns["n_test"],
    )
    if test.p > ALPHA:
        return EVEN
    return BETTER if (test.difference > 0) == measure.higher_is_better else WORSE


def count_marks(marks: Marks) -> list[list[list[int] | None]]:
    """Return wins, ties and losses of each model, [reference][model]; None without any.

    >>> count_marks([[".+", ".+", ".="], ["-.", "-.", "=."]])
    [[None, [2, 1, 0]], [[0, 1, 2], None]]
    """
    return [[_count(column) for column in _columns(of_reference)] for of_reference in marks]


def _columns(rows: Sequence[str]) -> Iterator[str]:
    for column in zip(*rows, strict=True):
        yield "".join(column)


def _count(marks: str) -> list[int] | None:
    counts = [marks.count(kind) for kind in (BETTER, EVEN, WORSE)]
    return counts if any(counts) else None


__all__ = ["ALPHA", "Marks", "count_marks", "describe_cells", "mark_models"]
