"""Reading of the results in a folder."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from augury.arrays import Array
from augury.errors import StoreError
from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.array_blobs import (
    unpack_distributions,
    unpack_integers,
    unpack_shares,
    unpack_weights,
)
from augury.experiments.store.row_checks import (
    as_blob,
    as_count,
    as_dict,
    as_measure,
    as_text,
    reading_row,
)
from augury.experiments.store.schema import SCHEMA_VERSION
from augury.experiments.store.sqlite_file import StoreFile, explain_error, open_for_reading
from augury.explain.summary_contents import ModelSummary
from augury.renamed_parameters import current_description

RESULTS_FILE = "results.sqlite"


@dataclass(frozen=True, slots=True)
class Failure:
    """A fold that raised an error, or whose worker process died."""

    dataset: str
    model: str
    protocol: str
    run: int
    fold: int
    traceback: str


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """A data set of a store: checksum, splitter, class codes, and details for reports."""

    name: str
    checksum: str
    splitter: dict[str, Any]
    details: dict[str, Any]
    labels: Array

    @property
    def n_classes(self) -> int:
        """Number of declared classes."""
        return max(len(self.details.get("classes", ())), int(self.labels.max(initial=0)) + 1)


class StoredResults:
    """The results in a folder; other processes may add results at the same time.

    The folder may be read-only.

    Parameters
    ----------
    folder : path
        As given to `augury run --out`.

    Raises
    ------
    StoreError
        If the folder has no results, has tables of another version, or cannot be read. Methods
        raise it for a damaged row; the message names table and key.
    """

    file: Path | None

    def __init__(self, folder: Path) -> None:
        if not (folder / RESULTS_FILE).is_file():
            raise StoreError(f"{folder} has no results: there is no file {RESULTS_FILE} in it")
        self._open(folder, open_for_reading)
        try:
            self._check_version()
        except BaseException:
            self.close()
            raise

    def _open(self, folder: Path | None, opener: Callable[[Any], StoreFile]) -> None:
        self.folder = folder
        self.file = None if folder is None else folder / RESULTS_FILE
        self._guard = threading.RLock()
        try:
            self._opened = opener(self.file)
        except sqlite3.Error as error:
            raise explain_error(self.file, error) from error
        except OSError as error:  # from copying a read-only file
            raise StoreError(f"{self.file} cannot be read: {error}") from error
        self._connection = self._opened.connection

    def _check_version(self) -> None:
        if not self._read("SELECT name FROM sqlite_master WHERE name = 'meta'"):
            raise StoreError(f"{self.folder} has no results yet: its file has no tables")
        found = self.meta("schema")
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
        """Close the file."""
        self._opened.close()

    def _read(self, query: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._guard:
            try:
                return self._connection.execute(query, parameters).fetchall()
            except sqlite3.DatabaseError as error:
                raise explain_error(self.file, error) from error

    def meta(self, key: str, default: Any = None) -> Any:
        """Return a value of the experiment as a whole, see `ResultStore.set_meta`."""
        found = self._read("SELECT value FROM meta WHERE key = ?", (key,))
        if not found:
            return default
        with reading_row(self.file, "meta", key=key):
            return json.loads(found[0][0])

    def results(self) -> list[FoldResult]:
        """Return the completed folds, sorted by data set, model, run and fold."""
        columns = ("n_train", "n_test")
        measures = ("accuracy", "log_loss", "brier", "fit_seconds", "predict_seconds")
        rows = self._read(
            "SELECT dataset, model, protocol, run, fold, n_train, n_test, accuracy, log_loss, "
            "brier, fit_seconds, predict_seconds FROM fold WHERE status = 'done' "
            "ORDER BY dataset, model, protocol, run, fold"
        )
        found = []
        for row in rows:
            with self._reading_fold(row):
                found.append(
                    FoldResult(
                        *row[:5],
                        *map(as_count, columns, row[5:7]),
                        *map(as_measure, measures, row[7:]),
                    )
                )
        return found

    @contextmanager
    def _reading_fold(self, row: Sequence[Any]) -> Iterator[None]:
        """Check the key of a fold; errors of the block name it."""
        names = ("dataset", "model", "protocol", "run", "fold")
        with reading_row(self.file, "fold", **dict(zip(names, row[:5], strict=True))):
            for name, value in zip(names, row[:5], strict=True):
                (as_count if name in ("run", "fold") else as_text)(name, value)
            yield

    def count(self, status: str) -> int:
        """Return the number of folds with a status: claimed, done or failed."""
        return int(self._read("SELECT COUNT(*) FROM fold WHERE status = ?", (status,))[0][0])

    def failures(self) -> list[Failure]:
        """Return the folds that raised an error, or whose worker process died."""
        rows = self._read(
            "SELECT dataset, model, protocol, run, fold, message FROM fold "
            "WHERE status = 'failed' ORDER BY dataset, model, protocol, run, fold"
        )
        found = []
        for row in rows:
            with self._reading_fold(row):
                as_text("message", row[5])
                found.append(Failure(*row))
        return found

    def messages(self) -> list[tuple[str, str, str]]:
        """Return data set, model and text of the warnings of completed folds."""
        rows = self._read(
            "SELECT DISTINCT dataset, model, message FROM fold "
            "WHERE status = 'done' AND message IS NOT NULL ORDER BY dataset, model"
        )
        found = []
        for dataset, model, text in rows:
            with reading_row(self.file, "fold", dataset=dataset, model=model):
                found.append((dataset, model, as_text("message", text)))
        return found

    def datasets(self) -> list[StoredDataset]:
        """Return the data sets, in the order in which they were added."""
        names = [name for (name,) in self._read("SELECT name FROM dataset ORDER BY rowid")]
        return [dataset for name in names if (dataset := self._dataset(name)) is not None]

    def _dataset(self, name: str) -> StoredDataset | None:
        rows = self._read(
            "SELECT checksum, splitter, details, labels FROM dataset WHERE name = ?", (name,)
        )
        for check, folds, details, labels in rows:
            with reading_row(self.file, "dataset", name=name):
                return StoredDataset(
                    as_text("name", name),
                    as_text("checksum", check),
                    as_dict("splitter", folds),
                    as_dict("details", details),
                    unpack_integers(as_blob("labels", labels)),
                )
        return None

    def models(self) -> dict[str, dict[str, Any]]:
        """Return the description of each model, in the order in which they were added.

        Parameters have the names of this version, also in a store of an earlier version.
        """
        found = {}
        for name, text in self._read("SELECT name, description FROM model ORDER BY rowid"):
            with reading_row(self.file, "model", name=name):
                found[as_text("name", name)] = current_description(as_dict("description", text))
        return found

    def environments(self) -> list[dict[str, Any]]:
        """Return the environments of completed folds."""
        rows = self._read(
            "SELECT id, content FROM environment WHERE id IN "
            "(SELECT DISTINCT environment FROM fold WHERE status = 'done') ORDER BY id"
        )
        found = []
        for number, text in rows:
            with reading_row(self.file, "environment", id=number):
                found.append(as_dict("content", text))
        return found

    def predictions(
        self, dataset: str, model: str, protocol: str | None = None
    ) -> list[tuple[int, int, Array, Array, Array | None]]:
        """Return run, fold, test rows, predicted codes and confidence of completed folds.

        Folds of all protocols are returned, unless one is given.
        """
        rows = self._read(
            "SELECT fold.dataset, model, protocol, fold.run, fold.fold, n_test, rows, predicted, "
            "confidence FROM fold JOIN test_rows "
            "ON test_rows.dataset = fold.dataset AND test_rows.run = fold.run "
            "AND test_rows.fold = fold.fold WHERE fold.dataset = ? AND model = ? "
            "AND status = 'done' AND protocol = COALESCE(?, protocol) ORDER BY fold.run, fold.fold",
            (dataset, model, protocol),
        )
        known = self._dataset(dataset)
        found = []
        for row in rows:
            with self._reading_fold(row):
                tested = unpack_integers(as_blob("rows", row[6]))
                codes = unpack_integers(as_blob("predicted", row[7]))
                shares = unpack_shares(row[8])
                _check_predictions(row[5], tested, codes, shares, known)
                found.append((row[3], row[4], tested, codes, shares))
        return found

    def probabilities(
        self, dataset: str, model: str, protocol: str
    ) -> dict[tuple[int, int], Array]:
        """Return p(c | x) of the test rows of completed folds, by run and fold.

        The order of the rows is that of `predictions`. Folds of models without probabilities, and
        folds that an earlier version of augury added, are absent.
        """
        known = self._dataset(dataset)
        if known is None or not self._has_table("probabilities"):
            return {}
        rows = self._read(
            "SELECT dataset, model, protocol, run, fold, content FROM probabilities "
            "WHERE dataset = ? AND model = ? AND protocol = ? ORDER BY run, fold",
            (dataset, model, protocol),
        )
        found = {}
        for row in rows:
            with self._reading_fold(row):
                blob = as_blob("content", row[5])
                found[row[3], row[4]] = unpack_distributions(blob, known.n_classes)
        return found

    def instance_weights(self, dataset: str) -> Array | None:
        """Return the weight of each row of a data set; None if they are equal."""
        if not self._has_table("instance_weights"):
            return None
        for (blob,) in self._read(
            "SELECT content FROM instance_weights WHERE dataset = ?", (dataset,)
        ):
            with reading_row(self.file, "instance_weights", dataset=dataset):
                return unpack_weights(as_blob("content", blob))
        return None

    def _has_table(self, name: str) -> bool:
        """Return whether the store has a table: those of earlier versions lack some."""
        return bool(self._read("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))

    def model_summaries(self) -> dict[tuple[str, str], ModelSummary]:
        """Return the model summaries, by data set and model."""
        found = {}
        for dataset, model, text in self._read("SELECT dataset, model, content FROM portrait"):
            with reading_row(self.file, "portrait", dataset=dataset, model=model):
                key = as_text("dataset", dataset), as_text("model", model)
                found[key] = ModelSummary.from_json(as_dict("content", text))
        return found


def _check_predictions(
    n_test: object, tested: Array, codes: Array, shares: Array | None, dataset: StoredDataset | None
) -> None:
    """Raise an error unless the columns have equal lengths and valid values."""
    lengths = {len(tested), len(codes), as_count("n_test", n_test)}
    if shares is not None:
        lengths.add(len(shares))
    if len(lengths) > 1:
        raise ValueError(
            f"rows, predicted and confidence must have n_test = {n_test} values, got "
            f"{len(tested)}, {len(codes)} and {'none' if shares is None else len(shares)}"
        )
    if dataset is None or not len(tested):
        return
    n_rows = len(dataset.labels)
    n_classes = dataset.n_classes
    if tested.min() < 0 or tested.max() >= n_rows:
        raise ValueError(f"rows must be from 0 to {n_rows - 1}")
    if codes.min() < -1 or codes.max() >= n_classes:
        raise ValueError(f"predicted must be from -1 to {n_classes - 1}")


__all__ = ["RESULTS_FILE", "Failure", "StoredDataset", "StoredResults"]
