from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.preprocessing import StandardScaler

from augury.encode import (
    MISSING,
    CategoricalTable,
    EqualWidthDiscretizer,
    TableEncoder,
    columns,
)


def codes_of(X, y=None, **parameters):
    return TableEncoder(**parameters).fit_transform(X, y).codes.tolist()


def test_every_pandas_dtype():
    X = pd.DataFrame(
        {
            "object": pd.Series(["b", "a", None], dtype=object),
            "string": pd.Series(["b", "a", None], dtype="string"),
            "text": ["b", "a", None],
            "category": pd.Categorical(["b", "a", None], categories=["b", "c", "a"]),
            "bool": [True, False, True],
            "boolean": pd.Series([True, None, True], dtype="boolean"),
            "int": [1, 2, 3],
            "Int64": pd.Series([1, None, 3], dtype="Int64"),
            "float": [1.5, np.nan, 2.5],
            "Float64": pd.Series([1.5, None, 2.5], dtype="Float64"),
            "numbers": pd.Series([1, 2.5, None], dtype=object),
        }
    )
    table = TableEncoder(discretizer=None).fit_transform(X)
    states = dict(zip(table.names, table.states, strict=True))
    assert states["object"] == states["string"] == states["text"] == ["a", "b", MISSING]
    assert states["category"] == ["b", "c", "a", MISSING]
    assert states["bool"] == [False, True]
    assert states["boolean"] == [False, True, MISSING]
    assert table.number_names == ("int", "Int64", "float", "Float64", "numbers")
    np.testing.assert_array_equal(table.numbers[:, 1], [1, np.nan, 3])
    assert table.codes[:, :6].tolist() == [
        [1, 1, 1, 0, 1, 1],
        [0, 0, 0, 2, 0, 2],
        [2, 2, 2, 3, 1, 1],
    ]
    gaps = [name for name in table.names if name.endswith("is missing")]
    assert gaps == [f"{name} is missing" for name in ("Int64", "float", "Float64", "numbers")]


@pytest.mark.parametrize("kind", [pl.DataFrame, pa.table])
def test_polars_and_arrow_equal_pandas(kind):
    columns = {
        "text": ["b", None, "a", "b"],
        "flag": [True, False, None, True],
        "number": [0.5, None, 2.0, 7.0],
        "whole": [1, 2, 3, 4],
    }
    expected = TableEncoder(discretizer="width").fit_transform(
        pd.DataFrame(columns).astype({"flag": "boolean"})
    )
    table = TableEncoder(discretizer="width").fit_transform(kind(columns))
    assert table.names == expected.names
    assert [list(s) for s in table.states] == [list(s) for s in expected.states]
    np.testing.assert_array_equal(table.codes, expected.codes)


def test_polars_enum_is_declared_and_categorical_is_not():
    X = pl.DataFrame(
        {
            "enum": pl.Series(["b", None, "b"], dtype=pl.Enum(["b", "z", "a"])),
            "categorical": pl.Series(["b", "a", None], dtype=pl.Categorical),
        }
    )
    table = TableEncoder().fit_transform(X)
    assert [list(s) for s in table.states] == [["b", "z", "a", MISSING], ["a", "b", MISSING]]
    assert table.codes.tolist() == [[0, 1], [3, 0], [0, 2]]


def test_an_arrow_dictionary_keeps_missing_values():
    # Converting such a column to NumPy turns null into the last category, silently.
    X = pa.table({"a": pa.array(["x", None, "y"]).dictionary_encode()})
    assert codes_of(X) == [[0], [2], [1]]


def test_arrays_of_strings_objects_and_numbers():
    assert codes_of(np.array([["b"], ["a"]])) == [[1], [0]]
    assert codes_of(np.array([["b", 1.0], ["a", 2.0]], dtype=object), discretizer="width") == [
        [1, 0],
        [0, 9],
    ]
    assert codes_of([["b", 1], ["a", 2]], discretizer="width") == [[1, 0], [0, 9]]
    assert codes_of(np.array([[3, 10], [7, 10]]), categorical_features="all") == [[0, 0], [1, 0]]
    assert codes_of(np.array([[3.5, np.nan], [1.5, 2.0]]), categorical_features="all") == [
        [1, 1],
        [0, 0],
    ]


