"""Naive Bayes of regions, combined by maximum entropy."""

from typing import Any

from augury.hybrid.regions.region_classifier import RegionClassifier
from augury.registration import register_model


@register_model()
class MaximumEntropyNaiveBayes(RegionClassifier):
    """Maximum-entropy combination of naive Bayes models (Fujino et al.), one for each region.

    p(c | x) ∝ exp(Σ_r λ_r log p_r(x_r | c) + μ_c), where p_r is the multinomial naive Bayes of
    region r: its title, its text, its links. It is the distribution of largest entropy among
    those that agree with the training rows in the mean of each log p_r and in the share of
    each class. λ = 1 and μ = log p(c) are naive Bayes of all regions.

    Parameters
    ----------
    regions, vectorizer : see `RegionWeightedNaiveBayes`
    alpha : float
        Smoothing of the words' probabilities, see `MultinomialNaiveBayes`.
    weights : {"shared", "by_class"}
        Whether a region has one weight, as published, or one for each class.
    C : float > 0
        Weights are drawn to naive Bayes by Σ_r (λ_r - 1)² / (2C).
    max_iter, tol : int, float
        Steps at most, and the largest gradient, over the weight of all rows, that ends them.

    Attributes
    ----------
    classes_, region_names_, models_, vectorizers_, mean_lengths_, intercept_, n_iter_ : see
        `RegionWeightedNaiveBayes`
    region_weights_ : array λ of shape (n_regions,), or (n_regions, n_classes) if by class

    Notes
    -----
    λ and μ maximise the log likelihood of classes under p_r that have not seen the row, with a
    normal prior of λ around 1, of variance C; μ is free. Unlike in
    `RegionWeightedNaiveBayes` log p_r is a sum over words, and not their mean: long texts are
    told with more certainty than short ones. What is said there of rows that are left out
    holds here as well.

    References
    ----------
    A. Fujino, N. Ueda, K. Saito: A hybrid generative/discriminative approach to text
    classification with additional information. Information Processing and Management 43
    (2007), 379-392.

    Examples
    --------
    Two regions that say the same: naive Bayes counts the evidence twice, (21/32)² to (11/32)²
    or 0.78, where 20 of 30 rows are of class 0. So each is weighed less than a half (rows that
    are left out find one row less on their side).

    >>> from augury.hybrid import MaximumEntropyNaiveBayes
    >>> X = [[1, 0, 1, 0]] * 30 + [[0, 1, 0, 1]] * 30
    >>> y = [0] * 20 + [1] * 10 + [0] * 10 + [1] * 20
    >>> regions = {"title": [0, 1], "body": [2, 3]}
    >>> model = MaximumEntropyNaiveBayes(regions, C=100.0).fit(X, y)
    >>> model.region_weights_.round(1)
    array([0.4, 0.4])
    >>> model.predict_proba([[1, 0, 1, 0]]).round(2)
    array([[0.64, 0.36]])
    """

    def __init__(
        self,
        regions: Any = None,
        vectorizer: Any = None,
        alpha: float = 1.0,
        weights: str = "shared",
        C: float = 1.0,
        max_iter: int = 200,
        tol: float = 1e-6,
    ) -> None:
        self.regions = regions
        self.vectorizer = vectorizer
        self.alpha = alpha
        self.weights = weights
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
