"""Naive Bayes of regions, weighted by a logistic regression."""

from typing import Any

from augury.bases.class_weights import ClassWeight
from augury.hybrid.regions.region_classifier import RegionClassifier
from augury.registration import register_model


@register_model()
class RegionWeightedNaiveBayes(RegionClassifier):
    """Region-weighted naive Bayes (Raina et al.): weights for the words of each region.

    A text has regions r, such as its title and its body. Each has a multinomial naive Bayes. A
    logistic regression weights their log odds, divided by the number N_r of words in the region:

        log p(c | x) / p(d | x) = Σ_r θ_r / N_r log p_r(x_r | c) / p_r(x_r | d) + μ_c - μ_d.

    Naive Bayes treats the words of a long region as independent, so that they outweigh a title;
    the division corrects this. The many word probabilities are estimated generatively, the few
    weights discriminatively, from leave-one-out log odds.

    Parameters
    ----------
    regions : mapping from names to columns, sequence of columns, or None
        The columns of counts of each region: a slice, or names, indices or booleans, such as
        `{"title": slice(0, 900), "body": slice(900, None)}`. Columns without a region are not
        used. None makes all columns one region.
    vectorizer : transformer, mapping from columns to transformers, or None
        Transformer of text to counts, such as scikit-learn's `CountVectorizer`. X is then a
        data frame of texts, and every column (or every column that the mapping names) is a
        region with its own words. A missing text is an empty text.
    alpha : float
        Pseudo-count of each word, see `MultinomialNaiveBayes`.
    length_power : float >= 0
        Log odds are divided by N_r to this power. 1 is the published model, 0 is
        `MaximumEntropyNaiveBayes`, and 0.5 is between them.
    weights : {"shared", "by_class"}
        Whether a region has one weight, or one for each class.
    C : float > 0
        Inverse strength of the penalty Σ_r (λ_r - 1)² / (2C), which is zero at naive Bayes;
        λ_r is θ_r divided by the mean length of the region. The log likelihood is a sum over
        rows, so that the penalty matters less with many rows.
    max_iter, tol : int, float
        Maximum number of steps, and stopping tolerance: the largest component of the gradient,
        divided by the weight of all rows.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    region_names_ : list of str
    models_ : mapping from the regions' names to their `MultinomialNaiveBayes`
    vectorizers_ : mapping from the regions' names to their fitted transformers
    region_weights_ : array λ of shape (n_regions,), or (n_regions, n_classes) if by class
        In a row of mean length, the log odds of a word are λ_r times those of naive Bayes.
    mean_lengths_ : array of shape (n_regions,), over the rows with words in the region
    intercept_ : array μ of shape (n_classes,); -inf for a class without rows
    n_iter_ : int

    Notes
    -----
    For two classes and `weights="shared"` this is the normalised hybrid of Raina et al. (their
    weight of the log prior is μ). For more than two classes there still is one weight for each
    region. The number of discriminative parameters, which determines their bound of the required
    number of rows, stays the number of regions, plus an intercept for each class. A weight for
    each region and class is little better on 28,610 package descriptions
    (docs/results/text-regions.md), with thousands of rows to learn it from.

    Leave-one-out estimates are exact and need no additional fit. The words of the row are
    subtracted from the counts of its class, and words that only this row has are removed from the
    vocabulary, like unknown words of new rows. N_r is the number of known words. (With the words
    of the row kept, the log loss on 100 package descriptions was 2.4 instead of 1.6: long unusual
    texts had moderate log odds in training and extreme ones in prediction.) A row without words
    in a region has no contribution from it. If a row is the only one of its class, all words are
    equally likely in the class without the row.

    Memory in bytes (see `augury.memory`): fit takes `115 e + 40 q d`, and the model keeps `16 q
    d + 36 d`.

    References
    ----------
    R. Raina, Y. Shen, A. Y. Ng, A. McCallum: Classification with hybrid generative/
    discriminative models. Advances in Neural Information Processing Systems 16 (2003).

    Examples
    --------
    The title distinguishes the classes and the body does not, so its words have a larger weight.

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

    The same with counts, and regions given by columns:

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
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.regions = regions
        self.vectorizer = vectorizer
        self.alpha = alpha
        self.length_power = length_power
        self.weights = weights
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
