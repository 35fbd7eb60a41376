"""How many training rows each of the different rows stands for.

A weight is a number of rows, so that a row of weight 2 equals two rows. Models that predict their
training rows without one row at a time need this number. It is the weight only where weights count
rows, and where equal rows are equal by chance.
"""

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray

# Equal rows are copies if rows that stand for two or more have this share of all rows, if there are
# so many different rows, and if a column of numbers has different values in most of them.
_TWO_ROWS, _SHARE_OF_COPIES, _FEWEST_ROWS = 2.0, 0.1, 20
# Share of rows, each the only one of its class, up to which held-out predictions of them count.
_SHARE_ALONE = 0.05


def counted_rows(weight: Array | None, *, is_class_weighted: bool = False) -> Array | None:
    """Return the number of rows that each row stands for; None if it is 1 for all of them.

    Whole weights count rows. If a weight is not whole, or classes have weights, each row is one
    row, and its weight says how much it matters.

    >>> counted_rows(np.array([1.0, 3.0]))
    array([1., 3.])
    >>> counted_rows(np.array([1.5, 3.0]))
    """
    if weight is None or is_class_weighted or not np.array_equal(weight, np.rint(weight)):
        return None
    return weight


def rows_of_different(
    first: IntegerArray, merged: IntegerArray, counted: Array | None, numbers: FloatArray
) -> FloatArray:
    """Return the number of rows that each of the different rows stands for.

    It is 1 if equal rows are copies of one row: left out one at a time, a row would be predicted by
    its copies.

    Parameters
    ----------
    first : a row of each of the different rows
    merged : the different row that each row is equal to
    counted : what `counted_rows` returns
    numbers : the columns of numbers of all rows

    Examples
    --------
    >>> rows = np.arange(200)
    >>> rows_of_different(rows[:3], rows % 3, None, np.empty((200, 0)))
    array([67., 67., 66.])
    >>> copies = rows_of_different(rows[:100], rows % 100, None, (rows % 100.0)[:, None])
    >>> copies[:3]
    array([1., 1., 1.])
    """
    n_rows = np.bincount(merged, counted, minlength=len(first)).astype(np.float64)
    if not often_repeated(n_rows) or len(first) < _FEWEST_ROWS:
        return n_rows
    differs = any(len(np.unique(column[first])) > len(first) / 2 for column in numbers.T)
    return np.ones(len(first)) if differs else n_rows


def often_repeated(n_rows: FloatArray) -> bool:
    """Return whether rows that stand for two or more have more than a tenth of all rows."""
    return bool(n_rows[n_rows >= _TWO_ROWS].sum() > _SHARE_OF_COPIES * n_rows.sum())


def are_alone(y: IntegerArray, n_rows: FloatArray) -> BoolArray:
    """Return which rows are the only ones of their class, if they say too much about held-out rows.

    Without such a row no row of its class is left, and every model predicts another class. Many of
    them would make a model that learns from held-out predictions too uncertain. None is returned
    if they are at most a twentieth of the rows, or all of them.

    Parameters
    ----------
    y : class of each of the different rows
    n_rows : number of rows that each of them stands for

    Examples
    --------
    >>> are_alone(np.array([0, 0, 1, 2]), np.ones(4))
    array([False, False,  True,  True])
    >>> bool(are_alone(np.arange(4), np.ones(4)).any())
    False
    """
    alone: BoolArray = np.bincount(y, n_rows)[y] <= 1
    share = n_rows[alone].sum() / n_rows.sum()
    return alone if _SHARE_ALONE < share < 1 else np.zeros_like(alone)


__all__ = ["are_alone", "counted_rows", "often_repeated", "rows_of_different"]