def test_numbers_that_are_labels_by_request():
    X = pd.DataFrame({"zip": [900, 100, 900], "size": [1.0, 2.0, 3.0]})
    for wanted in (["zip"], [0], [True, False], [-2]):
        encoder = TableEncoder(categorical_features=wanted, discretizer=None).fit(X)
        assert encoder.states_ == [[100, 900]]
    with pytest.raises(ValueError, match=r"categorical_features must name columns of X.*got 'zap'"):
        TableEncoder(categorical_features=["zap"]).fit(X)
    with pytest.raises(ValueError, match=r"categorical_features must be one of"):
        TableEncoder(categorical_features="dtype").fit(X)


def test_unseen_labels_are_left_out():
    encoder = TableEncoder().fit(pd.DataFrame({"a": ["x", "y"]}))
    table = encoder.transform(pd.DataFrame({"a": ["y", "new", None]}))
    assert table.codes.tolist() == [[1], [2], [2]]
    assert table.n_states.tolist() == [2]
    assert encoder.unseen_labels(pd.DataFrame({"a": ["y", "new", None]})) == {"a": ["new"]}


def test_unseen_integers_are_left_out():
    encoder = TableEncoder(categorical_features="all").fit(np.array([[1, 5], [3, 5]]))
    assert encoder.transform(np.array([[2, 5], [3, -9], [900, 5]])).codes.tolist() == [
        [2, 0],
        [1, 1],
        [2, 0],
    ]


def test_codes_grow_with_the_number_of_states():
    assert (
        TableEncoder(categorical_features="all").fit_transform(np.arange(255)[:, None]).codes.dtype
        == np.uint8
    )
    assert (
        TableEncoder(categorical_features="all").fit_transform(np.arange(256)[:, None]).codes.dtype
        == np.uint16
    )
    wide = TableEncoder(categorical_features="all").fit_transform(np.arange(70_000)[:, None] * 7)
    assert wide.codes.dtype == np.uint32
    np.testing.assert_array_equal(wide.codes[:, 0], np.arange(70_000))


def test_replacement_by_mode_and_mean():
    X = pd.DataFrame(
        {
            "tie": pd.Categorical(["b", "a", None], categories=["b", "a"]),
            "number": [1.0, np.nan, 4.0],
            "empty": [np.nan, np.nan, np.nan],
        }
    )
    encoder = TableEncoder(missing="replace", discretizer="width").fit(X)
    assert encoder.replacements_ == {"tie": "b", "number": 2.5, "empty": 0.0}
    assert encoder.transform(X).codes[:, 0].tolist() == [0, 1, 0]
    kept = TableEncoder(missing="replace", discretizer=None).fit_transform(X)
    assert kept.numbers.tolist() == [[1.0, 0.0], [2.5, 0.0], [4.0, 0.0]]
    assert kept.names == ("tie",)


def test_replacement_uses_weights():
    X = pd.DataFrame({"a": ["x", "y", "y", None], "b": [1.0, 2.0, 3.0, np.nan]})
    encoder = TableEncoder(missing="replace", discretizer=None)
    encoder.fit(X, sample_weight=[5, 1, 0, 1])
    assert encoder.replacements_ == {"a": "x", "b": 7 / 6}


def test_ignored_missing_values_are_left_out():
    X = pd.DataFrame({"a": ["x", None], "b": [1.0, np.nan]})
    table = TableEncoder(missing="ignore", discretizer="width").fit_transform(X)
    assert table.codes.tolist() == [[0, 0], [1, 1]]
    assert table.n_states.tolist() == [1, 1]


def test_rows_of_weight_zero_have_no_effect():
    X = pd.DataFrame({"a": ["x", "y", "z"], "b": [1.0, 9.0, 2.0]})
    encoder = TableEncoder(discretizer="width").fit(X, sample_weight=[1, 0, 1])
    assert encoder.states_[0] == ["x", "z"]
    assert encoder.cut_points_["b"].max() < 2


