"""Queries of a real DuckDB database are read as sources."""

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from source_frames import joined

from augury.compatibility import TEXT_DTYPE
from augury.data import DataError
from augury.scale.sources import open_source


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TYPE colour AS ENUM ('red', 'green', 'blue')")
        connection.execute(
            "CREATE TABLE sales AS SELECT i AS id, i / 4 AS price, "
            "CASE WHEN i % 3 = 0 THEN NULL ELSE 'shop ' || i % 7 END AS shop, "
            "CASE WHEN i = 299999 THEN NULL ELSE i % 5 END AS gaps, "
            "CAST(CASE WHEN i % 2 = 0 THEN 'blue' ELSE 'red' END AS colour) AS colour "
            "FROM range(300000) numbers(i)"
        )
    return path


def test_query_of_a_file(database, tmp_path):
    query = "SELECT * FROM sales WHERE id >= 100000 ORDER BY id"
    source = open_source(f"duckdb:{database}?query={query}", folder=tmp_path, partition_bytes=1)
    frame = joined(source)
    assert source.n_rows == len(frame) == 200_000
    assert len(source.partitions) > 1
    assert frame["id"].tolist() == list(range(100_000, 300_000))
    assert frame.dtypes.astype(str).tolist() == [
        "int64",
        "float64",
        str(TEXT_DTYPE),
        "float64",
        "category",
    ]
    assert frame["colour"].cat.categories.tolist() == ["red", "green", "blue"]
    assert frame["shop"].isna().sum() == len(range(100_002, 300_000, 3))


def test_query_without_a_database(tmp_path):
    pq.write_table(pa.table({"a": [1, 2, 3]}), tmp_path / "a.parquet")
    source = open_source(f"duckdb:SELECT a, a * 2 AS b FROM '{tmp_path}/a.parquet' WHERE a > 1")
    pd.testing.assert_frame_equal(joined(source), pd.DataFrame({"a": [2, 3], "b": [4, 6]}))


def test_database_is_not_written(database):
    with pytest.raises(DataError, match=r"(?s)the query fails .*read-only"):
        open_source(f"duckdb:{database}?query=DROP TABLE sales")


def test_errors_name_the_database(database, tmp_path):
    with pytest.raises(DataError, match=r"sales\.duckdb: the query fails .*sale"):
        open_source(f"duckdb:{database}?query=SELECT * FROM sale")
    with pytest.raises(FileNotFoundError, match=r"sale\.duckdb: there is no such file"):
        open_source(f"duckdb:{tmp_path}/sale.duckdb?query=SELECT 1")
    for text in (f"duckdb:{database}", f"duckdb:{database}?query=", "duckdb:"):
        with pytest.raises(DataError, match="there is no query"):
            open_source(text)
    (tmp_path / "b.duckdb").write_text("no database")
    with pytest.raises(DataError, match=r"b\.duckdb: is not a readable DuckDB database"):
        open_source(f"duckdb:{tmp_path}/b.duckdb?query=SELECT 1")
    with pytest.raises(DataError, match="there are no rows"):
        open_source(f"duckdb:{database}?query=SELECT * FROM sales WHERE id < 0")
