import numpy as np
import pandas as pd

from augury.encode import CategoricalTable, TableEncoder
from augury.encode.matrix import number_matrix

FRAME = pd.DataFrame(
    {
        "sky": ["sun", "rain", "snow", "sun"],
        "wind": [1.0, np.nan, 3.0, 4.0],
        "flag": [True, False, True, True],
    }
)


def read(frame, **parameters):
    encoder = TableEncoder(discretizer=None, **parameters).fit(FRAME)
    return encoder.transform(frame)


def test_numbers_first_then_indicators():
    matrix = number_matrix(read(FRAME, missing="replace"))
    assert matrix.names == (
        "wind",
        "sky=rain",
        "sky=snow",
        "sky=sun",
        "flag=False",
        "flag=True",
    )
    assert matrix.features == ("wind", "sky", "flag")
    assert matrix.starts == (0, 1, 4, 6)
    np.testing.assert_allclose(matrix.values[1], [8 / 3, 1, 0, 0, 1, 0])
    assert matrix.values.dtype == np.float64


def test_a_reference_has_no_indicator():
    table = read(FRAME, missing="replace")
    first = number_matrix(table, reference=0)
    assert first.names == ("wind", "sky=snow", "sky=sun", "flag=True")
    chosen = number_matrix(table, reference=[2, 1])
    assert chosen.names == ("wind", "sky=rain", "sky=snow", "flag=False")
    np.testing.assert_array_equal(chosen.values[:, 1:], [[0, 0, 0], [1, 0, 1], [0, 1, 0], [0] * 3])


def test_a_left_out_value_has_no_indicator():
    new = pd.DataFrame({"sky": ["hail"], "wind": [2.0], "flag": [True]})
    table = read(new)
    assert number_matrix(table).values[0, 1:4].tolist() == [0, 0, 0]
    filled = number_matrix(table, reference=0, left_out=np.nan).values[0]
    np.testing.assert_array_equal(filled, [2, np.nan, np.nan, 1, 0])


def test_missing_numbers_are_indicated():
    matrix = number_matrix(read(FRAME), reference=0)
    assert matrix.names[-1] == "wind is missing=<missing>"
    assert matrix.values[:, -1].tolist() == [0, 1, 0, 0]
    assert np.isnan(matrix.values[1, 0])


def test_numbers_alone_are_not_copied():
    X = np.arange(6.0).reshape(3, 2)
    table = TableEncoder(discretizer=None).fit_transform(X)
    assert np.shares_memory(number_matrix(table).values, X)
    assert number_matrix(table).names == ("x0", "x1")


def test_a_column_with_one_state_or_none_has_no_indicator_beside_its_reference():
    table = CategoricalTable.from_codes([[0, 0], [0, 0]], n_states=[1, 0])
    matrix = number_matrix(table, reference=0)
    assert matrix.values.shape == (2, 0)
    assert matrix.features == ("x0", "x1")
    assert matrix.starts == (0, 0, 0)
    assert number_matrix(table).values.tolist() == [[1], [1]]
