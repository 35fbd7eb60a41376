"""Checks of the hybrids that keep a naive Bayes of categories."""

from typing import Any

import numpy as np

from augury.encode.discretizers.learned_cuts import Discretizer
from augury.fitted_state import check_part, check_reads, require
from augury.generative import NaiveBayes


def require_discretizer(owner: str, discretizer: Discretizer) -> None:
    """Raise if numbers are not cut into intervals."""
    if discretizer is None:
        raise ValueError(f"{owner}: discretizer must not be None: this model knows categories only")


def check_inner_naive_bayes(hybrid: Any) -> NaiveBayes:
    """Return `model_` of a fitted hybrid if it has the hybrid's columns and classes."""
    model: NaiveBayes = check_part(hybrid, "model_", NaiveBayes)
    names = getattr(hybrid, "feature_names_in_", None)
    check_reads(hybrid, "model_", model, hybrid.n_features_in_, names)
    fits = np.array_equal(model.classes_, np.arange(len(hybrid.classes_)))
    require(fits, hybrid, "model_", "a model of all classes")
    return model


__all__ = ["check_inner_naive_bayes", "require_discretizer"]
