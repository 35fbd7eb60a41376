"""K nearest neighbours of mixed columns."""

from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.class_weights import ClassWeight
from augury.bases.partial_scores import PartialScores, by_coalition
from augury.bases.table_classifier import TableClassifier
from augury.discriminative.neighbors.distances import (
    ROUNDING,
    TrainingNumbers,
    add_squares,
    count_differences,
    reach,
    true_cells,
)
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.encode.table import code_dtype
from augury.fitted_state import (
    LARGEST_COUNT,
    check_floats,
    check_integers,
    check_part,
    check_reads,
    require,
)
from augury.foreign import Table
from augury.kernels.blas_threads import blas_threads
from augury.registration import register_model
from augury.validation import check_integer, check_table, check_threads

# Bytes of distances that are computed at a time; they fit in the cache of a core.
_BLOCK_BYTES = 1 << 22


@dataclass(frozen=True, eq=False)
class _Rows:
    """Codes, and numbers scaled to [0, 1], stored column by column."""

    codes: Array
    numbers: Array

    def _check_fitted_state(self) -> None:
        n_rows = len(check_integers(self, "codes", None, None))
        check_floats(self, "numbers", n_rows, None, gaps=True)


@register_model("knn", "K nearest neighbors")
class KNearestNeighbors(TableClassifier):
    """Nearest neighbours (KNN) of mixed columns, as WEKA's IBk finds them.

    The squared distance of two rows is a sum over the columns: 1 for different labels, 0 for
    equal labels, and (a - b)² for numbers scaled to [0, 1] by the training rows. All rows at the
    distance of the k-th neighbour vote, so there may be more than k.

    Parameters
    ----------
    n_neighbors : int
        The number k of neighbours.
    categorical_features : see `TableEncoder`
    missing : {"ignore", "state", "replace"}
        "ignore" is the rule of IBk: a missing label differs from every label, missing or not.
        The difference between a missing and a known number is the largest that a number in
        [0, 1] can have; two missing numbers differ by 1. With "state" two missing values are
        equal, and a missing and a known value differ by 1. "replace" fills in mode or mean.
    discretizer : see `TableEncoder`
        None keeps numbers.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    encoder_ : the fitted `TableEncoder`

    Notes
    -----
    Every class starts with 1/n of a vote, n being the number of training rows. Ties go to the
    first class. An unseen label differs from all labels.

    A weight is a number of rows: a row of weight 2 is two neighbours, whereas in IBk it is one
    neighbour that votes twice. IBk also extends the range of a number by the rows that it
    predicts; here the range is that of the training rows.

    A prediction compares a row with all training rows, 16 or 32 labels in one operation.

    Memory in bytes (see `augury.memory`): fit takes `n (d + 16 m + 16) + 100 s`, and the model
    keeps `n (d + 8 m + 8) + 100 s`.

    References
    ----------
    D. Aha, D. Kibler, M. Albert (1991): Instance-based learning algorithms. Machine Learning
    6, 37-66.

    Examples
    --------
    >>> from augury.discriminative import KNearestNeighbors
    >>> X = [["sun", "calm"], ["sun", "storm"], ["rain", "calm"], ["rain", "storm"]]
    >>> y = ["out", "out", "in", "in"]
    >>> model = KNearestNeighbors(n_neighbors=1).fit(X, y)
    >>> model.predict([["rain", "storm"], ["sun", "fog"]])  # fog differs from both winds
    array(['in', 'out'], dtype='<U3')
    >>> model.predict_proba([["rain", "storm"]])  # 1 and 0 votes, and 1/4 for either class
    array([[0.83333333, 0.16666667]])
    """

    def __init__(
        self,
        n_neighbors: int = 3,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "ignore",
        discretizer: Discretizer = None,
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    # ---- fitting ----------------------------------------------------------------------

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Store the training rows."""
        self.encoder_: TableEncoder = TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )
        table = self.encoder_.learn_and_encode(X, codes, weight, self._owner)
        self._learn_range(table.numbers)
        self._training = self._scale(table, is_training=True)
        self._y = codes.astype(np.intp)
        # Weights that are all 1 are dropped: distances of whole numbers are faster.
        self._weight = None if weight is None or (weight == 1).all() else weight

    def _learn_range(self, numbers: Array) -> None:
        known = ~np.isnan(numbers)
        low = np.min(numbers, axis=0, where=known, initial=np.inf)
        high = np.max(numbers, axis=0, where=known, initial=-np.inf)
        # Halved, since the difference of two large floats may overflow.
        self._low = np.where(low <= high, low, 0.0) / 2
        width = np.where(low < high, high / 2 - self._low, 0.0)
        self._width = np.where(width > 0, width, np.inf)

    def _scale(self, table: CategoricalTable, *, is_training: bool = False) -> _Rows:
        n_states = table.n_states
        # "Left out" equals no label: its code in training is one that no other row has.
        codes = np.asfortranarray(table.codes, code_dtype(int(n_states.max(initial=0)) + 1))
        if is_training and table.leaves_out():
            codes = np.asfortranarray(codes + (codes == n_states).astype(codes.dtype))
        with np.errstate(over="ignore"):  # infinitely far from the training rows
            scaled = table.numbers / 2
            scaled -= self._low
            scaled /= self._width
        return _Rows(codes, np.asfortranarray(scaled))

    # ---- predicting -------------------------------------------------------------------

    def _check_parameters(self) -> None:
        check_integer(self._owner, "n_neighbors", self.n_neighbors, at_least=1)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        encoder = check_part(self, "encoder_", TableEncoder)
        check_reads(self, "encoder_", encoder, self.n_features_in_)
        n_labels, n_numbers = len(encoder.n_states_), len(encoder.number_names_)
        rows = check_part(self, "_training", _Rows)
        n_rows = len(check_integers(rows, "codes", None, n_labels))
        require(n_rows, self, "_training", "rows")
        check_floats(rows, "numbers", n_rows, n_numbers, gaps=True)
        check_integers(self, "_y", n_rows, high=len(self.classes_) - 1)
        if self._weight is not None:
            weight = check_floats(self, "_weight", n_rows, low=0, high=LARGEST_COUNT)
            require(weight.any() and np.isfinite(weight.sum()), self, "_weight", "finite")
        check_floats(self, "_low", n_numbers)
        # Infinite where a column has one value.
        fits = type(self._width) is np.ndarray and self._width.shape == (n_numbers,)
        fits = fits and self._width.dtype == np.float64 and bool((self._width > 0).all())
        require(fits, self, "_width", "positive numbers")

    def _votes(self, X: Table) -> Array:
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        return self._votes_of(self._scale(self.encoder_.encode(X)))

    def _votes_of(self, rows: _Rows) -> Array:
        n_training = len(self._y)
        cell = 8 if rows.numbers.shape[1] else 1
        step = max(1, _BLOCK_BYTES // (cell * n_training))
        starts = range(0, len(rows.codes), step)
        votes = np.empty((len(rows.codes), len(self.classes_)))
        training = TrainingNumbers(self._training.numbers)

        def fill(start: int) -> None:
            block = slice(start, start + step)
            part = _Rows(rows.codes[block], rows.numbers[block])
            votes[block] = self._count_votes(part, training)

        # The rows are divided among the threads, so that each product needs one thread only.
        with blas_threads(1), ThreadPoolExecutor(check_threads(self._owner, self.n_jobs)) as pool:
            list(pool.map(fill, starts))
        total = n_training if self._weight is None else self._weight.sum()
        return votes + 1.0 / max(1.0, total)

    def _count_votes(self, rows: _Rows, training: TrainingNumbers) -> Array:
        """Return the weight of the neighbours of each class."""
        n_classes = len(self.classes_)
        row, at = self._find_neighbors(rows, training)
        votes = np.bincount(
            row * n_classes + self._y[at],
            None if self._weight is None else self._weight[at],
            minlength=len(rows.codes) * n_classes,
        )
        return votes.reshape(-1, n_classes)

    def _find_neighbors(self, rows: _Rows, training: TrainingNumbers) -> tuple[Array, Array]:
        """Return pairs of a row and a training row that votes for it."""
        has_numbers, has_labels = rows.numbers.shape[1] > 0, rows.codes.shape[1] > 0
        distances = count_differences(rows.codes, self._training.codes) if has_labels else None
        if has_numbers and self._weight is None:
            near = training.near(rows.numbers, distances, self.n_neighbors)
            if near is not None:
                return near
        if distances is None:
            distances = np.zeros((len(rows.numbers), len(self._y)))
        if has_numbers:
            # With "state" an additional column of labels marks missing values.
            differ = self.missing != "state"
            distances = distances.astype(np.float64)
            add_squares(distances, rows.numbers, self._training.numbers, missing_differ=differ)
        radius = reach(distances, self._weight, self.n_neighbors)
        if has_numbers:
            radius = radius * (1.0 + ROUNDING)
        return true_cells(distances <= radius[:, None])

    def _partial_scores(self, X: Table) -> PartialScores:
        whole, training = self._scale(self.encoder_.encode(X)), self._training
        of_codes, of_numbers = self.encoder_.source_columns()

        def score_known(rows: IntegerArray, known: BoolArray) -> Array:
            codes, numbers = np.flatnonzero(known[of_codes]), np.flatnonzero(known[of_numbers])
            model = copy(self)  # without the columns that are left out
            model._training = _Rows(training.codes[:, codes], training.numbers[:, numbers])
            part = _Rows(whole.codes[rows][:, codes], whole.numbers[rows][:, numbers])
            return np.log(model._votes_of(part))

        return by_coalition(score_known)

    def predict_proba(self, X: Table) -> Array:
        """Return the share of each class in the votes, in the order of `classes_`."""
        votes = self._votes(X)
        shares: Array = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Table) -> Array:
        """Return the class with the most votes for each row; ties go to the first in `classes_`."""
        best = np.argmax(self._votes(X), axis=1)
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        votes = self._votes(X)
        predicted: Array = self.classes_[np.argmax(votes, axis=1)]
        return predicted, votes / votes.sum(axis=1, keepdims=True)
