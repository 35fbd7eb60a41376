"""Base classes of the generative models; a new model derives from one of them.

- `GenerativeClassifier`: any model of p(c, x) that is estimated from statistics that add
- `CategoricalClassifier`: models of categories; numbers are cut into intervals
- `PairModel`: models that use every pair of columns
- `NetworkClassifier`, `SearchedNetwork`: Bayesian networks
- `DiscriminantAnalysis`: multivariate normal classes
- `EventModel`: models of events and counts
- `LeavesOneOut`, `ExplainsLogOdds`: mixins for leave-one-out probabilities and explanations
"""

from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.generative.bases.discriminant_analysis import DiscriminantAnalysis
from augury.generative.bases.event_model import EventModel
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.bases.generative_classifier import (
    AnyGenerativeClassifier,
    GenerativeClassifier,
)
from augury.generative.bases.leaves_one_out import LeavesOneOut
from augury.generative.bases.network_classifier import NetworkClassifier, SearchedNetwork
from augury.generative.bases.pair_model import PairModel
from augury.generative.bases.statistics import Statistics
from augury.generative.bases.structure_learner import StructureLearner
from augury.generative.bases.training_counts import TrainingCounts
from augury.generative.bases.training_rows import TrainingRows

__all__ = [
    "AnyGenerativeClassifier",
    "CategoricalClassifier",
    "DiscriminantAnalysis",
    "EventModel",
    "ExplainsLogOdds",
    "GenerativeClassifier",
    "LeavesOneOut",
    "NetworkClassifier",
    "PairModel",
    "SearchedNetwork",
    "Statistics",
    "StructureLearner",
    "TrainingCounts",
    "TrainingRows",
]
