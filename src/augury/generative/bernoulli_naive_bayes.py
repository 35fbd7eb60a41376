"""Multivariate Bernoulli naive Bayes: each event occurs in a row or does not."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.counts.event_counts import CountMatrix, EventCounts, with_values
from augury.counts.smoothing import laplace_log_probability
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_logs
from augury.generative.bases.leaves_events_out import LeavesEventsOut
from augury.registration import register_model
from augury.validation import check_number


@register_model()
class BernoulliNaiveBayes(LeavesEventsOut):
    """Multivariate Bernoulli naive Bayes: each event occurs in a row, or does not.

    p(c, x) = p(c) Π_j p_jc^x_j (1 - p_jc)^(1 - x_j), where x_j is 0 or 1, and
    p_jc = (number of rows of c with x_j = 1, plus α) / (number of rows of c + 2 α). Unlike
    `MultinomialNaiveBayes`, the model ignores how often an event occurs in a row, and uses
    the absence of an event as evidence.

    Parameters
    ----------
    alpha : float
        Pseudo-count of an event, and of its absence; 1 is Laplace smoothing. With 0 a
        probability of zero becomes the smallest normal number, 2e-308.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None is the share of the rows of
        each class, and 2e-308 for a declared class without rows.
    binarize : float or None
        A number above this threshold is 1, any other 0. None: the numbers are 0 and 1.
    categorical_features, missing : see `TableEncoder`
        A column of labels becomes one 0/1 column for each of its states, all 0 for an
        unseen label. A missing number is left out: neither p nor 1 - p enters the product,
        and `fit` does not count the row for that column. With missing="state", a 0/1 column
        says whether the value is missing, if some value is missing in `fit`. A missing label
        without a state of its own is treated as an unseen label.
    n_jobs : int or None
        Threads for reading labels; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    log_prior_ : array of shape (n_classes,)
    log_probability_ : array of shape (n_columns, n_classes), log p
        The columns are named by `encoder_.names`: numbers, then indicators of labels.
    encoder_ : the fitted `CountEncoder`
    statistics_ : `EventCounts`; those of other rows can be added to it

    Notes
    -----
    Sections 3 to 5 of the notes "Discriminative models, generative models and naive
    Bayes" (JerryLead 2011, after Ng's CS229). Sparse matrices stay sparse in `fit` and
    `predict`: the log joint of an empty row is computed once, and each nonzero value of a row
    adds a term. `explain` returns a column for each feature, so pass few rows at a time.

    `fit` and all other methods also take `augury.encode.WordIndices`, lists of word indices of
    different lengths. The vocabulary is that of `fit`; larger indices are left out later.

    Memory in bytes (see `augury.memory`): fit takes `30 n + 8 e + 80 q d + 36 d`, and the model
    keeps `32 q d + 36 d`.

    Examples
    --------
    "buy" is in both spam mails and in none of the two others: p = 3/4 and 1/4 by
    Laplace's rule. "hello" is in one mail of each class and does not distinguish the classes.

    >>> from augury.generative import BernoulliNaiveBayes
    >>> X = [[1, 1], [3, 0], [0, 2], [0, 0]]  # how often "buy" and "hello" occur
    >>> model = BernoulliNaiveBayes().fit(X, ["spam", "spam", "ham", "ham"])
    >>> model.predict_proba([[2, 1], [0, 1]]).round(6)
    array([[0.25, 0.75],
           [0.75, 0.25]])
    """

    log_probability_: Array

    def __init__(
        self,
        alpha: float = 1.0,
        priors: ArrayLike | None = None,
        binarize: float | None = 0.0,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.binarize = binarize
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = False
        # binarize=0 keeps only the signs of numbers, which contain little information.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.binarize is not None:
            # Values that a sparse matrix does not store must stay 0.
            check_number(self._owner, "binarize", self.binarize, at_least=0)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_logs(self, "log_probability_", self.encoder_.n_columns, len(self.classes_))

    def _to_counts(self, numbers: CountMatrix) -> CountMatrix:
        values = numbers.data if issparse(numbers) else numbers
        if self.binarize is None:
            wrong = (values != 0) & (values != 1) & ~np.isnan(values)
            if wrong.any():
                raise self._bad_value(numbers, wrong, "0 or 1", "or set binarize")
            return numbers
        occurred = (values > self.binarize).astype(np.float64)
        if values.dtype.kind == "f":
            occurred[np.isnan(values)] = np.nan
        return with_values(numbers, occurred) if issparse(numbers) else occurred

    def _estimate_terms(self, statistics: EventCounts) -> tuple[Array | None, Array]:
        occurred = statistics.sums.T
        # Sums of weights may differ in the last digit.
        absent = np.maximum(statistics.known.T - occurred, 0.0)
        log_absent, self.log_probability_ = laplace_log_probability(
            np.stack([absent, occurred]), self.alpha
        )
        return log_absent, np.ascontiguousarray(self.log_probability_ - log_absent)
