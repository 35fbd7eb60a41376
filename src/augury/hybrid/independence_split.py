"""Split of the columns by tests of conditional independence."""

import numpy as np
from scipy.stats import chi2

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.counts import PairCounts, conditional_mutual_information
from augury.encode.requested_columns import RequestedColumns
from augury.foreign import Classifier, Table
from augury.hybrid.split_classifier import SplitClassifier
from augury.registration import register_model
from augury.validation import check_number


@register_model()
class IndependenceSplit(SplitClassifier):
    """Independence split (Rubinstein and Hastie 1997): naive Bayes where its assumption holds.

    Naive Bayes assumes that columns are independent given the class. Each pair of columns is
    tested. The column in the most failing pairs moves to logistic regression, until no remaining
    pair fails.

    Parameters
    ----------
    level : float from 0 to 1
        Significance level of all tests together: a pair fails if its p-value times the number
        of pairs is smaller.
    generative, discriminative, categorical_features : see `SplitClassifier`
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_, generative_columns_, discriminative_columns_, generative_, discriminative_ :
        see `SplitClassifier`
    p_values_ : array of shape (n_columns, n_columns), 1 on the diagonal; not multiplied by
        the number of pairs

    Notes
    -----
    Rubinstein and Hastie propose that a generative model gets the columns that satisfy its
    assumptions, and a discriminative model the others. They do not name a test. This class uses
    the likelihood ratio G = 2 n log(2) I(A_i; A_j | C), with I in bits. In the limit it has a χ²
    distribution with Σ_c (v_ic - 1)(v_jc - 1) degrees of freedom, where v_ic is the number of
    states of column i with rows in class c. Bonferroni's rule corrects for many pairs. With
    enough rows the smallest dependence fails the test; `InformationSplit` measures its size
    instead. Among columns in equally many failing pairs, the one with more information in these
    pairs moves, then the first. Columns of numbers are cut into intervals for the test.

    Memory in bytes (see `augury.memory`): fit takes `n (2 d + 6 m + 40) + 8 q s² + 16 b²`, and
    the model keeps `16 q s + 200 s`.

    References
    ----------
    Y. D. Rubinstein, T. Hastie (1997): Discriminative vs informative learning. KDD 1997, 49-53.

    Examples
    --------
    The first two columns are copies: G = 2 · 16 · log 2 = 22.2 with 2 degrees of freedom.

    >>> from augury.hybrid import IndependenceSplit
    >>> X = [list(row) for row in ["aax", "aay", "bbx", "bby"] * 4]
    >>> model = IndependenceSplit().fit(X, ["no"] * 8 + ["yes"] * 8)
    >>> model.p_values_[0].round(7).tolist()  # exp(-22.2 / 2) = 2 ** -16
    [1.0, 1.53e-05, 1.0]
    >>> model.discriminative_columns_
    ['x0']
    """

    def __init__(
        self,
        level: float = 0.05,
        generative: Classifier | None = None,
        discriminative: Classifier | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.level = level
        self.generative = generative
        self.discriminative = discriminative
        self.categorical_features = categorical_features
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if check_number(self._owner, "level", self.level, at_least=0) > 1:
            raise ValueError(
                f"{self._owner}: level must be a number from 0 to 1, got {self.level!r}"
            )

    def _choose_columns(self, X: Table, codes: Array, weight: Array | None) -> Array:
        table = self._encode(X, codes, weight)
        pairs = PairCounts.collect(table.codes, table.n_states, codes, len(self.classes_), weight)
        information = np.round(conditional_mutual_information(pairs), 12)
        self.p_values_: Array = independence_p_values(pairs, information)
        n_pairs = len(information) * (len(information) - 1) / 2
        fails = self.p_values_ * n_pairs < self.level
        in_d = np.zeros(len(information), dtype=bool)
        while fails.any():
            n_failing = fails.sum(axis=1)
            shared = np.where(n_failing == n_failing.max(), (information * fails).sum(axis=1), -1)
            worst = int(np.argmax(np.round(shared, 9)))
            in_d[worst] = True
            fails[worst, :] = fails[:, worst] = False
        return in_d


def independence_p_values(pairs: PairCounts, information: Array) -> Array:
    """Return the p-values of G tests that columns are independent given the class."""
    counts = pairs.features
    n_columns = len(counts.n_states)
    free = np.array(
        [np.maximum(np.count_nonzero(counts.of_column(j), axis=0) - 1, 0) for j in range(n_columns)]
    ).astype(np.float64)
    # The rows in which both columns have a value.
    rows = np.add.reduceat(pairs.totals.sum(axis=-1), counts.offsets[:-1], axis=0)
    degrees = free @ free.T
    statistic = 2.0 * np.log(2.0) * rows * information
    p_values = np.ones((n_columns, n_columns))
    tested = degrees > 0
    np.fill_diagonal(tested, val=False)
    p_values[tested] = chi2.sf(statistic[tested], degrees[tested])
    return p_values
