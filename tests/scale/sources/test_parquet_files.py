"""Parquet files are read in partitions as `read_parquet` reads them whole."""

import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from source_frames import all_kinds, joined

from augury.compatibility import TEXT_DTYPE
from augury.data import DataError
from augury.data.formats.parquet import read_parquet
from augury.scale.sources import open_source


@pytest.mark.parametrize("max_rows", [1, 4, 1000])
@pytest.mark.parametrize("partition_bytes", [1, 3000, 1 << 26])
def test_frames_are_those_of_the_whole_file(tmp_path, max_rows, partition_bytes):
    path = tmp_path / "a.parquet"
    table = pa.Table.from_pandas(all_kinds())
    position = table.schema.get_field_index("whole")
    gaps = pa.array([None if i == 20 else i for i in range(23)])
    table = table.append_column("whole with a gap", gaps).set_column(
        position, "whole", gaps.fill_null(5)
    )
    pq.write_table(table, path, row_group_size=5)
    source = open_source(path, partition_bytes=partition_bytes)
    expected = read_parquet(path).frame
    assert source.columns == tuple(expected.columns)
    assert source.n_rows == 23
    assert (
        len(source.partitions) == {1: 5, 3000: len(source.partitions), 1 << 26: 1}[partition_bytes]
    )
    pd.testing.assert_frame_equal(joined(source, max_rows=max_rows), expected)


def test_missing_values_of_one_file_make_floats_in_all(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "b": [True, False]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [3, None], "b": [None, True]}), tmp_path / "2.parquet")
    source = open_source(str(tmp_path / "*.parquet"))
    frames = [next(partition.frames()) for partition in source.partitions]
    assert [frame.dtypes.astype(str).tolist() for frame in frames] == [["float64", "object"]] * 2
    pd.testing.assert_frame_equal(joined(source), read_parquet(tmp_path).frame)


def test_missing_values_are_found_without_statistics(tmp_path):
    table = pa.table({"a": pa.array([1] * 10 + [None]), "b": range(11)})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=4, write_statistics=False)
    source = open_source(tmp_path / "a.parquet", partition_bytes=1)
    frame = next(source.partitions[0].frames())
    assert frame.dtypes.astype(str).tolist() == ["float64", "int64"]


def test_named_index_is_the_first_column(tmp_path):
    frame = pd.DataFrame({"x": [1, 2, 3], "y": list("abc")}, index=pd.Index([7, 8, 9], name="key"))
    frame.to_parquet(tmp_path / "named.parquet")
    frame[frame.x > 1].rename_axis(None).to_parquet(tmp_path / "unnamed.parquet")
    for name, columns in [("named", ("key", "x", "y")), ("unnamed", ("x", "y"))]:
        source = open_source(tmp_path / f"{name}.parquet")
        assert source.columns == columns
        expected = read_parquet(tmp_path / f"{name}.parquet").frame
        pd.testing.assert_frame_equal(joined(source), expected)


def test_columns_come_in_the_order_asked_for(tmp_path):
    all_kinds().to_parquet(tmp_path / "a.parquet")
    partition = open_source(tmp_path / "a.parquet").partitions[0]
    assert next(partition.frames(["text", "whole"])).columns.tolist() == ["text", "whole"]
    assert [frame.shape for frame in partition.frames([], max_rows=20)] == [(20, 0), (3, 0)]


def test_unknown_column_is_named_with_a_near_one(tmp_path):
    all_kinds().to_parquet(tmp_path / "a.parquet")
    source = open_source(tmp_path / "a.parquet")
    with pytest.raises(DataError, match=r"a\.parquet.*no column 'numbr'; did you mean 'number'\?"):
        source.partitions[0].frames(["numbr"])
    with pytest.raises(DataError, match="'text' is asked for twice"):
        source.check_columns(["text", "text"])


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"a": [1]}, r"2\.parquet: there is no column 'b', which .*1\.parquet has"),
        ({"a": [1], "b": ["x"], "c": [1]}, r"2\.parquet: there is a column 'c'"),
        ({"a": ["1"], "b": ["x"]}, r"2\.parquet: column 'a' has type string, but int64 in .*1\.pa"),
        ({"a": [1], "B": ["x"]}, r"no column 'b', .*; did you mean 'B'\?"),
    ],
)
def test_another_schema_is_an_error(tmp_path, other, message):
    pq.write_table(pa.table({"a": [1, 2], "b": ["x", "y"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table(other), tmp_path / "2.parquet")
    with pytest.raises(DataError, match=message):
        open_source(tmp_path)


def test_numbers_and_empty_columns_of_several_files_are_united(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "b": pa.nulls(2)}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"b": ["x", None], "a": [0.5, None]}), tmp_path / "2.parquet")
    pq.write_table(pa.table({"a": pa.array([3], pa.int8()), "b": ["y"]}), tmp_path / "3.parquet")
    frame = joined(open_source(tmp_path))
    expected = pd.DataFrame({"a": [1, 2, 0.5, None, 3], "b": [None, None, "x", None, "y"]})
    pd.testing.assert_frame_equal(frame, expected.astype({"b": TEXT_DTYPE}))


def test_labels_of_files_are_kept_in_order(tmp_path):
    for name, labels in [("1", ["b", "a"]), ("2", ["c", "b"])]:
        frame = pd.DataFrame({"x": pd.Categorical([labels[1]] * 2, categories=labels)})
        frame.to_parquet(tmp_path / f"{name}.parquet")
    frames = [next(partition.frames()) for partition in open_source(tmp_path).partitions]
    assert [frame.x.cat.categories.tolist() for frame in frames] == [["b", "a"], ["c", "b"]]


def test_truncated_file_is_named(tmp_path):
    all_kinds().to_parquet(tmp_path / "a.parquet")
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match=r"a\.parquet: is not a readable Parquet file"):
        open_source(tmp_path / "a.parquet")


def test_damaged_pages_are_named(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": np.arange(10_000)}), path, row_group_size=5000)
    source = open_source(path, partition_bytes=1)
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 2] = bytes(len(content) // 2 - 4)
    state = source.partitions[0].file
    path.write_bytes(content)
    os.utime(path, ns=(state.changed, state.changed))
    with pytest.raises(DataError, match=r"a\.parquet, row group 0: cannot be read"):
        list(source.partitions[0].frames())


def test_changed_file_is_an_error(tmp_path):
    path = tmp_path / "a.parquet"
    all_kinds().to_parquet(path)
    source = open_source(path)
    all_kinds(40).to_parquet(path)
    with pytest.raises(DataError, match=r"a\.parquet: the file was changed"):
        list(source.partitions[0].frames())
    path.unlink()
    with pytest.raises(DataError, match=r"a\.parquet: the file was removed"):
        list(source.partitions[0].frames())


def test_nested_columns_and_no_rows_are_errors(tmp_path):
    pq.write_table(pa.table({"a": [[1], [2]]}), tmp_path / "nested.parquet")
    with pytest.raises(DataError, match="column 'a' has a list"):
        open_source(tmp_path / "nested.parquet")
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), tmp_path / "empty.parquet")
    with pytest.raises(DataError, match=r"empty\.parquet: there are no rows"):
        open_source(tmp_path / "empty.parquet")
