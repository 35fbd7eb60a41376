import gzip
import warnings

import numpy as np
import pandas as pd
import pytest

from augury import optional
from augury.data import DataError, DataWarning, IdentifierWarning, read_table


def write(tmp_path, text, name="toys.csv"):
    path = tmp_path / name
    raw = text.encode()
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


@pytest.mark.parametrize(
    ("name", "separator"),
    [
        ("toys.csv", ","),
        ("toys.csv", ";"),
        ("toys.txt", "|"),
        ("toys.csv.gz", "\t"),
        ("toys.tsv", "\t"),
        ("toys.TSV.GZ".lower(), "\t"),
    ],
)
def test_delimited(tmp_path, name, separator):
    rows = ["size,weight,legs,kind", "small,1.5,4,a", '"very, large",?,0,b', "NA,2,2,a"]
    text = "\n".join(rows)
    if separator != ",":
        text = text.replace('"very, large"', "@").replace(",", separator)
        text = text.replace("@", '"very, large"')
    toys = read_table(write(tmp_path, text, name))
    assert (toys.name, toys.target) == ("toys", "kind")
    assert toys.X["size"].tolist()[:2] == ["small", "very, large"]
    assert toys.X["size"].isna().tolist() == [False, False, True]
    assert not isinstance(toys.X["size"].dtype, pd.CategoricalDtype)
    np.testing.assert_array_equal(toys.X["weight"], [1.5, np.nan, 2])
    assert toys.X["legs"].dtype == np.int64
    assert toys.y.tolist() == ["a", "b", "a"]
    assert toys.classes == ["a", "b"]


def test_decimal_commas(tmp_path):
    toys = read_table(write(tmp_path, "a;b;c\n1,5;x;u\n2;y;v\n"))
    assert toys.X["a"].tolist() == [1.5, 2]


def test_numbers_are_read_exactly(tmp_path):
    values = [0.1 + 0.2, 1 / 3, 2 / 3 * 1e-17, 123456789.12345678]
    text = "a,b\n" + "".join(f"{v!r},u\n" for v in values)
    assert read_table(write(tmp_path, text)).X["a"].tolist() == values


def test_target(tmp_path):
    path = write(tmp_path, "a,CLASS,b\n1,x,2\n3,y,4\n")
    assert read_table(path).target == "CLASS"
    assert read_table(path, target="b").target == "b"
    assert list(read_table(path, target="b").X) == ["a", "CLASS"]
    with pytest.raises(DataError, match=r"no column 'c' to be the target; the columns are 'a', 'C"):
        read_table(path, target="c")
    with pytest.raises(
        DataError, match="'class', 'Class' could all be the target; choose one with target="
    ):
        read_table(write(tmp_path, "class,Class,b\n1,x,2\n"))


def test_target_must_be_classes(tmp_path):
    path = write(tmp_path, "a,b,c\n1,2,u\n\n1,2.5,\n")
    with pytest.raises(DataError, match=r"target 'c' is missing in 1 of 2 rows, first in line 4"):
        read_table(path, missing_target="error")
    with pytest.raises(DataError, match=r"'b' has numbers that are not classes \(2.5 in line 4"):
        read_table(path, target="b")
    assert read_table(write(tmp_path, "a,b\n1,2.0\n2,3.0\n")).classes == [2.0, 3.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a,b\n", "there are no rows below the column names"),
        ("a,b,c\n1,2,3\n\n1,2\n", "line 4: expected 3 values, one for each column, found 2"),
        ("a,b,c\n1,2,3,4\n", "line 2: expected 3 values, one for each column, found 4"),
        ('a,b\n"x\ny",2\n1\n', "line 4: expected 2 values"),
        ('a,b\n""\n1,2\n', "line 2: expected 2 values"),
        ("1,2,3\n4,5,6\n", "line 1: expected column names, found numbers only"),
        ("a,b,a\n1,2,3\n", "line 1: two columns are named 'a'"),
        ("a,,b\n1,2,3\n", "line 1: column 2 has no name"),
        ("a\n1\n", "a target and at least one other column"),
        ("a,b\n1,\0\n", "is not a text file"),
        ('a,b\n1,x\n2,"y\n', "line 3: a quote is opened but not closed"),
        ('a,b\n1,x\n2,"y', "line 3: a quote is opened but not closed"),
        ('a,b\n"1,x\n2,y\n', "line 2: a quote is opened but not closed"),
        ('a,b\n1,"x\n\n2,y\n\n', "line 2: a quote is opened but not closed"),
        # A line of blanks and tabs is blank, as in pandas.
        ("a,b\n1,x\n\x0b\n2,y\n", "line 3: expected 2 values, one for each column, found 1"),
        ("a,b\n1,x\n\f\n2,y\n", "line 3: expected 2 values, one for each column, found 1"),
        ("a,b\n1,x\n\u2028\n2,y\n", "line 3: expected 2 values, one for each column, found 1"),
    ],
)
def test_bad_files_name_file_and_line(tmp_path, text, message):
    with pytest.raises(DataError, match=message) as caught:
        read_table(write(tmp_path, text))
    assert "toys.csv" in str(caught.value)


