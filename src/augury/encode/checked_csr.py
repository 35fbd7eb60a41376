"""Sparse matrices of which every entry is within the matrix."""

from scipy.sparse import csr_array

from augury.arrays import Array


def checked_csr(values: Array, indices: Array, starts: Array, shape: tuple[int, int]) -> csr_array:
    """Return a CSR matrix, or raise if an index is outside.

    SciPy looks at none of them, and a product would read foreign memory. What a model learned
    may come out of a file that someone made up.

    Examples
    --------
    >>> import numpy as np
    >>> one, starts = np.ones(1), np.array([0, 1])
    >>> checked_csr(one, np.array([1]), starts, (1, 2)).toarray()
    array([[0., 1.]])
    >>> checked_csr(one, np.array([2]), starts, (1, 2))
    Traceback (most recent call last):
    ...
    ValueError: column 2 is outside of a matrix with 2 columns: the model is damaged
    """
    if len(indices):
        worst = int(indices.max() if indices.min() >= 0 else indices.min())
        if not 0 <= worst < shape[1]:
            raise ValueError(
                f"column {worst} is outside of a matrix with {shape[1]} columns: the model is "
                "damaged"
            )
    return csr_array((values, indices, starts), shape=shape)
