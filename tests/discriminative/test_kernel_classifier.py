"""The kernel classifier, against regressions that are fitted again without each row."""

import numpy as np
import pandas as pd
import pytest

from augury.bases.held_out import PredictsHeldOut
from augury.discriminative import KernelClassifier
from augury.discriminative.landmarks import kernel_functions, training_rows
from augury.discriminative.landmarks.calibration import CalibrationRows
from augury.discriminative.landmarks.column_weights import column_relevance
from augury.discriminative.landmarks.kernel_functions import kernel_values, squared_distances
from augury.discriminative.landmarks.ridge import KernelMoments, KernelRidge
from augury.encode import TableEncoder
from augury.encode.row_keys import row_keys
from augury.memory import TableTooLargeError


def mixed(n, seed=0, n_classes=2):
    """Numbers and labels with gaps; the class depends on both."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    frame = pd.DataFrame(
        {
            "size": y + rng.normal(size=n),
            "colour": np.array(["red", "green", "blue"])[(y + rng.integers(0, 2, n)) % 3],
            "noise": rng.normal(size=n),
        }
    )
    frame["size"] = frame["size"].mask(rng.random(n) < 0.1)
    frame["colour"] = frame["colour"].astype(object).mask(rng.random(n) < 0.1, None)
    return frame, y


def solve_ridge(kernel, between, indicators, weight, penalty):
    """Return α and b of min Σ w (y - b - k α)² + λ αᵀ K α, by the normal equations."""
    n_landmarks = kernel.shape[1]
    design = np.column_stack([kernel, np.ones(len(kernel))])
    matrix = design.T @ (weight[:, None] * design)
    matrix[:n_landmarks, :n_landmarks] += penalty * between
    solution = np.linalg.lstsq(matrix, design.T @ (weight[:, None] * indicators), rcond=1e-14)[0]
    return solution[:-1], solution[-1]


@pytest.fixture(params=[None, [2.0, 1.0, 0.5, 3.0, 1.0, 0.1, 1.0, 1.0, 2.5, 1.0, 1.0, 1.0]])
def ridge_rows(request):
    """Twelve rows, eight landmarks among them, three classes; with and without weights."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(12, 2))
    y = np.array([0, 1, 2] * 4)
    between = kernel_values(squared_distances(points[:8], points[:8]), "matern", 0.7)
    between += 1e-6 * np.eye(8)
    kernel = kernel_values(squared_distances(points, points[:8]), "matern", 0.7)
    weight = None if request.param is None else np.array(request.param)
    return kernel, between, y, weight


@pytest.mark.parametrize("penalty", [0.01, 1.0, 100.0])
def test_leave_one_out_outputs_are_those_of_a_fit_without_the_row(ridge_rows, penalty):
    kernel, between, y, weight = ridge_rows
    indicators = np.eye(3)[y]
    weights = np.ones(12) if weight is None else weight
    ridge = KernelRidge.of(KernelMoments.collect(kernel, y, weight, 3), between - 1e-6 * np.eye(8))
    left_out = np.minimum(weights, 1.0)
    found = ridge.leave_one_out(kernel, y, left_out).outputs(penalty)
    for i in range(12):
        rest = weights.copy()
        rest[i] -= left_out[i]
        coefficients, intercept = solve_ridge(kernel, between, indicators, rest, penalty)
        assert found[i] == pytest.approx(kernel[i] @ coefficients + intercept, abs=1e-6)


def test_coefficients_solve_the_normal_equations(ridge_rows):
    kernel, between, y, weight = ridge_rows
    weights = np.ones(12) if weight is None else weight
    ridge = KernelRidge.of(KernelMoments.collect(kernel, y, weight, 3), between - 1e-6 * np.eye(8))
    coefficients, intercept = ridge.coefficients(0.3)
    expected, constant = solve_ridge(kernel, between, np.eye(3)[y], weights, 0.3)
    assert coefficients == pytest.approx(expected, abs=1e-6)
    assert intercept == pytest.approx(constant, abs=1e-6)


def test_moments_add():
    rng = np.random.default_rng(0)
    kernel, y, weight = rng.random((10, 3)), rng.integers(0, 2, 10), rng.random(10)
    whole = KernelMoments.collect(kernel, y, weight, 2)
    parts = [KernelMoments.collect(kernel[r], y[r], weight[r], 2) for r in (slice(4), slice(4, 10))]
    total = parts[0] + parts[1]
    for name in ("class_weight", "kernel", "products", "of_classes"):
        assert getattr(total, name) == pytest.approx(getattr(whole, name))


