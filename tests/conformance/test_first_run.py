"""Correct predictions in each fold of the first of ten runs, on all sets of the 2022 paper.

`first-run.csv` was written by version 0.1, whose means and deviations over all ten runs are those
of WEKA (test_weka_accuracy.py, test_weka_neighbors.py, test_weka_trees.py) and of the paper
(papers/test_hybrid_2022.py). The ten runs take ten times as long: `make test-long`.
"""

import csv
from pathlib import Path

import pytest

from augury.data import load_dataset
from augury.discriminative import C45Tree, KNearestNeighbors
from augury.evaluate import WekaFolds, cross_validate
from augury.generative import AveragedOneDependence, HiddenNaiveBayes
from augury.papers import find_paper

PAPER = find_paper("hybrid-2022")
MODELS = {
    "NB": PAPER.columns["NB"].build,
    "HNB": PAPER.columns["HNB"].build,
    "HNB (m-estimate)": HiddenNaiveBayes,
    "AODE": AveragedOneDependence,
    "KNN k=3": lambda: KNearestNeighbors(n_neighbors=3),
    "C4.5": C45Tree,
}


def read_expected():
    """Return the numbers of correct predictions, by set and model."""
    with Path(__file__).with_name("first-run.csv").open(newline="") as lines:
        expected = {}
        for row in csv.DictReader(lines):
            counts = [int(count) for count in row["correct in each fold"].split()]
            expected.setdefault(row["dataset"], {})[row["model"]] = int(row["rows"]), counts
    return expected


EXPECTED = read_expected()


def test_all_sets_and_models_are_there():
    assert sorted(EXPECTED) == sorted(PAPER.datasets)
    for models in EXPECTED.values():
        assert {"NB", "HNB", "HNB (m-estimate)", "AODE"} <= set(models) <= set(MODELS)
        assert all(len(counts) == 10 for _, counts in models.values())


@pytest.mark.parametrize("name", PAPER.datasets)
def test_correct_predictions_of_each_fold(name, shared_data):
    models = {model: MODELS[model]() for model in EXPECTED[name]}
    rows = cross_validate(
        [load_dataset(name, shared_data)], models, WekaFolds(10, 1), protocol="published"
    )
    for model, (n_rows, counts) in EXPECTED[name].items():
        folds = sorted((row.fold, row.n_test, row.accuracy) for row in rows if row.model == model)
        assert sum(n_test for _, n_test, _ in folds) == n_rows
        assert [round(accuracy * n_test) for _, n_test, accuracy in folds] == counts, model
