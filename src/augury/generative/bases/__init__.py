"""Bases of the generative models; to add a model, derive it from one of them."""

from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.generative.bases.discriminant_analysis import DiscriminantAnalysis
from augury.generative.bases.event_model import EventModel
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.bases.generative_classifier import GenerativeClassifier, TrainingRows
from augury.generative.bases.pair_model import PairModel
from augury.generative.bases.training_counts import TrainingCounts

__all__ = [
    "CategoricalClassifier",
    "DiscriminantAnalysis",
    "EventModel",
    "ExplainsLogOdds",
    "GenerativeClassifier",
    "PairModel",
    "TrainingCounts",
    "TrainingRows",
]
