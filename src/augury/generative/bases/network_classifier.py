"""Base classes of the models whose columns have other columns as parents."""

from abc import abstractmethod
from collections.abc import Container
from itertools import accumulate
from math import prod

import numpy as np

from augury.arrays import Array
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.counts import (
    FamilyCounts,
    code_families,
    laplace_log_probability,
    log_probability_given_parents,
    require_families,
)
from augury.counts.family_counts import family_shape
from augury.counts.sparse_table import CountTable, SparseTable
from augury.encode import CategoricalTable
from augury.fitted_state import check_integers, check_logs, check_part, require
from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.bases.leaves_one_out import LeavesOneOut
from augury.generative.bases.statistics import S
from augury.generative.bases.training_counts import TrainingCounts
from augury.generative.bases.training_rows import ModelRows
from augury.generative.leave_one_out.counts import log_prior_without
from augury.generative.leave_one_out.family_counts import (
    log_class_given_parents_without,
    log_given_parents_without,
)
from augury.kernels import add_log_factors
from augury.structure import Structure
from augury.structure.drawing import NamedStructure
from augury.validation import check_number

# Tables of the size of a family's counts that are in memory while it is estimated: the counts
# with sums, intermediate results, the logarithm.
_TABLES_TO_ESTIMATE = 6

# Family codes that are computed at once.
_CODES_AT_ONCE = 1 << 22


