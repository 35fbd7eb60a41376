"""HNB, AODE and A2DE against their formulas, written out loop by loop."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.counts import PairCounts, conditional_mutual_information
from augury.generative import AveragedOneDependence, HiddenNaiveBayes, NaiveBayes
from augury.generative.bases import pair_model as pair_module

V = (2, 3, 2)
Q = 3


def frame_of(codes):
    return pd.DataFrame(
        {
            f"c{j}": pd.Categorical.from_codes(codes[:, j].astype(int), list("abc")[:v])
            for j, v in enumerate(V)
        }
    )


@st.composite
def tables(draw):
    n = draw(st.integers(2, 15))
    codes = np.column_stack([draw(arrays(np.uint8, n, elements=st.integers(0, v - 1))) for v in V])
    return codes, draw(arrays(np.int32, n, elements=st.integers(0, Q - 1)))


def count(codes, y, c, **values):
    rows = y == c
    for name, value in values.items():
        rows = rows & (codes[:, int(name[1:])] == value)
    return int(rows.sum())


def hidden_joint(codes, y, x, c, pseudo):
    n = len(y)
    weights = conditional_mutual_information(PairCounts.collect(codes, V, y, Q), negligible=1e-6)
    value = (np.sum(y == c) + pseudo(Q)) / (n + pseudo(Q) * Q)
    for i, v in enumerate(V):
        a = pseudo(v)
        alone = (count(codes, y, c, **{f"x{i}": x[i]}) + a) / (np.sum(y == c) + a * v)
        factor = 0.0
        for j in range(len(V)):
            if j != i:
                both = count(codes, y, c, **{f"x{i}": x[i], f"x{j}": x[j]})
                factor += (
                    weights[i, j] * (both + a) / (count(codes, y, c, **{f"x{j}": x[j]}) + a * v)
                )
        total = weights[i].sum()
        value *= factor / total if total > 0 else alone
    return value


@given(tables(), st.sampled_from([1.0, 0.5, "m-estimate"]))
def test_hidden_naive_bayes_is_its_formula(table, alpha):
    codes, y = table
    model = HiddenNaiveBayes(alpha=alpha).fit(
        frame_of(codes), pd.Categorical.from_codes(y, range(Q))
    )
    pseudo = (lambda v: 1.0 / v) if alpha == "m-estimate" else (lambda v: alpha)
    expected = [[hidden_joint(codes, y, x, c, pseudo) for c in range(Q)] for x in codes]
    np.testing.assert_allclose(
        np.exp(model.predict_joint_log_proba(frame_of(codes))), expected, rtol=1e-10
    )


def one_dependence(codes, y, x, c, parents, alpha):
    """p(c, parents) Π p(x_i | c, parents), or None where the parents never occur."""
    given_parents = {f"x{j}": x[j] for j in parents}
    if sum(count(codes, y, k, **given_parents) for k in range(Q)) == 0:
        return None
    cells = Q * int(np.prod([V[j] for j in parents]))
    value = (count(codes, y, c, **given_parents) + alpha) / (len(y) + alpha * cells)
    for i, v in enumerate(V):
        if i not in parents:
            both = count(codes, y, c, **given_parents, **{f"x{i}": x[i]})
            value *= (both + alpha) / (count(codes, y, c, **given_parents) + alpha * v)
    return value


@given(tables(), tables(), st.sampled_from([1.0, 0.5]))
def test_averaged_one_dependence_is_its_formula(table, other, alpha):
    codes, y = table
    target = pd.Categorical.from_codes(y, range(Q))
    model = AveragedOneDependence(alpha=alpha).fit(frame_of(codes), target)
    new = other[0]
    got = np.exp(model.predict_joint_log_proba(frame_of(new)))
    naive = NaiveBayes(alpha=alpha).fit(frame_of(codes), target)
    for row, x in enumerate(new):
        for c in range(Q):
            terms = [one_dependence(codes, y, x, c, [j], alpha) for j in range(3)]
            terms = [term for term in terms if term is not None]
            expected = (
                np.mean(terms)
                if terms
                else np.exp(naive.predict_joint_log_proba(frame_of(new[[row]])))[0, c]
            )
            np.testing.assert_allclose(got[row, c], expected, rtol=1e-10)


@given(tables(), tables(), st.sampled_from([1.0, 0.5]))
def test_two_dependence_is_its_formula_and_falls_back(table, other, alpha):
    codes, y = table
    target = pd.Categorical.from_codes(y, range(Q))
    model = AveragedOneDependence(n_parents=2, alpha=alpha).fit(frame_of(codes), target)
    simple = AveragedOneDependence(alpha=alpha).fit(frame_of(codes), target)
    new = other[0]
    got = np.exp(model.predict_joint_log_proba(frame_of(new)))
    fallback = np.exp(simple.predict_joint_log_proba(frame_of(new)))
    for row, x in enumerate(new):
        for c in range(Q):
            pairs = ([0, 1], [0, 2], [1, 2])
            terms = [one_dependence(codes, y, x, c, pair, alpha) for pair in pairs]
            terms = [term for term in terms if term is not None]
            expected = np.mean(terms) if terms else fallback[row, c]
            np.testing.assert_allclose(got[row, c], expected, rtol=1e-10)


def test_rare_values_are_no_parents():
    X = pd.DataFrame({"a": list("xxxy"), "b": list("uvuv")})
    y = [0, 1, 0, 1]
    model = AveragedOneDependence(frequency_limit=2).fit(X, y)
    row = pd.DataFrame({"a": ["y"], "b": ["u"]})  # "y" occurs once, "u" twice
    joint = np.exp(model.predict_joint_log_proba(row))[0]
    # Only b is a parent: p(c, u) p(y | c, u) with N(u, 0) = 2, N(u, 1) = 0.
    np.testing.assert_allclose(joint, [3 / 8 * 1 / 4, 1 / 8 * 1 / 2])
    naive = NaiveBayes().fit(X, y).predict_proba(row)
    never = AveragedOneDependence(frequency_limit=9).fit(X, y)
    np.testing.assert_allclose(never.predict_proba(row), naive)


def test_left_out_values():
    X = pd.DataFrame({"a": list("xyxyxy"), "b": list("uuvvuv"), "c": list("stssts")})
    y = [0, 1, 0, 1, 1, 0]
    new = pd.DataFrame({"a": ["never", "x"], "b": ["u", "never"], "c": ["s", "t"]})
    for model in (
        HiddenNaiveBayes(),
        AveragedOneDependence(),
        AveragedOneDependence(n_parents=2),
    ):
        proba = model.fit(X, y).predict_proba(new)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
    # A parent that is unknown says as much as the class alone: weights move to p(a_i | c).
    hidden = HiddenNaiveBayes().fit(X[["a", "b"]], y)
    naive_b = (np.array([[1, 2]]) + 1 / 2) / (3 + 1)  # p(u | c), m-estimate
    joint = np.exp(hidden.predict_joint_log_proba(new[["a", "b"]].iloc[:1]))
    np.testing.assert_allclose(joint, np.exp(hidden.log_prior_) * naive_b)


def test_a_model_too_large_to_keep_its_blocks_predicts_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 5)), rng.integers(0, 2, 60)
    for make in (HiddenNaiveBayes, AveragedOneDependence):
        kept = make(categorical_features="all").fit(X, y)
        monkeypatch.setattr(pair_module, "_BYTES_TO_KEEP", 0)
        lean = make(categorical_features="all").fit(X, y)
        monkeypatch.undo()
        assert kept._blocks is not None
        assert lean._blocks is None
        # The kernel adds the numbers of two columns first.
        np.testing.assert_allclose(kept.predict_proba(X), lean.predict_proba(X), rtol=1e-13)


def test_many_columns_do_not_underflow():
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    X = (rng.random((40, 1200)) < 0.5 + 0.02 * y[:, None]).astype(int)
    for model in (
        HiddenNaiveBayes(categorical_features="all"),
        AveragedOneDependence(categorical_features="all"),
    ):
        log_proba = model.fit(X, y).predict_log_proba(X)
        assert np.isfinite(log_proba).all()
        assert (model.predict(X) == y).mean() > 0.9


def test_predictions_in_pieces_are_the_same(monkeypatch):
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 3, (200, 4)), rng.integers(0, 3, 200)
    model = AveragedOneDependence(categorical_features="all").fit(X, y)
    expected = model.predict_proba(X)
    monkeypatch.setattr("augury.generative.averaged_one_dependence._TERMS_AT_ONCE", 50)
    np.testing.assert_array_equal(model.predict_proba(X), expected)


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (
            HiddenNaiveBayes(alpha="none"),
            ValueError,
            "HiddenNaiveBayes: alpha must be 'm-estimate' or a number >= 0, got 'none'",
        ),
        (
            HiddenNaiveBayes(alpha=-1.0),
            ValueError,
            "HiddenNaiveBayes: alpha must be 'm-estimate' or a number >= 0, got -1.0",
        ),
        (
            HiddenNaiveBayes(alpha=True),
            TypeError,
            "HiddenNaiveBayes: alpha must be 'm-estimate' or a number >= 0, got True",
        ),
        (
            AveragedOneDependence(alpha=-1),
            ValueError,
            "AveragedOneDependence: alpha must be a number >= 0, got -1",
        ),
        (HiddenNaiveBayes(priors=[1.0]), ValueError, "priors must be 2 probabilities"),
        (AveragedOneDependence(n_parents=3), ValueError, "n_parents must be 1 or 2, got 3"),
        (
            AveragedOneDependence(n_parents=0),
            ValueError,
            "n_parents must be an integer >= 1, got 0",
        ),
        (
            AveragedOneDependence(frequency_limit=-1),
            ValueError,
            "frequency_limit must be an integer >= 0",
        ),
        (HiddenNaiveBayes(discretizer=None), ValueError, "discretizer must be .* got None"),
    ],
)
def test_bad_parameters(model, error, message):
    with pytest.raises(error, match=message):
        model.fit([["a"], ["b"]], [0, 1])


@pytest.mark.parametrize(
    "model",
    [
        HiddenNaiveBayes(alpha=0),
        AveragedOneDependence(alpha=0),
        AveragedOneDependence(n_parents=2, alpha=0),
    ],
    ids=str,
)
def test_without_smoothing_all_logs_are_finite(model):
    X = pd.DataFrame({"a": list("xyxyx"), "b": list("uuvvu"), "c": list("sttss")})
    model.fit(X, pd.Categorical([0, 1, 0, 1, 1], categories=[0, 1, 2]))
    joint = model.predict_joint_log_proba(X)
    assert np.isfinite(joint).all()
    assert (joint.argmax(axis=1) != 2).all()  # a class without rows


def test_priors_of_ones_own():
    X, y = [["a", "u"], ["b", "v"]], [0, 1]
    model = HiddenNaiveBayes(priors=[0.9, 0.1]).fit(X, y)
    np.testing.assert_allclose(np.exp(model.log_prior_), [0.9, 0.1])


def test_no_influence_is_negative():
    # Without its terms below 1e-6 this information sums to less than nothing.
    n = 20_000
    a, b, c = np.zeros((3, n), dtype=int)
    a[:14], b[10:24], c[:60], c[5000:9000], b[10_001] = 1, 1, 1, 1, 1
    X, y = np.column_stack([a, b, c]), np.arange(n) % 2
    model = HiddenNaiveBayes(categorical_features="all").fit(X, y)
    assert (model.weights_ >= 0).all()
    assert (model.predict_proba([[0, 1, 0]]) > 0.01).all()


def test_a_column_without_any_state():
    X = pd.DataFrame({"a": pd.Categorical(list("xyxy")), "b": pd.Categorical([None] * 4, [])})
    for n_parents in (1, 2):
        model = AveragedOneDependence(n_parents=n_parents, missing="ignore").fit(X, [0, 1, 0, 1])
        assert model.predict(X).tolist() == [0, 1, 0, 1]


def test_parameters_set_after_fit_wait_for_the_next_fit():
    X, y = [["a", "u"], ["b", "v"], ["a", "v"]], [0, 1, 1]
    model = AveragedOneDependence().fit(X, y)
    expected = model.predict_proba(X)
    model.set_params(n_parents=2, frequency_limit=9)
    np.testing.assert_array_equal(model.predict_proba(X), expected)


def test_too_many_pairs_are_refused_with_advice(monkeypatch):
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 1 << 28)
    X = np.arange(60_000).repeat(5)[:, None].repeat(8, axis=1)  # five rows of each label
    with pytest.raises(ValueError, match=r"'x0' \(60,000\).*leave these columns out"):
        HiddenNaiveBayes(categorical_features="all").fit(X, np.arange(len(X)) % 2)
