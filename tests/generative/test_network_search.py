"""BayesianNetworkClassifier that searches its structure."""

import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV

from augury.data.synthetic import make_random_network, sample_network
from augury.generative import BayesianNetworkClassifier, TrainingCounts
from augury.structure import FamilyScores, HillClimb, OrderSearch, Structure, log_likelihood
from augury.structure.hill_climb import SCORES


def dependent(n=600, seed=0, **more):
    network = make_random_network(6, 3, 2, max_parents=2, random_state=seed, **more)
    data = sample_network(n, *network, random_state=seed)
    return data.X, data.y


@pytest.mark.parametrize("score", SCORES)
def test_every_score(score):
    X, y = dependent(n=150)
    model = BayesianNetworkClassifier(structure_score=score, max_parents=1).fit(X, y)
    assert max(len(above) for above in model.structure_.parents) == 1
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    naive = BayesianNetworkClassifier(max_parents=0).fit(X, y)
    assert model.score(X, y) > naive.score(X, y)


def test_the_parameter_score_does_not_hide_the_method():
    X, y = dependent(n=100)
    model = BayesianNetworkClassifier(structure_score="bic")
    assert model.get_params()["structure_score"] == "bic"
    assert "structure_score='bic'" in repr(model)
    assert clone(model).get_params() == model.get_params()
    model.set_params(structure_score="acll").fit(X, y)
    assert model.get_params()["structure_score"] == "acll"
    assert model.score(X, y) == accuracy_score(y, model.predict(X))
    again = pickle.loads(pickle.dumps(model))
    assert again.get_params()["structure_score"] == "acll"
    assert again.score(X, y) == model.score(X, y)
    search = GridSearchCV(BayesianNetworkClassifier(), {"structure_score": ["ll", "k2"]}, cv=3).fit(
        X, y
    )
    assert search.best_params_["structure_score"] in ("ll", "k2")


def test_neither_the_order_of_the_rows_nor_threads_nor_blocks_matter(read_in_blocks_of):
    X, y = dependent(n=500)
    weight = np.random.default_rng(0).random(500)
    for score, weights in product(("bic", "acll", "cll"), (None, weight)):
        model = BayesianNetworkClassifier(
            structure_score=score, max_parents=1 if score == "cll" else 2
        )
        expected = clone(model).fit(X, y, sample_weight=weights).structure_
        for seed in range(3):
            order = np.random.default_rng(seed).permutation(500)
            shuffled = None if weights is None else weights[order]
            found = clone(model).set_params(n_jobs=seed + 1)
            found.fit(X.iloc[order], y.iloc[order], sample_weight=shuffled)
            assert found.structure_ == expected
    read_in_blocks_of(1000)
    assert clone(model).fit(X, y, sample_weight=weights).structure_ == expected


def test_threads_count_the_same(monkeypatch):
    X, y = dependent(n=3000)
    expected = BayesianNetworkClassifier().fit(X, y).structure_
    monkeypatch.setattr("augury.kernels.row_threads._MIN_CELLS_PER_THREAD", 100)
    assert BayesianNetworkClassifier(n_jobs=3).fit(X, y).structure_ == expected


def gappy_counts(missing):
    X, y = dependent(n=200)
    X = X.assign(x2=X["x2"].where(np.arange(200) % 7 > 0))
    model = BayesianNetworkClassifier(missing=missing)
    return TrainingCounts(model.read_training(X, y), model.encoder_.n_states_, 2)


def each_beside(counts, columns, **options):
    """Return the table of every candidate, one by one."""
    found = {}
    candidates = np.array([k for k in range(6) if k not in columns])
    for some, tables in counts.joint_with_each(columns, candidates, **options):
        ends = np.cumsum(counts.n_states[some])
        found |= dict(zip(some.tolist(), np.split(tables, ends[:-1]), strict=True))
    assert list(found) == candidates.tolist()
    return found


