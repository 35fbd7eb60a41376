"""Arrow IPC files are read in ranges of record batches as pandas reads them whole."""

import pandas as pd
import pyarrow as pa
import pytest
from source_frames import all_kinds, joined

from augury.data import DataError
from augury.scale.sources import open_source


def table_of_all_kinds():
    frame = all_kinds().astype({"flag": "object"})
    gaps = pa.array([None if i == 20 else i for i in range(23)])
    return pa.Table.from_pandas(frame, preserve_index=False).append_column("gaps", gaps)


def write(path, table, rows_of_batch=4):
    new = pa.ipc.new_file if path.suffix != ".arrows" else pa.ipc.new_stream
    with new(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows_of_batch)


@pytest.mark.parametrize("name", ["a.arrow", "a.feather", "a.ipc", "a.arrows"])
@pytest.mark.parametrize("max_rows", [3, 1000])
def test_frames_are_those_of_the_whole_file(tmp_path, name, max_rows):
    table = table_of_all_kinds()
    write(tmp_path / name, table)
    source = open_source(tmp_path / name, partition_bytes=1)
    assert len(source.partitions) == (1 if name == "a.arrows" else 6)
    assert source.n_rows == 23
    assert source.n_bytes == pytest.approx((tmp_path / name).stat().st_size, abs=10)
    pd.testing.assert_frame_equal(joined(source, max_rows=max_rows), table.to_pandas())
    chosen = joined(source, ["text", "whole"])
    pd.testing.assert_frame_equal(chosen, table.to_pandas()[["text", "whole"]])


def test_stream_may_change_its_labels(tmp_path):
    tables = [
        pa.table({"a": pa.DictionaryArray.from_arrays([0, 1], labels)})
        for labels in (["x", "y"], ["z", "x"])
    ]
    with pa.ipc.new_stream(tmp_path / "a.arrow", tables[0].schema) as writer:
        for table in tables:
            writer.write_table(table)
    [partition] = open_source(tmp_path / "a.arrow").partitions
    frames = list(partition.frames())
    assert [frame["a"].tolist() for frame in frames] == [["x", "y"], ["z", "x"]]


def test_missing_values_of_one_file_make_floats_in_all(tmp_path):
    write(tmp_path / "1.arrow", pa.table({"a": [1, 2]}))
    write(tmp_path / "2.arrow", pa.table({"a": [None, 3]}))
    assert joined(open_source(tmp_path))["a"].dtype == float


@pytest.mark.parametrize("name", ["a.arrow", "a.arrows"])
@pytest.mark.parametrize("lost", [1, 8, 300])
def test_truncated_file_is_named(tmp_path, name, lost):
    path = tmp_path / name
    write(path, table_of_all_kinds())
    path.write_bytes(path.read_bytes()[:-lost])
    with pytest.raises(DataError, match=rf"{name}: (is not a readable Arrow|the Arrow stream has)"):
        open_source(path)


def test_other_content_is_named(tmp_path):
    (tmp_path / "a.feather").write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(DataError, match="Feather file of version 1"):
        open_source(tmp_path / "a.feather")
    (tmp_path / "b.arrow").write_bytes(b"hello")
    with pytest.raises(DataError, match=r"b\.arrow: "):
        open_source(tmp_path / "b.arrow")
    write(tmp_path / "c.arrow", pa.table({"a": pa.array([], pa.int64())}))
    with pytest.raises(DataError, match=r"c\.arrow: there are no rows"):
        open_source(tmp_path / "c.arrow")


def test_another_type_and_a_changed_file_are_errors(tmp_path):
    write(tmp_path / "1.arrow", pa.table({"a": [1, 2]}))
    source = open_source(tmp_path / "1.arrow")
    write(tmp_path / "2.arrow", pa.table({"a": ["x"]}))
    with pytest.raises(
        DataError, match=r"2\.arrow: column 'a' has type string, but int64 in .*1\."
    ):
        open_source(str(tmp_path / "*.arrow"))
    write(tmp_path / "1.arrow", pa.table({"a": [1, 2, 3]}))
    with pytest.raises(DataError, match=r"1\.arrow: the file was changed"):
        next(source.partitions[0].frames())
