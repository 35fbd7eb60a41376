"""Counts of each column together with its parents and the class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array
from augury.counts.pair_counts import PairCounts
from augury.counts.sparse_table import (
    MAX_CELLS,
    CountTable,
    SparseTable,
    add_tables,
    choose_form,
    count_table,
    largest_dense,
)
from augury.fitted_state import (
    LARGEST_COUNT,
    check_column_tuples,
    check_float_array,
    check_floats,
    check_integers,
    check_parts,
    require,
)
from augury.kernels import count_class_values
from augury.memory import TableTooLargeError, is_affordable, require_bytes

Parents = tuple[tuple[int, ...], ...]

# The cells of a dense table are numbered with 32 bits.
_MAX_DENSE = 1 << 31


def require_families(
    n_states: Array,
    families: Iterable[tuple[int, ...]],
    n_classes: int,
    *,
    n_samples: int | None = None,
    copies: int = 1,
) -> None:
    """Raise unless there is memory for the tables of these families, each a set of columns.

    With `n_samples`, tables that are large for so many rows are sparse.
    """
    families = list(families)
    cells = [prod(int(n_states[j]) + 1 for j in family) for family in families]
    if n_samples is not None:
        cells = [min(n, largest_dense(n_samples)) for n in cells]
    n_bytes = 8 * int(n_classes) * sum(cells) * copies
    if is_affordable(n_bytes):
        return
    largest = families[cells.index(max(cells))]
    require_bytes(
        n_bytes,
        f"the tables of columns with their parents, up to {max(cells):,} combinations of states "
        f"in {int(n_classes):,} classes,",
        [int(n) if j in largest else 0 for j, n in enumerate(n_states)],
        advice="leave these columns out, group their labels, or allow fewer parents",
    )


def family_shape(n_states: Array, parents: tuple[int, ...], child: int) -> tuple[int, ...]:
    """Return the numbers of slots of the parents and of the child, including "left out"."""
    shape = tuple(int(n_states[j]) + 1 for j in (*parents, child))
    if prod(shape) >= MAX_CELLS:
        raise TableTooLargeError(
            "",
            f"the {prod(shape):,} combinations of states of a column and its parents",
            8 * prod(shape),
            None,
            tuple((j, int(n_states[j])) for j in (*parents, child)),
            "allow fewer parents",
        )
    return shape


def code_families(codes: Array, n_states: Array, parents: Parents, children: Array) -> Array:
    """Return for each row and child one code of its state and the states of its parents.

    The shape is (n_samples, len(children)), in column order. Families of the same size are
    coded together.
    """
    families = np.zeros((len(codes), len(children)), dtype=np.uint32, order="F")
    sizes = np.array([len(parents[i]) for i in children.tolist()], dtype=np.int64)
    for size in np.unique(sizes).tolist():
        at = np.flatnonzero(sizes == size)
        members = np.array([(*parents[i], i) for i in children[at].tolist()], dtype=np.int64)
        coded = np.zeros((len(codes), len(at)), dtype=np.uint32, order="F")
        for column in members.T:
            coded *= (n_states[column] + 1).astype(np.uint32)
            coded += codes[:, column]
        families[:, at] = coded
    return families


@dataclass(frozen=True, eq=False)
class FamilyCounts:
    """Weight of the rows by class, and by class, state and states of the parents.

    Parameters
    ----------
    n_states : declared number of states of each column
    parents : the parents of each column
    class_counts : array of shape (n_classes,)
    tables : for each column a table of shape (slots of its parents …, its slots, n_classes)
        The last slot of each axis, except that of the class, holds the rows in which that
        column is left out. A table is a `SparseTable` if it has more than 4,096 cells (a cell
        holds all classes) and less than one in eight is filled; otherwise it is an array.
    class_parents : the columns that are parents of the class
    class_table : table of shape (slots of the parents of the class …, n_classes)

    Notes
    -----
    With n rows at most n cells of a table are filled. The memory of a table in bytes is
    therefore at most 8 n_classes max(4096, 8 n), whatever the numbers of states.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([[0, 1], [1, 1], [0, 0]], dtype=np.uint8)
    >>> y = np.array([0, 0, 1])
    >>> families = FamilyCounts.collect(codes, [2, 2], ((), (0,)), y, n_classes=2)
    >>> families.tables[1][:2, :2, 0]  # the second column given the first, class 0
    array([[0., 1.],
           [0., 1.]])
    """

    n_states: Array
    parents: Parents
    class_counts: Array
    tables: tuple[CountTable, ...]
    class_parents: tuple[int, ...] = ()
    class_table: CountTable | None = None

    @classmethod
    def collect(
        cls,
        codes: Array,
        n_states: ArrayLike,
        parents: Sequence[Sequence[int]],
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        *,
        class_parents: tuple[int, ...] = (),
        n_threads: int = 1,
    ) -> FamilyCounts:
        """Count rows of codes with classes y."""
        n_states = np.asarray(n_states, dtype=np.int64)
        above = tuple(tuple(columns) for columns in parents)
        require_families(n_states, _members(above), n_classes, n_samples=len(codes))
        tables = tuple(
            _count(codes, n_states, above, np.arange(len(above)), y, n_classes, weight, n_threads)
        )
        class_counts = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        class_table = None
        if class_parents:
            *others, last = class_parents
            of_class = tuple(tuple(others) if i == last else () for i in range(len(n_states)))
            (class_table,) = _count(
                codes, n_states, of_class, np.array([last]), y, n_classes, weight, n_threads
            )
        return cls(n_states, above, class_counts, tables, class_parents, class_table)

    @classmethod
    def from_pairs(cls, pairs: PairCounts, parents: Parents) -> FamilyCounts:
        """Return the counts of families with at most one parent, from pair counts.

        The rows in which the parent is left out follow from the counts of the column itself.
        """
        features, tables, is_narrow = pairs.features, list[CountTable](), pairs.is_narrow
        dense = [
            (*above, i)
            for i, above in enumerate(parents)
            if is_narrow[i] and all(is_narrow[j] for j in above)
        ]
        require_families(features.n_states, dense, pairs.table.shape[-1])
        for i, above in enumerate(parents):
            alone = _with_left_out(
                features.of_column(i), features.table[features.offsets[i + 1] - 1]
            )
            if not above:
                tables.append(alone)
                continue
            (j,) = above
            if not (is_narrow[i] and is_narrow[j]):
                tables.append(pairs.with_left_out(j, i))
                continue
            table = np.zeros((*family_shape(features.n_states, above, i), alone.shape[-1]))
            table[:-1, :-1] = pairs.of_columns(j, i)
            table[-1, :-1] = alone[:-1] - table[:-1, :-1].sum(axis=0)
            tables.append(table)
        return cls(features.n_states, parents, features.class_counts, tuple(tables))

    def _check_fitted_state(self) -> None:
        n_states = check_integers(self, "n_states", None)
        n_classes = len(check_floats(self, "class_counts", None, low=0, high=LARGEST_COUNT))
        check_column_tuples(self, "parents", self.parents, len(n_states))
        tables = check_parts(self, "tables", object, len(n_states))
        for i, (above, table) in enumerate(zip(self.parents, tables, strict=True)):
            shape = (*family_shape(n_states, above, i), n_classes)
            self._check_table("tables", table, shape)
        check_column_tuples(self, "class_parents", (self.class_parents,), len(n_states))
        fits = bool(self.class_parents) == (self.class_table is not None)
        require(fits, self, "class_table", "there if the class has parents, else None")
        if self.class_parents:
            *others, last = self.class_parents
            shape = (*family_shape(n_states, tuple(others), last), n_classes)
            self._check_table("class_table", self.class_table, shape)

    def _check_table(self, name: str, table: object, shape: tuple[int, ...]) -> None:
        if isinstance(table, SparseTable):
            table._check_fitted_state()
            require(table.shape == shape, self, name, "counts of its families")
        else:
            check_float_array(self, name, table, *shape, low=0, high=LARGEST_COUNT)

    def __add__(self, other: FamilyCounts) -> FamilyCounts:
        if not isinstance(other, FamilyCounts):
            return NotImplemented
        if (self.parents, self.class_parents) != (other.parents, other.class_parents) or [
            t.shape for t in self.tables
        ] != [t.shape for t in other.tables]:
            raise ValueError(
                "family counts add only if they have the same structure, states and classes"
            )
        self._require_sum(other)
        tables = tuple(add_tables(a, b) for a, b in zip(self.tables, other.tables, strict=True))
        class_table = None
        if self.class_table is not None and other.class_table is not None:
            class_table = add_tables(self.class_table, other.class_table)
        return FamilyCounts(
            self.n_states,
            self.parents,
            self.class_counts + other.class_counts,
            tables,
            self.class_parents,
            class_table,
        )

    def _require_sum(self, other: FamilyCounts) -> None:
        """Raise unless there is memory for the sum."""
        filled = [
            len(a.cells) + len(b.cells)
            for a, b in zip(self.tables, other.tables, strict=True)
            if isinstance(a, SparseTable) and isinstance(b, SparseTable)
        ]
        dense = [
            member
            for member, a, b in zip(_members(self.parents), self.tables, other.tables, strict=True)
            if not (isinstance(a, SparseTable) and isinstance(b, SparseTable))
        ]
        require_families(self.n_states, dense, len(self.class_counts))
        require_bytes(
            8 * (len(self.class_counts) + 1) * sum(filled),
            "the summed counts of columns with their parents",
            self.n_states,
        )


def count_family(
    codes: Array,
    n_states: Array,
    parents: tuple[int, ...],
    child: int,
    y: Array,
    n_classes: int,
    weight: Array | None = None,
    n_threads: int = 1,
) -> Array:
    """Return the counts of one family, of shape (slots of the parents …, own slots, classes)."""
    require_families(n_states, [(*parents, child)], n_classes)
    above = tuple(parents if i == child else () for i in range(len(n_states)))
    of_child = np.array([child])
    tables = _count_dense(codes, n_states, above, of_child, y, n_classes, weight, n_threads)
    return tables[child]


# Family codes that are made at once.
_CODES_AT_ONCE = 1 << 22


def _count(
    codes: Array,
    n_states: Array,
    parents: Parents,
    children: Array,
    y: Array,
    n_classes: int,
    weight: Array | None,
    n_threads: int,
) -> list[CountTable]:
    n_cells = [prod(family_shape(n_states, parents[i], i)) for i in children.tolist()]
    most = min(largest_dense(len(codes)), _MAX_DENSE - 1)
    tables: dict[int, CountTable] = {}
    for i in children[np.array(n_cells, dtype=object) > most].tolist():
        family, slots = codes[:, [*parents[i], i]], family_shape(n_states, parents[i], i)
        tables[i] = count_table(family, slots, y, n_classes, weight, n_threads)
    dense = np.array([i for i in children.tolist() if i not in tables], dtype=np.int64)
    tables |= _count_dense(codes, n_states, parents, dense, y, n_classes, weight, n_threads)
    return [choose_form(tables[i]) for i in children.tolist()]


def _count_dense(
    codes: Array,
    n_states: Array,
    parents: Parents,
    children: Array,
    y: Array,
    n_classes: int,
    weight: Array | None,
    n_threads: int,
) -> dict[int, Array]:
    tables: dict[int, Array] = {}
    step = max(1, _CODES_AT_ONCE // max(len(codes), 1))
    for start in range(0, len(children), step):
        some = children[start : start + step]
        shapes = [family_shape(n_states, parents[i], i) for i in some.tolist()]
        offsets = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
        families = code_families(codes, n_states, parents, some)
        counted = count_class_values(families, y, weight, offsets, n_classes, n_threads=n_threads)
        for i, shape, low, high in zip(
            some.tolist(), shapes, offsets[:-1], offsets[1:], strict=True
        ):
            tables[i] = counted[low:high].reshape(*shape, n_classes)
    return tables


def _members(parents: Parents) -> list[tuple[int, ...]]:
    return [(*above, i) for i, above in enumerate(parents)]


def _with_left_out(states: Array, left_out: Array) -> Array:
    return np.concatenate([states, left_out[None]])
