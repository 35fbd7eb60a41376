"""Runs over the partitions of a source that write predictions."""

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Protocol

import cloudpickle

from augury.data.errors import DataError
from augury.optional import import_extra
from augury.scale.predictions.forms import CsvForm, CsvWriter, Form, Rendered, Writer
from augury.scale.predictions.output_files import complete_file, complete_folder, naming
from augury.scale.predictions.row_predictor import RowPredictor
from augury.scale.predictions.score_sums import ScoreSums
from augury.scale.rows.pieces_in_order import PiecesInOrder
from augury.scale.rows.progress import Progress
from augury.scale.sources.source import Partition

# Bytes of a partition of a source. They are fewer than in a fit: the predictions of several
# partitions wait for their turn.
PARTITION_BYTES = 1 << 24
# How often the model may be lost with its workers until the run ends with an error.
_MAX_LOST = 5


@dataclass(frozen=True)
class Counts:
    """Numbers of rows; they add."""

    n_rows: int = 0
    n_labelled: int = 0
    n_right: int = 0
    formula: str = ""
    scores: ScoreSums | None = None
    tally: Any = None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.n_rows + other.n_rows,
            self.n_labelled + other.n_labelled,
            self.n_right + other.n_right,
            self.formula or other.formula,
            add_scores(self.scores, other.scores),
            add_tallies(self.tally, other.tally),
        )


def add_scores(one: ScoreSums | None, other: ScoreSums | None) -> ScoreSums | None:
    """Return the sum of two sums; None stands for no rows."""
    return one + other if one is not None and other is not None else one or other


def add_tallies(one: Any, other: Any) -> Any:
    """Return the sum of what a counter has returned; None stands for no rows."""
    return one + other if one is not None and other is not None else one or other


@dataclass(frozen=True, eq=False)
class PredictedPiece:
    """A piece of the output, which is None if it has been written, and its numbers of rows."""

    rendered: Rendered | None
    counts: Counts

    @property
    def n_bytes(self) -> int:
        """The memory of the piece."""
        return 0 if self.rendered is None else self.rendered.n_bytes


# A partition with its number.
NumberedPartition = tuple[int, Partition]
Work = Callable[[NumberedPartition], Iterator[PredictedPiece]]
# Pieces with the numbers of their partitions.
NumberedPieces = Generator[tuple[int, PredictedPiece], None, None]


class Run(Protocol):
    """Calls a function for each partition."""

    def pieces(self, partitions: Sequence[Partition], work: Work) -> NumberedPieces:
        """Yield the number of the partition and the piece, in the order of the rows."""


class ThreadRun:
    """Threads of this process."""

    def __init__(self, n_threads: int) -> None:
        self._n_threads = n_threads

    def pieces(self, partitions: Sequence[Partition], work: Work) -> NumberedPieces:
        """Yield the pieces; the threads end with the iteration."""
        numbered = list(enumerate(partitions))
        found = PiecesInOrder(numbered, work, _bytes_of, self._n_threads)
        with closing(found):
            yield from found


