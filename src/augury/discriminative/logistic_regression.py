"""Logistic regression on codes and numbers."""

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import LeftOutCodes, PartialScores, additive_terms
from augury.bases.row_blocks import BlockList, RowBlocks, count_rows, weigh_classes
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.discriminative.logistic.block_terms import as_terms, copy_numbers, moments_of_numbers
from augury.discriminative.logistic.coefficient_memory import require_coefficient_memory
from augury.discriminative.logistic.estimation import Estimation
from augury.discriminative.logistic.linear_terms import LinearTerms, left_out_slots
from augury.discriminative.logistic.regression_time import (
    FEWEST_EVALUATIONS,
    require_regression_time,
)
from augury.discriminative.readers.matrix_reader import mean_and_deviation, scale_numbers
from augury.encode import (
    CategoricalTable,
    TableEncoder,
    row_blocks,
    slice_rows,
)
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import (
    check_coefficients,
    check_floats,
    check_part,
    check_present_classes,
    check_reads,
    check_texts,
)
from augury.foreign import Labels, Table
from augury.kernels import slot_offsets
from augury.kernels.blas_threads import blas_threads
from augury.registration import register_model
from augury.validation import (
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_table,
    check_threads,
)

Read = tuple[slice, CategoricalTable]


@register_model("lr", "Logistic regression on one-hot columns and numbers")
class LogisticRegression(LogScoreClassifier):
    """Logistic regression (LR) of mixed columns: log odds are sums over states and numbers.

    p(c | x) ∝ exp(β_c · x), where x holds an indicator for each state of each column, the
    standardised numbers, and a one. β minimises -Σ w_i log p(c_i | x_i) + ‖β‖² / (2C). The matrix
    of indicators is never built: a product with x is a sum of coefficients from a table.

    Parameters
    ----------
    C : float > 0 or "cv"
        Inverse strength of the penalty. "cv" takes the value of 10⁻³, 10⁻²·⁵ … 10² with the
        lowest log loss in five folds of the training rows.
    coefficients : {"symmetric", "reference"}
        "symmetric": every class has coefficients, and the intercepts are not penalised. This is
        scikit-learn's softmax; as there, only the second of two classes has coefficients.
        "reference": the last class has no coefficients, and the intercepts are penalised. These
        are Equations (6) to (11) of Zhang, Jiang and Zhang (2022).
    continuous : {"both", "standardize", "discretize"}
        Whether continuous columns are standardised, cut into intervals by `discretizer`, or
        both.
    tol : float
        Stopping tolerance: the largest component of the gradient, divided by the weight of all
        rows (scikit-learn's rule). With a large C and separable classes the minimum is far away
        and the gradient small: 1e-4 stops early, 1e-8 does not.
    max_iter : int
        Maximum number of steps.
    warm_start : bool
        Whether `fit` begins at the previous coefficients, if their number is the same.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories. A missing number is replaced by the mean where numbers are
        standardised; with missing="state" it also is a state of its own.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    coef_ : array of shape (n_classes, n_terms)
        Zeros for a class without coefficients.
    intercept_ : array of shape (n_classes,)
    term_names_ : list, `sky=sun` for a state, `wind` for a number
    n_iter_ : int
    C_ : float, the C that was used
    encoder_ : the fitted `TableEncoder` of the categories

    Notes
    -----
    An unseen label has coefficient zero, and so has a declared label without rows. A class
    without rows has probability zero, the limit of its estimate. The search begins at the class
    shares. It takes steps of L-BFGS, preconditioned by the Hessian at the class shares, then
    Newton steps (`quasi_newton`, `prior_curvature`). With 50,000 rows or more it begins at the
    optimum of a sample, a tenth of the rows, and is preconditioned by the Hessian of the sample
    (`sample_start`); `n_iter_` does not count the steps on the sample. A step of L-BFGS takes
    about 2 n d q operations. The loss and its derivatives are sums over blocks of rows. With more
    than 2,000 numbers or 1,000 classes the preconditioner is the diagonal of the Hessian.

    A search takes 20 evaluations of the loss or more, each of n q (d + 10) steps of 0.5 ns; "cv"
    takes 56 searches. If this is more than ten minutes (for each 100,000 rows), `fit` is refused
    before the table is read.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + 26 m + 60) + 16 s² + 320 q s`,
    and the model keeps `16 q s + 170 s`. With 50,000 rows or more, `16 q s²` replaces `16 s²`.

    Examples
    --------
    >>> from augury.discriminative import LogisticRegression
    >>> X, y = [["sun"], ["sun"], ["sun"], ["rain"]], ["out", "out", "in", "in"]
    >>> model = LogisticRegression(C=1e9).fit(X, y)
    >>> model.predict_proba([["sun"]]).round(3)  # hardly penalised: 2 of 3 rows
    array([[0.333, 0.667]])
    """

    # Evaluations of the loss, for the estimate of the time.
    _n_evaluations = FEWEST_EVALUATIONS

    def __init__(
        self,
        C: float | str = 1.0,
        coefficients: str = "symmetric",
        continuous: str = "both",
        tol: float = 1e-4,
        max_iter: int = 1000,
        warm_start: bool = False,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.C = C
        self.coefficients = coefficients
        self.continuous = continuous
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        if isinstance(self.C, str):
            check_choice(self._owner, "C", self.C, ("cv",))
        else:
            check_number(self._owner, "C", self.C, above=0)
        check_choice(self._owner, "coefficients", self.coefficients, ("symmetric", "reference"))
        check_choice(
            self._owner, "continuous", self.continuous, ("both", "standardize", "discretize")
        )
        check_number(self._owner, "tol", self.tol, above=0)
        check_integer(self._owner, "max_iter", self.max_iter, at_least=1)
        check_flag(self._owner, "warm_start", self.warm_start)

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate the coefficients.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row, a number of rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight)
        tables = [
            (copy_numbers(table), codes[rows], None if weight is None else weight[rows])
            for rows, table in self._read_training(X, codes, weight)
        ]
        return self._fit_tables(BlockList(tables), overwrite=True)

    def fit_tables(self, tables: RowBlocks) -> Self:
        """Estimate the coefficients from rows that `encoder_` has encoded.

        Parameters
        ----------
        tables : blocks of `(CategoricalTable, y, weight)`
            The codes y are those of `classes_`; the weight None means 1 for each row.
        """
        return self._fit_tables(tables)

    def _fit_tables(self, tables: RowBlocks, *, overwrite: bool = False) -> Self:
        """Estimate the coefficients; with `overwrite` the numbers of the tables may change."""
        present = tables.total(partial(weigh_classes, n_classes=len(self.classes_))) > 0
        self._number_classes(np.flatnonzero(present))
        self._learn_numbers(tables)
        number = np.zeros(len(self.classes_), dtype=np.int32)
        number[self._present] = np.arange(len(self._present), dtype=np.int32)
        read = partial(self._terms, overwrite=overwrite)
        blocks = tables.map(partial(as_terms, read=read, number=number))
        before = getattr(self, "_beta", None) if self.warm_start else None
        n_numbers = len(self._number_term_names)
        require_coefficient_memory(self._owner, self.encoder_, n_numbers, len(self._present))
        n_entries = len(self.encoder_.n_states_) + n_numbers
        self._require_time(tables.total(count_rows), n_entries, len(self._present))
        estimation = Estimation(
            len(self._present),
            self.encoder_.n_states_,
            reference=self._has_reference,
            intercept_penalty=self.coefficients == "reference",
            tol=self.tol,
            max_iter=self.max_iter,
        )
        with blas_threads(1):  # the products are small
            self.C_ = estimation.choose_C(blocks) if isinstance(self.C, str) else float(self.C)
            found = estimation.find(blocks, self.C_, before)
        if not found.converged:
            warnings.warn(
                f"{self._owner}: the search ended after {found.n_iter} steps with a gradient of "
                f"{found.gradient_size:.2g}; raise max_iter or tol",
                ConvergenceWarning,
                stacklevel=3,
            )
        self._set_coefficients(found.x)
        self.n_iter_: int = found.n_iter
        return self

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        self._require_time(n_rows, n_columns, n_classes)

    def _require_time(self, n_rows: int, n_entries: int, n_classes: int) -> None:
        chooses_penalty = isinstance(self.C, str)
        require_regression_time(
            self._owner,
            n_rows,
            n_entries,
            n_classes,
            chooses_penalty=chooses_penalty,
            n_evaluations=self._n_evaluations,
        )

    def _number_classes(self, present: Array) -> None:
        """Order the classes that have rows; one without coefficients is the last."""
        self._has_reference = self.coefficients == "reference" or len(present) <= 2
        if self.coefficients == "symmetric" and self._has_reference:
            present = present[::-1]  # the first of two classes has no coefficients
        self._present = present

    def _make_encoder(self) -> TableEncoder:
        return TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=None if self.continuous == "standardize" else self.discretizer,
            keep_numbers=self.continuous == "both",
            n_jobs=self.n_jobs,
        )

    def _read_training(self, X: Table, y: Array, weight: Array | None) -> list[Read]:
        """Learn the encoding of the columns, and return the training rows in blocks."""
        self.encoder_: TableEncoder = self._make_encoder()
        blocks = row_blocks(X)
        if len(blocks) == 1:
            return [(blocks[0], self.encoder_.learn_and_encode(X, y, weight, self._owner))]
        self.encoder_.learn(X, y, weight, self._owner)
        return list(self._read_blocks(X))

    def _learn_numbers(self, tables: RowBlocks) -> None:
        """Learn how numbers become terms: their means and deviations."""
        names = self.encoder_.number_names_
        n_numbers = len(names)
        self._mean, self._scale = np.zeros(n_numbers), np.ones(n_numbers)
        if not n_numbers:
            return
        total = tables.total(moments_of_numbers)
        self._mean, spread = mean_and_deviation(total, names, self._owner)
        self._scale = np.where(spread > 0, spread, 1.0)

    def _read_blocks(self, X: Table) -> Iterator[Read]:
        """Yield the row slice of each block, and its table."""
        for rows in row_blocks(X):
            yield rows, self.encoder_.encode(slice_rows(X, rows))

    def _number_terms(self, table: CategoricalTable, *, overwrite: bool = False) -> Array:
        """Return the standardised numbers, NaN where they are missing, column by column.

        With `overwrite` they may replace those of the table.
        """
        numbers = np.asfortranarray(table.numbers)
        is_copy = numbers is not table.numbers
        return scale_numbers(numbers, self._mean, self._scale, overwrite=overwrite or is_copy)

    @property
    def _number_term_names(self) -> list[str]:
        return list(self.encoder_.number_names_)

    def _terms(self, table: CategoricalTable, *, overwrite: bool = False) -> LinearTerms:
        z = self._number_terms(table, overwrite=overwrite)
        if np.isnan(z.sum()):  # several times as fast as a mask
            z[np.isnan(z)] = 0.0
        n_threads = check_threads(self._owner, self.n_jobs)
        return LinearTerms(table.codes, slot_offsets(table.n_states), z, n_threads)

    def _set_coefficients(self, beta: Array) -> None:
        self._beta = beta
        whole = np.zeros((len(beta), len(self.classes_)))
        whole[:, self._present[: beta.shape[1]]] = beta
        states = self.encoder_.states_
        kept = np.ones(len(beta), dtype=bool)
        kept[left_out_slots(self.encoder_.n_states_)] = False
        kept[-1] = False
        self.coef_: FloatArray = np.ascontiguousarray(whole[kept].T)
        self.intercept_: Array = whole[-1].copy()
        self.term_names_: list[str] = [
            f"{name}={state}"
            for name, own in zip(self.encoder_.table_names_, states, strict=True)
            for state in own
        ] + self._number_term_names

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        encoder, n_classes = check_part(self, "encoder_", TableEncoder), len(self.classes_)
        check_reads(self, "encoder_", encoder, self.n_features_in_)
        n_numbers = len(encoder.number_names_)
        check_floats(self, "_mean", n_numbers)
        smallest = float(np.finfo(np.float64).smallest_subnormal)
        check_floats(self, "_scale", n_numbers, low=smallest)
        check_flag(self._owner, "_has_reference", self._has_reference)
        n_present = len(check_present_classes(self, "_present", n_classes))
        n_states = encoder.n_states_.tolist()
        n_terms = sum(n_states) + len(self._number_term_names)
        shape = n_terms + len(n_states) + 1, n_present - int(self._has_reference)
        check_coefficients(self, "_beta", *shape)
        check_coefficients(self, "coef_", n_classes, n_terms)
        check_coefficients(self, "intercept_", n_classes)
        check_texts(self, "term_names_", n_terms)

    def _scores(self, terms: LinearTerms, beta: Array) -> Array:
        scores = np.full((len(terms.codes), len(self.classes_)), -np.inf)
        scores[:, self._present] = 0.0
        scores[:, self._present[: beta.shape[1]]] = terms.times(beta)
        return scores

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        return np.concatenate(
            [self._scores(self._terms(table), self._beta) for _, table in self._read_blocks(X)]
        )

    def _partial_scores(self, X: Table) -> PartialScores:
        known_part = LeftOutCodes(self.encoder_.encode(X), self.encoder_)
        return lambda rows, known: self._scores(self._terms(known_part(rows, known)), self._beta)

    def _score_terms(self, X: Table) -> Array:
        return additive_terms(self._partial_scores(X), *X.shape)

    def number_slopes(self, columns: Array) -> Array | None:
        """Return the change of each class's score for one unit of columns of numbers.

        Parameters
        ----------
        columns : array of shape (n,), indices of columns of X

        Returns
        -------
        array of shape (n, n_classes) or None
            None if a column is cut into intervals, so that the score is not linear in it.
        """
        of_codes, of_numbers = self.encoder_.source_columns()
        is_cut = np.isin(of_codes[self.encoder_.n_states_ > 1], columns).any()
        if is_cut or not np.isin(columns, of_numbers).all():
            return None
        place = np.argsort(of_numbers)[np.searchsorted(np.sort(of_numbers), columns)]
        n_slots = int(slot_offsets(self.encoder_.n_states_)[-1])
        if len(self._beta) != n_slots + len(of_numbers) + 1:  # a number has several terms
            return None
        slopes = np.zeros((len(columns), len(self.classes_)))
        beta = self._beta[n_slots + place] / self._scale[place, None]
        slopes[:, self._present[: beta.shape[1]]] = beta
        return slopes

    def decision_function(self, X: Table) -> Array:
        """Return β_c · x of each class; for two classes, the log odds of the second."""
        scores = self._predict_log_scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
