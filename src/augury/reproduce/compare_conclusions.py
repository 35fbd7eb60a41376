"""Do our folds lead to a paper's conclusions? Its marks, squares, ratios and signs, and ours."""

import importlib
from collections.abc import Mapping, Sequence

import numpy as np

from augury.arrays import Array
from augury.errors import UnknownNameError
from augury.evaluate import corrected_t_test, wilcoxon_matrix
from augury.evaluate.significance import BETTER, EVEN, WORSE
from augury.experiments.store.stored_results import StoredResults
from augury.reproduce.compared_conclusions import (
    ComparedChange,
    ComparedSquare,
    MarkedCell,
    MarkedTable,
    MarksComparison,
    TimeRatio,
)
from augury.reproduce.paper import Paper, PrintedCell
from augury.reproduce.printed_conclusions import PaperClaims, PrintedChange, PrintedSquare
from augury.summary.fold_scores import FoldScores, collect_scores
from augury.summary.predictions import CellPredictions, read_predictions

ALPHA = 0.05

_HOMES = {"hybrid-2022": "augury.papers.hybrid_2022_claims"}
_LETTERS = {BETTER: "r", WORSE: "c", EVEN: "."}
_LEAST_SECONDS = 0.05  # printed with two decimals: less is mostly rounding


def find_claims(paper: Paper) -> PaperClaims:
    """Return what a paper says about its cells.

    Raises
    ------
    UnknownNameError
        If nobody has written that down.

    Examples
    --------
    >>> from augury.papers import find_paper
    >>> find_claims(find_paper("hybrid-2022")).win_tie_loss["2"]["NB"]
    (14, 22, 0)
    """
    if paper.name not in _HOMES:
        raise UnknownNameError(
            f"the conclusions of {paper.name} are not written down; those of "
            f"{', '.join(_HOMES)} are"
        )
    claims: PaperClaims = importlib.import_module(_HOMES[paper.name]).CLAIMS
    return claims


def compare_marks(
    stored: StoredResults,
    paper: Paper,
    claims: PaperClaims | None = None,
    *,
    protocol: str | None = None,
) -> MarksComparison:
    """Draw a paper's conclusions from our folds.

    Parameters
    ----------
    stored : StoredResults
        What is incomplete in it is left out.
    paper : Paper
        Its cells have the printed marks.
    claims : PaperClaims, default=None
        By default those of `find_claims`.
    protocol : {"published", "honest"}, default=None
        Whose folds are taken, by default the paper's: of another one it can be asked
        whether the conclusions hold, too.

    Returns
    -------
    MarksComparison
        Over the cells, data sets and models that the store is complete for.
    """
    claims = find_claims(paper) if claims is None else claims
    protocol = paper.protocol if protocol is None else protocol
    datasets = [dataset for dataset in stored.datasets() if dataset.name in paper.datasets]
    results = [row for row in stored.results() if row.protocol == protocol]
    scores = collect_scores(results, datasets, list(stored.models()))
    names = [name for name in paper.datasets if name in scores.datasets]
    predictions = read_predictions(stored, scores, datasets, protocol)
    tables = dict.fromkeys(cell.table for cell in paper.cells)
    printed = {
        score: {(cell.dataset, cell.model): float(cell.mean) for cell in cells}
        for score, cells in (("accuracy", paper.cells), ("fit_seconds", claims.seconds))
    }
    return MarksComparison(
        paper=paper.name,
        protocol=protocol,
        n_runs=max((row.run for row in results), default=0),
        n_datasets=len(paper.datasets),
        tables=[
            _compare_table(table, paper.cells, scores, claims.win_tie_loss.get(table, {}))
            for table in tables
        ],
        squares=[
            _compare_square(square, printed[square.score], scores, names, len(paper.datasets))
            for square in claims.squares
        ],
        times=_compare_times(printed["fit_seconds"], claims.seconds_reference, scores, names),
        seconds_reference=claims.seconds_reference,
        changes=[_compare_change(change, predictions, names) for change in claims.changes],
    )


def _compare_table(
    table: str,
    printed: Sequence[PrintedCell],
    scores: FoldScores,
    line: Mapping[str, tuple[int, int, int]],
) -> MarkedTable:
    cells = [cell for cell in printed if cell.table == table]
    reference = cells[0].model
    others = [cell for cell in cells if cell.model != reference]
    marked = [
        _mark(cell, reference, scores)
        for cell in others
        if _has_all(scores, cell.dataset, (cell.model, reference))
    ]
    return MarkedTable(table, reference, marked, len(others), line)


