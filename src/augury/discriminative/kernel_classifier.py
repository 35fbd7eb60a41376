"""Kernel ridge classifier of mixed columns."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import LeftOutCodes, PartialScores
from augury.bases.table_classifier import ROWS_TO_PREDICT, drop_rows_without_weight
from augury.discriminative.landmarks.coordinates import LARGEST_COORDINATE, Coordinates
from augury.discriminative.landmarks.kernel_functions import KERNELS
from augury.discriminative.landmarks.search import FittedKernel, search_kernel
from augury.discriminative.landmarks.training_rows import ROWS_OF_GRADIENTS, TrainingRows
from augury.discriminative.landmarks.weighted_kernels import WeightedKernels
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.columns import take_rows
from augury.encode.requested_columns import RequestedColumns
from augury.encode.row_keys import row_keys
from augury.fitted_state import (
    check_coefficients,
    check_floats,
    check_part,
    check_present_classes,
    check_reads,
    check_real,
    require,
)
from augury.foreign import Labels, Table
from augury.kernels.blas_threads import blas_threads
from augury.memory import require_bytes
from augury.registration import register_model
from augury.time_limit import require_time
from augury.validation import check_choice, check_integer, check_table, check_threads

# Rows whose leave-one-out loss is computed in the search: fewer if there are many classes.
_MAX_JUDGED, _MIN_JUDGED = 5000, 500
_JUDGED_OUTPUTS = 1 << 22
# Numbers of a block of rows that is predicted at once.
_NUMBERS_AT_ONCE = 1 << 20
# Estimate of the time: outputs of a class and row in the search (penalties times kernels), steps of
# their calibration as numbers of products, and the time of a product.
_OUTPUTS_OF_SEARCH = 63
_STEPS_OF_CALIBRATION = 300
_NS_OF_PRODUCT = 0.05
_TABLES_OF_OUTPUTS = 8
# States of a column of labels: infrequent labels share one, since they say little about others.
_MAX_STATES = 100
_COLUMN_WEIGHTS = ("learned", "equal")


@register_model("kernel", "Kernel ridge classifier of mixed columns")
class KernelClassifier(LogScoreClassifier):
    """Kernel machine of mixed columns that is tuned by its leave-one-out log loss.

    Rows become points x: arsinh(z) / 0.8 of standardised numbers z, and an indicator of each label.
    The output of a class c is a ridge regression of its indicator on kernels k(x, z) of at most
    `n_landmarks` training rows z, which minimises

        Σ_i w_i (y_ic - f_c(x_i))² + λ αᵀ K α,   f_c(x) = b_c + Σ_l α_lc k(x, z_l),

    and p(c | x) is proportional to exp(a f_c(x) + b'_c). The kernel is a Matérn kernel
    (1 + r) exp(-r) with r² = 3 γ D, or exp(-γ D), where D = Σ_j v_j (x_j - z_j)² has a weight v_j
    of each column. No parameter has to be chosen. The outputs without a row follow from those with
    it, (f - h y) / (1 - h), where h is the leverage of the row, so that each choice is made by
    leave-one-out log loss: kernel, γ, v, λ and the calibration a, b'.

    Parameters
    ----------
    n_landmarks : int
        Maximum number of landmarks, rows with which others are compared (Nyström's method). Time
        grows with its square, up to its third power where rows are few.
    column_weights : {"learned", "equal"}
        Whether columns get weights. A weight is the root of the mean squared derivative of the
        outputs by the coordinates of a column, relative to the largest; it is learned from the best
        machine of equal weights, and once more from the machine with these weights.
    random_state : int, RandomState or None
        Choice of the landmarks in tables of more rows. The choice depends on the values of the rows
        and not on their order.
    categorical_features : see `TableEncoder`
    n_jobs : int or None
        Number of threads that encode columns and predict; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    encoder_ : the fitted `TableEncoder`
    kernel_ : "matern" or "rbf"
    gamma_ : float, γ
    penalty_ : float, λ
    column_weights_ : array of shape (n_features,), v; the largest is 1
    log_loss_ : float, leave-one-out log loss

    Notes
    -----
    Widths: γ times the median squared distance of two landmarks is 1/4, 1 or 4. Penalties: from
    10⁻² to 10² in nine steps, of which the search goes to the next one while the loss decreases,
    from the best of the kernel before. The search begins with the best width of the Matérn kernel
    and equal weights. Column weights and the RBF kernel replace it if the loss decreases by more
    than its standard error. The search takes n_landmarks / 2 landmarks, at least 64, and is fitted
    to at most 5,000 rows; the kernel that is found is fitted to all rows with all landmarks. The
    loss is that of at most 5,000 rows. It is that of fewer, but at least 500, if there are more
    than 838 classes.

    The targets of the calibration are Platt's: 1 - 1 / (N + 2) for a class of N rows, so that the
    scale is finite where the outputs separate the classes. The scale is not negative. With more
    than 50 classes b' is zero.

    A missing number is the mean, and a column with missing numbers has indicators for them. A
    missing label is a label. An unseen label has no indicator. Of more than 100 labels of a column
    the least frequent share an indicator.

    Equal rows are merged, and one of them is left out at a time: a unit of the weight if all
    weights are whole numbers, otherwise the mean weight of the equal rows. All of them are left out
    if they are copies: more than a tenth of the rows occur twice or more often, although a column
    of numbers has different values in most of the different rows.

    All computations use one thread of BLAS, and the result does not depend on `n_jobs`.

    Memory in bytes (see `augury.memory`): fit takes
    `n (d + 8 m + 24) + min(n, 5000) (16000 + 8 m + 8 d v) + 12000000`, and the model keeps
    `4000 (m + d v + q) + 100 s`.

    References
    ----------
    J. Suykens, J. Vandewalle (1999): Least squares support vector machine classifiers. Neural
    Processing Letters 9, 293-300.

    C. Williams, M. Seeger (2001): Using the Nyström method to speed up kernel machines. Advances in
    Neural Information Processing Systems 13.

    G. Cawley, N. Talbot (2006): Leave-one-out cross-validation based model selection criteria for
    weighted LS-SVMs. International Joint Conference on Neural Networks.

    J. Platt (1999): Probabilistic outputs for support vector machines. Advances in Large Margin
    Classifiers, 61-74.

    A. Radhakrishnan, D. Beaglehole, P. Pandit, M. Belkin (2024): Mechanism for feature learning in
    neural networks and backpropagation-free machine learning models. Science 383, 1461-1467.

    Examples
    --------
    Neither column alone tells the class.

    >>> from augury.discriminative import KernelClassifier
    >>> X = [["sun", "calm"], ["sun", "storm"], ["rain", "calm"], ["rain", "storm"]] * 20
    >>> y = ["out", "in", "in", "out"] * 20
    >>> model = KernelClassifier().fit(X, y)
    >>> model.predict_proba([["sun", "calm"], ["rain", "calm"]]).round(2)
    array([[0.02, 0.98],
           [0.98, 0.02]])
    """

    def __init__(
        self,
        n_landmarks: int = 500,
        column_weights: str = "learned",
        random_state: int | np.random.RandomState | None = 0,
        categorical_features: RequestedColumns = "from_dtype",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.n_landmarks = n_landmarks
        self.column_weights = column_weights
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_integer(self._owner, "n_landmarks", self.n_landmarks, at_least=2)
        check_choice(self._owner, "column_weights", self.column_weights, _COLUMN_WEIGHTS)
        check_random_state(self.random_state)
        check_threads(self._owner, self.n_jobs)

    # ---- fitting ----------------------------------------------------------------------

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        n_landmarks, judged = min(n_rows, self.n_landmarks), min(n_rows, _n_judged(n_classes))
        of_outputs = _OUTPUTS_OF_SEARCH * judged * (n_landmarks + _STEPS_OF_CALIBRATION)
        of_weights = 2 * ROWS_OF_GRADIENTS * n_landmarks * n_columns
        require_time(
            n_classes * (of_outputs + of_weights),
            _NS_OF_PRODUCT,
            f"the leave-one-out outputs of {judged:,} rows in {n_classes:,} classes",
            n_rows=n_rows,
            owner=self._owner,
            advice="merge rare classes, lower n_landmarks, or take NaiveBayes",
        )
        require_bytes(
            8 * _TABLES_OF_OUTPUTS * (judged + n_landmarks) * n_classes,
            f"the leave-one-out outputs of {judged:,} rows in {n_classes:,} classes",
            owner=self._owner,
            advice="merge rare classes, or take NaiveBayes",
        )

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        self._fit_kernel(X, codes, weight)

    def fit_held_out(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> FloatArray:
        """Fit the model, and return p(c | x) of each training row without the row itself.

        The outputs are those of the regression without the row, which keeps landmarks, kernel,
        column weights, penalty and calibration. A row of weight zero has the prediction of the
        model.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`

        Returns
        -------
        array of shape (n_samples, n_classes)
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight, keep_rows=True)
        kept = np.ones(len(codes), dtype=bool) if weight is None else weight > 0
        rows, fitted = self._fit_kernel(*drop_rows_without_weight(X, codes, weight))
        proba = np.zeros((len(codes), len(self.classes_)))
        with blas_threads(1):
            held_out = _held_out(rows, fitted)
        if rows.merged_into is not None:
            held_out = held_out[rows.merged_into]
        proba[np.ix_(kept, self._present)] = held_out
        if not kept.all():
            proba[~kept] = self.predict_proba(take_rows(X, ~kept))
        return proba

    def _fit_kernel(
        self, X: Table, codes: Array, weight: Array | None
    ) -> tuple[TrainingRows, FittedKernel | None]:
        """Fit the model to checked rows; return them and the result of the search."""
        self.encoder_ = TableEncoder(
            categorical_features=self.categorical_features,
            discretizer=None,
            max_states=_MAX_STATES,
            n_jobs=self.n_jobs,
        )
        table = self.encoder_.learn_and_encode(X, codes, weight, self._owner)
        coordinates = Coordinates.learn(table, weight, self._owner)
        self._require_memory(table.n_samples, coordinates)
        self._present, numbers = np.unique(codes, return_inverse=True)
        keys = row_keys(table, self.random_state)
        n_judged = _n_judged(len(self._present))
        rows = TrainingRows.of(
            table,
            numbers,
            weight,
            keys,
            self.n_landmarks,
            n_judged,
            is_class_weighted=self.class_weight is not None,
        )
        if len(self._present) == 1:  # nothing to search for
            self._set_constant(rows, coordinates)
            return rows, None
        with blas_threads(1):  # the same sums on every machine; the products are small
            fitted = search_kernel(
                rows,
                coordinates,
                coordinates.sources(self.encoder_),
                learn_weights=self.column_weights == "learned",
            )
        self._set_fitted(fitted)
        return rows, fitted

    def _require_memory(self, n_rows: int, coordinates: Coordinates) -> None:
        n_landmarks = min(n_rows, self.n_landmarks)
        judged, n_coordinates = min(n_rows, _MAX_JUDGED), len(coordinates.scale)
        require_bytes(
            8 * (judged * (n_coordinates + 4 * n_landmarks) + 2 * n_landmarks * n_coordinates),
            f"{judged:,} rows with an indicator for each state, {n_coordinates:,} columns in all,",
            coordinates.n_states,
            owner=self._owner,
            advice="leave these columns out, group their labels, or lower n_landmarks",
        )

    def _set_fitted(self, fitted: FittedKernel) -> None:
        self.kernel_, self.gamma_ = fitted.shape.kernel, fitted.gamma
        self.penalty_, self.log_loss_ = fitted.penalty, fitted.loss
        self._coordinates, self._landmarks = fitted.coordinates, fitted.landmarks
        coefficients, intercept = fitted.ridge.coefficients(fitted.penalty)
        scale, biases = fitted.calibration.scale, fitted.calibration.biases
        self._coef, self._intercept = scale * coefficients, scale * intercept + biases
        self.column_weights_ = self._weights_of_columns()

    def _set_constant(self, rows: TrainingRows, coordinates: Coordinates) -> None:
        self.kernel_, self.gamma_, self.penalty_, self.log_loss_ = KERNELS[0], 1.0, 1.0, 0.0
        self._coordinates = coordinates
        self._landmarks = coordinates.points(rows.table.take(rows.landmarks[:1]))
        self._coef, self._intercept = np.zeros((1, 1)), np.zeros(1)
        self.column_weights_ = self._weights_of_columns()

    def _weights_of_columns(self) -> FloatArray:
        """Return the weight of each column of the table in the squared distance."""
        weights = np.zeros(self.n_features_in_)
        weights[self._coordinates.sources(self.encoder_)] = np.square(self._coordinates.scale)
        return weights

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        encoder = check_part(self, "encoder_", TableEncoder)
        check_reads(self, "encoder_", encoder, self.n_features_in_)
        present = check_present_classes(self, "_present", len(self.classes_))
        coordinates = check_part(self, "_coordinates", Coordinates)
        fits = len(coordinates.mean) == len(encoder.number_names_) and np.array_equal(
            coordinates.n_states, encoder.n_states_
        )
        require(fits, self, "_coordinates", "those of the columns that the encoder reads")
        n_coordinates = len(coordinates.scale)
        largest = LARGEST_COORDINATE
        landmarks = check_floats(
            self, "_landmarks", None, n_coordinates, low=-largest, high=largest
        )
        check_coefficients(self, "_coef", len(landmarks), len(present))
        check_coefficients(self, "_intercept", len(present))
        require(self.kernel_ in KERNELS, self, "kernel_", f"one of {KERNELS}")
        for name in ("gamma_", "penalty_", "log_loss_"):
            check_real(self, name, low=0.0)
        check_floats(self, "column_weights_", self.n_features_in_, low=0.0, high=1.0)

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self)
        return self._score_table(self.encoder_.encode(check_table(self, X, reset=False)))

    def _score_table(self, table: CategoricalTable) -> Array:
        """Return a f(x) + b of each class; -inf for a class without rows."""
        scores = np.full((table.n_samples, len(self.classes_)), -np.inf)
        step = max(1, _NUMBERS_AT_ONCE // sum(self._landmarks.shape))
        starts = range(0, table.n_samples, step)
        kernels = WeightedKernels(
            self._coordinates, self._landmarks, self.kernel_, self.gamma_, self._coef
        )

        def fill(start: int) -> None:
            block = slice(start, min(start + step, table.n_samples))
            scores[block, self._present] = kernels.of_rows(table.take(block)) + self._intercept

        n_threads = min(len(starts), check_threads(self._owner, self.n_jobs))
        with blas_threads(1):
            if n_threads < 2:
                for start in starts:
                    fill(start)
            else:
                with ThreadPoolExecutor(n_threads) as pool:
                    list(pool.map(fill, starts))
        return scores

    def _partial_scores(self, X: Table) -> PartialScores:
        known_part = LeftOutCodes(self.encoder_.encode(X), self.encoder_)
        return lambda rows, known: self._score_table(known_part(rows, known))


def _n_judged(n_classes: int) -> int:
    """Return the number of rows whose leave-one-out loss is computed."""
    return min(_MAX_JUDGED, max(_MIN_JUDGED, _JUDGED_OUTPUTS // n_classes))


def _held_out(rows: TrainingRows, fitted: FittedKernel | None) -> FloatArray:
    """Return the calibrated leave-one-out probabilities of all rows."""
    if fitted is None:
        return np.ones((len(rows.y), 1))
    if len(rows.judged) == len(rows.y):
        return fitted.calibration.probabilities(fitted.outputs)
    proba = np.empty((len(rows.y), rows.n_classes))
    for block in rows.blocks(2 * sum(fitted.landmarks.shape)):
        kernel = fitted.kernel(rows.table.take(block))
        without = fitted.ridge.leave_one_out(kernel, rows.y[block], rows.left_out_of(block))
        proba[block] = fitted.calibration.probabilities(without.outputs(fitted.penalty))
    return proba