@pytest.mark.parametrize("missing", ["state", "ignore"])
@pytest.mark.parametrize("columns", [(), (1,), (2, 4), (0, 2, 5)])
def test_what_is_counted_together_is_what_is_counted_alone(monkeypatch, missing, columns):
    counts = gappy_counts(missing)
    together = each_beside(counts, columns)
    for k, table in together.items():
        np.testing.assert_array_equal(table, counts.joint((k, *columns)))
        of_all = counts.joint((k, *columns), with_class=False)
        np.testing.assert_array_equal(table.sum(axis=-1), of_all)
    if columns:
        for k, table in each_beside(counts, columns, with_class=False).items():
            np.testing.assert_array_equal(table, together[k].sum(axis=-1))
    # In small parts, and without the pair counts, nothing changes.
    monkeypatch.setattr("augury.generative.bases.training_counts._CELLS_AT_ONCE", 40)
    monkeypatch.setattr("augury.generative.bases.training_counts._MAX_PAIR_CELLS", 0)
    for k, table in each_beside(gappy_counts(missing), columns).items():
        np.testing.assert_array_equal(table, together[k])


def test_the_network_that_made_the_rows_is_found():
    network = make_random_network(5, 2, 2, max_parents=1, concentration=0.3, random_state=3)
    data = sample_network(5000, *network, random_state=3)
    learned = BayesianNetworkClassifier(structure_score="bic", max_parents=1).fit(data.X, data.y)
    skeleton = {frozenset(edge) for edge in Structure(network.parents).edges}
    assert {frozenset(edge) for edge in learned.structure_.edges} == skeleton


# ---- the class as a node like any other ---------------------------------------------------

GENERAL = Structure(((), (0,), (0, 1), ()), class_parents=(0, 3), class_children=(2,))


def general_table(n=80):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (n, 4))
    y = np.where(rng.random(n) < 0.8, codes[:, 0] ^ codes[:, 3], rng.integers(0, 2, n))
    X = pd.DataFrame(
        {f"c{j}": pd.Categorical.from_codes(codes[:, j], ["s", "t"]) for j in range(4)}
    )
    return X, codes, y


def test_a_general_network_is_its_explicit_product():
    X, codes, y = general_table()
    model = BayesianNetworkClassifier(GENERAL, alpha=1.0, equivalent_sample_size=0.0).fit(X, y)

    def share(child, value, given_columns, row, given_class=None):
        same = np.ones(len(y), dtype=bool) if given_class is None else y == given_class
        for j in given_columns:
            same = same & (codes[:, j] == codes[row, j])
        return (np.sum(same & (child == value)) + 1) / (same.sum() + 2)

    joint = np.exp(model.predict_joint_log_proba(X))
    for row, c in product(range(len(y)), (0, 1)):
        x = codes[row]
        expected = (
            share(codes[:, 0], x[0], (), row)
            * share(codes[:, 1], x[1], (0,), row)
            * share(codes[:, 2], x[2], (0, 1), row, given_class=c)
            * share(codes[:, 3], x[3], (), row)
            * share(y, c, (0, 3), row)
        )
        np.testing.assert_allclose(joint[row, c], expected)
    odds = model.explain(X)
    np.testing.assert_allclose(
        odds.sum(axis=1), np.diff(model.predict_joint_log_proba(X))[:, 0], atol=1e-12
    )
    np.testing.assert_allclose(odds[["c0", "c1", "c3"]], 0, atol=1e-12)


def test_the_joint_of_a_general_network_sums_to_one():
    X, _, y = general_table(25)
    model = BayesianNetworkClassifier(GENERAL).fit(X, y)
    rows = pd.DataFrame(
        {
            name: pd.Categorical([row[j] for row in product("st", repeat=4)], ["s", "t"])
            for j, name in enumerate(X)
        }
    )
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(rows)).sum(), 1)


def test_a_parent_of_the_class_that_is_unknown_is_summed_over():
    X, _, y = general_table()
    model = BayesianNetworkClassifier(Structure(((),), (0,), ()), equivalent_sample_size=0).fit(
        X[["c0"]], y
    )
    row = pd.DataFrame({"c0": ["never"]})
    counts = np.bincount(y) + 1
    np.testing.assert_allclose(model.predict_proba(row)[0], counts / counts.sum())


