"""Comparisons of models over many data sets: averages, ranks, Wilcoxon's and Friedman's tests."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from augury.arrays import FloatArray
from augury.evaluate import (
    alike_groups,
    compare_with_control,
    critical_difference,
    friedman_test,
    wilcoxon_matrix,
)
from augury.evaluate.significance import BETTER, WORSE
from augury.experiments.store.stored_results import Failure
from augury.summary.comparisons import ALPHA, count_marks, describe_cells, mark_models
from augury.summary.contents import (
    Average,
    Comparisons,
    ControlTest,
    FriedmanRanks,
    LeaderboardLine,
    Measure,
    SignedRanks,
)
from augury.summary.fold_scores import MEASURES, FoldScores, finite_or_none

T = TypeVar("T")

# With fewer data sets no p-value of the signed-rank test is below 0.1: with four, the smallest
# is 2 / 16.
MIN_DATASETS = 5
WEAK_ALPHA = 0.1

# A model with fewer complete data sets, as a share of the largest number, is in no average:
# it would remove data sets from the averages of all other models.
_MIN_SHARE = 0.5

Columns = Mapping[str, FloatArray]  # model to its means on the shared data sets


@dataclass(frozen=True, slots=True)
class SharedDatasets:
    """Models and data sets of the averages and of the tests over data sets.

    Attributes
    ----------
    models : tuple of str
        Models that have at least half as many complete data sets as the model with the most.
    datasets : tuple of str
        Data sets of which all of these models have all folds.
    """

    models: tuple[str, ...]
    datasets: tuple[str, ...]


def find_shared_datasets(scores: FoldScores) -> SharedDatasets:
    """Return the models and data sets that form a complete table."""
    complete = {
        model: {name for name in scores.datasets if scores.is_complete(name, model)}
        for model in scores.models
    }
    largest = max(map(len, complete.values()), default=0)
    models = tuple(
        model for model, names in complete.items() if names and len(names) >= _MIN_SHARE * largest
    )
    datasets = tuple(
        name for name in scores.datasets if models and all(name in complete[m] for m in models)
    )
    return SharedDatasets(models, datasets)


def compare_models(
    scores: FoldScores,
    shared: SharedDatasets,
    failures: Sequence[Failure],
    reference: str | None,
) -> Comparisons:
    """Return all comparisons of the models, by each measure."""
    columns = {measure.key: _mean_columns(scores, shared, measure) for measure in MEASURES}
    marks = {measure.key: mark_models(scores, measure) for measure in MEASURES}
    averages = {m.key: _average_models(scores, columns[m.key], m) for m in MEASURES}
    return Comparisons(
        alpha=ALPHA,
        shared=shared.datasets,
        cells={measure.key: describe_cells(scores, measure) for measure in MEASURES},
        marks=marks,
        win_tie_loss={key: count_marks(found) for key, found in marks.items()},
        averages=averages,
        wilcoxon={m.key: _compare_pairs(columns[m.key], m) for m in MEASURES},
        friedman={m.key: _compare_all(scores, columns[m.key], m, reference) for m in MEASURES},
        leaderboard=_rank_models(scores, shared, averages, failures, reference),
    )


def _mean_columns(scores: FoldScores, shared: SharedDatasets, measure: Measure) -> Columns:
    """Return the means on the shared data sets of each model that has the measure on all."""
    columns = {}
    for model in shared.models:
        cells = [scores.cells[name, model] for name in shared.datasets]
        if cells and all(cell.has(measure.key) for cell in cells):
            columns[model] = np.array([cell.mean(measure.key) for cell in cells])
    return columns


def _average_models(
    scores: FoldScores, columns: Columns, measure: Measure
) -> tuple[Average | None, ...]:
    """Return mean and mean rank over the shared data sets, [model]."""
    ranks = dict.fromkeys(columns, 1.0)
    if len(columns) > 1:
        test = friedman_test(columns, lower_is_better=not measure.higher_is_better)
        ranks = dict(zip(test.models, test.mean_ranks, strict=True))
    return tuple(
        Average(mean=float(columns[model].mean()), rank=float(ranks[model]))
        if model in columns
        else None
        for model in scores.models
    )


def _compare_pairs(columns: Columns, measure: Measure) -> SignedRanks | None:
    """Return Wilcoxon's test of each two models; None with too few data sets."""
    if not _can_test(columns):
        return None
    matrix = wilcoxon_matrix(columns, lower_is_better=not measure.higher_is_better)
    words = {BETTER: "row", WORSE: "column"}

    def square(value: Callable[[str, str], T]) -> tuple[tuple[T | None, ...], ...]:
        return tuple(
            tuple(None if row == column else value(row, column) for column in matrix.models)
            for row in matrix.models
        )

    def better(alpha: float) -> tuple[tuple[str | None, ...], ...]:
        return square(lambda row, col: words.get(matrix.mark(row, col, alpha=alpha), ""))

    def rank_sums(row: str, column: str) -> tuple[float, float]:
        test = matrix.tests[row, column]
        return test.rank_sum_plus, test.rank_sum_minus

    return SignedRanks(
        models=tuple(matrix.models),
        p=square(lambda row, col: finite_or_none(matrix.tests[row, col].p)),
        better=better(ALPHA),
        better_10=better(WEAK_ALPHA),
        rank_sums=square(rank_sums),
    )


