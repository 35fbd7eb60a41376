"""Tree structures: every column but the root has one parent."""

import numpy as np

from augury.arrays import Array
from augury.structure.structure import Structure


def maximum_spanning_tree(weights: Array, root: int = 0) -> Structure:
    """Return the tree of the largest total weight, directed away from the root.

    Prim's algorithm. No edge is dropped, however small its weight. Of equal weights the
    column with the lower index comes first.

    Parameters
    ----------
    weights : symmetric array of shape (n_features, n_features)
    root : int

    Examples
    --------
    >>> import numpy as np
    >>> weights = np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0]])
    >>> maximum_spanning_tree(weights).edges
    [(2, 1), (0, 2)]
    """
    n_features = len(weights)
    if n_features == 0:
        return Structure(())
    parents: list[tuple[int, ...]] = [()] * n_features
    joined = np.zeros(n_features, dtype=bool)
    joined[root] = True
    nearest = np.full(n_features, root)
    largest = np.where(joined, -np.inf, weights[root].astype(np.float64))
    for _ in range(n_features - 1):
        i = int(np.argmax(largest))
        parents[i] = (int(nearest[i]),)
        joined[i] = True
        largest[i] = -np.inf
        closer = ~joined & (weights[i] > largest)
        largest[closer] = weights[i][closer]
        nearest[closer] = i
    return Structure(tuple(parents))
