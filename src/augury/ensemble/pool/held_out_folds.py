"""Held-out probabilities of a model that is fitted several times."""

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.encode import take_rows
from augury.foreign import Classifier, Table
from augury.hybrid.inner_models.fitting import fit_to_codes
from augury.hybrid.meta_features.class_probabilities import predict_declared_proba

# From so many rows on, one part of them is held out instead of each in turn.
_MANY_ROWS = 20_000
_FEW_FOLDS, _HELD_OUT_PARTS = 5, 4


def draw_folds(codes: IntegerArray, random: np.random.RandomState) -> IntegerArray:
    """Return the fold of each row; -1 is a row that is never held out.

    Each class is divided evenly. A large table has one fold, a quarter of its rows.

    Examples
    --------
    >>> np.bincount(draw_folds(np.array([0, 1] * 10), np.random.RandomState(0))).tolist()
    [4, 4, 4, 4, 4]
    """
    n_folds = _FEW_FOLDS if len(codes) < _MANY_ROWS else _HELD_OUT_PARTS
    order = random.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=np.intp)
    folds[order] = np.arange(len(codes)) % n_folds
    if len(codes) >= _MANY_ROWS:
        folds[folds > 0] = -1
    return folds


def predict_in_folds(
    model: Classifier,
    X: Table,
    codes: IntegerArray,
    n_classes: int,
    weight: Array | None,
    folds: IntegerArray,
    owner: str,
) -> FloatArray:
    """Return p(c | x) of the held-out rows, and NaN for the others.

    A clone of the model is fitted once for each fold, to the rows of the other folds.
    """
    proba = np.full((len(codes), n_classes), np.nan)
    for fold in range(int(folds.max()) + 1):
        held_out = folds == fold
        others = ~held_out
        heavy = None if weight is None else weight[others]
        part = fit_to_codes(model, take_rows(X, others), codes[others], n_classes, heavy, owner)
        proba[held_out] = predict_declared_proba(part, take_rows(X, held_out), n_classes)
    return proba


__all__ = ["draw_folds", "predict_in_folds"]
