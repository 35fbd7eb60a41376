"""Costs of decisions: what it costs to predict one class where another is true."""

from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray, IntegerArray

Costs: TypeAlias = Mapping[Hashable, Mapping[Hashable, float]] | ArrayLike | None

_ALLOWED = "an array, predicted × true classes, or a dict {predicted: {true: cost}}"


def cost_matrix(owner: str, costs: Costs, classes: Sequence[Hashable]) -> FloatArray:
    """Return the costs as an array of shape (n_classes, n_classes): predicted × true.

    A correct prediction costs 0 unless a dict says otherwise. A label of a dict may be given as
    text. None means that every wrong prediction costs 1.

    Examples
    --------
    >>> cost_matrix("Model", {"no": {"yes": 10}, "yes": {"no": 1}}, ["no", "yes"])
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    n_classes = len(classes)
    if costs is None:
        return 1.0 - np.eye(n_classes)
    if isinstance(costs, Mapping):
        return _matrix_of(owner, costs, classes)
    try:
        matrix = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{owner}: costs must be {_ALLOWED}, got {costs!r}") from None
    if matrix.shape != (n_classes, n_classes) or not np.isfinite(matrix).all():
        raise ValueError(
            f"{owner}: costs must be {_ALLOWED}, with a finite number for each pair of the "
            f"{n_classes} classes, got {costs!r}"
        )
    return matrix


def _matrix_of(
    owner: str, costs: Mapping[Hashable, Any], classes: Sequence[Hashable]
) -> FloatArray:
    matrix = np.full((len(classes), len(classes)), np.nan)
    np.fill_diagonal(matrix, 0.0)
    for predicted, by_true in costs.items():
        if not isinstance(by_true, Mapping):
            raise ValueError(f"{owner}: costs must be {_ALLOWED}, got {by_true!r} in it")
        j = _code(owner, predicted, classes)
        for true, cost in by_true.items():
            is_number = isinstance(cost, Real) and not isinstance(cost, bool | np.bool_)
            if not is_number or not np.isfinite(cost):
                raise ValueError(
                    f"{owner}: costs must be finite numbers, got {cost!r} for predicted "
                    f"{predicted!r}, true {true!r}"
                )
            matrix[j, _code(owner, true, classes)] = cost
    missing = np.argwhere(np.isnan(matrix))
    if len(missing):
        j, c = missing[0].tolist()
        raise ValueError(
            f"{owner}: costs must have a cost for each wrong prediction, got none for predicted "
            f"{classes[j]!r}, true {classes[c]!r}"
        )
    return matrix


def _code(owner: str, label: Hashable, classes: Sequence[Hashable]) -> int:
    known = list(classes)
    if label in known:
        return known.index(label)
    texts = [str(each) for each in known]
    if isinstance(label, str) and label in texts:
        return texts.index(label)
    raise ValueError(f"{owner}: costs must be of the classes {known}, got {label!r}")


def least_cost(probabilities: FloatArray, costs: FloatArray) -> IntegerArray:
    """Return the decision of the least expected cost of each row; the first of equal ones.

    >>> least_cost(np.array([[0.8, 0.2]]), np.array([[0.0, 10.0], [1.0, 0.0]]))
    array([1])
    """
    return np.asarray((probabilities @ costs.T).argmin(axis=1))


def as_lists(costs: Costs) -> Any:
    """Return costs as lists of pairs, as a file holds them; an array stays as it is."""
    if not isinstance(costs, Mapping):
        return costs
    return [
        (_plain(predicted), [(_plain(true), float(cost)) for true, cost in by_true.items()])
        for predicted, by_true in costs.items()
    ]


def from_lists(lists: Any) -> Any:
    """Return the dict of `as_lists`.

    >>> from_lists(as_lists({True: {False: 2}}))
    {True: {False: 2.0}}
    """
    return {predicted: dict(by_true) for predicted, by_true in lists}


def _plain(label: Any) -> Hashable:
    plain: Hashable = label.item() if isinstance(label, np.generic) else label
    return plain


__all__ = ["Costs", "as_lists", "cost_matrix", "from_lists", "least_cost"]
