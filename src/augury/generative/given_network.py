"""Classifiers that are given as a Bayesian network with its tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.partial_scores import PartialScores
from augury.counts import code_families
from augury.counts.family_counts import family_shape
from augury.counts.smoothing import floored_log
from augury.encode import CategoricalTable, TableEncoder, row_blocks, slice_rows
from augury.encode.column_plan import IntervalColumn, LabelColumn
from augury.fitted_state import check_integers, check_logs, check_part, require
from augury.foreign import Labels, Table
from augury.generative.bases.encoded_classifier import EncodedClassifier
from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkError, NetworkNode
from augury.generative.networks.elimination import log_scores
from augury.kernels import add_log_factors
from augury.memory import TableTooLargeError, require_bytes
from augury.structure import Structure
from augury.structure.drawing import NamedStructure
from augury.validation import check_flag, remember_columns

# Family codes have 32 bits.
_MAX_CELLS = 1 << 31


class GivenNetwork(DrawsStructure, EncodedClassifier):
    """Bayesian network classifier with given tables: nothing is estimated.

    p(c | x) follows from the tables of the network, for a node that is the class. Readers of
    network files, such as `augury.interchange.read_bif`, return a fitted one.

    Parameters
    ----------
    network : DiscreteNetwork
        Nodes with states, parents and tables.
    target : str
        Name of the node that is the class. All other nodes are columns, in their order.
    classes : array of labels or None
        The class of each state of the target; None: the names of the states, as whole numbers
        if all of them are.
    columns : sequence of plans of columns or None
        How the values of each column become states, as a `TableEncoder` has learned it; None:
        the names of the states are the labels, as whole numbers if all of them are.
    left_out : sequence of arrays or None
        For each node None or an array of shape (slots of its parents other than the class …, its
        states, states of the class): the estimates if parents are left out, which is the last slot
        of their axes. For the target the shape is (slots of its parents …, its states). Models
        that augury has fitted have such estimates.
        None: what is left out is summed over, see Notes.
    named : bool
        Whether tables have the names of the nodes as names of columns.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.

    Attributes
    ----------
    classes_ : the sorted classes
    structure_ : Structure
        `draw()` shows it.
    encoder_ : the fitted `TableEncoder`

    Notes
    -----
    A missing value, and a label that is no state, is left out. Without `left_out`, p(c | known
    values) is exact: nodes that are not known are summed over by variable elimination. Rows with
    the same missing columns are computed together. This takes time and memory exponential in the
    number of nodes that become adjacent; what does not fit in memory is refused.

    With `left_out` the model predicts as the one that was written: the factor of a column that is
    left out is left out, and a column whose parent is left out has the estimate without it.

    A probability of zero counts as the smallest normal number, 2e-308: of rows that are
    impossible in all classes, the class with the fewest impossible values is the most probable.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from augury.generative import GivenNetwork
    >>> from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkNode
    >>> sky = NetworkNode("sky", ("sun", "rain"), (), np.array([0.7, 0.3]))
    >>> walk = NetworkNode("walk", ("yes", "no"), (0,), np.array([[0.9, 0.1], [0.2, 0.8]]))
    >>> model = GivenNetwork(DiscreteNetwork((sky, walk)), target="walk").fit()
    >>> model.classes_.tolist()
    ['no', 'yes']
    >>> model.predict_proba(pd.DataFrame({"sky": ["sun", None]})).round(3)  # 0.7 0.1 + 0.3 0.8
    array([[0.1 , 0.9 ],
           [0.31, 0.69]])
    """

    def __init__(
        self,
        network: DiscreteNetwork,
        target: str,
        classes: ArrayLike | None = None,
        columns: Sequence[LabelColumn | IntervalColumn] | None = None,
        left_out: Sequence[FloatArray | None] | None = None,
        named: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.network = network
        self.target = target
        self.classes = classes
        self.columns = columns
        self.left_out = left_out
        self.named = named
        self.n_jobs = n_jobs

    def fit(
        self, X: Table = None, y: Labels = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Prepare the tables of the network. Rows are not read: nothing is estimated."""
        self._check_parameters()
        self._read_classes()
        self._read_columns()
        self.structure_: Structure = self._find_structure()
        with self._naming_columns():
            self._fill_tables()
        return self

    def _check_parameters(self) -> None:
        if not isinstance(self.network, DiscreteNetwork):
            raise TypeError(
                f"{self._owner}: network must be a DiscreteNetwork, got {self.network!r:.80}"
            )
        if self.target not in self.network.position:
            raise NetworkError(
                f"{self._owner}: target must be a node of the network, one of "
                f"{_listing(self.network)}, got {self.target!r:.80}"
            )
        if len(self.network.nodes) < 2:
            raise NetworkError(f"{self._owner}: network must have a node besides the target")
        if len(self._target_node.states) < 2:
            raise NetworkError(f"{self._owner}: target must have at least two states")
        check_flag(self._owner, "named", self.named)
        self._check_lists()

    def _check_lists(self) -> None:
        columns, left_out = self.columns, self.left_out
        if columns is not None and not (
            isinstance(columns, list | tuple)
            and all(isinstance(plan, LabelColumn | IntervalColumn) for plan in columns)
        ):
            raise TypeError(f"{self._owner}: columns must be a list of plans of columns, or None")
        if left_out is not None and not (
            isinstance(left_out, list | tuple)
            and len(left_out) == len(self.network.nodes)
            and all(each is None or isinstance(each, np.ndarray) for each in left_out)
        ):
            raise TypeError(
                f"{self._owner}: left_out must be a list of an array or None for each node, or None"
            )

    @property
    def _target_node(self) -> NetworkNode:
        return self.network.nodes[self.network.position[self.target]]

    @property
    def _column_nodes(self) -> list[int]:
        """Positions of the nodes that are columns."""
        return [k for k, node in enumerate(self.network.nodes) if node.name != self.target]

    def _read_classes(self) -> None:
        states = self._target_node.states
        labels = np.array(label_states(states)) if self.classes is None else self.classes
        classes = np.asarray(labels)
        if classes.shape != (len(states),) or len(set(classes.tolist())) < len(states):
            raise NetworkError(
                f"{self._owner}: classes must be {len(states)} distinct labels, one for each "
                f"state of {self.target!r:.80}"
            )
        # Position in the network of each class, which are sorted as in every classifier.
        self._order: IntegerArray = np.argsort(classes, kind="stable")
        self.classes_: Array = classes[self._order]

    def _read_columns(self) -> None:
        nodes = [self.network.nodes[k] for k in self._column_nodes]
        names = [node.name if self.named else f"x{j}" for j, node in enumerate(nodes)]
        plans = self.columns
        if plans is None:
            plans = [
                LabelColumn(name, j, label_states(node.states), len(node.states))
                for j, (name, node) in enumerate(zip(names, nodes, strict=True))
            ]
        if [(p.name, len(p.states)) for p in plans] != [
            (name, len(node.states)) for name, node in zip(names, nodes, strict=True)
        ]:
            raise NetworkError(
                f"{self._owner}: columns must be plans of the nodes other than "
                f"{self.target!r:.80}, with as many states"
            )
        header = pd.DataFrame(columns=names) if self.named else np.empty((0, len(names)))
        remember_columns(self, header)
        self.encoder_ = TableEncoder(n_jobs=self.n_jobs).learn_plans(header, plans)

    def _find_structure(self) -> Structure:
        place = {k: j for j, k in enumerate(self._column_nodes)}
        above = [self.network.nodes[k].parents for k in self._column_nodes]
        target = self.network.position[self.target]
        return Structure(
            parents=tuple(tuple(place[p] for p in parents if p != target) for parents in above),
            class_parents=tuple(place[p] for p in self._target_node.parents),
            class_children=tuple(j for j, parents in enumerate(above) if target in parents),
        )

    # ---- tables -----------------------------------------------------------------------

    @property
    def _families(self) -> list[tuple[tuple[int, ...], int]]:
        """The other parents and the column of each factor that depends on the class.

        If the class has parents, its own factor is the last, and its last parent the column.
        """
        structure = self.structure_
        families = [
            (above, j) for j, above in enumerate(structure.parents) if structure.has_class(j)
        ]
        if structure.class_parents:
            *others, last = structure.class_parents
            families.append((tuple(others), last))
        return families

    def _fill_tables(self) -> None:
        n_states, q = self.encoder_.n_states_, len(self.classes_)
        shapes = [family_shape(n_states, above, j) for above, j in self._families]
        sizes = [prod(shape) for shape in shapes]
        advice = "use a network with fewer states or parents"
        what = f"the tables of the network, up to {max(sizes, default=0):,} combinations of states,"
        require_bytes(16 * q * sum(sizes), what, n_states, advice=advice)
        if max(sizes, default=0) >= _MAX_CELLS:
            raise TableTooLargeError("", what, 8 * q * sum(sizes), None, (), advice)
        if not self.structure_.class_parents:
            self.log_prior_: FloatArray = floored_log(self._target_node.table[self._order])
        self._offsets: IntegerArray = np.cumsum([0, *sizes])
        self._log_table: FloatArray = np.zeros((sum(sizes), q))
        nodes = [k for j, k in enumerate(self._column_nodes) if self.structure_.has_class(j)]
        for k, shape, start in zip(nodes, shapes, self._offsets, strict=False):
            self._fill_table(k, shape, int(start))
        if self.structure_.class_parents:
            target = self.network.position[self.target]
            self._fill_table(target, shapes[-1], int(self._offsets[-2]))

    def _fill_table(self, k: int, shape: tuple[int, ...], start: int) -> None:
        """Write the log probabilities of a node into `_log_table`; its shape has all slots."""
        node, target = self.network.nodes[k], self.network.position[self.target]
        q = len(self.classes_)
        padded = self._log_table[start : start + prod(shape)].reshape(*shape, q)
        is_class = k == target
        given = None if self.left_out is None else self.left_out[k]
        if given is not None:
            wanted = (*shape, q) if is_class else (*shape[:-1], shape[-1] - 1, q)
            if given.shape != wanted or not ((given >= 0) & (given <= 1 + 1e-6)).all():
                raise NetworkError(
                    f"{self._owner}: left_out of {node.name!r:.80} must be probabilities of shape "
                    f"{wanted}, got shape {given.shape}"
                )
            padded[(..., slice(None) if is_class else slice(-1), slice(None))] = floored_log(
                given[..., self._order]
            )
        table = node.table
        if not is_class:
            table = np.moveaxis(table, node.parents.index(target), -1)
        known = tuple(slice(n - 1) for n in shape)
        padded[known] = floored_log(table[..., self._order])

    def _check_fitted_state(self) -> None:
        check_part(self, "network", DiscreteNetwork)._check_fitted_state()
        super()._check_fitted_state()
        structure = check_part(self, "structure_", Structure)
        structure._check_fitted_state()
        again = GivenNetwork(**self.get_params(deep=False)).fit()
        fits = structure == again.structure_ and np.array_equal(self.classes_, again.classes_)
        require(fits, self, "structure_", "that of its network")
        fits = self.encoder_.states_ == again.encoder_.states_
        require(fits, self, "encoder_", "of the columns of its network")
        check_integers(self, "_offsets", len(again._offsets))
        check_logs(self, "_log_table", *again._log_table.shape)
        fits = np.array_equal(self._offsets, again._offsets) and np.array_equal(
            self._order, again._order
        )
        require(fits, self, "_offsets", "where each family begins")
        if not structure.class_parents:
            check_logs(self, "log_prior_", len(self.classes_))

    # ---- predicting -------------------------------------------------------------------

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        with self._naming_columns():
            blocks = [self._log_scores(self._read(slice_rows(X, rows))) for rows in row_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _partial_scores(self, X: Table) -> PartialScores:
        known_part = self._leaving_out(self._read(X))
        return lambda rows, known: self._log_scores(known_part(rows, known))

    def _log_scores(self, table: CategoricalTable) -> Array:
        """Return log p(c | x) up to a constant of each row."""
        scores = np.zeros((table.n_samples, len(self.classes_)))
        if not self.structure_.class_parents:
            scores += self.log_prior_
        if self._families:
            codes = self._family_codes(table)
            n_threads = self._n_threads()
            add_log_factors(codes, self._log_table, self._offsets, scores, n_threads=n_threads)
        if self.left_out is None and table.leaves_out():
            known = table.codes < table.n_states
            partial = np.flatnonzero(~known.all(axis=1))
            scores[partial] = self._sum_over_unknown(table.codes[partial], known[partial])
        return scores

    def _family_codes(self, table: CategoricalTable) -> IntegerArray:
        n_columns = table.codes.shape[1]
        codes = [
            code_families(
                table.codes,
                table.n_states,
                tuple(above if i == j else () for i in range(n_columns)),
                np.array([j]),
            )
            for above, j in self._families
        ]
        return np.asfortranarray(np.concatenate(codes, axis=1))

    def _sum_over_unknown(self, codes: IntegerArray, known: BoolArray) -> Array:
        """Return the scores of rows with unknown columns, pattern by pattern."""
        patterns, pattern_of = np.unique(known, axis=0, return_inverse=True)
        pattern_of = pattern_of.reshape(-1)
        target, n_nodes = self.network.position[self.target], len(self.network.nodes)
        states = np.zeros((len(codes), n_nodes), dtype=np.int64)
        states[:, self._column_nodes] = codes
        scores = np.empty((len(codes), len(self.classes_)))
        for p, pattern in enumerate(patterns):
            rows = np.flatnonzero(pattern_of == p)
            of_nodes = np.zeros(n_nodes, dtype=bool)
            of_nodes[self._column_nodes] = pattern
            found = log_scores(self.network, target, states[rows], of_nodes)
            scores[rows] = found[:, self._order]
        return scores

    def _drawing(self) -> Drawing:
        return NamedStructure(self.structure_, list(self.encoder_.table_names_))


def label_states(states: Sequence[str]) -> list[Any]:
    """Return the labels that names of states stand for: whole numbers if all of them are.

    >>> label_states(["0", "1", "12"]), label_states(["0", "1", "01"])
    ([0, 1, 12], ['0', '1', '01'])
    """
    if all(len(s) < 19 and s.removeprefix("-").isdecimal() and str(int(s)) == s for s in states):
        return [int(s) for s in states]
    return list(states)


def _listing(network: DiscreteNetwork, most: int = 10) -> str:
    names = [repr(node.name) for node in network.nodes]
    return ", ".join(names if len(names) <= most else [*names[:most], "…"])


__all__ = ["GivenNetwork", "label_states"]
