"""Cut points of the original columns beside meta-features."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from augury.arrays import Array
from augury.encode import MDLDiscretizer
from augury.foreign import Labels


class OriginalColumnCuts(BaseEstimator):
    """MDL cut points of the original columns; meta-features, the last columns, get none.

    Cut points of meta-features would be found from the classes of the same rows. They cost every
    hybrid accuracy and log loss in docs/results/augmentation.md.

    Parameters
    ----------
    n_meta_features : number of the last columns, which are not cut
    n_jobs : int or None
        Threads.

    Examples
    --------
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [7.0, 7.0], [9.0, 9.0]])
    >>> OriginalColumnCuts(n_meta_features=1).fit(X, [0, 0, 1, 1]).cut_points_
    [array([4.5]), array([], dtype=float64)]
    """

    def __init__(self, n_meta_features: int = 0, n_jobs: int | None = None) -> None:
        self.n_meta_features = n_meta_features
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    def _check_fitted_state(self) -> None:
        """Do nothing: the object is a parameter of an encoder, and its attributes are not used."""

    def fit(self, X: Array, y: Labels, sample_weight: Array | None = None) -> Self:
        """Find the cut points."""
        original = X[:, : X.shape[1] - self.n_meta_features]
        self.cut_points_: list[Array] = [np.empty(0)] * X.shape[1]
        if original.shape[1]:
            found = MDLDiscretizer(n_jobs=self.n_jobs).fit(original, y, sample_weight)
            self.cut_points_[: original.shape[1]] = found.cut_points_
        return self
