"""Coefficients of a logistic regression from blocks of rows, and the choice of its penalty."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from augury.arrays import Array
from augury.bases.row_blocks import BlockList, RowBlocks
from augury.counts import log_normalize
from augury.discriminative.logistic.linear_terms import LinearTerms, left_out_slots
from augury.discriminative.logistic.logistic_loss import LogisticLoss
from augury.discriminative.logistic.prior_curvature import Curvature, PriorCurvature
from augury.discriminative.logistic.sample_start import (
    SampleCurvature,
    rows_of_curvature,
    sample_rows,
)
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
# Steps of the first search among many classes.
_STEPS_OF_MANY_CLASSES = 20

# Share of the standard error of a gradient's component, at most 0.5 / √rows, that matters.
_SAMPLING_ERROR = 0.1


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
        blocks: RowBlocks,
        C: float,
        start: Array | None = None,
        curvature: Curvature | None = None,
    ) -> Minimum:
        """Return the coefficients, of shape (n_terms, classes with coefficients)."""
        n_terms = blocks.first(_n_terms)
        if self.n_classes == 1:  # it has no coefficients
            return Minimum(np.zeros((n_terms, 0)), 0, 0.0, True)
        n_rows = int(blocks.total(_weigh_rows)[1])
        if start is not None or curvature is not None:
            return self._search(blocks, C, start, curvature)
        start, curvature = self._begin_with_sample(blocks, n_rows, C)
        if curvature is not None or n_rows <= _FEW_ROWS:
            return self._search(blocks, C, start, curvature)
        return self._search_twice(blocks, n_rows, C)

    def _search_twice(self, blocks: RowBlocks, n_rows: int, C: float) -> Minimum:
        """Search with the Hessian at the class shares, and of many classes again where that ends.

        Where the probabilities of many classes are far from their shares, so is the Hessian.
        """
        rows = rows_of_curvature(blocks, n_rows, self.n_classes)
        if rows is None:
            return self._search(blocks, C, None, None)
        n_first = min(_STEPS_OF_MANY_CLASSES, self.max_iter)
        near = replace(self, max_iter=n_first)._search(blocks, C, None, None)
        if near.converged or n_first == self.max_iter:
            return near
        scale = n_rows / len(rows.codes)
        curvature = SampleCurvature(rows, near.x, reference=self.reference, scale=scale)
        last = replace(self, max_iter=self.max_iter - near.n_iter)
        found = last._search(blocks, C, near.x, curvature)
        return replace(found, n_iter=near.n_iter + found.n_iter)

    def _search(
        self, blocks: RowBlocks, C: float, start: Array | None, curvature: Curvature | None
    ) -> Minimum:
        n_terms = blocks.first(_n_terms)
        weight, n_rows = blocks.total(_weigh_rows).tolist()
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
        if start is None or start.shape != loss.shape:
            start = loss.start()
        return minimize(
            loss,
            start,
            tolerance=self.tol * weight,
            max_iter=self.max_iter,
            n_quasi_newton=_STEPS_BEFORE_NEWTON if n_rows <= _FEW_ROWS else self.max_iter,
        )

    def _begin_with_sample(
        self, blocks: RowBlocks, n_rows: int, C: float
    ) -> tuple[Array | None, Curvature | None]:
        """Return the coefficients of a sample, and the Hessian there; None if rows are few."""
        sample = sample_rows(blocks, n_rows, self.n_classes)
        if sample is None:
            return None, None
        terms, y = sample
        scale = n_rows / len(y)
        # The gradient of all rows, at the optimum of the sample, is larger than this.
        tol = max(self.tol, _SAMPLING_ERROR / np.sqrt(len(y)))
        found = replace(self, tol=tol).find(BlockList([(terms, y, None)]), C * scale)
        return found.x, SampleCurvature(terms, found.x, reference=self.reference, scale=scale)

    def choose_C(self, blocks: RowBlocks) -> float:  # noqa: N802
        """Return the C of the grid with the lowest log loss in five folds."""
        if self.n_classes == 1:  # there are no coefficients to penalise
            return 1.0
        losses = np.zeros(len(_GRID))
        for fold in range(_N_FOLDS):
            train, test = (
                blocks.map(partial(_part_of_block, fold=fold, inside=inside))
                for inside in (False, True)
            )
            start: Array | None = None
            curvature = PriorCurvature(train, self.n_classes, reference=self.reference)
            for k, c in enumerate(_GRID):
                start = self.find(train, c, start, curvature).x
                losses[k] += test.total(partial(_log_loss, x=start, n_classes=self.n_classes))
        return float(_GRID[int(np.argmin(losses))])


# ---- one block ------------------------------------------------------------------------------


def _n_terms(terms: LinearTerms, *_: Array | None) -> int:
    return terms.n_terms


def _weigh_rows(_: LinearTerms, y: Array, weight: Array | None) -> Array:
    """Return the weight and the number of the rows."""
    return np.array([len(y) if weight is None else weight.sum(), len(y)], dtype=np.float64)


def _log_loss(
    terms: LinearTerms, y: Array, weight: Array | None, x: Array, n_classes: int
) -> float:
    """Return the sum of the log losses of the rows."""
    scores = np.zeros((len(y), n_classes))
    scores[:, : x.shape[1]] = terms.times(x)
    own = log_normalize(scores)[np.arange(len(y)), y]
    return -float(own.sum() if weight is None else own @ weight)


def _part_of_block(
    terms: LinearTerms, y: Array, weight: Array | None, fold: int, *, inside: bool
) -> tuple[LinearTerms, Array, Array | None]:
    """Return the rows inside or outside a fold: every fifth row of each class."""
    number = np.empty(len(y), dtype=np.int64)
    number[np.argsort(y, kind="stable")] = np.arange(len(y)) % _N_FOLDS
    at = np.flatnonzero((number == fold) == inside)
    return terms.take(at), y[at], None if weight is None else weight[at]