def test_general_structures_are_searched_and_their_statistics_add():
    X, _, y = general_table(400)
    model = BayesianNetworkClassifier(structure_score="k2", class_is_parent=False).fit(X, y)
    assert model.structure_.class_children is not None or model.structure_.class_parents
    expected = model.predict_proba(X)
    parts = model.collect(X[:100], y[:100]) + model.collect(X[100:], y[100:])
    np.testing.assert_allclose(model.fit_statistics(parts).predict_proba(X), expected)
    for form, part in (("text", "|"), ("dot", "digraph"), ("svg", "<svg")):
        assert part in model.draw(form)
    with pytest.raises(ValueError, match="where class_is_parent is False, got 'acll'"):
        BayesianNetworkClassifier(structure_score="acll", class_is_parent=False).fit(X, y)


def test_structures_are_saved_compared_and_drawn():
    again = Structure.from_json(GENERAL.to_json())
    assert again == GENERAL
    assert GENERAL.hamming_distance(GENERAL) == 0
    turned = Structure(((1,), (), (0, 1), ()), class_parents=(0, 3), class_children=(2,))
    assert GENERAL.hamming_distance(turned) == 1
    # Without any edge: (0,1), (0,2), (1,2), and three at the class are missing.
    assert GENERAL.hamming_distance(Structure(((),) * 4, class_children=())) == 6
    assert Structure(((), ()), class_children=(1, 0)) == Structure.empty(2)
    assert Structure.from_nodes(GENERAL.nodes) == GENERAL
    assert "x3 -> class;" in GENERAL.to_dot()
    assert GENERAL.to_svg().count("marker-end") == 5
    # Not all columns have the class as a parent: which do must be seen, x2 among them.
    assert GENERAL.to_svg().count("stroke-dasharray") == 1
    assert Structure(((), (0,))).to_svg().count("stroke-dasharray") == 1
    with pytest.raises(ValueError, match="got one among or above the columns 0, 1, class"):
        Structure(((), ()), class_parents=(0,), class_children=(0, 1))
    with pytest.raises(ValueError, match="no cycle"):
        Structure(((),), class_parents=(0,))
    with pytest.raises(ValueError, match="of 4 and of 2 columns cannot be compared"):
        GENERAL.hamming_distance(Structure.empty(2))
    with pytest.raises(ValueError, match="a structure must be what to_json wrote, got 'nonsense'"):
        Structure.from_json("nonsense")
    with pytest.raises(ValueError, match="class_parents must be columns below 1"):
        Structure(((),), class_parents=(5,), class_children=())


def test_learners_see_all_of_it():
    X, y = dependent(n=300)
    by_order = BayesianNetworkClassifier(OrderSearch(score="bic", order=range(6))).fit(X, y)
    assert all(j < i for j, i in by_order.structure_.edges)
    tabu = BayesianNetworkClassifier(HillClimb("bic", tabu_length=5, n_restarts=2)).fit(X, y)
    plain = BayesianNetworkClassifier(HillClimb("bic")).fit(X, y)
    counts = TrainingCounts(plain.read_training(X, y), plain.encoder_.n_states_, 2)
    scores = FamilyScores(counts, "bic")
    assert scores.total(tabu.structure_) >= scores.total(plain.structure_) - 1e-9
    assert log_likelihood(counts.class_counts[None]) < 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"structure_score": "accuracy"},
            "BayesianNetworkClassifier: structure_score must be one of .*got 'accuracy'",
        ),
        ({"class_is_parent": "no"}, "class_is_parent must be True or False, got 'no'"),
        ({"max_parents": 1.5}, "max_parents must be an integer >= 0, got 1.5"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = dependent(n=20)
    with pytest.raises((TypeError, ValueError), match=message):
        BayesianNetworkClassifier(**parameters).fit(X, y)
