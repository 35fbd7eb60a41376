"""Comparison of a paper's conclusions with those that follow from our folds."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from augury.arrays import Array
from augury.evaluate import corrected_t_test, wilcoxon_matrix
from augury.evaluate.significance import BETTER, EVEN, WORSE
from augury.experiments.store.stored_results import StoredResults
from augury.reproduce.conclusions.compared import (
    ComparedBiasVariance,
    ComparedConclusions,
    ComparedMark,
    ComparedSeconds,
    ComparedSignedRanks,
    ComparedTable,
    ComparedTrainingTime,
    Pair,
)
from augury.reproduce.conclusions.printed import (
    PrintedBiasVariance,
    PrintedSignedRanks,
    Score,
)
from augury.reproduce.paper import Paper
from augury.reproduce.printed_cell import PrintedCell
from augury.summary.fold_scores import FoldScores, collect_scores
from augury.summary.predictions import CellPredictions, read_predictions

ALPHA = 0.05

_LETTERS = {BETTER: "r", WORSE: "c", EVEN: "."}
# Times are printed with two decimals: a smaller number is mostly rounding error.
_MIN_SECONDS = 0.05


def compare_conclusions(
    stored: StoredResults, paper: Paper, *, protocol: str | None = None
) -> ComparedConclusions:
    """Draw the conclusions of a paper from our folds, and compare them with the printed ones.

    Parameters
    ----------
    stored : StoredResults
        Our folds. Cells with incomplete folds are left out.
    paper : Paper
        A paper with conclusions.
    protocol : {"published", "honest"}, default=None
        Protocol of the folds that are read; by default that of the paper. With another
        protocol the result shows whether the conclusions still hold.

    Returns
    -------
    ComparedConclusions
        Over the cells, data sets and models for which the store is complete.

    Raises
    ------
    UnknownNameError
        If the paper's file has no conclusions.
    """
    printed = paper.require_conclusions()
    protocol = paper.protocol if protocol is None else protocol
    datasets = [dataset for dataset in stored.datasets() if dataset.name in paper.datasets]
    results = [row for row in stored.results() if row.protocol == protocol]
    scores = collect_scores(results, datasets, list(stored.models()))
    names = [name for name in paper.datasets if name in scores.datasets]
    predictions = read_predictions(stored, scores, datasets, protocol)
    means = {"accuracy": _means(paper.cells), "fit_seconds": _means(printed.seconds)}
    return ComparedConclusions(
        paper=paper.name,
        protocol=protocol,
        n_runs=max((row.run for row in results), default=0),
        n_datasets=len(paper.datasets),
        tables=[
            _compare_table(score, cells, scores, printed.win_tie_loss.get(table, {}))
            for score, table, cells in [
                *_tables("accuracy", paper.cells),
                *_tables("fit_seconds", printed.seconds),
            ]
        ],
        signed_ranks=[
            _compare_signed_ranks(tests, means[tests.score], scores, names, len(paper.datasets))
            for tests in printed.signed_ranks
        ],
        seconds=[
            ComparedSeconds(name, model, seconds, scores.cells[name, model].mean("fit_seconds"))
            for (name, model), seconds in means["fit_seconds"].items()
            if scores.is_complete(name, model)
        ],
        training_times=_compare_training_times(
            means["fit_seconds"], printed.seconds_reference, scores, names
        ),
        seconds_reference=printed.seconds_reference,
        bias_variance=[
            _compare_bias_variance(change, predictions, names) for change in printed.bias_variance
        ],
    )


def _means(cells: Sequence[PrintedCell]) -> dict[tuple[str, str], float]:
    """Return the printed means by data set and model."""
    return {(cell.dataset, cell.model): float(cell.mean) for cell in cells}


def _tables(
    score: Score, cells: Sequence[PrintedCell]
) -> Iterator[tuple[Score, str, list[PrintedCell]]]:
    """Yield the score, the number and the cells of each table."""
    for table in dict.fromkeys(cell.table for cell in cells):
        yield score, table, [cell for cell in cells if cell.table == table]


def _compare_table(
    score: Score,
    cells: Sequence[PrintedCell],
    scores: FoldScores,
    line: Mapping[str, tuple[int, int, int]],
) -> ComparedTable:
    reference = cells[0].model
    others = [cell for cell in cells if cell.model != reference]
    marks = [
        _compare_mark(cell, reference, score, scores)
        for cell in others
        if _has_all(scores, cell.dataset, (cell.model, reference))
    ]
    return ComparedTable(cells[0].table, reference, score, marks, len(others), line)


def _has_all(scores: FoldScores, dataset: str, models: Sequence[str]) -> bool:
    return all(scores.is_complete(dataset, model) for model in models) and (
        scores.n_folds(dataset) > 1
    )


def _compare_mark(
    cell: PrintedCell, reference: str, score: Score, scores: FoldScores
) -> ComparedMark:
    model, standard = (scores.cells[cell.dataset, name] for name in (cell.model, reference))
    test = corrected_t_test(
        model.columns[score],
        standard.columns[score],
        n_train=standard.columns["n_train"],
        n_test=standard.columns["n_test"],
    )
    is_better = (test.difference > 0) == (score == "accuracy")
    ours = EVEN if test.p > ALPHA else BETTER if is_better else WORSE
    return ComparedMark(cell.dataset, cell.model, cell.mark, ours, test.difference, test.p)


def _compare_signed_ranks(
    tests: PrintedSignedRanks,
    printed: Mapping[tuple[str, str], float],
    scores: FoldScores,
    names: Sequence[str],
    n_all: int,
) -> ComparedSignedRanks:
    models = tuple(
        model for model in tests.models if any(scores.is_complete(name, model) for name in names)
    )
    shared = [name for name in names if models and _has_all(scores, name, models)]
    if len(models) < 2 or len(shared) < 2:
        return ComparedSignedRanks(tests, models, len(shared), False, {}, {}, {})
    ours = {
        model: np.array([scores.cells[name, model].mean(tests.score) for name in shared])
        for model in models
    }
    if tests.score == "accuracy":
        # The paper gave KEEL the printed table, which has the ties that rounding causes.
        ours = {model: column.round(2) for model, column in ours.items()}
    theirs = {model: np.array([printed[name, model] for name in shared]) for model in models}
    marks, p = _test_pairs(ours, tests.score)
    return ComparedSignedRanks(
        printed=tests,
        models=models,
        n_datasets=len(shared),
        is_whole=len(shared) == n_all,
        ours=marks,
        same_sets=_test_pairs(theirs, tests.score)[0],
        p=p,
    )


def _test_pairs(
    columns: Mapping[str, Array], score: str
) -> tuple[dict[Pair, str], dict[Pair, float]]:
    """Return marks and p-values of all pairs, in KEEL's layout."""
    matrix = wilcoxon_matrix(columns, lower_is_better=score != "accuracy", convention="table")
    table = matrix.marks(lower=0.05, upper=0.1)
    marks = {
        (row, column): _LETTERS[table[i][j]]
        for i, row in enumerate(matrix.models)
        for j, column in enumerate(matrix.models)
        if i != j
    }
    return marks, {pair: matrix.tests[pair].p for pair in marks}


