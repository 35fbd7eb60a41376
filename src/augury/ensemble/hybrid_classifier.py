"""The flagship: a pool of models of different kinds."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.bases.held_out import PredictsHeldOut
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import PartialScores, partial_scores
from augury.bases.table_classifier import TableClassifier
from augury.counts import log_normalize, normalize
from augury.encode import TableEncoder
from augury.encode.columns import read_once
from augury.encode.row_keys import row_keys
from augury.ensemble.pool.held_out_folds import draw_folds, predict_in_folds
from augury.ensemble.pool.log_linear_pool import learn_weights, pool
from augury.ensemble.pool.parts import EFFORTS, make_parts
from augury.fitted_state import check_codes_of_classes, check_floats, check_reads, require
from augury.foreign import Classifier, Table
from augury.hybrid.inner_models.fitting import declared_codes, fit_to_codes
from augury.hybrid.inner_models.tables import as_frame
from augury.memory import RefusedTableError
from augury.registration import register_model
from augury.validation import check_choice, check_table, check_threads

# The weights of the parts are drawn to equal weights as strongly as so many rows would do.
_PRIOR_ROWS = 5.0
# The smallest probability of a part: a part that is certain and wrong must not decide alone.
_SMALLEST = 1e-4


@register_model("augury", "The flagship: trees, kernel, generative models and regression, pooled")
class HybridClassifier(LogScoreClassifier):
    """Hybrid classifier: generative, discriminative and tree models, pooled by held-out log loss.

    The parts are models of different kinds, each a public class:

    - "hybrid": `AugmentedClassifier(HiddenNaiveBayes())`, a regression on the columns and on the
      log odds of a generative model;
    - "trees": `RandomizedTrees`, for interactions of columns;
    - "kernel": `KernelClassifier`, for smooth functions of all columns;
    - "random cuts": `RandomCutEnsemble`, generative models with random cut points;
    - "boosting": `TreeBoosting`, of tables with at least 1,000 rows.

    Each part predicts its training rows held out: from the trees and samples that do not contain
    the row, without the row by a formula, or in folds. The pool is

        p(c | x) ∝ Π_m p_m(c | x)^w_m,   w_m ≥ 0,

    and the weights minimise the log loss of the held-out predictions, plus 5/2 Σ_m (w_m - 1/M)²
    for M parts. The sum of the weights is free, so they also calibrate the probabilities.

    Parameters
    ----------
    effort : {"fast", "balanced", "best"}
        How much the parts compute. The time grows linearly with the rows for each of them.
    random_state : int, RandomState or None
        Seed of the samples, the trees, the landmarks and the folds.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core. The result does not depend on it.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    parts_ : dict of the fitted models by name
    weights_ : array of the weights of the parts, in the order of `parts_`
    left_out_ : dict of the names of parts that refuse the table, and their reasons
    held_out_log_loss_ : float
        Log loss of the pool on the held-out predictions that its weights were learned from.
    part_log_losses_ : array of the held-out log losses of the parts

    Notes
    -----
    A table with more than 20,000 rows has one fold for "hybrid", a quarter of the rows, and the
    weights are learned from these. With more than 200 columns the generative models are naive
    Bayes, since pairs of columns would take longest.

    The effort bounds the rows of a tree and the landmarks of the kernel, so that the time grows
    linearly with the rows. A part that refuses the table, because it would take too long or too
    much memory, is left out (`left_out_`).

    Memory in bytes (see `augury.memory`): fit takes `n (8 m + 3 d + 60 q + 200) + 60000000 +
    8 q s² + 8 q (s + d + m)²`, and the model keeps `500 min(n, 10000) + 8 q s² + 8 q (s + d + m)² +
    4000 (m + d v + q)`.

    References
    ----------
    C. Genest, J. V. Zidek (1986): Combining probability distributions: a critique and an
    annotated bibliography. Statistical Science 1.
    L. Breiman (1996): Stacked regressions. Machine Learning 24.

    Examples
    --------
    >>> from augury.ensemble import HybridClassifier
    >>> X = [["sun", 3.0], ["sun", 1.0], ["rain", 2.0], ["rain", 4.0]] * 10
    >>> y = ["out", "out", "in", "in"] * 10
    >>> model = HybridClassifier(effort="fast").fit(X, y)
    >>> model.predict([["sun", 2.0], ["rain", 2.0]]).tolist()
    ['out', 'in']
    """

    def __init__(
        self,
        effort: str = "balanced",
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.effort = effort
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        check_choice(self._owner, "effort", self.effort, EFFORTS)
        check_threads(self._owner, self.n_jobs)

    # ---- fitting ----------------------------------------------------------------------

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Fit the parts, and learn their weights from held-out predictions."""
        random = check_random_state(self.random_state)
        X = read_once(X)
        seed, n_classes = int(random.randint(1 << 31)), len(self.classes_)
        parts = make_parts(self.effort, X.shape, seed, self.n_jobs, n_classes=n_classes)
        table = TableEncoder(discretizer=None).learn_and_encode(X, codes, weight, self._owner)
        folds = draw_folds(row_keys(table, random), codes)
        self._learn_weights(self._fit_parts(parts, X, codes, weight, folds), codes, weight)

    def _fit_parts(
        self,
        parts: dict[str, Classifier],
        X: Table,
        codes: Array,
        weight: Array | None,
        folds: Array,
    ) -> list[FloatArray]:
        """Set `parts_`, and return held-out log probabilities of each; NaN for rows without."""
        self.parts_, self.left_out_ = {}, {}
        held_out = []
        for name, part in parts.items():
            try:
                fitted, proba = self._fit_held_out(part, X, codes, weight, folds)
            except RefusedTableError as refusal:  # the other parts are enough
                self.left_out_[name] = str(refusal)
                continue
            self.parts_[name] = fitted
            held_out.append(_bounded_logs(proba))
        if not held_out:
            reasons = "; ".join(self.left_out_.values())
            raise ValueError(f"{self._owner}: every part refuses this table: {reasons}")
        return held_out

    def _fit_held_out(
        self, part: Classifier, X: Table, codes: Array, weight: Array | None, folds: Array
    ) -> tuple[Any, FloatArray]:
        n_classes = len(self.classes_)
        if isinstance(part, PredictsHeldOut):
            return part, part.fit_held_out(X, declared_codes(codes, n_classes), weight)
        fitted = fit_to_codes(part, X, codes, n_classes, weight, self._owner)
        return fitted, predict_in_folds(part, X, codes, n_classes, weight, folds, self._owner)

    def _learn_weights(
        self, held_out: list[FloatArray], codes: Array, weight: Array | None
    ) -> None:
        known = np.logical_and.reduce([np.isfinite(logs[:, 0]) for logs in held_out])
        if not known.any():  # nearly all the weight is on one row
            known[:] = True
            held_out = [np.where(np.isnan(logs), 0.0, logs) for logs in held_out]
        logs = [each[known] for each in held_out]
        rows, heavy = codes[known], None if weight is None else weight[known]
        self.weights_ = learn_weights(logs, rows, heavy, prior=_PRIOR_ROWS)
        self.part_log_losses_ = np.array([_log_loss(each, rows, heavy) for each in logs])
        pooled = log_normalize(pool(logs, self.weights_))
        self.held_out_log_loss_ = _log_loss(pooled, rows, heavy)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        parts, n_classes = self.parts_, len(self.classes_)
        fits = isinstance(parts, dict) and all(isinstance(name, str) for name in parts)
        fits = fits and all(isinstance(part, TableClassifier) for part in parts.values())
        require(fits and bool(parts), self, "parts_", "a dict of classifiers by name")
        names = getattr(self, "feature_names_in_", None)
        for part in parts.values():
            check_codes_of_classes(self, "parts_", part, n_classes)
            require(len(part.classes_) == n_classes, self, "parts_", "models of all classes")
            check_reads(self, "parts_", part, self.n_features_in_, names)
        check_floats(self, "weights_", len(parts), low=0.0)

    # ---- predicting -------------------------------------------------------------------

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self, "weights_")
        X = read_once(check_table(self, X, reset=False))
        return pool(
            [_bounded_logs(part.predict_proba(X)) for part in self.parts_.values()], self.weights_
        )

    # ---- explaining -------------------------------------------------------------------

    def _partial_scores(self, X: Table) -> PartialScores:
        """Return the pool of the partial scores of the parts."""
        frame = as_frame(X)  # the parts know the names of the columns
        parts = [partial_scores(part, frame) for part in self.parts_.values()]

        def pooled(rows: IntegerArray, known: BoolArray) -> Array:
            logs = [_bounded_logs(normalize(part(rows, known))) for part in parts]
            return pool(logs, self.weights_)

        return pooled

    def describe_parts(self) -> pd.DataFrame:
        """Return the weight and the held-out log loss of each part."""
        check_is_fitted(self)
        columns = {"weight": self.weights_, "held_out_log_loss": self.part_log_losses_}
        return pd.DataFrame(columns, index=pd.Index(list(self.parts_), name="part"))


def _bounded_logs(proba: FloatArray) -> FloatArray:
    """Return log probabilities, none of them below that of the smallest probability."""
    bounded = np.maximum(proba, _SMALLEST)
    logs: FloatArray = np.log(bounded / bounded.sum(axis=1, keepdims=True))
    return logs


def _log_loss(log_p: FloatArray, codes: Array, weight: Array | None) -> float:
    own = log_p[np.arange(len(codes)), codes]
    return float(-np.average(own, weights=weight))


__all__ = ["HybridClassifier"]
