"""Scores of whole networks as WEKA states them, and BDeu as pyAgrum and pgmpy do."""

import json
from pathlib import Path

import numpy as np
import pytest

from augury.data import load_dataset
from augury.generative import BayesianNetworkClassifier, TrainingCounts
from augury.structure import FamilyScores, HillClimb, Structure, bdeu

DATASETS = [
    "breast-cancer",
    "credit-a",
    "glass",
    "heart-statlog",
    "iris",
    "kr-vs-kp",
    "lymph",
    "soybean",
    "vote",
    "zoo",
]


def read(shared_data, name):
    """Return the counts of a whole set, prepared as the golden file says, and its columns."""
    data = load_dataset(name, data_dir=shared_data / "data" / "uci36")
    model = BayesianNetworkClassifier(missing="replace")
    training = model.read_training(data.X, data.y)
    counts = TrainingCounts(training, model.encoder_.n_states_, len(model.classes_))
    return counts, list(model.encoder_.table_names_)


def structure_of(nodes, names, n_states):
    (class_name,) = set(nodes) - set(names)
    number = {name: i for i, name in enumerate([*names, class_name])}
    for name, state_count in zip(names, n_states, strict=True):
        assert nodes[name]["values"] == state_count
    return Structure.from_nodes(
        [[number[p] for p in nodes[name]["parents_text"].split()] for name in number]
    )


@pytest.mark.parametrize("name", DATASETS)
def test_weka_networks(shared_data, name):
    golden = json.loads((shared_data / "golden" / "weka-bayesnet-scores.json").read_text())
    networks = golden["networks"][name]
    assert sorted(golden["networks"]) == DATASETS
    counts, names = read(shared_data, name)
    for network in networks.values():
        structure = structure_of(network["structure"], names, counts.n_states)
        for score, expected in network["scores"].items():
            families = FamilyScores(counts, score.lower(), class_is_parent=False)
            # WEKA's LL, MDL and AIC were computed with a prior of 1e-12.
            np.testing.assert_allclose(
                families.total(structure), expected, rtol=1e-12 if score == "K2" else 1e-9
            )


def test_our_search_is_not_below_weka_s(shared_data):
    """The same start, moves, score and number of parents; ties may lead elsewhere."""
    golden = json.loads((shared_data / "golden" / "weka-bayesnet-scores.json").read_text())
    gains = {}
    for name in DATASETS:
        theirs = golden["networks"][name]["hill climbing from naive Bayes, MDL, at most 2 parents"]
        counts, _ = read(shared_data, name)
        search = HillClimb("mdl", max_parents=2, class_is_parent=False)
        ours = FamilyScores(counts, "mdl", class_is_parent=False).total(search.learn(counts))
        gains[name] = ours / theirs["scores"]["MDL"] - 1  # of negative numbers: below 0 is better
    assert sum(gain < 1e-9 for gain in gains.values()) >= 9, gains
    assert max(gains.values()) < 0.005, gains


def test_bdeu_of_other_programs():
    file = Path(__file__).with_name("bdeu-of-other-programs.json")
    families = json.loads(file.read_text())["families"]
    assert sum(0 in np.sum(family["counts"], axis=1) for family in families) >= 5
    for family in families:
        counts = np.array(family["counts"])
        np.testing.assert_allclose(bdeu(counts, 1.0), family["pyagrum_ess_1"], atol=1e-5)
        if "pgmpy_ess_10" in family:
            np.testing.assert_allclose(bdeu(counts, 10.0), family["pgmpy_ess_10"], rtol=1e-12)
    assert sum("pgmpy_ess_10" in family for family in families) == 5
