"""Protocols, losses, learning curves and significance tests for any scikit-learn classifier.

Modules are imported when they are first used: some of them import the metrics of scikit-learn and
scipy.stats, which is slow.
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.evaluate.bayesian import *  # noqa: F403
    from augury.evaluate.bias_variance import *  # noqa: F403
    from augury.evaluate.cross_validation import *  # noqa: F403
    from augury.evaluate.curves import *  # noqa: F403
    from augury.evaluate.fold_results import *  # noqa: F403
    from augury.evaluate.friedman import *  # noqa: F403
    from augury.evaluate.losses import *  # noqa: F403
    from augury.evaluate.measure_choice import *  # noqa: F403
    from augury.evaluate.measures import *  # noqa: F403
    from augury.evaluate.post_hoc import *  # noqa: F403
    from augury.evaluate.reliability import *  # noqa: F403
    from augury.evaluate.score_columns import *  # noqa: F403
    from augury.evaluate.scored_rows import *  # noqa: F403
    from augury.evaluate.signed_ranks import *  # noqa: F403
    from augury.evaluate.significance import *  # noqa: F403
    from augury.evaluate.threshold_counts import *  # noqa: F403
    from augury.evaluate.weka_folds import *  # noqa: F403

# Module → the names that the folder offers.
_MODULES = {
    "bayesian": (
        "BayesianComparison",
        "bayesian_sign_test",
        "bayesian_signed_rank",
        "bayesian_t_test",
    ),
    "bias_variance": (
        "BiasVariance",
        "kohavi_wolpert_bias_variance",
        "predictions_by_run",
        "webb_bias_variance",
    ),
    "cross_validation": (
        "PROTOCOLS",
        "LabelledTable",
        "cross_validate",
    ),
    "curves": (
        "CurvePoint",
        "GrowingSamples",
        "summarize_curve",
    ),
    "fold_results": (
        "FoldResult",
        "Summary",
        "summarize",
    ),
    "friedman": (
        "FriedmanTest",
        "alike_groups",
        "critical_difference",
        "friedman_test",
    ),
    "losses": (
        "accuracy",
        "brier_score",
        "log_loss",
    ),
    "measure_choice": (
        "MeasureChoice",
        "choose_measure",
    ),
    "scored_rows": ("ScoredRows",),
    "measures": (
        "MEASURES",
        "Measure",
        "class_measure",
        "cost_measure",
        "find_measure",
    ),
    "post_hoc": (
        "RankComparison",
        "bonferroni",
        "compare_all_pairs",
        "compare_with_control",
        "holm",
    ),
    "reliability": (
        "ReliabilityBins",
        "classwise_bins",
        "classwise_calibration_error",
        "top_label_bins",
    ),
    "score_columns": ("mean_scores",),
    "signed_ranks": (
        "SignedRankTest",
        "WilcoxonMatrix",
        "wilcoxon_matrix",
        "wilcoxon_signed_rank",
    ),
    "significance": (
        "CorrectedTTest",
        "FoldEffect",
        "WinTieLoss",
        "cliffs_delta",
        "corrected_t_test",
        "fold_effect",
        "win_tie_loss",
    ),
    "threshold_counts": ("ThresholdCounts",),
    "weka_folds": (
        "JavaRandom",
        "WekaFolds",
    ),
}

_folder = LazyFolder(
    __name__, also={name: module for module, names in _MODULES.items() for name in names}
)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
