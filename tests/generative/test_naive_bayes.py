import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import norm
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from augury.encode import TableEncoder
from augury.generative import NaiveBayes

WEATHER = pd.DataFrame(
    {"sky": ["sun", "sun", "rain", "rain"], "wind": ["weak", "strong", "strong", "weak"]}
)
PLAY = ["yes", "yes", "no", "yes"]


def test_posterior_by_hand():
    model = NaiveBayes().fit(WEATHER, PLAY)
    # p(yes) = (3+1)/(4+2); p(rain|yes) = (1+1)/(3+2); p(strong|yes) = (1+1)/(3+2), …
    yes, no = 4 / 6 * 2 / 5 * 2 / 5, 2 / 6 * 2 / 3 * 2 / 3
    row = pd.DataFrame({"sky": ["rain"], "wind": ["strong"]})
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(row)), [[no, yes]])
    np.testing.assert_allclose(model.predict_proba(row), [[no / (no + yes), yes / (no + yes)]])
    assert model.predict(row).tolist() == ["no"]
    np.testing.assert_allclose(np.exp(model.log_factors_[0]), [[2 / 3, 2 / 5], [1 / 3, 3 / 5]])


def test_declared_states_and_classes_are_smoothed_over():
    X = pd.DataFrame({"a": pd.Categorical(["x", "y"], categories=["x", "y", "z"])})
    y = pd.Categorical(["p", "q"], categories=["r", "q", "p"])
    model = NaiveBayes().fit(X, y)
    assert model.classes_.tolist() == ["p", "q", "r"]
    np.testing.assert_allclose(np.exp(model.log_prior_), [2 / 5, 2 / 5, 1 / 5])
    np.testing.assert_allclose(np.exp(model.log_factors_[0][:, 0]), [2 / 4, 1 / 4, 1 / 4])
    np.testing.assert_allclose(np.exp(model.log_factors_[0][:, 2]), [1 / 3, 1 / 3, 1 / 3])


def test_equals_categorical_nb():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (300, 6)), rng.integers(0, 3, 300)
    weight = rng.random(300) * 3
    for alpha in (0.1, 1.0, 7.0):
        peer = CategoricalNB(alpha=alpha).fit(X, y, sample_weight=weight)
        ours = NaiveBayes(
            alpha=alpha, priors=np.exp(peer.class_log_prior_), categorical_features="all"
        ).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-12)


def test_gaussian_equals_scipy_with_the_unbiased_variance():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 2)), np.arange(30) % 2
    model = NaiveBayes(continuous="gaussian", priors=[0.5, 0.5]).fit(X, y)
    joint = np.log(0.5) + np.column_stack(
        [
            norm.logpdf(X, X[y == c].mean(axis=0), X[y == c].std(axis=0, ddof=1)).sum(axis=1)
            for c in (0, 1)
        ]
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-10)


def test_gaussian_approaches_gaussian_nb_as_rows_grow():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 50_000)
    X = rng.normal(size=(50_000, 3)) + y[:, None]
    peer = GaussianNB().fit(X, y).predict_proba(X[:100])
    ours = NaiveBayes(continuous="gaussian", alpha=0).fit(X, y).predict_proba(X[:100])
    np.testing.assert_allclose(ours, peer, atol=1e-3)


def test_a_class_with_one_row_or_none_takes_the_columns_variance():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 10.0]})
    y = pd.Categorical(["a", "a", "a", "b"], categories=["a", "b", "c"])
    model = NaiveBayes(continuous="gaussian").fit(X, y)
    overall = X["x"].var()
    np.testing.assert_allclose(model.variance_, [[1.0, overall, overall]])
    np.testing.assert_allclose(model.mean_, [[2.0, 10.0, 4.0]])


def test_a_constant_number_says_nothing():
    X = pd.DataFrame({"same": [3.0] * 4, "x": [1.0, 1.1, 2.0, 2.1]})
    with_it = NaiveBayes(continuous="gaussian").fit(X, [0, 0, 1, 1])
    without = NaiveBayes(continuous="gaussian").fit(X[["x"]], [0, 0, 1, 1])
    rows = pd.DataFrame({"same": [3.0, 99.0], "x": [1.2, 1.2]})
    np.testing.assert_allclose(with_it.predict_proba(rows), without.predict_proba(rows[["x"]]))


