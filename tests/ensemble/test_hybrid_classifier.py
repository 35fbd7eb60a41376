"""The flagship: parts, weights, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from augury.ensemble import HybridClassifier
from augury.ensemble.pool.parts import make_parts
from augury.memory import TableTooLargeError


def noisy_frame(n_rows=120, seed=0):
    """Return a frame with numbers, texts, gaps and an identifier, and a class that they tell."""
    rng = np.random.default_rng(seed)
    number = rng.normal(size=n_rows)
    text = rng.choice(["red", "green", "blue"], n_rows)
    y = np.where(number + (text == "red") + rng.normal(0, 0.5, n_rows) > 0.5, "yes", "no")
    frame = pd.DataFrame(
        {
            "number": np.where(rng.random(n_rows) < 0.1, np.nan, number),
            "text": pd.Series(text).where(rng.random(n_rows) > 0.1),
            "identifier": [f"row {i}" for i in range(n_rows)],
        }
    )
    return frame, y


def test_mixed_frames_with_gaps_and_unseen_labels():
    X, y = noisy_frame()
    model = HybridClassifier().fit(X, y)
    new = X.head(5).assign(text=["never seen", None, "red", "blue", "green"], number=np.nan)
    proba = model.predict_proba(new)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert set(model.parts_) == {"trees", "kernel", "random cuts"}
    assert (model.predict(X) == y).mean() > 0.8


def test_the_pool_is_not_worse_than_its_parts_on_held_out_rows():
    X, y = noisy_frame(400)
    model = HybridClassifier(effort="fast").fit(X, y)
    assert model.held_out_log_loss_ <= model.part_log_losses_.min() + 0.01
    parts = model.describe_parts()
    assert list(parts.index) == list(model.parts_)
    np.testing.assert_array_equal(parts["weight"], model.weights_)


def test_many_classes_have_no_regression_on_log_odds():
    """Regression test: its coefficients, one for each two classes, took 29 s with 300 classes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1_200, 2)), np.arange(1_200) % 60
    model = HybridClassifier().fit(X, y)
    assert "hybrid" not in model.parts_
    assert model.predict_proba(X[:2]).shape == (2, 60)


def test_boosted_trees_and_a_regression_are_parts_of_larger_tables():
    X, y = noisy_frame(1_200)
    model = HybridClassifier().fit(X, y)
    assert set(model.parts_) == {"hybrid", "trees", "kernel", "boosting"}
    boosting = model.parts_["boosting"]
    assert boosting.n_rounds_ > 0
    held_out = model.describe_parts().loc["boosting", "held_out_log_loss"]
    assert held_out == pytest.approx(boosting.held_out_log_losses_.min(), abs=0.001)


@pytest.mark.parametrize(
    ("effort", "shape", "rounds"),
    [
        ("balanced", (999, 10, 2), None),  # few rows
        ("balanced", (5_000, 20, 2), 300),
        ("balanced", (8_000, 100, 26), 38),
        ("balanced", (80_000, 30, 26), None),  # too many steps
        ("balanced", (98_000, 10, 2), 250),
        ("balanced", (98_000, 2, 5), 250),
        ("fast", (5_000, 20, 2), None),
        ("fast", (98_000, 10, 2), 60),
        ("best", (498_000, 20, 2), 300),
    ],
)
def test_rounds_of_boosting_are_bounded_by_the_size_of_the_table(effort, shape, rounds):
    boosting = make_parts(effort, shape, 0, None).get("boosting")
    assert (boosting and boosting.max_rounds) == rounds


def test_held_out_log_loss_foretells_that_of_new_rows():
    X, y = noisy_frame(1_000, seed=3)
    X, new, y, y_new = train_test_split(X, y, random_state=0)
    model = HybridClassifier().fit(X, y)
    found = log_loss(y_new, model.predict_proba(new))
    assert found == pytest.approx(model.held_out_log_loss_, abs=0.08)


def test_random_labels_are_not_learned():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.normal(size=(300, 5))), rng.integers(0, 2, 300)
    model = HybridClassifier().fit(X, y)
    assert model.held_out_log_loss_ > 0.67
    new = pd.DataFrame(rng.normal(size=(300, 5)))
    assert log_loss(rng.integers(0, 2, 300), model.predict_proba(new)) < 0.75


