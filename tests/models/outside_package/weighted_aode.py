"""Weighted averaged one-dependence estimators, a model that is no part of augury."""

import numpy as np

from augury.counts import PairCounts, log_mean_exp, mutual_information_with_class
from augury.fitted_state import LARGEST_LOG, check_float_array, check_floats, check_real
from augury.generative.bases import PairModel
from augury.generative.leave_one_out.pair_counts import totals_of_others
from augury.registration import register_model
from augury.validation import check_number


@register_model("waode", "Weighted averaged one-dependence estimators")
class WeightedAODE(PairModel[PairCounts]):
    """Weighted AODE (L. Jiang, H. Zhang 2006): parents weighted by their information.

    p(c, x) = Σ_j w_j p(c, x_j) Π_{i≠j} p(x_i | c, x_j) / Σ_j w_j with w_j = I(A_j; C).

    Notes
    -----
    Memory in bytes (see `augury.memory`): fit takes `n (3 d + 9 m + 40) + 8 q s² +
    8 q (s + d + m)²`, and the model keeps `8 q s² + 8 q (s + d + m)² + 100 s`.
    """

    def __init__(
        self, alpha=1.0, categorical_features="from_dtype", missing="state", discretizer="mdl",
        n_jobs=None,
    ):  # fmt: skip
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs

    def _check_parameters(self):
        check_number(self._owner, "alpha", self.alpha, above=0)

    def _collect(self, table, y, weight):
        return self._count_pairs(table, y, weight)

    def _estimate(self, statistics):
        features, self._alpha = statistics.features, float(self.alpha)
        n_classes, total = len(self.classes_), features.class_counts.sum()
        # If no column has information, all weights are equal.
        self.weights_ = np.maximum(mutual_information_with_class(features), 1e-12)
        n_values = n_classes * np.repeat(features.n_states, features.n_states + 1)[:, None]
        self._log_parents = np.log(
            (features.table + self._alpha) / (total + self._alpha * n_values)
        )
        self._log_prior = np.log((features.class_counts + 1) / (total + n_classes))
        self._keep_blocks(statistics)

    def _make_block(self, pairs, j):
        """Return log p(x_i | c, x_j) of all columns i."""
        n_states, block = pairs.features.n_states, self._empty_block(pairs, j)
        column = np.repeat(np.arange(len(n_states)), n_states)
        totals = totals_of_others(pairs, j)[:-1, column] + self._alpha * n_states[column][:, None]
        block[:-1, pairs.features.state_slots] = np.log((pairs.beside(j) + self._alpha) / totals)
        return block

    def _log_joint(self, table):
        features = self._pairs.features
        known = (table.codes < features.n_states).T
        parents = self._log_parents[features.offsets[:-1] + table.codes].transpose(1, 0, 2)
        beside = np.stack([self._sum_beside(table, j) for j in range(len(known))])
        joint = log_mean_exp(np.log(self.weights_)[:, None, None] + parents + beside, known)
        share = (self.weights_ @ known) / np.maximum(known.sum(axis=0), 1)
        joint -= np.log(np.where(share > 0, share, 1))[:, None]
        return np.where(known.any(axis=0)[:, None], joint, self._log_prior)

    def _check_block(self, block, shape):
        check_float_array(self, "_blocks", block, *shape, low=-LARGEST_LOG, high=0)

    def _check_fitted_state(self):
        super()._check_fitted_state()
        features = self._pairs.features
        check_real(self, "_alpha", low=1e-300)
        check_floats(self, "weights_", len(features.n_states), low=1e-12, high=64)
        check_floats(self, "_log_parents", *features.table.shape, low=-LARGEST_LOG, high=0)
        check_floats(self, "_log_prior", len(self.classes_), low=-LARGEST_LOG, high=0)