def test_a_number_constant_within_a_class_is_floored():
    X = pd.DataFrame({"x": [1.0, 1.0, 2.0, 3.0]})
    model = NaiveBayes(continuous="gaussian", variance_floor=1e-3).fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(model.variance_, [[1e-3 * X["x"].var(), 0.5]])
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_gap_among_numbers_is_evidence_of_its_own():
    X = pd.DataFrame({"x": [1.0, np.nan, np.nan, 2.0, 1.5, 1.7]})
    y = [0, 0, 0, 1, 1, 1]
    row = pd.DataFrame({"x": [np.nan]})
    # p(0) = p(1) = 1/2; p(missing | 0) = (2+1)/(3+2), p(missing | 1) = (0+1)/(3+2)
    model = NaiveBayes(continuous="gaussian").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(row), [[3 / 4, 1 / 4]])
    ignoring = NaiveBayes(continuous="gaussian", missing="ignore").fit(X, y)
    np.testing.assert_allclose(ignoring.predict_proba(row), [[1 / 2, 1 / 2]])


def test_mixed_frame_with_gaps_strings_and_unseen_labels():
    X = pd.DataFrame(
        {
            "colour": ["red", "blue", None, "red", "blue", "red"],
            "size": [1.0, 2.0, np.nan, 9.0, 8.0, 9.5],
            "flag": [True, False, True, True, False, False],
        }
    )
    y = ["a", "a", "a", "b", "b", "b"]
    new = pd.DataFrame({"colour": ["green", None], "size": [np.nan, 3.0], "flag": [True, False]})
    for continuous in ("discretize", "gaussian", "interval", "kernel"):
        for missing in ("state", "replace", "ignore"):
            model = NaiveBayes(continuous=continuous, missing=missing).fit(X, y)
            proba = model.predict_proba(new)
            np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_an_unseen_label_leaves_its_factor_out():
    model = NaiveBayes().fit(WEATHER, PLAY)
    without = NaiveBayes().fit(WEATHER[["wind"]], PLAY)
    row = pd.DataFrame({"sky": ["fog"], "wind": ["weak"]})
    np.testing.assert_allclose(model.predict_proba(row), without.predict_proba(row[["wind"]]))


def test_ten_thousand_columns_do_not_underflow():
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    X = (rng.random((60, 10_000)) < 0.5 + 0.01 * y[:, None]).astype(int)
    model = NaiveBayes(categorical_features="all").fit(X, y)
    joint = model.predict_joint_log_proba(X)
    assert (joint < -1000).all()
    assert np.isfinite(model.predict_log_proba(X)).all()
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (model.predict(X) == y).all()


def test_without_smoothing_the_fewest_impossible_values_win():
    X = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", "u", "v"], "c": ["s", "s", "t"]})
    model = NaiveBayes(alpha=0).fit(X, ["p", "p", "q"])
    row = pd.DataFrame({"a": ["x"], "b": ["v"], "c": ["s"]})
    assert model.predict(row).tolist() == ["p"]
    assert np.isfinite(model.predict_proba(row)).all()


def test_batches_equal_one_fit():
    rng = np.random.default_rng(4)
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes(rng.integers(0, 3, 90), ["x", "y", "z"]),
            "b": rng.normal(size=90),
        }
    )
    y = rng.choice(["p", "q", "r"], 90)
    whole = NaiveBayes(continuous="gaussian").fit(X, y)
    batches = NaiveBayes(continuous="gaussian")
    for start in range(0, 90, 30):
        rows = slice(start, start + 30)
        batches.partial_fit(X[rows], y[rows], classes=["r", "p", "q"])
    by_hand = NaiveBayes(continuous="gaussian").fit(X[:30], pd.Categorical(y[:30], ["p", "q", "r"]))
    by_hand.fit_statistics(by_hand.statistics_ + by_hand.collect(X[30:], y[30:]))
    for model in (batches, by_hand):
        np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=1e-9)


def test_a_label_that_comes_too_late_is_reported():
    model = NaiveBayes().partial_fit(WEATHER, PLAY, classes=["no", "yes"])
    late = pd.DataFrame({"sky": ["fog"], "wind": ["weak"]})
    with pytest.warns(UserWarning, match=r"column 'sky' has labels.*left out: \['fog'\]"):
        model.partial_fit(late, ["no"])
    assert model.statistics_.counts.class_counts.tolist() == [2, 3]


