"""Comparison of models on a user's own table."""

from augury.comparison.budget import Budget
from augury.comparison.default_models import SENSIBLE_MODELS, reference_among
from augury.comparison.job import comparison_job, describe_comparison

__all__ = [
    "SENSIBLE_MODELS",
    "Budget",
    "comparison_job",
    "describe_comparison",
    "reference_among",
]
