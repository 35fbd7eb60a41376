"""Cross-validation of models on a table that is larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augury.arrays import Array
from augury.encode import TidyColumns
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import check_models
from augury.foreign import Classifier
from augury.generative.bases.generative_classifier import GenerativeClassifier
from augury.scale.fitting import (
    ReadingReport,
    choose_columns,
    columns_read_as_labels,
    make_engine,
    split_pipeline,
)
from augury.scale.folds.fingerprint import fingerprint
from augury.scale.folds.fold_bins import count_training_bins
from augury.scale.folds.fold_fits import FoldFit, fit_counting_models, fit_regression
from augury.scale.folds.fold_rows import FoldNumbers, first_rows
from augury.scale.folds.fold_scores import score_fits
from augury.scale.folds.fold_surveys import survey_folds
from augury.scale.folds.training_sets import FoldedTable, learn_training_sets
from augury.scale.rows.dask_engine import DaskEngine
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import number_partitions
from augury.scale.rows.progress import NoProgress, Progress
from augury.scale.rows.thread_engine import ThreadEngine
from augury.scale.sources import Source, open_source
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.training.labelled_frames import LabelledFrames
from augury.scale.training.streamed_models import check_streamed
from augury.validation import check_integer, check_threads

_OWNER = "augury.scale.cross_validate"
_MAX_FOLDS = 1000


@dataclass(frozen=True, eq=False)
class FailedFold:
    """A model that raised an error when it was fitted to the training set of a fold.

    Attributes
    ----------
    model : name of the model
    fold : number of the fold, from 1
    error : the error
    """

    model: str
    fold: int
    error: Exception


# Receives results and failures as soon as they are known.
KeepFold = Callable[[FoldResult | FailedFold], None]


def cross_validate(
    models: Mapping[str, Classifier],
    source: Any,
    target: str | None = None,
    *,
    folds: int = 10,
    random_state: int = 0,
    client: Any = None,
    n_jobs: int | None = -1,
    folder: Path | str | None = None,
    header: bool | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> list[FoldResult]:
    """Fit and test models on every fold of a table that is read in pieces.

    Everything is learned from the training rows of a fold alone: labels, decisions about columns,
    cut points and statistics. The classes are those of all rows. The results equal those of
    `augury.evaluate.cross_validate` with the same folds, within the bounds that `fit` has.

    Parameters
    ----------
    models : mapping from a name to a model, or to a Pipeline of `TidyColumns` and a model
        Models that `fit` takes; all or none of them behind the same `TidyColumns`.
    source, target, client, n_jobs, folder, header, strict, progress
        See `fit`.
    folds : int
        Number of folds, from 2 to 1000.
    random_state : int
        Seed of the folds, an integer >= 0.

    Returns
    -------
    list of FoldResult
        By model and fold. `fit_seconds` of a generative model is the time of its statistics and
        its estimate, summed over threads and without reading; work for several folds is divided
        among them. That of a regression or a hybrid is the time by the clock of its passes.

    Raises
    ------
    TypeError, ValueError
        Before any row is read, if a model cannot be fitted to a stream of rows.
    DataError
        If the source cannot be read; the message names the file or partition. An error of a model
        is raised unchanged.

    Notes
    -----
    *Folds.* The fold of a row is a hash of its number in the source and of `random_state`, modulo
    the number of folds, see `FoldNumbers`. It does not depend on partitions, threads or workers.
    Rows without a class count in the numbers of the rows.

    *Passes over the source*, for any number of folds and models: one surveys all folds, one counts
    bins if numbers are cut (one for each 128 MB of bins), one collects the statistics of all
    generative models (two for KDB, LDA and QDA, one for each step of a search), and one scores
    these models. A logistic regression takes one more for each fold, which encodes the rows, and a
    hybrid two. The steps of the regression read encoded rows. One more pass scores each of these
    models on all folds. If a partition does not know its number of rows, the rows are counted
    first. Texts that are more than a survey keeps and hold numbers or dates are surveyed again.

    An error of a model that occurs while rows are read names the partition, and ends the call.

    *Memory* does not grow with the number of rows. With t threads it is at most (t + 2) times the
    summaries of all folds: folds × (bytes of the survey + 8 · bins · (classes + 2) for each column
    of numbers), and later folds × bytes of the statistics for each model.

    Examples
    --------
    >>> import pandas as pd
    >>> from augury import NaiveBayes
    >>> from augury.scale import cross_validate
    >>> rows = pd.DataFrame({"sky": ["sun", "rain"] * 50, "play": ["yes", "no"] * 50})
    >>> [first, second] = cross_validate({"nb": NaiveBayes()}, rows, "play", folds=2)
    >>> first.n_train, first.n_test, first.accuracy
    (46, 54, 1.0)
    """
    check_models(_OWNER, models)
    results: dict[tuple[str, int], FoldResult] = {}

    def keep(fold: FoldResult | FailedFold) -> None:
        if isinstance(fold, FailedFold):
            fold.error.add_note(f"({fold.model}, fold {fold.fold})")
            raise fold.error
        results[fold.model, fold.fold] = fold

    with open_folds(
        models,
        source,
        target,
        folds=folds,
        random_state=random_state,
        client=client,
        n_jobs=n_jobs,
        folder=folder,
        header=header,
        strict=strict,
        progress=progress,
    ) as opened:
        opened.run(models, keep)
    return [results[name, fold] for name in models for fold in range(1, folds + 1)]


class SourceInFolds:
    """A source whose folds were surveyed, and on which models are tested.

    Attributes
    ----------
    name : name of the source
    target : name of the target
    n_folds, random_state : see `cross_validate`
    table : the survey, and how the rows are read
    """

    name: str
    target: str
    table: FoldedTable

    def __init__(
        self,
        source: Source,
        frames: LabelledFrames,
        table: FoldedTable,
        engine_for: Callable[[str], AbstractContextManager[Engine]],
    ) -> None:
        self.name, self.target, self.table = source.name, frames.target, table
        self.n_folds: int = table.reader.folds.n_folds
        self.random_state: int = table.reader.folds.random_state
        self._engine_for = engine_for
        self._has_bins = False

    @property
    def classes(self) -> Array:
        """The sorted classes."""
        return self.table.classes

    @property
    def n_rows(self) -> int:
        """The number of rows that have a class."""
        return sum(each.n_test for each in self.table.training_sets)

    @property
    def tidy(self) -> TidyColumns | None:
        """The TidyColumns of the models, fitted to all rows; None if they have none."""
        return self.table.tidy

    def report(self) -> ReadingReport:
        """Return how the rows were read; cut points are known after `run`."""
        bounded: dict[str, float] = {}
        grouped: dict[str, None] = {}
        for training in self.table.training_sets:
            for name, counts in training.reading.bins.items():
                if not counts.bins.is_exact:
                    bounded[name] = max(counts.largest_share, bounded.get(name, 0.0))
            for name, column in training.reading.survey.columns.items():
                if column.labels is not None and not column.labels.is_exact:
                    grouped[name] = None
        return ReadingReport(
            self.n_rows,
            self.table.n_unlabelled,
            self.target,
            dict(self.table.class_weights),
            bounded,
            tuple(grouped),
        )

    def checksum(self) -> str:
        """Return a hash of the rows, see `fingerprint`."""
        return fingerprint(self.table.survey)

    def run(self, models: Mapping[str, Classifier], keep: KeepFold, name: str = "") -> None:
        """Fit and test models, which are among those that the folds were opened for.

        Parameters
        ----------
        models : mapping from name to model
        keep : receives the results and failures
        name : name of the data set in the results; by default that of the source
        """
        inner = {key: split_pipeline(model)[1] for key, model in models.items()}
        if not self._has_bins and any(map(_cuts_numbers, inner.values())):
            count_training_bins(self.table)
            self._has_bins = True
        counting = {k: m for k, m in inner.items() if isinstance(m, GenerativeClassifier)}
        if counting:
            self._score(fit_counting_models(self.table, counting), keep, name)
        for key, model in inner.items():
            if key not in counting:
                self._score(self._fit_regression(key, model), keep, name)

    def _fit_regression(self, name: str, model: Any) -> list[FoldFit]:
        fits = []
        for training in self.table.training_sets:
            with self._engine_for(f"{name}, fold {training.fold + 1} of {self.n_folds}") as engine:
                fits.append(fit_regression(training, engine, name, model))
        return fits

    def _score(self, fits: Sequence[FoldFit], keep: KeepFold, name: str) -> None:
        fitted = [fit for fit in fits if fit.error is None]
        scores = dict(zip(fitted, score_fits(self.table, fitted), strict=True)) if fitted else {}
        for fit in fits:
            number = fit.training.fold + 1
            if fit.error is not None:
                keep(FailedFold(fit.name, number, fit.error))
                continue
            score = scores[fit]
            keep(
                FoldResult(
                    dataset=name or self.name,
                    model=fit.name,
                    protocol="honest",
                    run=1,
                    fold=number,
                    n_train=fit.training.n_rows,
                    n_test=score.n_test,
                    accuracy=score.accuracy,
                    log_loss=score.log_loss,
                    brier=score.brier,
                    fit_seconds=fit.seconds,
                    predict_seconds=score.seconds,
                )
            )


@contextmanager
def open_folds(
    models: Mapping[str, Classifier],
    source: Any,
    target: str | None = None,
    *,
    folds: int = 10,
    random_state: int = 0,
    client: Any = None,
    n_jobs: int | None = -1,
    folder: Path | str | None = None,
    header: bool | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Iterator[SourceInFolds]:
    """Survey the folds of a source for some models; see `cross_validate` for the parameters."""
    n_folds = check_integer(_OWNER, "folds", folds, at_least=2)
    if n_folds > _MAX_FOLDS:
        raise ValueError(f"{_OWNER}: folds must be at most {_MAX_FOLDS}, got {folds!r}")
    seed = check_integer(_OWNER, "random_state", random_state, at_least=0)
    n_threads = check_threads(_OWNER, n_jobs)
    tidy, inner = _split(models)
    temporary = None if folder is None else Path(folder)
    opened = open_source(source, header=header, folder=temporary)
    frames = choose_columns(opened, target, None, strict=strict)
    as_labels = frozenset[str]().union(
        *(columns_read_as_labels(model, frames.columns) for model in inner)
    )
    settings = SurveySettings(as_labels=as_labels | {frames.target})
    # All folds together have the labels of one survey.
    settings = settings.for_rows(opened.n_rows or 0, len(frames.columns) * n_folds)
    parts = number_partitions(opened.partitions)
    with make_engine(client, n_threads, temporary, progress) as engine:

        def engine_for(task: str) -> AbstractContextManager[Engine]:
            """Return an engine whose kept rows are removed when its block ends."""
            if isinstance(engine, DaskEngine):
                return nullcontext(engine)
            return ThreadEngine(n_threads, temporary, TaskProgress(task, progress))

        numbers = FoldNumbers(n_folds, seed, first_rows(engine, parts, frames))
        surveyed = survey_folds(engine, parts, frames, numbers, settings)
        table = learn_training_sets(engine, opened, parts, frames, numbers, surveyed, tidy)
        yield SourceInFolds(opened, frames, table, engine_for)


class TaskProgress:
    """Progress of a part of the work, with its name before that of each pass."""

    def __init__(self, task: str, progress: Progress | None) -> None:
        self._task, self._progress = task, NoProgress() if progress is None else progress

    def begin(self, task: str, n_partitions: int, n_rows: int | None) -> None:
        """Begin a pass."""
        self._progress.begin(f"{self._task}, {task}", n_partitions, n_rows)

    def advance(self, n_partitions: int, n_rows: int | None) -> None:
        """Report partitions and rows that are done."""
        self._progress.advance(n_partitions, n_rows)


def _split(models: Mapping[str, Classifier]) -> tuple[TidyColumns | None, list[Any]]:
    """Return the TidyColumns of all models, if they have it, and the models behind it."""
    parts = {name: split_pipeline(model) for name, model in models.items()}
    for _, model in parts.values():
        check_streamed(model)
    (first, (tidy, _)), *others = parts.items()
    for name, (other, _) in others:
        if repr(other) != repr(tidy):
            raise ValueError(
                f"{_OWNER}: models must all be behind the same TidyColumns, or none of them, got "
                f"{tidy!r} for {first} and {other!r} for {name}"
            )
    return tidy, [model for _, model in parts.values()]


def _cuts_numbers(model: Any) -> bool:
    """Return whether a model, or a model inside it, cuts numbers into intervals."""
    found = [
        value
        for key, value in model.get_params(deep=True).items()
        if key.rpartition("__")[2] == "discretizer"
    ]
    return any(value is not None for value in found)


__all__ = ["FailedFold", "KeepFold", "SourceInFolds", "cross_validate", "open_folds"]
