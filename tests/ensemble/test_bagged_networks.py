"""Bagging-aCLL."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from augury.data.synthetic import make_random_network, sample_network
from augury.encode.row_keys import hash_rows
from augury.ensemble import BaggedNetworks
from augury.generative import BayesianNetworkClassifier
from augury.structure import HillClimb


def dependent(n=300, seed=0):
    network = make_random_network(6, 3, 2, max_parents=2, random_state=seed)
    data = sample_network(n, *network, random_state=seed)
    return data.X, data.y


def test_members_are_networks_of_bootstrap_samples_from_different_start_nodes():
    X, y = dependent()
    model = BaggedNetworks(n_estimators=12, random_state=1).fit(X, y)
    starts = [member.structure.start_node for member in model.estimators_]
    assert sorted(starts[:6]) == list(range(6))  # all columns before one is repeated
    assert starts[6:] == starts[:6] != sorted(starts[:6])
    assert len({member.structure_ for member in model.estimators_}) > 3
    for member in model.estimators_:
        assert member.statistics_.class_counts.sum() == 300
        assert (member.statistics_.class_counts % 1 == 0).all()
    # About 63 % of the rows are in a sample: some weights are 0, and some above 1.
    samples = {tuple(member.statistics_.class_counts) for member in model.estimators_}
    assert len(samples) > 3


def test_start_nodes_that_repeat_by_chance_and_none():
    X, y = dependent()
    model = BaggedNetworks(n_estimators=6, start_nodes="random", random_state=1).fit(X, y)
    starts = [member.structure.start_node for member in model.estimators_]
    assert len(set(starts)) < 6
    steepest = BaggedNetworks(n_estimators=6, start_nodes=None, random_state=1).fit(X, y)
    for member in steepest.estimators_:
        assert member.structure == HillClimb("acll", max_parents=2)
    # The search does not change the first sample.
    first, other = model.estimators_[0], steepest.estimators_[0]
    assert (first.statistics_.class_counts == other.statistics_.class_counts).all()


def test_a_member_is_what_its_rows_say():
    """Each is the network that a search from its start node finds in its rows."""
    X, y = dependent()
    model = BaggedNetworks(n_estimators=3, max_parents=1, random_state=1).fit(X, y)
    plain = BayesianNetworkClassifier(HillClimb("acll", max_parents=1, start_node=0)).fit(X, y)
    assert type(model.estimators_[0]) is type(plain)
    for member in model.estimators_:
        again = clone(member).fit_read(_as_drawn(model, member, X, y))
        assert again.structure_ == member.structure_


def _as_drawn(model, member, X, y):
    # The rows of a member are known by their counts only; all rows, weighed to fit them,
    # would need the draw itself, which `random_state` gives again.
    twin = clone(model)
    drawn = []

    class Spy:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def reweighted(self, weight):
            drawn.append(self.inner.reweighted(weight))
            return drawn[-1]

        def __iter__(self):
            return iter(self.inner)

    template = twin._make_template()
    training = twin._read_training(template, X, y, None)
    twin._fit_members(template, Spy(training))
    return drawn[model.estimators_.index(member)]


def test_votes_and_probabilities():
    X, y = dependent()
    hard = BaggedNetworks(n_estimators=7, random_state=0).fit(X, y)
    soft = BaggedNetworks(n_estimators=7, voting="soft", random_state=0).fit(X, y)
    members = hard.estimators_
    assert [m.structure_ for m in members] == [m.structure_ for m in soft.estimators_]
    votes = np.stack([member.predict(X) for member in members])
    for k, name in enumerate(hard.classes_):
        share = ((votes == name).sum(axis=0) + 0.5) / 8
        np.testing.assert_allclose(hard.predict_proba(X)[:, k], share)
    mean = np.mean([member.predict_proba(X) for member in members], axis=0)
    np.testing.assert_allclose(soft.predict_proba(X), mean)
    assert (soft.predict(X) == soft.classes_[mean.argmax(axis=1)]).all()


def test_out_of_bag_accuracy_is_honest():
    """With a class that nothing tells of, only rows that a member has seen look easy."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"c{j}": rng.integers(0, 8, 200).astype(str) for j in range(6)})
    y = rng.integers(0, 2, 200)
    model = BaggedNetworks(n_estimators=15, random_state=0, equivalent_sample_size=0).fit(X, y)
    assert model.score(X, y) > 0.85
    assert abs(model.oob_score_ - 0.5) < 0.12
    X, y = dependent(n=600)
    model = BaggedNetworks(n_estimators=20, random_state=0).fit(X[:400], y[:400])
    assert abs(model.oob_score_ - model.score(X[400:], y[400:])) < 0.06


