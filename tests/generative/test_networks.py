"""TAN, KDB and networks of a given structure."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from augury.generative import (
    BayesianNetworkClassifier,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.structure import Structure


def random_table(seed, n=60, n_states=(2, 3, 2, 2, 3)):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    columns = [rng.integers(0, n_states[0], n)]
    for v in n_states[1:]:  # each leans on the one before and on the class
        columns.append((columns[-1] * rng.integers(0, 2, n) + y + rng.integers(0, 2, n)) % v)
    codes = np.column_stack(columns)
    X = pd.DataFrame(
        {
            f"c{j}": pd.Categorical.from_codes(codes[:, j], [f"s{k}" for k in range(v)])
            for j, v in enumerate(n_states)
        }
    )
    return X, codes, y


def log_likelihood(codes, y, parents):
    """Log likelihood at its maximum: relative frequencies, family by family."""
    total = 0.0
    for i, above in enumerate(parents):
        for row in range(len(y)):
            same = y == y[row]
            for j in above:
                same = same & (codes[:, j] == codes[row, j])
            total += np.log(np.sum(same & (codes[:, i] == codes[row, i])) / np.sum(same))
    return total


def all_trees(n):
    for edges in combinations(combinations(range(n), 2), n - 1):
        reached, todo, parents = {0}, [0], [()] * n
        while todo:
            a = todo.pop()
            for edge in edges:
                if a in edge:
                    b = edge[0] + edge[1] - a
                    if b not in reached:
                        reached.add(b)
                        todo.append(b)
                        parents[b] = (a,)
        if len(reached) == n:
            yield tuple(parents)


@pytest.mark.parametrize("seed", [0, 1])
def test_no_tree_is_more_likely_than_the_learned_one(seed):
    X, codes, y = random_table(seed)
    model = TreeAugmentedNaiveBayes().fit(X, y)
    best = max(log_likelihood(codes, y, parents) for parents in all_trees(5))
    learned = log_likelihood(codes, y, model.structure_.parents)
    np.testing.assert_allclose(learned, best, rtol=1e-12)


def test_k_dependence_by_hand():
    # b copies the class, a copies b in class 1 only, c is noise that follows a.
    X = pd.DataFrame({"a": list("xxyyxyxy"), "b": list("uuuuvvvv"), "c": list("ppqqpqpq")})
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    model = KDependenceBayes(k=1).fit(X, y)
    # I(b; C) = 1, I(a; C) = I(c; C) = 0: b enters first, then a, then c.
    # Given the class b is constant, so a takes b for want of others; c takes a, its twin.
    assert model.structure_.parents == ((1,), (), (0,))
    assert KDependenceBayes(k=2).fit(X, y).structure_.parents == ((1,), (), (0, 1))


@pytest.mark.parametrize("equivalent_sample_size", [0.0, 5.0])
def test_no_parents_is_naive_bayes(equivalent_sample_size):
    X, _, y = random_table(2)
    expected = NaiveBayes().fit(X, y).predict_joint_log_proba(X)
    for model in (
        KDependenceBayes(k=0, alpha=1.0, equivalent_sample_size=equivalent_sample_size),
        BayesianNetworkClassifier(
            max_parents=0, alpha=1.0, equivalent_sample_size=equivalent_sample_size
        ),
        BayesianNetworkClassifier(
            Structure.empty(5), alpha=1.0, equivalent_sample_size=equivalent_sample_size
        ),
    ):
        np.testing.assert_allclose(model.fit(X, y).predict_joint_log_proba(X), expected)


def every_row(X):
    rows = list(product(*(X[name].cat.categories for name in X.columns)))
    return pd.DataFrame(
        {
            name: pd.Categorical([row[j] for row in rows], categories=X[name].cat.categories)
            for j, name in enumerate(X.columns)
        }
    )


@pytest.mark.parametrize(
    "model",
    [
        TreeAugmentedNaiveBayes(),
        TreeAugmentedNaiveBayes(alpha=0.5, equivalent_sample_size=0),
        KDependenceBayes(k=2),
        KDependenceBayes(k=3, alpha=0),
        BayesianNetworkClassifier(Structure(((1, 4), (), (0, 1, 4), (2,), ()))),
    ],
)
def test_the_joint_sums_to_one(model):
    X, _, y = random_table(3, n=25)
    model.fit(X, y)
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(every_row(X))).sum(), 1.0)


def test_a_given_structure_is_its_explicit_product():
    X, codes, y = random_table(4)
    parents = ((1,), (), (0, 1), (), (3,))
    model = BayesianNetworkClassifier(
        Structure(parents), alpha=1.0, equivalent_sample_size=0.0
    ).fit(X, y)
    got = np.exp(model.predict_joint_log_proba(X))
    n_states = (2, 3, 2, 2, 3)
    for row in range(len(y)):
        for c in (0, 1):
            expected = (np.sum(y == c) + 1) / (len(y) + 2)
            for i, above in enumerate(parents):
                same = y == c
                for j in above:
                    same = same & (codes[:, j] == codes[row, j])
                hits = np.sum(same & (codes[:, i] == codes[row, i]))
                expected *= (hits + 1) / (np.sum(same) + n_states[i])
            np.testing.assert_allclose(got[row, c], expected)


def test_an_unknown_parent_is_summed_over_and_an_unknown_child_left_out():
    X = pd.DataFrame({"a": list("xxyy"), "b": list("uvuv")})
    y = [0, 1, 0, 1]
    model = BayesianNetworkClassifier(Structure(((), (0,)))).fit(X, y)
    alone = NaiveBayes().fit(X[["b"]], y)
    row = pd.DataFrame({"a": ["never"], "b": ["u"]})
    np.testing.assert_allclose(model.predict_proba(row), alone.predict_proba(row[["b"]]))
    first = NaiveBayes().fit(X[["a"]], y)
    row = pd.DataFrame({"a": ["x"], "b": ["never"]})
    np.testing.assert_allclose(model.predict_proba(row), first.predict_proba(row[["a"]]))


def test_a_learner_sees_the_counts():
    class FirstOfAll:
        def learn(self, counts):
            assert counts.pairs().of_columns(0, 1).sum() == 60
            assert counts.family(1, (0,)).sum() == 60
            assert counts.n_classes == 2
            return Structure.from_edges(len(counts.n_states), [(0, 1), (0, 2)])

    X, _, y = random_table(5)
    model = BayesianNetworkClassifier(FirstOfAll()).fit(X, y)
    assert model.structure_.edges == [(0, 1), (0, 2)]


def test_later_rows_may_change_the_tree_but_not_other_structures():
    X, _, y = random_table(6, n=120)
    whole = TreeAugmentedNaiveBayes().fit(X, y)
    batches = TreeAugmentedNaiveBayes().partial_fit(X[:40], y[:40], classes=[0, 1])
    batches.partial_fit(X[40:], y[40:])
    assert batches.structure_ == whole.structure_
    np.testing.assert_allclose(batches.predict_proba(X), whole.predict_proba(X))
    dependent = KDependenceBayes(k=1).partial_fit(X[:40], y[:40], classes=[0, 1])
    before = dependent.structure_
    assert dependent.partial_fit(X[40:], y[40:]).structure_ == before


def test_blocks_of_rows_change_nothing(read_in_blocks_of):
    X, _, y = random_table(7, n=50)
    models = (TreeAugmentedNaiveBayes(), KDependenceBayes(k=2))
    expected = [model.fit(X, y).predict_proba(X) for model in models]
    read_in_blocks_of(35)
    for model, proba in zip(models, expected, strict=True):
        np.testing.assert_allclose(model.fit(X, y).predict_proba(X), proba, rtol=1e-12)


def test_drawings_and_explanations():
    X, _, y = random_table(8)
    model = KDependenceBayes(k=1).fit(X, y)
    assert model.draw().count("class") == 5
    assert model.draw("dot").startswith("digraph")
    assert model.draw("svg").startswith("<svg")
    with pytest.raises(ValueError, match="form must be one of 'text', 'dot', 'svg', got 'png'"):
        model.draw("png")
    log_proba = model.predict_log_proba(X)
    odds = model.explain(X)
    assert odds.columns.tolist() == ["prior", *X.columns]
    np.testing.assert_allclose(odds.sum(axis=1), log_proba[:, 1] - log_proba[:, 0])


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (KDependenceBayes(k=-1), ValueError, "KDependenceBayes: k must be an integer >= 0, got -1"),
        (
            KDependenceBayes(equivalent_sample_size=-1),
            ValueError,
            "equivalent_sample_size must be a number >= 0",
        ),
        (TreeAugmentedNaiveBayes(alpha=-1), ValueError, "alpha must be a number >= 0, got -1"),
        (
            BayesianNetworkClassifier("tan"),
            TypeError,
            "structure must be a Structure, have a method learn",
        ),
        (
            BayesianNetworkClassifier(Structure.empty(3)),
            ValueError,
            "structure must have 5 columns.*got 3",
        ),
        (TreeAugmentedNaiveBayes(discretizer=None), ValueError, "discretizer must be .* got None"),
    ],
)
def test_bad_parameters(model, error, message):
    X, _, y = random_table(9)
    with pytest.raises(error, match=message):
        model.fit(X, y)


def test_drawing_needs_a_fit():
    with pytest.raises(NotFittedError):
        TreeAugmentedNaiveBayes().draw()


def test_a_learner_must_be_one_and_return_a_structure():
    class Lost:
        def learn(self, counts):
            return None

    X, _, y = random_table(1)
    with pytest.raises(TypeError, match=r"structure\.learn must return a Structure, got None"):
        BayesianNetworkClassifier(Lost()).fit(X, y)
    with pytest.raises(TypeError, match="structure must be a Structure"):
        BayesianNetworkClassifier(Lost).fit(X, y)
