"""Models that are boosted in folds, each without the rows of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.counts import log_normalize
from augury.encode.row_keys import equal_values, hash_rows
from augury.ensemble.boosting.trees import BoostedTrees
from augury.kernels import BoostingRules, CodedRows, GrownTrees, boost_trees
from augury.kernels.row_threads import map_threads

# From so many different rows on, one part of them is held out instead of each in turn.
MANY_ROWS = 20_000
N_FOLDS = 4
# Rounds between two looks at the held-out rows; without a gain in so many rounds, boosting ends.
ROUNDS_AT_ONCE, PATIENCE = 5, 20


def draw_folds(codes: IntegerArray, y: IntegerArray) -> IntegerArray:
    """Return the fold of each row; -1 is a row that is never held out.

    Rows of equal values are in the same fold, whatever their classes. Each class is divided
    evenly, in the order of a hash of the values. A large table has one fold, a quarter of its
    rows.

    >>> codes = np.arange(8, dtype=np.uint8)[:, None]
    >>> draw_folds(codes, np.array([0, 1, 1, 0, 0, 1, 0, 1])).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    first, number = equal_values(hash_rows(codes, np.zeros(len(y))), y)
    folds = np.empty(len(first), dtype=np.int64)
    folds[np.argsort(y[first], kind="stable")] = np.arange(len(first)) % N_FOLDS
    if len(first) >= MANY_ROWS:
        folds[folds > 0] = -1
    spread: IntegerArray = folds[number]
    return spread


@dataclass(frozen=True, eq=False)
class Boosted:
    """The models of all folds as one, and what the held-out rows say about them.

    Parameters
    ----------
    trees : sum of the trees of all models
    n_rounds : rounds of each model
    held_out : scores of each row from the model without it; NaN for rows that all models have
    log_losses : held-out log loss before the first round, and after every fifth round
    gains : sum of the gains of the splits of each column
    """

    trees: BoostedTrees
    n_rounds: int
    held_out: FloatArray
    log_losses: FloatArray
    gains: FloatArray


class _FoldModel:
    """The model of the rows outside one fold."""

    def __init__(
        self,
        rows: CodedRows,
        is_held_out: BoolArray,
        n_classes: int,
        rules: BoostingRules,
        seed: int,
    ) -> None:
        self._rows = rows
        self._inside = np.flatnonzero(~is_held_out).astype(np.int32)
        self.outside = np.flatnonzero(is_held_out).astype(np.int32)
        self._rules = rules
        self._seed = seed
        self.grown: list[GrownTrees] = []
        own, each = rows.y[self._inside], rows.weight[self._inside]
        weight = np.bincount(own, each, minlength=n_classes)
        logs = np.log((weight + 1 / n_classes) / (weight.sum() + 1))
        self.intercept: FloatArray = logs[1:] - logs[:1] if n_classes == 2 else logs
        self.scores: FloatArray = np.tile(self.intercept, (len(rows.y), 1))
        self.gains = np.zeros(len(rows.is_label))

    def grow(self, n_rounds: int) -> None:
        """Grow the trees of some rounds, and update the scores of all rows."""
        grown = boost_trees(
            self._rows,
            self._inside,
            self.outside,
            self.scores,
            self.gains,
            self._rules,
            n_rounds=n_rounds,
            seed=self._seed + len(self.grown),
        )
        self.grown.append(grown)


def boost_in_folds(
    rows: CodedRows,
    folds: IntegerArray,
    n_classes: int,
    rules: BoostingRules,
    *,
    max_rounds: int,
    seed: int,
    n_threads: int,
) -> Boosted:
    """Boost a model without the rows of each fold, for the rounds of the least held-out log loss.

    The scores of the result are the means of those of the models. Boosting ends when the log loss
    of all held-out rows has not fallen for 20 rounds. No result depends on the number of threads.
    """
    models = [
        _FoldModel(rows, folds == fold, n_classes, rules, seed + fold * (1 << 32))
        for fold in range(int(folds.max(initial=-1)) + 1)
    ]
    held_out = np.full((len(rows.y), len(models[0].intercept)), np.nan)
    n_rounds, n_best, losses = 0, 0, [np.inf]
    while True:
        loss = _held_out_loss(rows, models)
        if loss < min(losses):
            n_best = n_rounds
            for model in models:
                held_out[model.outside] = model.scores[model.outside]
        losses.append(loss)
        if n_rounds >= max_rounds or n_rounds - n_best >= PATIENCE:
            break
        step = min(ROUNDS_AT_ONCE, max_rounds - n_rounds)
        map_threads(partial(_FoldModel.grow, n_rounds=step), models, n_threads)
        n_rounds += step
    kept = -(-n_best // ROUNDS_AT_ONCE)
    grown = [trees for model in models for trees in model.grown[:kept]]
    intercept = np.mean([model.intercept for model in models], axis=0)
    return Boosted(
        BoostedTrees.join(grown, intercept, 1 / len(models)),
        n_best,
        held_out,
        np.array(losses[1:]),
        np.sum([model.gains for model in models], axis=0),
    )


def _held_out_loss(rows: CodedRows, models: list[_FoldModel]) -> float:
    """Return the log loss of all held-out rows."""
    total = weight = 0.0
    for model in models:
        at, scores = model.outside, model.scores[model.outside]
        y, w = rows.y[at], rows.weight[at]
        if scores.shape[1] == 1:
            own = -np.logaddexp(0, np.where(y == 1, -1, 1) * scores[:, 0])
        else:
            own = log_normalize(scores)[np.arange(len(at)), y]
        total -= float(w @ own)
        weight += float(w.sum())
    return total / weight if weight > 0 else 0.0


__all__ = ["Boosted", "boost_in_folds", "draw_folds"]
