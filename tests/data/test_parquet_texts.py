"""Texts of Parquet are those of pandas, and their codes are known."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury import text_codes as text_codes_module
from augury.compatibility import TEXT_DTYPE
from augury.data import DataError, read_table
from augury.data.formats import parquet_texts
from augury.data.table import read_raw
from augury.text_codes import arrow_array, text_codes

pytest.importorskip("pyarrow")


def write(frame, folder, **options):
    path = folder / "table.parquet"
    frame.to_parquet(path, **options)
    return path


@pytest.mark.skipif(
    pd.api.types.is_object_dtype(TEXT_DTYPE), reason="codes are kept for texts of pandas 3 only"
)
@given(
    st.lists(st.sampled_from(["a", "b", "c", "é", "", None]), min_size=1, max_size=40),
    st.integers(1, 7),
)
def test_rows_and_codes_are_those_of_pandas(tmp_path_factory, texts, group_size):
    """A row group has a dictionary of its own."""
    frame = pd.DataFrame({"text": pd.Series(texts, dtype="str"), "size": 1.0})
    path = write(frame, tmp_path_factory.mktemp("texts"), row_group_size=group_size)
    read = read_raw(path).frame
    pd.testing.assert_frame_equal(read, pd.read_parquet(path))
    _, remembered = text_codes_module._known[id(arrow_array(read["text"]))]
    codes, labels = pd.factorize(frame["text"])
    np.testing.assert_array_equal(remembered.codes, codes)
    assert remembered.texts.tolist() == labels.tolist()


TABLES = {
    "texts only": pd.DataFrame({"a": ["x", "y"], "b": ["z", None]}),
    "text index": pd.DataFrame(
        {"a": ["x", "y"], "b": [1, 2]}, index=pd.Index(["p", "q"], name="i")
    ),
    "string": pd.DataFrame({"a": pd.Series(["x", None], dtype="string"), "b": [1, 2]}),
    "bytes": pd.DataFrame({"a": [b"x", None], "b": ["u", "v"], "c": [1.0, None]}),
    "category": pd.DataFrame({"a": pd.Categorical(["x", None], ["y", "x"]), "b": ["u", "v"]}),
    "no rows but one": pd.DataFrame({"a": ["x"], "b": [True], "c": [None]}),
    "names like paths": pd.DataFrame({"a.b": ["u", "v"], ".c": [1, 2], "d[0]": ["w", None]}),
    "between": pd.DataFrame({"a": [1, 2], "b": ["u", "v"], "c": [1.5, 2.5], "d": ["u", None]}),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_those_of_pandas(tmp_path, name):
    path = write(TABLES[name], tmp_path)
    expected = pd.read_parquet(path)
    if expected.index.name is not None:
        expected = expected.reset_index()
    pd.testing.assert_frame_equal(read_raw(path).frame, expected)


def test_names_that_are_numbers(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.Table.from_pandas(pd.DataFrame({0: ["x", "y"], 1: [1, 2]}))
    parquet.write_table(table, tmp_path / "table.parquet")
    assert read_raw(tmp_path / "table.parquet").frame.to_dict("list") == {
        "0": ["x", "y"],
        "1": [1, 2],
    }


def test_folder_of_files(tmp_path):
    for part, texts in enumerate((["b", None], ["a", "b"])):
        frame = pd.DataFrame({"text": texts, "size": [1.0, 2.0], "class": ["u", "v"]})
        frame.to_parquet(tmp_path / f"{part}.parquet")
    folder = tmp_path.rename(tmp_path.with_suffix(".parquet"))
    read = read_raw(folder).frame
    assert read["text"].isna().tolist() == [False, True, False, False]
    assert text_codes(read["text"]).codes.tolist() == [0, -1, 1, 0]


def test_long_texts_are_refused_before_they_are_made(tmp_path, monkeypatch):
    frame = pd.DataFrame({"text": ["x" * 1000] * 5000, "class": ["u", "v"] * 2500, "size": 1.0})
    path = write(frame, tmp_path)

    def refuse(*_):
        raise AssertionError("the texts are made")

    monkeypatch.setattr(parquet_texts, "_decode", refuse)
    with pytest.raises(DataError, match=r"the text in its columns takes 4\.9 MiB, more than"):
        read_table(path, max_size=1e6)
