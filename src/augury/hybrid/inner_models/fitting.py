"""Fits of the models inside a hybrid to codes of classes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from augury.arrays import Array
from augury.foreign import Classifier, Table
from augury.instance_weights import weight_parameters, why_unweighted


def declared_codes(codes: Array, n_classes: int) -> pd.Categorical:
    """Return the classes 0, 1, … of rows as a categorical that declares all of them.

    >>> declared_codes(np.array([0, 2]), 3).categories.tolist()
    [0, 1, 2]
    """
    return pd.Categorical.from_codes(codes, categories=np.arange(n_classes))


def fit_to_codes(
    model: Classifier, X: Table, codes: Array, n_classes: int, weight: Array | None, owner: str
) -> Any:
    """Fit a clone to the classes 0, 1, …, all of which are declared."""
    require_no_labels(model, owner)
    weights = weight_arguments(model, weight, owner)
    return clone(model).fit(X, declared_codes(codes, n_classes), **weights)


def require_no_labels(model: Classifier, owner: str) -> None:
    """Raise if a parameter of the model names classes, which are numbers inside another model."""
    if isinstance(getattr(model, "class_weight", None), Mapping):
        raise ValueError(
            f"{owner}: class_weight of {type(model).__name__} must be None or 'balanced', since "
            f"{owner} numbers the classes, got a dict: set class_weight of {owner}"
        )


def weight_arguments(model: Classifier, weight: Array | None, owner: str) -> dict[str, Array]:
    """Return the weights as arguments of the model's `fit`; raise if it takes none."""
    if weight is None:
        return {}
    names = weight_parameters(model)
    if not names:
        raise ValueError(f"{owner}: sample_weight must be None, since {why_unweighted(model)}")
    return dict.fromkeys(names, weight)