def test_explanations_sum_to_the_log_odds():
    X = pd.DataFrame({"a": ["x", "y", "z", "x"], "b": [1.0, 2.0, np.nan, 4.0]}, index=list("pqrs"))
    for y in (["u", "v", "u", "v"], ["u", "v", "w", "u"]):
        for continuous in ("discretize", "gaussian", "interval", "kernel"):
            model = NaiveBayes(continuous=continuous).fit(X, y)
            log_proba = model.predict_log_proba(X)
            odds = model.explain(X, positive="v", negative="u").sum(axis=1)
            np.testing.assert_allclose(odds, log_proba[:, 1] - log_proba[:, 0], atol=1e-12)
            assert odds.index.tolist() == list("pqrs")
    by_rank = np.sort(log_proba, axis=1)
    np.testing.assert_allclose(model.explain(X).sum(axis=1), by_rank[:, -1] - by_rank[:, -2])
    assert (model.explain(X, positive="w").sum(axis=1)[["p", "q", "s"]] < 0).all()
    opposed = model.explain(X, negative="w").sum(axis=1)
    np.testing.assert_allclose(opposed, -model.explain(X, positive="w").sum(axis=1))
    with pytest.raises(ValueError, match=r"positive must be one of the classes .* got 'no'"):
        model.explain(X, positive="no")


def test_blocks_of_rows_change_nothing(read_in_blocks_of):
    rng = np.random.default_rng(6)
    X = pd.DataFrame({"a": rng.choice(["x", "y", "z"], 50), "b": rng.normal(size=50)})
    y, weight = rng.choice(["p", "q"], 50), rng.integers(0, 3, 50)
    whole = NaiveBayes(continuous="gaussian").fit(X, y, sample_weight=weight)
    expected = whole.predict_proba(X)
    read_in_blocks_of(14)
    blocks = NaiveBayes(continuous="gaussian").fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(blocks.predict_proba(X), expected, rtol=1e-12)


