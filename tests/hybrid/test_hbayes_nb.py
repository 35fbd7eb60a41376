"""HBayes-NB: the fast search beside one that fits everything anew."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression as Dense

from augury.discriminative import LiblinearLogisticRegression
from augury.discriminative.solvers.one_vs_rest import fit_one_vs_rest
from augury.encode import CategoricalTable
from augury.generative import NaiveBayes
from augury.hybrid import HBayesNB, SplitClassifier
from augury.hybrid.splits.greedy_split import GreedySplit, _number


def labels(n, d, n_classes, seed, gaps=False):
    """Columns that tell of the class, some of them nearly copies of each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = np.empty((n, d), dtype=object)
    for j in range(d):
        known = rng.random(n) < 0.4
        X[:, j] = np.where(known, y, rng.integers(0, 3, n)).astype(str)
        if j:
            copied = rng.random(n) < 0.5
            X[copied, j] = X[copied, j - 1]
        if gaps:
            X[rng.random(n) < 0.1, j] = None
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(d)]), y


def search_by_refits(X, y, weight, model):
    """The words of the paper: every candidate is a whole model, fitted and scored."""

    def accuracy(columns):
        whole = SplitClassifier(
            columns,
            NaiveBayes(alpha=model.alpha, missing=model.missing),
            LiblinearLogisticRegression(
                C=model.C, encoding=model.encoding, scaling=None, missing=model.missing, tol=1e-6
            ),
        ).fit(X, y, sample_weight=weight)
        return whole.score(X, y, sample_weight=weight)

    moved, accuracies = [], [accuracy([])]
    while len(moved) < X.shape[1]:
        left = [name for name in X.columns if name not in moved]
        scores = [round(accuracy([*moved, name]), 9) for name in left]
        if max(scores) <= accuracies[-1] + 1e-9:
            break
        moved.append(left[int(np.argmax(scores))])
        accuracies.append(max(scores))
    return moved, accuracies


@pytest.mark.parametrize("encoding", ["onehot", "ordinal"])
@pytest.mark.parametrize(
    ("n_classes", "seed", "weighted", "missing"),
    [
        (2, 0, False, "state"),
        (2, 1, True, "ignore"),
        (3, 2, False, "replace"),
        (3, 3, True, "state"),
        (4, 4, False, "ignore"),
        (3, 5, False, "state"),
    ],
)
def test_the_search_is_that_of_whole_refits(encoding, n_classes, seed, weighted, missing):
    X, y = labels(70, 5, n_classes, seed, gaps=True)
    weight = np.random.default_rng(seed).integers(1, 4, 70) if weighted else None
    model = HBayesNB(C=0.5, encoding=encoding, missing=missing).fit(X, y, sample_weight=weight)
    moved, accuracies = search_by_refits(X, y, weight, model)
    assert model.moved_ == moved
    np.testing.assert_allclose(model.accuracies_, accuracies, atol=1e-9)
    assert model.score(X, y, sample_weight=weight) == pytest.approx(accuracies[-1])
    assert sorted(model.moved_) == model.discriminative_columns_


def test_the_refits_do_find_moves():
    """The comparison above is of searches that move, several columns at times."""
    n_moved = [
        len(HBayesNB(C=0.5).fit(*labels(70, 5, q, seed)).moved_)
        for q, seed in [(2, 0), (3, 2), (4, 4), (3, 5), (2, 6), (3, 7)]
    ]
    assert max(n_moved) >= 2
    assert sum(n_moved) >= 5


def test_what_raises_nothing_does_not_move():
    X, y = labels(60, 3, 2, 0)
    perfect = X.assign(c0=np.array(["no", "yes"])[y])
    model = HBayesNB().fit(perfect[["c0"]], y)
    assert model.moved_ == []
    assert model.accuracies_ == [1.0]
    alone = NaiveBayes().fit(perfect[["c0"]], y)
    np.testing.assert_allclose(
        model.predict_proba(perfect[["c0"]]), alone.predict_proba(perfect[["c0"]]), atol=1e-10
    )


