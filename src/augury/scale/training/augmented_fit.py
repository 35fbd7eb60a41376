"""Fits of hybrids, generative model and logistic regression, to the rows of a source."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.base import clone

from augury.arrays import Array
from augury.discriminative import LogisticRegression
from augury.encode import CategoricalTable, TableEncoder
from augury.generative import GenerativeClassifier
from augury.generative.leave_one_out import LeavesOneOut
from augury.hybrid import AugmentedClassifier
from augury.hybrid.generative_features import GenerativeFeatures
from augury.hybrid.meta_features.meta_feature_columns import Scaler, meta_feature_columns
from augury.hybrid.meta_features.original_column_cuts import OriginalColumnCuts
from augury.scale.training.generative_fit import fit_generative
from augury.scale.training.reading import Reading
from augury.validation import check_table


class AugmentedBlock:
    """Computes the meta-features of training rows, and encodes them for the final model."""

    def __init__(self, features: GenerativeFeatures, encoder: TableEncoder) -> None:
        self._features, self._encoder = features, encoder

    def __call__(
        self, X: pd.DataFrame, y: Array, weight: Array | None
    ) -> tuple[CategoricalTable, Array, Array | None]:
        """Return the encoded rows, their classes and weights."""
        joined = self._features.join_training(X, y, weight)
        return self._encoder.encode(joined), y, weight


def fit_augmented(model: AugmentedClassifier, reading: Reading) -> AugmentedClassifier:
    """Fit the inner model, then the final model to the columns and the meta-features.

    The meta-features of a row are computed when the row is read: by the counts without it
    (`cv="loo"`) or with it (`cv=None`).
    """
    features = check_augmented(model)
    check_table(model, reading.first, reset=True)
    model.classes_ = reading.classes
    codes = np.arange(len(reading.classes))
    inner = fit_generative(clone(features._first), reading, codes)
    equal = np.full((1, len(codes)), 1 / len(codes))
    n_meta = meta_feature_columns(equal, features.output).shape[1]
    unscaled = Scaler(None, np.empty((0, n_meta)))
    features.adopt(inner, reading.classes, list(reading.first.columns), unscaled)
    last = clone(model._last)
    if model.final_estimator is None:
        last.set_params(discretizer=OriginalColumnCuts(n_meta))
    last._check_parameters()
    joined = features.join(reading.first, features.compute(reading.first))
    check_table(last, joined, reset=True)
    last.classes_ = codes
    last.encoder_ = reading.learn(last._make_encoder(), features.augmented_names_)
    rows = reading.rows(AugmentedBlock(features, last.encoder_), keep_after=0)
    model.features_, model.final_estimator_ = features, last.fit_tables(rows)
    return model


def check_augmented(model: AugmentedClassifier) -> GenerativeFeatures:
    """Return the meta-features; raise unless those of a row follow from it and the inner model."""
    features = model._make_features()
    features.check_parameters(model._owner)
    inner, last = features._first, model._last
    if not isinstance(inner, GenerativeClassifier):
        raise TypeError(
            f"{model._owner}: estimator must be a generative model of augury when rows are "
            f"streamed, got {inner!r}"
        )
    if type(last) is not LogisticRegression:
        raise TypeError(
            f"{model._owner}: final_estimator must be a LogisticRegression or None when rows are "
            f"streamed, got {last!r}"
        )
    if features._cv is not None and not (features._cv == "loo" and isinstance(inner, LeavesOneOut)):
        raise ValueError(
            f"{model._owner}: cv must be 'loo' or None when rows are streamed, got {model.cv!r} "
            f"with {type(inner).__name__}"
        )
    if features.encoding != "as_is" or features.scaling is not None:
        raise ValueError(
            f"{model._owner}: encoding must be 'as_is' and scaling None when rows are streamed, "
            f"got {features.encoding!r} and {features.scaling!r}"
        )
    inner._check_can_be_streamed()
    return features


__all__ = ["check_augmented", "fit_augmented"]
