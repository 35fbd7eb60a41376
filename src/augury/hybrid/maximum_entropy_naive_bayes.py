"""Maximum-entropy combination of a naive Bayes of each region."""

from typing import Any

from augury.bases.class_weights import ClassWeight
from augury.hybrid.regions.region_classifier import RegionClassifier
from augury.registration import register_model


@register_model()
class MaximumEntropyNaiveBayes(RegionClassifier):
    """Maximum-entropy combination of naive Bayes models (Fujino et al.), one for each region.

    p(c | x) ∝ exp(Σ_r λ_r log p_r(x_r | c) + μ_c), where p_r is the multinomial naive Bayes of
    region r, such as title, text or links. It is the distribution of largest entropy among
    those that agree with the training rows in the mean of each log p_r and in the share of
    each class. λ = 1 and μ = log p(c) give the naive Bayes of all regions.

    Parameters
    ----------
    regions, vectorizer : see `RegionWeightedNaiveBayes`
    alpha : float
        Pseudo-count of each word, see `MultinomialNaiveBayes`.
    weights : {"shared", "by_class"}
        Whether a region has one weight, as published, or one for each class.
    C : float > 0
        Inverse strength of the penalty Σ_r (λ_r - 1)² / (2C), which is zero at naive Bayes.
    max_iter, tol : int, float
        Maximum number of steps, and stopping tolerance: the largest component of the gradient,
        divided by the weight of all rows.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_, region_names_, models_, vectorizers_, mean_lengths_, intercept_, n_iter_ : see
        `RegionWeightedNaiveBayes`
    region_weights_ : array λ of shape (n_regions,), or (n_regions, n_classes) if by class

    Notes
    -----
    λ and μ maximise the log likelihood of the classes, with leave-one-out estimates of p_r and a
    normal prior of λ with mean 1 and variance C; μ has no prior. Unlike in
    `RegionWeightedNaiveBayes`, log p_r is a sum over words and not their mean: the class
    probabilities of long texts are more extreme than those of short texts. The notes on
    leave-one-out estimates there apply here too.

    Memory in bytes (see `augury.memory`): fit takes `115 e + 40 q d`, and the model keeps `16 q
    d + 36 d`.

    References
    ----------
    A. Fujino, N. Ueda, K. Saito: A hybrid generative/discriminative approach to text
    classification with additional information. Information Processing and Management 43
    (2007), 379-392.

    Examples
    --------
    Two regions have the same words. Naive Bayes counts the evidence twice, (21/32)² to (11/32)²
    or 0.78, where 20 of 30 rows are of class 0. Each weight is therefore below one half
    (leave-one-out estimates have one row of the class less).

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
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.regions = regions
        self.vectorizer = vectorizer
        self.alpha = alpha
        self.weights = weights
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
