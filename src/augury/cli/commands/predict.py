"""`augury predict`."""

import csv
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

import click

from augury.cli.files.model_and_rows import open_model, open_rows, require_file
from augury.cli.files.predictions_output import PredictionsOutput
from augury.cli.files.separate_output import require_separate_output
from augury.cli.files.table_in_pieces import InPieces, is_streamable, why_in_pieces
from augury.cli.terminal.cluster import cluster
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    header_option,
    json_option,
    max_size_option,
    scheduler_option,
)
from augury.cli.terminal.output import dump_json
from augury.cli.terminal.prediction_scores import describe_scores, render_scores
from augury.cli.terminal.row_progress import row_progress
from augury.cli.terminal.stopping import ending_cleanly
from augury.text_table import count_text

if TYPE_CHECKING:
    from augury.drift.unseen_labels import UnseenCounter
    from augury.persist import SavedModel
    from augury.scale import PredictionSummary, Source


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="File of the predictions: Parquet if it ends in .parquet or .pq, Arrow IPC if it ends in "
    ".arrow or .feather, else CSV. A new folder, written with / at the end, or an empty folder "
    "gets a Parquet file for each part of DATA. [default: CSV on standard output]",
)
@click.option(
    "--keep",
    metavar="A,B",
    help="Columns of DATA that are written before the predictions, such as an identifier; all: "
    "every column. A name with a comma is written in double quotes.",
)
@click.option(
    "--escape-formulas",
    is_flag=True,
    help="Write ' before text that a spreadsheet runs as a formula: text that begins with =, +, -, "
    "@, a tab or a carriage return. Numbers are not changed. For CSV. [default: as is, with a "
    "note]",
)
@scheduler_option
@header_option
@max_size_option
@json_option
def predict(
    model_file: str,
    table: str,
    output: str | None,
    keep: str | None,
    escape_formulas: bool,
    scheduler: str | None,
    header: bool | None,
    max_size: float | None,
    as_json: bool,
) -> None:
    """Predict the class of each row of a table with a saved model.

    DATA is a file (CSV, TSV, ARFF, Parquet, Arrow), a folder or a quoted pattern such as
    'big/*.parquet', whose files are read in the order of their paths, or a query:
    'duckdb:FILE?query=SELECT …'. The output has a line for each row of DATA: the predicted class,
    and the probability of each class. A file or folder has a temporary name until it is complete.
    If DATA has the target, accuracy, AUC, average precision and other measures are printed, beside
    those of always guessing the most common class, with recall and precision of each class; rows
    without a class are predicted, but do not count. A model that was fitted with --costs has its
    mean cost, too.

    DATA is read in pieces if it takes more than a quarter of the free memory, and whenever it
    consists of several files, is a query or an Arrow file, or the output is no CSV file.
    """
    with ending_cleanly(), user_errors():
        out = PredictionsOutput.of(output)
        if escape_formulas and out.form != "csv":
            raise UserError(f"--escape-formulas is for CSV files, and --output is {output!r}")
        require_separate_output("--output", output, {"MODEL": model_file, "DATA": table})
        saved = open_model(model_file)
        pieces = _why_in_pieces(table, out, scheduler)
        source = open_rows(saved, table, pieces, header, max_size)
        kept = _read_kept(keep, source.columns)
        if as_json and output is None:
            content, done = _describe_all(saved, source, kept)
        else:
            done = _predict(saved, source, out, kept, escape_formulas, pieces, scheduler)
            content = _describe(saved, done, output)
        unseen = [] if done.tally is None else done.tally.sentences()
    for sentence in unseen:
        echo(f"Note: {sentence}", err=True)
    if as_json:
        echo(dump_json(content))
        return
    if output is not None:
        echo(f"{count_text(done.n_rows, 'row')} predicted. Written: {output}")
    if done.accuracy is not None:
        rest = done.n_rows - done.n_labelled
        without = f"{count_text(rest, 'row has', 'rows have')} no class"
        which = f" in {count_text(done.n_labelled, 'row')}; {without}" if rest else ""
        echo(
            f"{100 * done.accuracy:.2f} % of {saved.metadata.target} predicted correctly{which}",
            err=output is None,
        )
        if done.scores is not None:
            echo(render_scores(done.scores, saved.model), err=output is None)


