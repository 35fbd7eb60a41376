"""Fits of hybrids, generative model and logistic regression, to the rows of a source."""

from __future__ import annotations

from types import NoneType

import numpy as np
from sklearn.base import clone

from augury.hybrid import AugmentedClassifier
from augury.hybrid.meta_features.meta_feature_columns import Scaler, meta_feature_columns
from augury.hybrid.meta_features.original_column_cuts import OriginalColumnCuts
from augury.scale.training.generative_fit import fit_generative
from augury.scale.training.logistic_fit import EncodeBlock
from augury.scale.training.reading import Reading
from augury.validation import check_table


def fit_augmented(model: AugmentedClassifier, reading: Reading) -> AugmentedClassifier:
    """Fit the inner model, then the final model to the columns and the meta-features.

    The meta-features of a row are computed when the row is read: by the counts without it
    (`cv="loo"`) or with it (`cv=None`).
    """
    features = model._make_features()
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
    first = features.join(reading.first, features.compute(reading.first))
    check_table(last, first, reset=True)
    last.classes_ = codes
    encoder, names = last._make_encoder(), features.augmented_names_
    # The discretizer of the default cuts no meta-features, so they need no survey.
    are_cut = not isinstance(encoder.discretizer, OriginalColumnCuts | NoneType)
    joined = reading.joined(features.join_training, first, names if are_cut else ())
    last.encoder_ = joined.learn(encoder, () if are_cut else names)
    rows = joined.rows(EncodeBlock(last.encoder_), keep_after=0)
    model.features_, model.final_estimator_ = features, last.fit_tables(rows)
    return model


__all__ = ["fit_augmented"]
