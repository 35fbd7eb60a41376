"""`augury fit`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.cli.files.decision_options import (
    add_class_weight,
    add_decision,
    class_weight_option,
    decision_options,
    describe_decision,
    file_of_costs,
    name_classes,
    read_decision,
    suit_decision,
)
from augury.cli.files.fit_in_pieces import TableInPieces, describe_reading
from augury.cli.files.separate_output import require_separate_output, results_file
from augury.cli.files.table_in_pieces import InPieces, name_of_table, why_in_pieces
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    expand_home,
    json_option,
    scheduler_option,
    table_options,
)
from augury.cli.terminal.output import TargetSummary, dump_json, echo_decisions
from augury.cli.terminal.stopping import ending_cleanly

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.pipeline import Pipeline

    from augury.drift import Reference
    from augury.summary.contents.verdict import DecisionOfModel

_DEFAULT, _STREAMED_DEFAULT = "augury", "hybrid"


@dataclass(frozen=True, eq=False)
class _Request:
    """Arguments of the command."""

    table: str
    name: str  # empty if no option names a model
    target: str | None
    output: str | None
    from_compare: str | None
    settings: Sequence[str]
    costs: str | None
    threshold: str | None
    class_weight: str | None
    scheduler: str | None
    strict: bool
    header: bool | None
    max_size: float | None
    data: str | None
    as_json: bool
    is_streamed_default: bool = False
    compared: "DecisionOfModel | None" = None  # decision of the comparison of --from-compare


@dataclass(frozen=True, eq=False)
class _Fitted:
    """A fitted model.

    Attributes
    ----------
    model : the model
    file : the file that it was saved in
    target : its target
    reading : sentences on what is exact, if the rows were read in pieces
    content : more JSON output
    """

    model: "Pipeline"
    file: Path
    target: TargetSummary
    reading: Sequence[str] = ()
    content: Mapping[str, object] = field(default_factory=dict)


@click.command()
@click.argument("table", metavar="DATA")
@click.option(
    "--model",
    "name",
    default="",
    metavar="NAME",
    help="Name of `augury models`. [default: augury; hybrid if DATA is read in pieces]",
)
@click.option(
    "--from-compare",
    metavar="DIR",
    help="Take the recommended model, the target, and costs or threshold from the folder of "
    "`augury compare`.",
)
@click.option("--target", metavar="COLUMN", help="Column to predict. [default: class, or the last]")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="File of the model. [default: the name of DATA, and .augury]",
)
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Parameter of the model; may be repeated.",
)
@decision_options
@class_weight_option
@click.option("--stream", is_flag=True, help="Read DATA in pieces, however small it is.")
@scheduler_option
@table_options
@json_option
def fit(stream: bool, **arguments: Any) -> None:
    """Fit a model to a table and save it.

    DATA is a file (CSV, TSV, ARFF, Parquet, Arrow), a name that `augury datasets` lists, a folder
    or a quoted pattern such as 'big/*.parquet', or a query: 'duckdb:FILE?query=SELECT …'. The
    command prints the target, and how each column is read: identifiers and constants are left out.
    Rows without a class are left out, unless --strict is given. The file has no pickled objects. It
    has statistics of the rows, with which `augury check` compares new rows. Some models also keep
    rows: `knn` all of them, `kernel` and `augury` up to 1,000.

    DATA is read in pieces, several times and in constant memory, if it takes more than a quarter
    of the free memory, and whenever it consists of several files, is a query or an Arrow file.
    Then the model must be generative, a logistic regression or a hybrid of both; without --model
    it is `hybrid`, because `augury` needs all rows in memory. The command prints what is exact.
    TMPDIR names the folder of temporary files.
    """
    asked = _Request(**arguments)
    with ending_cleanly(), user_errors():
        _check_separate(asked, asked.output)
        asked = _choose_model(asked, stream)
        model = add_class_weight(_build(asked.name, asked.settings), asked.class_weight)
        model = _add_decision(asked, model)
        _check_can_be_saved(asked.name, model)
        pieces = _choose_pieces(asked, model, stream)
        fitted = _fit_whole(asked, model) if pieces is None else _fit_pieces(asked, model, pieces)
    decisions = fitted.model["columns"].decisions_
    if asked.as_json:
        content = {"model": asked.name, "file": str(fitted.file)} | fitted.target.content()
        columns = {"columns": [asdict(each) for each in decisions]}
        echo(dump_json(content | dict(fitted.content) | columns))
        return
    echo_decisions(decisions)
    for sentence in fitted.reading:
        echo(sentence)
    echo(f"{asked.name} fitted to {fitted.target.n_rows} rows")
    echo(f"Written: {fitted.file}")


def _choose_model(asked: _Request, stream: bool) -> _Request:
    """Return the arguments with the name of a model: that of a comparison, or the default."""
    if asked.from_compare is not None:
        if asked.name:
            raise UserError("--model and --from-compare exclude each other")
        from augury.cli.files.compared_folder import read_recommended

        verdict = read_recommended(expand_home(asked.from_compare))
        is_decided = asked.costs is not None or asked.threshold is not None
        return replace(
            asked,
            name=verdict.recommended or "",
            target=asked.target or verdict.target,
            compared=None if is_decided else verdict.decision,
        )
    if asked.name:
        return asked
    if why_in_pieces(asked.table, _stream_option(asked, stream)) is None:
        return replace(asked, name=_DEFAULT)
    return replace(asked, name=_STREAMED_DEFAULT, is_streamed_default=True)


def _stream_option(asked: _Request, stream: bool) -> str | None:
    """Return the option that asks for reading in pieces."""
    return "--stream" if stream else None if asked.scheduler is None else "--scheduler"


def _choose_pieces(asked: _Request, model: "Pipeline", stream: bool) -> InPieces | None:
    """Return why DATA is read in pieces; None if it is read whole."""
    pieces = why_in_pieces(asked.table, _stream_option(asked, stream))
    if pieces is None:
        return None
    from augury.scale.fitting import check_streamable

    try:
        check_streamable(model)
    except (TypeError, ValueError) as error:
        if pieces.is_needed:
            raise UserError(_explain(error, asked)) from error
        echo(
            f"Note: {asked.table} is read whole, although {pieces.reason}: {asked.name} cannot be "
            "fitted to pieces",
            err=True,
        )
        return None
    echo(pieces.describe(asked.table), err=True)
    return pieces


def _fit_whole(asked: _Request, model: "Pipeline") -> _Fitted:
    """Read DATA, fit the model, and save it."""
    from augury.drift import collect_reference
    from augury.instance_weights import fit_with_weights
    from augury.tables.open_table import open_tidy_table

    dataset = open_tidy_table(
        asked.table,
        asked.target,
        data_dir=None if asked.data is None else expand_home(asked.data),
        strict=asked.strict,
        header=asked.header,
        max_size=asked.max_size,
    )
    target = TargetSummary.of(dataset)
    _echo_target(asked, target)
    file = _output_file(asked, dataset.name)
    name_classes(model, dataset.classes)
    suit_decision(model, dataset)
    try:
        fit_with_weights(model, dataset.X, dataset.y, dataset.sample_weight)
    except (TypeError, ValueError) as error:
        raise UserError(_explain(error, asked)) from error
    reference = collect_reference(model, dataset.X, dataset.y, target=target.target)
    _save(model, file, dataset.X, target, reference)
    return _Fitted(model, file, target, *describe_decision(model))


def _fit_pieces(asked: _Request, model: "Pipeline", pieces: InPieces) -> _Fitted:
    """Fit the model to DATA, which is read in pieces, and save it."""
    from augury.data import DataError

    file = _output_file(asked, name_of_table(asked.table))
    opened = TableInPieces.open(asked.table, asked.target, asked.header, asked.max_size)
    if asked.is_streamed_default:
        reason = f"because {_DEFAULT} needs all rows in memory"
        echo(f"Note: the model is {_STREAMED_DEFAULT}, {reason}", err=True)
    try:
        model, report = opened.fit(model, strict=asked.strict, scheduler=asked.scheduler)
    except DataError:
        raise
    except (TypeError, ValueError) as error:
        raise UserError(_explain(error, asked)) from error
    target = opened.summarize(report)
    _echo_target(asked, target)
    reference = opened.collect_reference(model, scheduler=asked.scheduler)
    _save(model, file, opened.first_rows, target, reference)
    content = {
        "in_pieces": pieces.reason,
        "bounded_cuts": report.bounded_cuts,
        "grouped_labels": list(report.grouped_labels),
    }
    return _Fitted(model, file, target, describe_reading(report), content)


def _echo_target(asked: _Request, target: TargetSummary) -> None:
    target.echo_notes()
    if not asked.as_json:
        target.echo()


def _output_file(asked: _Request, name: str) -> Path:
    """Return the file of the model; checked before the fit, which may take long."""
    file = Path(f"{name}.augury") if asked.output is None else expand_home(asked.output)
    if file.is_dir() or not file.parent.is_dir():
        raise UserError(f"--output is {str(file)!r}, where no file can be written")
    if asked.output is None:
        _check_separate(asked, file)
    return file


def _check_separate(asked: _Request, output: str | Path | None) -> None:
    require_separate_output(
        "--output",
        output,
        {
            "DATA": asked.table,
            "--costs": file_of_costs(asked.costs),
            "--from-compare": results_file(asked.from_compare),
        },
        is_default=asked.output is None,
        data_dir=None if asked.data is None else expand_home(asked.data),
    )


def _save(
    model: "Pipeline",
    file: Path,
    rows: "pd.DataFrame",
    target: TargetSummary,
    reference: "Reference",
) -> None:
    from augury.persist import save_model

    try:
        save_model(
            model,
            file,
            X=rows,
            target=target.target,
            n_rows=target.n_rows,
            reference=reference,
        )
    except OSError as error:
        raise UserError(f"--output is {str(file)!r}, which cannot be written: {error}") from error


def _build(name: str, settings: Sequence[str]) -> "Pipeline":
    """Return the unfitted model; the error of an unknown parameter names --set."""
    from augury.errors import UnknownParameterError
    from augury.models.tidy_model import tidy_model

    try:
        return tidy_model(name, dict(map(_read_setting, settings)))
    except UnknownParameterError as error:
        raise UserError(f"--set: {error}") from error


def _explain(error: Exception, asked: _Request) -> str:
    """Return the reason of a failed fit; the error of a parameter's value names --set."""
    for text in asked.settings:
        if f": {text.partition('=')[0]} must" in str(error):
            return f"--set {text}: {error}"
    return f"{asked.name} cannot be fitted to {asked.table}: {error}"


def _add_decision(asked: _Request, model: "Pipeline") -> "Pipeline":
    """Return the model with the decision of the options, else with that of the comparison."""
    if asked.compared is None:
        return add_decision(model, *read_decision(asked.costs, asked.threshold))
    from augury.comparison.decision import add_decision as add_compared

    return add_compared(model, asked.compared, asked.compared.classes)


def _check_can_be_saved(name: str, model: "Pipeline") -> None:
    from augury.models.preprocessed_classifier import is_of_another_library

    if is_of_another_library(model):
        raise UserError(
            f"{name} is a model of another library, which cannot be saved without pickle; choose "
            "a model of augury, see `augury models`"
        )


def _read_setting(text: str) -> tuple[str, object]:
    """Return name and value of `alpha=0.5`; a value that is not valid TOML is a string."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UserError(f"--set must be NAME=VALUE, such as alpha=0.5, got {text!r}")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value
    except (RecursionError, ValueError) as error:  # deeper or longer than Python reads
        raise UserError(f"--set {name}: {value[:40]!r}... cannot be read: {error}") from error


__all__ = ["fit"]
