"""The linear support vector machine."""

from typing import Any

import numpy as np
from sklearn.svm import LinearSVC

from augury.bases.class_weights import ClassWeight
from augury.discriminative.bases.liblinear_model import LiblinearModel
from augury.discriminative.solvers.one_vs_rest import SQUARED_HINGE
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.registration import register_model


@register_model("svm", "Linear support vector machine")
class LinearSVM(LiblinearModel):
    """Linear support vector machine (SVM) of mixed columns, by LIBLINEAR.

    For each class, β minimises ‖β‖² / 2 + C Σ w_i max(0, 1 - t_i β · x_i)², where t_i is 1
    for rows of the class and -1 for the rest; x ends in a one, whose coefficient is penalised like
    the others. The class of the largest β · x is predicted; for two classes there is one β.

    Parameters
    ----------
    C : float from 1e-30 to 1e30
        Inverse strength of the penalty.
    encoding : {"onehot+numeric", "onehot", "ordinal"}
    scaling : {"standardize", "range"} or None
        How columns become x, and how numbers are scaled: see `MatrixReader`.
    dual : bool
        Whether LIBLINEAR solves the dual problem (its solver 1, which visits rows at random)
        or the primal problem is solved, by Newton's method, or for many terms by LIBLINEAR's
        solver 2. The optimum is the same and unique.
    tol : float
        Stopping tolerance of the solver.
    max_iter : int
        Maximum number of iterations of the solver.
    random_state : int, RandomState or None
        Random numbers of the dual solver.
    categorical_features, missing, discretizer, n_jobs : see `TableEncoder`
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    coef_ : array of shape (n_classes, n_terms)
        Zeros for the first of two classes, and for one without rows.
    intercept_ : array of shape (n_classes,)
    term_names_ : list, `sky=sun` for a state, `wind` for a number
    n_iter_ : int, the largest number of iterations of a class
    reader_ : the fitted `MatrixReader`

    Notes
    -----
    `LinearSVM.as_published()` is the machine of Zhang, Jiang and Zhang (2022): ordinal codes
    and C=1. They ran LIBLINEAR's dual solver (dual=True, tol=1e-3). On half of their sets it
    is stopped before it is there, and what it has found depends on the order of its visits;
    the accuracies of LIBLINEAR 2.50 on those sets are the ones of the optimum. There is no
    probability in an SVM. A class without rows is never predicted.

    One class after another is separated from the rest. A table whose classes take more than ten
    minutes in all (for each 100,000 rows) is refused before the first of them: LIBLINEAR takes at
    least 50 ns for each entry of the matrix and class, and 500 ns if there are more terms than
    rows. Up to 1,000 rows of at least 2,000 terms are rotated into the space of the rows
    (`RowSpace`), where Newton's method takes n³ steps for a class.

    Memory in bytes (see `augury.memory`): fit takes `n (30 d + 76 m + 100) + 100 s`, and the
    model keeps `8 q s + 150 s`.

    References
    ----------
    R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang, C.-J. Lin (2008): LIBLINEAR: a library for
    large linear classification. Journal of Machine Learning Research 9, 1871-1874.

    Examples
    --------
    For x = (1, 0) and (0, 1), and a one: β = (-a, a, 0), and a minimises a² + 2 (1 - a)².

    >>> from augury.discriminative import LinearSVM
    >>> model = LinearSVM().fit([["rain"], ["sun"]], ["in", "out"])
    >>> model.decision_function([["rain"], ["sun"], ["fog"]]).round(3)  # 2/3; fog is unseen
    array([-0.667,  0.667,  0.   ])
    """

    _loss = SQUARED_HINGE

    def __init__(
        self,
        C: float = 1.0,
        encoding: str = "onehot+numeric",
        scaling: str | None = "standardize",
        dual: bool = False,
        tol: float = 1e-8,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.C = C
        self.encoding = encoding
        self.scaling = scaling
        self.dual = dual
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _make_solver(self) -> Any:
        return LinearSVC(
            C=self.C,
            dual=self.dual,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
        )
