"""Frames in memory are read in slices."""

import pickle

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from source_frames import all_kinds, joined

from augury.data import DataError
from augury.scale.sources import open_source


@pytest.mark.parametrize("partition_bytes", [1, 500, 1 << 26])
def test_pandas_frame_is_unchanged(partition_bytes):
    frame = all_kinds().set_index(np.arange(23) * 2)
    source = open_source(frame, partition_bytes=partition_bytes)
    assert source.n_rows == 23
    pd.testing.assert_frame_equal(joined(source, max_rows=5), frame.reset_index(drop=True))


@pytest.mark.parametrize("partition_bytes", [1, 1 << 26])
def test_pyarrow_table_is_that_of_to_pandas(partition_bytes):
    table = pa.Table.from_pandas(all_kinds(), preserve_index=False)
    table = table.append_column("gaps", pa.array([None if i == 20 else i for i in range(23)]))
    source = open_source(table, partition_bytes=partition_bytes)
    pd.testing.assert_frame_equal(joined(source, max_rows=5), table.to_pandas())


@pytest.mark.parametrize("partition_bytes", [1, 1 << 26])
def test_polars_frame_is_that_of_to_pandas(partition_bytes):
    frame = pl.DataFrame(
        {
            "i": [1, 2, None],
            "b": [True, None, False],
            "s": ["x", None, "y"],
            "n": [None, None, None],
            "f": [0.5, None, 2],
            "c": pl.Series(["b", "a", None], dtype=pl.Categorical),
            "e": pl.Series(["b", "a", None], dtype=pl.Enum(["z", "a", "b"])),
            "d": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 3), eager=True),
            "u": pl.Series([1, 2, 3], dtype=pl.UInt8),
        }
    )
    source = open_source(frame, partition_bytes=partition_bytes)
    expected = nw.from_native(frame).to_pandas()
    pd.testing.assert_frame_equal(joined(source, max_rows=2), expected)


@pytest.mark.parametrize("convert", [lambda frame: frame, pa.Table.from_pandas])
def test_partition_is_pickled_without_the_other_rows(convert):
    frame = pd.DataFrame({"x": np.arange(20_000), "s": [f"text {i}" for i in range(20_000)]})
    source = open_source(convert(frame), partition_bytes=10_000)
    whole = len(pickle.dumps(frame))
    assert len(source.partitions) > 10
    assert len(pickle.dumps(source.partitions[3])) < whole / 5
    pd.testing.assert_frame_equal(joined(source), frame)


@pytest.mark.parametrize("convert", [lambda frame: frame, pa.Table.from_pandas, pl.from_pandas])
def test_empty_frame_is_an_error(convert):
    with pytest.raises(DataError, match="there are no rows"):
        open_source(convert(pd.DataFrame({"a": pd.Series([], dtype=float)})))


def test_equal_names_are_an_error():
    with pytest.raises(DataError, match="two columns are named '1'"):
        open_source(pd.DataFrame([[1, 2]], columns=[1, "1"]))
