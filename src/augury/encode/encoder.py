"""Frames and arrays become a `CategoricalTable`."""

from collections.abc import Hashable, Iterable, Sequence
from functools import partial, reduce
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.encode.column_plan import (
    ColumnPlan,
    IntervalColumn,
    LabelColumn,
    RawColumns,
    lowest_integers,
)
from augury.encode.column_planner import ColumnPlanner
from augury.encode.column_summaries import LabelSummary, NumberSummary, fill_missing
from augury.encode.columns import (
    column_names,
    nominal_by_dtype,
    read_nominal,
    read_number_columns,
    read_numbers,
    read_once,
    row_blocks,
    slice_rows,
    take_rows,
)
from augury.encode.discretizers.learned_cuts import Discretizer, check_discretizer, learn_cuts
from augury.encode.encoder_checks import check_encoder_parameters, check_fitted_encoder
from augury.encode.infrequent_labels import Grouping
from augury.encode.nominal import Nominal
from augury.encode.requested_columns import RequestedColumns, requested_columns
from augury.encode.table import CategoricalTable, code_dtype, join_codes
from augury.encode.training_summaries import summarize_labels, summarize_numbers
from augury.foreign import Labels, Table
from augury.kernels import shift_integers
from augury.validation import (
    check_table,
    check_threads,
    check_training_weight,
    remember_columns,
)