@pytest.mark.parametrize("missing", ["state", "replace", "ignore"])
@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_blocks_of_rows_learn_the_same_as_all_rows(kind, missing, read_in_blocks_of):
    rng = np.random.default_rng(0)
    X = kind(
        {
            "text": rng.choice(["a", "b", None], 50).tolist(),
            "late": ["x"] * 49 + ["only in the last block"],
            "flag": rng.choice([True, False], 50).tolist(),
            "number": [None, *rng.normal(size=49).tolist()],
        }
    )
    whole = TableEncoder(missing=missing, discretizer="width").fit(X, sample_weight=np.arange(50))
    read_in_blocks_of(30)
    blocks = TableEncoder(missing=missing, discretizer="width").fit(X, sample_weight=np.arange(50))
    assert [list(s) for s in blocks.states_] == [list(s) for s in whole.states_]
    assert blocks.replacements_ == whole.replacements_
    np.testing.assert_array_equal(blocks.transform(X).codes, whole.transform(X).codes)


def test_columns_stay_in_the_users_order():
    X = pd.DataFrame({"n": [1.0, 2.0], "a": ["x", "y"], "m": [3.0, 4.0]})
    assert TableEncoder(discretizer="width").fit_transform(X).names == ("n", "a", "m")


def test_a_custom_discretizer():
    X = np.array([[0.0], [10.0]])
    encoder = TableEncoder(discretizer=EqualWidthDiscretizer(n_bins=2)).fit(X)
    assert encoder.states_ == [["(-inf, 5.0]", "(5.0, inf)"]]


def test_the_table_round_trips_through_a_frame():
    X = pd.DataFrame({"a": pd.Categorical(["x", None], categories=["x", "w"]), "b": [1.0, 5.0]})
    frame = TableEncoder(discretizer="width").fit_transform(X).to_frame()
    assert frame["a"].cat.categories.tolist() == ["x", "w", MISSING]
    again = TableEncoder().fit_transform(frame)
    assert again.codes.tolist() == [[0, 0], [2, 9]]


def test_rows_of_a_table():
    table = CategoricalTable.from_codes([[0], [1], [2]], n_states=[2])
    assert table.take([2, 0]).codes.tolist() == [[2], [0]]
    assert table.take(slice(1, None)).n_samples == 2


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (
            pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])}),
            TypeError,
            "column 't' must be numbers, text",
        ),
        (pd.DataFrame({"a": [[1], [2]]}), TypeError, r"column 'a'.*got list in row 0"),
        (
            pd.DataFrame({"x": [1.0, np.inf]}),
            ValueError,
            "column 'x' must be finite.*got inf in row 1",
        ),
        (np.array([[1.0], [-np.inf]]), ValueError, r"column 'x0' must be finite.*-inf in row 1"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "'a'"),
        (pd.DataFrame({"a": []}), ValueError, r"0 sample\(s\)"),
    ],
)
def test_a_column_that_cannot_be_encoded_is_named(X, error, message):
    with pytest.raises(error, match=message):
        TableEncoder(discretizer="width").fit(X)


def test_text_in_a_column_of_numbers_raises():
    encoder = TableEncoder(discretizer="width").fit(pd.DataFrame({"a": [1.0, 2.0]}))
    with pytest.raises(TypeError, match=r"column 'a' held numbers in fit"):
        encoder.transform(pd.DataFrame({"a": ["x", "y"]}))
    with pytest.raises(TypeError, match=r"column 'x0' held numbers in fit.*got 'x'"):
        TableEncoder(discretizer="width").fit([[1.0]]).transform(np.array([["x"]], dtype=object))


def test_mdl_without_a_target_says_why():
    with pytest.raises(ValueError, match=r"MDLDiscretizer finds cut points by the class"):
        TableEncoder().fit(np.array([[1.0], [2.0]]))


def test_policies_are_checked():
    with pytest.raises(
        ValueError, match=r"missing must be one of 'state', 'replace', 'ignore', got 'drop'"
    ):
        TableEncoder(missing="drop").fit([["a"]])
    with pytest.raises(ValueError, match=r"discretizer must be one of 'mdl', 'frequency', 'width'"):
        TableEncoder(discretizer="chi").fit([["a"]])


