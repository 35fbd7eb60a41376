"""Search for the mixtures of highest likelihood, and for the number of their components."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.counts import floored_log, log_softmax_of
from augury.generative.densities.mixture_starts import divide
from augury.generative.densities.normal_mixtures import (
    Groups,
    Iterations,
    MixtureEstimator,
    maximize,
)

N_FOLDS = 5


@dataclass(frozen=True, eq=False)
class MixtureSearch:
    """Expectation maximisation from several starts.

    Parameters
    ----------
    covariance_type, floor, fixed : see `MixtureEstimator`
    factor : array of shape (n_columns, n_columns)
        Rows times its transpose are the columns of the table, up to a constant.
    n_init : number of starts
    max_iter, tolerance : see `maximize`
    seed : seed of the starts
    """

    covariance_type: str
    floor: Array
    fixed: Array
    factor: Array
    n_init: int
    max_iter: int
    tolerance: float
    seed: int

    def estimator(self, counts: Array) -> MixtureEstimator:
        """Return the estimator of mixtures with so many components of each class."""
        class_of = np.repeat(np.arange(len(counts)), counts)
        return MixtureEstimator(class_of, self.covariance_type, self.floor, self.fixed)

    def run(self, groups: Groups, counts: Array) -> Iterations:
        """Return the mixtures of the highest likelihood over all starts."""
        estimator = self.estimator(counts)
        # The starts are not in the coordinates of the mixtures, in which a direction along which
        # groups lie is as short as any other.
        scale = np.sqrt((self.factor**2).sum(axis=1))
        scaled = [own.numbers @ self.factor.T / scale for own in groups.classes]
        found = []
        for start in range(self.n_init if (counts > 1).any() else 1):
            shares = [
                # The same numbers for each class, so that the order of classes does not matter.
                divide(rows, own.weight, n, np.random.default_rng([self.seed, start]))
                for rows, own, n in zip(scaled, groups.classes, counts.tolist(), strict=True)
            ]
            found.append(
                maximize(
                    groups,
                    shares,
                    estimator,
                    max_iter=self.max_iter,
                    tolerance=self.tolerance,
                )
            )
        return max(found, key=lambda each: each.log_likelihoods[-1])

    def criterion(self, groups: Groups, counts: Array) -> float:
        """Return the Bayesian information criterion, -2 log p(x | c) + parameters log n."""
        d, n_normals = groups.n_columns, int(counts.sum())
        n_covariances = {"shared": 1, "class": len(counts)}.get(self.covariance_type, n_normals)
        each = d if self.covariance_type == "diagonal" else d * (d + 1) // 2
        n_parameters = n_normals * d + int((counts - 1).sum()) + n_covariances * each
        fitted = self.run(groups, counts).log_likelihoods[-1]
        return float(-2.0 * fitted + n_parameters * np.log(groups.total))

    def fold_loss(self, groups: Groups, counts: Array) -> float:
        """Return the mean log loss of the rows outside the training folds."""
        total = 0.0
        for fold in range(N_FOLDS):
            train, test = groups.split(fold, N_FOLDS)
            if not train.total:  # all rows are in this fold
                continue
            weights = np.array([own.weight.sum() for own in train.classes])
            n_distinct = np.array([len(own.weight) for own in train.classes])
            mixtures = self.run(train, np.clip(n_distinct, 1, counts)).mixtures
            log_prior = floored_log(weights / weights.sum())
            for own in test.classes:
                joint = np.column_stack(
                    [mixtures.log_density(own.numbers, c) for c in range(len(counts))]
                )
                total -= float(own.weight @ log_softmax_of(joint + log_prior, own.y)[0])
        return total / groups.total
