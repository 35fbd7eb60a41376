"""Graph of a fitted model: its class, its columns, and what depends on what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.discriminative import LogisticRegression
from augury.discriminative.bases.liblinear_model import LiblinearModel
from augury.errors import PictureError
from augury.generative import BernoulliNaiveBayes, HiddenNaiveBayes, NaiveBayes
from augury.generative.bases.network_classifier import NetworkClassifier
from augury.hybrid import AugmentedClassifier
from augury.models.wrapped_models import deciding_model
from augury.structure import Structure


@dataclass(frozen=True, slots=True)
class NetworkGraph:
    """Graph of a Bayesian network: naive Bayes, a tree, or any network.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns.
    structure : Structure
        Parents of the columns and of the class.
    """

    columns: tuple[str, ...]
    structure: Structure


@dataclass(frozen=True, slots=True)
class HiddenParentGraph:
    """Graph of hidden naive Bayes: the class and a hidden parent for each column.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns.
    hidden : tuple of str
        Names of the hidden parents, one for each column.
    weights : tuple of tuples of float
        `weights[i][j]` is W_ij, the weight of column j in the hidden parent of column i. A row
        sums to 1, or to 0 if the column has no hidden parent. Empty if they are unknown.
    """

    columns: tuple[str, ...]
    hidden: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RegressionGraph:
    """Graph of a discriminative model: the class depends on the columns.

    Nothing is assumed about the columns. A hybrid has the class probabilities of a first model
    as further columns.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns.
    meta_features : tuple of str
        Names of the columns that a first model computes from the others.
    first, final : str
        Names of the first model, if there is one, and of the model that decides.
    passes_columns : bool
        Whether the final model reads the columns too, not only the meta-features.
    """

    columns: tuple[str, ...]
    meta_features: tuple[str, ...] = ()
    first: str = ""
    final: str = ""
    passes_columns: bool = True


ModelGraph = NetworkGraph | HiddenParentGraph | RegressionGraph


def graph_model(fitted: Any) -> ModelGraph:
    """Return the graph of a fitted model; Pipelines and searches are opened.

    Raises
    ------
    PictureError
        If the model has no such structure.

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.generative import HiddenNaiveBayes
    >>> X = pd.DataFrame({"sky": list("ssrr"), "wind": list("abab"), "play": list("yyny")})
    >>> graph = graph_model(HiddenNaiveBayes().fit(X, ["out", "out", "in", "in"]))
    >>> graph.columns
    ('sky', 'wind', 'play')
    >>> graph.weights[2]  # only "wind" depends on "play" in one of the classes
    (0.0, 1.0, 0.0)
    """
    check_is_fitted(fitted)
    model = deciding_model(fitted)
    if isinstance(model, NetworkClassifier):
        return NetworkGraph(tuple(model.encoder_.table_names_), model.structure_)
    columns = column_names_of(model)
    if isinstance(model, HiddenNaiveBayes):
        total = model.weights_.sum(axis=1, keepdims=True)
        shares = np.divide(
            model.weights_, total, out=np.zeros_like(total * total.T), where=total > 0
        )
        hidden = tuple(f"hidden parent of {name}" for name in columns)
        return HiddenParentGraph(columns, hidden, tuple(map(tuple, shares.tolist())))
    if isinstance(model, NaiveBayes | BernoulliNaiveBayes):
        return NetworkGraph(columns, Structure.empty(len(columns)))
    if isinstance(model, AugmentedClassifier):
        return RegressionGraph(
            columns,
            tuple(model.augmented_names_),
            first=type(deciding_model(model.estimator_)).__name__,
            final=type(deciding_model(model.final_estimator_)).__name__,
            passes_columns=model.encoding != "none",
        )
    if isinstance(model, LogisticRegression | LiblinearModel):
        return RegressionGraph(columns, final=type(model).__name__)
    raise PictureError(
        f"{type(model).__name__} has no structure that can be drawn: it must be a naive Bayes, a "
        "hidden naive Bayes, a Bayesian network, a linear discriminative model, or an "
        "AugmentedClassifier"
    )


def column_names_of(model: Any) -> tuple[str, ...]:
    """Return the names of the columns that a model was fitted to; x0, x1, … of an array."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return tuple(f"x{j}" for j in range(model.n_features_in_))
    return tuple(str(name) for name in names)


__all__ = [
    "HiddenParentGraph",
    "ModelGraph",
    "NetworkGraph",
    "RegressionGraph",
    "column_names_of",
    "graph_model",
]