def test_a_tab_is_no_blank_where_it_separates(tmp_path):
    toys = read_table(write(tmp_path, "a\tb\tc\n1\tx\tu\n \n\t\tv\n", "toys.tsv"))
    assert toys.y.tolist() == ["u", "v"]
    assert toys.X.iloc[1].isna().all()


@pytest.mark.parametrize(
    "values",
    [
        ["123456789012345678901", "?", "007"],
        ["18446744073709551615", "?", "1"],  # the largest of 64 bits: pandas makes ? a text
        ["18446744073709551615", "1", "-1"],
    ],
)
@pytest.mark.parametrize("separator", [",", ";"])
def test_integers_of_more_than_64_bits_keep_their_digits(tmp_path, values, separator):
    text = f"id{separator}c\n" + "".join(f"{value}{separator}u\n" for value in values)
    with pytest.warns(
        DataWarning, match=r"line 2: column 'id' has integers of more than 64 bits, as '1"
    ) as caught:
        column = read_table(write(tmp_path, text)).X["id"]
    assert column.astype(object).where(column.notna(), "?").tolist() == values
    assert caught[0].filename == __file__


def test_long_numbers_among_text_and_decimals(tmp_path):
    toys = read_table(write(tmp_path, "a,b,c\n" + "9" * 30 + ",9223372036854775808,u\nx,1.5,v\n"))
    assert toys.X["a"].tolist() == ["9" * 30, "x"]
    assert toys.X["b"].tolist() == [2.0**63, 1.5]


@pytest.mark.parametrize("separator", [",", ";"])
def test_booleans_with_missing_values(tmp_path, separator):
    text = "a,c\nTrue,u\n?,v\nFalse,u\n".replace(",", separator)
    column = read_table(write(tmp_path, text)).X["a"]
    assert column.dtype == "boolean"
    assert column.isna().tolist() == [False, True, False]


