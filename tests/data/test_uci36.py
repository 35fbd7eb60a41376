"""The 36 files of the papers, against data/README.md and an independent reader."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff as scipy_arff

from augury.data import IdentifierWarning, load_dataset, read_table
from augury.data.catalogue import UCI_SETS

NAMES = [entry.name for entry in UCI_SETS]

# SciPy does not read padded labels, ranges and some other forms.
SCIPY_FAILS = {"anneal.ORIG", "soybean", "breast-w", "zoo"}
EMPTY_CLASSES = {
    "heart-c": 3,
    "heart-h": 3,
    "anneal": 1,
    "anneal.ORIG": 1,
    "autos": 1,
    "glass": 1,
    "primary-tumor": 1,
}
IDENTIFIERS = {"colic.ORIG": "Hospital Number", "splice": "Instance_name", "zoo": "animal"}


@pytest.mark.parametrize("name", NAMES)
def test_loads_without_a_warning(name, shared_data):
    dataset = load_dataset(name, shared_data)  # compares rows, columns, gaps and classes
    assert dataset.name == name
    assert dataset.dropped == tuple([IDENTIFIERS[name]] if name in IDENTIFIERS else [])
    assert len(dataset.classes) - dataset.y.nunique() == EMPTY_CLASSES.get(name, 0)
    kinds = {str(dtype) for dtype in dataset.X.dtypes}
    assert kinds <= {"category", "float64"}
    assert (
        np.isfinite(dataset.X.select_dtypes("float64")).sum().sum()
        + int(dataset.X.select_dtypes("float64").isna().sum().sum())
        == dataset.X.select_dtypes("float64").size
    )


@pytest.mark.parametrize("name", NAMES)
def test_target_is_last_and_only_identifiers_are_reported(name, shared_data):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dataset = read_table(shared_data / "data" / "uci36" / f"{name}.arff")
    assert dataset.target == next(e.target for e in UCI_SETS if e.name == name)
    if name in IDENTIFIERS:
        assert [warning.category for warning in caught] == [IdentifierWarning]
        assert repr(IDENTIFIERS[name]) in str(caught[0].message)
    else:
        assert not caught


@pytest.mark.parametrize("name", sorted(set(NAMES) - SCIPY_FAILS))
def test_equals_scipy(name, shared_data):
    path = shared_data / "data" / "uci36" / f"{name}.arff"
    records, meta = scipy_arff.loadarff(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IdentifierWarning)
        ours = read_table(path)
    frame = pd.concat([ours.X, ours.y], axis=1)
    # SciPy keeps the quotes around names of one letter.
    assert list(frame) == [column.strip("'") for column in meta.names()]
    frame.columns = meta.names()
    for column, kind in zip(meta.names(), meta.types(), strict=True):
        if kind == "numeric":
            np.testing.assert_array_equal(frame[column], records[column])
            continue
        declared = [label.strip() for label in meta[column][1]]
        assert list(frame[column].cat.categories) == declared
        theirs = [value.decode() for value in records[column]]
        # SciPy does not distinguish the label '?' of anneal from a missing value.
        assert frame[column].astype(object).fillna("?").tolist() == theirs


def test_question_mark_of_anneal(shared_data):
    label = load_dataset("anneal", shared_data).X["family"]
    missing = load_dataset("anneal.ORIG", shared_data).X["family"]
    assert label.cat.categories[0] == "?"
    assert "?" not in missing.cat.categories
    assert (label == "?").sum() == missing.isna().sum() > 0


@pytest.mark.parametrize("name", ["hypothyroid", "sick"])
def test_column_without_any_value(name, shared_data):
    assert load_dataset(name, shared_data).X["TBG"].isna().all()
