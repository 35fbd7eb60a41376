"""Tables as matrices of numbers: codes or indicators of states, and numbers."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Self

import numpy as np

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.partial_scores import LeftOutCodes
from augury.counts import Moments
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.checked_csr import checked_csr
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_floats, check_part, check_texts, require
from augury.foreign import Labels, Matrix, Table
from augury.memory import require_bytes
from augury.validation import check_choice, check_flag

ENCODINGS = ("ordinal", "onehot", "onehot+numeric")
SCALINGS = ("standardize", "range")

# Limit of scaled numbers, so that products with coefficients stay finite.
MAX_SCALED = 1e150

# Numbers that stay in cache between two steps of a computation.
_CACHED_NUMBERS = 1 << 16


class MatrixReader:
    """Reads rows as a matrix of numbers: codes or indicators of states, and numbers.

    The columns of numbers (of codes, if they are ordinal) come first, then the indicators.

    Parameters
    ----------
    encoding : {"ordinal", "onehot", "onehot+numeric"}
        How a column of labels, or of numbers cut by `discretizer`, is encoded. "ordinal": the
        index 0, 1, … of the state as one number. "onehot": an indicator for each state.
        "onehot+numeric": indicators, and numbers also as numbers beside their intervals.
    scaling : {"standardize", "range"} or None
        Numbers, those of "ordinal" included, are scaled to mean 0 and deviation 1 in the
        training rows, or to [0, 1]. None does not scale them. Indicators are never scaled.
    sparse : bool
        Whether a matrix with indicators is a CSR array; one of numbers only is never sparse.
    categorical_features, missing, discretizer, n_jobs : see `TableEncoder`
        With discretizer=None numbers are passed on as numbers for every `encoding`.

    Attributes
    ----------
    names : list of the names of the columns of the matrix: `wind`, `sky=sun`
    encoder : the fitted `TableEncoder`

    Notes
    -----
    An unseen label has no indicator; as a number, it is the mean of the training rows, and so is
    a missing number. A constant column is shifted but not divided by a scaling.

    Examples
    --------
    >>> X = [["sun", 1.0], ["rain", 2.0], ["sun", 7.0], ["sun", 9.0]]
    >>> y = np.array([0, 0, 1, 1])
    >>> ordinal = MatrixReader("ordinal").learn(np.array(X, dtype=object), y)
    >>> ordinal.read(np.array([["rain", 8.0], ["fog", 0.0]], dtype=object))  # 3 of 4 rows: sun
    array([[0.  , 1.  ],
           [0.75, 0.  ]])
    >>> both = MatrixReader("onehot+numeric", sparse=False).learn(np.array(X, dtype=object), y)
    >>> both.names
    ['x1', 'x0=rain', 'x0=sun', 'x1=(-inf, 4.5]', 'x1=(4.5, inf)']
    >>> both.read(np.array([["rain", 8.0]], dtype=object))
    array([[8., 1., 0., 0., 1.]])
    """

    names: list[str]

    def __init__(
        self,
        encoding: str = "ordinal",
        scaling: str | None = None,
        *,
        sparse: bool = True,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
    ) -> None:
        self.encoding = encoding
        self.scaling = scaling
        self.sparse = sparse
        self.options: dict[str, Any] = {
            "categorical_features": categorical_features,
            "missing": missing,
            "n_jobs": n_jobs,
        }
        self.discretizer = discretizer

    def learn(
        self, X: Table, y: Labels, weight: Array | None = None, owner: str = "MatrixReader"
    ) -> Self:
        """Learn from checked rows; `owner` is named in errors."""
        self.learn_and_read(X, y, weight, owner)
        return self

    def learn_and_read(
        self, X: Table, y: Labels, weight: Array | None = None, owner: str = "MatrixReader"
    ) -> Matrix:
        """Learn from checked rows, and return their matrix."""
        check_choice(owner, "encoding", self.encoding, ENCODINGS)
        if self.scaling is not None:
            check_choice(owner, "scaling", self.scaling, SCALINGS)
        self.encoder: TableEncoder = TableEncoder(
            discretizer=self.discretizer,
            keep_numbers=self.encoding == "onehot+numeric",
            **self.options,
        )
        table = self.encoder.learn_and_encode(X, y, weight, owner)
        self._name_columns()
        numbers = self._numbers(table)
        self._learn_scale(numbers, weight, owner)
        return self._matrix(table, numbers)

    def read(self, X: Table) -> Matrix:
        """Return checked rows as an array, or as a CSR array if there are indicators."""
        table = self.encoder.encode(X)
        return self._matrix(table, self._numbers(table))

    def leaving_out(self, X: Table) -> Callable[[IntegerArray, BoolArray], Matrix]:
        """Return a function from rows and masks of known columns to their matrix.

        A column of labels that is left out has no indicator; numbers are the mean.
        """
        known_part = LeftOutCodes(self.encoder.encode(X), self.encoder)

        def read(rows: IntegerArray, known: BoolArray) -> Matrix:
            table = known_part(rows, known)
            return self._matrix(table, self._numbers(table))

        return read

    # ---- learning ---------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        """Raise unless the attributes are as `learn` leaves them."""
        check_choice("MatrixReader", "encoding", self.encoding, ENCODINGS)
        check_flag("MatrixReader", "sparse", self.sparse)
        encoder = check_part(self, "encoder", TableEncoder)
        is_ordinal = self.encoding == "ordinal"
        require(self._is_ordinal is is_ordinal, self, "_is_ordinal", str(is_ordinal))
        n_numbers = len(encoder.number_names_)
        n_labels = len(encoder.n_states_) if is_ordinal else 0
        n_indicators = 0 if is_ordinal else sum(encoder.n_states_.tolist())
        check_texts(self, "names", n_labels + n_numbers + n_indicators)
        check_floats(self, "_mean", n_labels + n_numbers)
        check_floats(self, "_shift", n_labels + n_numbers)
        smallest = float(np.finfo(np.float64).smallest_subnormal)
        check_floats(self, "_spread", n_labels + n_numbers, low=smallest)

    def _name_columns(self) -> None:
        labels, numbers = self.encoder.table_names_, self.encoder.number_names_
        self._is_ordinal = self.encoding == "ordinal"
        if self._is_ordinal:
            self.names = [*labels, *numbers]
            return
        states: Sequence[Sequence[Hashable]] = self.encoder.states_
        self.names = list(numbers)
        for name, own in zip(labels, states, strict=True):
            self.names += [f"{name}={state}" for state in own]

    def _learn_scale(self, numbers: Array, weight: Array | None, owner: str) -> None:
        one_class = np.zeros(len(numbers), dtype=np.int32)
        moments = Moments.collect(numbers, one_class, 1, weight)
        self._mean, deviation = mean_and_deviation(moments, self.names, owner)
        self._shift, spread = np.zeros_like(self._mean), np.ones_like(self._mean)
        if self.scaling == "standardize":
            self._shift, spread = self._mean, deviation
        elif self.scaling == "range":
            known = ~np.isnan(numbers)
            low = np.min(numbers, axis=0, where=known, initial=np.inf)
            high = np.max(numbers, axis=0, where=known, initial=-np.inf)
            self._shift = np.where(low <= high, low, 0.0)
            spread = np.where(low < high, high - self._shift, 0.0)
        self._spread = np.where(spread > 0, spread, 1.0)

    # ---- reading ----------------------------------------------------------------------

    def _numbers(self, table: CategoricalTable) -> Array:
        """Return the columns of numbers, NaN where a value is missing or left out."""
        if not self._is_ordinal:
            return table.numbers
        codes = table.codes.astype(np.float64)
        codes[table.codes == table.n_states] = np.nan
        return np.column_stack([codes, table.numbers])

    def _matrix(self, table: CategoricalTable, numbers: Array) -> Matrix:
        scaled = scale_numbers(
            np.where(np.isnan(numbers), self._mean, numbers),
            self._shift,
            self._spread,
            overwrite=True,
        )
        if self._is_ordinal or not table.names:
            return np.ascontiguousarray(scaled)
        matrix = _join_indicators(scaled, table)
        if self.sparse:
            return matrix
        require_bytes(
            8 * matrix.shape[0] * matrix.shape[1],
            f"{matrix.shape[0]:,} rows with an indicator for each state, "
            f"{matrix.shape[1]:,} columns in all,",
            table.n_states,
            advice="leave these columns out, group their labels, or take sparse=True",
        )
        return matrix.toarray()


def mean_and_deviation(moments: Moments, names: Sequence[str], owner: str) -> tuple[Array, Array]:
    """Return mean and standard deviation of each column, from the moments of one class.

    An error names `owner` and the column if the squares of a column overflow.
    """
    wrong = ~np.isfinite(moments.scatter[:, 0])
    if wrong.any():
        raise ValueError(
            f"{owner}: column {names[int(np.argmax(wrong))]!r} must hold numbers whose "
            "squares can be added, got larger ones: divide it by a constant"
        )
    n = np.where(moments.weight[:, 0] > 0, moments.weight[:, 0], 1.0)
    return moments.mean[:, 0], np.sqrt(moments.scatter[:, 0] / n)


def scale_numbers(numbers: Array, shift: Array, spread: Array, *, overwrite: bool = False) -> Array:
    """Return (numbers - shift) / spread, limited so that products stay finite."""
    scaled: Array = numbers if overwrite else np.empty_like(numbers)
    with np.errstate(over="ignore"):
        for part in _parts_in_cache(numbers):
            piece = scaled[part]
            np.subtract(numbers[part], shift[part[1]], out=piece)
            piece /= spread[part[1]]
            np.clip(piece, -MAX_SCALED, MAX_SCALED, out=piece)
    return scaled


def _parts_in_cache(numbers: Array) -> list[tuple[slice, slice]]:
    """Return rows and columns of parts of a matrix that are adjacent in memory."""
    n_rows, n_columns = numbers.shape
    if numbers.size <= _CACHED_NUMBERS:
        return [(slice(n_rows), slice(n_columns))]
    if numbers.flags.f_contiguous:
        return [(slice(n_rows), slice(j, j + 1)) for j in range(n_columns)]
    step = max(1, _CACHED_NUMBERS // n_columns)
    return [(slice(a, a + step), slice(n_columns)) for a in range(0, n_rows, step)]


def _join_indicators(numbers: Array, table: CategoricalTable) -> Matrix:
    """Return numbers, followed by an indicator for each state, as a CSR array."""
    n_rows, n_numbers = numbers.shape
    ends = n_numbers + np.cumsum(table.n_states)
    entries = np.hstack([numbers != 0, table.codes != table.n_states])
    columns = np.empty(entries.shape, dtype=np.int32)
    columns[:, :n_numbers] = np.arange(n_numbers)
    for j, first in enumerate((ends - table.n_states).tolist()):
        columns[:, n_numbers + j] = table.codes[:, j]
        columns[:, n_numbers + j] += first
    values = np.ones(entries.shape)
    values[:, :n_numbers] = numbers
    starts = np.concatenate([[0], np.cumsum(entries.sum(axis=1))]).astype(np.int32)
    shape = (n_rows, int(ends[-1]))
    if entries.all():
        return checked_csr(values.reshape(-1), columns.reshape(-1), starts, shape)
    return checked_csr(values[entries], columns[entries], starts, shape)
