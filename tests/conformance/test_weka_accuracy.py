"""Cross-validated accuracies of WEKA's own classes, in the published protocol.

WEKA's means and deviations are over 10 x 10 folds. `make test` computes them on a few sets, and
`make test-long` on all 36. On all 36 sets, `make test` computes the first of the ten runs and
compares the correct predictions of each fold with those of a version that had all of WEKA's means
(test_first_run.py).
"""

import csv

import pytest

from augury.data import load_dataset
from augury.evaluate import cross_validate, summarize
from augury.generative import AveragedOneDependence, HiddenNaiveBayes
from augury.papers import find_paper

MODELS = {
    "HNB (m-estimate)": HiddenNaiveBayes(alpha="m-estimate"),
    "AODE": AveragedOneDependence(),
}


# Small sets with numbers, labels, missing values, two classes and more.
SHORT = ["breast-cancer", "glass", "labor", "lymph"]


@pytest.mark.parametrize(
    "name",
    [
        name if name in SHORT else pytest.param(name, marks=pytest.mark.long)
        for name in find_paper("hybrid-2022").datasets
    ],
)
def test_means_and_deviations_are_weka_s(name, shared_data):
    with (shared_data / "golden" / "weka-accuracy.csv").open(newline="") as lines:
        (golden,) = (row for row in csv.DictReader(lines) if row["dataset"] == name)
    rows = cross_validate([load_dataset(name, shared_data)], MODELS, protocol="published")
    for summary in summarize(rows):
        assert summary.accuracy_mean == pytest.approx(float(golden[summary.model]), abs=1e-4)
        std = float(golden[f"{summary.model} std"])
        assert summary.accuracy_std == pytest.approx(std, abs=1e-4)
