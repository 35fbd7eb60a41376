"""Mutual information of columns, from counts."""

import numpy as np

from augury.arrays import Array
from augury.counts.feature_counts import FeatureCounts
from augury.counts.pair_counts import PairCounts
from augury.counts.sparse_table import CountTable, SparseTable
from augury.kernels import pair_information


def conditional_mutual_information(pairs: PairCounts, *, negligible: float = 0.0) -> Array:
    """Return I(A_i; A_j | C) in bits for all pairs of columns, 0 on the diagonal.

    I = Σ p(a_i, a_j, c) log2( p(a_i, a_j, c) p(c) / (p(a_i, c) p(a_j, c)) ), estimated by
    relative frequencies among the rows in which both columns have a value.

    Parameters
    ----------
    pairs : PairCounts
    negligible : float
        A term is 0 unless the numerator and the denominator of its logarithm are at least
        this number (1e-6 in WEKA's HNB).

    Examples
    --------
    Two columns that are copies of a fair coin in both classes share one bit.

    >>> import numpy as np
    >>> codes = np.array([[0, 0], [1, 1], [0, 0], [1, 1]], dtype=np.uint8)
    >>> pairs = PairCounts.collect(codes, [2, 2], np.array([0, 0, 1, 1]), n_classes=2)
    >>> conditional_mutual_information(pairs)
    array([[0., 1.],
           [1., 0.]])
    """
    narrow = np.flatnonzero(pairs.is_narrow)
    bits = np.zeros((len(pairs.is_narrow), len(pairs.is_narrow)))
    in_table = pairs.features.n_states[narrow]
    bits[np.ix_(narrow, narrow)] = pair_information(pairs.table, in_table, negligible)
    for (i, j), table in pairs.wide_tables():
        bits[i, j] = bits[j, i] = _information_of(table, negligible)
    return bits


def _information_of(table: CountTable, negligible: float) -> float:
    """Return I(A; B | C) in bits of one table, whose last slots hold rows without a value."""
    sparse = table if isinstance(table, SparseTable) else SparseTable.from_dense(table)
    rows, columns, n_classes = sparse.shape
    a, b = np.unravel_index(sparse.cells, (rows, columns))
    known = (a < rows - 1) & (b < columns - 1)
    a, b, joint = a[known], b[known], sparse.counts[known]
    of_a, of_b = np.zeros((rows, n_classes)), np.zeros((columns, n_classes))
    np.add.at(of_a, a, joint)
    np.add.at(of_b, b, joint)
    of_class = joint.sum(axis=0)
    n = of_class.sum()
    above, below = joint * of_class, of_a[a] * of_b[b]
    least = negligible * n * n
    # As in the kernel: independent columns have exactly zero information.
    used = (above > 0) & (below > 0) & (above >= least) & (below >= least) & (above != below)
    return float((joint[used] / n * np.log2(above[used] / below[used])).sum())


def mutual_information_with_class(counts: FeatureCounts) -> Array:
    """Return I(A_i; C) in bits for each column, by relative frequencies.

    >>> import numpy as np
    >>> codes = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.uint8)
    >>> counts = FeatureCounts.collect(codes, [2, 2], np.array([0, 0, 1, 1]), n_classes=2)
    >>> mutual_information_with_class(counts)
    array([0., 1.])
    """
    information = np.zeros(len(counts.n_states))
    for j in range(len(information)):
        joint = counts.of_column(j)
        # Scaled by a power of two, which is exact: products of tiny weights would be zero.
        joint = np.ldexp(joint, -np.frexp(joint.sum())[1])
        expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
        total = joint.sum()
        seen = joint > 0
        ratio = np.divide(joint * total, expected, out=np.ones_like(joint), where=seen)
        information[j] = (joint * np.log2(ratio)).sum() / max(total, 1e-300)
    return information
