"""What models have in common whose columns have columns as parents."""

from abc import abstractmethod
from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from augury.counts import (
    FamilyCounts,
    PairCounts,
    code_families,
    count_family,
    laplace_log_probability,
    log_probability_given_parents,
)
from augury.encode import CategoricalTable
from augury.generative.base import TrainingRows
from augury.generative.categorical import CategoricalClassifier
from augury.generative.explanation import ExplainsLogOdds, look_up_terms
from augury.kernels import add_log_factors
from augury.structure import Structure
from augury.validation import check_choice, check_number

Array = NDArray[Any]

# Family codes that are made at once.
_CODES_AT_ONCE = 1 << 22


class TrainingCounts:
    """Counts of the training rows, for those who search a structure.

    Parameters
    ----------
    n_states : declared number of states of each column
    n_classes : number of classes
    """

    def __init__(self, training: TrainingRows, n_states: Array, n_classes: int, n_threads: int):
        self.n_states, self.n_classes = n_states, n_classes
        self._training, self._n_threads = training, n_threads

    def _sum(self, count: Callable[..., Any]) -> Any:
        return reduce(add, (count(*block) for block in self._training))

    def pairs(self) -> PairCounts:
        """Return the counts of all pairs of columns."""
        pairs: PairCounts = self._sum(
            lambda table, y, weight: PairCounts.collect(
                table.codes, self.n_states, y, self.n_classes, weight, n_threads=self._n_threads
            )
        )
        return pairs

    def family(self, child: int, parents: tuple[int, ...]) -> Array:
        """Return the counts of a column with these parents, as `FamilyCounts` has them."""
        counts: Array = self._sum(
            lambda table, y, weight: count_family(
                table.codes,
                self.n_states,
                parents,
                child,
                y,
                self.n_classes,
                weight,
                self._n_threads,
            )
        )
        return counts


class NetworkClassifier(ExplainsLogOdds, CategoricalClassifier):
    """Base of the models p(c, x) = p(c) Π_i p(x_i | parents of i, c).

    A model sets `structure_` and hands family counts to `_estimate_families`.
    """

    # Parameters of every network; each subclass states them in its own __init__.
    alpha: float
    strength: float

    structure_: Structure

    def _check_parameters(self) -> None:
        check_number(self._owner, "alpha", self.alpha, at_least=0)
        check_number(self._owner, "strength", self.strength, at_least=0)

    def _estimate_families(self, families: FamilyCounts) -> None:
        self.log_prior_ = laplace_log_probability(families.class_counts, self.alpha)
        tables = [
            log_probability_given_parents(counts, self.alpha, self.strength)
            for counts in families.tables
        ]
        flat = [table.reshape(-1, len(self.classes_)) for table in tables]
        self._log_table = np.concatenate([*flat, np.zeros((0, len(self.classes_)))])
        self._offsets = np.cumsum([0, *(len(table) for table in flat)])

    def _log_joint(self, table: CategoricalTable) -> Array:
        joint = np.empty((table.n_samples, len(self.classes_)))
        joint[:] = self.log_prior_
        step = max(1, _CODES_AT_ONCE // max(1, table.codes.shape[1]))
        for start in range(0, table.n_samples, step):
            rows = slice(start, start + step)
            add_log_factors(
                self._family_codes(table, rows),
                self._log_table,
                self._offsets,
                joint[rows],
                n_threads=self._n_threads(),
            )
        return joint

    def _family_codes(self, table: CategoricalTable, rows: slice) -> Array:
        parents = self.structure_.parents
        columns = np.arange(len(parents))
        return code_families(table.codes[rows], table.n_states, parents, columns)

    def _log_terms(self, table: CategoricalTable) -> tuple[list[str], Array]:
        prior = np.broadcast_to(self.log_prior_, (table.n_samples, 1, len(self.classes_)))
        families = self._family_codes(table, slice(None))
        terms = look_up_terms(families, self._log_table, self._offsets)
        return ["prior", *table.names], np.concatenate([prior, terms], axis=1)

    def draw(self, form: str = "text") -> str:
        """Return the structure as "text", as "dot" (Graphviz's language) or as "svg"."""
        check_is_fitted(self)
        check_choice(f"{self._owner}.draw", "form", form, ("text", "dot", "svg"))
        names = list(self.encoder_.table_names_)
        if form == "text":
            return self.structure_.to_text(names)
        return self.structure_.to_dot(names) if form == "dot" else self.structure_.to_svg(names)


class SearchedNetwork(NetworkClassifier):
    """Base of the networks that learn a structure first and count its families then.

    A model writes `_find_structure`. Rows that come later do not change the structure.
    """

    @abstractmethod
    def _find_structure(self, counts: TrainingCounts) -> Structure:
        """Return the structure that the training rows suggest."""

    def _learn_structure(self, training: TrainingRows) -> None:
        counts = TrainingCounts(
            training, self.encoder_.n_states_, len(self.classes_), self._n_threads()
        )
        self.structure_ = self._find_structure(counts)

    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> Any:
        return FamilyCounts.collect(
            table.codes,
            table.n_states,
            self.structure_.parents,
            y,
            len(self.classes_),
            weight,
            n_threads=self._n_threads(),
        )

    def _estimate(self, statistics: FamilyCounts) -> None:
        self._estimate_families(statistics)
