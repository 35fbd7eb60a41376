"""The flagship: a pool of models of different kinds."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.bases.class_weights import ClassWeight, class_factors, weigh_by_class
from augury.bases.held_out import PredictsHeldOut
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import PartialScores, partial_scores
from augury.bases.table_classifier import TableClassifier
from augury.counts import log_normalize, normalize
from augury.discriminative import KernelClassifier
from augury.encode import TableEncoder, take_rows
from augury.encode.columns import read_once, row_blocks, slice_rows
from augury.encode.row_keys import row_keys
from augury.ensemble.pool.column_readings import (
    ColumnReadings,
    learn_readings,
    without_identifiers,
)
from augury.ensemble.pool.held_out_folds import (
    HeldOutFolds,
    draw_folds,
    draw_held_out,
    predict_in_folds,
)
from augury.ensemble.pool.log_linear_pool import learn_weights, pool
from augury.ensemble.pool.parts import EFFORTS, make_parts
from augury.fitted_state import (
    check_codes_of_classes,
    check_floats,
    check_part,
    check_reads,
    require,
)
from augury.foreign import Classifier, Table
from augury.hybrid.inner_models.fitting import declared_codes, fit_to_codes
from augury.hybrid.inner_models.tables import with_fitted_names
from augury.hybrid.meta_features.class_probabilities import predict_declared_proba
from augury.kernels.blas_threads import blas_threads
from augury.memory import RefusedTableError
from augury.registration import register_model
from augury.validation import check_choice, check_threads, is_read_once

# The weights of the parts are drawn to equal weights as strongly as so many rows would do.
_PRIOR_ROWS = 20.0
# With fewer rows for each column, a kernel with learned column weights is held out in folds.
_ROWS_OF_COLUMN = 5
# The smallest probability of a part: a part that is certain and wrong must not decide alone.
SMALLEST_OF_PARTS = 1e-4


@register_model("augury", "The flagship: trees, kernel, generative models and boosting, pooled")
class HybridClassifier(LogScoreClassifier):
    """Hybrid classifier: generative, discriminative and tree models, pooled by held-out log loss.

    The parts are models of different kinds, each a public class:

    - "trees": `RandomizedTrees`, for interactions of columns;
    - "kernel": `KernelClassifier`, for smooth functions of all columns;
    - "random cuts": `RandomCutEnsemble`, generative models with random cut points, of tables with
      fewer than 1,000 different rows; not in a "fast" fit;
    - "hybrid": `AugmentedClassifier(HiddenNaiveBayes())`, a regression on the columns and on the
      log odds of a generative model, of tables with at least 1,000 different rows and at most 50
      classes;
    - "boosting": `TreeBoosting`, of tables with at least 1,000 different rows, if the effort
      allows 20 rounds.

    Columns of texts that identify the rows are not read. Columns of integers of few values are
    read as labels too if a kernel machine predicts better with them; not in a "fast" fit.

    Each part predicts its training rows held out: from the trees and samples that do not contain
    the row, without the row by a formula, or in folds. The pool is

        p(c | x) ∝ Π_m p_m(c | x)^w_m,   w_m ≥ 0,

    and the weights minimise the log loss of the held-out predictions, plus 10 Σ_m (w_m - 1/M)²
    for M parts. The sum of the weights is free, so they also calibrate the probabilities.

    Parameters
    ----------
    effort : {"fast", "balanced", "best"}
        How much the parts compute. The time grows linearly with the rows for each of them.
    random_state : int, RandomState or None
        Seed of the samples, the trees, the landmarks and the folds.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core. The result does not depend on it.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of its probability; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    parts_ : dict of the fitted models by name
    weights_ : array of the weights of the parts, in the order of `parts_`
    log_class_weights_ : array of shape (n_classes,), which is added to the scores
    left_out_ : dict of the names of parts that refuse the table, and their reasons
    held_out_log_loss_ : float
        Log loss of the pool on the held-out predictions that its weights were learned from.
    part_log_losses_ : array of the held-out log losses of the parts

    Notes
    -----
    Below 20,000 different rows "fast" has the parts "trees" and "kernel" only: "hybrid" is fitted
    six times there, once to all rows and five times for its held-out predictions. From 20,000
    different rows on, one of ten rows is held out, 5,000 at most. Each part is fitted once, to the
    other rows, and the weights are learned from the rows that are held out. Such a table has
    "kernel", "hybrid" unless it has more than 50 classes, and "boosting", or "trees" where the
    effort allows fewer than 20 rounds of boosting. With more than 200 columns the generative models
    are naive Bayes, since pairs of columns would take longest.

    Integers of few different values are read as labels too, beside the numbers, if that predicts
    training rows better that are left out; texts of which at least 90 % differ are not read
    (`augury.ensemble.pool.column_readings` has the rules).

    Class weights change no part. They multiply the probabilities of the pool, p(c | x) times the
    weight of class c, which is what weighted rows would teach. Rows of a class of weight 0 are left
    out. Held-out log losses are those of the rows without class weights.

    A part of a weight below 0.05 has the weight 0, and takes no time when rows are predicted.

    The effort bounds the rows of a tree and the landmarks of the kernel, so that the time grows
    linearly with the rows. A part that refuses the table, because it would take too long or too
    much memory, is left out (`left_out_`).

    Memory in bytes (see `augury.memory`): fit takes `n (8 m + 3 d + 60 q + 200) + 60000000 +
    8 q s² + 8 q (s + d + m)²`, and the model keeps `380 min(n, 10000) + 380 min(n, 1000) +
    350000 q + 8 q s² + 8 q (s + d + m)² + 4000 (m + d v + q)`. It keeps less of more than 20,000
    rows.

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
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.effort = effort
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_choice(self._owner, "effort", self.effort, EFFORTS)
        check_threads(self._owner, self.n_jobs)

    # ---- fitting ----------------------------------------------------------------------

    def _weigh_classes(self, classes: Array, codes: Array, weight: Array | None) -> Array | None:
        """Set the logs of the class weights; return 0 for the rows of classes of weight 0."""
        factors = class_factors(self._owner, self.class_weight, classes, codes, weight)
        if factors is None:
            factors = np.ones(len(classes))
        has_weight = factors > 0
        self.log_class_weights_: FloatArray = np.log(np.where(has_weight, factors, 1.0))
        if has_weight[codes].all():
            return weight
        return weigh_by_class(self._owner, has_weight.astype(np.float64), codes, weight)

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        with blas_threads(1):  # the products are small
            self._fit_pool(X, codes, weight)

    def _fit_pool(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Fit the parts, and learn their weights from held-out predictions."""
        random = check_random_state(self.random_state)
        X = read_once(X)
        seed = int(random.randint(1 << 31))
        table = TableEncoder(discretizer=None).learn_and_encode(X, codes, weight, self._owner)
        keys = row_keys(table, random)
        self._readings = self._learn_readings(X, codes, weight, keys, seed)
        X = self._readings.apply(X)
        shape = len(np.unique(keys)), X.shape[1], len(self.classes_)
        parts = make_parts(self.effort, shape, seed, self.n_jobs)
        held_out = draw_held_out(keys, codes, weight)
        if held_out is None:
            folds = draw_folds(keys, codes, weight)
            in_folds = self._names_in_folds(parts, shape)
            fit = partial(self._fit_to_all, X, codes, weight, folds, in_folds)
            logs = self._fit_parts(parts, fit)
            self._learn_weights(logs, codes, weight)
            return
        judged = take_rows(X, held_out)
        of_judged = codes[held_out], None if weight is None else weight[held_out]
        kept = ~held_out
        others = take_rows(X, kept), codes[kept], None if weight is None else weight[kept]
        logs = self._fit_parts(parts, partial(self._fit_to_others, *others, judged))
        self._learn_weights(logs, *of_judged)

    def _learn_readings(
        self, X: Table, codes: Array, weight: Array | None, keys: IntegerArray, seed: int
    ) -> ColumnReadings:
        """Return how the parts read the columns; a table that is read in blocks is not tried."""
        if not is_read_once(X):
            return ColumnReadings.of(np.arange(X.shape[1]), np.empty(0, dtype=np.intp))
        if EFFORTS[self.effort].tries_readings:
            return learn_readings(X, codes, weight, len(self.classes_), keys, seed)
        return without_identifiers(X)

    @staticmethod
    def _names_in_folds(parts: dict[str, Classifier], shape: tuple[int, int, int]) -> set[str]:
        """Return the parts that are held out in folds, though they predict held-out rows.

        A kernel whose column weights were learned from all rows predicts each row without the row
        too well, if there are few rows for each column.
        """
        if shape[0] >= _ROWS_OF_COLUMN * shape[1]:
            return set()
        return {
            name
            for name, part in parts.items()
            if isinstance(part, KernelClassifier) and part.column_weights == "learned"
        }

    def _fit_parts(
        self,
        parts: dict[str, Classifier],
        fit: Callable[[str, Classifier], tuple[Any, FloatArray]],
    ) -> list[FloatArray]:
        """Set `parts_`, and return held-out log probabilities of each; NaN for rows without."""
        self.parts_, self.left_out_ = {}, {}
        held_out = []
        for name, part in parts.items():
            try:
                fitted, proba = fit(name, part)
            except RefusedTableError as refusal:  # the other parts are enough
                self.left_out_[name] = str(refusal)
                continue
            self.parts_[name] = fitted
            held_out.append(_bounded_logs(proba))
        if not held_out:
            reasons = "; ".join(self.left_out_.values())
            raise ValueError(f"{self._owner}: every part refuses this table: {reasons}")
        return held_out

    def _fit_to_all(
        self,
        X: Table,
        codes: Array,
        weight: Array | None,
        folds: HeldOutFolds,
        in_folds: set[str],
        name: str,
        part: Classifier,
    ) -> tuple[Any, FloatArray]:
        """Fit a part to all rows; return it, and probabilities of each row without the row."""
        n_classes = len(self.classes_)
        if isinstance(part, PredictsHeldOut) and name not in in_folds:
            return part, part.fit_held_out(X, declared_codes(codes, n_classes), weight)
        fitted = fit_to_codes(part, X, codes, n_classes, weight, self._owner)
        return fitted, predict_in_folds(part, X, codes, n_classes, weight, folds, self._owner)

    def _fit_to_others(
        self,
        X: Table,
        codes: Array,
        weight: Array | None,
        judged: Table,
        _: str,
        part: Classifier,
    ) -> tuple[Any, FloatArray]:
        """Fit a part to the rows that are not held out; return it, and those probabilities."""
        n_classes = len(self.classes_)
        fitted = fit_to_codes(part, X, codes, n_classes, weight, self._owner)
        return fitted, predict_declared_proba(fitted, judged, n_classes)

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
        n_columns, names = self.n_features_in_, getattr(self, "feature_names_in_", None)
        readings = check_part(self, "_readings", ColumnReadings)
        fits = readings.sources.max() < n_columns
        require(fits, self, "_readings", f"readings of {n_columns} columns")
        if readings.changes(n_columns):  # the parts get columns of other names
            n_columns, names = len(readings.sources), None
        for part in parts.values():
            check_codes_of_classes(self, "parts_", part, n_classes)
            require(len(part.classes_) == n_classes, self, "parts_", "models of all classes")
            check_reads(self, "parts_", part, n_columns, names)
        check_floats(self, "weights_", len(parts), low=0.0)
        check_floats(self, "log_class_weights_", n_classes)

    # ---- predicting -------------------------------------------------------------------

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self, "weights_")
        X = self._check_explained(X)
        with blas_threads(1):
            blocks = [self._pool_rows(slice_rows(X, rows)) for rows in row_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _check_explained(self, X: Table) -> Table:
        return with_fitted_names(self, super()._check_explained(X))

    def _pool_rows(self, X: Table) -> FloatArray:
        X = self._readings.apply(read_once(X))
        used = self._used_parts()
        logs = [_bounded_logs(part.predict_proba(X)) for part, _ in used]
        return pool(logs, [weight for _, weight in used]) + self.log_class_weights_

    def _used_parts(self) -> list[tuple[Any, float]]:
        """Return the parts that have a weight, and their weights."""
        pairs = list(zip(self.parts_.values(), self.weights_.tolist(), strict=True))
        return [pair for pair in pairs if pair[1] > 0] or pairs[:1]

    # ---- explaining -------------------------------------------------------------------

    def _partial_scores(self, X: Table) -> PartialScores:
        """Return the pool of the partial scores of the parts."""
        frame = self._readings.apply_to_frame(X)  # the parts know the names of the columns
        sources = self._readings.sources
        used = self._used_parts()
        scores = [partial_scores(part, frame) for part, _ in used]
        weights = [weight for _, weight in used]

        def pooled(rows: IntegerArray, known: BoolArray) -> Array:
            read = known[:, sources]
            logs = [_bounded_logs(normalize(part(rows, read))) for part in scores]
            return pool(logs, weights) + self.log_class_weights_

        return pooled

    def describe_parts(self) -> pd.DataFrame:
        """Return the weight and the held-out log loss of each part."""
        check_is_fitted(self)
        columns = {"weight": self.weights_, "held_out_log_loss": self.part_log_losses_}
        return pd.DataFrame(columns, index=pd.Index(list(self.parts_), name="part"))


def _bounded_logs(proba: FloatArray) -> FloatArray:
    """Return log probabilities, none of them below that of the smallest probability."""
    bounded = np.maximum(proba, SMALLEST_OF_PARTS)
    logs: FloatArray = np.log(bounded / bounded.sum(axis=1, keepdims=True))
    return logs


def _log_loss(log_p: FloatArray, codes: Array, weight: Array | None) -> float:
    own = log_p[np.arange(len(codes)), codes]
    return float(-np.average(own, weights=weight))


__all__ = ["HybridClassifier"]
