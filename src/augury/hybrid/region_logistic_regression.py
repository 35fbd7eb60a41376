"""Logistic regression on words, and on log likelihoods of a naive Bayes of each region."""

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array, hstack

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.counts import log_softmax_of
from augury.counts.event_counts import with_values
from augury.encode.count_encoder import feature_sums
from augury.fitted_state import LARGEST_LOG, check_coefficients, check_floats
from augury.foreign import Matrix
from augury.hybrid.regions.region_classifier import RegionClassifier
from augury.hybrid.regions.region_loss import region_scores
from augury.registration import register_model


@register_model()
class RegionLogisticRegression(RegionClassifier):
    """Logistic regression of words and regions (NB-LR for texts): corrections to naive Bayes.

    p(c | x) ∝ exp(β_c · z + Σ_r λ_r s_r log p_r(x_r | c) + μ_c), where p_r is the multinomial naive
    Bayes of region r, s_r = (mean length / N_r)^length_power, and z the tf-idf of the words. With
    few texts β stays near 0, and the model is close to naive Bayes; with many texts β corrects it
    word by word.

    Parameters
    ----------
    regions, vectorizer, alpha : see `RegionWeightedNaiveBayes`
    length_power : float >= 0
        Log likelihoods are divided by the length of the region to this power.
    C : float > 0
        β is penalised by ‖β‖² / (2C), λ by Σ_r (λ_r - 1)² / 2.
    max_iter, tol : int, float
        Maximum number of steps of L-BFGS, and stopping tolerance: the largest component of the
        gradient, divided by the weight of all rows.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_, region_names_, models_, vectorizers_, mean_lengths_, intercept_, n_iter_ : see
        `RegionWeightedNaiveBayes`
    region_weights_ : array λ of shape (n_regions,)
    coef_ : array β of shape (n_classes, n_columns), the columns region by region
    idf_ : array of shape (n_columns,)

    Notes
    -----
    `AugmentedClassifier` appends log odds as columns, which gives each class a weight for the log
    odds of each class. These are q² numbers; 100 texts of 20 classes do not determine them, and
    they lower the accuracy. Here the log likelihood of class c contributes to class c only, with
    one weight for each region. With 100 and with 1,000 texts the accuracy and the log loss are
    better than those of the best plain regression (docs/results/text-regions.md). λ is learned
    from leave-one-out estimates of naive Bayes; z contains the row's own words, as in any
    regression.

    tf-idf is log(1 + count) times 1 + log((1 + n) / (1 + rows with the word)); each row is then
    divided by its Euclidean length.

    Memory in bytes (see `augury.memory`): fit takes `115 e + 400 q d`, and the model keeps `32
    q d + 60 d`.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from augury.hybrid import RegionLogisticRegression
    >>> X = pd.DataFrame({
    ...     "title": ["goal", "goal", "goal", "vote", "vote", "vote"],
    ...     "body": ["it was so", "so it is", "was it", "it was so", "so it is", "was it"],
    ... })
    >>> y = ["sport"] * 3 + ["politics"] * 3
    >>> model = RegionLogisticRegression(vectorizer=CountVectorizer()).fit(X, y)
    >>> model.predict(pd.DataFrame({"title": ["vote"], "body": [None]})).tolist()
    ['politics']
    >>> model.coef_.shape  # goal and vote; it, is, so and was
    (2, 6)
    """

    region_weights_: Array

    def __init__(
        self,
        regions: Any = None,
        vectorizer: Any = None,
        alpha: float = 1.0,
        length_power: float = 0.5,
        C: float = 10.0,
        max_iter: int = 1000,
        tol: float = 1e-5,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.regions = regions
        self.vectorizer = vectorizer
        self.alpha = alpha
        self.length_power = length_power
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight

    def _fit_weights(
        self, log_likelihoods: Array, tables: list[Matrix], codes: Array, weight: Array | None
    ) -> None:
        counts = self._counts(tables)
        weights = np.ones(len(codes)) if weight is None else weight
        with_word = np.bincount(
            counts.indices,
            np.repeat(weights, np.diff(counts.indptr)) * (counts.data > 0),
            counts.shape[1],
        )
        self.idf_: Array = 1.0 + np.log((1.0 + weights.sum()) / (1.0 + with_word))
        place = np.searchsorted(self._present, codes)
        loss = _Loss(
            self._tfidf(counts), log_likelihoods[:, :, self._present], place, weights, self.C
        )
        found = minimize(
            loss.value_and_gradient,
            loss.start(),
            jac=True,
            method="L-BFGS-B",
            options={
                "maxiter": self.max_iter,
                "maxfun": 20 * self.max_iter,
                "gtol": self.tol * weights.sum(),
                "ftol": 0.0,
                "maxcor": 20,
            },
        )
        self.n_iter_: int = int(found.nit)
        self._warn_unless_converged(self.n_iter_, float(np.abs(found.jac).max()) / weights.sum())
        beta, self.region_weights_, intercepts = loss.unpack(found.x)
        self.coef_: FloatArray = np.zeros((len(self.classes_), counts.shape[1]))
        self.coef_[self._present] = beta.T
        self.intercept_: Array = np.full(len(self.classes_), -np.inf)
        self.intercept_[self._present] = intercepts - intercepts.mean()

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_words = sum(model.encoder_.n_columns for model in self.models_.values())
        check_floats(self, "idf_", n_words, low=0, high=LARGEST_LOG)
        check_coefficients(self, "coef_", len(self.classes_), n_words)

    def _counts(self, tables: list[Matrix]) -> Matrix:
        models = self.models_.values()
        parts = [model.read_counts(table) for model, table in zip(models, tables, strict=True)]
        return hstack(parts, format="csr")

    def _tfidf(self, counts: Matrix) -> Matrix:
        values = np.log1p(counts.data) * self.idf_[counts.indices]
        row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        length = np.sqrt(np.bincount(row, values**2, counts.shape[0]))[row]
        return with_values(counts, np.divide(values, length, out=values, where=length > 0))

    def _region_terms(self, tables: list[Matrix]) -> tuple[Array, list[Array]]:
        # The length of a row's tf-idf, by which it is divided, is taken as given, too.
        prior, terms = super()._region_terms(tables)
        z, start = self._tfidf(self._counts(tables)), 0
        for part, model in zip(terms, self.models_.values(), strict=True):
            words = slice(start, start + model.encoder_.n_columns)
            of_words = z[:, words].toarray()[:, :, None] * self.coef_.T[words]
            if model.encoder_.has_indicators:
                of_words = feature_sums(of_words, model.encoder_.starts)
            part += of_words
            start = words.stop
        return prior, terms

    def _scores_of(self, tables: list[Matrix]) -> Array:
        of_words = self._tfidf(self._counts(tables)) @ self.coef_.T
        return np.asarray(super()._scores_of(tables) + of_words)


class _Loss:
    """The penalised negative log likelihood of (β, λ, μ), one array."""

    def __init__(
        self, z: Matrix, log_likelihoods: Array, y: Array, weight: Array, C: float
    ) -> None:
        self._z, self._f, self._y, self._weight, self._c = z, log_likelihoods, y, weight, C
        self._transposed = csr_array(z.T)
        self._n_regions, self._n_classes = log_likelihoods.shape[1:]

    def start(self) -> Array:
        """Return the point of naive Bayes: β = 0, λ = 1, μ the log class shares."""
        shares = np.bincount(self._y, self._weight, self._n_classes)
        beta = np.zeros(self._z.shape[1] * self._n_classes)
        return np.concatenate([beta, np.ones(self._n_regions), np.log(shares / shares.sum())])

    def unpack(self, x: Array) -> tuple[Array, Array, Array]:
        """Return β, of shape (n_columns, n_classes), λ and μ."""
        beta, weights, intercepts = np.split(
            x, [-self._n_regions - self._n_classes, -self._n_classes]
        )
        return beta.reshape(-1, self._n_classes), weights, intercepts

    def value_and_gradient(self, x: Array) -> tuple[float, Array]:
        """Return the loss and its gradient."""
        beta, weights, intercepts = self.unpack(x)
        scores = self._z @ beta + region_scores(self._f, weights[:, None], intercepts)
        own, residual = log_softmax_of(scores, self._y)
        residual[np.arange(len(own)), self._y] -= 1.0
        residual *= self._weight[:, None]
        away = weights - 1.0
        value = 0.5 * float((beta**2).sum()) / self._c + 0.5 * float(away @ away)
        of_beta = self._transposed @ residual + beta / self._c
        of_weights = np.einsum("nrc,nc->r", self._f, residual) + away
        return value - float(own @ self._weight), np.concatenate(
            [of_beta.ravel(), of_weights, residual.sum(axis=0)]
        )
