"""Models of p(c | x).

- `LogisticRegression`: logistic regression on codes and numbers, without a matrix of indicators
- `AdditiveLogisticRegression`: the same with a spline of each number (GAM)
- `C45Tree`: C4.5 decision tree, equal to WEKA's J48
- `KNearestNeighbors`: nearest neighbours, equal to WEKA's IBk
- `KernelClassifier`: kernel ridge regression, tuned by its leave-one-out log loss
- `LinearSVM`, `LiblinearLogisticRegression`: the models of LIBLINEAR on mixed columns

Folders: `bases` (base classes), `c45` (decision trees), `landmarks` (kernel classifier), `logistic`
(logistic regression), `readers` (tables as matrices), `solvers` (minimisation).
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.discriminative.additive_logistic_regression import (
        AdditiveLogisticRegression as AdditiveLogisticRegression,
    )
    from augury.discriminative.c45_tree import C45Tree as C45Tree
    from augury.discriminative.kernel_classifier import KernelClassifier as KernelClassifier
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