def _read_kept(keep: str | None, columns: Sequence[str]) -> Sequence[str] | str:
    """Return the columns of --keep, a line of CSV; the name of a column may contain commas."""
    if keep is None or keep == "all":
        return keep or ()
    if keep in columns:
        return [keep]
    names = next(csv.reader([keep], skipinitialspace=True), [])
    return [name.strip() for name in names if name.strip()]


def _why_in_pieces(table: str, out: PredictionsOutput, scheduler: str | None) -> InPieces | None:
    pieces = why_in_pieces(table, None if scheduler is None else "--scheduler")
    if pieces is None:
        require_file("DATA", table)
        if out.form != "csv" and is_streamable(table):
            return InPieces(f"--output is {out.text!r}", False)
    return pieces


def _predict(
    saved: "SavedModel",
    source: "Source",
    out: PredictionsOutput,
    keep: Sequence[str] | str,
    escape_formulas: bool,
    pieces: InPieces | None,
    scheduler: str | None,
) -> "PredictionSummary":
    from augury.scale import predict as predict_source

    with cluster(scheduler) as client, row_progress() as progress, out.open() as place:
        done = predict_source(
            saved,
            source,
            place,
            keep=keep,
            form=out.form,
            escape_formulas=escape_formulas,
            n_jobs=1 if pieces is None else -1,
            client=client,
            progress=progress,
            counter=_label_counter(saved),
        )
    if done.formula:
        echo(
            f"Note: {done.formula!r} begins like a formula, which a spreadsheet may run; "
            "--escape-formulas writes it as text",
            err=True,
        )
    return done


def _describe(
    saved: "SavedModel", done: "PredictionSummary", output: str | None
) -> dict[str, object]:
    content: dict[str, object] = {
        "rows": done.n_rows,
        "accuracy": done.accuracy,
        "output": output,
        "accuracy_rows": done.n_labelled,
        "unseen_labels": [] if done.tally is None else done.tally.to_json(),
    }
    if done.scores is None or not done.n_labelled:
        return content
    return content | describe_scores(done.scores, saved.model)


def _describe_all(
    saved: "SavedModel", source: "Source", keep: Sequence[str] | str
) -> tuple[dict[str, object], "PredictionSummary"]:
    """Return JSON content with all predictions, which are kept in memory, and their summary."""
    import pandas as pd

    from augury.scale import PredictionSummary
    from augury.scale.predictions.row_predictor import RowPredictor
    from augury.scale.predictions.running import add_scores, add_tallies

    predictor = RowPredictor.of(saved, source, keep=keep, counter=_label_counter(saved))
    pieces = [rows for part in source.partitions for rows in predictor.predict(part)]
    answers = pd.concat([rows.frame for rows in pieces])
    n_labelled = sum(rows.n_labelled for rows in pieces)
    n_right = sum(rows.n_right for rows in pieces)
    accuracy = n_right / n_labelled if n_labelled else None
    scores = reduce(add_scores, (rows.scores for rows in pieces), None)
    tally = reduce(add_tallies, (rows.tally for rows in pieces), None)
    done = PredictionSummary(len(answers), accuracy, n_labelled, (), scores=scores, tally=tally)
    content = _describe(saved, done, None)
    return content | {"predictions": answers.to_dict(orient="records")}, done


def _label_counter(saved: "SavedModel") -> "UnseenCounter | None":
    """Return what counts labels that the training rows of the model do not have."""
    from augury.drift.unseen_labels import UnseenCounter

    return None if saved.reference is None else UnseenCounter(saved.reference)


__all__ = ["predict"]
