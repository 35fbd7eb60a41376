"""Columns that depend on each other leave naive Bayes."""

from typing import Any

import numpy as np

from augury.arrays import Array
from augury.counts import PairCounts, conditional_mutual_information
from augury.hybrid.split_classifier import SplitClassifier
from augury.registration import register_model
from augury.validation import check_number


@register_model()
class InformationSplit(SplitClassifier):
    """Information split (Tan et al. 2016): of two columns that tell of each other, one moves.

    All columns begin in naive Bayes. Of the two with the largest I(A_i; A_j | C), one moves to
    logistic regression: the one with the larger information with some third column that
    is still in naive Bayes. This is repeated until no pair is above `threshold`.

    Parameters
    ----------
    threshold : float >= 0
        Information, in bits, that two columns of naive Bayes may have.
    generative, discriminative, categorical_features : see `SplitClassifier`

    Attributes
    ----------
    classes_, generative_columns_, discriminative_columns_, generative_, discriminative_ :
        see `SplitClassifier`
    information_ : array of shape (n_columns, n_columns), I(A_i; A_j | C) in bits

    Notes
    -----
    The description that we follow, that of Zhang, Jiang and Zhang (2022), names 0.05 without
    its unit: we take bits. It does not say which of the last two columns moves, nor what
    happens to ties: the first. The authors reduce the columns to a Markov blanket of the
    class beforehand, which is not part of this class. Columns of numbers are cut into
    intervals to measure their information.

    References
    ----------
    Y. Tan, P. P. Shenoy, M. W. Chan, P. M. Romberg (2016): On construction of hybrid logistic
    regression-naive Bayes model for classification. PMLR 52, 523-534.

    Examples
    --------
    The first two columns are copies and share one bit; the third is independent of both.

    >>> from augury.hybrid import InformationSplit
    >>> X = [list(row) for row in ["aax", "aay", "bbx", "bby"] * 2]
    >>> model = InformationSplit().fit(X, ["no"] * 4 + ["yes"] * 4)
    >>> model.discriminative_columns_, model.information_[0].tolist()
    (['x0'], [0.0, 1.0, 0.0])
    """

    def __init__(
        self,
        threshold: float = 0.05,
        generative: Any = None,
        discriminative: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.threshold = threshold
        self.generative = generative
        self.discriminative = discriminative
        self.categorical_features = categorical_features

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self._owner, "threshold", self.threshold, at_least=0)

    def _choose_columns(self, X: Any, codes: Array, weight: Array | None) -> Array:
        table = self._encode(X, codes, weight)
        pairs = PairCounts.collect(table.codes, table.n_states, codes, len(self.classes_), weight)
        self.information_ = conditional_mutual_information(pairs)
        return dependent_columns(self.information_, self.threshold)


def dependent_columns(information: Array, threshold: float) -> Array:
    """Return for each column whether it leaves, so that no pair that stays is above threshold.

    Column 1 is in both of the large pairs:

    >>> dependent_columns(np.array([[0, 0.4, 0], [0.4, 0, 0.3], [0, 0.3, 0]]), 0.05)
    array([False,  True, False])
    """
    # What differs by rounding only is a tie, and ties go to the first.
    left = np.round(information, 12)
    np.fill_diagonal(left, 0.0)
    leaves = np.zeros(len(left), dtype=bool)
    while left.max(initial=0.0) > threshold:
        i, j = np.unravel_index(np.argmax(left), left.shape)
        others = left[[i, j]]
        others[:, [i, j]] = 0.0
        out = (i, j)[int(np.argmax(others.max(axis=1)))]
        leaves[out] = True
        left[out, :] = left[:, out] = 0.0
    return leaves
