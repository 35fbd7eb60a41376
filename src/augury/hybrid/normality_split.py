"""Split of the columns by tests of normality."""

from typing import Any

import numpy as np

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.encode import TableEncoder
from augury.encode.requested_columns import RequestedColumns
from augury.foreign import Classifier, Table
from augury.generative import LinearDiscriminantAnalysis
from augury.hybrid.split_classifier import SplitClassifier
from augury.registration import register_model
from augury.validation import check_number

# Minimum weight of a class for a test.
_MIN_WEIGHT = 3.0


@register_model()
class NormalitySplit(SplitClassifier):
    """Normality split (Xue and Titterington 2010): LDA of the normal columns, LR of the others.

    A column of numbers is in the linear discriminant analysis (LDA) if no test rejects that it
    is normal in a class. All other columns, labels included, are in the logistic regression.

    Parameters
    ----------
    level : float from 0 to 1
        Significance level of the test: a smaller p-value rejects normality.
    generative : generative classifier with `log_prior_`, or None
        None is `LinearDiscriminantAnalysis()`.
    discriminative, categorical_features : see `SplitClassifier`
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_, generative_columns_, discriminative_columns_, generative_, discriminative_ :
        see `SplitClassifier`
    p_values_ : array of shape (n_columns,)
        The smallest p-value of a column in any class; 0 for labels.

    Notes
    -----
    The description of Zhang, Jiang and Zhang (2022) mentions univariate normality tests without
    naming one. This class uses the test of Jarque and Bera, whose statistic
    n/6 (skewness² + excess kurtosis² / 4) has a χ² distribution with 2 degrees of freedom in the
    limit. It is computed from moments, so that weights count as rows. In small samples it rejects
    too rarely. Classes of fewer than three rows are not tested. A column that is constant within
    a class is not normal. Missing values are left out of the test.

    Memory in bytes (see `augury.memory`): fit takes `n (2 d + 16 m + 40) + 16 b² + 320 q s`,
    and the model keeps `16 q s + 200 s`.

    References
    ----------
    J.-H. Xue, D. M. Titterington (2010): Joint discriminative-generative modelling based on
    statistical tests for classification. Pattern Recognition Letters 31, 1048-1055.

    Examples
    --------
    An outlier makes the second column far from normal.

    >>> from augury.hybrid import NormalitySplit
    >>> bell = [-2, -1, -1, 0, 0, 0, 1, 1, 2]
    >>> X = [[x + c, 0.0 if x < 2 else 50.0 + c] for c in (0.5, 1.0) for x in bell]
    >>> model = NormalitySplit().fit(X, [0] * 9 + [1] * 9)
    >>> model.generative_columns_, model.discriminative_columns_
    (['x0'], ['x1'])
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

    def _make_generative(self) -> Any:
        return LinearDiscriminantAnalysis() if self.generative is None else self.generative

    def _choose_columns(self, X: Table, codes: Array, weight: Array | None) -> Array:
        encoder = TableEncoder(
            categorical_features=self._is_label.tolist(), missing="ignore", discretizer=None
        )
        numbers = encoder.learn_and_encode(X, codes, weight, self._owner).numbers
        per_row = np.ones(len(codes)) if weight is None else weight
        self.p_values_: FloatArray = np.zeros(len(encoder.is_nominal_))
        self.p_values_[~encoder.is_nominal_] = [
            min(
                normality_p_value(column[codes == c], per_row[codes == c])
                for c in range(len(self.classes_))
            )
            for column in numbers.T
        ]
        is_normal: Array = np.asarray(self.p_values_ < self.level) | encoder.is_nominal_
        return is_normal


def normality_p_value(values: Array, weight: Array) -> float:
    """Return the p-value of the test of Jarque and Bera; NaN is left out.

    >>> normality_p_value(np.array([-1.0, 0.0, 0.0, 1.0]), np.ones(4))  # kurtosis 2: exp(-1/12)
    0.9200444146293233
    """
    there = ~np.isnan(values)
    values, weight = values[there], weight[there]
    total = weight.sum()
    if total < _MIN_WEIGHT:
        return 1.0
    # After the division neither squares nor differences of the largest numbers overflow.
    values = values / max(np.abs(values).max(), np.finfo(np.float64).tiny)
    deviations = values - values[0]
    deviations -= weight @ deviations / total
    largest = np.abs(deviations).max()
    if largest <= 1e-13:  # of the scaled values: rounding
        return 0.0
    deviations /= largest
    second, third, fourth = (weight @ deviations**k / total for k in (2, 3, 4))
    skewness, excess = third / second**1.5, fourth / second**2 - 3.0
    return float(np.exp(-total / 12.0 * (skewness**2 + excess**2 / 4.0)))
