"""Iterators are written to disk once, functions are called at each pass."""

import errno
import itertools

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from source_frames import all_kinds, joined

from augury.compatibility import TEXT_DTYPE
from augury.data import DataError
from augury.scale.sources import open_source, streamed_frames


def pieces(frame, step=5):
    return [frame.iloc[start : start + step] for start in range(0, len(frame), step)]


def test_iterator_of_pandas_frames(tmp_path):
    frame = all_kinds()
    source = open_source(iter(pieces(frame)), folder=tmp_path, partition_bytes=1)
    assert len(source.partitions) == 5
    assert source.n_rows == 23
    pd.testing.assert_frame_equal(joined(source, max_rows=2), frame)
    pd.testing.assert_frame_equal(joined(source), frame)
    del source
    assert list(tmp_path.iterdir()) == []


def test_frames_share_a_file_while_it_is_small(tmp_path):
    frames = pieces(all_kinds())
    source = open_source(iter(frames), folder=tmp_path)
    assert [each.name for each in source.partitions] == ["the iterator, frames 0 to 4"]


def test_labels_of_each_frame_are_kept():
    frames = [
        pd.DataFrame({"x": pd.Categorical([labels[1]], categories=labels)})
        for labels in (["b", "a"], [f"label {i}" for i in range(200)], ["c", "b"])
    ]
    source = open_source(iter(frames))
    found = [frame for part in source.partitions for frame in part.frames()]
    for frame, expected in zip(found, frames, strict=True):
        pd.testing.assert_frame_equal(frame, expected)


@pytest.mark.parametrize(
    "convert", [pl.from_pandas, pa.Table.from_pandas, pa.RecordBatch.from_pandas]
)
def test_iterator_of_other_frames(convert):
    frame = all_kinds().drop(columns=["amount", "nothing", "day", "flag or none", "nullable"])
    if convert is pl.from_pandas:  # a Categorical of polars declares no labels
        frame = frame.drop(columns="label")
    frame["time"] = frame["time"].astype("datetime64[us]")
    source = open_source(convert(piece) for piece in pieces(frame))
    pd.testing.assert_frame_equal(joined(source), frame)


def test_stream_of_arrow_is_read_once():
    table = pa.Table.from_pandas(all_kinds(), preserve_index=False)
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(4))
    pd.testing.assert_frame_equal(joined(open_source(reader)), table.to_pandas())


def test_types_of_all_frames_are_united():
    frames = [
        pd.DataFrame({"a": [1, 2], "b": [None, None]}),
        pd.DataFrame({"b": ["x", None], "a": [0.5, None]}),
        pd.DataFrame({"a": [], "b": []}),
    ]
    expected = pd.DataFrame({"a": [1, 2, 0.5, None], "b": [None, None, "x", None]})
    for source in (open_source(iter(frames[:2])), open_source(lambda: iter(frames[:2]))):
        pd.testing.assert_frame_equal(joined(source), expected.astype({"b": TEXT_DTYPE}))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"a": [1]}, "frame 1: there is no column 'b', which the iterator, frame 0 has"),
        ({"a": [1], "b": [2]}, "frame 1: column 'b' has type int64, but .*string in .*frame 0"),
        ({"a": [1], "b": ["x"], "c": [0]}, "frame 1: there is a column 'c'"),
        ({"a": [1, "x"], "b": ["x", "y"]}, "frame 1: cannot be converted to Arrow .*column a"),
        ({"a": [1], "b": [["x"]]}, "frame 1: column 'b' has a list"),
    ],
)
def test_another_frame_is_an_error(other, message):
    frames = [pd.DataFrame({"a": [1], "b": ["x"]}), pd.DataFrame(other)]
    with pytest.raises(DataError, match=message):
        open_source(iter(frames))


def test_wrong_items_and_no_rows_are_errors():
    with pytest.raises(TypeError, match=r"frame 0: expected a data frame of pandas.*got int"):
        open_source(iter([1]))
    with pytest.raises(DataError, match="the iterator: there are no rows"):
        open_source(iter([]))
    with pytest.raises(DataError, match="the iterator: there are no rows"):
        open_source(iter([pd.DataFrame({"a": []})]))


def test_error_of_the_iterator_is_kept():
    def frames():
        yield pd.DataFrame({"a": [1]})
        raise RuntimeError("the connection is lost")

    with pytest.raises(RuntimeError, match="the connection is lost"):
        open_source(frames())


def test_full_disk_is_named(tmp_path, monkeypatch):
    class FullDisk:
        def write_table(self, table, max_chunksize):
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self):
            pass

    monkeypatch.setattr(pa.ipc, "new_stream", lambda path, schema: FullDisk())
    monkeypatch.setattr(streamed_frames._SpoolFile, "takes", lambda *_: True)
    with pytest.raises(DataError, match=r"No space left on device.*folder="):
        open_source(iter(pieces(all_kinds())), folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_missing_folder_is_named(tmp_path):
    with pytest.raises(DataError, match="no folder of temporary files can be made"):
        open_source(iter(pieces(all_kinds())), folder=tmp_path / "none")


CALLS = itertools.count()


def produce():
    next(CALLS)
    return iter(pieces(all_kinds()))


def test_function_is_called_at_each_pass(tmp_path):
    source = open_source(produce, folder=tmp_path)
    before = next(CALLS)
    pd.testing.assert_frame_equal(joined(source, max_rows=3), all_kinds())
    assert next(CALLS) == before + 2
    assert source.n_rows == 23
    assert list(tmp_path.iterdir()) == []


def growing(first, later):
    calls = itertools.count()
    return lambda: iter([first if next(calls) == 0 else later])


@pytest.mark.parametrize(
    ("later", "message"),
    [
        ({"a": [1, 2, 3]}, "there are 3 rows now, but there were 2"),
        ({"a": [1, None]}, "the types of the columns are not those of the first pass"),
        ({"a": [0.5, 1]}, "the types of the columns are not those of the first pass"),
        ({"a": ["x", "y"]}, "column 'a' has type .*string, but int64 in .* at the first pass"),
        ({"b": [1, 2]}, "there is no column 'a'"),
    ],
)
def test_function_with_other_rows_is_an_error(later, message):
    source = open_source(growing(pd.DataFrame({"a": [1, 2]}), pd.DataFrame(later)))
    with pytest.raises(DataError, match=message):
        list(source.partitions[0].frames())
