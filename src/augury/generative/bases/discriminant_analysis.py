"""Base classes of the discriminant analyses: multivariate normal classes over mixed columns."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array
from augury.counts import floored_log
from augury.counts.class_scatter import ClassScatter
from augury.counts.smoothing import SMALLEST
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.matrix import NumberMatrix, number_matrix
from augury.fitted_state import (
    check_floats,
    check_integers,
    check_logs,
    check_part,
    check_texts,
    require,
)
from augury.generative.bases.blas_threads import with_n_jobs
from augury.generative.bases.generative_classifier import GenerativeClassifier
from augury.generative.bases.training_rows import ModelRows
from augury.generative.densities.class_covariances import ClassCovariances
from augury.time_limit import require_time
from augury.validation import check_choice, check_distribution, check_number

# Time of a step of a Cholesky factorization (d³ / 3 of them), of one density whatever its size,
# and of the density of one row whatever its size.
_NS_OF_STEP = 0.03
_NS_OF_DENSITY = 100_000
_NS_OF_ROW = 30


class NumberModel(GenerativeClassifier[ClassScatter]):
    """Base class of the models that read mixed rows as a matrix of numbers.

    Labels become indicators of all states but the most frequent one of each column. A missing
    value or an unseen label takes the mean of its column over the training rows. `_numbers`
    returns the rows as a matrix. A subclass sets `_varying`, the columns that it uses, and
    `log_prior_`.
    """

    priors: ArrayLike | None
    ridge: float

    def _check_parameters(self) -> None:
        check_number(self._owner, "ridge", self.ridge, at_least=0)

    def _make_encoder(self) -> TableEncoder:
        return TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=None,
            n_jobs=self.n_jobs,
        )

    # ---- mixed rows → numbers ---------------------------------------------------------

    @with_n_jobs
    def _learn_structure(self, training: ModelRows) -> None:
        """Learn the reference state of each column of labels, and the means of columns."""
        columns = training.total(ColumnLevels.collect)
        counts = columns.states
        self._reference = [int(np.argmax(count)) if len(count) else 0 for count in counts]
        shares = [
            np.delete(count, k) / max(count.sum(), SMALLEST)
            for count, k in zip(counts, self._reference, strict=True)
            if len(count)
        ]
        self.fill_values_: Array = np.concatenate([columns.means.mean, *shares])
        self.column_names_: tuple[str, ...] = self._matrix(training.first(_no_rows)).names
        self._require_time(columns.n_rows)

    def _n_densities(self) -> int:
        """Return the number of normal densities that `fit` estimates."""
        return len(self.classes_)

    def _n_evaluations(self, n_rows: int) -> int:
        """Return the number of times that `fit` computes the density of a row."""
        return 0

    def _require_time(self, n_rows: int) -> None:
        """Raise if the densities take too long."""
        n = self._n_densities()
        self._require_densities(
            n, self._n_evaluations(n_rows), f"the {n:,} normal densities", n_rows
        )

    def _require_densities(
        self,
        n_factors: int,
        n_evaluations: int,
        what: str,
        n_rows: int,
        *,
        n_separate: int | None = None,
    ) -> None:
        """Raise if normal densities take too long.

        With d columns, a factor takes d³ / 3 steps, and the density of a row d² steps.

        Parameters
        ----------
        n_factors : number of Cholesky factorizations
        n_evaluations : number of densities of a row
        what : description of the densities
        n_rows : number of rows
        n_separate : number of densities, each of which takes time whatever its size; None means
            `n_factors`
        """
        n_columns = len(self.fill_values_)
        steps = n_factors * (n_columns**3 // 3)
        steps += (n_factors if n_separate is None else n_separate) * int(
            _NS_OF_DENSITY / _NS_OF_STEP
        )
        steps += n_evaluations * (n_columns**2 + int(_NS_OF_ROW / _NS_OF_STEP))
        require_time(
            steps,
            _NS_OF_STEP,
            f"{what} of {n_columns:,} columns (an indicator of a state is one)",
            n_rows=n_rows,
            advice="use fewer columns, or take a model without covariances, such as NaiveBayes or "
            "LogisticRegression",
        )

    def _matrix(self, table: CategoricalTable) -> NumberMatrix:
        """Return the rows as numbers; a missing value is NaN."""
        return number_matrix(table, self._reference, left_out=np.nan)

    def _numbers(self, table: CategoricalTable) -> Array:
        """Return the rows as numbers, missing values replaced; not a copy if none is missing."""
        values = self._matrix(table).values
        if values.size and np.isnan(values.min()):
            values = np.where(np.isnan(values), self.fill_values_, values)
        return values

    def _select(self, numbers: Array) -> Array:
        """Return the columns that varied in training."""
        if len(self._varying) == numbers.shape[1]:
            return numbers
        part: Array = numbers[:, self._varying]
        return part

    def _require_finite(self, statistics: ClassScatter) -> None:
        wrong = ~np.isfinite(statistics.total_variance)
        if wrong.any():
            raise ValueError(
                f"{self._owner}: column {self.column_names_[int(np.argmax(wrong))]!r} must hold "
                "numbers whose squares can be added, got larger ones: divide it by a constant"
            )

    def _log_prior(self, weight: Array) -> Array:
        """Return log p(c), from the weight of the rows of each class or from `priors`."""
        if self.priors is None:
            return floored_log(weight / weight.sum())
        return floored_log(
            check_distribution(self._owner, "priors", self.priors, len(self.classes_))
        )

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        encoder = self.encoder_
        require(encoder.discretizer is None, self, "encoder_", "one that keeps numbers")
        n_states = encoder.n_states_.tolist()
        fits = isinstance(self._reference, list) and all(
            type(k) is int and 0 <= k < max(n, 1)
            for k, n in zip(self._reference, n_states, strict=True)
        )
        require(fits, self, "_reference", "a state of each column of labels")
        n_columns = len(encoder.number_names_) + sum(max(n - 1, 0) for n in n_states)
        check_floats(self, "fill_values_", n_columns)
        check_texts(self, "column_names_", n_columns)
        check_logs(self, "log_prior_", len(self.classes_))
        varying = check_integers(self, "_varying", None, high=n_columns - 1)
        fits = bool((np.diff(varying) > 0).all())
        require(fits, self, "_varying", "distinct columns in their order")


class DiscriminantAnalysis(NumberModel):
    """Base class of the models in which the rows of a class are multivariate normal.

    A subclass writes `_estimate_densities`, `_check_densities` and `_log_joint`.
    """

    covariance: str

    # Whether the statistics keep one scatter matrix for all classes.
    _pooled = False

    def _n_densities(self) -> int:
        return 1 if self._pooled else len(self.classes_)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self._owner, "covariance", self.covariance, ("ml", "unbiased"))

    @with_n_jobs
    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> ClassScatter:
        numbers = self._numbers(table)
        return ClassScatter.collect(numbers, y, len(self.classes_), weight, pooled=self._pooled)

    # ---- statistics → normal distributions --------------------------------------------

    @with_n_jobs
    def _estimate(self, statistics: ClassScatter) -> None:
        self._require_finite(statistics)
        self.log_prior_: Array = self._log_prior(statistics.weight)
        estimates = self._covariances_of(statistics)
        self._varying = estimates.varying
        self.means_: Array = np.where(
            statistics.weight[:, None] > 0, statistics.mean, statistics.total_mean
        )
        self._estimate_densities(estimates)

    def _covariances_of(self, statistics: ClassScatter) -> ClassCovariances:
        return ClassCovariances(statistics, unbiased=self.covariance == "unbiased")

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        shape = len(self.classes_), len(self.fill_values_)
        check_floats(self, "means_", *shape)
        statistics = check_part(self, "statistics_", ClassScatter)
        statistics._check_fitted_state()
        fits = statistics.mean.shape == shape and statistics.pooled == self._pooled
        require(fits, self, "statistics_", "of its classes and columns")
        self._check_densities()

    @abstractmethod
    def _check_densities(self) -> None:
        """Raise unless the fitted densities have the columns that vary."""

    @abstractmethod
    def _estimate_densities(self, estimates: ClassCovariances) -> None:
        """Set the fitted attributes that `_log_joint` needs."""


@dataclass(frozen=True, eq=False)
class ColumnMeans:
    """Weight and mean of the values of each column that are not missing; they add."""

    weight: Array
    mean: Array

    @classmethod
    def collect(cls, numbers: Array, weight: Array | None) -> ColumnMeans:
        """Collect rows of numbers; NaN is missing."""
        per_row = np.ones(len(numbers)) if weight is None else weight
        weights = np.full(numbers.shape[1], per_row.sum())
        means = per_row @ numbers / per_row.sum()
        for j in np.flatnonzero(np.isnan(means)):
            there = ~np.isnan(numbers[:, j])
            values, share = numbers[there, j], per_row[there]
            weights[j], means[j] = share.sum(), 0.0
            if len(values):  # relative to the first value, so that a constant is its own mean
                means[j] = values[0] + share @ (values - values[0]) / share.sum()
        return cls(weight=weights, mean=means)

    def __add__(self, other: ColumnMeans) -> ColumnMeans:
        total = self.weight + other.weight
        share = np.divide(other.weight, total, out=np.zeros_like(total), where=total > 0)
        return ColumnMeans(total, self.mean + (other.mean - self.mean) * share)


@dataclass(frozen=True, eq=False)
class ColumnLevels:
    """Weight of each state of each column of labels, and means of the numbers; they add."""

    states: tuple[Array, ...]
    means: ColumnMeans
    n_rows: int

    @classmethod
    def collect(cls, table: CategoricalTable, _: Array, weight: Array | None) -> ColumnLevels:
        """Collect rows; values that are left out do not count."""
        states = tuple(
            np.bincount(table.codes[:, j], weight, n + 1)[:n].astype(np.float64)
            for j, n in enumerate(table.n_states.tolist())
        )
        return cls(states, ColumnMeans.collect(table.numbers, weight), table.n_samples)

    def __add__(self, other: ColumnLevels) -> ColumnLevels:
        states = tuple(a + b for a, b in zip(self.states, other.states, strict=True))
        return ColumnLevels(states, self.means + other.means, self.n_rows + other.n_rows)


def _no_rows(table: CategoricalTable, *_: Array | None) -> CategoricalTable:
    return table.take(slice(0))