@pytest.mark.parametrize("kind", [pl.DataFrame, pa.table])
def test_a_column_of_missing_values_without_a_type(kind):
    X = kind({"text": ["a", "b", None], "number": [1.0, 2.0, None], "gaps": [None] * 3})
    encoder = TableEncoder(discretizer="width").fit(X)
    assert encoder.n_states_.tolist() == [3, 11, 2]
    row = kind({"text": [None], "number": [None], "gaps": [None]})
    assert encoder.transform(row).codes.tolist() == [[2, 10, 1]]
    labels = TableEncoder(categorical_features="all").fit_transform(X)
    assert labels.codes[:, 2].tolist() == [0, 0, 0]
    assert list(labels.states[2]) == [MISSING]


def test_columns_of_arrow_in_pandas():
    kinds = {
        "null": ([None] * 3, pa.null()),
        "decimal": ([Decimal("1.5"), None, Decimal("2.5")], pa.decimal128(5, 2)),
        "dictionary": (["b", None, "a"], pa.dictionary(pa.int32(), pa.string())),
        "flag": ([True, None, False], pa.bool_()),
        "text": (["b", None, "a"], pa.string()),
    }
    X = pd.DataFrame(
        {k: pd.array(values, dtype=pd.ArrowDtype(t)) for k, (values, t) in kinds.items()}
    )
    table = TableEncoder(discretizer=None).fit_transform(X)
    np.testing.assert_array_equal(table.numbers, [[np.nan, 1.5], [np.nan, np.nan], [np.nan, 2.5]])
    assert table.codes[:, :3].tolist() == [[1, 1, 1], [2, 2, 2], [0, 0, 0]]
    row = pd.DataFrame({k: pd.array([None], dtype=pd.ArrowDtype(pa.null())) for k in X.columns})
    again = TableEncoder(discretizer=None).fit(X).transform(row)
    assert again.codes[:, :3].tolist() == [[2, 2, 2]]


def test_an_arrow_dictionary_keeps_the_type_of_its_values():
    X = pa.table({"a": pa.chunked_array([pa.array([10, None]), pa.array([9])]).dictionary_encode()})
    assert TableEncoder().fit(X).states_ == [[9, 10, MISSING]]
    assert codes_of(X) == [[1], [2], [0]]


def test_booleans_of_every_kind():
    flags = np.array([[True, False], [False, False]])
    for X in (flags, flags[:, ::-1][:, ::-1], pd.DataFrame(flags), pl.DataFrame(flags)):
        table = TableEncoder().fit_transform(X)
        assert table.codes.tolist() == [[1, 0], [0, 0]]
        assert [list(s) for s in table.states] == [[False, True]] * 2
    mixed = np.array([[np.True_, "u"], [None, "v"], [False, "u"]], dtype=object)
    assert codes_of(mixed) == [[1, 0], [2, 1], [0, 0]]


@pytest.mark.parametrize("dtype", [">i2", ">i4", ">i8", ">u2", ">u4", ">u8", ">f8", ">f4"])
def test_another_byte_order_changes_nothing(dtype):
    X = np.array([[0, 3], [1, 2], [0, 300]])
    expected = TableEncoder(categorical_features="all").fit(X)
    found = TableEncoder(categorical_features="all").fit(X.astype(dtype))
    assert [list(s) for s in found.states_] == [list(s) for s in expected.states_]
    assert found.transform(X.astype(dtype)).codes.tolist() == expected.transform(X).codes.tolist()


