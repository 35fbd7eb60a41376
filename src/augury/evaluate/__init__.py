"""Protocols, losses and tests of significance for any scikit-learn classifier."""

from augury.evaluate.cross_validation import PROTOCOLS, LabelledTable, cross_validate
from augury.evaluate.fold_results import FoldResult, Summary, summarize
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.evaluate.significance import (
    CorrectedTTest,
    SignedRankTest,
    WinTieLoss,
    corrected_t_test,
    wilcoxon_signed_rank,
    win_tie_loss,
)
from augury.evaluate.weka_folds import JavaRandom, WekaFolds

__all__ = [
    "PROTOCOLS",
    "CorrectedTTest",
    "FoldResult",
    "JavaRandom",
    "LabelledTable",
    "SignedRankTest",
    "Summary",
    "WekaFolds",
    "WinTieLoss",
    "accuracy",
    "brier_score",
    "corrected_t_test",
    "cross_validate",
    "log_loss",
    "summarize",
    "wilcoxon_signed_rank",
    "win_tie_loss",
]
