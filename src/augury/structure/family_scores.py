"""Scores of families; each family is counted once."""

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Any, Protocol

import numpy as np

from augury.arrays import Array, BoolArray
from augury.counts.filled_cells import FilledCells
from augury.structure.conditional_scores import acll, acll_of_class, fcll
from augury.structure.scores import aic, bdeu, bic, k2, log_likelihood
from augury.structure.sparse_scores import generative_score, sparse_acll, sparse_fcll
from augury.structure.structure import Structure

Parents = frozenset[int]

GENERATIVE_SCORES = ("ll", "aic", "bic", "mdl", "k2", "bdeu")
CONDITIONAL_SCORES = ("acll", "fcll")

_ONE = np.ones(1, dtype=np.int64)

# Families with more cells are not considered: no data would fill them.
_MAX_CELLS = 1 << 26

# Larger tables are not made: their filled cells are scored, of which there is at most one for
# each row.
_ALWAYS_DENSE = 1 << 10
_CELLS_PER_ROW = 2


def is_possible(child: int, parents: Iterable[int], n_states: Array, n_classes: int) -> bool:
    """Return whether all these parents have states, and the table of the family is small enough.

    The class, whose number is that of no column, is always possible. The table has one more
    state for each column, "left out".
    """
    others = [int(n_states[j]) for j in parents if j < len(n_states)]
    own = [int(n_states[child]) + 1] if child < len(n_states) else []
    n_cells = prod([*own, *(n + 1 for n in others)]) * n_classes
    return not others or (min(others) > 0 and n_cells <= _MAX_CELLS)


