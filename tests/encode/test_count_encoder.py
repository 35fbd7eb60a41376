import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from augury.encode.count_encoder import CountEncoder

FRAME = pd.DataFrame(
    {
        "sky": ["sun", "rain", None, "sun"],
        "drops": [0.0, 7.0, np.nan, 1.0],
        "wet": [False, True, True, False],
        "wind": pd.Categorical(["n", "s", "n", "s"], categories=["n", "e", "s"]),
    }
)


def joined(columns):
    matrix = columns.join(columns.numbers)
    return matrix.toarray() if hasattr(matrix, "toarray") else matrix


def test_a_mixed_frame_by_hand():
    encoder = CountEncoder()
    matrix = joined(encoder.learn_and_encode(FRAME))
    names = "drops sky=rain sky=sun sky=<missing> wet=True wind=n wind=e wind=s".split()
    assert encoder.names == [*names, "drops is missing=<missing>"]
    assert encoder.features == ["drops", "sky", "wet", "wind", "drops is missing"]
    assert encoder.starts == [0, 1, 4, 5, 8, 9]
    nan = np.nan
    np.testing.assert_array_equal(
        matrix,
        [
            [0, 0, 1, 0, 0, 1, 0, 0, 0],
            [7, 1, 0, 0, 1, 0, 0, 1, 0],
            [nan, 0, 0, 1, 1, 1, 0, 0, 1],
            [1, 0, 1, 0, 0, 0, 0, 1, 0],
        ],
    )
    new = pd.DataFrame({"sky": ["fog"], "drops": [2.0], "wet": [True], "wind": ["w"]})
    assert joined(encoder.encode(new)).tolist() == [[2, 0, 0, 0, 1, 0, 0, 0, 0]]
    assert encoder.unseen_labels(new) == {"sky": ["fog"], "wind": ["w"]}
    # Learning alone, and learning from another kind of frame, give the same.
    np.testing.assert_array_equal(joined(CountEncoder().learn(FRAME).encode(FRAME)), matrix)
    polars = pl.from_pandas(FRAME[["drops", "sky", "wet"]])
    again = joined(CountEncoder().learn(polars).encode(polars))
    np.testing.assert_array_equal(again, matrix[:, [0, 1, 2, 3, 4, 8]])


@pytest.mark.parametrize("missing", ["ignore", "replace"])
def test_missing_without_a_state(missing):
    encoder = CountEncoder(missing=missing)
    row = joined(encoder.learn_and_encode(FRAME))[2]
    assert encoder.names[:4] == ["drops", "sky=rain", "sky=sun", "wet=True"]
    expected = [np.nan, 0, 0] if missing == "ignore" else [8 / 3, 0, 1]
    np.testing.assert_array_equal(row[:3], expected)


def test_numbers_only():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    gap = np.array([[np.nan, 1.0]])
    for fitted_on in (X, X.astype(int), csr_array(X), X.astype(object), pd.DataFrame(X)):
        encoder = CountEncoder(missing="replace").learn(fitted_on)
        assert not encoder.has_indicators
        if not isinstance(fitted_on, pd.DataFrame):
            assert encoder.names == ["x0", "x1"]
            assert joined(encoder.encode(gap)).tolist() == [[2, 1]]
        assert joined(encoder.encode(csr_array(X))).tolist() == X.tolist()
    weighted = CountEncoder(missing="replace").learn(X, weight=np.array([3.0, 1.0]))
    assert joined(weighted.encode(gap)).tolist() == [[1.5, 1]]
    assert CountEncoder().learn(X).encode(X).numbers is X


def test_sparse_rows_of_a_model_that_saw_dense_ones():
    gappy = np.array([[1.0, np.nan], [2.0, 3.0]])
    encoder = CountEncoder().learn(gappy)
    assert encoder.names == ["x0", "x1", "x1 is missing=<missing>"]
    assert joined(encoder.encode(csr_array([[5.0, 0.0]]))).tolist() == [[5, 0, 0]]
    with pytest.raises(ValueError, match="column 'sky' held labels in fit and must hold labels"):
        CountEncoder().learn(FRAME).encode(csr_array((1, 4)))
    with pytest.raises(ValueError, match="CountEncoder: categorical_features must be 'from_dtype'"):
        CountEncoder(categorical_features=[0]).learn(csr_array((1, 4)))


def test_numbers_that_are_labels():
    encoder = CountEncoder(categorical_features=[1])
    X = np.array([[1, 5], [2, 6]])
    assert joined(encoder.learn_and_encode(X)).tolist() == [[1, 1, 0], [2, 0, 1]]
    assert encoder.names == ["x0", "x1=5", "x1=6"]
