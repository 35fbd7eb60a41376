"""Naive Bayes for mixed columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.row_blocks import count_rows
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.counts import (
    ClassValues,
    FeatureCounts,
    Moments,
    floored_log,
    laplace_log_probability,
    laplace_log_table,
)
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_floats, check_logs, check_part, require
from augury.foreign import Table
from augury.generative.bases.explains_log_odds import ExplainsLogOdds, look_up_terms
from augury.generative.bases.leaves_one_out import LeavesOneOut
from augury.generative.bases.training_rows import ModelRows
from augury.generative.densities.kernel_columns import (
    BANDWIDTHS,
    SMALLEST_WIDTH,
    KernelColumns,
    KernelWidths,
)
from augury.generative.densities.normal_columns import (
    DensityColumns,
    DistinctNumbers,
    IntervalColumns,
    NormalColumns,
)
from augury.generative.leave_one_out.counts import add_log_factors_without, log_prior_without
from augury.generative.leave_one_out.moments import moments_without
from augury.generative.statistics.naive_bayes_statistics import NaiveBayesStatistics
from augury.kernels import add_log_factors
from augury.registration import register_model
from augury.structure import Structure
from augury.structure.drawing import NamedStructure
from augury.time_limit import require_time
from augury.validation import check_choice, check_distribution, check_number

CONTINUOUS = ("discretize", "gaussian", "interval", "kernel")

# Time of the density of a number in one class.
# "discretize" has densities if the discretizer is None.
_NS_OF_FACTOR = {"discretize": 3.0, "gaussian": 3.0, "interval": 10.0, "kernel": 300.0}

_SMALLEST_VARIANCE = float(np.finfo(np.float64).tiny)


@register_model("nb", "Naive Bayes, numbers cut into intervals by MDL")
@register_model(
    "gaussian-nb",
    "Naive Bayes, a normal density for each number",
    parameters={"continuous": "gaussian"},
)
@register_model(
    "kernel-nb",
    "Naive Bayes, a kernel density for each number",
    parameters={"continuous": "kernel"},
)
class NaiveBayes(DrawsStructure, ExplainsLogOdds, LeavesOneOut[NaiveBayesStatistics]):
    """Naive Bayes (NB): given the class, the columns are independent.

    p(c, x) = p(c) Π_j p(x_j | c) over categorical and continuous columns. All computations
    are in log space, so that ten thousand columns do not underflow.

    Parameters
    ----------
    alpha : float
        Pseudo-count of each class and of each state of a categorical column; 1 is Laplace
        smoothing. p(c) = (n_c + α) / (n + α q) and p(x_j = v | c) = (N_vc + α) / (N_c + α v_j),
        where q and v_j are the *declared* numbers of classes and states. With 0 a probability
        of zero becomes the smallest normal number, 2e-308.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None estimates it.
    continuous : {"discretize", "gaussian", "interval", "kernel"}
        "discretize" cuts numbers into intervals by `discretizer`. "gaussian" uses the density
        of a normal distribution in each class with the unbiased variance
        Σ(x - mean)² / (n_c - 1); with weights, n_c is their sum and the divisor is at least
        n_c / 2. "interval" uses the probability of an interval around the value under a
        normal distribution, as WEKA does: see Notes. "kernel" uses a sum of Gaussian kernels
        at the training values, f(x) = Σ w_i φ((x - x_i) / h) / (h Σ w_i).
    variance_floor : float
        Smallest variance of a "gaussian", and of the spread in the width of a "kernel", as a
        share of the column's variance over all classes. Without it, a column that hardly varies
        within one class would outweigh all others. (Chosen by cross-validation of "gaussian" on
        21 sets: mean log loss 1.16 with 0.01 and 1.78 with 1e-9; docs/results/smoothing.md.) A
        class with at most one row has the variance of the whole column, and a class without
        rows also its mean.
    bandwidth : {"silverman", "weka"} or float > 0
        Width h of the kernels of a column in a class, with "kernel". "silverman" is
        0.9 min(s, q / 1.34) n_c^(-1/5), for the standard deviation s and the distance q of the
        quartiles. "weka" is r / √n_c for the range r of the values, and at least a sixth of
        the precision of "interval". A number is the width as a share of s, as in
        scipy.stats.gaussian_kde. See `KernelWidths`.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories. A missing number of a normal column is left out;
        with missing="state" whether it is missing is a categorical column of its own.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    log_prior_ : array of shape (n_classes,)
    log_factors_ : list of arrays of shape (n_states, n_classes), log p(x_j = v | c)
    mean_, variance_ : arrays of shape (n_continuous, n_classes)
    precision_ : array of shape (n_continuous,), with continuous="interval"
    width_ : array of shape (n_continuous, n_classes), with continuous="kernel"
    encoder_ : the fitted `TableEncoder`
    statistics_ : NaiveBayesStatistics; statistics of other rows can be added to it

    Notes
    -----
    Weights are numbers of rows: the smoothing, the prior and the cut points depend on
    their sum. Weights that sum to at most 1 are shares, see `fit`.

    With alpha=1 these are equations (3) to (5) of Zhang, Jiang and Zhang (2022). An unseen
    label is left out of the product, because its factor summed over all states is 1. So is a
    missing value of a column without missing values in `fit`.

    With continuous="interval", the precision δ of a column is the mean difference between
    adjacent distinct training values (0.01 if there is one value). Weights do not change it,
    and `partial_fit` learns it in its first call. Values are rounded to multiples of δ, in
    `fit` and in `predict`. The variance is Σ(x - mean)² / n_c, 0 if its root is below 1e-10,
    but at least (δ/6)². p(x | c) is the probability from x - δ/2 to x + δ/2, at least 1e-75. A
    class without values has mean 0 and variance (δ/6)², as in WEKA, so that it may be the most
    probable class of values near zero. The final model of the published hybrids NB-NB and LR-NB
    reads probabilities in this way.

    With continuous="kernel", log f equals the sum over all rows within 1e-6, see `KernelDensity`.
    Up to 32,768 distinct values of a column in a class are kept; more are merged into bins with
    the mean and the scatter of each. These statistics add, so that `partial_fit` gives what `fit`
    gives. `leave_one_out_proba` keeps the widths of all rows. A class without values of a column
    has the density of the whole column. WEKA's NaiveBayes -K adds probabilities of intervals
    around the value, from values rounded to the precision; we add densities. Both agree if the
    precision is small beside the width. On 28 sets with numbers, kernels are more accurate than
    "gaussian" and as accurate as "discretize", with a higher log loss than "discretize":
    docs/results/kernel-densities.md.

    A number takes 3 ns in each class with "gaussian", 10 with "interval" and 300 with "kernel". A
    model whose predictions of 1,000 rows take more than ten minutes is refused before rows are
    counted.

    Memory in bytes (see `augury.memory`): fit takes `n (d + m + 40) + 16 q s + 100 s`, and
    the model keeps `16 q s + 100 s`. With `continuous='gaussian'` fit takes `n (d + 8 m + 32) +
    16 q s + 100 s`, and the model keeps `16 q (s + m) + 100 s`. With `continuous='kernel'` fit
    takes `n (d + 54 m + 32) + 16 q s + 100 s`, and the model keeps `24 m min(n, 32768 q) + 16 q
    s + 100 s`.

    References
    ----------
    B. W. Silverman (1986): Density estimation for statistics and data analysis. Equation 3.31.
    G. H. John, P. Langley (1995): Estimating continuous distributions in Bayesian classifiers.
    Uncertainty in Artificial Intelligence 11, 338-345. (WEKA's NaiveBayes refers to it.)

    Examples
    --------
    P(yes) = 3/5 and P(sun | yes) = 3/4 by Laplace's rule, so the posterior of "yes"
    given sun is 9/20 to 2/15, or 0.77.

    >>> from augury.generative import NaiveBayes
    >>> X = [["sun"], ["sun"], ["rain"]]
    >>> model = NaiveBayes().fit(X, ["yes", "yes", "no"])
    >>> model.predict_proba([["sun"]]).round(3)
    array([[0.229, 0.771]])
    >>> model.explain([["sun"]]).round(3)  # log(9/6) + log(9/4) = log odds of "yes"
       prior     x0
    0  0.405  0.811
    """

    log_prior_: Array

    mean_: Array
    variance_: Array
    width_: Array

    bandwidth: str | float = "silverman"  # for files of 0.1 and 0.2, which lack this parameter

    def __init__(
        self,
        alpha: float = 1.0,
        priors: ArrayLike | None = None,
        continuous: str = "discretize",
        variance_floor: float = 0.01,
        bandwidth: str | float = "silverman",
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.continuous = continuous
        self.variance_floor = variance_floor
        self.bandwidth = bandwidth
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    @property
    def log_factors_(self) -> list[Array]:
        """Log p(x_j = v | c) of each categorical column."""
        offsets = self.statistics_.counts.offsets
        return [self._log_table[a : b - 1] for a, b in pairwise(offsets)]

    def _check_parameters(self) -> None:
        check_number(self._owner, "alpha", self.alpha, at_least=0)
        check_number(self._owner, "variance_floor", self.variance_floor, at_least=0)
        check_choice(self._owner, "continuous", self.continuous, CONTINUOUS)
        if isinstance(self.bandwidth, str):
            check_choice(self._owner, "bandwidth", self.bandwidth, BANDWIDTHS)
        else:
            check_number(self._owner, "bandwidth", self.bandwidth, above=0)

    def _make_encoder(self) -> TableEncoder:
        encoder = super()._make_encoder()
        return encoder if self.continuous == "discretize" else encoder.set_params(discretizer=None)

    def _learn_structure(self, training: ModelRows) -> None:
        n_numbers, n_classes = len(self.encoder_.number_names_), len(self.classes_)
        if n_numbers:
            require_time(
                ROWS_TO_PREDICT * n_numbers * n_classes,
                _NS_OF_FACTOR[self.continuous],
                f"the densities of {ROWS_TO_PREDICT:,} rows of {n_numbers:,} numbers in "
                f"{n_classes:,} classes",
                n_rows=training.total(count_rows),
                advice="use fewer columns, merge rare classes, or take "
                "NaiveBayes(continuous='discretize')",
            )
        if self.continuous == "interval":
            self.precision_: Array = training.total(DistinctNumbers.collect).mean_differences()

    @property
    def _normals(self) -> NormalColumns:
        if self.continuous == "interval":
            return IntervalColumns(self.precision_)
        return DensityColumns(self.variance_floor)

    def _collect(
        self, table: CategoricalTable, y: Array, weight: Array | None
    ) -> NaiveBayesStatistics:
        n_classes = len(self.classes_)
        return NaiveBayesStatistics(
            counts=FeatureCounts.collect(
                table.codes, table.n_states, y, n_classes, weight, n_threads=self._n_threads()
            ),
            moments=Moments.collect(self._normals.as_counted(table.numbers), y, n_classes, weight),
            values=(
                ClassValues.collect(table.numbers, y, n_classes, weight)
                if self.continuous == "kernel"
                else None
            ),
        )

    def _estimate(self, statistics: NaiveBayesStatistics) -> None:
        counts = statistics.counts
        if self.priors is None:
            self.log_prior_ = laplace_log_probability(counts.class_counts, self.alpha)
        else:
            priors = check_distribution(self._owner, "priors", self.priors, len(self.classes_))
            self.log_prior_ = floored_log(priors)
        self._log_table = laplace_log_table(counts, self.alpha)
        self._require_finite(statistics.moments.pooled())
        self.mean_, self.variance_ = self._normals.estimate(statistics.moments)
        if statistics.values is not None:
            widths = KernelWidths(self.bandwidth, self.variance_floor)
            self.width_, self._pooled_width = widths.learn(statistics.values, statistics.moments)

    def _require_finite(self, overall: Moments) -> None:
        wrong = ~np.isfinite(overall.scatter[:, 0])
        if wrong.any():
            name = self.encoder_.number_names_[int(np.argmax(wrong))]
            raise ValueError(
                f"{self._owner}: column {name!r} must hold numbers whose squares can be added, got "
                "larger ones: divide it by a constant"
            )

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        statistics = check_part(self, "statistics_", NaiveBayesStatistics)
        self._check_feature_counts(statistics.counts)
        n_classes, n_numbers = len(self.classes_), len(self.encoder_.number_names_)
        check_logs(self, "log_prior_", n_classes)
        check_logs(self, "_log_table", len(statistics.counts.table), n_classes)
        shape = n_numbers, n_classes
        require(statistics.moments.mean.shape == shape, self, "statistics_", "of its numbers")
        check_floats(self, "mean_", *shape)
        check_floats(self, "variance_", *shape, low=_SMALLEST_VARIANCE)
        if self.continuous == "interval":
            check_floats(self, "precision_", n_numbers, low=_SMALLEST_VARIANCE)
        if self.continuous == "kernel":
            values = check_part(statistics, "values", ClassValues)
            require(values.levels.shape == shape, self, "statistics_", "of its numbers")
            check_floats(self, "width_", *shape, low=SMALLEST_WIDTH)
            check_floats(self, "_pooled_width", n_numbers, low=SMALLEST_WIDTH)

    def _log_joint(self, table: CategoricalTable) -> Array:
        joint = np.empty((table.n_samples, len(self.classes_)))
        add_log_factors(
            table.codes,
            self._log_table,
            self.statistics_.counts.offsets,
            joint,
            first=self.log_prior_,
            n_threads=self._n_threads(),
        )
        for factors in self._log_number_factors(table):
            joint += factors
        return joint

    def _log_joint_without(self, table: CategoricalTable, y: Array, weight: Array) -> Array:
        counts, moments = self.statistics_.counts, self.statistics_.moments
        if self.priors is None:
            joint = log_prior_without(counts.class_counts, y, weight, self.alpha)
        else:
            joint = np.tile(self.log_prior_, (len(y), 1))
        add_log_factors_without(
            counts,
            table.codes,
            y,
            weight,
            self.alpha,
            joint,
            log_table=self._log_table,
            n_threads=self._n_threads(),
        )
        if self.continuous == "kernel":
            for j in range(table.numbers.shape[1]):
                joint += self._kernels().log_factors_without(table.numbers, j, y, weight)
            return joint
        counted = self._normals.as_counted(table.numbers)
        for j in range(counted.shape[1]):
            # Each row has moments of its own, as if it were a column.
            normal, without = (
                self._normals.of_column(j),
                moments_without(moments, j, counted[:, j], y, weight),
            )
            mean, variance = normal.estimate(without)
            joint += normal.log_factors(table.numbers[:, [j]], 0, mean[None], variance[None])
        return joint

    # No property: `dir`, which scikit-learn's diagram calls, would compute it for every model.
    def _kernels(self) -> KernelColumns:
        values = self.statistics_.values
        assert values is not None  # `_collect` and `_check_fitted_state` see to it
        return KernelColumns(values, self.width_, self._pooled_width)

    def _log_number_factors(self, table: CategoricalTable) -> Iterator[Array]:
        for j in range(table.numbers.shape[1]):
            if self.continuous == "kernel":
                yield self._kernels().log_factors(table.numbers, j)
                continue
            yield self._normals.log_factors(table.numbers, j, self.mean_, self.variance_)

    def column_log_likelihoods(self, X: Table) -> tuple[list[str], Array]:
        """Return the names of the columns, and log p(x_j | c) of each row, column and class.

        The term of a missing value or an unseen label that is left out is 0. With
        continuous="gaussian" the likelihood of a number is a density, with "interval" it is
        the probability of an interval of the width `precision_`.

        Parameters
        ----------
        X : rows, as in `predict`

        Returns
        -------
        names : list of str
            A column "x is missing" follows the columns of labels if missing numbers are a state.
        terms : array of shape (n_samples, n_columns, n_classes)
            The terms of a row and the prior sum to log p(c, x).

        Examples
        --------
        >>> model = NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"])
        >>> names, terms = model.column_log_likelihoods([["sun"]])
        >>> names, np.exp(terms).round(2)  # (0 + 1) / (1 + 2) and (2 + 1) / (2 + 2)
        (['x0'], array([[[0.33, 0.75]]]))
        """
        check_is_fitted(self)
        names, terms = self._log_terms(self._read(self._check_input(X, reset=False)))
        return names[1:], terms[:, 1:]

    def _log_terms(self, table: CategoricalTable) -> tuple[list[str], Array]:
        prior = np.broadcast_to(self.log_prior_, (table.n_samples, 1, len(self.classes_)))
        labels = look_up_terms(table.codes, self._log_table, self.statistics_.counts.offsets)
        numbers = [factors[:, None] for factors in self._log_number_factors(table)]
        names = ["prior", *table.names, *table.number_names]
        return names, np.concatenate([prior, labels, *numbers], axis=1)

    def _drawing(self) -> Drawing:
        names = list(self.encoder_.feature_names_)
        return NamedStructure(Structure.empty(len(names)), names)
