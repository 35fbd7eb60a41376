"""Class probabilities of rows by models that were fitted without them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import check_random_state

from augury.arrays import Array, FloatArray, IntegerArray
from augury.bases.table_classifier import drop_rows_without_weight
from augury.encode import TableEncoder
from augury.encode.columns import take_rows
from augury.encode.row_keys import equal_rows, row_keys
from augury.foreign import Classifier, Table
from augury.instance_weights import fit_with_weights, weight_parameters
from augury.validation import check_training_weight

_FOLDS = 5
# From so many distinct rows on, one of four parts is held out instead of each in turn.
_MANY_ROWS = 20_000
_PARTS_OF_MANY = 4


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutRows:
    """Rows with probabilities of models that have not seen them.

    Attributes
    ----------
    codes : array of shape (n_rows,)
        True classes.
    probabilities : array of shape (n_rows, n_classes)
        p(c | x).
    weight : array of shape (n_rows,)
        Weights of the rows.
    """

    codes: IntegerArray
    probabilities: FloatArray
    weight: FloatArray


def predict_held_out(
    owner: str,
    estimator: Classifier,
    X: Table,
    classes: Array,
    codes: IntegerArray,
    sample_weight: ArrayLike | None,
) -> HeldOutRows:
    """Fit clones of a classifier to five folds, and return the rows that were left out.

    Equal rows are joined to one row whose weight is their number, and the weight is dealt to the
    folds in units of one row. So a row of weight 2 is held out as two equal rows are. A classifier
    that takes no weights has whole rows in each fold instead. From 20,000 distinct rows on, a
    quarter of the rows is left out once.

    Raises
    ------
    ValueError
        If no row can be left out.
    """
    given = check_training_weight(owner, sample_weight, len(codes))
    X, codes, given = drop_rows_without_weight(X, codes, given)
    weight: FloatArray = np.ones(len(codes)) if given is None else given
    keys: IntegerArray = np.arange(len(codes))
    if weight_parameters(estimator):
        table = TableEncoder(discretizer=None).learn_and_encode(X, codes, weight, owner)
        keys = row_keys(table, check_random_state(0))
        first, merged = equal_rows(keys, codes)
        weight = np.bincount(merged, weight, len(first)).astype(np.float64)[merged]
        if len(first) < len(codes):
            is_first = np.zeros(len(codes), dtype=bool)
            is_first[first] = True
            X, codes, weight, keys = (
                take_rows(X, is_first), codes[is_first], weight[is_first], keys[is_first]
            )  # fmt: skip
    dealt = deal_weights(weight, np.lexsort((keys, codes)))
    parts = []
    for left_out in dealt.T[:1] if len(codes) >= _MANY_ROWS else dealt.T:
        rest = np.maximum(weight - left_out, 0.0)
        tested, trained = left_out > 0, rest > 0
        if not tested.any() or len(np.unique(codes[trained])) < 2:
            continue
        kept = rest[trained]
        fitted = fit_with_weights(
            clone(estimator),
            take_rows(X, trained),
            classes[codes[trained]],
            None if (kept == 1.0).all() else kept,
        )
        found = np.zeros((int(tested.sum()), len(classes)))
        columns = np.searchsorted(classes, fitted.classes_)
        found[:, columns] = fitted.predict_proba(take_rows(X, tested))
        parts.append((codes[tested], found, left_out[tested]))
    if not parts:
        raise ValueError(
            f"{owner}: needs two or more rows of two classes, of which some are held out, got "
            f"{np.bincount(codes, weight, len(classes)).tolist()} rows of the classes"
        )
    return HeldOutRows(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def deal_weights(weight: FloatArray, order: IntegerArray) -> FloatArray:
    """Return the weight of each row that each fold holds out, of shape (n_rows, n_folds).

    The weight of a row is dealt in units of 1, in turn from a first fold on. The first folds follow
    one another in an order of the rows by class, so that the folds have the same classes.

    >>> deal_weights(np.array([1.0, 7.5, 0.5]), np.arange(3))
    array([[1. , 0. , 0. , 0. , 0. ],
           [1. , 2. , 2. , 1.5, 1. ],
           [0. , 0. , 0.5, 0. , 0. ]])
    """
    n_folds = _PARTS_OF_MANY if len(weight) >= _MANY_ROWS else _FOLDS
    start = np.empty(len(weight), dtype=np.intp)
    start[order] = np.arange(len(weight)) % n_folds
    turns = (np.arange(n_folds) - start[:, np.newaxis]) % n_folds
    rounds = np.floor(weight / n_folds)[:, np.newaxis]
    rest = weight[:, np.newaxis] - n_folds * rounds
    dealt: FloatArray = rounds + np.clip(rest - turns, 0.0, 1.0)
    return dealt


__all__ = ["HeldOutRows", "deal_weights", "predict_held_out"]
