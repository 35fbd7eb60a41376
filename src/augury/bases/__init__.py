"""Base classes of all classifiers of augury."""

from augury.bases.explained_classifier import ExplainedClassifier
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.table_classifier import TableClassifier

__all__ = ["ExplainedClassifier", "LogScoreClassifier", "TableClassifier"]