class NetworkClassifier(DrawsStructure, ExplainsLogOdds, LeavesOneOut[S], CategoricalClassifier[S]):
    """Base class of the models p(c, x) = p(c) Π_i p(x_i | parents of i, c).

    In a general structure the class need not be a parent of every column, and may have
    parents itself: p(c | parents of c).

    A subclass writes `_collect`; `_estimate`, which sets `structure_` unless `_learn_structure`
    has done so and calls `_estimate_families`; `_families`, the family counts in the
    statistics; and `_check_statistics_state`.
    """

    # Parameters of every network; each subclass states them in its own __init__.
    alpha: float
    equivalent_sample_size: float

    structure_: Structure

    # Alpha and the equivalent sample size of `fit`, by which sparse families are estimated later.
    # Model files of augury 0.1 do not have it, and no sparse families.
    _smoothing: tuple[float, float] = (1.0, 0.0)

    def _check_parameters(self) -> None:
        check_number(self._owner, "alpha", self.alpha, at_least=0)
        check_number(self._owner, "equivalent_sample_size", self.equivalent_sample_size, at_least=0)

    def _estimate_families(self, families: FamilyCounts) -> None:
        q = len(self.classes_)
        dense = {i: t for i, t in enumerate(families.tables) if not isinstance(t, SparseTable)}
        members = [(*families.parents[i], i) for i in dense]
        # Log probabilities, and a copy while they are concatenated.
        require_families(families.n_states, members, q, copies=2)
        largest = sorted(members, key=lambda family: dense[family[-1]].size)[-1:]
        require_families(families.n_states, largest, q, copies=_TABLES_TO_ESTIMATE)
        self.log_prior_: Array = laplace_log_probability(families.class_counts, self.alpha)
        # The estimates of sparse counts are computed when they are needed.
        self._smoothing = float(self.alpha), float(self.equivalent_sample_size)
        tables = [
            self._log_table_of(i, dense[i]) if i in dense else np.zeros((0, q))
            for i in range(len(families.tables))
        ]
        if isinstance(families.class_table, SparseTable):
            tables.append(np.zeros((0, q)))
        elif families.class_table is not None:
            # The class is treated as a column in one class; no row leaves it out.
            counts = families.class_table[..., None]
            padded = np.concatenate([counts, np.zeros_like(counts[..., :1, :])], axis=-2)
            estimate = self._log_given_parents(padded)
            tables.append(estimate[..., :-1, 0])
        flat = [table.reshape(-1, q) for table in tables]
        self._log_table = np.concatenate([*flat, np.zeros((0, q))])
        self._offsets = np.cumsum([0, *(len(table) for table in flat)])

    def _log_table_of(self, column: int, counts: Array) -> Array:
        if self.structure_.has_class(column):
            return self._log_given_parents(counts)
        of_all = counts.sum(axis=-1, keepdims=True)
        return np.broadcast_to(self._log_given_parents(of_all), counts.shape)

    def _log_given_parents(self, counts: Array) -> Array:
        return log_probability_given_parents(counts, self.alpha, self.equivalent_sample_size)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_states, n_classes = self.encoder_.n_states_, len(self.classes_)
        structure = check_part(self, "structure_", Structure)
        require(structure.n_features == len(n_states), self, "structure_", "of its columns")
        structure._check_fitted_state()
        check_logs(self, "log_prior_", n_classes)
        families = [(above, i) for i, above in enumerate(structure.parents)]
        if structure.class_parents:
            *others, last = structure.class_parents
            families.append((tuple(others), last))
        self._check_statistics_state()
        smoothing = self._smoothing
        fits = isinstance(smoothing, tuple) and len(smoothing) == 2
        fits = fits and all(type(m) is float and 0 <= m < np.inf for m in smoothing)
        require(fits, self, "_smoothing", "two numbers >= 0")
        sparse = self._sparse_tables()
        sizes = [
            0 if at in sparse else prod(family_shape(n_states, above, i))
            for at, (above, i) in enumerate(families)
        ]
        offsets = check_integers(self, "_offsets", len(sizes) + 1)
        fits = offsets.dtype == np.int64 and offsets.tolist() == list(accumulate([0, *sizes]))
        require(fits, self, "_offsets", "where each column's families begin")
        check_logs(self, "_log_table", sum(sizes), n_classes)

    @abstractmethod
    def _check_statistics_state(self) -> None:
        """Raise unless `statistics_` are of the model's classes, columns and structure."""

    @property
    @abstractmethod
    def _families(self) -> FamilyCounts:
        """Counts of the families of `structure_`."""

    def _sparse_tables(self) -> dict[int, SparseTable]:
        """Return the sparse tables of the families, by column; that of the class is the last."""
        return {}

    def _log_joint(self, table: CategoricalTable) -> Array:
        joint = np.empty((table.n_samples, len(self.classes_)))
        joint[:] = 0.0 if self.structure_.class_parents else self.log_prior_
        sparse = self._sparse_tables()
        offsets = self._offsets[self._dense_families(sparse)]
        offsets = np.append(offsets, self._offsets[-1])
        step = max(1, _CODES_AT_ONCE // max(1, table.codes.shape[1]))
        for start in range(0, table.n_samples, step):
            rows = slice(start, start + step)
            add_log_factors(
                self._family_codes(table, rows, sparse),
                self._log_table,
                offsets,
                joint[rows],
                n_threads=self._n_threads(),
            )
            for i, counts in sparse.items():
                joint[rows] += self._sparse_log_factors(i, counts, table.codes[rows])
        return joint

    def _sparse_log_factors(self, i: int, counts: SparseTable, codes: Array) -> Array:
        """Return the log factors of a column, or of the class, whose counts are sparse.

        The shape is (n_samples, n_classes), or (n_samples, 1) if the class is not in the family.
        """
        structure, smoothing = self.structure_, self._smoothing
        if i == len(structure.parents):
            return counts.log_class_given_parents(codes[:, structure.class_parents], *smoothing)
        counts = counts if structure.has_class(i) else counts.of_all_classes
        return counts.log_probability_given_parents(
            codes[:, [*structure.parents[i], i]], *smoothing
        )

    def _dense_families(self, sparse: Container[int]) -> Array:
        """Return the columns, and the class if it has parents, whose counts are not sparse."""
        every = range(len(self._offsets) - 1)
        return np.array([i for i in every if i not in sparse], dtype=np.int64)

    def _family_codes(
        self, table: CategoricalTable, rows: slice, sparse: Container[int] = ()
    ) -> Array:
        """Return the codes of the families in the dense tables."""
        parents, of_class = self.structure_.parents, self.structure_.class_parents
        dense = self._dense_families(sparse)
        columns = dense[dense < len(parents)]
        codes = code_families(table.codes[rows], table.n_states, parents, columns)
        if len(columns) == len(dense):
            return codes
        above = tuple(of_class[:-1] if i == of_class[-1] else () for i in range(len(parents)))
        last = code_families(table.codes[rows], table.n_states, above, np.array(of_class[-1:]))
        return np.asfortranarray(np.concatenate([codes, last], axis=1))

    def _log_joint_without(self, table: CategoricalTable, y: Array, weight: Array) -> Array:
        families, structure, rows = self._families, self.structure_, np.arange(len(y))
        joint = self._log_joint(table)
        if not structure.class_parents:
            joint -= self.log_prior_
            joint += log_prior_without(families.class_counts, y, weight, self.alpha)
        for i, above in enumerate(structure.parents):
            with_class = structure.has_class(i)
            counts, c = families.tables[i], y
            if not with_class:
                counts, c = _sum_over_classes(counts), np.zeros_like(y)
            family = table.codes[:, [*above, i]]
            without = log_given_parents_without(
                counts, family, c, weight, self.alpha, self.equivalent_sample_size
            )
            factors = self._log_factors(table, i)
            without -= factors[rows, y if factors.shape[1] > 1 else 0]
            if with_class:
                joint[rows, y] += without
            else:
                joint += without[:, None]
        if families.class_table is not None:
            parents = table.codes[:, list(structure.class_parents)]
            joint += log_class_given_parents_without(
                families.class_table, parents, y, weight, self.alpha, self.equivalent_sample_size
            )
            joint -= self._log_factors(table, len(structure.parents))
        return joint

    def _log_terms(self, table: CategoricalTable) -> tuple[list[str], Array]:
        q, n_columns = len(self.classes_), len(self.structure_.parents)
        terms = np.empty((table.n_samples, 1 + n_columns, q))
        for i in range(n_columns):
            terms[:, 1 + i] = self._log_factors(table, i)
        has_parents = bool(self.structure_.class_parents)
        terms[:, 0] = self._log_factors(table, n_columns) if has_parents else self.log_prior_
        return ["prior", *table.names], terms

    def _log_factors(self, table: CategoricalTable, i: int) -> Array:
        """Return the log factors of a column, or of the class (the last), for each row."""
        structure, sparse = self.structure_, self._sparse_tables()
        if i in sparse:
            return self._sparse_log_factors(i, sparse[i], table.codes)
        above, last = structure.parents, i
        if i == len(above):
            *others, last = structure.class_parents
            above = tuple(tuple(others) if j == last else () for j in range(i))
        codes = code_families(table.codes, table.n_states, above, np.array([last]))[:, 0]
        factors: Array = self._log_table[self._offsets[i] + codes.astype(np.int64)]
        return factors

    def _drawing(self) -> Drawing:
        return NamedStructure(self.structure_, list(self.encoder_.table_names_))


class SearchedNetwork(NetworkClassifier[FamilyCounts]):
    """Base class of the networks that learn a structure first, and then count its families.

    A subclass writes `_find_structure`. `partial_fit` and `collect` keep the structure of `fit`.
    """

    @abstractmethod
    def _find_structure(self, counts: TrainingCounts) -> Structure:
        """Return the structure that is learned from the training rows."""

    def _learn_structure(self, training: ModelRows) -> None:
        counts = TrainingCounts(
            training,
            self.encoder_.n_states_,
            len(self.classes_),
            self._n_threads(),
            self.encoder_.table_names_,
        )
        self.structure_ = self._find_structure(counts)

    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> FamilyCounts:
        return FamilyCounts.collect(
            table.codes,
            table.n_states,
            self.structure_.parents,
            y,
            len(self.classes_),
            weight,
            class_parents=self.structure_.class_parents,
            n_threads=self._n_threads(),
        )

    def _estimate(self, statistics: FamilyCounts) -> None:
        self._estimate_families(statistics)

    def _check_statistics_state(self) -> None:
        families = check_part(self, "statistics_", FamilyCounts)
        families._check_fitted_state()
        structure = self.structure_
        fits = (
            np.array_equal(families.n_states, self.encoder_.n_states_)
            and len(families.class_counts) == len(self.classes_)
            and families.parents == structure.parents
            and families.class_parents == structure.class_parents
        )
        require(fits, self, "statistics_", "counts of its families")

    @property
    def _families(self) -> FamilyCounts:
        return self.statistics_

    def _sparse_tables(self) -> dict[int, SparseTable]:
        tables = [*self.statistics_.tables, self.statistics_.class_table]
        return {i: table for i, table in enumerate(tables) if isinstance(table, SparseTable)}


def _sum_over_classes(counts: CountTable) -> CountTable:
    if isinstance(counts, SparseTable):
        return counts.of_all_classes
    return np.asarray(counts.sum(axis=-1, keepdims=True))