def _compare_all(
    scores: FoldScores, columns: Columns, measure: Measure, reference: str | None
) -> FriedmanRanks | None:
    """Return Friedman's test and the tests that follow it; None with too few data sets."""
    if not _can_test(columns):
        return None
    test = friedman_test(columns, lower_is_better=not measure.higher_is_better)
    against = (
        compare_with_control(test, reference)
        if reference is not None and reference in columns
        else []
    )
    return FriedmanRanks(
        chi2=finite_or_none(test.chi_square),
        chi2_p=finite_or_none(test.chi_square_p),
        f=finite_or_none(test.f),
        f_p=finite_or_none(test.f_p),
        n_datasets=test.n_datasets,
        models=tuple(test.models),
        mean_ranks=tuple(test.rank_of(m) if m in columns else None for m in scores.models),
        critical_difference=critical_difference(len(test.models), test.n_datasets, alpha=ALPHA),
        alpha=ALPHA,
        groups=tuple(tuple(group) for group in alike_groups(test, alpha=ALPHA)),
        holm=tuple(
            ControlTest(
                model=pair.model,
                difference=pair.difference,
                p=pair.p,
                adjusted_p=pair.adjusted_p,
                rejected=bool(pair.adjusted_p <= ALPHA),
            )
            for pair in against
        ),
    )


def _can_test(columns: Columns) -> bool:
    return len(columns) > 1 and len(next(iter(columns.values()))) >= MIN_DATASETS


def _rank_models(
    scores: FoldScores,
    shared: SharedDatasets,
    averages: Mapping[str, tuple[Average | None, ...]],
    failures: Sequence[Failure],
    reference: str | None,
) -> tuple[LeaderboardLine, ...]:
    """Return a line for each model, by mean rank in accuracy; models without a rank are last."""
    failed = Counter(failure.model for failure in failures)
    standard = _milliseconds(scores, shared, reference, "fit_seconds")
    lines = []
    for m, model in enumerate(scores.models):
        accuracy, log_loss, brier = (averages[key][m] for key in ("accuracy", "log_loss", "brier"))
        fit = _milliseconds(scores, shared, model, "fit_seconds")
        lines.append(
            LeaderboardLine(
                model=model,
                accuracy=None if accuracy is None else accuracy.mean,
                log_loss=None if log_loss is None else log_loss.mean,
                brier=None if brier is None else brier.mean,
                accuracy_rank=None if accuracy is None else accuracy.rank,
                log_loss_rank=None if log_loss is None else log_loss.rank,
                brier_rank=None if brier is None else brier.rank,
                fit_ms=fit,
                predict_ms=_milliseconds(scores, shared, model, "predict_seconds"),
                fit_ratio_to_reference=fit / standard if fit and standard else None,
                n_datasets=sum(scores.has(name, model) for name in scores.datasets),
                n_failed=failed[model],
            )
        )
    return tuple(sorted(lines, key=_by_rank))


def _by_rank(line: LeaderboardLine) -> float:
    return float("inf") if line.accuracy_rank is None else line.accuracy_rank


def _milliseconds(
    scores: FoldScores, shared: SharedDatasets, model: str | None, column: str
) -> float | None:
    if model not in shared.models or not shared.datasets:
        return None
    means = [scores.cells[name, model].mean(column) for name in shared.datasets]
    return finite_or_none(1000.0 * float(np.mean(means)))


__all__ = ["MIN_DATASETS", "SharedDatasets", "compare_models", "find_shared_datasets"]
