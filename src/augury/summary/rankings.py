"""Models over many data sets: averages, ranks, signed ranks, Friedman's test."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.evaluate import (
    alike_groups,
    compare_with_control,
    critical_difference,
    friedman_test,
    wilcoxon_matrix,
)
from augury.evaluate.significance import BETTER, WORSE
from augury.experiments.store.stored_results import Failure
from augury.summary.comparisons import ALPHA
from augury.summary.fold_scores import FoldScores, Measure

# Below it no p of signed ranks can be under 0.1: of 4 sets the smallest is 2 / 16.
FEWEST_DATASETS = 5
WEAK_ALPHA = 0.1

# A model that lacks more than this share of the sets would take them from all others.
_FEWEST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class CommonGround:
    """What averages and tests over data sets are about.

    Attributes
    ----------
    models : tuple of str
        Models that have at least half as many complete data sets as the one with most.
    datasets : tuple of str
        Data sets of which all of these models have all folds.
    """

    models: tuple[str, ...]
    datasets: tuple[str, ...]


def find_common_ground(scores: FoldScores) -> CommonGround:
    """Return the models and data sets that can be compared as a full table."""
    complete = {
        model: {name for name in scores.datasets if scores.is_complete(name, model)}
        for model in scores.models
    }
    most = max(map(len, complete.values()), default=0)
    models = tuple(
        model for model, names in complete.items() if names and len(names) >= _FEWEST_SHARE * most
    )
    datasets = tuple(
        name for name in scores.datasets if models and all(name in complete[m] for m in models)
    )
    return CommonGround(models, datasets)


def score_columns(scores: FoldScores, ground: CommonGround, measure: Measure) -> dict[str, Array]:
    """Return the means on the common data sets, for each model that has the measure on all."""
    columns = {}
    for model in ground.models:
        cells = [scores.cells[name, model] for name in ground.datasets]
        if cells and all(cell.has(measure.key) for cell in cells):
            columns[model] = np.array([cell.mean(measure.key) for cell in cells])
    return columns


def average_models(
    scores: FoldScores, columns: dict[str, Array], measure: Measure
) -> list[dict[str, float] | None]:
    """Return mean and mean rank over the common data sets, [model]."""
    ranks = dict.fromkeys(columns, 1.0)
    if len(columns) > 1:
        test = friedman_test(columns, lower_is_better=not measure.higher_is_better)
        ranks = dict(zip(test.models, test.mean_ranks, strict=True))
    return [
        {"mean": float(columns[model].mean()), "rank": ranks[model]} if model in columns else None
        for model in scores.models
    ]


def compare_pairs(columns: dict[str, Array], measure: Measure) -> dict[str, Any] | None:
    """Return Wilcoxon's signed ranks of every two models; None with too few data sets."""
    if not _can_test(columns):
        return None
    matrix = wilcoxon_matrix(columns, lower_is_better=not measure.higher_is_better)
    words = {BETTER: "row", WORSE: "column"}

    def square(value: Any) -> list[list[Any]]:
        return [
            [None if row == column else value(row, column) for column in matrix.models]
            for row in matrix.models
        ]

    def better(alpha: float) -> list[list[Any]]:
        return square(lambda row, col: words.get(matrix.mark(row, col, alpha=alpha), ""))

    return {
        "models": list(matrix.models),
        "p": square(lambda row, col: matrix.tests[row, col].p),
        "better": better(ALPHA),
        "better_10": better(WEAK_ALPHA),
        "rank_sums": square(
            lambda row, col: [
                matrix.tests[row, col].rank_sum_plus,
                matrix.tests[row, col].rank_sum_minus,
            ]
        ),
    }


def compare_all(
    scores: FoldScores, columns: dict[str, Array], measure: Measure, reference: str
) -> dict[str, Any] | None:
    """Return Friedman's test and what follows it; None with too few data sets."""
    if not _can_test(columns):
        return None
    test = friedman_test(columns, lower_is_better=not measure.higher_is_better)
    against = compare_with_control(test, reference) if reference in columns else []
    return {
        "chi2": test.chi_square,
        "chi2_p": test.chi_square_p,
        "f": test.f,
        "f_p": test.f_p,
        "n_datasets": test.n_datasets,
        "models": list(test.models),
        "mean_ranks": [test.rank_of(m) if m in columns else None for m in scores.models],
        "critical_difference": critical_difference(len(test.models), test.n_datasets, alpha=ALPHA),
        "alpha": ALPHA,
        "groups": [list(group) for group in alike_groups(test, alpha=ALPHA)],
        "holm": [
            {
                "model": pair.model,
                "difference": pair.difference,
                "p": pair.p,
                "adjusted_p": pair.adjusted_p,
                "rejected": pair.adjusted_p <= ALPHA,
            }
            for pair in against
        ],
    }


def _can_test(columns: dict[str, Array]) -> bool:
    return len(columns) > 1 and len(next(iter(columns.values()))) >= FEWEST_DATASETS


def rank_models(
    scores: FoldScores,
    ground: CommonGround,
    averages: dict[str, list[dict[str, float] | None]],
    failures: Sequence[Failure],
    reference: str,
) -> list[dict[str, Any]]:
    """Return a line for each model, by its mean rank in accuracy; those without one last."""
    failed = Counter(failure.model for failure in failures)
    standard = _milliseconds(scores, ground, reference, "fit_seconds")
    lines = []
    for m, model in enumerate(scores.models):
        means = {key: of_models[m] for key, of_models in averages.items()}
        fit = _milliseconds(scores, ground, model, "fit_seconds")
        lines.append(
            {
                "model": model,
                **{key: None if found is None else found["mean"] for key, found in means.items()},
                **{
                    f"{key}_rank": None if found is None else found["rank"]
                    for key, found in means.items()
                },
                "fit_ms": fit,
                "predict_ms": _milliseconds(scores, ground, model, "predict_seconds"),
                "fit_ratio_to_reference": fit / standard if fit and standard else None,
                "n_datasets": sum(scores.has(name, model) for name in scores.datasets),
                "n_failed": failed[model],
            }
        )
    return sorted(lines, key=_by_rank)


def _by_rank(line: dict[str, Any]) -> float:
    rank = line["accuracy_rank"]
    return float("inf") if rank is None else float(rank)


def _milliseconds(
    scores: FoldScores, ground: CommonGround, model: str, column: str
) -> float | None:
    if model not in ground.models or not ground.datasets:
        return None
    means = [scores.cells[name, model].mean(column) for name in ground.datasets]
    return 1000.0 * float(np.mean(means))


__all__ = [
    "FEWEST_DATASETS",
    "CommonGround",
    "average_models",
    "compare_all",
    "compare_pairs",
    "find_common_ground",
    "rank_models",
    "score_columns",
]
