"""A Bayesian network whose structure is given, or found by a learner."""

from typing import Any, Protocol, runtime_checkable

from augury.generative.network import SearchedNetwork, TrainingCounts
from augury.structure import Structure


@runtime_checkable
class StructureLearner(Protocol):
    """Something that finds a structure in counts."""

    def learn(self, counts: TrainingCounts) -> Structure:
        """Return a structure with a place for each column of `counts.n_states`."""


class BayesianNetworkClassifier(SearchedNetwork):
    """Bayesian network classifier (BN): the class is a parent of all, and columns of columns.

    Parameters
    ----------
    structure : Structure, StructureLearner or None
        The parents of each column of the encoded table (`encoder_.table_names_` are its
        columns); or an object whose `learn(counts)` returns them, `counts.family(child,
        parents)` and `counts.pairs()` being the counts of the training rows. None has no
        parents: naive Bayes.
    alpha, strength : float
        Smoothing: p(x_i | u_1 … u_t, c) = (N + α + m p(x_i | u_1 … u_(t-1), c)) /
        (N_parents + α v_i + m), m being the strength of what is said without the last parent,
        down to Laplace's p(x_i | c). The prior is smoothed by α.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    structure_ : Structure
        `draw()` shows it.
    log_prior_ : array of shape (n_classes,)
    encoder_, statistics_ : the fitted encoder, and the counts of the families

    Examples
    --------
    >>> from augury.generative import BayesianNetworkClassifier
    >>> from augury.structure import Structure
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]]
    >>> y = ["same", "same", "other", "other"]
    >>> model = BayesianNetworkClassifier(Structure(((1,), ()))).fit(X, y)
    >>> print(model.draw())
    x0  | class, x1
    x1  | class
    >>> model.predict(X).tolist()
    ['same', 'same', 'other', 'other']
    """

    def __init__(
        self,
        structure: Structure | StructureLearner | None = None,
        alpha: float = 1.0,
        strength: float = 5.0,
        categorical_features: Any = "from_dtype",
        missing: str = "state",
        discretizer: Any = "mdl",
        n_jobs: int | None = None,
    ) -> None:
        self.structure = structure
        self.alpha = alpha
        self.strength = strength
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        super()._check_parameters()
        allowed = (Structure, StructureLearner, type(None))
        if not isinstance(self.structure, allowed) or isinstance(self.structure, type):
            raise TypeError(
                f"{self._owner}: structure must be a Structure, have a method learn(counts), or be "
                f"None, got {self.structure!r}"
            )

    def _find_structure(self, counts: TrainingCounts) -> Structure:
        n_columns = len(counts.n_states)
        if self.structure is None:
            return Structure.empty(n_columns)
        found = self.structure
        if not isinstance(found, Structure):
            found = found.learn(counts)
            if not isinstance(found, Structure):
                raise TypeError(
                    f"{self._owner}: structure.learn must return a Structure, got {found!r}"
                )
        if found.n_features != n_columns:
            raise ValueError(
                f"{self._owner}: structure must have {n_columns} columns, one for each column of "
                f"the encoded table, got {found.n_features}"
            )
        return found