class TableEncoder(BaseEstimator):
    """Encode a frame or an array as a table of codes with declared states.

    Columns of text, category or boolean type are categorical. The states of a category column
    (or polars Enum) are all its declared categories, in their order. The states of a boolean
    column are False and True. The states of other columns are the labels seen in `fit`, sorted.
    Numbers are cut into intervals, or kept as numbers.

    Labels other than text, numbers and booleans, such as the intervals of `pandas.cut`, dates and
    bytes, become text.

    Infrequent labels may share one state, `INFREQUENT` (`min_frequency`, `max_states`).

    A label that was not seen in `fit` does not raise an error: its code is "left out", and models
    leave its factor out of their product. The same holds for a missing value in a column that
    had none in `fit`.

    Parameters
    ----------
    categorical_features : "from_dtype", "all", or a list of indices, names or booleans
        Which columns of numbers are read as labels; None means "from_dtype".
    missing : {"state", "replace", "ignore"}
        "state": missing values are a state of their own in the columns that had any in `fit`.
        "replace": they are replaced by the mode (ties: the first state) or mean of the column.
        "ignore": they are left out.
    discretizer : {"mdl", "frequency", "width"}, a transformer with `cut_points_`, or None
        How numbers become intervals; None keeps them as numbers. With None and missing="state",
        a column of numbers that has missing values in `fit` adds a categorical column that
        marks them.
    keep_numbers : bool
        Whether numbers that are cut into intervals are also kept as numbers.
    min_frequency : int, float in (0, 1), "auto" or None
        Labels of fewer rows share one state: a number of rows, or a share of the rows that have a
        label in this column. "auto": in columns with at least 20 labels, and more labels than a
        tenth of the rows, labels of fewer than five rows share one state; declared categories
        keep their states. None: every label has its own state.
    max_states : int or None
        Maximum number of states of a column of labels, the shared state included. The labels of
        most rows keep their states. The state of missing values does not count.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core.

    Attributes
    ----------
    n_states_ : declared number of states of each column of the table
    states_ : list of the states of each column of the table
    table_names_ : list of the names of the columns of the table
    number_names_ : list of the names of the columns that stay numbers
    cut_points_ : dict from the name of a column to its cut points
    replacements_ : dict from the name of a column to the value that replaces a missing one
    infrequent_labels_ : dict from the name of a column to the labels that share a state

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.encode import TableEncoder
    >>> X = pd.DataFrame({"sky": ["sun", "rain", None, "sun"], "wind": [1.0, 2.0, 7.0, 9.0]})
    >>> table = TableEncoder().fit(X, ["go", "go", "stay", "stay"]).transform(X)
    >>> table.codes.tolist()
    [[1, 0], [0, 0], [2, 1], [1, 1]]
    >>> table.states
    (['rain', 'sun', <missing>], ['(-inf, 4.5]', '(4.5, inf)'])
    """

    is_nominal_: BoolArray
    states_: list[Sequence[Hashable]]

    # For encoders in model files of 0.1, which lack these parameters and this attribute.
    keep_numbers: bool = False
    min_frequency: float | str | None = None
    max_states: int | None = None
    _lowest: IntegerArray | None = None

    def __init__(
        self,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        keep_numbers: bool = False,
        min_frequency: float | str | None = None,
        max_states: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.keep_numbers = keep_numbers
        self.min_frequency = min_frequency
        self.max_states = max_states
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def fit(self, X: Table, y: Labels = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learn states, cut points and replacements.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
        y : class of each row; needed if a supervised discretiser cuts numbers
        sample_weight : weight of each row; a row of weight zero has no effect
        """
        return self.learn(*self._check_training(X, y, sample_weight))

    def fit_transform(
        self, X: Table, y: Labels = None, sample_weight: ArrayLike | None = None
    ) -> CategoricalTable:
        """Fit, and return the table of the rows with a positive weight; X is read once."""
        return self.learn_and_encode(*self._check_training(X, y, sample_weight))

    def transform(self, X: Table) -> CategoricalTable:
        """Encode rows with the learned states and cut points."""
        check_is_fitted(self)
        return self.encode(check_table(self, X, reset=False))

    # ---- methods for models, which check rows and weights themselves -------------------

    def learn(
        self,
        X: Table,
        y: Labels = None,
        weight: FloatArray | None = None,
        owner: str | None = None,
    ) -> Self:
        """Learn from rows that have been checked; `owner` is named in errors."""
        self._prepare(X, owner)
        blocks = row_blocks(X)
        if len(blocks) == 1:
            columns = self._read(X)
            self._learn_rows(self._summarize(columns.nominal, weight), columns.numbers, y, weight)
            return self
        # Labels are read block by block: memory does not grow with the number of rows.
        summaries = (
            self._summarize(
                self._read_nominal(slice_rows(X, rows)),
                None if weight is None else weight[rows],
                is_whole=False,
            )
            for rows in blocks
        )
        merged = reduce(lambda a, b: list(map(add, a, b)), summaries)
        self._learn_rows(merged, read_number_columns(X, self._numeric), y, weight)
        return self

    def learn_and_encode(
        self,
        X: Table,
        y: Labels = None,
        weight: FloatArray | None = None,
        owner: str | None = None,
    ) -> CategoricalTable:
        """Learn from rows that have been checked, and return their table; X is read once."""
        self._prepare(X, owner)
        columns = self._read(X)
        self._learn_rows(self._summarize(columns.nominal, weight), columns.numbers, y, weight)
        return self._encode(columns)

    def learn_summaries(
        self,
        header: Table,
        columns: Sequence[LabelSummary | NumberSummary],
        owner: str | None = None,
    ) -> Self:
        """Learn from the summaries of all rows, one for each column of `header`.

        `header` is a table that has the names of the columns; its rows are not read. The columns
        that `categorical_features` names have summaries of labels.
        """
        self._check_learning(header, owner)
        self.is_nominal_ = np.array([isinstance(c, LabelSummary) for c in columns], dtype=bool)
        self._learn(columns)
        return self

    def learn_plans(self, header: Table, plans: Sequence[LabelColumn | IntervalColumn]) -> Self:
        """Take the plans of columns that another encoder has learned, one for each column.

        `header` is a table that has the names of the columns; its rows are not read.
        """
        self._check_learning(header, None)
        self.is_nominal_ = np.array([isinstance(p, LabelColumn) for p in plans], dtype=bool)
        self.replacements_: dict[str, Any] = {}
        self.cut_points_: dict[str, FloatArray] = {
            p.name: p.cuts for p in plans if isinstance(p, IntervalColumn)
        }
        self._keep_plans(list(plans))
        return self

    def encode(self, X: Table) -> CategoricalTable:
        """Encode rows that have been checked."""
        codes = self._shift_integers(X) if type(X) is np.ndarray else None
        if codes is not None:
            return self._table(codes, np.empty((len(codes), 0)))
        return self._encode(self._read(X))

    def _shift_integers(self, X: Array) -> IntegerArray | None:
        """Return the codes of a matrix of integers in one pass; None if that is not possible."""
        if self._lowest is None or X.dtype.kind not in "iu" or X.dtype == np.uint64:
            return None
        n_threads = check_threads(self._owner, self.n_jobs)
        dtype = code_dtype(int(self.n_states_.max(initial=0)))
        if dtype == np.uint32:
            return None
        return shift_integers(X, self._lowest, self.n_states_, dtype, n_threads=n_threads)

    def unseen_labels(self, X: Table) -> dict[str, list[Hashable]]:
        """Return, by column, the labels of these rows that `fit` did not see."""
        check_is_fitted(self)
        columns = self._read(X)
        unseen = {c.name: c.unseen(columns) for c in self._columns if isinstance(c, LabelColumn)}
        return {name: labels for name, labels in unseen.items() if labels}

    def source_columns(self) -> tuple[IntegerArray, IntegerArray]:
        """Return the indices of X's columns that the columns of codes and of numbers are read from.

        A column that marks missing values is read from the column that has them.
        """
        nominal, numeric = np.flatnonzero(self.is_nominal_), np.flatnonzero(~self.is_nominal_)
        of_codes = [
            (nominal if isinstance(column, LabelColumn) else numeric)[column.source]
            for column in self._columns
        ]
        return np.array(of_codes, dtype=np.intp), np.array(self._kept, dtype=np.intp)

    def _check_fitted_state(self) -> None:
        check_fitted_encoder(self)

    # ---- reading ----------------------------------------------------------------------

    def _check_training(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None
    ) -> tuple[Table, Labels, FloatArray | None]:
        X = check_table(self, X, reset=True)
        weight = check_training_weight(type(self).__name__, sample_weight, len(X))
        if weight is not None and not weight.all():
            rows: BoolArray = weight > 0
            X, weight = take_rows(X, rows), weight[rows]
            y = None if y is None else np.asarray(y)[rows]
        return X, y, weight

    def _prepare(self, X: Table, owner: str | None) -> None:
        """Check the parameters, and find which columns are labels."""
        self._check_learning(X, owner)
        self.is_nominal_ = nominal_by_dtype(X) | requested_columns(
            self._owner, self.categorical_features, self.feature_names_
        )

    def _check_learning(self, X: Table, owner: str | None) -> None:
        self._owner = type(self).__name__ if owner is None else owner
        check_encoder_parameters(self, self._owner)
        check_discretizer(self._owner, self.discretizer)
        remember_columns(self, X)
        self.feature_names_: list[str] = column_names(X)

    def _read(self, X: Table) -> RawColumns:
        rows = read_once(X)  # one reader of labels and numbers
        nominal = self._read_nominal(rows)
        if self.discretizer is None or self.keep_numbers:
            matrix = self._read_numbers(rows)
            return RawColumns(nominal, list(matrix.T), matrix)
        return RawColumns(nominal, read_number_columns(rows, self._numeric))

    @property
    def _numeric(self) -> IntegerArray:
        return np.flatnonzero(~self.is_nominal_)

    def _read_nominal(self, X: Table) -> list[Nominal]:
        n_threads = check_threads(self._owner, self.n_jobs)
        return read_nominal(X, np.flatnonzero(self.is_nominal_), n_threads=n_threads)

    def _read_numbers(self, X: Table) -> FloatArray:
        return read_numbers(X, self._numeric)

    # ---- learning ---------------------------------------------------------------------

    @property
    def _grouping(self) -> Grouping:
        return Grouping(self.min_frequency, self.max_states)

    @property
    def infrequent_labels_(self) -> dict[str, list[Hashable]]:
        """Labels that share a state, by the name of the column."""
        check_is_fitted(self, "n_states_")
        labels = (column for column in self._columns if isinstance(column, LabelColumn))
        return {column.name: list(column.infrequent) for column in labels if column.infrequent}

    def _summarize(
        self, columns: Iterable[Nominal], weight: FloatArray | None, *, is_whole: bool = True
    ) -> list[LabelSummary]:
        replaces = self.missing == "replace"
        return summarize_labels(
            columns, weight, self._grouping, replaces=replaces, is_whole=is_whole
        )

    def _learn_rows(
        self,
        labels: list[LabelSummary],
        numbers: list[FloatArray],
        y: Labels,
        weight: FloatArray | None,
    ) -> None:
        find_cuts = None
        if self.discretizer is not None:
            find_cuts = partial(
                learn_cuts, self._owner, self.discretizer, y=y, weight=weight, n_jobs=self.n_jobs
            )
        summaries = summarize_numbers(
            numbers,
            weight,
            replaces=self.missing == "replace",
            find_cuts=find_cuts,
        )
        of_labels, of_numbers = iter(labels), iter(summaries)
        columns: list[LabelSummary | NumberSummary] = [
            next(of_labels) if nominal else next(of_numbers) for nominal in self.is_nominal_
        ]
        self._learn(columns)

    def _learn(self, columns: Sequence[LabelSummary | NumberSummary]) -> None:
        planner = ColumnPlanner(self.feature_names_, self.missing, self._grouping)
        plans = planner.plan(columns)
        self.replacements_ = planner.replacements
        self.cut_points_ = planner.cut_points
        self._keep_plans(plans)

    def _keep_plans(self, plans: list[ColumnPlan]) -> None:
        self._columns = plans
        number_at: list[int] = self._numeric.tolist()
        self._kept = number_at if self.discretizer is None or self.keep_numbers else []
        self.states_ = [column.states for column in self._columns]
        self.table_names_: list[str] = [column.name for column in self._columns]
        self.number_names_: list[str] = [self.feature_names_[j] for j in self._kept]
        self.n_states_: IntegerArray = np.array([len(s) for s in self.states_], dtype=np.int64)
        self._lowest = lowest_integers(self._columns, len(self.feature_names_))

    # ---- encoding ---------------------------------------------------------------------

    def _replace(self, numbers: FloatArray) -> FloatArray:
        if self.missing != "replace":
            return numbers
        return fill_missing(
            numbers, [self.replacements_[self.feature_names_[j]] for j in self._numeric.tolist()]
        )

    def _encode(self, columns: RawColumns) -> CategoricalTable:
        n_samples = len(columns.nominal[0].codes if columns.nominal else columns.numbers[0])
        codes = join_codes(
            (column.encode(columns) for column in self._columns),
            (n_samples, len(self._columns)),
            int(self.n_states_.max(initial=0)),
        )
        kept = np.empty((n_samples, 0)) if columns.matrix is None else columns.matrix
        return self._table(codes, self._replace(kept))

    def _table(self, codes: IntegerArray, numbers: FloatArray) -> CategoricalTable:
        return CategoricalTable(
            codes=codes,
            states=tuple(self.states_),
            names=tuple(self.table_names_),
            numbers=numbers,
            number_names=tuple(self.number_names_),
        )
