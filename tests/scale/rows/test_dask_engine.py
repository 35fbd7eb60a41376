"""What Dask computes, keeps and sends."""

import gc
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from dask.sizeof import sizeof
from distributed import Client, LocalCluster, SchedulerPlugin
from tornado.iostream import IOStream

from augury import HiddenNaiveBayes
from augury.encode import CategoricalTable
from augury.scale import fit
from augury.scale.rows.dask_engine import DaskEngine, KeptBlocks
from augury.scale.rows.numbered_partition import number_partitions
from tests.scale.dask_processes import scheduler_process, start_cluster, worker_process
from tests.scale.tables import TARGET, in_parts


class FinishedTasks(SchedulerPlugin):
    """Counts the tasks that have been computed."""

    name = "finished tasks"

    def __init__(self) -> None:
        self.n = 0

    def transition(self, key: Any, start: str, finish: str, *args: Any, **kwargs: Any) -> None:
        self.n += (start, finish) == ("processing", "memory")


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with start_cluster(2, processes=False, protocol="tcp") as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster, set_as_default=False) as client:
        yield client


def count_rows(part: Any) -> int | None:
    return sum(len(frame) for frame in part.partition.frames(["size"])) or None


def read_codes(part: Any) -> Iterator[tuple[CategoricalTable, Any, None]]:
    for frame in part.partition.frames(["size"]):
        codes = frame.to_numpy().astype(np.uint8)
        yield CategoricalTable.from_codes(codes, n_states=[9]), codes[:, 0], None


def count_kept(blocks: KeptBlocks) -> int:
    return sum(table.n_samples for table, _, _ in blocks)


def parts_of(n_parts: int) -> list[Any]:
    table = pd.DataFrame({"size": np.arange(10 * n_parts) % 7})
    return number_partitions(in_parts(table, [10] * (n_parts - 1)).partitions)


@pytest.mark.parametrize("n_parts", [1, 7, 8, 9, 65])
def test_a_pass_has_as_many_tasks_as_partitions_and_a_tree_of_sums(
    cluster: LocalCluster, client: Client, n_parts: int
) -> None:
    tasks = FinishedTasks()
    cluster.scheduler.add_plugin(tasks)
    try:
        with DaskEngine(client) as engine:
            assert engine.total(parts_of(n_parts), count_rows) == 10 * n_parts
        n_sums = {1: 0, 7: 1, 8: 1, 9: 3, 65: 9 + 2 + 1}[n_parts]
        # The function is a task of its own, unless Dask puts it into the others.
        assert n_parts + n_sums <= tasks.n <= n_parts + n_sums + 1
    finally:
        cluster.scheduler.remove_plugin(tasks.name)


def test_nothing_of_a_pass_stays_on_the_cluster(cluster: LocalCluster, client: Client) -> None:
    with DaskEngine(client) as engine:
        parts, read = engine.keep(parts_of(20), read_codes)
        assert len(parts) == 10, "two partitions are kept together"
        for _ in range(3):
            assert engine.total(parts, count_kept) == 200
        assert read is iter
        kept = {part.future.key for part in parts}
        wait_until(lambda: len(kept & set(cluster.scheduler.tasks)) == len(kept))
        wait_until(lambda: n_in_memory(cluster) == len(kept))
    del parts, engine
    gc.collect()
    wait_until(lambda: not cluster.scheduler.tasks)


class Seen:
    """Remembers the progress of passes."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int, int | None]] = []
        self.n_parts = self.n_rows = 0

    def begin(self, task: str, n_partitions: int, n_rows: int | None) -> None:
        self.begun.append((task, n_partitions, n_rows))

    def advance(self, n_partitions: int, n_rows: int | None) -> None:
        self.n_parts += n_partitions
        self.n_rows += n_rows or 0


def test_progress_reports_all_rows_and_keeps_no_sums(cluster: LocalCluster, client: Client) -> None:
    seen = Seen()
    parts = [part._replace(partition=replace(part.partition, n_rows=10)) for part in parts_of(20)]
    with DaskEngine(client, seen) as engine:
        assert engine.total(parts, count_rows) == 200
        wait_until(lambda: not cluster.scheduler.tasks)
        kept, _ = engine.keep(parts, read_codes)
        assert engine.total(kept, count_kept) == 200
    assert seen.begun == [("pass 1", 20, 200), ("pass 2", 10, 200)]
    assert (seen.n_parts, seen.n_rows) == (30, 400)


def n_in_memory(cluster: LocalCluster) -> int:
    return sum(task.state == "memory" for task in cluster.scheduler.tasks.values())


def wait_until(is_done: Any) -> None:
    """Wait: the scheduler hears a moment later that a client needs a result no more."""
    end = time.monotonic() + 30
    while not is_done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_kept_blocks_tell_dask_their_size_and_are_aligned() -> None:
    codes = np.zeros((1000, 3), dtype=np.uint16, order="F")
    buffer = np.zeros(8001, dtype=np.uint8)
    unaligned = buffer[1:].view(np.float64)
    assert not unaligned.flags.aligned
    table = CategoricalTable.from_codes(codes, n_states=[2, 2, 2])
    kept = KeptBlocks([(table, np.zeros(1000, dtype=np.int32), unaligned)])
    assert sizeof(kept) >= table.codes.nbytes + 4000 + 8000
    for _, y, weight in kept:
        assert weight.flags.aligned
        assert len(weight) == len(y) == 1000


def test_bytes_that_the_client_receives_do_not_grow_with_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The cluster has processes of its own, so that all that arrives here is for the client."""
    received = [0]
    read = IOStream.read_from_fd

    def count(self: IOStream, buffer: Any) -> int | None:
        n_bytes = read(self, buffer)
        received[0] += n_bytes or 0
        return n_bytes

    monkeypatch.setattr(IOStream, "read_from_fd", count)
    states = np.random.default_rng(0).integers(0, 40, (400, 6)).astype(str)
    small = pd.DataFrame(states, columns=list("abcdef")).assign(**{TARGET: ["no", "yes"] * 200})
    large = pd.concat([small] * 4, ignore_index=True)
    n_bytes = []
    with (
        scheduler_process() as (_, address),
        worker_process(address),
        Client(address, set_as_default=False) as client,
    ):
        for table, n_parts in ((small, 10), (large, 40)):
            before = received[0]
            fit(HiddenNaiveBayes(), in_parts(table, [40] * (n_parts - 1)), TARGET, client=client)
            n_bytes.append(received[0] - before)
    # Messages about the state of the cluster arrive too, a few thousand bytes a second.
    assert n_bytes[0] > 400_000, "counts of all pairs of states arrive"
    assert n_bytes[1] < 1.3 * n_bytes[0], n_bytes
