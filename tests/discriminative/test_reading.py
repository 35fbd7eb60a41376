"""How columns become numbers: codes, indicators, and numbers beside them."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse

from augury.discriminative.readers.matrix_reader import MatrixReader
from augury.encode import TableEncoder, number_matrix

X = pd.DataFrame({"sky": ["sun", "rain", None, "sun"], "wind": [1.0, 2.0, 7.0, 9.0]})
Y = np.array([0, 0, 1, 1])
ROWS = pd.DataFrame({"sky": ["rain", "fog", None], "wind": [5.0, np.nan, 0.0]})


def test_ordinal_codes_are_numbers():
    reader = MatrixReader("ordinal")
    assert reader.learn_and_read(X, Y).tolist() == [[1, 0], [0, 0], [2, 1], [1, 1]]
    assert reader.names == ["sky", "wind"]
    # fog was not seen, and no wind was missing: the means of 1, 0, 2, 1 and of 0, 0, 1, 1.
    assert reader.read(ROWS).tolist() == [[0, 1], [1, 0.5], [2, 0]]


def test_indicators_are_those_of_the_encoder():
    reader = MatrixReader("onehot").learn(X, Y)
    expected = number_matrix(TableEncoder().fit(X, Y).transform(ROWS))
    assert reader.names == list(expected.names)
    read = reader.read(ROWS)
    assert issparse(read)
    np.testing.assert_array_equal(read.toarray(), expected.values)
    assert read.has_canonical_format
    dense = MatrixReader("onehot", sparse=False).learn(X, Y).read(ROWS)
    np.testing.assert_array_equal(dense, expected.values)


@pytest.mark.parametrize(
    ("scaling", "wind"),
    [
        (None, [5.0, 4.75, 0.0]),
        ("range", [0.5, 3.75 / 8, -1 / 8]),
        ("standardize", [0.25 / np.sqrt(11.1875), 0.0, -4.75 / np.sqrt(11.1875)]),
    ],
)
def test_numbers_stand_before_the_indicators(scaling, wind):
    reader = MatrixReader("onehot+numeric", scaling, sparse=False).learn(X, Y)
    assert reader.names[:2] == ["wind", "sky=rain"]
    read = reader.read(ROWS)
    np.testing.assert_allclose(read[:, 0], wind, atol=1e-15)
    indicators = MatrixReader("onehot", sparse=False).learn(X, Y).read(ROWS)
    np.testing.assert_array_equal(read[:, 1:], indicators)


@pytest.mark.parametrize("encoding", ["ordinal", "onehot", "onehot+numeric"])
@pytest.mark.parametrize("scaling", [None, "range", "standardize"])
def test_a_weight_is_a_number_of_rows(encoding, scaling):
    weight = np.array([1.0, 3.0, 2.0, 1.0])
    rows = np.repeat(np.arange(4), weight.astype(int))
    options = {"sparse": False, "missing": "replace"}
    weighted = MatrixReader(encoding, scaling, **options).learn(X, Y, weight)
    repeated = MatrixReader(encoding, scaling, **options).learn(X.iloc[rows], Y[rows])
    assert weighted.names == repeated.names
    np.testing.assert_allclose(weighted.read(ROWS), repeated.read(ROWS))


def test_numbers_that_are_not_cut_pass():
    reader = MatrixReader("ordinal", discretizer=None).learn(X, Y)
    assert reader.names == ["sky", "wind"]
    assert reader.read(ROWS).tolist() == [[0, 5], [1, 4.75], [2, 0]]
    only = MatrixReader("onehot", discretizer=None).learn(X[["wind"]], Y)
    assert only.read(ROWS[["wind"]]).tolist() == [[5], [4.75], [0]]
    both = MatrixReader("onehot+numeric", discretizer=None).learn(X, Y)
    assert both.names == ["wind", "sky=rain", "sky=sun", "sky=<missing>"]


def test_a_column_that_does_not_vary_or_is_empty():
    flat = pd.DataFrame({"flat": [3.0, 3.0, 3.0, 3.0], "gap": [np.nan] * 4})
    for scaling, expected in ((None, [3.0, 0.0]), ("range", [0.0, 0.0]), ("standardize", [0, 0])):
        reader = MatrixReader("onehot+numeric", scaling, sparse=False).learn(flat, Y)
        assert reader.read(flat)[0, :2].tolist() == expected


def test_numbers_too_large_are_named():
    big = pd.DataFrame({"a": [1.0, 2.0, 1.0, 2.0], "b": [1e300, -1e300, 1.0, 2.0]})
    with pytest.raises(ValueError, match="LinearSVM: column 'b' must hold numbers whose squares"):
        MatrixReader("onehot+numeric").learn(big, Y, owner="LinearSVM")
    reader = MatrixReader("onehot+numeric", "standardize", sparse=False).learn(X, Y)
    assert np.isfinite(reader.read(pd.DataFrame({"sky": ["sun"], "wind": [1e308]}))).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"encoding": "codes"}, "encoding must be one of 'ordinal', 'onehot', 'onehot\\+numeric'"),
        ({"scaling": "log"}, "scaling must be one of 'standardize', 'range', got 'log'"),
    ],
)
def test_errors_name_the_owner_and_the_parameter(parameters, message):
    with pytest.raises(ValueError, match=f"LinearSVM: {message}"):
        MatrixReader(**parameters).learn(X, Y, owner="LinearSVM")
