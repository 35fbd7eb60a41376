"""Cut points of a matrix of numbers, found by the discretiser that a user chose."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from augury.arrays import FloatArray
from augury.encode.discretizers.binning import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from augury.encode.discretizers.cut_point_discretizer import CutPointDiscretizer
from augury.encode.discretizers.mdl import MDLDiscretizer
from augury.foreign import Estimator
from augury.validation import check_choice, is_estimator

# A name, a transformer with `cut_points_`, or None, which keeps numbers as they are.
Discretizer = str | Estimator | None

_BY_NAME: dict[str, type[CutPointDiscretizer]] = {
    "mdl": MDLDiscretizer,
    "frequency": EqualFrequencyDiscretizer,
    "width": EqualWidthDiscretizer,
}


def check_discretizer(owner: str, discretizer: Discretizer) -> None:
    """Raise unless `discretizer` is a name, a transformer or None."""
    if isinstance(discretizer, str):
        check_choice(owner, "discretizer", discretizer, tuple(_BY_NAME))
    elif discretizer is not None and not is_estimator(discretizer):
        raise _not_a_discretizer(owner, discretizer)


def learn_cuts(
    owner: str,
    discretizer: str | Estimator,
    numbers: list[FloatArray],
    y: ArrayLike | None,
    weight: FloatArray | None,
    n_jobs: int | None,
) -> list[FloatArray]:
    """Return the cut points of each column of finite numbers; `owner` is named in errors."""
    chosen: Any = _make(discretizer, n_jobs)
    if y is None and chosen.__sklearn_tags__().target_tags.required:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None: "
            f"{type(chosen).__name__} finds cut points by the class"
        )
    if type(chosen).fit is CutPointDiscretizer.fit:
        return list(chosen.learn_cuts(numbers, y, weight))
    chosen.fit(np.column_stack(numbers), y, sample_weight=weight)
    if not hasattr(chosen, "cut_points_"):
        raise _not_a_discretizer(owner, discretizer)
    return list(chosen.cut_points_)


def _make(discretizer: str | Estimator, n_jobs: int | None) -> Estimator:
    if not isinstance(discretizer, str):
        copy: Estimator = clone(discretizer)
        return copy
    named = discretizer_named(discretizer)
    if "n_jobs" in named.get_params():
        named.set_params(n_jobs=n_jobs)
    return named


def discretizer_named(name: str) -> CutPointDiscretizer:
    """Return the discretiser "mdl", "frequency" or "width" with its default parameters."""
    return _BY_NAME[name]()


def _not_a_discretizer(owner: str, discretizer: Discretizer) -> TypeError:
    return TypeError(
        f"{owner}: discretizer must be one of {', '.join(map(repr, _BY_NAME))}, a transformer "
        f"with cut_points_, or None, got {discretizer!r}"
    )


__all__ = ["Discretizer", "check_discretizer", "discretizer_named", "learn_cuts"]
