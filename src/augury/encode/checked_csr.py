"""Sparse matrices whose indices have been checked."""

from scipy.sparse import csr_array

from augury.arrays import FloatArray, IntegerArray


def checked_csr(
    values: FloatArray, indices: IntegerArray, starts: IntegerArray, shape: tuple[int, int]
) -> csr_array:
    """Return a CSR matrix, or raise if an index is outside the matrix.

    SciPy does not check them, and a product would read memory outside the matrix. The indices may
    come from a model file that was tampered with.

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
