"""Frames and arrays → CategoricalTable."""

from collections.abc import Hashable
from functools import reduce
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.encode.column_plan import (
    GapColumn,
    IntervalColumn,
    LabelColumn,
    LabelSummary,
    RawColumns,
    free_name,
    interval_names,
)
from augury.encode.columns import (
    all_finite,
    column_names,
    nominal_by_dtype,
    read_nominal,
    read_numbers,
    row_blocks,
    slice_rows,
    take_rows,
)
from augury.encode.discretizers.binning import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from augury.encode.discretizers.cut_point_discretizer import find_interval
from augury.encode.discretizers.mdl import MDLDiscretizer
from augury.encode.nominal import Nominal
from augury.encode.requested_columns import requested_columns
from augury.encode.table import MISSING, CategoricalTable, code_dtype
from augury.fitted_state import (
    FittedStateError,
    check_columns_in,
    check_flags,
    check_integers,
    check_texts,
    require,
)
from augury.validation import (
    check_choice,
    check_flag,
    check_table,
    check_threads,
    check_training_weight,
    is_estimator,
    remember_columns,
)

MISSING_POLICIES = ("state", "replace", "ignore")
DISCRETIZERS = {
    "mdl": MDLDiscretizer,
    "frequency": EqualFrequencyDiscretizer,
    "width": EqualWidthDiscretizer,
}


