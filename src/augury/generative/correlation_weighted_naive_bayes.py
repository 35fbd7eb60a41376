"""Naive Bayes with weights of the columns by correlation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.counts import (
    FeatureCounts,
    PairCounts,
    conditional_mutual_information,
    floored_log,
    laplace_log_probability,
    laplace_log_table,
    mutual_information_with_class,
    pseudo_count,
)
from augury.encode import CategoricalTable
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import LARGEST_COUNT, check_floats, check_logs, check_part, require
from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.generative.bases.explains_log_odds import ExplainsLogOdds, look_up_terms
from augury.generative.hidden_naive_bayes import check_pseudo_count
from augury.kernels import add_log_factors
from augury.registration import register_model
from augury.structure import Structure
from augury.structure.drawing import NamedStructure
from augury.validation import check_distribution

# Smaller terms of the mutual information of two columns are ignored, as in the authors' program.
_NEGLIGIBLE = 1e-6


@dataclass(frozen=True, eq=False)
class CorrelationCounts:
    """Counts by class of single columns, and counts of pairs of columns whatever the class."""

    counts: FeatureCounts
    pairs: PairCounts

    def __add__(self, other: CorrelationCounts) -> CorrelationCounts:
        if not isinstance(other, CorrelationCounts):
            return NotImplemented
        return CorrelationCounts(self.counts + other.counts, self.pairs + other.pairs)

    def _check_fitted_state(self) -> None:
        check_part(self, "counts", FeatureCounts)._check_fitted_state()
        pairs = check_part(self, "pairs", PairCounts)
        pairs._check_fitted_state()
        fits = np.array_equal(pairs.features.n_states, self.counts.n_states)
        require(fits and len(pairs.features.class_counts) == 1, self, "pairs", "of these columns")


@register_model("cfw-nb", "Naive Bayes, columns weighted by their correlations (CFW)")
class CorrelationWeightedNaiveBayes(
    DrawsStructure, ExplainsLogOdds, CategoricalClassifier[CorrelationCounts]
):
    """Naive Bayes with correlation-based feature weights (CFW).

    p(c, x) ∝ p(c) Π_i p(x_i | c)^{w_i}. A column has a high weight if it has much information
    about the class and shares little with other columns. With the relevance I(A_i; C) and the
    redundancy (mean of I(A_i; A_j) over j ≠ i), each divided by its mean over the columns,

        w_i = 1 / (1 + exp(-(relevance_i - redundancy_i))).

    Parameters
    ----------
    alpha : "m-estimate" or a number >= 0
        Pseudo-count of each state: p(x_i | c) = (N_ic + α) / (N_c + α v_i). 1.0 is Laplace
        smoothing. "m-estimate" is α = 1/v_i, and 1/q for the q classes, as in the program of
        the authors.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None estimates it.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    weights_ : array of shape (n_columns,), the weight of each column, between 0 and 1
    relevance_ : array of shape (n_columns,), I(A_i; C), divided by its mean
    redundancy_ : array of shape (n_columns,), mean of I(A_i; A_j) over j, divided by its mean
    log_prior_ : array of shape (n_classes,)
    encoder_ : the fitted `TableEncoder`; `encoder_.table_names_` are the names of the columns
    statistics_ : CorrelationCounts; statistics of other rows can be added to it

    Notes
    -----
    *The place between naive Bayes and logistic regression.* Naive Bayes has w = 1. CFW weights
    each factor by a formula. `DiscriminativelyWeightedNaiveBayes` finds as many weights by
    conditional likelihood. Logistic regression has a parameter for each state and class.

    Relevance and redundancy are 1 in the mean, so the weights are near 1/2. The log odds are
    therefore about half of those of naive Bayes, and class probabilities are less extreme.

    The statistics are counts, so `partial_fit` changes the weights too. If all columns have the
    relevance (or redundancy) 0, it is replaced by 1: all columns are at the mean. A value that is
    left out has no factor.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + m + 40) + 8 s² + 32 q s`, and
    the model keeps `8 s² + 16 q s + 100 s`.

    References
    ----------
    L. Jiang, L. Zhang, C. Li, J. Wu: A correlation-based feature weighting filter for naive
    Bayes. IEEE Trans. Knowl. Data Eng. 31 (2019), 201-213.

    Examples
    --------
    The first two columns are equal and determine the class: I(A_i; C) is 1 bit, and they share 1
    bit. The third column is independent of all. The means of relevance and redundancy are 2/3
    and 1/3 bit.

    >>> from augury.generative import CorrelationWeightedNaiveBayes
    >>> X = [["a", "a", "u"], ["a", "a", "v"], ["b", "b", "u"], ["b", "b", "v"]]
    >>> model = CorrelationWeightedNaiveBayes().fit(X, [0, 0, 1, 1])
    >>> model.relevance_, model.redundancy_, model.weights_
    (array([1.5, 1.5, 0. ]), array([1.5, 1.5, 0. ]), array([0.5, 0.5, 0.5]))
    """

    def __init__(
        self,
        alpha: float | str = "m-estimate",
        priors: ArrayLike | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_pseudo_count(self._owner, "alpha", self.alpha)

    def _collect(
        self, table: CategoricalTable, y: Array, weight: Array | None
    ) -> CorrelationCounts:
        n_threads = self._n_threads()
        # The pairs are counted without the class: a q-th of the memory.
        any_class = np.zeros_like(y)
        return CorrelationCounts(
            counts=FeatureCounts.collect(
                table.codes, table.n_states, y, len(self.classes_), weight, n_threads=n_threads
            ),
            pairs=PairCounts.collect(
                table.codes, table.n_states, any_class, 1, weight, n_threads=n_threads
            ),
        )

    def _estimate(self, statistics: CorrelationCounts) -> None:
        counts, n_classes = statistics.counts, len(self.classes_)
        if self.priors is None:
            added = pseudo_count(self.alpha, n_classes)
            self.log_prior_ = laplace_log_probability(counts.class_counts, added)
        else:
            priors = check_distribution(self._owner, "priors", self.priors, n_classes)
            self.log_prior_ = floored_log(priors)
        self.relevance_: Array = _divided_by_mean(mutual_information_with_class(counts))
        # Given a class that all rows share, the information is that of two columns alone.
        information = conditional_mutual_information(statistics.pairs, negligible=_NEGLIGIBLE)
        self.redundancy_: Array = _divided_by_mean(information.sum(axis=1))
        self.weights_: FloatArray = 1.0 / (1.0 + np.exp(self.redundancy_ - self.relevance_))
        per_slot = np.repeat(self.weights_, counts.n_states + 1)
        self._log_table = per_slot[:, None] * laplace_log_table(counts, self.alpha)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        statistics = check_part(self, "statistics_", CorrelationCounts)
        self._check_feature_counts(statistics.counts)
        statistics._check_fitted_state()
        n_classes, n_columns = len(self.classes_), len(self.encoder_.n_states_)
        check_logs(self, "log_prior_", n_classes)
        check_logs(self, "_log_table", len(statistics.counts.table), n_classes)
        check_floats(self, "weights_", n_columns, low=0, high=1)
        for name in ("relevance_", "redundancy_"):
            check_floats(self, name, n_columns, low=0, high=LARGEST_COUNT)

    def _log_joint(self, table: CategoricalTable) -> Array:
        joint = np.tile(self.log_prior_, (table.n_samples, 1))
        offsets = self.statistics_.counts.offsets
        add_log_factors(table.codes, self._log_table, offsets, joint, n_threads=self._n_threads())
        return joint

    def _log_terms(self, table: CategoricalTable) -> tuple[list[str], Array]:
        prior = np.broadcast_to(self.log_prior_, (table.n_samples, 1, len(self.classes_)))
        terms = look_up_terms(table.codes, self._log_table, self.statistics_.counts.offsets)
        return ["prior", *table.names], np.concatenate([prior, terms], axis=1)

    def _drawing(self) -> Drawing:
        names = list(self.encoder_.feature_names_)
        return NamedStructure(Structure.empty(len(names)), names)


def _divided_by_mean(values: Array) -> Array:
    """Return values divided by their mean; 1 if it is 0."""
    values = np.maximum(values, 0.0)  # rounding errors of zero
    mean = values.mean() if len(values) else 0.0
    return values / mean if mean > 0 else np.ones_like(values)