def test_seeds_jobs_blocks_and_the_order_of_the_rows(read_in_blocks_of):
    X, y = dependent()
    model = BaggedNetworks(n_estimators=6, random_state=3)
    expected = clone(model).fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    other = clone(model).set_params(random_state=4).fit(X, y)
    assert [m.structure_ for m in other.estimators_] != [m.structure_ for m in expected.estimators_]
    same = [
        clone(model).fit(X, y),
        clone(model).set_params(n_jobs=2).fit(X, y),
        clone(model).fit(X.iloc[order], y.iloc[order]),
    ]
    read_in_blocks_of(500)
    same.append(clone(model).fit(X, y))
    for twin in same:
        assert [m.structure_ for m in twin.estimators_] == [
            m.structure_ for m in expected.estimators_
        ]
        np.testing.assert_allclose(twin.predict_proba(X), expected.predict_proba(X))
        np.testing.assert_allclose(twin.oob_score_, expected.oob_score_)


def test_weights_of_a_whole_population(monkeypatch):
    """Not every one of a billion rows is drawn by itself."""
    X, y = dependent()
    weight = np.random.default_rng(0).random(300) * 1e9
    model = BaggedNetworks(n_estimators=2, random_state=0).fit(X, y, sample_weight=weight)
    for member in model.estimators_:
        np.testing.assert_allclose(member.statistics_.class_counts.sum(), weight.sum(), rtol=1e-9)
    # Drawn so, rows follow the same law: their order and repetition change nothing.
    monkeypatch.setattr("augury.ensemble.sampling.bootstrap._MAX_SINGLE_DRAWS", 0)
    few = clone(model).fit(X, y, sample_weight=np.full(300, 2.0))
    counts = [member.statistics_.class_counts for member in few.estimators_]
    assert not np.array_equal(counts[0], counts[1])
    order = np.random.default_rng(1).permutation(np.repeat(np.arange(300), 2))
    repeated = clone(model).fit(X.iloc[order], y.iloc[order])
    np.testing.assert_allclose(repeated.predict_proba(X), few.predict_proba(X))
    for member, expected in zip(repeated.estimators_, counts, strict=True):
        np.testing.assert_allclose(member.statistics_.class_counts, expected)


def test_one_round_that_sees_every_row_has_no_out_of_bag_score():
    X = pd.DataFrame({"c": ["a", "b"]})
    for seed in range(50):
        model = BaggedNetworks(n_estimators=1, random_state=seed).fit(X, [0, 1])
        if model.estimators_[0].statistics_.class_counts.min() == 1:
            assert np.isnan(model.oob_score_)
            return
    raise AssertionError("no seed draws both rows")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": 0}, "BaggedNetworks: n_estimators must be an integer >= 1, got 0"),
        ({"voting": "loud"}, "voting must be one of 'hard', 'soft', got 'loud'"),
        ({"start_nodes": "all"}, "start_nodes must be one of 'distinct', 'random', got 'all'"),
        ({"structure_score": "gini"}, "BaggedNetworks: structure_score must be one of"),
        ({"alpha": -1}, "alpha must be a number >= 0, got -1"),
        ({"discretizer": None}, "discretizer must be"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = dependent(n=20)
    with pytest.raises(ValueError, match=message):
        BaggedNetworks(**parameters).fit(X, y)


def test_different_rows_have_different_hashes():
    rows = np.array(list(product(range(3), repeat=7)), dtype=np.uint8)
    for y in (np.zeros(len(rows), dtype=np.int32), np.arange(len(rows), dtype=np.int32) % 2):
        assert len(np.unique(hash_rows(rows, y))) == len(rows)
    both = np.concatenate([hash_rows(rows, np.full(len(rows), c)) for c in (0, 1)])
    assert len(np.unique(both)) == 2 * len(rows)
