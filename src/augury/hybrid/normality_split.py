"""Columns that are normal in every class in a discriminant analysis, the others in LR."""

from typing import Any

import numpy as np

from augury.arrays import Array
from augury.encode import TableEncoder
from augury.generative import LinearDiscriminantAnalysis
from augury.hybrid.split_classifier import SplitClassifier
from augury.registration import register_model
from augury.validation import check_number

# Fewer rows than this have no shape that could be tested.
_LEAST_WEIGHT = 3.0


@register_model()
class NormalitySplit(SplitClassifier):
    """Normality split (Xue and Titterington 2010): LDA of the normal columns, LR of the others.

    A column of numbers is in the linear discriminant analysis if in no class a test rejects
    that it is normal; all others, labels included, are in the logistic regression.

    Parameters
    ----------
    level : float from 0 to 1
        Of the test: a smaller p-value rejects.
    generative : generative classifier with `log_prior_`, or None
        None is `LinearDiscriminantAnalysis()`.
    discriminative, categorical_features : see `SplitClassifier`

    Attributes
    ----------
    classes_, generative_columns_, discriminative_columns_, generative_, discriminative_ :
        see `SplitClassifier`
    p_values_ : array of shape (n_columns,)
        The smallest p-value of a column in any class; 0 for labels.

    Notes
    -----
    The description that we follow (Zhang, Jiang and Zhang 2022) speaks of univariate
    normality tests without naming one. This is Jarque and Bera's, whose statistic
    n/6 (skewness² + excess kurtosis² / 4) has χ² with 2 degrees of freedom in the limit: it is
    made of moments, so that weights can count as rows. In small samples it rejects too seldom.
    Classes of less than three rows are not tested; a column that does not vary within a
    class is not normal. Missing values are left out of the test.

    References
    ----------
    J.-H. Xue, D. M. Titterington (2010): Joint discriminative-generative modelling based on
    statistical tests for classification. Pattern Recognition Letters 31, 1048-1055.

    Examples
    --------
    One outlier makes the second column anything but normal.

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
        generative: Any = None,
        discriminative: Any = None,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.level = level
        self.generative = generative
        self.discriminative = discriminative
        self.categorical_features = categorical_features

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if check_number(self._owner, "level", self.level, at_least=0) > 1:
            raise ValueError(
                f"{self._owner}: level must be a number from 0 to 1, got {self.level!r}"
            )

    def _make_generative(self) -> Any:
        return LinearDiscriminantAnalysis() if self.generative is None else self.generative

    def _choose_columns(self, X: Any, codes: Array, weight: Array | None) -> Array:
        encoder = TableEncoder(
            categorical_features=self._is_label.tolist(), missing="ignore", discretizer=None
        )
        numbers = encoder.learn_and_encode(X, codes, weight, self._owner).numbers
        per_row = np.ones(len(codes)) if weight is None else weight
        self.p_values_ = np.zeros(len(encoder.is_nominal_))
        self.p_values_[~encoder.is_nominal_] = [
            min(
                normality_p_value(column[codes == c], per_row[codes == c])
                for c in range(len(self.classes_))
            )
            for column in numbers.T
        ]
        return np.asarray(self.p_values_ < self.level) | encoder.is_nominal_


def normality_p_value(values: Array, weight: Array) -> float:
    """Return the p-value of Jarque and Bera's test; NaN is left out.

    >>> normality_p_value(np.array([-1.0, 0.0, 0.0, 1.0]), np.ones(4))  # kurtosis 2: exp(-1/12)
    0.9200444146293233
    """
    there = ~np.isnan(values)
    values, weight = values[there], weight[there]
    total = weight.sum()
    if total < _LEAST_WEIGHT:
        return 1.0
    # Neither squares nor differences of the largest numbers overflow.
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
