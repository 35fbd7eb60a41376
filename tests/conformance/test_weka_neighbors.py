"""Cross-validated accuracies of WEKA's IBk (k=3), in the published protocol."""

import csv

import pytest

from augury.data import load_dataset
from augury.discriminative.nearest_neighbors import KNearestNeighbors
from augury.evaluate import WekaFolds, cross_validate, summarize

# The smaller of the 36 sets, for the sake of time: the others agree as well, letter in one
# run, which is all that WEKA was given there.
NAMES = """autos balance-scale breast-cancer breast-w colic credit-a diabetes glass heart-c heart-h
heart-statlog hepatitis iris labor lymph primary-tumor sonar soybean vehicle vote vowel zoo"""


@pytest.mark.parametrize("name", NAMES.split())
def test_means_and_deviations_are_weka_s(name, shared_data):
    with (shared_data / "golden" / "weka-accuracy.csv").open(newline="") as lines:
        (golden,) = (row for row in csv.DictReader(lines) if row["dataset"] == name)
    models = {"KNN k=3": KNearestNeighbors(n_neighbors=3)}
    rows = cross_validate(
        [load_dataset(name, shared_data)], models, WekaFolds(), protocol="published"
    )
    [summary] = summarize(rows)
    assert summary.accuracy_mean == pytest.approx(float(golden["KNN k=3"]), abs=1e-4)
    assert summary.accuracy_std == pytest.approx(float(golden["KNN k=3 std"]), abs=1e-4)
