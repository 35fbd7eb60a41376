"""Base class of the linear models that LIBLINEAR estimates."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.partial_scores import PartialScores, additive_terms
from augury.bases.table_classifier import ROWS_TO_PREDICT, TableClassifier
from augury.discriminative.readers.matrix_reader import MatrixReader
from augury.discriminative.solvers.one_vs_rest import Loss, separate
from augury.discriminative.solvers.row_space import RowSpace
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import (
    check_coefficients,
    check_part,
    check_present_classes,
    check_reads,
    check_texts,
)
from augury.foreign import Matrix, Table
from augury.time_limit import require_time
from augury.validation import check_flag, check_integer, check_number, check_table

# LIBLINEAR does not end if squares of the costs C w are zero or infinite.
_MIN_C, _MAX_C = 1e-30, 1e30

# With fewer terms than this, Newton's method is faster than LIBLINEAR.
_MAX_TERMS = 500

# With at least so many terms and at most so many rows, the search is in the space of the rows.
_MANY_TERMS = 2000
_FEW_ROWS = 1000
# Shortest time of LIBLINEAR for one entry of the matrix, whatever the number of its passes. With
# fewer rows than terms it takes far more passes.
_NS_OF_ENTRY = 50.0
_NS_OF_ROW = 200.0  # whatever its entries
_NS_OF_ENTRY_OF_WIDE_ROWS = 500.0
# Time of a product of two terms in ten Newton steps.
_NS_OF_PRODUCT = 1.0


class LiblinearModel(TableClassifier, ABC):
    """Base class of linear models of each class against the rest.

    A subclass writes `_make_solver`, which returns scikit-learn's estimator for two classes, and
    sets `_loss`. Newton's method minimises the same loss where columns are few, and where rows are
    few and terms are many.

    One class after another is separated from the rest. A table whose classes take more than ten
    minutes (for each 100,000 rows) in all is refused before the first of them.
    """

    n_iter_: int

    reader_: MatrixReader

    _loss: Loss

    # Parameters of every subclass, which has them in its own __init__.
    C: float
    encoding: str
    scaling: str | None
    dual: bool
    tol: float
    max_iter: int
    random_state: int | np.random.RandomState | None
    categorical_features: RequestedColumns
    missing: str
    discretizer: Discretizer
    n_jobs: int | None

    @classmethod
    def as_published(cls) -> Self:
        """Return the model of Zhang, Jiang and Zhang (2022).

        The index of each state is one number, and their tables have no missing values. They ran
        LIBLINEAR's dual solver, which visits rows at random and stops near the optimum
        (dual=True, tol=1e-3); this model is fitted to the optimum.
        """
        return cls(encoding="ordinal", scaling=None, missing="replace")

    def _check_parameters(self) -> None:
        check_number(self._owner, "C", self.C, at_least=_MIN_C, at_most=_MAX_C)
        check_number(self._owner, "tol", self.tol, above=0)
        check_integer(self._owner, "max_iter", self.max_iter, at_least=1)
        check_random_state(self.random_state)
        check_flag(self._owner, "dual", self.dual)

    @abstractmethod
    def _make_solver(self) -> Any:
        """Return scikit-learn's estimator of one class against another."""

    # ---- fitting ----------------------------------------------------------------------

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Estimate the coefficients."""
        self.reader_ = MatrixReader(
            self.encoding,
            self.scaling,
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )
        matrix = self.reader_.learn_and_read(X, codes, weight, self._owner)
        self.term_names_: list[str] = self.reader_.names
        self._estimate(matrix, codes, weight)

    def _estimate(self, matrix: Matrix, codes: Array, weight: Array | None) -> None:
        n_classes = len(self.classes_)
        self.coef_: FloatArray = np.zeros((n_classes, matrix.shape[1]))
        self.intercept_: FloatArray = np.zeros(n_classes)
        self.n_iter_ = 0
        self._present = np.flatnonzero(np.bincount(codes, minlength=n_classes))
        # With two classes the second against the first; with one class nothing.
        classes_to_fit = self._present if len(self._present) > 2 else self._present[1:]
        n_entries = matrix.nnz if sparse.issparse(matrix) else matrix.size
        n_rows, n_terms = matrix.shape
        self._require_time(n_rows, n_terms, n_entries, len(self._present))
        converged = True
        rotation = self._rotation(matrix)
        rows = matrix if rotation is None else rotation.rows
        for c in classes_to_fit:
            converged &= self._separate(rows, codes == c, weight, c, rotation)
        if not converged:
            warnings.warn(
                f"{self._owner}: the solver ended after {self.n_iter_} iterations before it met "
                "its tolerance; raise max_iter or tol, or scale numbers",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        self._require_time(n_rows, n_columns, n_rows * n_columns, n_classes)

    def _require_time(self, n_rows: int, n_terms: int, n_entries: int, n_classes: int) -> None:
        """Raise if the classes take too long; so many entries of the matrix are not zero."""
        if self._is_rotated(n_rows, n_terms):
            steps, nanoseconds = n_rows**3, _NS_OF_PRODUCT
        elif n_terms > max(n_rows, _MAX_TERMS):
            steps, nanoseconds = n_entries, _NS_OF_ENTRY_OF_WIDE_ROWS
        else:  # Newton's method takes the products of all terms of a row
            steps, nanoseconds = n_entries, min(_NS_OF_ENTRY, _NS_OF_PRODUCT * n_terms)
        steps += int(n_rows * _NS_OF_ROW / nanoseconds)
        n_searches = n_classes if n_classes > 2 else 1
        require_time(
            n_searches * steps,
            nanoseconds,
            f"{n_searches:,} searches, one for each class, for the coefficients of {n_terms:,} "
            f"terms from {n_rows:,} rows",
            n_rows=n_rows,
            owner=self._owner,
            advice="use fewer columns, merge rare classes, or take LogisticRegression, which "
            "searches once for all classes, or NaiveBayes",
        )

    def _is_rotated(self, n_rows: int, n_terms: int) -> bool:
        return not self.dual and n_terms >= _MANY_TERMS and n_rows <= _FEW_ROWS

    def _rotation(self, matrix: Matrix) -> RowSpace | None:
        """Return the matrix in the space of its rows, if these are few beside its terms."""
        return RowSpace.of(matrix) if self._is_rotated(*matrix.shape) else None

    def _separate(
        self,
        matrix: Matrix,
        is_class: Array,
        weight: Array | None,
        c: int,
        rotation: RowSpace | None,
    ) -> bool:
        """Estimate the coefficients of one class; return whether the solver converged."""
        is_small = not sparse.issparse(matrix) and matrix.shape[1] < _MAX_TERMS
        if rotation is not None or (not self.dual and is_small):
            costs = np.full(len(is_class), self.C) if weight is None else self.C * weight
            signs = np.where(is_class, 1.0, -1.0)
            terms = matrix
            if rotation is None:
                terms = np.column_stack([matrix, np.ones(len(matrix))])
            beta, n_iter, converged = separate(
                terms, signs, costs, self._loss, tol=self.tol, max_iter=self.max_iter
            )
            if rotation is not None:
                beta = rotation.coefficients(beta)
            self.coef_[c], self.intercept_[c] = beta[:-1], beta[-1]
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # `_estimate` warns once
                solver = self._make_solver().fit(matrix, is_class, sample_weight=weight)
            self.coef_[c], self.intercept_[c] = solver.coef_[0], solver.intercept_[0]
            n_iter = int(np.max(solver.n_iter_))
            converged = n_iter < self.max_iter
        self.n_iter_ = max(self.n_iter_, n_iter)
        return converged

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        reader = check_part(self, "reader_", MatrixReader)
        reader._check_fitted_state()
        check_reads(self, "reader_", reader.encoder, self.n_features_in_)
        n_classes, n_terms = len(self.classes_), len(reader.names)
        check_present_classes(self, "_present", n_classes)
        check_coefficients(self, "coef_", n_classes, n_terms)
        check_coefficients(self, "intercept_", n_classes)
        check_texts(self, "term_names_", n_terms)

    def _scores(self, X: Table) -> Array:
        """Return β_c · x; -inf for a class without rows, 0 for the first of two classes."""
        check_is_fitted(self)
        return self._linear(self.reader_.read(check_table(self, X, reset=False)))

    def _linear(self, matrix: Matrix) -> Array:
        present = self._present
        scores = np.full((matrix.shape[0], len(self.classes_)), -np.inf)
        scores[:, present] = matrix @ self.coef_[present].T
        scores[:, present] += self.intercept_[present]
        return scores

    def _explained_scores(self, X: Table) -> Array:
        return self._scores(X)

    def _partial_scores(self, X: Table) -> PartialScores:
        known_part = self.reader_.leaving_out(X)
        return lambda rows, known: self._linear(known_part(rows, known))

    def _score_terms(self, X: Table) -> Array | None:
        return additive_terms(self._partial_scores(X), *X.shape)

    def decision_function(self, X: Table) -> Array:
        """Return β_c · x of each class; for two classes, that of the second."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X: Table) -> Array:
        """Return the class of the largest β_c · x; ties go to the first in `classes_`."""
        best = np.argmax(self._scores(X), axis=1)
        predicted: Array = self.classes_[best]
        return predicted
