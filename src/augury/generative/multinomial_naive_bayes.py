"""Multinomial naive Bayes for texts and counts of events."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, vstack
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.counts.event_counts import CountMatrix, EventCounts, with_values
from augury.counts.smoothing import floored_log, laplace_log_probability
from augury.encode import row_blocks, slice_rows
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_logs
from augury.foreign import Labels, Table
from augury.generative.bases.leaves_events_out import LeavesEventsOut, sum_by_row
from augury.generative.bases.leaves_one_out import weight_left_out
from augury.generative.leave_one_out.counts import take_away
from augury.registration import register_model

# A smaller share of the events of a class is a rounding error of sums in another order.
_ROUNDING = 1e-9


@register_model()
class MultinomialNaiveBayes(LeavesEventsOut):
    """Multinomial naive Bayes: events (words) are drawn from a categorical distribution.

    p(c, x) = p(c) Π_j φ_jc^x_j, where x_j is the number of events j in the row, and
    φ_jc = (Σ x_j over the rows of c + α) / (Σ of all counts of c + α m), where m is the
    number of columns of counts. Unlike `BernoulliNaiveBayes`, the model does not use the
    absence of an event.

    Parameters
    ----------
    alpha : float
        Pseudo-count of each event; 1 is Laplace smoothing. With 0 a probability of zero
        becomes the smallest normal number, 2e-308.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None is the share of the rows of
        each class, and 2e-308 for a declared class without rows.
    categorical_features, missing : see `TableEncoder`
        Numbers are counts and must not be negative. They need not be whole, so that
        weighted words (tf-idf) work. A label is one event: each state of its column has a φ.
        An unseen label and a missing count are treated as a count of zero. With
        missing="state", a missing value is an event too, if some value is missing in `fit`.
    n_jobs : int or None
        Threads for reading labels; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

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
    and naive Bayes" (JerryLead 2011, after Ng's CS229). As there, p(c, x) is the probability
    of the class and of the events *in their order*. The probability of the counts in any
    order is larger by the multinomial coefficient (Σ x_j)! / Π x_j!, which is the same for
    all classes. The number of events of a row is taken as given.

    Sparse matrices stay sparse in `fit` and `predict`. `explain` returns a column for each
    feature, so pass few rows at a time.

    `fit` and all other methods also take `augury.encode.WordIndices`, lists of word indices of
    different lengths. The vocabulary is that of `fit`; larger indices are left out later.

    Memory in bytes (see `augury.memory`): fit takes `30 n + 32 q d + 36 d`, and the model keeps
    `16 q d + 36 d`.

    Examples
    --------
    The four mails of the notes, of the words a, b and c: "a b" and "c c c" are spam,
    "b a" and "a c b" are not. Without smoothing φ_b = 1/5 and φ_c = 3/5 in spam, and 2/5
    and 1/5 in the others. The likelihoods of the mail "b c" are 0.12 and 0.08, so
    P(spam | b, c) = 0.6.

    >>> from augury.generative import MultinomialNaiveBayes
    >>> X = [[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 0, 3]]
    >>> model = MultinomialNaiveBayes(alpha=0).fit(X, ["spam", "ham", "ham", "spam"])
    >>> model.classes_.tolist()
    ['ham', 'spam']
    >>> model.predict_proba([[0, 1, 1]]).round(6)
    array([[0.4, 0.6]])

    The same mails as the notes write them: lists of word indices that begin with 1.

    >>> from augury.encode import WordIndices
    >>> mails = WordIndices([(1, 2), (2, 1), (1, 3, 2), (3, 3, 3)], first=1)
    >>> again = MultinomialNaiveBayes(alpha=0).fit(mails, ["spam", "ham", "ham", "spam"])
    >>> again.predict_proba(WordIndices([(2, 3)], first=1)).round(6)
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
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The model uses only the ratio of two columns.
        tags.classifier_tags.poor_score = True
        return tags

    def _estimate_terms(self, statistics: EventCounts) -> tuple[Array | None, Array]:
        self.log_probability_: Array = laplace_log_probability(
            statistics.sums.T.copy(order="C"), self.alpha
        )
        return None, self.log_probability_

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_logs(self, "log_probability_", self.encoder_.n_columns, len(self.classes_))

    def read_counts(self, X: Table) -> CountMatrix:
        """Return the counts of rows as a CSR matrix with columns named by `encoder_.names`.

        Missing values and unseen labels are 0.
        """
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        blocks = [_events(self._read(slice_rows(X, rows))) for rows in row_blocks(X)]
        return vstack([with_values(counts, events) for counts, events in blocks], format="csr")

    def count_events(self, X: Table) -> Array:
        """Return the number of events of each row, without unseen labels."""
        return np.asarray(self.read_counts(X).sum(axis=1))

    def leave_one_out_events(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> tuple[Array, Array]:
        """Return log p(x | c) and the number of events of training rows, each left out.

        The vocabulary is that of the *other* rows: an event that no other row has is ignored,
        as an unseen event is in `predict`, and its column is removed. This matters for texts,
        in which many words occur once.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`, all rows or some of them
            One row of a weight above 1 is left out, so the remaining weight has its events.

        Returns
        -------
        log_likelihood : array of shape (n_samples, n_classes)
        n_events : array of shape (n_samples,)
        """
        parts = [
            self._events_without(read, codes, weight_left_out(weight, len(codes)))
            for read, codes, weight in self._read_again(X, y, sample_weight)
        ]
        likelihood = np.concatenate([part for part, _ in parts])
        self._require_counted(likelihood)
        return likelihood, np.concatenate([n_events for _, n_events in parts])

    def _events_without(self, matrix: CountMatrix, y: Array, weight: Array) -> tuple[Array, Array]:
        counts, events = _events(matrix)
        sums = self.statistics_.sums
        seen = sums.sum(axis=0)[counts.indices]
        elsewhere = seen - np.repeat(weight, np.diff(counts.indptr)) * events
        unique = (events > 0) & (elsewhere <= _ROUNDING * seen)
        kept = np.where(unique, 0.0, events)
        n_events = sum_by_row(counts, kept)
        n_left = sums.shape[1] - sum_by_row(counts, unique.astype(np.float64))
        # With fewer columns all φ of a class grow by the same factor.
        totals, n_columns = sums.sum(axis=1), np.array([[sums.shape[1]]])
        growth = self._log_total(totals, n_columns) - self._log_total(totals, n_left[:, None])
        likelihood = with_values(counts, kept) @ self.log_probability_ + n_events[:, None] * growth
        own = self._own_log_probability(counts, events, y, weight, n_left)
        likelihood[np.arange(len(y)), y] = sum_by_row(counts, kept * own)
        return likelihood, n_events

    def _log_likelihood_without(self, matrix: CountMatrix, y: Array, weight: Array) -> Array:
        counts, events = _events(matrix)
        likelihood: Array = with_values(counts, events) @ self.log_probability_
        n_columns = np.full(len(y), self.log_probability_.shape[0])
        own = self._own_log_probability(counts, events, y, weight, n_columns)
        likelihood[np.arange(len(y)), y] = sum_by_row(counts, events * own)
        return likelihood

    def _own_log_probability(
        self, counts: CountMatrix, events: Array, y: Array, weight: Array, n_columns: Array
    ) -> Array:
        """Return log φ of each stored event in the class of its row, without the row.

        The denominator of φ is the same for all events of a row.
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
        """Return the log of the denominator of φ; without events, all φ are equal."""
        total = totals + self.alpha * n_columns
        return floored_log(np.where(total > 0, total, n_columns))


def _events(matrix: CountMatrix) -> tuple[CountMatrix, Array]:
    """Return rows as CSR, and the stored counts with 0 for a missing one."""
    counts = csr_array(matrix)
    return counts, np.where(np.isnan(counts.data), 0.0, counts.data)
