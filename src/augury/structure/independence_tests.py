"""Skeletons that are learned by tests of independence."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.structure.family_scores import JointCounts, is_possible
from augury.structure.scores import x_log_x
from augury.validation import check_integer, check_number

# A test given a third column is made only if there are so many rows for each degree of freedom.
MIN_ROWS_PER_DEGREE = 5.0


def g_squared(counts: ArrayLike) -> tuple[FloatArray, IntegerArray]:
    """Return G² and its degrees of freedom for each table of two columns.

    G² = 2 Σ N_ab log(N_ab N / (N_a N_b)); it is 2 N times the mutual information in nats. A state
    without rows has no degree of freedom: there are (states of a with rows - 1) (states of b with
    rows - 1).

    Parameters
    ----------
    counts : array of shape (…, states of a, states of b)

    Examples
    --------
    Two columns of 4 rows that agree: 2 · 4 log 2 with one degree of freedom.

    >>> statistic, degrees = g_squared([[2, 0], [0, 2]])
    >>> round(float(statistic), 4), int(degrees)
    (5.5452, 1)
    """
    counts = np.asarray(counts, dtype=np.float64)
    of_a, of_b = counts.sum(axis=-1), counts.sum(axis=-2)
    statistic = (
        x_log_x(counts).sum(axis=(-2, -1))
        - x_log_x(of_a).sum(axis=-1)
        - x_log_x(of_b).sum(axis=-1)
        + x_log_x(of_a.sum(axis=-1))
    )
    used_a, used_b = (of_a > 0).sum(axis=-1), (of_b > 0).sum(axis=-1)
    degrees = np.maximum(used_a - 1, 0) * np.maximum(used_b - 1, 0)
    return np.maximum(2.0 * statistic, 0.0), degrees


@dataclass(frozen=True)
class IndependenceTests:
    """Skeleton of the pairs of columns that no test finds independent (a super-structure).

    Two columns are joined unless a G² test accepts their independence given the class, or given
    the class and one other column. The skeleton contains the edges of the network that
    generated the rows, if no test misses a dependence, and edges besides. A larger level
    gives a larger skeleton: all pairs of the smaller one, and others.

    Parameters
    ----------
    level : float in (0, 1]
        Level of significance of each test. A test accepts independence if its p-value is above
        the level. 1 joins every pair.
    n_conditions : {0, 1}
        Largest number of other columns that a test is given. 0 tests each pair once and keeps
        columns joined that depend on each other through a third one only.

    Notes
    -----
    G² of a pair is the sum over the classes, or over the classes and states of the third column,
    of the G² of each table (see `g_squared`), and so are its degrees of freedom. The p-value is
    that of χ². A test given a third column is made only if there are 5 rows for each degree of
    freedom; otherwise its power is small, and it would accept independence for lack of rows.
    Weights count as rows. Rows in which a column is left out do not count.

    With d columns, 0 conditions take d²/2 tests of the pair counts, which the search counts
    anyway. 1 condition takes a pass over the rows for each pair that the first test keeps, and
    d³/2 tests in all. This costs more than a search for a score that is a sum over columns;
    it pays for "cll", whose candidates each take a pass over the rows.

    References
    ----------
    E. Perrier, S. Imoto, S. Miyano: Finding optimal Bayesian network given a super-structure.
    JMLR 9 (2008).
    P. Spirtes, C. Glymour, R. Scheines: Causation, prediction, and search. MIT Press (2000).

    Examples
    --------
    x1 copies x0, and x2 is independent of both.

    >>> from augury.generative import BayesianNetworkClassifier
    >>> from augury.structure import HillClimb, IndependenceTests
    >>> X = [[a, a, b] for a in "ht" for b in "uv"] * 10
    >>> y = ["yes", "no"] * 20
    >>> search = HillClimb(skeleton=IndependenceTests(level=0.05))
    >>> print(BayesianNetworkClassifier(search).fit(X, y).draw())
    x0  | class, x1
    x1  | class
    x2  | class
    """

    level: float = 0.05
    n_conditions: int = 1

    def _check_fitted_state(self) -> None:
        """Do nothing: `fit` of a model checks its parameters."""

    def learn_skeleton(self, counts: JointCounts, *, given_class: bool = True) -> BoolArray:
        """Return a symmetric matrix: whether two columns may be joined by an edge.

        Parameters
        ----------
        counts : JointCounts
        given_class : bool
            Whether every test is given the class.
        """
        self._check()
        n, n_classes = len(counts.n_states), len(counts.class_counts)
        skeleton = np.zeros((n, n), dtype=bool)
        for i, j in combinations(range(n), 2):
            if counts.n_states[i] > 0 and is_possible(i, (j,), counts.n_states, n_classes):
                skeleton[i, j] = self._depends(counts, i, j, given_class)
        return np.asarray(skeleton | skeleton.T)

    def _depends(self, counts: JointCounts, i: int, j: int, given_class: bool) -> bool:
        pair = counts.joint((i, j), with_class=given_class)
        tables = np.moveaxis(pair, -1, 0) if given_class else pair[None]
        statistic, degrees = g_squared(tables)
        if _p_value(degrees.sum(), statistic.sum()) > self.level:
            return False
        if self.n_conditions == 0 or self.level >= 1:
            return True
        return bool(self._largest_p_given_one(counts, i, j, given_class) <= self.level)

    def _largest_p_given_one(self, counts: JointCounts, i: int, j: int, given_class: bool) -> float:
        """Return the largest p-value of the pair given one other column; 0 without a test."""
        n_states, n_classes = counts.n_states, len(counts.class_counts)
        others = [
            k
            for k in range(len(n_states))
            if k not in (i, j) and is_possible(k, (i, j), n_states, n_classes) and n_states[k] > 0
        ]
        largest = 0.0
        if not others:
            return largest
        for some, tables in counts.joint_with_each(
            (i, j), np.asarray(others), with_class=given_class
        ):
            strata = np.moveaxis(tables, -1, 1) if given_class else tables[:, None]
            statistic, degrees = (found.sum(axis=1) for found in g_squared(strata))
            starts = np.cumsum(n_states[some]) - n_states[some]
            statistic, degrees, rows = (
                np.add.reduceat(of_states, starts)
                for of_states in (statistic, degrees, strata.sum(axis=(1, 2, 3)))
            )
            tested = (degrees > 0) & (rows >= MIN_ROWS_PER_DEGREE * degrees)
            p_values = _p_value(degrees[tested], statistic[tested])
            largest = max(largest, float(np.max(p_values, initial=0.0)))
        return largest

    def _check(self) -> None:
        owner = type(self).__name__
        check_number(owner, "level", self.level, above=0, at_most=1)
        if check_integer(owner, "n_conditions", self.n_conditions, at_least=0) > 1:
            raise ValueError(f"{owner}: n_conditions must be 0 or 1, got {self.n_conditions}")


def _p_value(degrees: Array, statistic: Array) -> Array:
    """Return the p-value of χ²; 1 without a degree of freedom."""
    return np.where(degrees > 0, chdtrc(np.maximum(degrees, 1), statistic), 1.0)


__all__ = ["IndependenceTests", "g_squared"]