def _compare_training_times(
    printed: Mapping[tuple[str, str], float],
    reference: str,
    scores: FoldScores,
    names: Sequence[str],
) -> list[ComparedTrainingTime]:
    models = dict.fromkeys(model for _, model in printed)
    times = []
    for model in models:
        pair = (model, reference)
        shared = [name for name in names if (name, model) in printed]
        shared = [name for name in shared if _has_all(scores, name, pair)]
        if not shared:
            continue
        theirs = np.array([[printed[name, m] for m in pair] for name in shared])
        ours = np.array(
            [[scores.cells[name, m].mean("fit_seconds") for m in pair] for name in shared]
        )
        is_measurable = theirs[:, 1] >= _MIN_SECONDS
        times.append(
            ComparedTrainingTime(
                model=model,
                n_datasets=len(shared),
                printed_seconds=float(theirs[:, 0].mean()),
                ours_seconds=float(ours[:, 0].mean()),
                printed=_ratio_of_means(theirs),
                ours=_ratio_of_means(ours),
                n_measurable=int(is_measurable.sum()),
                printed_median=_median_ratio(theirs[is_measurable]),
                ours_median=_median_ratio(ours[is_measurable]),
            )
        )
    return times


def _ratio_of_means(pairs: Array) -> float:
    model, reference = pairs.mean(axis=0)
    return float(model / reference) if reference > 0 else float("nan")


def _median_ratio(pairs: Array) -> float:
    return float(np.median(pairs[:, 0] / pairs[:, 1])) if len(pairs) else float("nan")


def _compare_bias_variance(
    change: PrintedBiasVariance,
    predictions: Mapping[tuple[str, str], CellPredictions],
    names: Sequence[str],
) -> ComparedBiasVariance:
    lower: dict[str, list[str]] = {"bias": [], "variance": []}
    even: dict[str, list[str]] = {"bias": [], "variance": []}
    n_datasets = 0
    for name in names:
        found = [predictions.get((name, model)) for model in (change.model, change.other)]
        model, other = (None if cell is None else cell.webb for cell in found)
        if model is None or other is None:
            continue
        n_datasets += 1
        for part in ("bias", "variance"):
            difference = getattr(model, part) - getattr(other, part)
            if abs(difference) < 1e-12:  # rounding error of sums in another order
                even[part].append(name)
            elif difference < 0:
                lower[part].append(name)
    return ComparedBiasVariance(
        printed=change,
        lower_bias=tuple(lower["bias"]),
        lower_variance=tuple(lower["variance"]),
        even_bias=tuple(even["bias"]),
        even_variance=tuple(even["variance"]),
        n_datasets=n_datasets,
    )


__all__ = ["compare_conclusions"]
