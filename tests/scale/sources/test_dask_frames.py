"""Partitions of a Dask DataFrame are computed where they lie."""

import pickle

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from source_frames import all_kinds, joined

from augury.data import DataError
from augury.scale.sources import open_source


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def plain_kinds():
    return all_kinds().drop(columns=["amount", "day", "nothing", "flag or none"])


def test_frames_are_those_of_compute():
    frame = dd.from_pandas(plain_kinds(), npartitions=4)
    source = open_source(frame)
    assert source.n_rows is None
    assert len(source.partitions) == frame.npartitions
    expected = frame.compute(scheduler="synchronous").reset_index(drop=True)
    pd.testing.assert_frame_equal(joined(source, max_rows=4), expected)
    chosen = joined(source, ["label", "whole"])
    pd.testing.assert_frame_equal(chosen, expected[["label", "whole"]])


def test_delayed_frame_is_checked_and_has_the_columns():
    source = open_source(dd.from_pandas(plain_kinds(), npartitions=2))
    part = source.partitions[1].delayed(["whole"])
    [frame] = dask.compute(part, scheduler="synchronous")
    assert frame.columns.tolist() == ["whole"]


def read_in_task(content):
    return pd.concat(pickle.loads(content).frames(["whole"], max_rows=3), ignore_index=True)


def test_frames_are_computed_in_a_worker_and_with_a_client(client):
    frame = dd.from_pandas(plain_kinds(), npartitions=2)
    partitions = open_source(frame).partitions
    contents = [pickle.dumps(partition) for partition in partitions]
    frames = client.gather(client.map(read_in_task, contents))
    assert pd.concat(frames)["whole"].tolist() == list(range(23))
    kept = open_source(client.persist(frame))
    assert pd.concat(kept.partitions[0].frames())["whole"].tolist()[:3] == [0, 1, 2]


def test_partition_is_pickled_without_the_others():
    frame = pd.DataFrame({"x": np.arange(20_000)})
    source = open_source(dd.from_pandas(frame, npartitions=20))
    assert len(pickle.dumps(source.partitions[3])) < len(pickle.dumps(frame)) / 5
    pd.testing.assert_frame_equal(joined(source), frame)


def with_gaps(frame, partition_info=None):
    if partition_info["number"] == 1:
        return frame.assign(whole=frame["whole"].where(frame["whole"] != 20))
    return frame


def test_undeclared_dtype_is_an_error():
    frame = dd.from_pandas(plain_kinds()[["whole", "text"]], npartitions=2)
    changed = frame.map_partitions(with_gaps, meta=frame._meta)
    source = open_source(changed)
    with pytest.raises(
        DataError,
        match=r"partition 1 of 2: column 'whole' has dtype float64, but .* declares int64",
    ):
        joined(source)
    declared = changed.astype({"whole": float})
    assert joined(open_source(declared))["whole"].isna().sum() == 1


def fail(frame):
    raise RuntimeError("no such table")


def test_failing_partition_is_named():
    frame = dd.from_pandas(plain_kinds()[["whole"]], npartitions=2)
    source = open_source(frame.map_partitions(fail, meta=frame._meta))
    with pytest.raises(DataError, match=r"partition 0 of 2: cannot be computed .*no such table"):
        list(source.partitions[0].frames())
    with pytest.raises(TypeError, match="expected a Dask DataFrame, got Series"):
        open_source(frame["whole"])
