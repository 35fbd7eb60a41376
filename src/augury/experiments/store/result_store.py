"""Writing of results: a row for each fold, in SQLite, as soon as it is known."""

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from augury.arrays import Array
from augury.errors import StoreError
from augury.evaluate.folds import FoldOutcome
from augury.experiments.environment import describe_environment
from augury.experiments.fingerprints import as_json
from augury.experiments.store.array_blobs import (
    pack_distributions,
    pack_integers,
    pack_shares,
    pack_weights,
)
from augury.experiments.store.row_checks import as_dict, reading_row
from augury.experiments.store.runner_lock import RunnerLock
from augury.experiments.store.schema import SCHEMA, SCHEMA_VERSION
from augury.experiments.store.sqlite_file import explain_error, open_for_writing
from augury.experiments.store.stored_results import Failure, StoredResults
from augury.explain.summary_contents import ModelSummary
from augury.foreign import Json
from augury.renamed_parameters import current_description

FoldKey = tuple[int, int]  # run and fold

_MEASURES = ("accuracy", "log_loss", "brier", "fit_seconds", "predict_seconds")


class ResultStore(StoredResults):
    """The folds of experiments, in a folder or, for one process, in memory.

    Any number of processes can work on a store: a fold is claimed before it is computed, and
    the claims of a process that has died are released. Rows of other data, other folds or
    other parameters under the same names are refused.

    Parameters
    ----------
    folder : path or None
        Created if it does not exist; None keeps the rows in memory.

    Examples
    --------
    >>> with ResultStore(None) as store:
    ...     store.add_model("nb", {"class": "augury.generative.NaiveBayes"})
    ...     store.claim("iris", "nb", "honest", [(1, 1), (1, 2)])
    ...     store.claim("iris", "nb", "honest", [(1, 2), (1, 3)])
    [(1, 1), (1, 2)]
    [(1, 3)]
    """

    def __init__(self, folder: Path | None) -> None:
        self._lock: RunnerLock | None = None
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = RunnerLock(folder / "runners")
            except OSError as error:
                raise StoreError(f"no results can be written to {folder}: {error}") from error
        self._runner = "memory" if self._lock is None else self._lock.name
        self._environment: int | None = None
        try:
            self._open(folder, open_for_writing)
            try:
                self._make_tables()
                self._check_version()
            except BaseException:
                super().close()
                raise
        except BaseException:
            self._release_lock()
            raise

    def _make_tables(self) -> None:
        with self._writing() as cursor:
            for statement in SCHEMA.split(";"):
                cursor.execute(statement)
            cursor.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (SCHEMA_VERSION,))

    def _release_lock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def close(self) -> None:
        """Release unfinished claims, and close the file."""
        with self._guard:
            if self._lock is not None:
                # On a full disk the claims stay; they are free when the lock is released.
                with suppress(StoreError), self._writing() as cursor:
                    cursor.execute(
                        "DELETE FROM fold WHERE status = 'claimed' AND runner = ?", (self._runner,)
                    )
                self._release_lock()
            super().close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        """Open a transaction that excludes other writers."""
        with self._guard:
            try:
                cursor = self._connection.cursor()
                cursor.execute("BEGIN IMMEDIATE")
                yield cursor
                cursor.execute("COMMIT")
            except sqlite3.DatabaseError as error:
                self._roll_back()
                raise explain_error(self.file, error) from error
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        # After some errors SQLite has rolled back by itself.
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    # ---- data sets and models ---------------------------------------------------------

    def add_dataset(
        self,
        name: str,
        checksum: str,
        splitter: Mapping[str, Json],
        details: Mapping[str, Json],
        labels: Array,
        weight: Array | None = None,
    ) -> None:
        """Add a data set with its folds and instance weights, or check that they are the same.

        Raises
        ------
        StoreError
            If the store has rows of other data or other folds under this name.
        """
        folds = as_json(splitter)
        with self._writing() as cursor:
            found = cursor.execute(
                "SELECT checksum, splitter FROM dataset WHERE name = ?", (name,)
            ).fetchone()
            if found is None:
                cursor.execute(
                    "INSERT INTO dataset VALUES (?, ?, ?, ?, ?)",
                    (name, checksum, folds, as_json(details), pack_integers(labels)),
                )
                if weight is not None:
                    cursor.execute(
                        "INSERT INTO instance_weights VALUES (?, ?)", (name, pack_weights(weight))
                    )
                return
        if found[0] != checksum:
            raise StoreError(
                f"{self.folder} has results of {name} with other data (checksum "
                f"{str(found[0])[:12]}, now {checksum[:12]}); use another folder, or give the new "
                "data another name"
            )
        if found[1] != folds:
            with reading_row(self.file, "dataset", name=name):
                stored = as_dict("splitter", found[1])
            if stored.get("class") != splitter.get("class"):  # other parameters are no news
                stored, splitter = ({"class": each.get("class")} for each in (stored, splitter))
            raise StoreError(
                f"{self.folder} has results of {name} with other folds: "
                f"{_difference(stored, splitter)}; use another folder"
            )

    def add_model(self, name: str, description: Mapping[str, Json]) -> None:
        """Add a model's class and parameters, or check that they are the same.

        A description of an earlier version of augury is equal if it is equal in the names of
        this version, see `augury.renamed_parameters`.

        Raises
        ------
        StoreError
            If the store has rows of another model under this name.
        """
        text = as_json(description)
        with self._writing() as cursor:
            found = cursor.execute(
                "SELECT description FROM model WHERE name = ?", (name,)
            ).fetchone()
            if found is None:
                cursor.execute("INSERT INTO model VALUES (?, ?)", (name, text))
                return
        if found[0] == text:
            return
        with reading_row(self.file, "model", name=name):
            stored = current_description(as_dict("description", found[0]))
        given = current_description(json.loads(text))
        if stored != given:
            raise StoreError(
                f"{self.folder} has results of {name} with other parameters: "
                f"{_difference(stored, given)}; use another folder, or another name"
            )

    def set_meta(self, key: str, value: Json) -> None:
        """Store a value of the experiment as a whole."""
        with self._writing() as cursor:
            cursor.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, as_json(value)))

    # ---- claims and rows --------------------------------------------------------------

    def open_folds(
        self,
        dataset: str,
        model: str,
        protocol: str,
        folds: Iterable[FoldKey],
        *,
        retry_failed: bool = False,
    ) -> list[FoldKey]:
        """Return the folds that are to be run: those that are not done, and have not failed."""
        rows = self._read(
            "SELECT run, fold, status FROM fold WHERE dataset = ? AND model = ? AND protocol = ?",
            (dataset, model, protocol),
        )
        closed = {"done"} if retry_failed else {"done", "failed"}
        there = {(run, fold) for run, fold, status in rows if status in closed}
        return [key for key in folds if key not in there]

    def claim(
        self,
        dataset: str,
        model: str,
        protocol: str,
        folds: Iterable[FoldKey],
        *,
        retry_failed: bool = False,
    ) -> list[FoldKey]:
        """Claim folds for this process, and return the claimed ones.

        Folds that are done, that failed (unless `retry_failed`), or that another living process
        has claimed are left out.
        """
        mine = []
        with self._writing() as cursor:
            environment = self._environment_id(cursor)
            for run, fold in folds:
                key = (dataset, model, protocol, run, fold)
                found = cursor.execute(
                    "SELECT status, runner FROM fold WHERE dataset = ? AND model = ? "
                    "AND protocol = ? AND run = ? AND fold = ?",
                    key,
                ).fetchone()
                if found is not None and not self._is_free(found[0], found[1], retry_failed):
                    continue
                cursor.execute(
                    "INSERT OR REPLACE INTO fold (dataset, model, protocol, run, fold, status, "
                    "runner, environment) VALUES (?, ?, ?, ?, ?, 'claimed', ?, ?)",
                    (*key, self._runner, environment),
                )
                mine.append((run, fold))
        return mine

    def _is_free(self, status: str, runner: str, retry_failed: bool) -> bool:
        if status == "claimed":
            return self._lock is not None and not self._lock.is_alive(runner)
        return status == "failed" and retry_failed

    def _environment_id(self, cursor: sqlite3.Cursor) -> int:
        if self._environment is None:
            content = as_json(describe_environment())
            cursor.execute("INSERT OR IGNORE INTO environment (content) VALUES (?)", (content,))
            found = cursor.execute(
                "SELECT id FROM environment WHERE content = ?", (content,)
            ).fetchone()
            self._environment = int(found[0])
        return self._environment

    def add_outcome(self, outcome: FoldOutcome, test_rows: Array | None, message: str = "") -> None:
        """Add the result of a completed fold; without test rows its predictions are not kept."""
        row = outcome.result
        key = (row.dataset, row.model, row.protocol, row.run, row.fold)
        # SQLite has no NaN: a measure that a model does not have is stored as NULL.
        measures = [_null_if_nan(getattr(row, name)) for name in _MEASURES]
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE fold SET status = 'done', n_train = ?, n_test = ?, accuracy = ?, "
                "log_loss = ?, brier = ?, fit_seconds = ?, predict_seconds = ?, predicted = ?, "
                "confidence = ?, message = ? WHERE dataset = ? AND model = ? AND protocol = ? "
                "AND run = ? AND fold = ?",
                (
                    row.n_train,
                    row.n_test,
                    *measures,
                    pack_integers(outcome.predicted),
                    pack_shares(outcome.confidence),
                    message or None,
                    *key,
                ),
            )
            if test_rows is not None:
                cursor.execute(
                    "INSERT OR IGNORE INTO test_rows VALUES (?, ?, ?, ?)",
                    (row.dataset, row.run, row.fold, pack_integers(test_rows)),
                )
            if outcome.probabilities is not None:
                cursor.execute(
                    "INSERT OR REPLACE INTO probabilities VALUES (?, ?, ?, ?, ?, ?)",
                    (*key, pack_distributions(outcome.probabilities)),
                )

    def add_failure(self, failure: Failure) -> None:
        """Add the traceback of a fold that raised an error."""
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE fold SET status = 'failed', message = ? WHERE dataset = ? AND model = ? "
                "AND protocol = ? AND run = ? AND fold = ?",
                (
                    failure.traceback,
                    failure.dataset,
                    failure.model,
                    failure.protocol,
                    failure.run,
                    failure.fold,
                ),
            )

    def add_model_summary(self, dataset: str, model: str, summary: ModelSummary) -> None:
        """Add the summary of a model that was fitted to all rows of a data set."""
        with self._writing() as cursor:
            cursor.execute(
                "INSERT OR REPLACE INTO portrait VALUES (?, ?, ?)",
                (dataset, model, as_json(summary.to_json())),
            )


def _null_if_nan(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _difference(old: Mapping[str, Json], new: Mapping[str, Json]) -> str:
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return ", ".join(f"{name} was {old.get(name)!r}, now {new.get(name)!r}" for name in changed)


__all__ = ["FoldKey", "ResultStore"]
