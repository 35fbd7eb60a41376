"""Naive Bayes of regions, whose words are weighed by a logistic regression."""

from typing import Any

from augury.hybrid.regions.region_classifier import RegionClassifier
from augury.registration import register_model


@register_model()
class RegionWeightedNaiveBayes(RegionClassifier):
    """Region-weighted naive Bayes (Raina et al.): how much a title's word says, and a body's.

    A text has regions r, such as its title and its body. Each has a multinomial naive Bayes,
    and a logistic regression weighs their log odds, divided by the number N_r of the
    region's words:

        log p(c | x) / p(d | x) = Σ_r θ_r / N_r log p_r(x_r | c) / p_r(x_r | d) + μ_c - μ_d.

    So the words of a long region, which naive Bayes takes for as many independent witnesses,
    do not outvote a title. The many word probabilities are estimated generatively, the few
    weights discriminatively, from log odds of models that have not seen the row.

    Parameters
    ----------
    regions : mapping from names to columns, sequence of columns, or None
        Which columns of counts are a region's: a slice, or names, indices or booleans, as
        `{"title": slice(0, 900), "body": slice(900, None)}`. Columns of no region are not
        used. None makes all columns one region.
    vectorizer : transformer, mapping from columns to transformers, or None
        What makes counts of text, such as scikit-learn's `CountVectorizer`: then X is a
        frame of texts, and every column (or every one that the mapping names) is a region
        with its own words. A missing text is an empty one.
    alpha : float
        Smoothing of the words' probabilities, see `MultinomialNaiveBayes`.
    length_power : float >= 0
        Log odds are divided by N_r to this power: 1 as published, 0 not at all (which is
        `MaximumEntropyNaiveBayes`), 0.5 between them.
    weights : {"shared", "by_class"}
        Whether a region has one weight, or one for each class.
    C : float > 0
        Weights are drawn to naive Bayes, by Σ_r (λ_r - 1)² / (2C), λ_r being θ_r over the
        mean length of the region. The rows' log likelihood is a sum, so many rows outvote it.
    max_iter, tol : int, float
        Steps at most, and the largest gradient, over the weight of all rows, that ends them.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    region_names_ : list of str
    models_ : mapping from the regions' names to their `MultinomialNaiveBayes`
    vectorizers_ : mapping from the regions' names to their fitted transformers
    region_weights_ : array λ of shape (n_regions,), or (n_regions, n_classes) if by class
        In a row of mean length a word counts λ_r times what it counts in naive Bayes.
    mean_lengths_ : array of shape (n_regions,), over the rows that have any word there
    intercept_ : array μ of shape (n_classes,); -inf for a class without rows
    n_iter_ : int

    Notes
    -----
    For two classes and `weights="shared"` this is Raina et al.'s normalised hybrid (their
    weight of the log prior is our μ). They have two classes; for more, we keep one weight
    for each region, so that the number of discriminative parameters, on which their
    bound of the needed rows rests, stays the number of regions (and an intercept for each
    class). One for each region and class is little better on 28,610 package descriptions
    (docs/results/text-regions.md), where there are thousands of rows to learn it from.

    Leaving a row out is exact, and costs no fit: its words are taken out of its class's counts,
    and words that only this row has out of the vocabulary, as new words are in rows to come.
    N_r is the number of words that are known. (With the row's own words kept, long odd texts
    look tame in training and are not in use: of 100 package descriptions the log loss was 2.4
    instead of 1.6.) A row without words in a region says nothing there. Of a row that is alone
    in its class, the class has no words left and all are equally likely.

    References
    ----------
    R. Raina, Y. Shen, A. Y. Ng, A. McCallum: Classification with hybrid generative/
    discriminative models. Advances in Neural Information Processing Systems 16 (2003).

    Examples
    --------
    The title tells the class, the long body says nothing; so a word of the title counts more.

    >>> import pandas as pd
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from augury.hybrid import RegionWeightedNaiveBayes
    >>> X = pd.DataFrame({
    ...     "title": ["goal", "goal", "goal", "vote", "vote", "vote"],
    ...     "body": ["it was so", "so it is", "was it", "it was so", "so it is", "was it"],
    ... })
    >>> y = ["sport"] * 3 + ["politics"] * 3
    >>> model = RegionWeightedNaiveBayes(vectorizer=CountVectorizer()).fit(X, y)
    >>> dict(zip(model.region_names_, model.region_weights_ > 1, strict=True))
    {'title': np.True_, 'body': np.False_}
    >>> model.predict(pd.DataFrame({"title": ["goal"], "body": [None]})).tolist()
    ['sport']

    As counts, with its regions by columns:

    >>> counts = [[1, 0, 2], [2, 0, 1], [0, 1, 2], [0, 3, 1]]
    >>> model = RegionWeightedNaiveBayes(regions={"title": [0, 1], "body": [2]})
    >>> model.fit(counts, [0, 0, 1, 1]).predict([[0, 2, 1]])
    array([1])
    """

    def __init__(
        self,
        regions: Any = None,
        vectorizer: Any = None,
        alpha: float = 1.0,
        length_power: float = 1.0,
        weights: str = "shared",
        C: float = 1.0,
        max_iter: int = 200,
        tol: float = 1e-6,
    ) -> None:
        self.regions = regions
        self.vectorizer = vectorizer
        self.alpha = alpha
        self.length_power = length_power
        self.weights = weights
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