@pytest.mark.parametrize("kernel", kernel_functions.KERNELS)
def test_relevance_is_the_mean_squared_derivative(kernel):
    rng = np.random.default_rng(1)
    points, landmarks = rng.normal(size=(6, 3)), rng.normal(size=(4, 3))
    coefficients = rng.normal(size=(4, 2))

    def outputs(at):
        return kernel_values(squared_distances(at, landmarks), kernel, 0.4) @ coefficients

    step = 1e-5
    numeric = [
        np.square((outputs(points + step * e) - outputs(points - step * e)) / (2 * step)).sum()
        for e in np.eye(3)
    ]
    found = column_relevance(points, None, landmarks, coefficients, kernel, 0.4)
    assert found / found.sum() == pytest.approx(np.array(numeric) / np.sum(numeric), rel=1e-4)


def test_equal_rows_are_merged():
    X = np.array([["a"], ["b"], ["a"], ["a"]], dtype=object)
    y = np.array([0, 1, 0, 1])
    table = TableEncoder(discretizer=None).fit_transform(X, y)
    rows = training_rows.TrainingRows.of(
        table, y, None, row_keys(table, 0), 10, 10, is_class_weighted=False
    )
    assert sorted(rows.weight) == [1.0, 1.0, 2.0]
    assert rows.merged_into[0] == rows.merged_into[2]
    assert rows.weight[rows.merged_into].tolist() == [2.0, 1.0, 2.0, 1.0]
    assert len(rows.landmarks) == 2  # different values, whatever their classes


# ---- calibration ----------------------------------------------------------------------------


def test_calibration_is_monotone_in_the_output():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    outputs = np.column_stack([1 - y, y]) * 0.2 + rng.normal(scale=0.3, size=(200, 2))
    calibration, loss = CalibrationRows(y, np.ones(200), np.bincount(y)).calibrate(outputs)
    assert calibration.scale > 0
    assert loss < np.log(2)
    rising = np.linspace(-2, 2, 50)
    proba = calibration.probabilities(np.column_stack([-rising, rising]))[:, 1]
    assert (np.diff(proba) > 0).all()


def test_separated_classes_have_a_finite_scale():
    y = np.array([0, 0, 0, 1, 1])
    outputs = np.eye(2)[y]
    calibration, _ = CalibrationRows(y, np.ones(5), np.bincount(y)).calibrate(outputs)
    own = calibration.probabilities(outputs)[np.arange(5), y]
    assert own == pytest.approx([1 - 1 / 5] * 3 + [1 - 1 / 4] * 2, abs=0.05)  # Platt's targets


def test_outputs_that_contradict_the_classes_say_nothing():
    y = np.array([0, 0, 0, 1, 1, 1])
    calibration, _ = CalibrationRows(y, np.ones(6), np.bincount(y)).calibrate(1.0 - np.eye(2)[y])
    assert calibration.scale == 0.0


# ---- the classifier -------------------------------------------------------------------------


@pytest.mark.parametrize("n", [40, 900])
def test_weights_are_repeated_rows(n):
    X, y = mixed(n, n_classes=3)
    weight = np.random.default_rng(5).integers(0, 4, n)
    rows = np.random.default_rng(6).permutation(np.repeat(np.arange(n), weight))
    weighted = KernelClassifier(n_landmarks=150)
    repeated = KernelClassifier(n_landmarks=150)
    held_out = weighted.fit_held_out(X, y, weight)
    of_copies = repeated.fit_held_out(X.iloc[rows], y[rows])
    assert weighted.kernel_ == repeated.kernel_
    assert weighted.penalty_ == repeated.penalty_
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X), abs=1e-6)
    assert held_out[rows] == pytest.approx(of_copies, abs=1e-6)
    left_out = weight == 0
    assert (held_out[left_out] == weighted.predict_proba(X[left_out])).all()


@pytest.mark.parametrize("max_judged", [100, 5000])
def test_fit_held_out_fits_the_model_of_fit(monkeypatch, max_judged):
    monkeypatch.setattr("augury.discriminative.kernel_classifier._MAX_JUDGED", max_judged)
    X, y = mixed(600)
    model = KernelClassifier(n_landmarks=200)
    assert isinstance(model, PredictsHeldOut)
    held_out = model.fit_held_out(X, y)
    fitted = KernelClassifier(n_landmarks=200).fit(X, y)
    assert (model.predict_proba(X) == fitted.predict_proba(X)).all()
    assert held_out.sum(axis=1) == pytest.approx(1.0)
    loss = -np.log(held_out[np.arange(len(y)), y]).mean()
    assert loss == pytest.approx(model.log_loss_, abs=0.05)
    in_sample = -np.log(model.predict_proba(X)[np.arange(len(y)), y]).mean()
    assert in_sample < loss