class DaskRun:
    """Workers of a Dask cluster. Few partitions are ahead of those that were written."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._distributed = import_extra("distributed", extra="dask", purpose="a Dask cluster")

    def pieces(self, partitions: Sequence[Partition], work: Work) -> NumberedPieces:
        """Yield the pieces; a partition whose worker died is predicted again."""
        packed = cloudpickle.dumps(work)
        sent = self._send(packed)
        ahead = 2 * max(1, sum(self._client.nthreads().values()))
        tasks: deque[tuple[NumberedPartition, Any]] = deque()
        following = iter(enumerate(partitions))
        n_lost = 0
        try:
            while True:
                while len(tasks) < ahead and (part := next(following, None)) is not None:
                    tasks.append((part, self._submit(part, sent)))
                if not tasks:
                    return
                (number, partition), future = tasks[0]
                try:
                    found = self._result(future, partition)
                except CancelledError as error:  # the worker that died had the model, too
                    n_lost += 1
                    if n_lost > _MAX_LOST:
                        raise _workers_died(partition) from error
                    sent = self._send(packed)
                    tasks = deque((part, self._submit(part, sent)) for part, _ in tasks)
                    continue
                tasks.popleft()
                yield from ((number, piece) for piece in found)
        finally:
            self._client.cancel([future for _, future in tasks], force=True)

    def _send(self, packed: bytes) -> Any:
        return self._client.scatter(packed, hash=False, broadcast=True)

    def _submit(self, part: NumberedPartition, sent: Any) -> Any:
        return self._client.submit(_all_pieces, part, sent, pure=False)

    def _result(self, future: Any, partition: Partition) -> list[PredictedPiece]:
        try:
            found: list[PredictedPiece] = future.result()
        except self._distributed.KilledWorker as error:
            raise _workers_died(partition) from error
        return found


def _workers_died(partition: Partition) -> DataError:
    return DataError(
        f"{partition.name}: the Dask workers died while they predicted its rows; do they have "
        "enough memory?"
    )


@dataclass(frozen=True, eq=False)
class PredictionJob:
    """Predictions of all partitions of a source, which are written.

    Attributes
    ----------
    partitions : the partitions of the source
    predictor : what predicts rows
    form : the form of the files
    run : who calls the predictor
    progress : what receives the progress
    """

    partitions: Sequence[Partition]
    predictor: RowPredictor
    form: Form
    run: Run
    progress: Progress

    def write_file(self, path: Path) -> tuple[tuple[Path, ...], Counts]:
        """Write one file; return its path and the numbers of rows."""
        with complete_file(path) as temporary:
            writer = self.form.open(temporary, path)
            try:
                counts = self._write(writer)
                writer.close()
            except BaseException:
                writer.abandon()
                raise
        return (path,), counts

    def write_stream(self, stream: IO[bytes]) -> tuple[tuple[Path, ...], Counts]:
        """Write CSV to a stream, which is not closed."""
        assert isinstance(self.form, CsvForm)
        name = Path(str(getattr(stream, "name", "the stream")))
        counts = self._write(CsvWriter(stream, name, self.form.written_names))
        with naming(name):
            stream.flush()
        return (), counts

    def write_folder(self, path: Path) -> tuple[tuple[Path, ...], Counts]:
        """Write a file for each partition, by the thread or worker that predicts it."""
        names = part_names(len(self.partitions))
        with complete_folder(path) as temporary:
            work = _FileOfPartition(self.predictor, self.form, temporary, path, tuple(names))
            counts = self._count(work)
            for file in temporary.iterdir():
                if file.name not in names:
                    file.unlink()  # of a worker that was killed
        return tuple(path / name for name in names), counts

    def _write(self, writer: Writer) -> Counts:
        return self._count(_PiecesOfPartition(self.predictor, self.form), writer)

    def _count(self, work: Work, writer: Writer | None = None) -> Counts:
        """Write pieces in order, and return the sum of their numbers of rows."""
        counts, n_done = Counts(), 0
        with closing(self.run.pieces(self.partitions, work)) as pieces:
            for number, piece in pieces:
                if writer is not None and piece.rendered is not None:
                    writer.write(piece.rendered.piece)
                counts += piece.counts
                self.progress.advance(number - n_done, piece.counts.n_rows)
                n_done = number
        self.progress.advance(len(self.partitions) - n_done, 0)
        return counts


def part_names(n_partitions: int) -> list[str]:
    """Return the names of the files of partitions; their order is that of the partitions.

    >>> part_names(2)
    ['part-00000.parquet', 'part-00001.parquet']
    """
    width = max(5, len(str(n_partitions - 1)))
    return [f"part-{number:0{width}d}.parquet" for number in range(n_partitions)]


@dataclass(frozen=True, eq=False)
class _PiecesOfPartition:
    """Predicts a partition and renders its rows."""

    predictor: RowPredictor
    form: Form

    def __call__(self, numbered: NumberedPartition) -> Iterator[PredictedPiece]:
        _, partition = numbered
        for rows in self.predictor.predict(partition):
            rendered = self.form.render(rows.frame, partition.name)
            yield PredictedPiece(
                rendered,
                Counts(
                    len(rows.frame),
                    rows.n_labelled,
                    rows.n_right,
                    rendered.formula,
                    rows.scores,
                    rows.tally,
                ),
            )


@dataclass(frozen=True, eq=False)
class _FileOfPartition:
    """Predicts a partition and writes its rows to a file.

    If a partition is predicted twice, since its Dask worker was lost, either file is complete.
    """

    predictor: RowPredictor
    form: Form
    folder: Path
    final_folder: Path
    names: tuple[str, ...]

    def __call__(self, numbered: NumberedPartition) -> Iterator[PredictedPiece]:
        number, _ = numbered
        name = self.names[number]
        temporary = self.folder / f".{name}.{token_hex(4)}.temporary"
        final = self.final_folder / name
        writer = self.form.open(temporary, final)
        try:
            for piece in _PiecesOfPartition(self.predictor, self.form)(numbered):
                assert piece.rendered is not None
                writer.write(piece.rendered.piece)
                yield PredictedPiece(None, piece.counts)
            writer.close()
        except BaseException:
            writer.abandon()
            raise
        with naming(final):
            temporary.replace(self.folder / name)


def _all_pieces(numbered: NumberedPartition, work: bytes) -> list[PredictedPiece]:
    # As bytes: arrays that Dask has received may be unaligned, and the model has arrays.
    return list(pickle.loads(work)(numbered))  # noqa: S301 (from the client of this cluster)


def _bytes_of(piece: PredictedPiece) -> int:
    return piece.n_bytes


__all__ = [
    "PARTITION_BYTES",
    "Counts",
    "DaskRun",
    "PredictionJob",
    "Run",
    "ThreadRun",
    "part_names",
]