def _has_all(scores: FoldScores, dataset: str, models: Sequence[str]) -> bool:
    return all(scores.is_complete(dataset, model) for model in models) and (
        scores.n_folds(dataset) > 1
    )


def _mark(cell: PrintedCell, reference: str, scores: FoldScores) -> MarkedCell:
    model, standard = (scores.cells[cell.dataset, name] for name in (cell.model, reference))
    test = corrected_t_test(
        model.columns["accuracy"],
        standard.columns["accuracy"],
        n_train=standard.columns["n_train"],
        n_test=standard.columns["n_test"],
    )
    ours = EVEN if test.p > ALPHA else BETTER if test.difference > 0 else WORSE
    return MarkedCell(cell.dataset, cell.model, cell.mark, ours, test.difference, test.p)


def _compare_square(
    square: PrintedSquare,
    printed: Mapping[tuple[str, str], float],
    scores: FoldScores,
    names: Sequence[str],
    n_all: int,
) -> ComparedSquare:
    models = tuple(
        model for model in square.models if any(scores.is_complete(name, model) for name in names)
    )
    shared = [name for name in names if models and _has_all(scores, name, models)]
    if len(models) < 2 or len(shared) < 2:
        return ComparedSquare(square, models, len(shared), False, {}, {}, {})
    ours = {
        model: np.array([scores.cells[name, model].mean(square.score) for name in shared])
        for model in models
    }
    if square.score == "accuracy":
        # KEEL was given the table as it is printed, with the ties that rounding makes.
        ours = {model: column.round(2) for model, column in ours.items()}
    theirs = {model: np.array([printed[name, model] for name in shared]) for model in models}
    marks, p = _test_pairs(ours, square.score)
    return ComparedSquare(
        printed=square,
        models=models,
        n_datasets=len(shared),
        is_whole=len(shared) == n_all,
        ours=marks,
        same_sets=_test_pairs(theirs, square.score)[0],
        p=p,
    )


def _test_pairs(
    columns: Mapping[str, Array], score: str
) -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], float]]:
    """Return marks and p of all pairs, as KEEL lays them out."""
    matrix = wilcoxon_matrix(columns, lower_is_better=score != "accuracy", convention="table")
    square = matrix.marks(lower=0.05, upper=0.1)
    marks = {
        (row, column): _LETTERS[square[i][j]]
        for i, row in enumerate(matrix.models)
        for j, column in enumerate(matrix.models)
        if i != j
    }
    return marks, {pair: matrix.tests[pair].p for pair in marks}


def _compare_times(
    printed: Mapping[tuple[str, str], float],
    reference: str,
    scores: FoldScores,
    names: Sequence[str],
) -> list[TimeRatio]:
    models = dict.fromkeys(model for _, model in printed)
    ratios = []
    for model in models:
        pair = (model, reference)
        shared = [name for name in names if (name, model) in printed]
        shared = [name for name in shared if _has_all(scores, name, pair)]
        if not shared or model == reference:
            continue
        theirs = np.array([[printed[name, m] for m in pair] for name in shared])
        ours = np.array(
            [[scores.cells[name, m].mean("fit_seconds") for m in pair] for name in shared]
        )
        can_tell = theirs[:, 1] >= _LEAST_SECONDS
        ratios.append(
            TimeRatio(
                model=model,
                n_datasets=len(shared),
                printed=_ratio_of_means(theirs),
                ours=_ratio_of_means(ours),
                n_measurable=int(can_tell.sum()),
                printed_median=_median_ratio(theirs[can_tell]),
                ours_median=_median_ratio(ours[can_tell]),
            )
        )
    return ratios


def _ratio_of_means(pairs: Array) -> float:
    model, reference = pairs.mean(axis=0)
    return float(model / reference) if reference > 0 else float("nan")


def _median_ratio(pairs: Array) -> float:
    return float(np.median(pairs[:, 0] / pairs[:, 1])) if len(pairs) else float("nan")


def _compare_change(
    change: PrintedChange,
    predictions: Mapping[tuple[str, str], CellPredictions],
    names: Sequence[str],
) -> ComparedChange:
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
            if abs(difference) < 1e-12:  # sums of shares, in another order
                even[part].append(name)
            elif difference < 0:
                lower[part].append(name)
    return ComparedChange(
        printed=change,
        lower_bias=tuple(lower["bias"]),
        lower_variance=tuple(lower["variance"]),
        even_bias=tuple(even["bias"]),
        even_variance=tuple(even["variance"]),
        n_datasets=n_datasets,
    )


__all__ = ["compare_marks", "find_claims"]
