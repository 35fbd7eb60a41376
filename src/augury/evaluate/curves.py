"""Learning curves: training sets of growing size, tested on the same rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from augury.encode.target import encode_target
from augury.evaluate.fold_results import FoldResult, Summary, summarize
from augury.evaluate.score_columns import check_probability
from augury.foreign import Labels, Table
from augury.validation import Array, check_integer


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Results of one model on one data set for one training size.

    Attributes
    ----------
    n_train : int
        Number of training rows.
    summary : Summary
        Means over the repetitions; its `n_folds` is their number.
    """

    n_train: int
    summary: Summary


class GrowingSamples:
    """Splitter for learning curves: nested, stratified training samples of given sizes.

    Each repetition puts the rows in a random order. One row of each class comes first; after
    these, every section of the order has the classes in proportion. The last rows are for
    testing; a training sample of m rows is the first m rows. So in one repetition all sizes and
    all models are tested on the same rows, a smaller sample is part of a larger one, and a
    sample with as many rows as there are classes has all classes.

    Parameters
    ----------
    sizes : sequence of int or float
        Numbers of training rows, at least 2 and ascending; or shares of the rows that are not
        for testing, above 0 and up to 1.0.
    n_repeats : int, default=10
        Number of repetitions.
    test_share : float, default=0.3
        Share of the rows for testing, rounded to at least one row.
    random_state : int, default=0
        Seed.

    Examples
    --------
    In the rows of `cross_validate`, a run is a repetition. The number of a fold is its number of
    training rows, so that a fold keeps its number when sizes are added.

    >>> from types import SimpleNamespace
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from augury.evaluate import cross_validate, summarize_curve
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> iris = SimpleNamespace(name="iris", X=X, y=y)
    >>> rows = cross_validate([iris], {"gaussian": GaussianNB()},
    ...                       GrowingSamples([15, 0.5, 1.0], n_repeats=2))
    >>> [(row.run, row.fold, row.n_train, row.n_test) for row in rows][:3]
    [(1, 15, 15, 45), (1, 52, 52, 45), (1, 105, 105, 45)]
    >>> [point.n_train for point in summarize_curve(rows)]
    [15, 52, 105]
    """

    def __init__(
        self,
        sizes: Sequence[float],
        n_repeats: int = 10,
        *,
        test_share: float = 0.3,
        random_state: int = 0,
    ) -> None:
        self.sizes = sizes
        self.n_repeats = n_repeats
        self.test_share = test_share
        self.random_state = random_state

    def get_n_splits(self, X: Table = None, y: Labels = None, groups: object = None) -> int:
        """Return the number of train-test pairs, sizes × repetitions."""
        return len(self._checked_sizes()) * check_integer(
            "GrowingSamples", "n_repeats", self.n_repeats, at_least=1
        )

    def fold_numbers(self, n_samples: int) -> list[int]:
        """Return the number of each fold of a run: its number of training rows."""
        n_pool = count_training_rows("GrowingSamples", n_samples, self.test_share)
        return self._rows(n_pool)

    def split(
        self, X: Table, y: Labels = None, groups: object = None
    ) -> Iterator[tuple[Array, Array]]:
        """Yield the row numbers for training and for testing, repetition by repetition.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Not used.
        y : array-like of shape (n_samples,)
            Class labels, none missing.
        groups : object
            Ignored, present for scikit-learn.

        Yields
        ------
        train, test : arrays of int
            Row numbers in ascending order.
        """
        owner = "GrowingSamples"
        n_repeats = check_integer(owner, "n_repeats", self.n_repeats, at_least=1)
        seed = check_integer(owner, "random_state", self.random_state, at_least=0)
        if y is None:
            raise ValueError(f"{owner}: y must be given, the samples are stratified by class")
        _, codes = encode_target(owner, y)
        sizes = self.fold_numbers(len(codes))
        n_pool = count_training_rows(owner, len(codes), self.test_share)
        for run in range(1, n_repeats + 1):
            order = _stratified_order(codes, np.random.default_rng([seed, run]))
            test = np.sort(order[n_pool:])
            for size in sizes:
                yield np.sort(order[:size]), test

    def _checked_sizes(self) -> list[int | float]:
        return check_sizes("GrowingSamples: sizes", self.sizes)

    def _rows(self, n_pool: int) -> list[int]:
        sizes = [as_rows(size, n_pool) for size in self._checked_sizes()]
        if sizes != sorted(set(sizes)) or sizes[0] < 2 or sizes[-1] > n_pool:
            raise ValueError(
                f"GrowingSamples: sizes must ascend from 2 rows to the {n_pool} that are not for "
                f"testing, got {', '.join(map(str, sizes))}"
            )
        return sizes


