"""Comparison of models on a user's own table."""

from augury.comparison.job import (
    SENSIBLE_MODELS,
    comparison_job,
    describe_comparison,
    reference_among,
)

__all__ = ["SENSIBLE_MODELS", "comparison_job", "describe_comparison", "reference_among"]