def test_the_column_that_marks_missing_values_gets_a_free_name():
    X = pd.DataFrame({"a": [1.0, np.nan], "a is missing": ["x", "y"]})
    table = TableEncoder(discretizer=None).fit_transform(X)
    assert table.names == ("a is missing", "a is missing 2")
    assert table.to_frame().shape == (2, 3)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"categorical_features": 3}, TypeError, "must be 'from_dtype', 'all' or a list of col"),
        ({"categorical_features": [True]}, ValueError, "one boolean for each of the 2 columns"),
        ({"categorical_features": [True, 0]}, ValueError, "must name columns of X.*got True"),
        ({"categorical_features": [1.0]}, ValueError, r"must name columns of X.*got 1\.0"),
        ({"categorical_features": [[0]]}, ValueError, r"must name columns of X.*got \[0\]"),
        ({"discretizer": 3}, TypeError, "discretizer must be one of 'mdl'.*, got 3"),
        ({"discretizer": EqualWidthDiscretizer}, TypeError, "discretizer must be one of 'mdl'"),
        ({"discretizer": StandardScaler()}, TypeError, r"cut_points_, or None, got StandardSc"),
        ({"n_jobs": True}, ValueError, "n_jobs must be None or an integer other than 0, got True"),
    ],
)
def test_parameters_that_are_not_allowed(parameters, error, message):
    X = pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]})
    with pytest.raises(error, match=f"TableEncoder: .*{message}"):
        TableEncoder(**parameters).fit(X)
    for wanted, mask in ((None, [0, 0]), (["a", 1], [1, 1]), (np.array([0]), [1, 0]), ([], [0, 0])):
        encoder = TableEncoder(categorical_features=wanted, discretizer="width").fit(X)
        assert encoder.is_nominal_.tolist() == mask


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.array([["2020-01-01"]], dtype="M8[ns]"), TypeError, "column 'x0' must be numbers"),
        (np.array([[1]], dtype="m8[s]"), TypeError, "column 'x0' must be numbers"),
        (pd.DataFrame({"d": [date(2020, 1, 1)]}), TypeError, "'d' .*date in row 0.*convert it"),
        (pd.DataFrame({"t": [(1, 2)]}), TypeError, "column 't' must be text.*tuple in row 0"),
        (pd.DataFrame({"h": [10**400, 1]}, dtype=object), ValueError, r"column 'h'.*1\.8e308"),
        (pd.DataFrame(index=range(2)), ValueError, "TableEncoder: X must have columns"),
        (
            pa.table([pa.array([1]), pa.array([1])], names=["a", "a"]),
            ValueError,
            "TableEncoder: X must have columns with different names, got 'a' more than once",
        ),
        (
            CategoricalTable.from_codes([[0]], n_states=[1]),
            TypeError,
            "TableEncoder: X must be a data frame or an array, got CategoricalTable",
        ),
    ],
)
def test_tables_that_cannot_be_read(X, error, message):
    with pytest.raises(error, match=message):
        TableEncoder(discretizer="width").fit(X)


def test_a_decimal_nan_is_missing():
    X = pd.DataFrame({"a": [Decimal("NaN"), Decimal(2)]})
    np.testing.assert_array_equal(
        TableEncoder(discretizer=None).fit_transform(X).numbers, [[np.nan], [2.0]]
    )


@pytest.mark.parametrize(
    ("codes", "n_states", "message"),
    [
        ([[-1]], [2], "codes of column 0 must be in 0, …, 2 .*got -1"),
        ([[300]], [2], "codes of column 0 must be in 0, …, 2 .*got 300"),
        ([[0, 1]], [2], "n_states must be 2 numbers, one for each column of codes, got 1"),
        ([[0.5]], [2], "codes must be whole numbers"),
        ([0], [2], "codes must be whole numbers in two dimensions"),
        ([[0]], [-1], "codes of column 0 must be in"),
    ],
)
def test_codes_that_do_not_fit_a_table(codes, n_states, message):
    with pytest.raises((TypeError, ValueError), match=f"CategoricalTable: {message}"):
        CategoricalTable.from_codes(codes, n_states=n_states)


