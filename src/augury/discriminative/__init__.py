"""Models of p(c | x).

- `LogisticRegression`: on codes and numbers, without a matrix of indicators
- `C45Tree`: C4.5 as WEKA's J48 grows and prunes it
- `KNearestNeighbors`: as WEKA's IBk finds and counts them
- `LinearSVM`, `LiblinearLogisticRegression`: scikit-learn's LIBLINEAR behind our encoder
"""

from augury.discriminative.c45_tree import C45Tree
from augury.discriminative.liblinear_logistic_regression import LiblinearLogisticRegression
from augury.discriminative.linear_svm import LinearSVM
from augury.discriminative.logistic_regression import LogisticRegression
from augury.discriminative.nearest_neighbors import KNearestNeighbors

__all__ = [
    "C45Tree",
    "KNearestNeighbors",
    "LiblinearLogisticRegression",
    "LinearSVM",
    "LogisticRegression",
]
