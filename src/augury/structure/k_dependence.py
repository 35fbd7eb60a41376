"""K-dependence structures of Sahami."""

import numpy as np

from augury.arrays import Array
from augury.structure.structure import Structure


def k_dependence(relevance: Array, association: Array, k: int) -> Structure:
    """Give each column up to k parents among the columns of higher relevance.

    Columns are sorted by decreasing relevance I(A; C). The parents of each column are the k
    columns before it with the largest association I(A_i; A_j | C), in decreasing order. Ties
    go to the lower index.

    Parameters
    ----------
    relevance : array of shape (n_features,)
    association : symmetric array of shape (n_features, n_features)
    k : int

    References
    ----------
    M. Sahami: Learning limited dependence Bayesian classifiers. KDD 1996.

    Examples
    --------
    >>> import numpy as np
    >>> association = np.array([[0, 2, 1], [2, 0, 3], [1, 3, 0]])
    >>> k_dependence(np.array([0.5, 0.9, 0.1]), association, k=1).parents
    ((1,), (), (1,))
    """
    parents: list[tuple[int, ...]] = [()] * len(relevance)
    entered: list[int] = []
    for i in np.argsort(-np.asarray(relevance), kind="stable").tolist():
        if k and entered:
            candidates = np.sort(np.array(entered))
            strongest = np.argsort(-association[i][candidates], kind="stable")[:k]
            parents[i] = tuple(candidates[strongest].tolist())
        entered.append(i)
    return Structure(tuple(parents))
