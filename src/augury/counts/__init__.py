"""Sufficient statistics that add, and the estimates that are computed from them."""

from augury.counts.class_scatter import ClassScatter
from augury.counts.class_values import ClassValues
from augury.counts.event_counts import EventCounts
from augury.counts.family_counts import (
    FamilyCounts,
    code_families,
    count_family,
    require_families,
)
from augury.counts.feature_counts import FeatureCounts
from augury.counts.information import (
    conditional_mutual_information,
    mutual_information_with_class,
)
from augury.counts.log_space import log_mean_exp, log_normalize, log_softmax_of, normalize
from augury.counts.moments import Moments
from augury.counts.pair_counts import PairCounts
from augury.counts.smoothing import (
    floored_log,
    laplace_log_probability,
    laplace_log_table,
    laplace_probability,
    log_probability_given_parents,
    pseudo_count,
)

__all__ = [
    "ClassScatter",
    "ClassValues",
    "EventCounts",
    "FamilyCounts",
    "FeatureCounts",
    "Moments",
    "PairCounts",
    "code_families",
    "conditional_mutual_information",
    "count_family",
    "floored_log",
    "laplace_log_probability",
    "laplace_log_table",
    "laplace_probability",
    "log_mean_exp",
    "log_normalize",
    "log_probability_given_parents",
    "log_softmax_of",
    "mutual_information_with_class",
    "normalize",
    "pseudo_count",
    "require_families",
]
