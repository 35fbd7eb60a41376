"""Networks that are given with their tables."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from augury.generative import GivenNetwork
from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkError, NetworkNode
from augury.memory import TableTooLargeError
from augury.persist import ModelFileError, load_model, save_model

# rain → sprinkler, rain → wet ← sprinkler: the network of textbooks.
RAIN = NetworkNode("rain", ("yes", "no"), (), np.array([0.2, 0.8]))
SPRINKLER = NetworkNode("sprinkler", ("on", "off"), (0,), np.array([[0.01, 0.99], [0.4, 0.6]]))
WET = NetworkNode(
    "wet", ("yes", "no"), (1, 0), np.array([[[0.99, 0.01], [0.9, 0.1]], [[0.8, 0.2], [0.0, 1.0]]])
)
LAWN = DiscreteNetwork((RAIN, SPRINKLER, WET), "lawn")


def frame(**columns):
    return pd.DataFrame({name: [value] for name, value in columns.items()}, dtype=object)


def test_the_probability_of_rain_given_wet_grass():
    model = GivenNetwork(LAWN, "rain").fit()
    # Σ_s p(r) p(s | r) p(w | s, r): 0.2 (0.01 0.99 + 0.99 0.8) against 0.8 (0.4 0.9 + 0.6 0).
    yes, no = 0.2 * (0.01 * 0.99 + 0.99 * 0.8), 0.8 * 0.4 * 0.9
    found = model.predict_proba(frame(sprinkler=None, wet="yes"))
    np.testing.assert_allclose(found, [[no / (yes + no), yes / (yes + no)]])


def test_unknown_labels_are_summed_over_like_missing_values():
    model = GivenNetwork(LAWN, "rain").fit()
    missing, unseen = frame(sprinkler=None, wet="yes"), frame(sprinkler="broken", wet="yes")
    assert model.predict_proba(missing).tolist() == model.predict_proba(unseen).tolist()
    nothing = model.predict_proba(frame(sprinkler=None, wet=None))
    np.testing.assert_allclose(nothing, [[0.8, 0.2]])


def test_a_class_with_parents():
    model = GivenNetwork(LAWN, "wet").fit()
    found = model.predict_proba(frame(rain="no", sprinkler="on"))
    np.testing.assert_allclose(found, [[0.1, 0.9]])
    assert model.structure_.class_parents == (1, 0)
    np.testing.assert_allclose(
        model.predict_proba(frame(rain="no", sprinkler=None)), [[1 - 0.36, 0.36]]
    )


def test_an_impossible_row_has_probabilities():
    model = GivenNetwork(LAWN, "rain").fit()
    found = model.predict_proba(frame(sprinkler="off", wet="yes"))
    np.testing.assert_allclose(found, [[0.0, 1.0]], atol=1e-300)


def test_drawing_explaining_and_cloning():
    model = GivenNetwork(LAWN, "rain").fit()
    assert model.draw() == "sprinkler  | class\nwet        | class, sprinkler"
    row = frame(sprinkler="off", wet="yes")
    parts = model.explain(frame(sprinkler="on", wet="yes"))
    np.testing.assert_allclose(
        parts.sum(axis=1), np.log(0.2 * 0.01 * 0.99) - np.log(0.8 * 0.4 * 0.9)
    )
    copy = clone(model).fit()
    assert copy.predict_proba(row).tolist() == model.predict_proba(row).tolist()


def test_saved_and_loaded(tmp_path):
    model = GivenNetwork(LAWN, "rain").fit()
    save_model(model, tmp_path / "lawn.augury", target="rain")
    loaded = load_model(tmp_path / "lawn.augury").model
    for row in (frame(sprinkler="on", wet="no"), frame(sprinkler=None, wet="yes")):
        assert loaded.predict_proba(row).tolist() == model.predict_proba(row).tolist()


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("_log_table", np.zeros((1, 2))),
        ("_offsets", np.array([0, 3, 9])),
        ("_order", np.array([0, 1])),
        ("target", "moon"),
        ("left_out", [None]),
        ("left_out", "no list"),
        ("columns", [None, None]),
        ("named", "yes"),
    ],
)
def test_a_file_that_says_otherwise_is_refused(attribute, value, tmp_path):
    model = GivenNetwork(LAWN, "rain").fit()
    setattr(model, attribute, value)
    save_model(model, tmp_path / "lawn.augury")
    with pytest.raises(ModelFileError):
        load_model(tmp_path / "lawn.augury")


def test_parameters_that_are_wrong():
    with pytest.raises(NetworkError, match=r"target must be a node .* 'rain', 'sprinkler', 'wet'"):
        GivenNetwork(LAWN, "moon").fit()
    with pytest.raises(TypeError, match="network must be a DiscreteNetwork"):
        GivenNetwork("lawn", "rain").fit()
    with pytest.raises(NetworkError, match="classes must be 2 distinct labels"):
        GivenNetwork(LAWN, "rain", classes=[1, 1]).fit()
    with pytest.raises(NetworkError, match="columns must be plans"):
        GivenNetwork(LAWN, "rain", columns=[]).fit()
    with pytest.raises(NetworkError, match="left_out of 'wet' must be probabilities of shape"):
        GivenNetwork(LAWN, "rain", left_out=[None, None, np.zeros(3)]).fit()


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (NetworkNode("rain", ("a", "b"), (), np.array([0.5, 0.5])), "two nodes have the name"),
        (NetworkNode("x", ("a", "a"), (), np.array([0.5, 0.5])), "distinct states"),
        (NetworkNode("x", (), (), np.array([])), "at least one"),
        (NetworkNode("x", ("a", "b"), (7,), np.array([0.5, 0.5])), "must be other nodes"),
        (NetworkNode("x", ("a", "b"), (1,), np.array([[0.5, 0.5]] * 2)), "no cycle, got x -> x"),
        (NetworkNode("x", ("a", "b"), (0,), np.array([0.5, 0.5])), "of shape \\(2, 2\\)"),
        (NetworkNode("x", ("a", "b"), (), np.array([1.5, -0.5])), "numbers >= 0"),
        (NetworkNode("x", ("a", "b"), (), np.array([np.nan, 0.5])), "numbers >= 0"),
        (NetworkNode("x", ("a", "b"), (), np.array([0.6, 0.5])), "must sum to 1"),
    ],
)
def test_networks_that_are_none(node, message):
    with pytest.raises(NetworkError, match=message):
        DiscreteNetwork((RAIN, node))


def test_sums_that_do_not_fit_in_memory_are_refused():
    """A class with thirty parents of four states, none of which is known."""
    n = 30
    parents = [NetworkNode(f"x{k}", tuple("abcd"), (), np.full(4, 0.25)) for k in range(n)]
    # Each child joins two parents, so that all of them become adjacent.
    pairs = [(i, j) for i in range(n) for j in range(i)]
    children = [
        NetworkNode(f"y{i}-{j}", ("a", "b"), (i, j), np.full((4, 4, 2), 0.5)) for i, j in pairs
    ]
    target = NetworkNode("c", ("a", "b"), (0,), np.full((4, 2), 0.5))
    model = GivenNetwork(DiscreteNetwork((*parents, *children, target)), "c").fit()
    row = frame(**dict.fromkeys(model.feature_names_in_))
    row.loc[0, [name for name in row if name.startswith("y")]] = "a"
    with pytest.raises(TableTooLargeError, match="combinations of states of unknown columns"):
        model.predict_proba(row)