def test_few_rows_are_encoded_as_many_rows_are():
    """Frames with few rows are converted at once, others column by column."""
    n = 40
    frame = pd.DataFrame(
        {
            "text": pd.Series(["a", None, "b", "c"] * (n // 4), dtype="str"),
            "kind": pd.Categorical(["x", "y", None, "x"] * (n // 4), categories=["z", "y", "x"]),
            "flag": [True, False, True, True] * (n // 4),
            "whole": np.arange(n),
            "real": np.where(np.arange(n) % 5 == 0, np.nan, np.arange(n) / 7),
            "maybe": pd.array([1, None, 3, 4] * (n // 4), dtype="Int64"),
            "mixed": pd.Series(["a", 1, None, 2.5] * (n // 4), dtype=object),
        }
    )
    y = ["in", "out"] * (n // 2)
    for options in ({}, {"categorical_features": ["whole"]}, {"discretizer": None}):
        encoder = TableEncoder(**options).fit(frame, y)
        unseen = frame.assign(text=frame["text"].replace("c", "new"))
        whole = encoder.transform(unseen)
        parts = [encoder.transform(unseen.iloc[i : i + 3]) for i in range(0, n, 3)]
        assert np.array_equal(np.concatenate([part.codes for part in parts]), whole.codes)
        numbers = np.concatenate([part.numbers for part in parts])
        assert np.array_equal(numbers, whole.numbers, equal_nan=True)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64, ">i4"])
def test_adjacent_integers_are_coded_as_other_labels(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(2, 6, (50, 3)).astype(dtype)
    encoder = TableEncoder(categorical_features="all").fit(X, rng.integers(0, 2, 50))
    new = np.array([[2, 9, 5], [0, 3, 100]], dtype=dtype)
    expected = encoder.transform(new.astype(object)).codes
    assert encoder.transform(new).codes.tolist() == expected.tolist() == [[0, 4, 3], [4, 1, 4]]
    assert encoder.transform(np.asfortranarray(new)).codes.tolist() == expected.tolist()


class TestManyRows:
    """Columns of numbers of a large frame are read without a matrix, with the same result."""

    N_ROWS = columns._MANY_ROWS + 1

    def table(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, self.N_ROWS)
        gaps = np.where(rng.random(self.N_ROWS) < 0.1, np.nan, rng.normal(size=self.N_ROWS) + y)
        X = pd.DataFrame(
            {
                "whole": rng.integers(0, 9, self.N_ROWS) + 2 * y,
                "text": np.where(gaps > 0, "u", "v"),
                "gaps": gaps,
                "nullable": pd.array(rng.integers(0, 5, self.N_ROWS), dtype="Int64"),
            }
        )
        X.loc[3, "nullable"] = pd.NA
        return X, y

    @pytest.mark.parametrize("missing", ["state", "replace", "ignore"])
    @pytest.mark.parametrize("discretizer", ["mdl", "width", None])
    @pytest.mark.parametrize("keep_numbers", [False, True])
    def test_equal_to_a_matrix(self, monkeypatch, missing, discretizer, keep_numbers):
        X, y = self.table()
        parameters = {"missing": missing, "discretizer": discretizer, "keep_numbers": keep_numbers}
        before = X.copy(deep=True)
        by_column = TableEncoder(**parameters).fit(X, y)
        tables = [by_column.transform(X), TableEncoder(**parameters).fit_transform(X, y)]
        monkeypatch.setattr(columns, "_MANY_ROWS", self.N_ROWS + 1)
        by_matrix = TableEncoder(**parameters).fit(X, y)
        tables.append(by_matrix.transform(X))
        assert by_column.replacements_ == by_matrix.replacements_
        for name, cuts in by_matrix.cut_points_.items():
            np.testing.assert_array_equal(by_column.cut_points_[name], cuts)
        for table in tables:
            np.testing.assert_array_equal(table.codes, tables[-1].codes)
            np.testing.assert_array_equal(table.numbers, tables[-1].numbers)
        pd.testing.assert_frame_equal(X, before)

    def test_infinite_number(self):
        X, y = self.table()
        X.loc[7, "gaps"] = -np.inf
        expected = "column 'gaps' must be finite or missing, got -inf in row 7"
        with pytest.raises(ValueError, match=expected):
            TableEncoder().fit(X, y)
        with pytest.raises(ValueError, match=expected):
            TableEncoder().fit(X.assign(gaps=0.0), y).transform(X)
