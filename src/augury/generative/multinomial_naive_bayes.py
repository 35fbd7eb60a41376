"""Naive Bayes over the words of a text, each drawn like a die is cast."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from augury.counts.event_counts import EventCounts
from augury.counts.smoothing import floored_log, laplace_log_probability
from augury.encode import row_blocks, slice_rows
from augury.generative.event_leave_one_out import LeavesEventsOut, sum_by_row
from augury.generative.leave_one_out import take_away

Array = NDArray[Any]

# Of the events of a class, a smaller share than this is rounding: sums in another order.
_ROUNDING = 1e-9


class MultinomialNaiveBayes(LeavesEventsOut):
    """Multinomial naive Bayes: every event (word) of a row is one cast of the class's die.

    p(c, x) = p(c) Π_j φ_jc^x_j, where x_j counts how often event j happened, and
    φ_jc = (Σ x_j over the rows of c + α) / (Σ of all counts of c + α m), m being the
    number of columns of counts. Unlike `BernoulliNaiveBayes` it says nothing of what did
    not happen.

    Parameters
    ----------
    alpha : float
        Laplace (1) or Lidstone smoothing of φ. With 0 a count of zero becomes the
        smallest normal number, 2e-308.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None takes the share of each
        class, and 2e-308 for a declared class without rows.
    categorical_features, missing : see `TableEncoder`
        Numbers are counts, and must not be negative; they need not be whole, so that
        weighted words (tf-idf) work. A label is an event that happens once: each state
        of its column has a φ. A label that was not seen in `fit` is no event, nor is a
        missing count: both add nothing, as a count of zero. With missing="state", that
        a value is missing is an event too, if it was so in `fit`.
    n_jobs : int or None
        Threads for reading labels; None means 1, -1 one for each core.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    log_prior_ : array of shape (n_classes,)
    log_probability_ : array of shape (n_columns, n_classes), log φ
        The columns are named by `encoder_.names`: numbers, then indicators of labels.
    encoder_ : the fitted `CountEncoder`
    statistics_ : `EventCounts`; those of other rows can be added to it

    Notes
    -----
    The event model of section 5 of the notes "Discriminative models, generative models
    and naive Bayes" (JerryLead 2011, after Ng's CS229). p(c, x) is, as there, the
    probability of the class and of the events *in their order*. That of the counts in
    any order is larger by the multinomial coefficient (Σ x_j)! / Π x_j!, which is the
    same for all classes; how many events a row has is taken as given.

    Sparse matrices stay sparse in `fit` and `predict`. `explain` returns a column for
    each feature: give it few rows at a time.

    Examples
    --------
    The four mails of the notes, of the words a, b and c: "a b" and "c c c" are spam,
    "b a" and "a c b" are not. Without smoothing φ_b = 1/5 and φ_c = 3/5 in spam, and 2/5
    and 1/5 in the others; for the mail "b c" it is 0.12 to 0.08, so P(spam | b, c) = 0.6.

    >>> from augury.generative import MultinomialNaiveBayes
    >>> X = [[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 0, 3]]
    >>> model = MultinomialNaiveBayes(alpha=0).fit(X, ["spam", "ham", "ham", "spam"])
    >>> model.classes_.tolist()
    ['ham', 'spam']
    >>> model.predict_proba([[0, 1, 1]]).round(6)
    array([[0.4, 0.6]])

    With Laplace's rule the odds are (2/8 · 4/8) : (3/8 · 2/8) = 4 : 3.

    >>> MultinomialNaiveBayes().fit(X, ["spam", "ham", "ham", "spam"]).predict_proba(
    ...     [[0, 1, 1]]
    ... ).round(4)
    array([[0.4286, 0.5714]])
    """

    def __init__(
        self,
        alpha: float = 1.0,
        priors: ArrayLike | None = None,
        categorical_features: Any = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Of two columns it sees their ratio only.
        tags.classifier_tags.poor_score = True
        return tags

    def _estimate_terms(self, statistics: EventCounts) -> tuple[Array | None, Array]:
        self.log_probability_ = laplace_log_probability(
            statistics.sums.T.copy(order="C"), self.alpha
        )
        return None, self.log_probability_

    def count_events(self, X: Any) -> Array:
        """Return how many events each row has, those of columns and labels that are known."""
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        blocks = [_events(self._read(slice_rows(X, rows))) for rows in row_blocks(X)]
        return np.concatenate([sum_by_row(counts, events) for counts, events in blocks])

    def _log_likelihood_without(self, matrix: Any, y: Array, weight: Array) -> Array:
        # All φ of a class change with one count, but in the denominator only, which is the
        # same for all events of a row.
        likelihood = self._log_joint(matrix) - self.log_prior_
        counts, events = _events(matrix)
        row = np.repeat(np.arange(len(y)), np.diff(counts.indptr))
        sums = self.statistics_.sums
        own = take_away(sums[y[row], counts.indices], weight[row] * events) + self.alpha
        seen = sums.sum(axis=1)[y]
        left = seen - weight * sum_by_row(counts, events)
        left[left < _ROUNDING * seen] = 0.0
        total = (left + self.alpha * sums.shape[1])[row]
        phi = np.full(len(own), 1.0 / max(sums.shape[1], 1))
        np.divide(own, total, out=phi, where=total > 0)
        likelihood[np.arange(len(y)), y] = sum_by_row(counts, events * floored_log(phi))
        return likelihood


def _events(matrix: Any) -> tuple[Any, Array]:
    """Return rows as CSR, and the stored counts; 0 for one that is missing."""
    counts = csr_array(matrix)
    return counts, np.where(np.isnan(counts.data), 0.0, counts.data)