class JointCounts(Protocol):
    """Counts for a search. They do not contain rows in which a column is left out."""

    @property
    def n_states(self) -> Array:
        """Declared number of states of each column."""

    @property
    def class_counts(self) -> Array:
        """Weight of the rows of each class."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    def joint(self, columns: tuple[int, ...], *, with_class: bool = True) -> Array:
        """Return the counts of these columns, of shape (their states …, classes)."""

    def joint_with_each(
        self, columns: tuple[int, ...], candidates: Array, *, with_class: bool = True
    ) -> Iterator[tuple[Array, Array]]:
        """Yield some of the candidates and their joint counts with these columns.

        The shape is (all states of the candidates, states of `columns` …, classes), without
        the last axis if `with_class` is False.
        """

    def filled_with_each(
        self,
        parents: tuple[int, ...],
        own: int | None,
        candidates: Array,
        *,
        with_class: bool = True,
    ) -> Iterator[tuple[Array, FilledCells]]:
        """Yield some of the candidates, and the filled cells of the families that they enter.

        The candidate is one more parent of the column `own`; None is the class. If `with_class`
        is False, there is one class that holds all rows.
        """


def is_sparse(n_cells: Array | int, n_rows: int) -> Any:
    """Return whether a family of so many combinations of states is counted by filled cells."""
    return n_cells > np.maximum(_ALWAYS_DENSE, _CELLS_PER_ROW * n_rows)


class FamilyScores:
    """Memoised scores of families.

    The nodes are the columns. If `class_is_parent` is False, the class is the last node.
    Otherwise the class is a parent of every column.

    Parameters
    ----------
    counts : JointCounts
    score : one of `GENERATIVE_SCORES` or `CONDITIONAL_SCORES`
        `CONDITIONAL_SCORES` require that the class is a parent of every column.
    equivalent_sample_size : number of rows that the prior of "bdeu" is worth
    alpha : pseudo-count of each state in "acll"
    class_is_parent : whether the class is a parent of every column
    skeleton : symmetric matrix of the nodes, whether two of them may be joined by an edge
        None: all of them. `with_each` scores only such candidates, and the class.

    Notes
    -----
    Rows in which a member of the family is left out do not count for it. The score of the
    other rows is scaled to all rows; otherwise a family would gain by leaving rows out (the
    node-average likelihood of Bodewes and Scutari 2021). The score is scaled, not the counts,
    because scaled counts would overstate the evidence. A family without a row that has values
    of all members is not considered.
    """

    counts: JointCounts
    score: str
    class_is_parent: bool

    def __init__(
        self,
        counts: JointCounts,
        score: str,
        *,
        equivalent_sample_size: float = 1.0,
        alpha: float = 0.5,
        class_is_parent: bool = True,
        skeleton: BoolArray | None = None,
    ) -> None:
        self._skeleton = skeleton
        self.counts, self.score, self.class_is_parent = counts, score, class_is_parent
        self.n_columns: int = len(counts.n_states)
        self.n_nodes: int = self.n_columns + (not class_is_parent)
        self._n_samples = float(counts.class_counts.sum())
        self._alpha, self._size = alpha, equivalent_sample_size
        self._function = self._choose(equivalent_sample_size)
        self._families: dict[tuple[int, Parents], float] = {}
        self._extended: dict[tuple[int, Parents], Array] = {}

    def _choose(self, size: float) -> Callable[[Array, Array | int], Array]:
        # The functions do not refer to self: in a cycle, the rows would outlive the search.
        present, n_samples, alpha = self.counts.class_counts > 0, self._n_samples, self._alpha
        return {
            "ll": lambda counts, _: log_likelihood(counts),
            "aic": lambda counts, _: aic(counts),
            "bic": lambda counts, _: bic(counts, n_samples),
            "mdl": lambda counts, _: bic(counts, n_samples),
            "k2": lambda counts, _: k2(counts),
            "bdeu": lambda counts, n: bdeu(counts, size, np.repeat(n, n // counts.shape[1])),
            "acll": lambda counts, _: acll(counts, alpha, present),
            "fcll": lambda counts, _: fcll(counts),
        }[self.score]

    def family(self, child: int, parents: Parents) -> float:
        """Return the score of a node with these parents; -inf as in `with_each`."""
        key = child, parents
        if key not in self._families:
            self._families[key] = self._find_family(child, parents)
        return self._families[key]

    def _find_family(self, child: int, parents: Parents) -> float:
        if not is_possible(child, parents, self.counts.n_states, len(self.counts.class_counts)):
            return -np.inf
        for k in parents:  # it may have been scored as a candidate
            joined = self._skeleton is None or self._skeleton[child, k]
            if joined and (child, parents - {k}) in self._extended:
                return float(self._extended[child, parents - {k}][k])
        columns, with_class = self._columns(child, parents), self._has_class(child, parents)
        if len(columns) > 1 and is_sparse(self._n_cells(columns), self.counts.n_rows):
            first, *others = columns
            return float(self._score_filled(child, tuple(others), np.array([first]), with_class)[0])
        tables = self.counts.joint(columns, with_class=with_class)[None]
        score = float(self._evaluate(child, tables, _ONE, with_class)[0])
        is_unseen = score == -np.inf and parents <= {self.n_columns}
        return 0.0 if is_unseen else score  # a column without any value

    def with_each(self, child: int, parents: Parents) -> Array:
        """Return the scores of a node with these parents and one more, for each node.

        The score is -inf for the child itself, for a parent, for a node that the skeleton does
        not join to the child, for a column without states, for a family of more than 2²⁶
        combinations of states, and for one without complete rows.
        """
        key = child, parents
        if key not in self._extended:
            scores = np.full(self.n_nodes, -np.inf)
            columns = self._columns(child, parents)
            n_states = self.counts.n_states
            others = prod(int(n_states[j]) + 1 for j in columns) * len(self.counts.class_counts)
            is_candidate = (n_states > 0) & (n_states + 1 <= _MAX_CELLS // others)
            is_candidate[list(columns)] = False
            if self._skeleton is not None:
                is_candidate &= self._skeleton[child, : self.n_columns]
            with_class = self._has_class(child, parents)
            many = is_sparse(self._n_cells(columns) * (n_states + 1), self.counts.n_rows)
            if (sparse := np.flatnonzero(is_candidate & many & bool(columns))).size:
                scores[sparse] = self._score_filled(child, columns, sparse, with_class)
                is_candidate[sparse] = False
            if is_candidate.any():
                for some, tables in self.counts.joint_with_each(
                    columns, np.flatnonzero(is_candidate), with_class=with_class
                ):
                    scores[some] = self._evaluate(child, tables, n_states[some], with_class)
            if not self.class_is_parent and child != self.n_columns not in parents:
                scores[self.n_columns] = self.family(child, parents | {self.n_columns})
            self._extended[key] = scores
        return self._extended[key]

    def total(self, structure: Structure) -> float:
        """Return the score of a network, the class included."""
        nodes = structure.nodes
        if not self.class_is_parent:
            return float(sum(self.family(i, frozenset(above)) for i, above in enumerate(nodes)))
        class_counts = self.counts.class_counts
        of_class = (
            acll_of_class(class_counts, self._alpha)
            if self.score == "acll"
            else 0.0
            if self.score == "fcll"
            else float(self._function(class_counts[None, None], 1)[0])
        )
        return of_class + float(
            sum(self.family(i, frozenset(above)) for i, above in enumerate(structure.parents))
        )

    def _columns(self, child: int, parents: Parents) -> tuple[int, ...]:
        """Return the columns of a family without the class; the child is the last."""
        return tuple(j for j in (*sorted(parents), child) if j < self.n_columns)

    def _has_class(self, child: int, parents: Parents) -> bool:
        return self.class_is_parent or child == self.n_columns or self.n_columns in parents

    def _n_cells(self, columns: tuple[int, ...]) -> int:
        return prod(int(self.counts.n_states[j]) + 1 for j in columns)

    def _score_filled(
        self, child: int, columns: tuple[int, ...], candidates: Array, with_class: bool
    ) -> Array:
        """Return the scores of families, a candidate and `columns`, from their filled cells."""
        own = child if child < self.n_columns else None
        parents = columns if own is None else columns[:-1]
        n_states, n_classes = self.counts.n_states, len(self.counts.class_counts)
        r = n_classes if own is None else int(n_states[child])
        n_others = prod(int(n_states[j]) for j in parents)
        if with_class and own is not None:
            n_others *= n_classes
        found = np.full(len(candidates), -np.inf)
        for some, cells in self.counts.filled_with_each(
            parents, own, candidates, with_class=with_class
        ):
            if self.score == "acll":
                present = self.counts.class_counts > 0
                scores, known = sparse_acll(cells, r, self._alpha, present)
            elif self.score == "fcll":
                scores = sparse_fcll(cells)
            else:
                scores = generative_score(
                    self.score,
                    cells,
                    n_states[some] * n_others,
                    r,
                    n_samples=self._n_samples,
                    equivalent_sample_size=self._size,
                    class_is_own=own is None,
                )
            if self.score != "acll":
                known = cells.sum_of_configurations(cells.totals.sum(axis=1))
            scaled = np.full(len(some), -np.inf)
            np.divide(scores * self._n_samples, known, out=scaled, where=known > 0)
            found[np.searchsorted(candidates, some)] = np.where(
                known == self._n_samples, scores, scaled
            )
        return found

    def _evaluate(self, child: int, tables: Array, n_states: Array, with_class: bool) -> Array:
        """Score families that differ in one parent, which has these numbers of states.

        `tables` has the shape (all states of that parent, states of the others …, own states,
        classes). The classes are absent if the class is not in the family; the own states are
        absent if the child is the class.
        """
        starts = np.cumsum(n_states) - n_states
        n_kept = 2 if self.score in CONDITIONAL_SCORES else 1
        if with_class and n_kept == 1 and child < self.n_columns:
            tables = np.moveaxis(tables, -1, 1)  # the class is a parent: own states come last
        known = self._known(tables, starts)
        n_configurations = prod(tables.shape[1:-n_kept])
        tables = tables.reshape(len(tables), n_configurations, *tables.shape[-n_kept:])
        scores = np.add.reduceat(self._function(tables, n_states * n_configurations), starts)
        if known is None:
            return scores
        unknown = np.full(len(scores), -np.inf)
        return np.asarray(np.divide(scores * self._n_samples, known, out=unknown, where=known > 0))

    def _known(self, tables: Array, starts: Array) -> Array | None:
        """Return the weight of the complete rows of each family; None if all rows are complete."""
        if tables.sum() == self._n_samples * len(starts):  # no family has more rows than that
            return None
        return np.add.reduceat(tables.sum(axis=tuple(range(1, tables.ndim))), starts)


__all__ = [
    "CONDITIONAL_SCORES",
    "GENERATIVE_SCORES",
    "FamilyScores",
    "JointCounts",
    "Parents",
    "is_possible",
    "is_sparse",
]
