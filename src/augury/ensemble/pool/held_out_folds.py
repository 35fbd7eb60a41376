"""Held-out probabilities of a model that is fitted several times."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.encode import take_rows
from augury.encode.row_keys import equal_rows, equal_values
from augury.encode.row_numbers import counted_rows
from augury.foreign import Classifier, Table
from augury.hybrid.inner_models.fitting import fit_to_codes
from augury.hybrid.meta_features.class_probabilities import predict_declared_proba

_N_FOLDS = 5
# Values of so many rows, or with most of all rows, are in the fits of all folds: a single row has a
# small share in theirs.
_FREQUENT_ROWS = 50.0
# From so many different rows on, some of them are held out, instead of each row in turn: one of
# ten, and about so many at most.
MANY_ROWS = 20_000
_ROWS_OF_ONE, _MAX_HELD_OUT = 10, 5_000
# Share of the weight that a fit to the other folds needs at least.
_SMALLEST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class HeldOutFolds:
    """The rows that are held out together.

    Attributes
    ----------
    folds : the fold of each row
    is_frequent : whether the values of a row occur so often that each fold holds out some of them
    frequent_weight : the weight of such a row in the fits of all folds
    """

    folds: IntegerArray
    is_frequent: BoolArray
    frequent_weight: FloatArray


def draw_folds(keys: IntegerArray, codes: IntegerArray, weight: Array | None) -> HeldOutFolds:
    """Divide the rows into folds by their random keys.

    Rows of equal values are in the same fold, whatever their classes: if those of one class were
    alone in a fold, the other folds would predict every class but theirs. Each class is divided
    evenly.

    Values of many rows are divided instead: about one fifth of each class is held out at a time.
    So the values of a table with few different rows are not all unseen in their folds.

    Examples
    --------
    >>> keys = np.arange(20, dtype=np.uint64)
    >>> np.bincount(draw_folds(keys, np.array([0, 1] * 10), None).folds).tolist()
    [4, 4, 4, 4, 4]
    """
    first, number = equal_values(keys, codes)
    folds = np.empty(len(first), dtype=np.intp)
    folds[np.argsort(codes[first], kind="stable")] = np.arange(len(first)) % _N_FOLDS
    total = np.bincount(number, weights=counted_rows(weight), minlength=len(first))
    limit = min(_FREQUENT_ROWS, max(_N_FOLDS, total.sum() / 2))
    is_frequent = (total >= limit)[number]
    return HeldOutFolds(folds[number], is_frequent, _kept_weight(keys, codes, weight))


def _kept_weight(keys: IntegerArray, codes: IntegerArray, weight: Array | None) -> FloatArray:
    """Return about four fifths of the weight of equal rows for the first of them, 0 for the others.

    Whole numbers stay whole, so that a row of weight 2 equals two rows.
    """
    first, merged = equal_rows(keys, codes)
    total = np.bincount(merged, weights=weight, minlength=len(first)).astype(np.float64)
    kept = total * (1 - 1 / _N_FOLDS)
    of_row = np.zeros(len(keys))
    of_row[first] = np.where(total == np.rint(total), np.rint(kept), kept)
    return of_row


def draw_held_out(
    keys: IntegerArray, codes: IntegerArray, weight: Array | None
) -> BoolArray | None:
    """Return which rows of a large table are held out; None if each row is held out in turn.

    Rows of equal values are held out together. At most every tenth of the different rows of a
    class is held out. There is none if they have more than half of the weight.

    >>> keys = np.arange(30_000, dtype=np.uint64)
    >>> int(draw_held_out(keys, np.arange(30_000) % 3, None).sum())
    3000
    """
    first, number = equal_values(keys, codes)
    if len(first) < MANY_ROWS:
        return None
    step = max(_ROWS_OF_ONE, -(-len(first) // _MAX_HELD_OUT))
    of_class = codes[first]
    order = np.argsort(of_class, kind="stable")
    place = np.arange(len(first)) - np.searchsorted(of_class[order], of_class[order])
    chosen = np.zeros(len(first), dtype=bool)
    chosen[order] = place % step == step - 1
    held_out: BoolArray = chosen[number]
    if weight is not None and weight[held_out].sum() > weight.sum() / 2:
        return None
    return held_out


def predict_in_folds(
    model: Classifier,
    X: Table,
    codes: IntegerArray,
    n_classes: int,
    weight: Array | None,
    parts: HeldOutFolds,
    owner: str,
) -> FloatArray:
    """Return p(c | x) of each row, by a clone of the model that is fitted to the other folds.

    A fold that has nearly all the weight is not predicted: its rows are NaN.
    """
    proba = np.full((len(codes), n_classes), np.nan)
    heavy = np.ones(len(codes)) if weight is None else weight
    kept = np.where(parts.is_frequent, parts.frequent_weight, heavy)
    is_weighted = weight is not None or parts.is_frequent.any()
    for fold in range(_N_FOLDS):
        held_out = parts.folds == fold
        others = np.where(parts.is_frequent, kept > 0, ~held_out)
        if not held_out.any() or kept[others].sum() <= _SMALLEST_SHARE * heavy.sum():
            continue
        part = fit_to_codes(
            model,
            take_rows(X, others),
            codes[others],
            n_classes,
            kept[others] if is_weighted else None,
            owner,
        )
        proba[held_out] = predict_declared_proba(part, take_rows(X, held_out), n_classes)
    return proba


__all__ = ["HeldOutFolds", "draw_folds", "draw_held_out", "predict_in_folds"]
