"""Filled cells of families that differ in one parent, counted together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array
from augury.kernels import fill_cells


@dataclass(frozen=True, eq=False)
class FilledCells:
    """The cells with rows of several families: configurations of the parents, and own states.

    Rows in which a member of the family is left out are not counted.

    Parameters
    ----------
    counts : array of shape (n_cells, n_classes)
    starts : the first cell of each configuration; the cells of a configuration are adjacent
    family : the family of each configuration, increasing
    n_families : int

    Examples
    --------
    Two candidates beside one column whose state is 1, 1, 0.

    >>> import numpy as np
    >>> candidates = np.array([[0, 1], [0, 0], [2, 1]], dtype=np.uint8)
    >>> none, own = np.zeros(3, dtype=np.int64), np.array([1, 1, 0])
    >>> cells = FilledCells.collect(candidates, np.array([3, 2]), none, own, np.zeros(3, int), 1)
    >>> cells.counts[:, 0], cells.starts, cells.family
    (array([2., 1., 1., 1., 1.]), array([0, 1, 2, 3]), array([0, 0, 1, 1]))
    """

    counts: Array
    starts: Array
    family: Array
    n_families: int

    @classmethod
    def collect(
        cls,
        candidates: Array,
        n_states: Array,
        others: Array,
        own: Array,
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        *,
        is_sorted: bool = False,
    ) -> FilledCells:
        """Count rows whose families consist of a candidate, other parents and a column.

        Parameters
        ----------
        candidates : codes of shape (n_samples, n_families)
        n_states : number of states of each candidate; a code of this size is left out
        others, own : numbers of the configuration of the other parents, and of the own state
        y, n_classes, weight : classes and weights of the rows
        is_sorted : whether the rows are sorted by `others`, then `own`
        """
        if not is_sorted:
            order = np.lexsort((own, others))
            candidates, others, own, y = candidates[order], others[order], own[order], y[order]
            weight = None if weight is None else weight[order]
        # Class by class in memory: sums over the classes are fast.
        counts, starts, family = fill_cells(candidates, n_states, others, own, y, weight, n_classes)
        return cls(counts.T, starts, family, len(n_states))

    @cached_property
    def configuration(self) -> Array:
        """The configuration of each cell."""
        sizes = np.diff(self.starts, append=len(self.counts))
        return np.repeat(np.arange(len(self.starts)), sizes)

    @cached_property
    def totals(self) -> Array:
        """The sums over the own states, of shape (n_configurations, n_classes)."""
        if not len(self.starts):
            return self.counts
        return np.add.reduceat(self.counts.T, self.starts, axis=1).T

    def sum_of_cells(self, terms: Array) -> Array:
        """Return the sum of one number for each cell, by family."""
        return self.sum_of_configurations(
            np.add.reduceat(terms, self.starts) if len(self.starts) else terms
        )

    def sum_of_configurations(self, terms: Array) -> Array:
        """Return the sum of one number for each configuration, by family."""
        return np.bincount(self.family, weights=terms, minlength=self.n_families)


__all__ = ["FilledCells"]