def check_sizes(place: str, sizes: object) -> list[int | float]:
    """Return numbers of rows as int and shares as float; errors begin with `place`."""
    allowed = "whole numbers >= 2 of rows or shares above 0 and up to 1.0"
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise TypeError(f"{place} must be {allowed}, got {sizes!r}")
    checked: list[int | float] = []
    for size in sizes:
        is_count = isinstance(size, Integral) and not isinstance(size, bool) and int(size) >= 2
        is_share = isinstance(size, float) and 0.0 < size <= 1.0
        if not (is_count or is_share):
            raise ValueError(f"{place} must be {allowed}, got {size!r}")
        checked.append(int(size) if is_count else float(size))
    if not checked:
        raise ValueError(f"{place} must be {allowed}, got none")
    return checked


def as_rows(size: float, n_pool: int) -> int:
    """Return a number of rows, or a share of `n_pool` rows, as a number of rows."""
    return size if isinstance(size, int) else round(size * n_pool)


def count_training_rows(owner: str, n_samples: int, test_share: float) -> int:
    """Return the number of rows that are not for testing.

    >>> count_training_rows("GrowingSamples", 150, 0.3)
    105
    """
    share = check_probability(owner, "test_share", test_share)
    return n_samples - max(1, round(share * n_samples))


def _stratified_order(codes: Array, rng: np.random.Generator) -> Array:
    """Return the rows in an order whose every section has the classes in proportion."""
    shuffled = rng.permutation(len(codes))
    labels = codes[shuffled]
    totals = np.bincount(labels)
    by_class = np.argsort(labels, kind="stable")
    starts = np.cumsum(totals) - totals
    place = np.empty(len(codes))
    place[by_class] = np.arange(len(codes)) - starts[labels[by_class]]
    # Row j of the n rows of a class has the relative position (j + ½) / n. The first row of each
    # class comes before all others, the most frequent class first, so that samples of few rows
    # have two classes.
    key = np.where(place == 0, -totals[labels].astype(float), (place + 0.5) / totals[labels])
    return shuffled[np.argsort(key, kind="stable")]


def summarize_curve(results: Iterable[FoldResult]) -> list[CurvePoint]:
    """Average the repetitions of each training size.

    Parameters
    ----------
    results : iterable of FoldResult
        Rows of `cross_validate` with `GrowingSamples`, in any order.

    Returns
    -------
    list of CurvePoint
        By data set and model in order of first appearance, then by training rows.
    """
    by_size: dict[int, list[FoldResult]] = {}
    order: dict[tuple[str, str, str], int] = {}
    for result in results:
        by_size.setdefault(result.n_train, []).append(result)
        order.setdefault((result.dataset, result.model, result.protocol), len(order))
    points = [
        CurvePoint(n_train, summary)
        for n_train, rows in sorted(by_size.items())
        for summary in summarize(rows)
    ]

    def curve(point: CurvePoint) -> int:
        summary = point.summary
        return order[summary.dataset, summary.model, summary.protocol]

    return sorted(points, key=curve)  # stable: the sizes stay in order


__all__ = [
    "CurvePoint",
    "GrowingSamples",
    "as_rows",
    "check_sizes",
    "count_training_rows",
    "summarize_curve",
]
