"""Weights of classes, by scikit-learn's rules, as factors of the weights of rows."""

from collections.abc import Hashable, Mapping
from numbers import Real
from typing import TypeAlias

import numpy as np

from augury.arrays import Array, FloatArray
from augury.validation import check_sample_weight, share_unit

ClassWeight: TypeAlias = Mapping[Hashable, float] | str | None


def check_class_weight(owner: str, class_weight: object) -> None:
    """Raise unless the parameter is None, "balanced" or a dict of numbers >= 0."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return
    allowed = 'None, "balanced" or a dict from classes to numbers >= 0'
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"{owner}: class_weight must be {allowed}, got {class_weight!r}")
    for label, weight in class_weight.items():
        is_number = isinstance(weight, Real) and not isinstance(weight, bool | np.bool_)
        if not is_number or not 0 <= weight < np.inf:
            raise ValueError(
                f"{owner}: class_weight must be {allowed}, got {weight!r} for class {label!r}"
            )


def class_factors(
    owner: str, class_weight: ClassWeight, classes: Array, codes: Array, weight: Array | None
) -> FloatArray | None:
    """Return the factor of the rows of each class; None if all are 1.

    "balanced" gives all classes with rows the same total weight, and keeps the total of all rows:
    n / (K n_c), with the weights of the rows in n and n_c. A class that a dict does not have has
    the weight 1. As for sample weights, products that sum to at most 1 are shares: the factors are
    multiplied by a constant, so that the mean weight of the rows is 1.

    Parameters
    ----------
    owner : str
        Named in errors.
    class_weight : dict, "balanced" or None
        The parameter of the model.
    classes : array of shape (n_classes,)
        The classes, in the order of their codes.
    codes : array of shape (n_samples,)
        The class of each row.
    weight : array of shape (n_samples,) or None
        The weight of each row, a number of rows.

    Examples
    --------
    >>> codes = np.array([0, 0, 0, 1])
    >>> class_factors("Model", "balanced", np.array(["a", "b"]), codes, None).tolist()
    [0.6666666666666666, 2.0]
    >>> class_factors("Model", {"b": 3}, np.array(["a", "b"]), codes, None).tolist()
    [1.0, 3.0]
    """
    check_class_weight(owner, class_weight)
    if class_weight is None:
        return None
    counts = np.bincount(codes, weight, minlength=len(classes)).astype(np.float64)
    if isinstance(class_weight, str):
        there = counts > 0
        factors = np.ones(len(classes))
        factors[there] = counts.sum() / (np.count_nonzero(there) * counts[there])
    else:
        factors = _factors_of(owner, class_weight, classes)
    total = float(factors @ counts)
    if not total:
        raise ValueError(
            f"{owner}: class_weight must not be zero for every row, got {dict(class_weight)!r}"
            if isinstance(class_weight, Mapping)
            else f"{owner}: sample_weight must not be zero for every row"
        )
    unit = share_unit(_product(factors, codes, weight)) if total <= 2.0 else None
    if unit is not None:
        largest, rows = unit
        factors = factors / largest * rows
    return np.asarray(factors, dtype=np.float64)


def batch_factors(owner: str, class_weight: ClassWeight, classes: Array) -> FloatArray | None:
    """Return the factors of a dict for rows of which more are to come; None if all are 1."""
    check_class_weight(owner, class_weight)
    return _factors_of(owner, class_weight, classes) if isinstance(class_weight, Mapping) else None


def as_pairs(class_weight: Mapping[Hashable, float]) -> list[tuple[Hashable, float]]:
    """Return classes and weights as values of Python, not of NumPy.

    >>> as_pairs({np.str_("a"): np.int64(2)})
    [('a', 2.0)]
    """
    return [
        (label.item() if isinstance(label, np.generic) else label, float(weight))
        for label, weight in class_weight.items()
    ]


def weigh_by_class(
    owner: str, factors: FloatArray | None, codes: Array, weight: Array | None
) -> FloatArray | None:
    """Return the weights of rows multiplied by the factors of their classes."""
    if factors is None:
        return weight
    return check_sample_weight(owner, _product(factors, codes, weight), len(codes))


def _product(factors: FloatArray, codes: Array, weight: Array | None) -> FloatArray:
    by_class = factors[codes]
    return by_class if weight is None else by_class * weight


def _factors_of(owner: str, given: Mapping[Hashable, float], classes: Array) -> FloatArray:
    """Return the weight of each class.

    As in scikit-learn, labels that are no class are allowed if all classes have a weight: the
    training rows of a fold may lack a class.
    """
    labels = classes.tolist()
    unknown = [label for label in given if label not in labels]
    if unknown and any(label not in given for label in labels):
        raise ValueError(
            f"{owner}: class_weight must have the classes {labels} as keys, got {unknown[0]!r}"
        )
    return np.array([float(given.get(label, 1.0)) for label in labels])


__all__ = [
    "ClassWeight",
    "as_pairs",
    "batch_factors",
    "check_class_weight",
    "class_factors",
    "weigh_by_class",
]
