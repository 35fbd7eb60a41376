"""Cross-validated accuracies of WEKA's own classes, in the published protocol."""

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


@pytest.mark.parametrize("name", find_paper("hybrid-2022").datasets)
def test_means_and_deviations_are_weka_s(name, shared_data):
    with (shared_data / "golden" / "weka-accuracy.csv").open(newline="") as lines:
        (golden,) = (row for row in csv.DictReader(lines) if row["dataset"] == name)
    rows = cross_validate([load_dataset(name, shared_data)], MODELS, protocol="published")
    for summary in summarize(rows):
        assert summary.accuracy_mean == pytest.approx(float(golden[summary.model]), abs=1e-4)
        std = float(golden[f"{summary.model} std"])
        assert summary.accuracy_std == pytest.approx(std, abs=1e-4)
