"""Predictions of tables that are larger than memory."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from augury.scale.predictions import running
from augury.scale.predictions.forms import ArrowForm, CsvForm, Form, arrow_schema
from augury.scale.predictions.kept_types import types_of_kept
from augury.scale.predictions.row_predictor import ModelWithMetadata, RowCounter, RowPredictor
from augury.scale.predictions.running import Counts, DaskRun, PredictionJob, Run, ThreadRun
from augury.scale.predictions.score_sums import ScoreSums
from augury.scale.rows.progress import NoProgress, Progress
from augury.scale.sources import open_source
from augury.scale.sources.source import Source
from augury.validation import check_threads

FORMS = ("csv", "parquet", "arrow", "folder")
_ENDINGS = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}


@dataclass(frozen=True)
class PredictionSummary:
    """What `predict` has done.

    Attributes
    ----------
    n_rows : int
        Number of predicted rows.
    accuracy : float or None
        Share of the rows with a class whose class was predicted; None if there are none, or the
        source has no target.
    n_labelled : int
        Number of rows that have a class.
    files : tuple of Path
        The files, in the order of the rows; none if `out` is a stream.
    formula : str
        The first text in CSV that a spreadsheet runs as a formula; "" if there is none.
    scores : ScoreSums or None
        Sums of the measures over the rows that have a class; None if the source has no target.
    tally : object or None
        Sum of what the `counter` has returned.
    """

    n_rows: int
    accuracy: float | None
    n_labelled: int
    files: tuple[Path, ...]
    formula: str = ""
    scores: ScoreSums | None = None
    tally: Any = None


def predict(
    model: Any | ModelWithMetadata,
    source: Any,
    out: str | os.PathLike[str] | IO[bytes],
    *,
    target: str | None = None,
    keep: Sequence[str] | str = (),
    probabilities: bool = True,
    form: str | None = None,
    escape_formulas: bool = False,
    n_jobs: int | None = -1,
    client: Any = None,
    header: bool | None = None,
    progress: Progress | None = None,
    counter: RowCounter | None = None,
) -> PredictionSummary:
    """Predict the rows of a table in constant memory, and write the predictions to files.

    The predictions have a row for each row of the table, in its order: the kept columns, the
    predicted class, and p(c | x) of each class c in a column `p(c)`.

    Parameters
    ----------
    model : fitted classifier, or what `augury.persist.load_model` returns
        It gets the columns that it was fitted to, in its order. Other columns are ignored.
    source : path, glob, folder, frame, dataset, iterator, function, query or Source
        See `augury.scale.sources.open_source`.
    out : path or binary stream
        The ending of a path chooses the form, see `form`. Everything is written under a temporary
        name beside the path, which begins with a dot and ends in `.temporary`, and is renamed when
        it is complete. A regular file is replaced then. A folder with files is not replaced. To a
        stream, CSV is written at once; it is not closed.
    target : str or None
        The column of the classes, for the accuracy; None takes the target that is saved with the
        model, if the source has it.
    keep : sequence of str, or "all"
        Columns of the source that are carried over, such as identifiers.
    probabilities : bool
        Whether the class probabilities are written, if the model has them.
    form : {"csv", "parquet", "arrow", "folder"} or None
        "csv", "parquet" and "arrow" (Arrow IPC) are one file. "folder" is a folder with a Parquet
        file for each partition of the source: part-00000.parquet and so on; with a `client`, the
        workers write them. None chooses by the ending of the path: `.csv`; `.parquet` or `.pq`;
        `.arrow` or `.feather`; a folder for any other path.
    escape_formulas : bool
        Whether text in CSV that a spreadsheet runs as a formula gets an apostrophe.
    n_jobs : int or None
        Number of threads; -1 is one for each core.
    client : distributed.Client or None
        A Dask client, whose workers predict the partitions. They must see the files of the source,
        and the folder `out` if that is a folder.
    header : bool or None
        Whether the first line of a CSV or TSV file has the column names.
    progress : Progress or None
        Receives the number of predicted rows.
    counter : object with a method `count`, or None
        Gets each frame of the columns that the model reads; what it returns is added.

    Raises
    ------
    DataError
        If the source cannot be read, lacks a column of the model, or the model cannot predict its
        rows; the message names the file or partition. Nothing is written then.
    OSError
        If the output cannot be written, or exists and is not replaced; the error names the file.
        Temporary files are removed.

    Notes
    -----
    Kept columns in Parquet and Arrow files have the type of the source; categories have the type of
    their labels. Only a process that is killed (SIGKILL) leaves temporary files.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from augury.generative import NaiveBayes
    >>> rows = pd.DataFrame({"id": [7, 8, 9], "sky": ["sun", "rain", "rain"]})
    >>> model = NaiveBayes().fit(rows[["sky"]], ["out", "in", "in"])
    >>> with TemporaryDirectory() as folder:
    ...     done = predict(model, rows, Path(folder, "answers.csv"), keep=["id"])
    ...     print(Path(folder, "answers.csv").read_text(), end="")
    id,predicted,p(in),p(out)
    7,out,0.36,0.64
    8,in,0.7714285714285715,0.2285714285714286
    9,in,0.7714285714285715,0.2285714285714286
    >>> done.n_rows
    3
    """
    n_threads = check_threads("predict", n_jobs)
    kind = _choose_form(out, form)
    opened = source
    if not isinstance(source, Source):
        opened = open_source(source, header=header, partition_bytes=running.PARTITION_BYTES)
    predictor = RowPredictor.of(
        model, opened, target=target, keep=keep, probabilities=probabilities, counter=counter
    )
    chosen = _form(kind, predictor, opened, client, escape_formulas)
    shown = NoProgress() if progress is None else progress
    run: Run = ThreadRun(n_threads) if client is None else DaskRun(client)
    shown.begin("predicting", len(opened.partitions), opened.n_rows)
    job = PredictionJob(opened.partitions, predictor, chosen, run, shown)
    if not isinstance(out, str | os.PathLike):
        files, counts = job.write_stream(out)
    elif kind == "folder":
        files, counts = job.write_folder(Path(out).expanduser())
    else:
        files, counts = job.write_file(Path(out).expanduser())
    return _summary(counts, files)


def _choose_form(out: Any, form: str | None) -> str:
    is_path = isinstance(out, str | os.PathLike)
    if form is None:
        return _ENDINGS.get(Path(out).suffix.lower(), "folder") if is_path else "csv"
    if form not in FORMS:
        raise ValueError(
            f"predict: form must be None or one of {', '.join(map(repr, FORMS))}, got {form!r}"
        )
    if not is_path and form != "csv":
        raise ValueError(f"predict: form must be 'csv' or None if out is a stream, got {form!r}")
    return form


def _form(
    kind: str, predictor: RowPredictor, source: Source, client: Any, escape_formulas: bool
) -> Form:
    names = predictor.names
    if kind == "csv":
        return CsvForm((*predictor.keep, *names), escape_formulas)
    if escape_formulas:
        raise ValueError(
            f"predict: escape_formulas must be False unless CSV is written, got form {kind!r}"
        )
    kept = types_of_kept(source, predictor.keep, client)
    schema = arrow_schema(kept, names, predictor.model.classes_.tolist())
    return ArrowForm("parquet" if kind == "folder" else kind, schema)


def _summary(counts: Counts, files: tuple[Path, ...]) -> PredictionSummary:
    accuracy = counts.n_right / counts.n_labelled if counts.n_labelled else None
    return PredictionSummary(
        counts.n_rows,
        accuracy,
        counts.n_labelled,
        files,
        counts.formula,
        counts.scores,
        counts.tally,
    )


__all__ = ["FORMS", "PredictionSummary", "predict"]
