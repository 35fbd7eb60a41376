"""Held-out probabilities of a model that is fitted several times."""

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.encode import CategoricalTable, take_rows
from augury.foreign import Classifier, Table
from augury.hybrid.inner_models.fitting import fit_to_codes
from augury.hybrid.meta_features.class_probabilities import predict_declared_proba

_N_FOLDS = 5
# From so many different rows on, some of them are held out, instead of each row in turn: one of
# ten, and about so many at most.
MANY_ROWS = 20_000
_ROWS_OF_ONE, _MAX_HELD_OUT = 10, 5_000
# A row of this weight leaves a copy of itself; what share of the weight such rows may have.
_WEIGHT_OF_COPIES, _SHARE_OF_COPIES = 2.0, 0.1
# With fewer different rows, fits to the other folds differ too much from the fit to all rows.
_FEWEST_ROWS = 50
# Share of the weight that a fit to the other folds needs at least.
_SMALLEST_SHARE = 1e-9


def draw_folds(first: IntegerArray, merged: IntegerArray, codes: IntegerArray) -> IntegerArray:
    """Return the fold of each row, given the different rows as `equal_rows` returns them.

    Each class is divided evenly, in the order of the random keys of its rows. Equal rows are in
    the same fold, so a row of weight 2 is in the fold of two such rows.

    Examples
    --------
    >>> rows, codes = np.arange(20), np.array([0, 1] * 10)
    >>> np.bincount(draw_folds(rows, rows, codes)).tolist()
    [4, 4, 4, 4, 4]
    """
    folds = np.empty(len(first), dtype=np.intp)
    folds[np.argsort(codes[first], kind="stable")] = np.arange(len(first)) % _N_FOLDS
    spread: IntegerArray = folds[merged]
    return spread


def draw_held_out(
    first: IntegerArray, merged: IntegerArray, codes: IntegerArray, weight: Array | None
) -> BoolArray | None:
    """Return which rows of a large table are held out; None if each row is held out in turn.

    The different rows are given as `equal_rows` returns them. Equal rows are held out together. At
    most every tenth of the different rows of a class is held out. There is none if they have more
    than half of the weight.

    >>> rows = np.arange(30_000)
    >>> int(draw_held_out(rows, rows, rows % 3, None).sum())
    3000
    """
    if len(first) < MANY_ROWS:
        return None
    step = max(_ROWS_OF_ONE, -(-len(first) // _MAX_HELD_OUT))
    of_class = codes[first]
    order = np.argsort(of_class, kind="stable")
    place = np.arange(len(first)) - np.searchsorted(of_class[order], of_class[order])
    chosen = np.zeros(len(first), dtype=bool)
    chosen[order] = place % step == step - 1
    held_out: BoolArray = chosen[merged]
    if weight is not None and weight[held_out].sum() > weight.sum() / 2:
        return None
    return held_out


def leaves_copies(
    table: CategoricalTable, first: IntegerArray, merged: IntegerArray, weight: Array | None
) -> bool:
    """Return whether a row that is left out leaves copies of itself, which predict it too well.

    Rows that occur twice, or have a weight of 2, are copies if a column of numbers has different
    values in most of the different rows: they are not equal by chance. True if copies have more
    than a tenth of the weight, and there are at least 50 different rows. `first` and `merged` are
    those of `equal_rows`.

    >>> numbers = np.arange(200.0)[:, None] // 2
    >>> table = CategoricalTable(np.empty((200, 0), np.uint8), (), (), numbers, ("x",))
    >>> leaves_copies(table, np.arange(0, 200, 2), np.arange(200) // 2, None)
    True
    """
    heavy = np.bincount(merged, weight, minlength=len(first))
    if len(first) < _FEWEST_ROWS:
        return False
    if heavy[heavy >= _WEIGHT_OF_COPIES].sum() <= _SHARE_OF_COPIES * heavy.sum():
        return False
    different = table.numbers[first]
    return any(len(np.unique(column)) > len(first) / 2 for column in different.T)


def predict_in_folds(
    model: Classifier,
    X: Table,
    codes: IntegerArray,
    n_classes: int,
    weight: Array | None,
    folds: IntegerArray,
    owner: str,
) -> FloatArray:
    """Return p(c | x) of each row, by a clone of the model that is fitted to the other folds.

    A fold that has nearly all the weight is not predicted: its rows are NaN.
    """
    proba = np.full((len(codes), n_classes), np.nan)
    for fold in range(int(folds.max()) + 1):
        held_out = folds == fold
        others = ~held_out
        if not held_out.any() or not others.any():  # there are fewer different rows than folds
            continue
        heavy = None
        if weight is not None:
            heavy = weight[others]
            if heavy.sum() <= _SMALLEST_SHARE * weight.sum():
                continue
        part = fit_to_codes(model, take_rows(X, others), codes[others], n_classes, heavy, owner)
        proba[held_out] = predict_declared_proba(part, take_rows(X, held_out), n_classes)
    return proba


__all__ = ["MANY_ROWS", "draw_folds", "draw_held_out", "leaves_copies", "predict_in_folds"]