@pytest.mark.parametrize("names", [["a", "copy", "b"], ["copy", "b", "a"], ["b", "a", "copy"]])
def test_ties_go_to_the_first_column(names):
    """Two columns are equal, and one of them has to move (see the class's example)."""
    no, yes = [*["xx"] * 7, *["yx"] * 2, "xy"], [*["yy"] * 7, *["xy"] * 2, "yx"]
    X = pd.DataFrame([list(row) for row in no + yes], columns=["a", "b"])
    X["copy"] = X["a"]
    model = HBayesNB(C=0.01).fit(X[names], ["no"] * 10 + ["yes"] * 10)
    assert model.moved_ == [min("a", "copy", key=names.index)]


def test_numbers_are_cut_as_both_models_cut_them():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = pd.DataFrame({"a": y + rng.normal(size=200), "b": y * 2 + rng.normal(size=200)})
    X["c"] = X["a"] + 0.1 * rng.normal(size=200)
    model = HBayesNB().fit(X, y)
    assert model.score(X, y) == pytest.approx(model.accuracies_[-1])
    assert (np.diff(model.accuracies_) > 0).all()


def test_a_class_without_rows_and_one_class_only():
    X, y = labels(60, 4, 2, 1)
    three = HBayesNB().fit(X, pd.Categorical(y * 2, categories=[0, 1, 2]))
    two = HBayesNB().fit(X, y * 2)
    assert three.moved_ == two.moved_
    only = HBayesNB().fit(X, pd.Categorical(np.zeros(60, int), categories=[0, 1]))
    assert only.moved_ == []
    assert set(only.predict(X)) == {0}


@pytest.mark.parametrize("seed", range(4))
def test_newton_s_steps_arrive_where_liblinear_does(seed):
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(12), rng.integers(0, 5, (12, 3))]).astype(float)
    counts = rng.integers(0, 6, (12, 3)).astype(float)
    coef = fit_one_vs_rest(design, counts.T.copy(), counts.sum(axis=1), C=2.0)
    rows = np.repeat(design, 3, axis=0)
    for c in range(3):
        is_class = np.tile(np.arange(3) == c, 12)
        theirs = Dense(
            C=2.0, solver="liblinear", fit_intercept=False, tol=1e-10, max_iter=10_000
        ).fit(rows, is_class, sample_weight=counts.ravel())
        np.testing.assert_allclose(coef[c], theirs.coef_[0], atol=1e-5)
    start = coef + rng.normal(size=coef.shape)
    again = fit_one_vs_rest(design, counts.T.copy(), counts.sum(axis=1), 2.0, start)
    np.testing.assert_allclose(again, coef, atol=1e-9)


def test_newton_s_steps_where_the_classes_are_apart():
    """Far from the optimum whole steps overshoot; halved ones do not."""
    design = np.column_stack([np.ones(20), np.arange(20.0) * 50])
    positives = np.array([np.arange(20) >= 10], dtype=float)
    coef = fit_one_vs_rest(design, positives, np.ones(20), C=100.0)
    proba = 1 / (1 + np.exp(-(design @ coef[0])))
    gradient = coef[0] + 100 * design.T @ (proba - positives[0])
    assert np.abs(gradient).max() < 1e-5 * 100 * 20 * 950


def test_groups_are_numbered_alike_by_a_table_and_by_sorting():
    key = np.random.default_rng(0).integers(0, 500, 300)
    seen, place = _number(key, 500)
    far, far_place = _number(key, 10**9)
    np.testing.assert_array_equal(seen, far)
    np.testing.assert_array_equal(place, far_place)
    np.testing.assert_array_equal(seen[place], key)


def test_the_search_alone():
    table = CategoricalTable.from_codes([[0, 1], [1, 0], [0, 0], [1, 1]], n_states=[2, 2])
    search = GreedySplit(table, np.array([0, 1, 0, 1]), None, 2, alpha=1.0, C=1.0, one_hot=True)
    assert search.moved == []
    assert search.accuracies == [1.0]
