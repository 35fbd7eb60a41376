"""Coefficients of a logistic regression from blocks of rows, and the choice of its penalty."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.counts import log_normalize
from augury.discriminative.logistic.linear_terms import left_out_slots
from augury.discriminative.logistic.logistic_loss import Block, LogisticLoss
from augury.discriminative.logistic.prior_curvature import PriorCurvature
from augury.discriminative.solvers.newton import Minimum
from augury.discriminative.solvers.quasi_newton import minimize

_GRID = tuple(10.0**k for k in np.arange(-3.0, 2.5, 0.5))
_N_FOLDS = 5
# Searches of `choose_C`, and the one that follows.
N_SEARCHES_OF_CV = _N_FOLDS * len(_GRID) + 1

# With few rows Newton steps cost no more than those of L-BFGS. They also do not accumulate rounding
# errors, so that repeated rows and rows of a larger weight give the same coefficients.
_FEW_ROWS = 1000
_STEPS_BEFORE_NEWTON = 3


@dataclass(frozen=True, eq=False)
class Estimation:
    """The search for the coefficients of the classes that have rows.

    Attributes
    ----------
    n_classes : number of classes that have rows
    n_states : number of states of each column of codes
    reference : whether the last class has no coefficients
    intercept_penalty : whether intercepts are penalised
    tol : stopping tolerance: largest component of the gradient, divided by the weight of all rows
    max_iter : maximum number of steps
    """

    n_classes: int
    n_states: Array
    reference: bool
    intercept_penalty: bool
    tol: float
    max_iter: int

    def find(
        self,
        blocks: list[Block],
        C: float,
        start: Array | None = None,
        curvature: PriorCurvature | None = None,
    ) -> Minimum:
        """Return the coefficients, of shape (n_terms, classes with coefficients)."""
        n_terms = blocks[0][0].n_terms
        if self.n_classes == 1:  # it has no coefficients
            return Minimum(np.zeros((n_terms, 0)), 0, 0.0, True)
        penalty = np.full(n_terms, 1.0 / C)
        free = np.ones(n_terms, dtype=bool)
        free[left_out_slots(self.n_states)] = False
        if not self.intercept_penalty:
            penalty[-1] = 0.0
        loss = LogisticLoss(
            blocks,
            self.n_classes,
            penalty,
            free,
            reference=self.reference,
            curvature=curvature,
        )
        total = sum(float(len(y) if w is None else w.sum()) for _, y, w in blocks)
        if start is None or start.shape != loss.shape:
            start = loss.start()
        has_few_rows = sum(len(y) for _, y, _ in blocks) <= _FEW_ROWS
        return minimize(
            loss,
            start,
            tolerance=self.tol * total,
            max_iter=self.max_iter,
            n_quasi_newton=_STEPS_BEFORE_NEWTON if has_few_rows else self.max_iter,
        )

    def choose_C(self, blocks: list[Block]) -> float:  # noqa: N802
        """Return the C of the grid with the lowest log loss in five folds."""
        if self.n_classes == 1:  # there are no coefficients to penalise
            return 1.0
        losses = np.zeros(len(_GRID))
        for fold in range(_N_FOLDS):
            train, test = _split(blocks, fold)
            start: Array | None = None
            curvature = PriorCurvature(train, self.n_classes, reference=self.reference)
            for k, c in enumerate(_GRID):
                start = self.find(train, c, start, curvature).x
                for terms, y, weight in test:
                    scores = np.zeros((len(y), self.n_classes))
                    scores[:, : start.shape[1]] = terms.times(start)
                    own = log_normalize(scores)[np.arange(len(y)), y]
                    losses[k] -= own.sum() if weight is None else own @ weight
        return float(_GRID[int(np.argmin(losses))])


def _split(blocks: list[Block], fold: int) -> tuple[list[Block], list[Block]]:
    """Return the rows outside and inside a fold: every fifth row of each class."""
    train: list[Block] = []
    test: list[Block] = []
    for terms, y, weight in blocks:
        number = np.empty(len(y), dtype=np.int64)
        order = np.argsort(y, kind="stable")
        number[order] = np.arange(len(y)) % _N_FOLDS
        for part, rows in ((train, number != fold), (test, number == fold)):
            at = np.flatnonzero(rows)
            part.append((terms.take(at), y[at], None if weight is None else weight[at]))
    return train, test
