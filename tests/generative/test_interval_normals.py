"""Numbers as in WEKA's naive Bayes: rounded, with the probability of an interval."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from augury.generative import NaiveBayes
from augury.generative.densities.normal_columns import DistinctNumbers, IntervalColumns

# Distinct values 0, 1, 2, 6, so the precision is 6 / 3 = 2. Rounded (0.5 to even): class a
# has 0, 0, 2 (1 / 2 is rounded to 0) and class b 2, 6.
X = pd.DataFrame({"x": [0.0, 1.0, 2.0, 2.0, 6.0]})
Y = ["a", "a", "a", "b", "b"]


def interval():
    return NaiveBayes(continuous="interval")


def test_parameters_by_hand():
    model = interval().fit(X, Y)
    np.testing.assert_allclose(model.precision_, [2.0])
    np.testing.assert_allclose(model.mean_, [[2 / 3, 4.0]])
    # Divided by the number of rows: (4 - 4/3) / 3 and (4 + 4) / 2.
    np.testing.assert_allclose(model.variance_, [[8 / 9, 4.0]])


def test_joint_by_hand():
    model = interval().fit(X, Y)
    # 3.2 is rounded to 4: the interval from 3 to 5. p(a) = (3+1)/(5+2).
    a = 4 / 7 * (ndtr((5 - 2 / 3) / np.sqrt(8 / 9)) - ndtr((3 - 2 / 3) / np.sqrt(8 / 9)))
    b = 3 / 7 * (ndtr(1 / 2) - ndtr(-1 / 2))
    joint = np.exp(model.predict_joint_log_proba(pd.DataFrame({"x": [3.2, 4.0]})))
    np.testing.assert_allclose(joint, [[a, b]] * 2, rtol=1e-12)


def test_rounding_is_to_the_nearest_multiple_and_half_to_even():
    columns = IntervalColumns(np.array([0.5, 3.0]))
    numbers = np.array([[0.25, 1.4], [0.75, 1.5], [0.76, 4.5], [-0.25, -4.4], [np.nan, 1e300]])
    expected = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 6.0], [0.0, -3.0], [np.nan, 1e300]])
    np.testing.assert_allclose(columns.as_counted(numbers), expected)


def test_the_precision_is_the_mean_gap():
    whole = np.array([[4.0, 1.0, 7.0], [1.0, np.nan, 7.0], [1.0, 3.0, np.nan], [2.0, 9.0, 7.0]])
    expected = [(1 + 2) / 2, (2 + 6) / 2, 0.01]
    np.testing.assert_allclose(DistinctNumbers.of(whole).mean_differences(), expected)
    parts = DistinctNumbers.of(whole[:2]) + DistinctNumbers.of(whole[2:])
    np.testing.assert_allclose(parts.mean_differences(), expected)
    nothing = DistinctNumbers.of(np.full((3, 1), np.nan))
    np.testing.assert_allclose(nothing.mean_differences(), [0.01])


def test_one_distinct_value():
    rows = pd.DataFrame({"x": [5.0, 5.0, 5.0]})
    model = interval().fit(rows, [0, 0, 1])
    np.testing.assert_allclose(model.precision_, [0.01])
    np.testing.assert_allclose(model.variance_, [[(0.01 / 6) ** 2] * 2])
    # Three standard deviations on either side, in both classes: the prior decides.
    np.testing.assert_allclose(model.predict_proba(rows[:1]), [[3 / 5, 2 / 5]])
    factor = model.predict_joint_log_proba(rows[:1]) - model.log_prior_
    np.testing.assert_allclose(np.exp(factor), ndtr(3) - ndtr(-3))


def test_a_deviation_is_at_least_a_sixth_of_the_precision():
    rows = pd.DataFrame({"x": [1.0, 1.0, 2.0, 4.0]})
    model = interval().fit(rows, [0, 0, 1, 1])
    # Precision 1.5: rounded 1.5, 1.5, 1.5 (2 / 1.5 = 1.33), 4.5.
    np.testing.assert_allclose(model.variance_, [[0.25**2, 1.5**2]])
    tiny = interval().fit(rows * 1e-11, [0, 0, 1, 1])
    # 1.5e-11 is more than a sixth of the precision, but no deviation to WEKA.
    np.testing.assert_allclose(tiny.variance_, [[0.25e-11**2] * 2])


def test_a_factor_is_at_least_1e_75():
    model = NaiveBayes(continuous="interval", priors=[0.5, 0.5])
    model.fit(pd.DataFrame({"x": [0.0, 1.0, 10.0, 11.0]}), [0, 0, 1, 1])
    far = pd.DataFrame({"x": [1e3, -1e3, 1e200, -1.7e308]})
    np.testing.assert_allclose(model.predict_joint_log_proba(far), np.log(0.5 * 1e-75))
    np.testing.assert_allclose(model.predict_proba(far), 0.5)


def test_a_class_without_values_is_a_narrow_normal_at_zero():
    y = pd.Categorical(Y, categories=["a", "b", "c"])
    model = interval().fit(X, y)
    assert model.mean_[0, 2] == 0
    np.testing.assert_allclose(model.variance_[0, 2], (2 / 6) ** 2)
    joint = np.exp(model.predict_joint_log_proba(pd.DataFrame({"x": [0.5]})))
    np.testing.assert_allclose(joint[0, 2], 1 / 8 * (ndtr(3) - ndtr(-3)))


def test_a_gap_is_left_out():
    rows = pd.concat([X, pd.DataFrame({"x": [np.nan]})])
    ignoring = NaiveBayes(continuous="interval", missing="ignore").fit(rows, [*Y, "b"])
    np.testing.assert_allclose(ignoring.mean_, [[2 / 3, 4.0]])
    np.testing.assert_allclose(ignoring.predict_proba(rows[-1:]), [[1 / 2, 1 / 2]])
    # As a state of its own: p(missing | a) = (0+1)/(3+2), p(missing | b) = (1+1)/(3+2).
    model = interval().fit(rows, [*Y, "b"])
    np.testing.assert_allclose(model.predict_proba(rows[-1:]), [[1 / 3, 2 / 3]])


def test_labels_beside_numbers():
    mixed = X.assign(sky=["sun", "sun", "rain", "rain", "rain"])
    model = interval().fit(mixed, Y)
    alone = interval().fit(X, Y).predict_joint_log_proba(X)
    # p(sun | a) = (2+1)/(3+2), p(sun | b) = (0+1)/(2+2)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(mixed[:1]), alone[:1] + np.log([[3 / 5, 1 / 4]])
    )
    odds = model.explain(mixed, positive="a", negative="b")
    log_proba = model.predict_log_proba(mixed)
    np.testing.assert_allclose(odds.sum(axis=1), log_proba[:, 0] - log_proba[:, 1])


def random_rows(n):
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.normal(size=n), "z": rng.integers(0, 9, n) / 3}), np.arange(n) % 3


def test_weights_are_repeated_rows():
    rows, y = random_rows(40)
    weight = np.random.default_rng(1).integers(0, 4, 40)
    repeated = np.repeat(np.arange(40), weight)
    weighted = interval().fit(rows, y, sample_weight=weight)
    longhand = interval().fit(rows.iloc[repeated], y[repeated])
    np.testing.assert_array_equal(weighted.precision_, longhand.precision_)
    np.testing.assert_allclose(weighted.variance_, longhand.variance_)
    np.testing.assert_allclose(weighted.predict_proba(rows), longhand.predict_proba(rows))


def test_rows_of_no_weight_have_no_part_in_the_precision():
    rows, y = random_rows(40)
    model = interval()
    training = model.read_training(rows, y)
    half = (np.arange(40) < 20).astype(float)
    reweighted = interval().fit_read(training.reweighted(half))
    np.testing.assert_array_equal(
        reweighted.precision_, interval().fit(rows[:20], y[:20]).precision_
    )


def test_blocks_of_rows_change_nothing(read_in_blocks_of):
    rows, y = random_rows(50)
    whole = interval().fit(rows, y)
    expected = whole.predict_proba(rows)
    read_in_blocks_of(14)
    blocks = interval().fit(rows, y)
    np.testing.assert_array_equal(blocks.precision_, whole.precision_)
    np.testing.assert_allclose(blocks.predict_proba(rows), expected, rtol=1e-9)


def test_batches_keep_the_precision_of_the_first():
    rows, y = random_rows(60)
    model = interval().partial_fit(rows[:30], y[:30], classes=[0, 1, 2])
    first = model.precision_
    np.testing.assert_array_equal(first, interval().fit(rows[:30], y[:30]).precision_)
    model.partial_fit(rows[30:], y[30:])
    assert model.precision_ is first
    rounded = IntervalColumns(first).as_counted(rows.to_numpy())
    for c in range(3):
        np.testing.assert_allclose(model.mean_[:, c], rounded[y == c].mean(axis=0))
        np.testing.assert_allclose(model.variance_[:, c], rounded[y == c].var(axis=0))


def test_numbers_of_any_size():
    for scale in (1e-320, 1e-200, 1e-150, 1e-9, 1e9, 1e150):
        model = interval().fit(X * scale, Y)
        proba = model.predict_proba(pd.DataFrame({"x": [1.7e308, -1.7e308, 0.0, 5e-324]}))
        np.testing.assert_allclose(proba.sum(axis=1), 1)
    for scale in (1e200, 2.9e307):
        big = pd.DataFrame({"big": X["x"] * scale - 3 * scale}) * 2
        with pytest.raises(ValueError, match=r"NaiveBayes: column 'big' must hold numbers whose"):
            interval().fit(big, Y)
