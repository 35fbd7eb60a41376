"""Results of experiments, as they are read from a folder."""

import json
import math
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from augury.bench.errors import StoreError
from augury.bench.packing import Array, unpack_integers, unpack_shares
from augury.bench.store_schema import SCHEMA_VERSION
from augury.evaluate.fold_results import FoldResult

RESULTS_FILE = "results.sqlite"
_PATIENCE = 60.0  # seconds that a writer waits for another


@dataclass(frozen=True, slots=True)
class Failure:
    """A fold that raised an error."""

    dataset: str
    model: str
    protocol: str
    run: int
    fold: int
    traceback: str


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """What a store knows of a data set: its class codes, and details for a reader."""

    name: str
    checksum: str
    splitter: dict[str, Any]
    details: dict[str, Any]
    labels: Array


class StoredResults:
    """What is in a folder of results, which other processes may add to meanwhile.

    Parameters
    ----------
    folder : path
        As given to `augury run --out`.

    Raises
    ------
    StoreError
        If there are no results in it, or not of this version's tables.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / RESULTS_FILE).is_file():
            raise StoreError(f"{folder} has no results: there is no file {RESULTS_FILE} in it")
        self._open(folder)
        self._check_version()

    def _open(self, folder: Path | None) -> None:
        self.folder = folder
        self._guard = threading.RLock()
        file = ":memory:" if folder is None else str(folder / RESULTS_FILE)
        try:
            self._connection = _connect(file)
        except sqlite3.Error as error:
            raise StoreError(f"{folder} has no readable results: {error}") from error

    def _check_version(self) -> None:
        try:
            found = self.meta("schema")
        except sqlite3.OperationalError as error:  # a run was stopped before it made its tables
            raise StoreError(f"{self.folder} has no results yet: {error}") from error
        if found != SCHEMA_VERSION:
            raise StoreError(
                f"{self.folder} was written by another version of augury (tables {found}, this "
                f"one reads {SCHEMA_VERSION}); use another folder"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _read(self, query: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._guard:
            return self._connection.execute(query, parameters).fetchall()

    def meta(self, key: str, default: Any = None) -> Any:
        """Return what was remembered about the experiment."""
        found = self._read("SELECT value FROM meta WHERE key = ?", (key,))
        return json.loads(found[0][0]) if found else default

    def results(self) -> list[FoldResult]:
        """Return the completed folds, by data set, model, run and fold."""
        rows = self._read(
            "SELECT dataset, model, protocol, run, fold, n_train, n_test, accuracy, log_loss, "
            "brier, fit_seconds, predict_seconds FROM fold WHERE status = 'done' "
            "ORDER BY dataset, model, protocol, run, fold"
        )
        return [
            FoldResult(*row[:7], *(math.nan if part is None else part for part in row[7:]))
            for row in rows
        ]

    def count(self, status: str) -> int:
        """Return the number of folds that are claimed, done or failed."""
        return int(self._read("SELECT COUNT(*) FROM fold WHERE status = ?", (status,))[0][0])

    def failures(self) -> list[Failure]:
        """Return the folds that raised an error."""
        rows = self._read(
            "SELECT dataset, model, protocol, run, fold, message FROM fold "
            "WHERE status = 'failed' ORDER BY dataset, model, protocol, run, fold"
        )
        return [Failure(*row) for row in rows]

    def messages(self) -> list[tuple[str, str, str]]:
        """Return data set, model and text of the warnings that completed folds gave."""
        rows = self._read(
            "SELECT DISTINCT dataset, model, message FROM fold "
            "WHERE status = 'done' AND message IS NOT NULL ORDER BY dataset, model"
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def datasets(self) -> list[StoredDataset]:
        """Return the data sets, in the order in which they were added."""
        rows = self._read(
            "SELECT name, checksum, splitter, details, labels FROM dataset ORDER BY rowid"
        )
        return [
            StoredDataset(
                name, check, json.loads(folds), json.loads(details), unpack_integers(labels)
            )
            for name, check, folds, details, labels in rows
        ]

    def models(self) -> dict[str, dict[str, Any]]:
        """Return the description of each model, in the order in which they were added."""
        rows = self._read("SELECT name, description FROM model ORDER BY rowid")
        return {name: json.loads(text) for name, text in rows}

    def environments(self) -> list[dict[str, Any]]:
        """Return the environments that completed folds were computed in."""
        rows = self._read(
            "SELECT content FROM environment WHERE id IN "
            "(SELECT DISTINCT environment FROM fold WHERE status = 'done') ORDER BY id"
        )
        return [json.loads(text) for (text,) in rows]

    def predictions(
        self, dataset: str, model: str, protocol: str | None = None
    ) -> list[tuple[int, int, Array, Array, Array | None]]:
        """Return run, fold, test rows, predicted codes and confidence of completed folds.

        Of all protocols, unless one is given.
        """
        rows = self._read(
            "SELECT fold.run, fold.fold, rows, predicted, confidence FROM fold JOIN test_rows "
            "ON test_rows.dataset = fold.dataset AND test_rows.run = fold.run "
            "AND test_rows.fold = fold.fold WHERE fold.dataset = ? AND model = ? "
            "AND status = 'done' AND protocol = COALESCE(?, protocol) ORDER BY fold.run, fold.fold",
            (dataset, model, protocol),
        )
        return [
            (run, fold, unpack_integers(tested), unpack_integers(codes), unpack_shares(shares))
            for run, fold, tested, codes, shares in rows
        ]

    def portraits(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Return what models learned from all rows, by data set and model."""
        rows = self._read("SELECT dataset, model, content FROM portrait")
        return {(dataset, model): json.loads(text) for dataset, model, text in rows}


def _connect(file: str) -> sqlite3.Connection:
    # One connection for all threads of the process, guarded by a lock: joblib asks for the
    # next task in a thread of its own.
    connection = sqlite3.connect(
        file, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


__all__ = ["RESULTS_FILE", "Failure", "StoredDataset", "StoredResults"]
