"""Held-out probabilities of a model that is fitted several times."""

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.encode import take_rows
from augury.encode.row_keys import equal_rows
from augury.foreign import Classifier, Table
from augury.hybrid.inner_models.fitting import fit_to_codes
from augury.hybrid.meta_features.class_probabilities import predict_declared_proba

# From so many rows on, one part of them is held out instead of each in turn.
_MANY_ROWS = 20_000
_FEW_FOLDS, _HELD_OUT_PARTS = 5, 4
# Share of the weight that a fit to the other folds needs at least.
_SMALLEST_SHARE = 1e-9


def draw_folds(keys: IntegerArray, codes: IntegerArray) -> IntegerArray:
    """Return the fold of each row; -1 is a row that is never held out.

    Each class is divided evenly, in the order of the random keys of its rows. Equal rows are in
    the same fold, so a row of weight 2 is in the fold of two such rows. A large table has one
    fold, a quarter of its rows.

    Examples
    --------
    >>> keys = np.arange(20, dtype=np.uint64)
    >>> np.bincount(draw_folds(keys, np.array([0, 1] * 10))).tolist()
    [4, 4, 4, 4, 4]
    """
    first, merged = equal_rows(keys, codes)
    is_large = len(first) >= _MANY_ROWS
    order = np.argsort(codes[first], kind="stable")
    folds = np.empty(len(first), dtype=np.intp)
    folds[order] = np.arange(len(first)) % (_HELD_OUT_PARTS if is_large else _FEW_FOLDS)
    if is_large:
        folds[folds > 0] = -1
    spread: IntegerArray = folds[merged]
    return spread


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

    A clone of the model is fitted once for each fold, to the rows of the other folds. A fold that
    leaves out nearly all the weight is not predicted.
    """
    proba = np.full((len(codes), n_classes), np.nan)
    for fold in range(int(folds.max()) + 1):
        held_out = folds == fold
        others = ~held_out
        heavy = None
        if weight is not None:
            heavy = weight[others]
            if heavy.sum() <= _SMALLEST_SHARE * weight.sum():
                continue
        part = fit_to_codes(model, take_rows(X, others), codes[others], n_classes, heavy, owner)
        proba[held_out] = predict_declared_proba(part, take_rows(X, held_out), n_classes)
    return proba


__all__ = ["draw_folds", "predict_in_folds"]
