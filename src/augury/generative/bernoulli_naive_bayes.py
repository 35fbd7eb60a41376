"""Naive Bayes over what happens in a row and what does not."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse

from augury.arrays import Array
from augury.counts.event_counts import EventCounts, with_values
from augury.counts.smoothing import laplace_log_probability
from augury.fitted_state import check_logs
from augury.generative.leave_one_out.events import LeavesEventsOut
from augury.registration import register_model
from augury.validation import check_number


@register_model()
class BernoulliNaiveBayes(LeavesEventsOut):
    """Multivariate Bernoulli naive Bayes: each event happens in a row, or does not.

    p(c, x) = p(c) Π_j p_jc^x_j (1 - p_jc)^(1 - x_j), where x_j is 0 or 1, and
    p_jc = (rows of c with x_j = 1, + α) / (rows of c + 2 α). Unlike in
    `MultinomialNaiveBayes` how often counts nothing, and absence is evidence.

    Parameters
    ----------
    alpha : float
        Laplace (1) or Lidstone smoothing of p. With 0 a count of zero becomes the
        smallest normal number, 2e-308.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None takes the share of each
        class, and 2e-308 for a declared class without rows.
    binarize : float or None
        A number above it is 1, any other 0. None: the numbers are 0 and 1 already.
    categorical_features, missing : see `TableEncoder`
        A column of labels becomes one 0/1 column for each of its states, all 0 for a
        label that was not seen in `fit`. A missing number is left out: neither p nor
        1 - p enters the product, and the row does not count for that column in `fit`.
        With missing="state" that it is missing is a 0/1 column of its own, if it was so
        in `fit`. A missing label without a state of its own is as one not seen.
    n_jobs : int or None
        Threads for reading labels; None means 1, -1 one for each core.

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
    `predict`: the factors of an empty row are multiplied once, and a row changes those
    of its nonzero values. `explain` returns a column for each feature: give it few rows
    at a time.

    Examples
    --------
    "buy" is in both spam mails and in none of the two others: p = 3/4 and 1/4 by
    Laplace's rule; "hello" is in one of each, and tells nothing.

    >>> from augury.generative import BernoulliNaiveBayes
    >>> X = [[1, 1], [3, 0], [0, 2], [0, 0]]  # how often "buy" and "hello" occur
    >>> model = BernoulliNaiveBayes().fit(X, ["spam", "spam", "ham", "ham"])
    >>> model.predict_proba([[2, 1], [0, 1]]).round(6)
    array([[0.25, 0.75],
           [0.75, 0.25]])
    """

    def __init__(
        self,
        alpha: float = 1.0,
        priors: ArrayLike | None = None,
        binarize: float | None = 0.0,
        categorical_features: Any = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.binarize = binarize
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = False
        # Signs of numbers, which is what binarize=0 leaves, are little to learn from.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.binarize is not None:
            # What a sparse matrix does not store must stay 0.
            check_number(self._owner, "binarize", self.binarize, at_least=0)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_logs(self, "log_probability_", self.encoder_.n_columns, len(self.classes_))

    def _to_counts(self, numbers: Any) -> Any:
        values = numbers.data if issparse(numbers) else numbers
        if self.binarize is None:
            strange = (values != 0) & (values != 1) & ~np.isnan(values)
            if strange.any():
                raise self._bad_value(numbers, strange, "0 or 1", "or set binarize")
            return numbers
        happened = (values > self.binarize).astype(np.float64)
        if values.dtype.kind == "f":
            happened[np.isnan(values)] = np.nan
        return with_values(numbers, happened) if issparse(numbers) else happened

    def _estimate_terms(self, statistics: EventCounts) -> tuple[Array | None, Array]:
        happened = statistics.sums.T
        # Sums of weights may differ in the last digit.
        absent = np.maximum(statistics.known.T - happened, 0.0)
        log_absent, self.log_probability_ = laplace_log_probability(
            np.stack([absent, happened]), self.alpha
        )
        return log_absent, np.ascontiguousarray(self.log_probability_ - log_absent)
