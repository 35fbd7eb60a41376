"""Split of the columns by conditional mutual information."""

import numpy as np

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.counts import PairCounts, conditional_mutual_information
from augury.encode.requested_columns import RequestedColumns
from augury.foreign import Classifier, Table
from augury.hybrid.split_classifier import SplitClassifier
from augury.registration import register_model
from augury.validation import check_number


@register_model()
class InformationSplit(SplitClassifier):
    """Information split (Tan et al. 2016): one of two dependent columns leaves naive Bayes.

    All columns start in naive Bayes. One of the two columns with the largest I(A_i; A_j | C)
    moves to logistic regression: the one with the larger information with a third column that
    is still in naive Bayes. This is repeated until no pair exceeds `threshold`.

    Parameters
    ----------
    threshold : float >= 0
        Maximum information, in bits, of two columns in naive Bayes.
    generative, discriminative, categorical_features : see `SplitClassifier`
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_, generative_columns_, discriminative_columns_, generative_, discriminative_ :
        see `SplitClassifier`
    information_ : array of shape (n_columns, n_columns), I(A_i; A_j | C) in bits

    Notes
    -----
    The description of Zhang, Jiang and Zhang (2022) gives the threshold 0.05 without a unit; this
    class takes bits. The description does not state which of the last two columns moves, nor
    how ties are broken; here the first column moves. The authors first reduce the columns to a
    Markov blanket of the class, which is not part of this class. Columns of numbers are cut into
    intervals to measure their information.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + 9 m + 60) + 8 q s² + 16 b²`, and
    the model keeps `16 q s + 200 s`.

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
        generative: Classifier | None = None,
        discriminative: Classifier | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.threshold = threshold
        self.generative = generative
        self.discriminative = discriminative
        self.categorical_features = categorical_features
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self._owner, "threshold", self.threshold, at_least=0)

    def _choose_columns(self, X: Table, codes: Array, weight: Array | None) -> Array:
        table = self._encode(X, codes, weight)
        pairs = PairCounts.collect(table.codes, table.n_states, codes, len(self.classes_), weight)
        self.information_: Array = conditional_mutual_information(pairs)
        return dependent_columns(self.information_, self.threshold)


def dependent_columns(information: Array, threshold: float) -> Array:
    """Return which columns leave, so that no remaining pair exceeds the threshold.

    Column 1 is in both of the large pairs:

    >>> dependent_columns(np.array([[0, 0.4, 0], [0.4, 0, 0.3], [0, 0.3, 0]]), 0.05)
    array([False,  True, False])
    """
    # Values that differ by rounding only are ties; ties go to the first column.
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
