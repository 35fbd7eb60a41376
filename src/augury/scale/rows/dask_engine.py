"""Sums over partitions on the workers of a Dask cluster."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, reduce
from itertools import chain
from operator import add
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any, TypeVar
from uuid import uuid4

import cloudpickle
import numpy as np
import pandas as pd

from augury.data.errors import DataError
from augury.encode import CategoricalTable
from augury.scale.rows.block_files import EncodedBlock
from augury.scale.rows.engine import Part, ReadPart
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.rows.partition_errors import naming
from augury.scale.rows.progress import PassProgress, Progress, rows_of
from augury.scale.sources.dask_frames import DaskPartition
from augury.scale.sources.frames_in_memory import PandasPartition
from augury.workers.dask_client import PATIENCE, POLL_SECONDS
from augury.workers.dask_scheduler import DaskScheduler
from augury.workers.tasks import WorkersLostError

T = TypeVar("T")

# Number of sums that one task adds.
_FAN_IN = 8

# Partitions are kept in groups, a few for each thread so that all threads end together.
_GROUPS_OF_A_THREAD = 4
_MAX_GROUP = 16

# Number of partitions that an error names.
_MAX_SUSPECTS = 5


class DaskEngine:
    """Workers of a Dask cluster, each of which reads its own partitions.

    A pass is one graph of tasks: one for each partition, and a tree of sums in the order of the
    partitions. The client receives one sum, so the number of bytes does not grow with the rows.
    Encoded blocks are kept in the memory of the workers, which Dask writes to disk if it is full.
    If a worker dies, Dask computes its partitions again.

    Parameters
    ----------
    client : distributed.Client or str
        A client, or the address of a scheduler.
    progress : Progress or None
        Receives the progress of each pass.

    Notes
    -----
    Workers are faster if `MALLOC_TRIM_THRESHOLD_`, which Dask sets, is unset before they start:
    `dask.config.set({"distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None})`.

    Raises
    ------
    WorkersLostError
        If the scheduler cannot be reached or is lost, if it has no workers for a minute, if they
        cannot import augury, or if they die again and again from the same partition.
    """

    def __init__(self, client: Any, progress: Progress | None = None) -> None:
        self._progress = PassProgress(progress)
        self._scheduler = DaskScheduler(client, "start again with a new scheduler")
        self._names: dict[Any, str] = {}  # of the partitions that are kept

    def __enter__(self) -> DaskEngine:
        self._scheduler.__enter__()
        try:
            self._scheduler.require_import(__name__)
        except BaseException:
            self._scheduler.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Close the client if it is our own; Dask releases futures that nobody refers to."""
        self._scheduler.__exit__()

    def total(self, parts: Sequence[Part], function: Callable[[Part], T | None]) -> T | None:
        """Return the sum of a function over the partitions."""
        tasks = self._tasks(_call, parts, function)
        names = self._names | _names_by_key(tasks, parts)
        add_some, sums = _delayed(_add), tasks
        while len(sums) > 1:
            sums = [add_some(*sums[k : k + _FAN_IN]) for k in range(0, len(sums), _FAN_IN)]
        self._progress.begin(parts)
        if self._progress.is_wanted:
            future, *steps = self._compute([*sums, *tasks])
            done = _note_done(parts, steps)
            del steps  # a result that the client refers to would stay in the memory of a worker
        else:
            [future], done = self._compute(sums), SimpleQueue()
        total: T | None = self._result(future, names, done)
        return total

    def keep(self, parts: Sequence[Part], read: ReadPart) -> tuple[Sequence[Part], ReadPart]:
        """Keep the blocks in the memory of the workers.

        Some partitions are kept together: each later pass has fewer tasks.
        """
        n_groups = _GROUPS_OF_A_THREAD * self._scheduler.n_threads()
        size = max(1, min(len(parts) // n_groups, _MAX_GROUP))
        loads = self._tasks(_load, parts, read)
        groups = [loads[k : k + size] for k in range(0, len(loads), size)]
        join = _delayed(_join)
        futures = self._compute([join(*group) for group in groups])
        self._names |= _names_by_key(loads, parts)
        kept = [parts[k : k + size] for k in range(0, len(parts), size)]
        return [KeptPart.of(*each) for each in zip(kept, futures, strict=True)], iter

    def _tasks(
        self, task: Callable[..., Any], parts: Sequence[Part], function: Callable[..., Any]
    ) -> list[Any]:
        """Return the tasks that call a function for each partition; nothing is computed yet."""
        call, name = _delayed(task), f"augury-{uuid4().hex}"
        packed = _delayed(cloudpickle.dumps(function))
        return [
            call(
                _locate(part),
                part.name,
                packed,
                # Dask sees by such keys that the tasks are alike, and begins no more than it needs.
                dask_key_name=(name, number),
            )
            for number, part in enumerate(parts)
        ]

    def _compute(self, tasks: list[Any]) -> list[Any]:
        self._scheduler.require_running()
        with warnings.catch_warnings():
            # Dask warns of large messages, such as frames that are in memory here.
            warnings.simplefilter("ignore", UserWarning)
            futures: list[Any] = self._scheduler.client.compute(tasks, optimize_graph=False)
        return futures

    def _result(self, future: Any, names: dict[Any, str], done: SimpleQueue[Part]) -> Any:
        """Wait for a result; raise the error of a partition, or say what became of the workers."""
        while True:
            finished = Event()
            future.add_done_callback(partial(_set, event=finished))
            while not finished.wait(POLL_SECONDS):
                self._report(done)
                self._scheduler.n_threads()  # raises an error if no worker is left
            self._report(done)
            if future.status == "error":
                raise self._error(future, names)
            try:
                # Arrays that Dask has received may be unaligned; those of a copy are not.
                return pickle.loads(pickle.dumps(future.result(timeout=PATIENCE)))  # noqa: S301
            except TimeoutError:
                continue  # its worker has died, and the result is computed again
            except (CancelledError, OSError) as error:
                raise self._scheduler.lost() from error

    def _error(self, future: Any, names: dict[Any, str]) -> Exception:
        """Return the error of a future that has failed."""
        error: Exception = future.exception()
        if isinstance(error, self._scheduler.distributed.KilledWorker):
            # All tasks of a worker fail with it, those that waited for their turn too.
            suspects = [names[key] for key in names if self._failed_task(key) == key]
            return WorkersLostError(
                f"{' or '.join(suspects[:_MAX_SUSPECTS]) or 'a sum of statistics'}: "
                f"{error.allowed_failures + 1} worker processes of Dask died while they computed "
                "this; give each worker more memory, or make smaller partitions"
            )
        if isinstance(error, ImportError):
            return self._scheduler.unable(error)
        if (partition := self._computed_by_dask(future.key, names)) is not None:
            return DataError(f"{partition}: cannot be computed ({type(error).__name__}: {error})")
        return error

    def _report(self, done: SimpleQueue[Part]) -> None:
        with suppress(Empty):
            while True:
                self._progress.advance(done.get_nowait())

    def _computed_by_dask(self, key: Any, names: dict[Any, str]) -> str | None:
        """Return the partition that Dask could not compute; None if a task of ours has failed.

        Errors of our tasks name the partition. The partitions of a Dask DataFrame are computed by
        tasks of others, before ours.
        """
        failed = self._failed_task(key)
        if failed is None or failed in names:
            return None
        return next((names[each] for each in names if self._failed_task(each) == failed), None)

    def _failed_task(self, key: Any) -> Any:
        """Return the key of the task whose error made this task fail."""
        client = self._scheduler.client
        found = client.sync(client.scheduler.get_error_cause, keys=[key])
        return tuple(found) if isinstance(found, list) else found


@dataclass(frozen=True, eq=False)
class KeptPart:
    """Adjacent partitions whose blocks a worker keeps, with the name of the first."""

    name: str
    n_rows: int | None
    future: Any

    @classmethod
    def of(cls, parts: Sequence[Part], future: Any) -> KeptPart:
        """Return some partitions whose blocks are the result of a future."""
        counts = [rows_of(part) for part in parts]
        known = [n_rows for n_rows in counts if n_rows is not None]
        return cls(parts[0].name, sum(known) if len(known) == len(counts) else None, future)


class KeptBlocks:
    """Encoded blocks in the memory of a worker; Dask asks for their size."""

    def __init__(self, blocks: Iterable[EncodedBlock]) -> None:
        self._blocks = list(blocks)

    def __iter__(self) -> Iterator[EncodedBlock]:
        """Yield the blocks; those of another worker or from disk may have unaligned arrays."""
        for table, y, weight in self._blocks:
            yield _aligned_table(table), _aligned(y), None if weight is None else _aligned(weight)

    def __sizeof__(self) -> int:
        return sum(
            table.codes.nbytes + table.numbers.nbytes + y.nbytes + getattr(weight, "nbytes", 0)
            for table, y, weight in self._blocks
        )


def _note_done(parts: Sequence[Part], futures: Sequence[Any]) -> SimpleQueue[Part]:
    """Return a queue that receives each partition when its future is done."""
    done: SimpleQueue[Part] = SimpleQueue()
    for part, future in zip(parts, futures, strict=True):
        future.add_done_callback(partial(_put, done=done, part=part))
    return done


def _set(_: Any, event: Event) -> None:
    event.set()


def _put(_: Any, done: SimpleQueue[Part], part: Part) -> None:
    done.put(part)


def _locate(part: Part) -> Any:
    """Return a partition as an argument of a task; Dask runs the task where the argument lies."""
    if isinstance(part, KeptPart):
        return part.future
    number, partition = part
    if isinstance(partition, DaskPartition):
        frame = partition.delayed()
        return _delayed(_number_frame)(number, partition.name, partition.columns, frame)
    return part


def _number_frame(
    number: int, name: str, columns: tuple[str, ...], frame: pd.DataFrame
) -> NumberedPartition:
    return NumberedPartition(number, PandasPartition(name=name, columns=columns, frame=frame))


def _aligned(x: Any) -> Any:
    return np.require(x, requirements="A")


def _aligned_table(table: CategoricalTable) -> CategoricalTable:
    codes, numbers = _aligned(table.codes), _aligned(table.numbers)
    return CategoricalTable(codes, table.states, table.names, numbers, table.number_names)


def _names_by_key(tasks: list[Any], parts: Sequence[Part]) -> dict[Any, str]:
    return {task.key: part.name for task, part in zip(tasks, parts, strict=True)}


def _delayed(value: Any) -> Any:
    from dask.delayed import delayed

    return delayed(value, pure=False, traverse=False)


def _call(part: Part, name: str, function: bytes) -> Any:
    unpacked = pickle.loads(function)  # noqa: S301 (from our client)
    with naming(name):
        return unpacked(part)


def _load(part: Part, name: str, read: bytes) -> KeptBlocks:
    unpacked = pickle.loads(read)  # noqa: S301 (from our client)
    with naming(name):
        return KeptBlocks(unpacked(part))


def _join(*kept: KeptBlocks) -> KeptBlocks:
    return KeptBlocks(chain.from_iterable(kept))


def _add(*sums: T | None) -> T | None:
    found: list[Any] = [each for each in sums if each is not None]
    return reduce(add, found) if found else None


__all__ = ["DaskEngine"]