def test_threads_change_nothing():
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 4, (100_000, 6)), rng.integers(0, 3, 100_000)
    one = NaiveBayes(categorical_features="all").fit(X, y)
    two = NaiveBayes(categorical_features="all", n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"alpha": -1.0}, ValueError, r"NaiveBayes: alpha must be a number >= 0, got -1\.0"),
        ({"alpha": "1"}, TypeError, "NaiveBayes: alpha must be a number >= 0, got '1'"),
        ({"alpha": np.nan}, ValueError, "alpha must be a number >= 0, got nan"),
        ({"variance_floor": -1}, ValueError, "variance_floor must be a number >= 0, got -1"),
        (
            {"continuous": "normal"},
            ValueError,
            "continuous must be one of 'discretize', 'gaussian', 'interval', 'kernel'",
        ),
        ({"bandwidth": "scott"}, ValueError, "bandwidth must be one of 'silverman', 'weka'"),
        ({"bandwidth": 0}, ValueError, "bandwidth must be a number > 0, got 0"),
        ({"priors": [0.5]}, ValueError, "priors must be 2 probabilities, one for each class"),
        ({"priors": [0.5, 0.6]}, ValueError, "priors must be non-negative and sum to 1"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be None or an integer other than 0, got 0"),
        ({"missing": "drop"}, ValueError, "missing must be one of"),
    ],
)
def test_bad_parameters(parameters, error, message):
    with pytest.raises(error, match=message):
        NaiveBayes(**parameters).fit(WEATHER, PLAY)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 1], r"sample_weight must be of shape \(4,\), one for each row, got \(2,\)"),
        ([1, -1, 1, 1], r"sample_weight must be >= 0, got -1\.0"),
        ([1, np.nan, 1, 1], "sample_weight must be finite, got nan"),
        ([1e308] * 4, "sample_weight must sum to at most"),
        ([0, 0, 0, 0], "sample_weight must not be zero for every row"),
        (["a", "b", "c", "d"], "sample_weight must be numbers"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        NaiveBayes().fit(WEATHER, PLAY, sample_weight=weight)


def test_bad_data():
    with pytest.raises(
        ValueError, match="NaiveBayes: y must not have missing values, got one in row 2"
    ):
        NaiveBayes().fit(WEATHER, ["yes", "no", None, "no"])
    with pytest.raises(
        ValueError, match="NaiveBayes: y must have at least 2 classes, got one class: 'no'"
    ):
        NaiveBayes().fit(WEATHER, ["no"] * 4)
    with pytest.raises(ValueError, match="column 'x' must be finite or missing, got inf in row 1"):
        NaiveBayes().fit(pd.DataFrame({"x": [1.0, np.inf]}), [0, 1])
    with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
        NaiveBayes().partial_fit(WEATHER, PLAY)
    model = NaiveBayes().partial_fit(WEATHER, PLAY, classes=["no", "yes"])
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        model.partial_fit(WEATHER, PLAY, classes=["maybe", "no", "yes"])


# ---- input of every kind, weights of every scale ------------------------------------------


def test_weights_may_be_a_column_of_a_matrix():
    rng = np.random.default_rng(7)
    A, y = rng.random((30, 3)), np.arange(30) % 2
    for continuous in ("discretize", "gaussian", "interval", "kernel"):
        expected = NaiveBayes(continuous=continuous).fit(A, y, A[:, 2].copy()).predict_proba(A)
        for weight in (A[:, 2], pd.DataFrame(A)[2], pl.Series(A[:, 2])):
            model = NaiveBayes(continuous=continuous).fit(A, y, sample_weight=weight)
            np.testing.assert_array_equal(model.predict_proba(A), expected)


def test_targets_of_other_libraries():
    expected = NaiveBayes().fit(WEATHER, PLAY).predict_proba(WEATHER)
    frame = pl.from_pandas(WEATHER)
    for y in (pl.Series(PLAY), pa.array(PLAY), pl.Series(PLAY, dtype=pl.Enum(["yes", "no"]))):
        model = NaiveBayes().fit(frame, y)
        assert model.classes_.tolist() == ["no", "yes"]
        np.testing.assert_array_equal(model.predict_proba(frame), expected)
    enum = pl.Series(PLAY, dtype=pl.Enum(["yes", "no", "perhaps"]))
    assert NaiveBayes().partial_fit(frame, enum).classes_.tolist() == ["no", "perhaps", "yes"]
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        NaiveBayes().partial_fit(frame, pl.Series(PLAY))


def test_one_row_with_a_gap():
    X = pl.DataFrame({"sky": ["sun", "sun", "rain", "rain"], "wind": [1.0, 2.0, 3.0, None]})
    row = pl.DataFrame({"sky": ["sun"], "wind": [None]})
    for continuous in ("discretize", "gaussian", "interval", "kernel"):
        model = NaiveBayes(continuous=continuous).fit(X, ["a", "a", "b", "b"])
        assert np.isfinite(model.predict_proba(row)).all()


def test_another_byte_order_predicts_the_same():
    X, y = np.array([[0], [1]] * 3), np.array([0, 1] * 3)
    expected = NaiveBayes(categorical_features="all").fit(X, y)
    found = NaiveBayes(categorical_features="all").fit(X.astype(">i2"), (y * 2 + 5).astype(">i2"))
    assert found.classes_.tolist() == [5, 7]
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


def test_normals_of_weights_of_any_scale():
    rng = np.random.default_rng(8)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + y[:, None]
    whole = NaiveBayes(continuous="gaussian", alpha=0).fit(X, y)
    for total in (1e-6, 0.5, 1.0):
        shares = NaiveBayes(continuous="gaussian", alpha=0).fit(X, y, np.full(60, total / 60))
        np.testing.assert_array_equal(shares.variance_, whole.variance_)
    for total in (1.1, 1.5):
        with pytest.warns(UserWarning, match="NaiveBayes: sample_weight sums to"):
            model = NaiveBayes(continuous="gaussian", alpha=0).fit(X, y, np.full(60, total / 60))
        ratio = model.variance_ / whole.variance_
        assert (ratio > 0.9).all()
        assert (ratio < 2.1).all()
        assert (model.predict(X) == whole.predict(X)).mean() > 0.9


def test_a_single_row_of_any_weight_has_no_variance_of_its_own():
    X = pd.DataFrame({"x": [1.1, 2.0, 3.0, 10.1]})
    for weight in (0.3, 0.7, 1.0):
        model = NaiveBayes(continuous="gaussian").fit(X, [0, 0, 0, 1], [1, 1, 1, weight])
        assert model.variance_[0, 1] > 5


def test_numbers_far_from_everything_have_a_posterior():
    X, y = [[1.0], [2.0], [-1.0], [-2.0]], [0, 0, 1, 1]
    model = NaiveBayes(continuous="gaussian").fit(X, y)
    far = [[1e160], [-1e160], [1e300], [-1.7e308]]
    for proba in (model.predict_proba(far), np.exp(model.predict_log_proba(far))):
        np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert np.isfinite(model.explain(far).to_numpy()).all()
    with pytest.raises(ValueError, match=r"NaiveBayes: column 'big' must hold numbers whose squ"):
        NaiveBayes(continuous="gaussian").fit(
            pd.DataFrame({"big": [1e200, 2e200, -1e200]}), [0, 1, 1]
        )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"missing": "drop"}, "missing must be one of"),
        ({"discretizer": "chi"}, "discretizer must be one of"),
        ({"discretizer": 3}, "discretizer must be one of 'mdl', .* got 3"),
        ({"n_jobs": True}, "n_jobs must be None or an integer"),
        ({"categorical_features": ["zap"]}, "categorical_features must name columns of X"),
        ({"priors": "uniform"}, "priors must be 2 probabilities, one for each class, got 'unif"),
        ({"priors": {"no": 1}}, "priors must be 2 probabilities"),
    ],
)
def test_bad_parameters_are_the_models(parameters, message):
    with pytest.raises((TypeError, ValueError), match=f"^NaiveBayes: {message}"):
        NaiveBayes(**parameters).fit(WEATHER, PLAY)


