"""Scores of families from their filled cells.

They equal the scores of the dense tables: a configuration without rows, and a state without rows,
add 0 to every score; AIC and BIC count the parameters of all configurations.
"""

import numpy as np
from scipy.special import gammaln

from augury.arrays import Array, BoolArray
from augury.counts.filled_cells import FilledCells
from augury.kernels import acll_of_cells
from augury.structure.conditional_scores import ALPHA, BETA, LAMBDA
from augury.structure.scores import x_log_x


def generative_score(
    score: str,
    cells: FilledCells,
    n_configurations: Array,
    n_states: int,
    *,
    n_samples: float,
    equivalent_sample_size: float,
    class_is_own: bool = False,
) -> Array:
    """Return a score of `GENERATIVE_SCORES` of each family.

    Parameters
    ----------
    cells : FilledCells
        Its classes are parents, or the own states if `class_is_own`; then each configuration
        has one cell.
    n_configurations : number of configurations of the parents of each family
    n_states : number of own states
    n_samples : N of "bic" and "mdl"
    equivalent_sample_size : that of "bdeu"
    """
    counts = cells.counts
    totals = counts.sum(axis=1, keepdims=True) if class_is_own else cells.totals

    def by_family(of_cells: Array, of_configurations: Array) -> Array:
        return cells.sum_of_cells(of_cells.sum(axis=1)) + cells.sum_of_configurations(
            of_configurations.sum(axis=1)
        )

    if score == "k2":
        r = max(n_states, 1)
        return by_family(gammaln(counts + 1.0), gammaln(r) - gammaln(totals + r))
    if score == "bdeu":
        a_j = (equivalent_sample_size / np.maximum(n_configurations, 1))[cells.family][:, None]
        a_jk = (a_j / max(n_states, 1))[cells.configuration]
        return by_family(
            gammaln(a_jk + counts) - gammaln(a_jk), gammaln(a_j) - gammaln(a_j + totals)
        )
    likelihood = by_family(x_log_x(counts), -x_log_x(totals))
    penalty = {"ll": 0.0, "aic": 1.0}.get(score, 0.5 * np.log(max(n_samples, 1.0)))
    return np.asarray(likelihood - penalty * (n_configurations * max(n_states - 1, 0)))


def sparse_acll(
    cells: FilledCells, n_states: int, pseudo_count: float, present: BoolArray
) -> tuple[Array, Array]:
    """Return the aCLL of each family, see `acll`, and the weight of its rows."""
    n_others = np.count_nonzero(present) - 1
    return acll_of_cells(
        cells.counts.T,
        cells.starts,
        cells.family,
        cells.n_families,
        present=present,
        pseudo_counts=(pseudo_count, pseudo_count * n_states),
        own_weight=ALPHA,
        other_weight=BETA / n_others if n_others > 0 else 0.0,
    )


def sparse_fcll(cells: FilledCells) -> Array:
    """Return the f̂CLL of each family; see `fcll`."""
    of_cells = cells.sum_of_cells(x_log_x(cells.counts).sum(axis=1))
    of_states = cells.sum_of_cells(x_log_x(cells.counts.sum(axis=1)))
    of_classes = cells.sum_of_configurations(x_log_x(cells.totals).sum(axis=1))
    of_all = cells.sum_of_configurations(x_log_x(cells.totals.sum(axis=1)))
    of_the_class = of_cells - of_states - of_classes + of_all
    return np.asarray((ALPHA + BETA) * (of_cells - of_classes) - BETA * LAMBDA * of_the_class)


__all__ = ["generative_score", "sparse_acll", "sparse_fcll"]
