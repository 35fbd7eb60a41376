"""BIF and XMLBIF files of fitted models, read again."""

import numpy as np
import pandas as pd
import pytest

from augury.ensemble import BaggedNetworks
from augury.errors import NetworkExportError, NetworkFileError
from augury.generative import (
    AveragedOneDependence,
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.interchange import read_bif, read_xmlbif, write_bif, write_xmlbif
from tests.interchange.networks.odd_rows import MODELS, fit, make_rows

X, Y, T = make_rows()
FORMATS = {"bif": (write_bif, read_bif), "xml": (write_xmlbif, read_xmlbif)}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", MODELS)
def test_round_trip_predicts_the_same(name, form, tmp_path):
    model = fit(name, X, Y)
    write, read = FORMATS[form]
    write(model, tmp_path / "net")
    given = read(tmp_path / "net")
    assert given.classes_.tolist() == model.classes_.tolist()
    assert given.feature_names_in_.tolist() == list(X)
    assert given.structure_ == getattr(model, "structure_", given.structure_)
    for rows in (X, T):
        np.testing.assert_allclose(
            given.predict_proba(rows), model.predict_proba(rows), rtol=0, atol=1e-13
        )
        assert (given.predict(rows) == model.predict(rows)).all()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["tan", "general"])
def test_a_network_that_was_read_is_written_alike(name, form, tmp_path):
    write, read = FORMATS[form]
    write(fit(name, X, Y), tmp_path / "a")
    write(read(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_cut_points_labels_and_gaps_come_back(tmp_path):
    model = fit("tan", X, Y)
    write_bif(model, tmp_path / "net.bif", target="weather")
    given = read_bif(tmp_path / "net.bif")
    assert given.target == "weather"
    assert given.encoder_.states_ == model.encoder_.states_
    assert given.encoder_.infrequent_labels_ == model.encoder_.infrequent_labels_
    for name, cuts in model.encoder_.cut_points_.items():
        assert given.encoder_.cut_points_[name].tolist() == cuts.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 1, 2]),
        np.array([True, False, True]),
        np.array([2.5, 0.5, 1e300]).astype(object),
        np.array(["b", "a", "é;"], dtype=object),
    ],
)
def test_types_of_labels_and_classes_come_back(labels, tmp_path):
    y = labels if labels.dtype != object or isinstance(labels[0], str) else np.array([3, 1, 2])
    X = pd.DataFrame({"x": np.tile(labels, 4)})
    model = NaiveBayes(categorical_features="all").fit(X, np.tile(y, 4))
    write_bif(model, tmp_path / "net.bif")
    given = read_bif(tmp_path / "net.bif")
    assert given.classes_.dtype == model.classes_.dtype
    assert [*map(type, given.encoder_.states_[0])] == [*map(type, model.encoder_.states_[0])]
    np.testing.assert_allclose(given.predict_proba(X), model.predict_proba(X), atol=1e-15)


def test_columns_without_names(tmp_path):
    model = TreeAugmentedNaiveBayes().fit([["h", "h"], ["t", "t"], ["h", "t"]], [0, 1, 1])
    write_bif(model, tmp_path / "net.bif")
    given = read_bif(tmp_path / "net.bif")
    assert not hasattr(given, "feature_names_in_")
    assert given.predict([["h", "h"], ["t", "t"]]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (HiddenNaiveBayes(), "a cycle"),
        (AveragedOneDependence(), "mean of one network for each column"),
        (CorrelationWeightedNaiveBayes(), "powers of probabilities"),
        (BaggedNetworks(n_estimators=2), "mean of many networks"),
        (NaiveBayes(continuous="gaussian"), "densities of numbers \\('wind'\\)"),
    ],
)
def test_models_that_are_no_networks_are_refused(model, reason, tmp_path):
    rows = X[["flag", "wind"]]
    with pytest.raises(NetworkExportError, match=reason):
        write_bif(model.fit(rows, Y), tmp_path / "net.bif")
    assert not (tmp_path / "net.bif").exists()


def test_the_target_must_be_named_where_no_note_names_it(tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(
        "network n { }\n"
        "variable a { type discrete [ 2 ] { 0, 1 }; }\n"
        "variable b { type discrete [ 2 ] { x, y }; }\n"
        "probability ( a ) { table 0.25, 0.75; }\n"
        "probability ( b | a ) { table 0.5 0.1 0.5 0.9; }\n"
    )
    with pytest.raises(NetworkFileError, match=r"one of the nodes 'a', 'b'$"):
        read_bif(path)
    with pytest.raises(NetworkFileError, match="got 'c'"):
        read_bif(path, target="c")
    model = read_bif(path, target="b")
    # Whole numbers are labels; the numbers of a whole table have the child first.
    found = model.predict_proba(pd.DataFrame({"a": [0, 1]}))
    np.testing.assert_allclose(found, [[0.5, 0.5], [0.1, 0.9]])
