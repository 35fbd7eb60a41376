"""Cut points, replacements and probabilities of WEKA 3.6.14, at full precision.

`golden/weka/NAME.json` was written by WEKA itself from the whole sets: missing values
replaced, supervised discretisation, classifiers trained and asked on 100 rows.
"""

import json

import numpy as np
import pandas as pd
import pytest

from augury.data import load_dataset
from augury.encode import MDLDiscretizer, TableEncoder
from augury.generative import AveragedOneDependence, HiddenNaiveBayes, NaiveBayes

SETS = (
    "anneal.ORIG breast-cancer credit-a glass heart-c hepatitis iris kr-vs-kp lymph mushroom "
    "soybean vote vowel zoo"
).split()


@pytest.fixture(scope="module", params=SETS)
def golden(request, shared_data):
    expected = json.loads((shared_data / "golden" / "weka" / f"{request.param}.json").read_text())
    dataset = load_dataset(request.param, shared_data)
    # By number: WEKA adds up entropies in the declared order of the classes.
    y = pd.Series(
        pd.Categorical.from_codes(dataset.y.cat.codes, range(len(expected["class_labels"])))
    )
    assert dataset.y.cat.categories.tolist() == expected["class_labels"]
    return expected, dataset.X, y


def test_all_golden_files_are_tested(shared_data):
    assert sorted(f.stem for f in (shared_data / "golden" / "weka").glob("*.json")) == SETS


def test_cut_points_and_replacements_are_equal(golden):
    expected, X, y = golden
    encoder = TableEncoder(missing="replace").fit(X, y)
    for attribute, name in zip(expected["attributes"], X.columns, strict=True):
        assert name.strip("'") == attribute["name"].strip("'")
        if attribute["type"] == "numeric":
            assert encoder.cut_points_[name].tolist() == (attribute["cut_points"] or [])
        if attribute["missing_count"]:
            assert encoder.replacements_[name] == attribute["missing_replacement"]


def test_the_discretizer_alone_gives_the_same_cuts(golden):
    expected, X, y = golden
    numeric = [a for a in expected["attributes"] if a["type"] == "numeric"]
    if not numeric:
        return  # nothing to cut in this set
    numbers = X.select_dtypes("number")
    filled = numbers.fillna({a["name"]: a["missing_replacement"] for a in numeric})
    cuts = MDLDiscretizer().fit(filled, y).cut_points_
    assert [c.tolist() for c in cuts] == [a["cut_points"] or [] for a in numeric]


MODELS = {
    "NaiveBayes": NaiveBayes(),
    "HNB": HiddenNaiveBayes(alpha="m-estimate"),
    "HNB_laplace_paper": HiddenNaiveBayes(alpha=1.0),
    "AODE": AveragedOneDependence(),
}


@pytest.mark.parametrize("name", MODELS)
def test_codes_and_probabilities_are_equal(golden, name):
    expected, X, y = golden
    table = TableEncoder(missing="replace").fit(X, y).transform(X)
    model = MODELS[name].fit(table.to_frame(), y)
    rows = expected["instances"] + expected["instances_spread"]
    index = [row["index"] for row in rows]
    assert table.codes[index].tolist() == [row["value_indices"] for row in rows]
    np.testing.assert_allclose(
        model.predict_proba(table.take(index).to_frame()),
        [row[name] for row in rows],
        rtol=0,
        atol=1e-12,
    )


def test_influences_are_equal(golden):
    expected, X, y = golden
    model = HiddenNaiveBayes(missing="replace").fit(X, y)
    np.testing.assert_allclose(model.weights_, expected["hnb_cmi_weights"], rtol=0, atol=1e-12)
