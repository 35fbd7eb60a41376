"""Protocols, losses, learning curves and significance tests for any scikit-learn classifier."""

from augury.evaluate.bayesian import (
    BayesianComparison,
    bayesian_sign_test,
    bayesian_signed_rank,
    bayesian_t_test,
)
from augury.evaluate.bias_variance import (
    BiasVariance,
    kohavi_wolpert_bias_variance,
    predictions_by_run,
    webb_bias_variance,
)
from augury.evaluate.cross_validation import PROTOCOLS, LabelledTable, cross_validate
from augury.evaluate.curves import CurvePoint, GrowingSamples, summarize_curve
from augury.evaluate.fold_results import FoldResult, Summary, summarize
from augury.evaluate.friedman import (
    FriedmanTest,
    alike_groups,
    critical_difference,
    friedman_test,
)
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.evaluate.measure_choice import MeasureChoice, choose_measure
from augury.evaluate.measures import MEASURES, Measure, ScoredRows, class_measure, find_measure
from augury.evaluate.post_hoc import (
    RankComparison,
    bonferroni,
    compare_all_pairs,
    compare_with_control,
    holm,
)
from augury.evaluate.reliability import (
    ReliabilityBins,
    classwise_bins,
    classwise_calibration_error,
    top_label_bins,
)
from augury.evaluate.score_columns import mean_scores
from augury.evaluate.signed_ranks import (
    SignedRankTest,
    WilcoxonMatrix,
    wilcoxon_matrix,
    wilcoxon_signed_rank,
)
from augury.evaluate.significance import (
    CorrectedTTest,
    FoldEffect,
    WinTieLoss,
    cliffs_delta,
    corrected_t_test,
    fold_effect,
    win_tie_loss,
)
from augury.evaluate.threshold_counts import ThresholdCounts
from augury.evaluate.weka_folds import JavaRandom, WekaFolds

__all__ = [
    "MEASURES",
    "PROTOCOLS",
    "BayesianComparison",
    "BiasVariance",
    "CorrectedTTest",
    "CurvePoint",
    "FoldEffect",
    "FoldResult",
    "FriedmanTest",
    "GrowingSamples",
    "JavaRandom",
    "LabelledTable",
    "Measure",
    "MeasureChoice",
    "RankComparison",
    "ReliabilityBins",
    "ScoredRows",
    "SignedRankTest",
    "Summary",
    "ThresholdCounts",
    "WekaFolds",
    "WilcoxonMatrix",
    "WinTieLoss",
    "accuracy",
    "alike_groups",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bayesian_t_test",
    "bonferroni",
    "brier_score",
    "choose_measure",
    "class_measure",
    "classwise_bins",
    "classwise_calibration_error",
    "cliffs_delta",
    "compare_all_pairs",
    "compare_with_control",
    "corrected_t_test",
    "critical_difference",
    "cross_validate",
    "find_measure",
    "fold_effect",
    "friedman_test",
    "holm",
    "kohavi_wolpert_bias_variance",
    "log_loss",
    "mean_scores",
    "predictions_by_run",
    "summarize",
    "summarize_curve",
    "top_label_bins",
    "webb_bias_variance",
    "wilcoxon_matrix",
    "wilcoxon_signed_rank",
    "win_tie_loss",
]