@pytest.mark.parametrize("n_jobs", [2, -1])
def test_threads_do_not_change_the_result(n_jobs):
    X, y = noisy_frame()
    one = HybridClassifier(random_state=4).fit(X, y)
    other = HybridClassifier(random_state=4, n_jobs=n_jobs).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_contributions_sum_to_the_log_odds():
    X, y = noisy_frame(60)
    model = HybridClassifier(effort="fast").fit(X, y)
    explained = model.explain(X.head(3))
    proba = model.predict_proba(X.head(3))
    np.testing.assert_allclose(explained.sum(axis=1), np.log(proba[:, 1] / proba[:, 0]))


def test_a_part_that_refuses_the_table_is_left_out_with_its_reason(monkeypatch):
    from augury.discriminative import KernelClassifier

    def refuse(self, *_):
        raise TableTooLargeError("KernelClassifier", "the features", 10, 5, "", "use less")

    monkeypatch.setattr(KernelClassifier, "fit_held_out", refuse)
    X, y = noisy_frame()
    model = HybridClassifier(effort="fast").fit(X, y)
    assert set(model.parts_) == {"trees"}
    assert "KernelClassifier" in model.left_out_["kernel"]


def large_table(n_rows=20_500, n_rare=3):
    """Return numbers and labels of many different rows, and a class that has few of them."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=list("abc"))
    X["text"] = rng.choice(list("xyz"), n_rows)
    y = np.where(X["a"] + (X["text"] == "x") + rng.normal(size=n_rows) > 0, 1, 0)
    y[:n_rare] = 2
    return X, y


def test_some_rows_of_a_large_table_are_held_out():
    X, y = large_table(25_000)
    model = HybridClassifier(effort="fast").fit(X[:20_200], y[:20_200])
    assert set(model.parts_) == {"hybrid", "kernel", "boosting"}
    # The parts know the class of three rows, of which none is held out.
    assert all(2 in part.classes_ for part in model.parts_.values())
    found = log_loss(y[20_200:], model.predict_proba(X[20_200:]), labels=[0, 1, 2])
    assert found == pytest.approx(model.held_out_log_loss_, abs=0.05)


def test_a_large_table_may_have_nearly_all_its_weight_on_one_row():
    X, y = large_table()
    weight = np.full(len(y), 1e-12)
    weight[7] = 1.0
    model = HybridClassifier(effort="fast").fit(X, y, weight)
    assert np.isfinite(model.predict_proba(X.head(3))).all()


@pytest.mark.parametrize("n_rows", [14_000, 20_500])  # repeated, there are more than 20,000 rows
def test_rows_of_a_large_table_are_as_good_as_weights(n_rows):
    X, y = large_table(n_rows)
    weight = np.random.default_rng(0).integers(1, 3, len(y))
    weighted = HybridClassifier(effort="fast").fit(X, y, weight)
    rows = np.repeat(np.arange(len(y)), weight)
    repeated = HybridClassifier(effort="fast").fit(X.iloc[rows], y[rows])
    new = X.head(50)
    np.testing.assert_allclose(weighted.predict_proba(new), repeated.predict_proba(new), atol=1e-6)


def test_a_part_without_weight_is_not_asked():
    X, y = noisy_frame()
    model = HybridClassifier(effort="fast").fit(X, y)
    before = model.predict_proba(X)
    model.parts_, model.weights_ = model.parts_ | {"none": None}, np.append(model.weights_, 0.0)
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_a_class_without_rows_is_declared():
    X, y = noisy_frame()
    model = HybridClassifier(effort="fast").fit(X, pd.Categorical(y, ["no", "perhaps", "yes"]))
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), 3)
    assert proba[:, 1].max() < 0.1


def test_wine_is_solved():
    X, y = load_wine(return_X_y=True)
    model = HybridClassifier().fit(X[::2], y[::2])
    assert (model.predict(X[1::2]) == y[1::2]).mean() > 0.95


def test_an_unknown_effort_is_refused():
    X, y = noisy_frame(30)
    with pytest.raises(ValueError, match=r"HybridClassifier: effort must be .*'fast'"):
        HybridClassifier(effort="most").fit(X, y)


def test_the_held_out_loss_of_a_wide_table_is_that_of_new_rows():
    """Column weights that are learned from 110 rows of 200 columns fit these rows too well."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_110, 200))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=1_110) > 0).astype(int)
    model = HybridClassifier().fit(X[:110], y[:110])
    found = log_loss(y[110:], model.predict_proba(X[110:]))
    assert found < 0.69
    assert found < model.held_out_log_loss_ + 0.1