def test_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv: there is no such file"):
        read_table(tmp_path / "nowhere.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        read_table(tmp_path / "folder.csv")
    with pytest.raises(DataError, match=r"unknown ending '\.xlsx'; augury reads \.arff, "):
        read_table(write(tmp_path, "x", "toys.xlsx"))
    (tmp_path / "bad.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(DataError, match="is not a readable gzip file"):
        read_table(tmp_path / "bad.csv.gz")


def test_identifiers_are_reported_and_kept(tmp_path):
    text = ",name,colour,c\n" + "".join(
        f"{i},n{i},{'rg'[i % 2]},{'uv'[i % 2]}\n" for i in range(30)
    )
    with pytest.warns(IdentifierWarning) as caught:
        toys = read_table(write(tmp_path, text))
    assert list(toys.X) == ["Unnamed: 0", "name", "colour"]
    assert len(caught) == 2
    assert "'Unnamed: 0' looks like an identifier (it counts the rows)" in str(caught[0].message)
    assert "'name' looks like an identifier (30 different labels in 30" in str(caught[1].message)
    assert "if it is one, leave the column out" in str(caught[1].message)
    assert {warning.filename for warning in caught} == {__file__}


def test_few_rows_and_different_numbers_are_no_identifiers(tmp_path):
    text = "name,c\n" + "".join(f"n{i},{'uv'[i % 2]}\n" for i in range(10))
    read_table(write(tmp_path, text))
    text = "number,c\n" + "".join(f"{i * i},{'uv'[i % 2]}\n" for i in range(50))
    read_table(write(tmp_path, text))


def test_stray_text_and_too_many_classes_are_reported(tmp_path):
    text = "a,c\n" + "".join(f"{i}.5,u\n" for i in range(30)) + "12a,v\n"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_table(write(tmp_path, text))
    assert "line 32: column 'a' has '12a' among 30 numbers" in str(caught[0].message)
    assert caught[0].filename == __file__
    text = "a,c\n" + "".join(f"{i % 3},{i}\n" for i in range(30))
    with pytest.warns(DataWarning, match="target 'c' has 30 classes in 30 rows"):
        read_table(write(tmp_path, text))


def test_parquet(tmp_path):
    frame = pd.DataFrame(
        {
            "size": pd.Categorical(["b", None, "b"], categories=["c", "b", "a"]),
            "weight": [1.5, np.nan, 2.0],
            "flag": [True, False, True],
            "kind": ["u", "v", "u"],
        },
        index=pd.Index([7, 8, 9], name="key"),
    )
    frame.to_parquet(tmp_path / "toys.parquet")
    toys = read_table(tmp_path / "toys.parquet")
    assert list(toys.X) == ["key", "size", "weight", "flag"]
    assert list(toys.X["size"].cat.categories) == ["c", "b", "a"]
    assert toys.X["size"].cat.codes.tolist() == [1, -1, 1]
    assert toys.y.tolist() == ["u", "v", "u"]
    frame.assign(kind=["u", None, "u"]).to_parquet(tmp_path / "gap.parquet")
    with pytest.raises(DataError, match="target 'kind' is missing in 1 of 3 rows, first in row 2"):
        read_table(tmp_path / "gap.parquet", missing_target="error")
    with pytest.raises(DataError, match="is not a readable Parquet file"):
        read_table(write(tmp_path, "x", "bad.parquet"))
    frame.iloc[:0].to_parquet(tmp_path / "none.parquet")
    with pytest.raises(DataError, match="there are no rows"):
        read_table(tmp_path / "none.parquet")


@pytest.mark.parametrize("values", [[[1], [2]], [{"k": 1}, {"k": 2}], [[[1]], [[2]]]])
@pytest.mark.parametrize("column", ["thing", "class"])
def test_parquet_with_nested_columns(tmp_path, values, column):
    frame = pd.DataFrame({"a": [1, 2], "class": ["u", "v"]})
    frame[column] = values
    frame.to_parquet(tmp_path / "toys.parquet")
    with pytest.raises(DataError, match=rf"toys\.parquet: column '{column}' has a (list|struct)<"):
        read_table(tmp_path / "toys.parquet")


def test_parquet_with_equal_names(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table([[1], [2]], names=["a", "a"]), tmp_path / "toys.parquet")
    with pytest.raises(DataError, match="two columns are named 'a'"):
        read_table(tmp_path / "toys.parquet")
    index = pd.Index([1, 2], name="a")
    pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=index).to_parquet(tmp_path / "toys.parquet")
    with pytest.raises(DataError, match="two columns are named 'a'"):
        read_table(tmp_path / "toys.parquet")


@pytest.mark.parametrize("notes", [b"{", b"{}", b'{"a": "\xff"}', b"[]"])
def test_parquet_with_damaged_notes_of_pandas(tmp_path, notes):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"a": [1.5, 2.5], "class": ["u", "v"]})
    table = table.replace_schema_metadata({b"pandas": notes})
    parquet.write_table(table, tmp_path / "toys.parquet")
    with pytest.raises(DataError, match=r"toys\.parquet: is not a readable Parquet file"):
        read_table(tmp_path / "toys.parquet")


def test_parquet_of_polars(tmp_path):
    polars = pytest.importorskip("polars")
    levels = polars.Enum(["c", "b", "a"])
    polars.DataFrame(
        {"size": polars.Series(["b", None, "a"], dtype=levels), "kind": ["u", "v", "u"]}
    ).write_parquet(tmp_path / "toys.parquet")
    size = read_table(tmp_path / "toys.parquet").X["size"]
    assert size.isna().tolist() == [False, True, False]
    assert [size[0], size[2]] == ["b", "a"]


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(optional.importlib, "import_module", absent)
    with pytest.raises(ImportError, match=r"reading Parquet files needs pyarrow.*augury\[parquet"):
        read_table(write(tmp_path, "x", "toys.parquet"))


def test_text_regions(shared_data):
    path = shared_data / "data" / "debian-sections.tsv.gz"
    if not path.exists():
        pytest.skip("debian-sections.tsv.gz is not in the shared data")
    with pytest.warns(IdentifierWarning, match="column 'title'"):
        debian = read_table(path, target="section")
    assert debian.X.shape == (28610, 2)
    assert len(debian.classes) == 20
