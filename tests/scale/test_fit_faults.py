"""Faults of sources and disks: the right model, or an error that names the place."""

import errno
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augury import HiddenNaiveBayes, LogisticRegression, NaiveBayes
from augury.data.errors import DataError
from augury.encode import CategoricalTable
from augury.generative import PoissonNaiveBayes
from augury.scale import fit
from augury.scale.rows.block_files import write_blocks
from tests.scale.tables import (
    TARGET,
    WEIGHT,
    FaultyPartition,
    count_table,
    in_partitions,
    in_parts,
    mixed_table,
    part_of,
)


@pytest.fixture
def table() -> pd.DataFrame:
    return mixed_table().drop(columns=WEIGHT)


def write_files(table: pd.DataFrame, folder: Path) -> list[Path]:
    """Write three Parquet files."""
    paths = [folder / f"{name}.parquet" for name in "abc"]
    for path, rows in zip(paths, (slice(0, 150), slice(150, 300), slice(300, None)), strict=True):
        pq.write_table(pa.Table.from_pandas(table[rows], preserve_index=False), path)
    return paths


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (DataError("the row is broken"), DataError, "part 1: the row is broken"),
        (ValueError("no number"), ValueError, "part 1: no number"),
        (KeyError("sky"), RuntimeError, "part 1: KeyError: 'sky'"),
        (OSError(errno.EIO, "disk is ill"), RuntimeError, "part 1: OSError: [Errno 5] disk is ill"),
        (ImportError("no pyarrow"), ImportError, "no pyarrow"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else None,
)
def test_a_partition_that_raises_is_named(
    table: pd.DataFrame, error: Exception, kind: type, message: str, n_jobs: int
) -> None:
    faulty = FaultyPartition(
        name="part 1", columns=tuple(table.columns), frame=table[100:200], error=error
    )
    source = in_partitions([part_of(table[:100], 0), faulty, part_of(table[200:], 2)])
    with pytest.raises(kind) as caught:
        fit(NaiveBayes(), source, TARGET, n_jobs=n_jobs)
    assert type(caught.value) is kind
    assert str(caught.value) == message
    assert caught.value is error or caught.value.__cause__ is error or error.args == (message,)


def test_values_that_a_model_refuses_name_the_partition() -> None:
    table = count_table().drop(columns=WEIGHT)
    table.loc[250, "c"] = -1
    with pytest.raises(ValueError, match=r"^part 2: .*'c'.*-1"):
        fit(PoissonNaiveBayes(), in_parts(table, [100, 100, 100]), TARGET)


def test_a_truncated_file_is_named(table: pd.DataFrame, tmp_path: Path) -> None:
    paths = write_files(table, tmp_path)
    content = paths[1].read_bytes()
    paths[1].write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match=r"b\.parquet: is not a readable Parquet file"):
        fit(NaiveBayes(), tmp_path, TARGET)
    # The end, where the footer is, is whole, but the rows are not.
    paths[1].write_bytes(b"PAR1" + bytes(len(content) // 4) + content[len(content) // 4 + 4 :])
    with pytest.raises(DataError, match=r"b\.parquet"):
        fit(NaiveBayes(), tmp_path, TARGET)


def test_a_file_that_changes_between_passes_is_named(table: pd.DataFrame, tmp_path: Path) -> None:
    from augury.scale import open_source

    paths = write_files(table, tmp_path)
    source = open_source(tmp_path)
    pq.write_table(pa.Table.from_pandas(table[:7], preserve_index=False), paths[1])
    with pytest.raises(DataError, match=r"b\.parquet: the file was changed while it was in use"):
        fit(NaiveBayes(), source, TARGET)


def test_another_schema_in_one_file_is_named(table: pd.DataFrame, tmp_path: Path) -> None:
    paths = write_files(table, tmp_path)
    for changed in (
        table[150:300].drop(columns="height"),
        table[150:300].assign(height="tall"),
        table[150:300].rename(columns={"height": "heigth"}),
    ):
        pq.write_table(pa.Table.from_pandas(changed, preserve_index=False), paths[1])
        with pytest.raises(DataError, match=r"b\.parquet.*height"):
            fit(NaiveBayes(), tmp_path, TARGET)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_bad_weights_and_missing_classes_name_the_row(table: pd.DataFrame, n_jobs: int) -> None:
    weights = np.ones(len(table))
    weights[210] = -2.0
    with pytest.raises(DataError, match=r"part 1: the weights in column 'n' .* -2\.0 in row 61"):
        fit(NaiveBayes(), in_parts(table.assign(n=weights), [150, 150]), TARGET, weight="n",
            n_jobs=n_jobs)  # fmt: skip
    table.loc[333, TARGET] = None
    with pytest.raises(DataError, match=r"part 2: row 34 has no value in the target 'kind'"):
        fit(NaiveBayes(), in_parts(table, [150, 150]), TARGET, strict=True, n_jobs=n_jobs)


def test_a_source_without_rows_that_count_is_an_error(table: pd.DataFrame) -> None:
    source = in_parts(table.assign(n=0.0), [150])
    with pytest.raises(DataError, match="the test: the source has no row with a class and a wei"):
        fit(NaiveBayes(), source, TARGET, weight="n")
    with pytest.raises(ValueError, match="at least 2 classes, got one class: 'pear'"):
        fit(NaiveBayes(), in_parts(table.assign(**{TARGET: "pear"}), [150]), TARGET)


# ---- the disk of temporary files ----------------------------------------------------------------


@contextmanager
def files_of_at_most(n_bytes: int) -> Iterator[None]:
    """Let the system refuse to write more bytes to any file, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_full_disk_names_the_folder_and_the_parameter(
    table: pd.DataFrame, tmp_path: Path, n_jobs: int
) -> None:
    source = in_parts(table, [100, 100, 100])
    with files_of_at_most(1000):
        fit(HiddenNaiveBayes(), source, TARGET, folder=tmp_path)  # writes no rows
        with pytest.raises(DataError) as caught:
            fit(LogisticRegression(), source, TARGET, folder=tmp_path, n_jobs=n_jobs)
    message = str(caught.value)
    assert message.startswith(str(tmp_path))
    assert "File too large" in message
    assert message.endswith("choose a folder with more room with folder=")
    assert not any(tmp_path.iterdir()), "temporary files are removed"


def test_no_space_on_the_device(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    block = CategoricalTable.from_codes([[0, 1]] * 9000, n_states=[2, 2]), np.zeros(9000), None
    with pytest.raises(DataError, match=r"full: the temporary file .* No space left on device"):
        write_blocks(tmp_path / "full", "part 0", iter([block]))


def test_a_folder_that_does_not_exist_is_an_error(table: pd.DataFrame, tmp_path: Path) -> None:
    unread = FaultyPartition(
        name="a", columns=tuple(table.columns), frame=table, error=AssertionError("it was read")
    )
    with pytest.raises(DataError, match=r"gone: no folder of temporary files .* folder="):
        fit(NaiveBayes(), in_partitions([unread]), TARGET, folder=tmp_path / "gone")


def test_temporary_files_are_removed(table: pd.DataFrame, tmp_path: Path) -> None:
    fit(LogisticRegression(), in_parts(table, [100]), TARGET, folder=tmp_path)
    assert not any(tmp_path.iterdir())
