"""Protocols and losses for any scikit-learn classifier."""

from augury.evaluate.cross_validation import PROTOCOLS, LabelledTable, cross_validate
from augury.evaluate.fold_results import FoldResult, Summary, summarize
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.evaluate.weka_folds import JavaRandom, WekaFolds

__all__ = [
    "PROTOCOLS",
    "FoldResult",
    "JavaRandom",
    "LabelledTable",
    "Summary",
    "WekaFolds",
    "accuracy",
    "brier_score",
    "cross_validate",
    "log_loss",
    "summarize",
]