def test_statistics_of_another_model_are_refused():
    model = NaiveBayes().fit(WEATHER, PLAY)
    before = model.predict_proba(WEATHER)
    other = NaiveBayes().fit(WEATHER[["sky"]], PLAY)
    three = NaiveBayes().fit(WEATHER, ["a", "b", "c", "a"])
    for stranger in (other, three):
        with pytest.raises(ValueError, match="NaiveBayes: statistics must be of this model's"):
            model.fit_statistics(stranger.statistics_)
    with pytest.raises(TypeError, match="statistics must be NaiveBayesStatistics, got None"):
        model.fit_statistics(None)
    np.testing.assert_array_equal(model.predict_proba(WEATHER), before)


def test_a_frame_where_names_were_not_is_warned_of_once():
    model = NaiveBayes().fit(WEATHER, PLAY)
    with pytest.warns(UserWarning, match="does not have valid feature names") as caught:
        model.predict(WEATHER.to_numpy())
    assert len(caught) == 1


def test_more_rows_are_read_once(monkeypatch):
    model = NaiveBayes().partial_fit(WEATHER, PLAY, classes=["no", "yes"])
    reads = []
    original = type(model.encoder_)._read
    monkeypatch.setattr(
        type(model.encoder_), "_read", lambda self, X: reads.append(1) or original(self, X)
    )
    model.partial_fit(WEATHER, PLAY)
    assert len(reads) == 1


def test_a_table_of_codes_is_no_frame():
    table = TableEncoder().fit_transform(WEATHER)
    with pytest.raises(TypeError, match=r"NaiveBayes: X must be .*CategoricalTable: .*to_frame"):
        NaiveBayes().fit(table, PLAY)


@pytest.mark.parametrize("continuous", ["discretize", "gaussian", "interval"])
def test_likelihoods_of_columns_and_the_prior_sum_to_the_joint_probability(continuous):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"sky": rng.choice(["sun", "rain"], 60), "wind": rng.normal(size=60)})
    X.loc[3, "sky"], X.loc[5, "wind"] = None, np.nan
    model = NaiveBayes(continuous=continuous).fit(X, rng.choice(["a", "b", "c"], 60))
    names, terms = model.column_log_likelihoods(X)
    assert set(names) >= {"sky", "wind"}
    assert terms.shape == (60, len(names), 3)
    np.testing.assert_allclose(
        terms.sum(axis=1) + model.log_prior_, model.predict_joint_log_proba(X)
    )
