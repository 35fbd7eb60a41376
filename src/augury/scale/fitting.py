"""Fit a model to a table that is larger than memory, or that lies on several machines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from augury.data.dataset import choose_target
from augury.data.errors import DataError
from augury.discriminative import LogisticRegression
from augury.encode import TidyColumns
from augury.encode.requested_columns import requested_columns
from augury.foreign import Estimator
from augury.hybrid import AugmentedClassifier
from augury.scale.rows.dask_engine import DaskEngine
from augury.scale.rows.progress import Progress
from augury.scale.rows.thread_engine import ThreadEngine
from augury.scale.sources import Source, open_source
from augury.scale.training.augmented_fit import fit_augmented
from augury.scale.training.first_pass import survey_source
from augury.scale.training.generative_fit import fit_generative
from augury.scale.training.labelled_frames import LabelledFrames
from augury.scale.training.logistic_fit import fit_logistic
from augury.scale.training.one_pass import fit_in_one_pass
from augury.scale.training.reading import Reading
from augury.scale.training.streamed_models import check_streamed
from augury.validation import check_threads


@dataclass(frozen=True)
class ReadingReport:
    """How the rows of a source were read.

    Attributes
    ----------
    n_rows : number of rows with a class
    n_unlabelled : number of rows without a class, which were left out
    target : name of the target
    class_weights : number of rows of each class, or the sum of their weights
    bounded_cuts : dict from the name of a column to a share of the rows
        Columns with so many distinct numbers that the cut points were chosen among sampled
        numbers. A cut point may lie off the best place by at most this share of the rows.
    grouped_labels : names of the columns with so many labels that the rarest share a state
    """

    n_rows: int
    n_unlabelled: int
    target: str
    class_weights: dict[Any, float]
    bounded_cuts: dict[str, float]
    grouped_labels: tuple[str, ...]


def fit(
    estimator: Estimator,
    source: Any,
    target: str | None = None,
    *,
    weight: str | None = None,
    client: Any = None,
    n_jobs: int | None = -1,
    folder: Path | str | None = None,
    header: bool | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Any:
    """Fit a clone of an estimator to a table that is read in pieces; return the fitted clone.

    The rows are read in several passes. The first learns classes, labels, missing values and
    the range of numbers. A second one, if numbers are cut, counts the classes between the
    candidates for cut points. Further passes collect the statistics of the model. Memory does not
    grow with the number of rows.

    Parameters
    ----------
    estimator : a model, or a Pipeline of `TidyColumns` and a model
        A generative model whose statistics add, `LogisticRegression`, or an
        `AugmentedClassifier` of these two.
    source : see `augury.scale.open_source`
        A path, glob or folder of Parquet, Arrow or CSV files, a frame, an iterator of frames, a
        pyarrow dataset, a Dask DataFrame, or a query of DuckDB.
    target : str or None
        Column to predict; None takes the column named class, or else the last column.
    weight : str or None
        Column of weights, which are numbers of rows.
    client : distributed.Client, str or None
        A Dask cluster whose workers read the partitions, or the address of its scheduler. The
        workers must see the files by the same paths. None reads the rows in this process.
    n_jobs : int or None
        Number of threads that read partitions in this process; -1 is one for each core.
    folder : path or None
        Folder for temporary files: encoded rows that are read several times.
    header : bool or None
        Whether the first line of CSV files holds the column names, as in `read_table`.
    strict : bool
        Whether a row without a class is an error; otherwise such rows are left out.
    progress : Progress or None
        Receives the progress of each pass.

    Returns
    -------
    the fitted model

    Notes
    -----
    The model equals that of `estimator.fit` on all rows: counts are equal, and probabilities
    differ by rounding. There are two exceptions. Cut points of a column with more than 65,536
    distinct numbers are chosen among sampled candidates. Labels of a column with more than a
    million labels are grouped. `fit_with_report` says whether that happened.

    Examples
    --------
    >>> import pandas as pd
    >>> from augury import NaiveBayes
    >>> from augury.scale import fit
    >>> parts = [pd.DataFrame({"sky": ["sun", "rain"], "play": ["yes", "no"]})] * 3
    >>> model = fit(NaiveBayes(), lambda: iter(parts), "play", n_jobs=1)
    >>> model.statistics_.counts.class_counts
    array([3., 3.])
    """
    model, _ = fit_with_report(
        estimator,
        source,
        target,
        weight=weight,
        client=client,
        n_jobs=n_jobs,
        folder=folder,
        header=header,
        strict=strict,
        progress=progress,
    )
    return model


def fit_with_report(
    estimator: Estimator,
    source: Any,
    target: str | None = None,
    *,
    weight: str | None = None,
    client: Any = None,
    n_jobs: int | None = -1,
    folder: Path | str | None = None,
    header: bool | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[Any, ReadingReport]:
    """Return what `fit` returns, and how the rows were read."""
    whole = clone(estimator)
    tidy, model = split_pipeline(whole)
    check_streamed(model)
    temporary = None if folder is None else Path(folder)
    n_threads = check_threads("augury.scale.fit", n_jobs)
    opened = open_source(source, header=header, folder=temporary)
    frames = choose_columns(opened, target, weight, strict=strict)
    as_labels = columns_read_as_labels(model, frames.columns)
    with make_engine(client, n_threads, temporary, progress) as engine:
        if tidy is None and (counted := fit_in_one_pass(whole, engine, opened, frames, as_labels)):
            n_rows = (counted.n_rows, counted.n_unlabelled)
            weights = dict(
                zip(whole.classes_.tolist(), counted.class_weights.tolist(), strict=True)
            )
            return whole, ReadingReport(*n_rows, frames.target, weights, {}, ())
        reading, n_unlabelled = survey_source(
            engine,
            opened,
            frames,
            owner=type(model).__name__,
            tidy=tidy,
            as_labels=as_labels,
        )
        fitted = _fit(model, reading)
    report = ReadingReport(
        reading.survey.n_rows,
        n_unlabelled,
        frames.target,
        reading.class_weights,
        {name: bins.largest_share for name, bins in reading.bins.items() if not bins.bins.is_exact},
        tuple(
            name
            for name, column in reading.survey.columns.items()
            if column.labels is not None and not column.labels.is_exact
        ),
    )
    if tidy is None:
        return fitted, report
    (first, _), (last, _) = whole.steps
    whole.steps = [(first, reading.reader.tidy), (last, fitted)]
    return whole, report


def make_engine(
    client: Any, n_threads: int, folder: Path | None, progress: Progress | None
) -> ThreadEngine | DaskEngine:
    """Return the workers of a client, or threads if there is none."""
    if client is None:
        return ThreadEngine(n_threads, folder, progress)
    return DaskEngine(client, progress)


def split_pipeline(estimator: Any) -> tuple[TidyColumns | None, Any]:
    """Return the step that tidies columns, if there is one, and the model."""
    if not isinstance(estimator, Pipeline):
        return None, estimator
    steps = [step for _, step in estimator.steps]
    if len(steps) == 2 and isinstance(steps[0], TidyColumns):
        return steps[0], steps[1]
    raise TypeError(
        "augury.scale.fit: estimator must be a model, or a Pipeline of TidyColumns and a model, "
        f"got a Pipeline of {', '.join(type(step).__name__ for step in steps)}"
    )


def check_streamable(estimator: Any) -> None:
    """Raise a TypeError or ValueError unless `fit` takes an estimator with these parameters."""
    _, model = split_pipeline(estimator)
    check_streamed(model)


def _fit(model: Any, reading: Reading) -> Any:
    if isinstance(model, AugmentedClassifier):
        return fit_augmented(model, reading)
    if isinstance(model, LogisticRegression):
        return fit_logistic(model, reading)
    return fit_generative(model, reading, reading.classes)


def choose_columns(
    source: Source, target: str | None, weight: str | None, *, strict: bool
) -> LabelledFrames:
    """Return how rows are read: the target, and all other columns but that of the weights."""
    columns = list(source.columns)
    if weight is not None:
        source.check_columns([weight])
        columns.remove(weight)
    chosen = choose_target(columns, target, source.name)
    columns.remove(chosen)
    if not columns:
        raise DataError(f"{source.name}: no column is left beside the target {chosen!r}")
    return LabelledFrames(tuple(columns), chosen, weight, strict)


def columns_read_as_labels(model: Any, names: tuple[str, ...]) -> frozenset[str]:
    """Return the columns of numbers that a model, or a model inside it, reads as labels."""
    found: set[str] = set()
    for key, value in model.get_params(deep=True).items():
        if key.rpartition("__")[2] == "categorical_features":
            mask = requested_columns(type(model).__name__, value, list(names))
            found |= {name for name, wanted in zip(names, mask, strict=True) if wanted}
    return frozenset(found)


__all__ = [
    "ReadingReport",
    "check_streamable",
    "choose_columns",
    "columns_read_as_labels",
    "fit",
    "fit_with_report",
    "make_engine",
    "split_pipeline",
]
