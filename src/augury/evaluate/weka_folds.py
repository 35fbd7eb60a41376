"""The folds of WEKA's Experimenter, row for row."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from augury.encode import encode_target
from augury.validation import Array, check_integer

_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_MASK = (1 << 48) - 1


class JavaRandom:
    """Whole numbers of `java.util.Random`, from its 48-bit linear congruence.

    Parameters
    ----------
    seed : int
        The seed given to Java's constructor.

    Examples
    --------
    >>> random = JavaRandom(42)
    >>> [random.next_int(100) for _ in range(5)]
    [30, 63, 48, 84, 70]
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _MULTIPLIER) & _MASK

    def next_int(self, bound: int) -> int:
        """Return the next number of 0, …, bound - 1, as `Random.nextInt(bound)` does."""
        if not 0 < bound < 1 << 31:
            raise ValueError(f"JavaRandom: bound must be in 1, …, 2^31 - 1, got {bound!r}")
        while True:
            self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
            bits = self._state >> 17
            if bound & (bound - 1) == 0:
                return (bound * bits) >> 31
            value = bits % bound
            # Java tests whether this sum overflows 31 bits: the last,
            # incomplete stretch of `bound` numbers would favour the small ones.
            if bits - value + bound - 1 < 1 << 31:
                return value


class WekaFolds(BaseCrossValidator):
    """Repeated stratified folds, equal to those of WEKA's Experimenter.

    Run r = 1, …, `n_repeats` shuffles the rows with `java.util.Random(r)`,
    groups them by class in the order in which the classes appear after the
    shuffle, and deals them out: fold f takes positions f, f + `n_splits`, ….
    Only the equality of labels matters, neither their order nor their names.

    Parameters
    ----------
    n_splits : int, default=10
        Folds in a run, at least 2.
    n_repeats : int, default=10
        Runs, at least 1.

    Notes
    -----
    The rows of a fold are yielded in ascending order, as scikit-learn's
    splitters do. WEKA would present test rows in the order they were dealt, and
    training rows shuffled once more; which rows belong to a fold is the same.
    A class with fewer rows than folds is dealt out like any other.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array(["yes", "yes", "no", "no", "no", "yes"])
    >>> for train, test in WekaFolds(n_splits=3, n_repeats=1).split(y, y):
    ...     print(train, test)
    [0 2 3 5] [1 4]
    [0 1 3 4] [2 5]
    [1 2 4 5] [0 3]
    """

    def __init__(self, n_splits: int = 10, n_repeats: int = 10) -> None:
        self.n_splits = n_splits
        self.n_repeats = n_repeats

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of train-test pairs, folds × runs; the arguments are ignored."""
        n_splits, n_repeats = self._checked()
        return n_splits * n_repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        """Yield the row numbers for training and for testing, run by run.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Only its length is looked at.
        y : array-like of shape (n_samples,)
            Class labels, none missing.
        groups : object
            Ignored, present for scikit-learn.

        Yields
        ------
        train, test : arrays of int
            Row numbers in ascending order.
        """
        n_splits, n_repeats = self._checked()
        labels = _label_codes(y)
        n_rows = len(labels) if X is None else _length(X)
        if n_rows != len(labels):
            raise ValueError(f"WekaFolds: X has {n_rows} rows but y has {len(labels)}")
        if len(labels) < n_splits:
            raise ValueError(
                f"WekaFolds: n_splits={n_splits} needs at least as many rows, got {len(labels)}"
            )
        for run in range(1, n_repeats + 1):
            folds = _deal(labels, n_splits, JavaRandom(run))
            for fold in range(n_splits):
                test = folds == fold
                yield np.flatnonzero(~test), np.flatnonzero(test)

    def _checked(self) -> tuple[int, int]:
        return (
            check_integer("WekaFolds", "n_splits", self.n_splits, at_least=2),
            check_integer("WekaFolds", "n_repeats", self.n_repeats, at_least=1),
        )


def _length(X: Any) -> int:
    # A sparse matrix has a shape but no length.
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _label_codes(y: Any) -> Array:
    """Return a number for each label, equal ones for equal labels."""
    if y is None:
        raise ValueError("WekaFolds: y must be given, the folds are stratified by class")
    if len(shape := np.shape(y)) != 1:
        raise ValueError(f"WekaFolds: y must be one column of labels, got shape {shape}")
    _, codes = encode_target("WekaFolds", y)
    return codes


def _deal(labels: Array, n_splits: int, random: JavaRandom) -> Array:
    """Return the test fold, 0, …, n_splits - 1, of each row in one run."""
    n_rows = len(labels)
    order = list(range(n_rows))
    for last in range(n_rows - 1, 0, -1):
        other = random.next_int(last + 1)
        order[last], order[other] = order[other], order[last]

    shuffled = np.array(order)
    start = 0
    while start < n_rows:
        start = _group(shuffled, labels, start)

    folds = np.empty(n_rows, dtype=np.intp)
    folds[shuffled] = np.arange(n_rows) % n_splits
    return folds


def _group(order: Array, labels: Array, start: int) -> int:
    """Swap all rows of the class at place `start` forward, and return the place after them.

    WEKA swaps the matching places, one after another, with start, start + 1, ….
    A swap moves only a row of another class backwards, to the place of the match
    just taken; so all matches are known beforehand, and they stay in order.
    """
    rest = labels[order[start:]]
    matches = np.flatnonzero(rest == rest[0])
    n_matches = len(matches)
    n_inside = int(np.searchsorted(matches, n_matches))
    # The row that makes way for match k. Where a match lay among the first places
    # itself, its place is taken by such a row, which has to make way once more.
    displaced = order[start : start + n_matches].tolist()
    for k, match in enumerate(matches[:n_inside].tolist()):
        displaced[match] = displaced[k]
    grouped = order[start + matches]
    order[start + matches[n_inside:]] = displaced[n_inside:]
    order[start : start + n_matches] = grouped
    return start + n_matches


__all__ = ["JavaRandom", "WekaFolds"]
