"""Means of each model on each data set, and tests of each two models on each data set."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from augury.evaluate import corrected_t_test
from augury.summary.contents import Cell, Measure
from augury.summary.fold_scores import CellScores, FoldScores

ALPHA = 0.05

BETTER, WORSE, EVEN, NOT_COMPARED = "+", "-", "=", "."
_OPPOSITE = {BETTER: WORSE, WORSE: BETTER, EVEN: EVEN, NOT_COMPARED: NOT_COMPARED}

Marks = tuple[tuple[str, ...], ...]  # [reference][data set]: one character for each model
Counts = tuple[int, int, int]  # wins, ties, losses


def describe_cells(scores: FoldScores, measure: Measure) -> tuple[tuple[Cell | None, ...], ...]:
    """Return mean, standard deviation and number of the folds, [data set][model]."""
    return tuple(
        tuple(
            _describe_cell(scores.cells.get((dataset, model)), measure) for model in scores.models
        )
        for dataset in scores.datasets
    )


def _describe_cell(cell: CellScores | None, measure: Measure) -> Cell | None:
    if cell is None or not cell.has(measure.key):
        return None
    values = cell.columns[measure.key]
    deviation = float(values.std(ddof=1)) if len(values) > 1 else None
    return Cell(mean=float(values.mean()), std=deviation, n=len(values))


def mark_models(scores: FoldScores, measure: Measure) -> Marks:
    """Compare each two models on each data set by the corrected t-test.

    The test uses the folds that both models have. With fewer than two such folds, and for a
    model and itself, the mark is ".".
    """
    n_models = len(scores.models)
    marks = np.full((n_models, len(scores.datasets), n_models), NOT_COMPARED, dtype="<U1")
    for d, dataset in enumerate(scores.datasets):
        tested = [(m, cell) for m, cell in _cells_of(scores, dataset) if cell.has(measure.key)]
        for (i, one), (j, other) in combinations(tested, 2):
            mark = _mark(one, other, measure)
            marks[j, d, i], marks[i, d, j] = mark, _OPPOSITE[mark]
    return tuple(tuple("".join(of_set) for of_set in of_reference) for of_reference in marks)


def _cells_of(scores: FoldScores, dataset: str) -> Iterator[tuple[int, CellScores]]:
    for m, model in enumerate(scores.models):
        if (cell := scores.cells.get((dataset, model))) is not None:
            yield m, cell


def _mark(one: CellScores, other: CellScores, measure: Measure) -> str:
    """Return the mark of the first model when the second is the reference."""
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


def count_marks(marks: Marks) -> tuple[tuple[Counts | None, ...], ...]:
    """Return wins, ties and losses of each model, [reference][model]; None if not compared.

    >>> count_marks(((".+", ".+", ".="), ("-.", "-.", "=.")))
    ((None, (2, 1, 0)), ((0, 1, 2), None))
    """
    return tuple(
        tuple(_count(column) for column in _columns(of_reference)) for of_reference in marks
    )


def _columns(rows: Sequence[str]) -> Iterator[str]:
    for column in zip(*rows, strict=True):
        yield "".join(column)


def _count(marks: str) -> Counts | None:
    counts = (marks.count(BETTER), marks.count(EVEN), marks.count(WORSE))
    return counts if any(counts) else None


__all__ = ["ALPHA", "Counts", "Marks", "count_marks", "describe_cells", "mark_models"]