class TableEncoder(BaseEstimator):
    """Make any frame or array a table of codes with declared states.

    Columns of text, category or boolean type are categorical: a category (or polars
    Enum) column has all its declared categories as states, in their order, a boolean
    one False and True, the others the labels that were seen in `fit`, sorted.
    Numbers are cut into intervals, or kept.

    A label that was not seen in `fit` never fails: its code is "left out", and models
    leave its factor out of their product. So it is with a value that is missing where
    none was missing in `fit`.

    Parameters
    ----------
    categorical_features : "from_dtype", "all", or a list of indices, names or booleans
        Which columns of numbers are labels too; None means "from_dtype".
    missing : {"state", "replace", "ignore"}
        Missing values are a state of their own in the columns that had any in `fit`;
        or they are replaced by the column's mode (ties: the first state) or mean; or
        left out.
    discretizer : {"mdl", "frequency", "width"}, a transformer with `cut_points_`, or None
        How numbers become intervals; None keeps them as numbers. A column of numbers
        that has gaps in `fit` then adds a categorical column that marks the gaps, if
        missing="state".
    keep_numbers : bool
        Whether numbers that are cut into intervals are kept as numbers as well.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.

    Attributes
    ----------
    n_states_ : declared number of states of each column of the table
    states_ : list with the states of each column of the table
    table_names_ : list with the names of the columns of the table
    number_names_ : list with the names of the columns that stay numbers
    cut_points_ : dict from a column's name to its cut points
    replacements_ : dict from a column's name to what replaces a missing value

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

    keep_numbers = False  # of encoders in model files of 0.1, which have no such parameter

    def __init__(
        self,
        categorical_features: Any = "from_dtype",
        missing: str = "state",
        discretizer: Any = "mdl",
        keep_numbers: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.keep_numbers = keep_numbers
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def fit(
        self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn states, cut points and replacements.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
        y : class of each row; needed where a supervised discretiser meets numbers
        sample_weight : weight of each row; a row of weight zero is as if it were not there
        """
        return self.learn(*self._check_training(X, y, sample_weight))

    def fit_transform(
        self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> CategoricalTable:
        """Fit, and return the table of the rows that have weight; X is read once."""
        return self.learn_and_encode(*self._check_training(X, y, sample_weight))

    def transform(self, X: Any) -> CategoricalTable:
        """Encode rows as `fit` has learned to."""
        check_is_fitted(self)
        return self.encode(check_table(self, X, reset=False))

    # ---- for models, which have checked rows and weights, and tell their own name -------

    def learn(
        self, X: Any, y: Any = None, weight: Array | None = None, owner: str | None = None
    ) -> Self:
        """Learn from rows that have been checked; `owner` is named in errors."""
        self._prepare(X, owner)
        blocks = row_blocks(X)
        if len(blocks) == 1:
            columns = self._read(X)
            self._learn(self._summarize(columns, weight), columns.numbers, y, weight)
        else:  # labels block by block: memory does not grow with the rows
            nominal = np.flatnonzero(self.is_nominal_)
            summaries = (
                self._summarize(
                    RawColumns(self._read_nominal(slice_rows(X, rows), nominal), np.empty((0, 0))),
                    None if weight is None else weight[rows],
                )
                for rows in blocks
            )
            merged = reduce(lambda a, b: list(map(add, a, b)), summaries)
            self._learn(merged, read_numbers(X, np.flatnonzero(~self.is_nominal_)), y, weight)
        return self

    def learn_and_encode(
        self, X: Any, y: Any = None, weight: Array | None = None, owner: str | None = None
    ) -> CategoricalTable:
        """Learn from rows that have been checked, and return their table; X is read once."""
        self._prepare(X, owner)
        columns = self._read(X)
        self._learn(self._summarize(columns, weight), columns.numbers, y, weight)
        return self._encode(columns)

    def encode(self, X: Any) -> CategoricalTable:
        """Encode rows that have been checked."""
        return self._encode(self._read(X))

    def unseen_labels(self, X: Any) -> dict[str, list[Hashable]]:
        """Return, by column, the labels of these rows that `fit` did not see."""
        check_is_fitted(self)
        columns = self._read(X)
        unseen = {c.name: c.unseen(columns) for c in self._columns if isinstance(c, LabelColumn)}
        return {name: labels for name, labels in unseen.items() if labels}

    def _check_fitted_state(self) -> None:
        """Raise unless every row of the table that it reads gets codes below the states."""
        check_choice("TableEncoder", "missing", self.missing, MISSING_POLICIES)
        check_threads("TableEncoder", self.n_jobs)
        require(isinstance(self._owner, str), self, "_owner", "a name")
        n_features = check_columns_in(self)
        names = check_texts(self, "feature_names_", n_features)
        require(len(set(names)) == n_features, self, "feature_names_", "distinct")
        nominal = check_flags(self, "is_nominal_", n_features)
        labels = [names[j] for j in np.flatnonzero(nominal)]
        numbers = [names[j] for j in np.flatnonzero(~nominal)]
        self._check_plan(labels, numbers)
        self._check_derived(numbers)

    def _check_plan(self, labels: list[str], numbers: list[str]) -> None:
        """Raise unless each column of labels has its plan, and numbers are cut or kept."""
        require(isinstance(self._columns, list), self, "_columns", "a list")
        sources: dict[type, list[str]] = {LabelColumn: [], IntervalColumn: [], GapColumn: []}
        for column in self._columns:
            require(type(column) in sources, self, "_columns", "plans of columns")
            column._check_fitted_state()
            named = labels if isinstance(column, LabelColumn) else numbers
            require(column.source < len(named), column, "source", f"below {len(named)}")
            sources[type(column)].append(named[column.source])
            if not isinstance(column, GapColumn):
                require(column.name == named[column.source], column, "name", "its column's")
        check_flag(type(self).__name__, "keep_numbers", self.keep_numbers)
        kept = numbers if self.discretizer is None or self.keep_numbers else []
        require(sources[LabelColumn] == labels, self, "_columns", "one for each label")
        cut = [name for name in numbers if name in sources[IntervalColumn]]
        wanted = [] if self.discretizer is None else numbers
        require(
            cut == wanted == sources[IntervalColumn], self, "_columns", "one for each cut number"
        )
        gaps = sources[GapColumn]
        fits = len(set(gaps)) == len(gaps) and (self.discretizer is None or not gaps)
        require(fits, self, "_columns", "at most one gap for each number")
        positions = [j for j, name in enumerate(self.feature_names_) if name in set(kept)]
        require(self._kept == positions, self, "_kept", "the columns that stay numbers")

    def _check_derived(self, numbers: list[str]) -> None:
        n_columns = len(self._columns)
        check_texts(self, "table_names_", n_columns)
        check_texts(self, "number_names_", len(self._kept))
        counts = check_integers(self, "n_states_", n_columns)
        fits = isinstance(self.states_, list) and all(
            isinstance(states, list | tuple) for states in self.states_
        )
        require(fits, self, "states_", "a list of states")
        fits = [list(states) for states in self.states_] == [list(c.states) for c in self._columns]
        require(fits, self, "states_", "those of its columns")
        wanted = [len(column.states) for column in self._columns]
        require(counts.tolist() == wanted, self, "n_states_", "the numbers of states")
        if self.missing == "replace":
            for name in numbers:
                mean = self.replacements_[name]
                if not (isinstance(mean, float) and np.isfinite(mean)):
                    raise FittedStateError(f"TableEncoder: replacements_[{name!r}] must be finite")

    # ---- reading ----------------------------------------------------------------------

    def _check_training(
        self, X: Any, y: Any, sample_weight: ArrayLike | None
    ) -> tuple[Any, Any, Array | None]:
        X = check_table(self, X, reset=True)
        weight = check_training_weight(type(self).__name__, sample_weight, len(X))
        if weight is not None and not weight.all():
            rows = weight > 0
            X, weight = take_rows(X, rows), weight[rows]
            y = None if y is None else np.asarray(y)[rows]
        return X, y, weight

    def _prepare(self, X: Any, owner: str | None) -> None:
        """Check the parameters, and see which columns are labels."""
        self._owner = type(self).__name__ if owner is None else owner
        check_choice(self._owner, "missing", self.missing, MISSING_POLICIES)
        check_flag(self._owner, "keep_numbers", self.keep_numbers)
        check_threads(self._owner, self.n_jobs)
        if isinstance(self.discretizer, str):
            check_choice(self._owner, "discretizer", self.discretizer, tuple(DISCRETIZERS))
        elif self.discretizer is not None and not is_estimator(self.discretizer):
            raise self._bad_discretizer()
        remember_columns(self, X)
        self.feature_names_ = column_names(X)
        self.is_nominal_ = nominal_by_dtype(X) | requested_columns(
            self._owner, self.categorical_features, self.feature_names_
        )

    def _bad_discretizer(self) -> TypeError:
        return TypeError(
            f"{self._owner}: discretizer must be one of {', '.join(map(repr, DISCRETIZERS))}, a "
            f"transformer with cut_points_, or None, got {self.discretizer!r}"
        )

    def _read(self, X: Any) -> RawColumns:
        return RawColumns(
            nominal=self._read_nominal(X, np.flatnonzero(self.is_nominal_)),
            numbers=read_numbers(X, np.flatnonzero(~self.is_nominal_)),
        )

    def _read_nominal(self, X: Any, columns: Array) -> list[Nominal]:
        return read_nominal(X, columns, n_threads=check_threads(self._owner, self.n_jobs))

    # ---- learning ---------------------------------------------------------------------

    def _summarize(self, columns: RawColumns, weight: Array | None) -> list[LabelSummary]:
        weigh = self.missing == "replace"
        return [LabelSummary.of(nominal, weight, weigh=weigh) for nominal in columns.nominal]

    def _learn(
        self, summaries: list[LabelSummary], numbers: Array, y: Any, weight: Array | None
    ) -> None:
        self.replacements_: dict[str, Any] = {}
        self.cut_points_: dict[str, Array] = {}
        nominal_at = np.flatnonzero(self.is_nominal_).tolist()
        number_at = np.flatnonzero(~self.is_nominal_).tolist()
        plan: dict[int, Any] = {
            j: self._plan_labels(j, k, summaries[k]) for k, j in enumerate(nominal_at)
        }
        complete = all_finite(numbers)
        gaps = [not complete and bool(np.isnan(column).any()) for column in numbers.T]
        if self.missing == "replace":
            for k, j in enumerate(number_at):
                self.replacements_[self.feature_names_[j]] = _mean(numbers[:, k], weight)
        if self.discretizer is not None and number_at:
            cuts_of_all = self._learn_cuts(self._replace(numbers), y, weight)
            for k, j in enumerate(number_at):
                plan[j] = self._plan_intervals(j, k, cuts_of_all[k], gap=gaps[k])
        elif self.missing == "state":
            names = self.feature_names_
            for k, j in enumerate(number_at):
                if gaps[k]:
                    # After all the other columns: it is not one of the user's.
                    name = free_name(f"{names[j]} is missing", names)
                    plan[len(names) + j] = GapColumn(name, k)
        self._columns = [plan[j] for j in sorted(plan)]
        self._kept = number_at if self.discretizer is None or self.keep_numbers else []
        self.states_ = [column.states for column in self._columns]
        self.table_names_ = [column.name for column in self._columns]
        self.number_names_ = [self.feature_names_[j] for j in self._kept]
        self.n_states_ = np.array([len(states) for states in self.states_], dtype=np.int64)

    def _plan_labels(self, j: int, source: int, summary: LabelSummary) -> LabelColumn:
        name, states = self.feature_names_[j], summary.states()
        missing_code = len(states)  # left out …
        if summary.gap and self.missing == "state":
            states.append(MISSING)  # … unless the next state is made for it
        elif self.missing == "replace" and states:
            self.replacements_[name] = summary.mode()
            missing_code = states.index(summary.mode())
        return LabelColumn(name, source, states, missing_code)

    def _learn_cuts(self, numbers: Array, y: Any, weight: Array | None) -> list[Array]:
        if isinstance(self.discretizer, str):
            discretizer = DISCRETIZERS[self.discretizer]()
            if "n_jobs" in discretizer.get_params():
                discretizer.set_params(n_jobs=self.n_jobs)
        else:
            discretizer = clone(self.discretizer)
        if y is None and discretizer.__sklearn_tags__().target_tags.required:
            raise ValueError(
                f"{self._owner} requires y to be passed, but the target y is None: "
                f"{type(discretizer).__name__} finds cut points by the class"
            )
        discretizer.fit(numbers, y, sample_weight=weight)
        if not hasattr(discretizer, "cut_points_"):
            raise self._bad_discretizer()
        return list(discretizer.cut_points_)

    def _plan_intervals(self, j: int, source: int, cuts: Array, *, gap: bool) -> IntervalColumn:
        name = self.feature_names_[j]
        self.cut_points_[name] = cuts
        states: list[Hashable] = list(interval_names(cuts))
        missing_code = len(states)  # left out …
        if gap and self.missing == "state":
            states.append(MISSING)  # … unless the next state is made for it
        elif self.missing == "replace":
            missing_code = int(find_interval(np.array([self.replacements_[name]]), cuts)[0])
        return IntervalColumn(name, source, cuts, states, missing_code)

    # ---- encoding ---------------------------------------------------------------------

    def _replace(self, numbers: Array) -> Array:
        if self.missing != "replace" or not np.isnan(numbers).any():
            return numbers
        means = [
            self.replacements_[name]
            for name, nominal in zip(self.feature_names_, self.is_nominal_, strict=True)
            if not nominal
        ]
        return np.where(np.isnan(numbers), means, numbers)

    def _encode(self, columns: RawColumns) -> CategoricalTable:
        n_samples = len(columns.nominal[0].codes) if columns.nominal else len(columns.numbers)
        dtype = code_dtype(int(self.n_states_.max(initial=0)))
        codes = np.empty((n_samples, len(self._columns)), dtype=dtype, order="F")
        for k, column in enumerate(self._columns):
            codes[:, k] = column.encode(columns)
        return CategoricalTable(
            codes=codes,
            states=tuple(self.states_),
            names=tuple(column.name for column in self._columns),
            numbers=self._replace(columns.numbers) if self._kept else np.empty((n_samples, 0)),
            number_names=tuple(self.number_names_),
        )


def _mean(values: Array, weight: Array | None) -> float:
    """Return the weighted mean of the values that are there; 0 if none is."""
    there = ~np.isnan(values)
    if not there.any():
        return 0.0
    per_row = np.ones(int(there.sum())) if weight is None else weight[there]
    # Added up row by row as WEKA does, not pairwise: the mean may become a cut point.
    return float(np.cumsum(values[there] * per_row)[-1] / np.cumsum(per_row)[-1])
