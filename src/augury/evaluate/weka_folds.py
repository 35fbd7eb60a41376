"""The same cross-validation folds as WEKA's Experimenter."""

from collections.abc import Iterator

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from augury.encode import encode_target
from augury.foreign import Labels, Table
from augury.validation import Array, check_integer

_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_MASK = (1 << 48) - 1


class JavaRandom:
    """Integers of `java.util.Random`, a 48-bit linear congruential generator.

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
            # Java tests whether this sum overflows 31 bits: the last, incomplete block of
            # `bound` numbers would make small numbers more probable.
            if bits - value + bound - 1 < 1 << 31:
                return value


class WekaFolds(BaseCrossValidator):
    """Repeated stratified folds, equal to those of WEKA's Experimenter.

    Run r = 1, …, `n_repeats` shuffles the rows with `java.util.Random(r)`. It then groups them
    by class, in the order in which the classes appear after the shuffle. Fold f takes the
    positions f, f + `n_splits`, …. The order and the names of the labels do not matter.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds in a run, at least 2.
    n_repeats : int, default=10
        Number of runs, at least 1.

    Notes
    -----
    The rows of a fold are yielded in ascending order, as by scikit-learn's splitters. WEKA
    presents test rows in the order of assignment, and shuffles training rows once more; the
    rows of each fold are the same. A class may have fewer rows than there are folds.

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

    def get_n_splits(self, X: Table = None, y: Labels = None, groups: object = None) -> int:
        """Return the number of train-test pairs, folds × runs; the arguments are ignored."""
        n_splits, n_repeats = self._checked()
        return n_splits * n_repeats

    def split(
        self, X: Table, y: Labels = None, groups: object = None
    ) -> Iterator[tuple[Array, Array]]:
        """Yield the row numbers for training and for testing, run by run.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Only its length is used.
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


def _length(X: Table) -> int:
    # A sparse matrix has a shape, but no length.
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _label_codes(y: Labels) -> Array:
    """Return a number for each label; equal labels have equal numbers."""
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
    """Move all rows of the class at position `start` forward; return the position after them.

    WEKA swaps the matching positions, one after another, with start, start + 1, …. A swap moves
    only a row of another class backwards, to the position of the match. So all matches are
    known in advance, and their order does not change.
    """
    rest = labels[order[start:]]
    matches = np.flatnonzero(rest == rest[0])
    n_matches = len(matches)
    n_inside = int(np.searchsorted(matches, n_matches))
    # The row that match k replaces. If the match is itself among the first positions, the
    # replaced row moves to its position, and is replaced once more.
    displaced = order[start : start + n_matches].tolist()
    for k, match in enumerate(matches[:n_inside].tolist()):
        displaced[match] = displaced[k]
    grouped = order[start + matches]
    order[start + matches[n_inside:]] = displaced[n_inside:]
    order[start : start + n_matches] = grouped
    return start + n_matches


__all__ = ["JavaRandom", "WekaFolds"]
