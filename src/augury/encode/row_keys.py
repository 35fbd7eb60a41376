"""Random numbers of rows that depend on their values only."""

import numpy as np
from sklearn.utils import check_random_state

from augury.arrays import Array, IntegerArray
from augury.encode.table import CategoricalTable

# Cells that are hashed at once.
_CELLS_AT_ONCE = 1 << 18


def row_keys(
    table: CategoricalTable, random_state: int | np.random.RandomState | None
) -> IntegerArray:
    """Return a 64-bit random number of each row; equal rows have equal numbers.

    The rows of the smallest numbers are a random sample of the different rows. It depends neither
    on the order of the rows nor on the number of times that a row occurs.

    The number is the sum over the columns of the finaliser of SplitMix64 (Steele, Lea and Flood
    2014) of the value plus a random number of the column.
    """
    n_labels, n_numbers = table.codes.shape[1], table.numbers.shape[1]
    random = check_random_state(random_state)
    salt = random.randint(0, 1 << 62, n_labels + n_numbers, dtype=np.int64).astype(np.uint64)
    keys = np.zeros(table.n_samples, dtype=np.uint64)
    step = max(1, _CELLS_AT_ONCE // max(1, table.n_samples))
    for start in range(0, n_labels, step):
        part = slice(start, min(start + step, n_labels))
        keys += _hash(table.codes[:, part].astype(np.uint64), salt[part])
    for start in range(0, n_numbers, step):
        part = slice(start, min(start + step, n_numbers))
        numbers = table.numbers[:, part] + 0.0  # a copy; -0.0 becomes 0.0
        numbers[np.isnan(numbers)] = np.nan
        bits = np.ascontiguousarray(numbers).view(np.uint64)
        keys += _hash(bits, salt[n_labels + start : n_labels + part.stop])
    return keys


def _hash(bits: Array, salt: Array) -> Array:
    bits = bits + salt
    bits ^= bits >> np.uint64(30)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return np.asarray(bits.sum(axis=1, dtype=np.uint64))


def hash_rows(codes: Array, y: Array) -> Array:
    """Return 64 bits for each row of codes and classes, equal for equal rows only, almost always.

    Ensembles order rows by it, so that a sample does not depend on the order of the rows.
    """
    key = y.astype(np.uint64)
    for j in range(codes.shape[1]):
        # Bits are mixed before the next code is added, or small numbers would cancel out.
        key *= np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
        key ^= codes[:, j]
    return key


def equal_rows(keys: IntegerArray, y: IntegerArray) -> tuple[IntegerArray, IntegerArray]:
    """Return the first of the rows of each key and class, and for each row which of them it equals.

    >>> equal_rows(np.array([7, 3, 7, 7], dtype=np.uint64), np.array([0, 0, 0, 1]))
    (array([1, 0, 3]), array([1, 0, 1, 2]))
    """
    order = np.lexsort((y, keys))
    sorted_keys, sorted_y = keys[order], y[order]
    is_new = np.ones(len(y), dtype=bool)
    is_new[1:] = (sorted_keys[1:] != sorted_keys[:-1]) | (sorted_y[1:] != sorted_y[:-1])
    merged = np.empty(len(y), dtype=np.intp)
    merged[order] = np.cumsum(is_new) - 1
    return order[is_new], merged


def equal_values(keys: IntegerArray, y: IntegerArray) -> tuple[IntegerArray, IntegerArray]:
    """Return a row of each key, one of its lowest class, and for each row the number of its key.

    >>> equal_values(np.array([7, 3, 7, 7], dtype=np.uint64), np.array([1, 0, 1, 0]))
    (array([1, 3]), array([1, 0, 1, 1]))
    """
    first, merged = equal_rows(keys, y)
    _, lowest, number = np.unique(keys[first], return_index=True, return_inverse=True)
    return first[lowest], number[merged]


def lowest_rows(keys: IntegerArray, n_rows: int) -> IntegerArray:
    """Return the first row of each of the n lowest keys, in the order of the keys.

    >>> lowest_rows(np.array([7, 3, 7, 1], dtype=np.uint64), 2)
    array([3, 1])
    """
    _, first = np.unique(keys, return_index=True)
    return np.asarray(first[:n_rows])


def highest_rows(keys: IntegerArray, n_rows: int) -> IntegerArray:
    """Return about n rows, those of the highest keys; rows of equal keys are all among them.

    >>> highest_rows(np.array([7, 3, 7, 1], dtype=np.uint64), 1)
    array([0, 2])
    """
    if len(keys) <= n_rows:
        return np.arange(len(keys))
    limit = np.partition(keys, len(keys) - n_rows)[len(keys) - n_rows]
    return np.flatnonzero(keys >= limit)
