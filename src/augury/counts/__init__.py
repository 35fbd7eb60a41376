"""Tables → sufficient statistics that add, and the estimates that are made of them."""

from augury.counts.feature_counts import FeatureCounts
from augury.counts.log_space import log_normalize, normalize
from augury.counts.moments import Moments
from augury.counts.smoothing import floored_log, laplace_log_probability

__all__ = [
    "FeatureCounts",
    "Moments",
    "floored_log",
    "laplace_log_probability",
    "log_normalize",
    "normalize",
]
