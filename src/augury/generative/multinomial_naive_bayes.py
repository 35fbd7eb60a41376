"""Naive Bayes over the words of a text, each drawn like a die is cast."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, vstack
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.counts.event_counts import EventCounts, with_values
from augury.counts.smoothing import floored_log, laplace_log_probability
from augury.encode import code_known_classes, row_blocks, slice_rows
from augury.fitted_state import check_logs
from augury.generative.leave_one_out.counts import take_away
from augury.generative.leave_one_out.events import LeavesEventsOut, sum_by_row
from augury.registration import register_model

# Of the events of a class, a smaller share than this is rounding: sums in another order.
_ROUNDING = 1e-9


@register_model()
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

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_logs(self, "log_probability_", self.encoder_.n_columns, len(self.classes_))

    def read_counts(self, X: Any) -> Any:
        """Return rows as the model counts them, as CSR with columns named by `encoder_.names`.

        What is missing, or a label that was not seen in `fit`, is 0.
        """
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        blocks = [_events(self._read(slice_rows(X, rows))) for rows in row_blocks(X)]
        return vstack([with_values(counts, events) for counts, events in blocks], format="csr")

    def count_events(self, X: Any) -> Array:
        """Return how many events each row has, those of columns and labels that are known."""
        return np.asarray(self.read_counts(X).sum(axis=1))

    def leave_one_out_events(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Array, Array]:
        """Return log p(x | c) and the number of events of training rows, each left out.

        As if the words of a text were those of the *other* texts: an event that no other row
        has is none, as it is in rows to come, and its column is not there. That matters for
        texts, in which many words occur once.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`, all rows or some of them
            Of a row with a weight above 1 the rest stays, so its events are seen elsewhere.

        Returns
        -------
        log_likelihood : array of shape (n_samples, n_classes)
        n_events : array of shape (n_samples,)
        """
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = self._weight_as_fitted(sample_weight, X.shape[0])
        taken = np.ones(len(codes)) if weight is None else np.minimum(weight, 1.0)
        parts = [
            self._events_without(self._read(slice_rows(X, rows)), codes[rows], taken[rows])
            for rows in row_blocks(X)
        ]
        likelihood = np.concatenate([part for part, _ in parts])
        if np.isnan(likelihood).any():
            raise self._not_fitted_to(int(np.argmax(np.isnan(likelihood).any(axis=1))))
        return likelihood, np.concatenate([n_events for _, n_events in parts])

    def _events_without(self, matrix: Any, y: Array, weight: Array) -> tuple[Array, Array]:
        counts, events = _events(matrix)
        sums = self.statistics_.sums
        seen = sums.sum(axis=0)[counts.indices]
        elsewhere = seen - np.repeat(weight, np.diff(counts.indptr)) * events
        lonely = (events > 0) & (elsewhere <= _ROUNDING * seen)
        kept = np.where(lonely, 0.0, events)
        n_events = sum_by_row(counts, kept)
        n_left = sums.shape[1] - sum_by_row(counts, lonely.astype(np.float64))
        # With fewer columns all φ of a class grow alike.
        totals, n_columns = sums.sum(axis=1), np.array([[sums.shape[1]]])
        growth = self._log_total(totals, n_columns) - self._log_total(totals, n_left[:, None])
        likelihood = with_values(counts, kept) @ self.log_probability_ + n_events[:, None] * growth
        own = self._own_log_probability(counts, events, y, weight, n_left)
        likelihood[np.arange(len(y)), y] = sum_by_row(counts, kept * own)
        return likelihood, n_events

    def _log_likelihood_without(self, matrix: Any, y: Array, weight: Array) -> Array:
        counts, events = _events(matrix)
        likelihood: Array = with_values(counts, events) @ self.log_probability_
        n_columns = np.full(len(y), self.log_probability_.shape[0])
        own = self._own_log_probability(counts, events, y, weight, n_columns)
        likelihood[np.arange(len(y)), y] = sum_by_row(counts, events * own)
        return likelihood

    def _own_log_probability(
        self, counts: Any, events: Array, y: Array, weight: Array, n_columns: Array
    ) -> Array:
        """Return of each stored event log φ in its row's class, without the row.

        All φ of a class change with one count, but in the denominator only, which is the same
        for all events of a row.
        """
        row = np.repeat(np.arange(len(y)), np.diff(counts.indptr))
        sums = self.statistics_.sums
        own = take_away(sums[y[row], counts.indices], weight[row] * events) + self.alpha
        seen = sums.sum(axis=1)[y]
        left = seen - weight * sum_by_row(counts, events)
        left[left < _ROUNDING * seen] = 0.0
        nothing = left + self.alpha * n_columns == 0
        share = np.where(nothing[row], 1.0, own) / np.exp(self._log_total(left, n_columns))[row]
        return floored_log(share)

    def _log_total(self, totals: Array, n_columns: Array) -> Array:
        """Return the log of φ's denominator; where nothing is counted, all are alike."""
        total = totals + self.alpha * n_columns
        return floored_log(np.where(total > 0, total, n_columns))


def _events(matrix: Any) -> tuple[Any, Array]:
    """Return rows as CSR, and the stored counts; 0 for one that is missing."""
    counts = csr_array(matrix)
    return counts, np.where(np.isnan(counts.data), 0.0, counts.data)
