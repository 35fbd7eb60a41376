"""Datasets of pyarrow are read by their files."""

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from source_frames import all_kinds, joined

from augury.data import DataError
from augury.data.formats.parquet import read_parquet
from augury.scale.sources import open_source


@pytest.mark.parametrize("kind", ["parquet", "ipc"])
def test_frames_are_those_of_the_whole_dataset(tmp_path, kind):
    table = pa.Table.from_pandas(all_kinds(), preserve_index=False)
    table = table.append_column("gaps", pa.array([None if i == 20 else i for i in range(23)]))
    for i in range(3):
        ds.write_dataset(
            table.slice(8 * i, 8),
            tmp_path,
            format=kind,
            basename_template=f"{i}-{{i}}.{kind}",
            existing_data_behavior="overwrite_or_ignore",
            **({"max_rows_per_group": 4, "min_rows_per_group": 4} if kind == "parquet" else {}),
        )
    dataset = ds.dataset(tmp_path, format=kind)
    source = open_source(dataset, partition_bytes=1)
    assert source.n_rows == 23
    assert len(source.partitions) == (6 if kind == "parquet" else 3)
    expected = dataset.to_table().to_pandas()
    pd.testing.assert_frame_equal(joined(source, max_rows=3), expected)
    pd.testing.assert_frame_equal(joined(source, ["text", "gaps"]), expected[["text", "gaps"]])


def test_filtered_dataset_and_table_are_written_to_disk(tmp_path):
    pq.write_table(pa.table({"a": range(10), "b": list("abcdefghij")}), tmp_path / "a.parquet")
    dataset = ds.dataset(tmp_path).filter(ds.field("a") > 6)
    assert joined(open_source(dataset))["b"].tolist() == ["h", "i", "j"]
    assert joined(open_source(ds.dataset(pa.table({"a": [1, 2]}))))["a"].tolist() == [1, 2]


def test_values_in_names_of_folders_are_a_column(tmp_path):
    for year in (2023, 2024):
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        pq.write_table(pa.table({"a": [year, None], "b": ["x", "y"]}), folder / "part.parquet")
    source = open_source(tmp_path)
    assert source.columns == ("a", "b", "year")
    pd.testing.assert_frame_equal(joined(source), read_parquet(tmp_path).frame)
    pq.write_table(pa.table({"a": [1], "c": ["x"]}), tmp_path / "year=2024" / "other.parquet")
    with pytest.raises(DataError, match=r"no column 'c', which .*|no column 'b', which .*"):
        open_source(tmp_path)


def test_missing_column_changed_and_damaged_files_are_errors(tmp_path):
    pq.write_table(pa.table({"a": [1], "b": [2]}), tmp_path / "1.parquet")
    source = open_source(ds.dataset(tmp_path))
    pq.write_table(pa.table({"a": [1]}), tmp_path / "2.parquet")
    with pytest.raises(DataError, match=r"2\.parquet: there is no column 'b'"):
        open_source(ds.dataset(tmp_path))
    pq.write_table(pa.table({"a": [1, 2], "b": [2, 3]}), tmp_path / "1.parquet")
    with pytest.raises(DataError, match=r"1\.parquet: the file was changed"):
        list(source.partitions[0].frames())
    (tmp_path / "2.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(DataError, match=r"2\.parquet: cannot be read"):
        open_source(ds.dataset([tmp_path / "1.parquet", tmp_path / "2.parquet"]))
