"""Models of p(c | x).

- `LogisticRegression`: on codes and numbers, without a matrix of indicators
- `C45Tree`: C4.5 as WEKA's J48 grows and prunes it
- `KNearestNeighbors`: as WEKA's IBk finds and counts them
- `LinearSVM`, `LiblinearLogisticRegression`: scikit-learn's LIBLINEAR behind our encoder
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.discriminative.c45_tree import C45Tree as C45Tree
    from augury.discriminative.liblinear_logistic_regression import (
        LiblinearLogisticRegression as LiblinearLogisticRegression,
    )
    from augury.discriminative.linear_svm import LinearSVM as LinearSVM
    from augury.discriminative.logistic_regression import LogisticRegression as LogisticRegression
    from augury.discriminative.nearest_neighbors import KNearestNeighbors as KNearestNeighbors

_folder = LazyFolder(__name__)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
