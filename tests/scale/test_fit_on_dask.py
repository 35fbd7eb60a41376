"""Fits on the workers of a Dask cluster: the model of one process, whatever happens to workers.

Most clusters are threads of this process that send messages by TCP, as processes do; they start
fast. Workers that die are processes.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import pandas as pd
import pytest
from distributed import Client

from augury import HiddenNaiveBayes, NaiveBayes
from augury.data.errors import DataError
from augury.scale import fit
from augury.workers.tasks import WorkersLostError
from tests.scale.dask_processes import scheduler_process, start_cluster, worker_process
from tests.scale.same_model import (
    COUNT_MODELS,
    EVENT_MODELS,
    EXACT,
    NUMBER_MODELS,
    REGRESSIONS,
    assert_same_model,
    fit_in_memory,
)
from tests.scale.tables import (
    TARGET,
    WEIGHT,
    DeadlyPartition,
    FaultyPartition,
    WaitingPartition,
    count_table,
    in_partitions,
    in_parts,
    mixed_table,
    part_of,
)

SIZES = (60, 1, 0, 99, 50, 30, 70)


@pytest.fixture(scope="module", params=[1, 2, 4])
def client_of_threads(request: pytest.FixtureRequest) -> Iterator[Client]:
    with (
        start_cluster(request.param, processes=False, protocol="tcp") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        start_cluster(2, processes=False, protocol="tcp") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def table() -> pd.DataFrame:
    return mixed_table()[["size", "width", "colour", WEIGHT, TARGET]]


def test_any_number_of_workers_gives_the_same_model(client_of_threads: Client) -> None:
    """A hybrid takes a hundred passes, so it gets fewer columns."""
    for models, table in (
        (COUNT_MODELS | NUMBER_MODELS, mixed_table()),
        (EVENT_MODELS, count_table()),
        ({"hybrid": REGRESSIONS["hybrid"]}, mixed_table()[["size", "colour", WEIGHT, TARGET]]),
    ):
        source = in_parts(table, SIZES)
        for model in models.values():
            found = fit(model, source, TARGET, weight=WEIGHT, client=client_of_threads)
            assert_same_model(found, fit_in_memory(model, table, weighted=True), table)


def test_partitions_of_a_dask_frame_are_computed_where_they_lie(
    client: Client, table: pd.DataFrame
) -> None:
    frame = dd.from_pandas(table, npartitions=5)
    for model, source in (
        (HiddenNaiveBayes(), frame),
        (HiddenNaiveBayes(), client.persist(frame)),
        (EXACT, frame),
    ):
        found = fit(model, source, TARGET, weight=WEIGHT, client=client)
        assert_same_model(found, fit_in_memory(model, table, weighted=True), table)


# ---- workers that die ---------------------------------------------------------------------------


def test_a_worker_killed_in_the_middle_does_not_change_the_model(
    table: pd.DataFrame, tmp_path: Path
) -> None:
    """A worker process is killed while it reads, in the first pass and when blocks are kept."""
    parts = [part_of(table[k : k + 40], k) for k in range(0, 400, 40)]
    waiting = WaitingPartition(
        name="waiting", columns=tuple(table.columns), frame=table[200:240], folder=tmp_path
    )
    source = in_partitions([*parts[:5], waiting, *parts[6:]])
    killed: list[int] = []

    def kill_reader() -> None:
        while not (found := list(tmp_path.glob("reader-*"))):
            time.sleep(0.02)
        killed.append(int(found[0].name.partition("-")[2]))
        os.kill(killed[0], signal.SIGKILL)
        (tmp_path / "go").touch()

    with start_cluster(2) as cluster, Client(cluster, set_as_default=False) as client:
        killer = threading.Thread(target=kill_reader)
        killer.start()
        found = fit(HiddenNaiveBayes(), source, TARGET, weight=WEIGHT, client=client)
        killer.join()
        assert_same_model(found, fit_in_memory(HiddenNaiveBayes(), table, weighted=True), table)
        assert killed[0] not in client.run(os.getpid).values()

        # The partitions that a regression keeps are lost with a worker.
        passes = kill_a_worker_at_pass(6, client)
        found = fit(EXACT, in_parts(table, SIZES), TARGET, weight=WEIGHT, client=client)
        assert len(passes) > 6
        assert_same_model(found, fit_in_memory(EXACT, table, weighted=True), table)


def kill_a_worker_at_pass(number: int, client: Client) -> list[int]:
    """Kill a worker process when a pass begins; return a list that grows with each pass."""
    passes: list[int] = []
    compute = client.compute

    def count(*args: Any, **options: Any) -> Any:
        passes.append(len(passes))
        if len(passes) == number:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        return compute(*args, **options)

    client.compute = count
    return passes


def test_a_partition_that_ends_workers_again_and_again_is_named(table: pd.DataFrame) -> None:
    deadly = DeadlyPartition(name="part 1", columns=tuple(table.columns), frame=table[100:200])
    source = in_partitions([part_of(table[:100], 0), deadly, part_of(table[200:], 2)])
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        start_cluster(1) as cluster,
        Client(cluster, set_as_default=False) as client,
        pytest.raises(WorkersLostError, match=r"^(part 0 or )?part 1( or part 2)?: 2 worker proc"),
    ):
        fit(NaiveBayes(), source, TARGET, weight=WEIGHT, client=client)


# ---- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (DataError("the row is broken"), DataError, "part 1: the row is broken"),
        (ValueError("no number"), ValueError, "part 1: no number"),
        (KeyError("sky"), RuntimeError, "part 1: KeyError: 'sky'"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else None,
)
def test_a_partition_that_raises_is_named(
    client: Client, table: pd.DataFrame, error: Exception, kind: type, message: str
) -> None:
    faulty = FaultyPartition(
        name="part 1", columns=tuple(table.columns), frame=table[100:200], error=error
    )
    source = in_partitions([part_of(table[:100], 0), faulty, part_of(table[200:], 2)])
    with pytest.raises(kind) as caught:
        fit(NaiveBayes(), source, TARGET, weight=WEIGHT, client=client)
    assert (type(caught.value), str(caught.value)) == (kind, message)


@pytest.mark.parametrize("kind", [ZeroDivisionError, FileNotFoundError, TimeoutError])
def test_a_partition_of_a_dask_frame_that_raises_is_named(
    client: Client, table: pd.DataFrame, kind: type[Exception]
) -> None:
    def make(number: int) -> pd.DataFrame:
        if number == 2:
            raise kind("no such month")
        return table[number * 100 : number * 100 + 100]

    frame = dd.from_map(make, range(4), meta=table[:0])
    message = rf"^the Dask DataFrame, partition 2 of 4: cannot be computed \({kind.__name__}: no"
    with pytest.raises(DataError, match=message):
        fit(NaiveBayes(), frame, TARGET, weight=WEIGHT, client=client)


def test_an_address_is_a_client(client: Client, table: pd.DataFrame) -> None:
    source, address = in_parts(table, SIZES), client.scheduler.address
    found = fit(NaiveBayes(), source, TARGET, weight=WEIGHT, client=address)
    assert_same_model(found, fit_in_memory(NaiveBayes(), table, weighted=True), table)
    assert client.status == "running"


def test_an_unknown_scheduler_is_an_error(table: pd.DataFrame) -> None:
    source = in_parts(table, SIZES)
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.5s"}),
        pytest.raises(WorkersLostError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1"),
    ):
        fit(NaiveBayes(), source, TARGET, client="tcp://127.0.0.1:9")
    with pytest.raises(TypeError, match=r"client must be a distributed\.Client or the address"):
        fit(NaiveBayes(), source, TARGET, client=4)


def test_a_scheduler_without_workers_is_an_error(
    table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augury.workers.dask_client.PATIENCE", 0.2)
    with (
        start_cluster(0, processes=False) as cluster,
        Client(cluster, set_as_default=False) as client,
        pytest.raises(WorkersLostError, match=r"has no workers for 0\.2 s"),
    ):
        fit(NaiveBayes(), in_parts(table, SIZES), TARGET, client=client)


def test_a_scheduler_that_is_lost_is_an_error(table: pd.DataFrame, tmp_path: Path) -> None:
    """A scheduler in a process of its own is killed while a partition is read."""
    waiting = WaitingPartition(
        name="waiting", columns=tuple(table.columns), frame=table[:200], folder=tmp_path
    )
    source = in_partitions([waiting, part_of(table[200:], 1)])
    with scheduler_process() as (scheduler, address), worker_process(address):

        def kill_scheduler() -> None:
            while not list(tmp_path.glob("reader-*")):
                time.sleep(0.02)
            scheduler.kill()

        killer = threading.Thread(target=kill_scheduler)
        killer.start()
        with pytest.raises(WorkersLostError, match="is lost; start again with a new scheduler"):
            fit(NaiveBayes(), source, TARGET, weight=WEIGHT, client=address)
        killer.join()


def test_workers_that_cannot_import_augury_are_an_error(table: pd.DataFrame) -> None:
    with (
        start_cluster(0, processes=False, protocol="tcp") as cluster,
        worker_process(cluster.scheduler_address, "sys.modules['augury'] = None"),
        pytest.raises(WorkersLostError, match=r"cannot run augury: ModuleNotFoundError: No mod"),
    ):
        fit(NaiveBayes(), in_parts(table, SIZES), TARGET, client=cluster.scheduler_address)


def test_a_client_that_is_closed_is_an_error(table: pd.DataFrame) -> None:
    with start_cluster(1, processes=False) as cluster:
        client = Client(cluster, set_as_default=False)
        client.close()
        with pytest.raises(WorkersLostError, match="is lost"):
            fit(NaiveBayes(), in_parts(table, SIZES), TARGET, client=client)