def test_blocks_change_nothing(monkeypatch):
    monkeypatch.setattr("augury.discriminative.kernel_classifier._MAX_JUDGED", 200)
    X, y = mixed(700)
    whole = KernelClassifier().fit(X, y).predict_proba(X)
    monkeypatch.setattr(training_rows, "_NUMBERS_AT_ONCE", 1 << 13)
    monkeypatch.setattr("augury.discriminative.kernel_classifier._NUMBERS_AT_ONCE", 1 << 13)
    assert KernelClassifier().fit(X, y).predict_proba(X) == pytest.approx(whole, abs=1e-7)


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("augury.discriminative.kernel_classifier._NUMBERS_AT_ONCE", 1 << 13)
    X, y = mixed(300)
    one, two = (KernelClassifier(n_jobs=k).fit(X, y).predict_proba(X) for k in (1, 2))
    assert (one == two).all()


def test_row_keys_depend_on_values_only():
    X, y = mixed(50)
    encoder = TableEncoder(discretizer=None).fit(X, y)
    keys = row_keys(encoder.transform(X), 0)
    order = np.random.default_rng(0).permutation(50)
    assert (row_keys(encoder.transform(X.iloc[order]), 0) == keys[order]).all()
    assert len(np.unique(keys)) == len(X.drop_duplicates())
    assert (row_keys(encoder.transform(X), 1) != keys).any()


def test_xor_is_learned():
    rng = np.random.default_rng(0)
    X = rng.choice(["a", "b"], size=(200, 2)).astype(object)
    y = X[:, 0] == X[:, 1]
    proba = KernelClassifier().fit(X, y).predict_proba([["a", "a"], ["a", "b"]])
    assert (proba[[0, 1], [1, 0]] > 0.97).all()


def test_irrelevant_columns_get_small_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 12))
    y = X[:, 0] * X[:, 1] > 0
    learned = KernelClassifier().fit(X, y)
    equal = KernelClassifier(column_weights="equal").fit(X, y)
    assert learned.column_weights_[:2].min() > 3 * learned.column_weights_[2:].max()
    assert (equal.column_weights_ == 1).all()
    assert learned.log_loss_ < equal.log_loss_


def test_constant_columns_give_the_shares_of_the_classes():
    X, y = np.ones((40, 2)), np.arange(40) % 4 == 0
    model = KernelClassifier().fit(X, y)
    assert model.predict_proba(X[:1])[0] == pytest.approx([0.75, 0.25], abs=0.05)


def test_a_class_without_rows_has_no_probability():
    X, y = mixed(30)
    classes = pd.Categorical.from_codes(y, ["a", "b", "c"])
    model = KernelClassifier()
    held_out = model.fit_held_out(X, classes)
    assert held_out.shape == (30, 3)
    assert (held_out[:, 2] == 0).all()
    assert (model.predict_proba(X)[:, 2] == 0).all()
    one = KernelClassifier().fit(X, classes, sample_weight=(y == 1).astype(float))
    assert (one.predict_proba(X) == [0.0, 1.0, 0.0]).all()


def test_many_classes_and_many_columns():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 100, 600)
    X = rng.normal(size=(100, 40))[y] + 0.3 * rng.normal(size=(600, 40))
    assert (KernelClassifier().fit(X, y).predict(X) == y).mean() > 0.95
    wide = rng.normal(size=(20, 5000))
    proba = KernelClassifier().fit(wide, np.arange(20) % 2).predict_proba(wide)
    assert np.isfinite(proba).all()


def test_too_many_classes_are_refused(monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 1 << 30)
    with pytest.raises(TableTooLargeError, match=r"^KernelClassifier: .*40,000 classes.*merge"):
        KernelClassifier().fit(np.arange(40_000.0)[:, None], np.arange(40_000))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_landmarks": 1}, "n_landmarks must be an integer >= 2, got 1"),
        ({"column_weights": "ard"}, "column_weights must be"),
    ],
)
def test_parameters_are_checked(parameters, message):
    X, y = mixed(20)
    with pytest.raises(ValueError, match=f"KernelClassifier: {message}"):
        KernelClassifier(**parameters).fit(X, y)
