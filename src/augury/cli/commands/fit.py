"""`augury fit`."""

import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home, json_option, table_options
from augury.cli.terminal.output import (
    describe_target,
    dump_json,
    echo_decisions,
    echo_notes,
    target_content,
)

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline


@click.command()
@click.argument("table", metavar="DATA")
@click.option(
    "--model", "name", default="hybrid", show_default=True, help="Name of `augury models`."
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
@table_options
@json_option
def fit(
    table: str,
    name: str,
    target: str | None,
    output: str | None,
    settings: Sequence[str],
    strict: bool,
    header: bool | None,
    max_size: float | None,
    data: str | None,
    as_json: bool,
) -> None:
    """Fit a model to a table and save it.

    DATA is a file (CSV, TSV, ARFF, Parquet) or a name that `augury datasets` lists. The command
    prints the target, and how each column is read: identifiers and constants are left out.
    Rows without a class are left out, unless --strict is given. The file has no pickled
    objects.
    """
    from augury.instance_weights import fit_with_weights
    from augury.persist import save_model
    from augury.tables.open_table import open_tidy_table

    with user_errors():
        model = _build(name, settings)
        _check_can_be_saved(name, model)
        folder = None if data is None else expand_home(data)
        dataset = open_tidy_table(
            table, target, data_dir=folder, strict=strict, header=header, max_size=max_size
        )
        echo_notes(dataset)
        if not as_json:
            click.echo(f"Target: {describe_target(dataset)}")
        file = Path(f"{dataset.name}.augury") if output is None else expand_home(output)
        # Checked before the fit, which may take long.
        if file.is_dir() or not file.parent.is_dir():
            raise UserError(f"--output is {str(file)!r}, where no file can be written")
        try:
            fit_with_weights(model, dataset.X, dataset.y, dataset.sample_weight)
        except (TypeError, ValueError) as error:
            raise UserError(_explain(error, name, table, settings)) from error
        try:
            save_model(model, file, X=dataset.X, target=dataset.target)
        except OSError as error:
            raise UserError(f"--output is {str(file)!r}, which cannot be written: {error}") from (
                error
            )
    decisions = model["columns"].decisions_
    if as_json:
        described = {"model": name, "file": str(file)} | target_content(dataset)
        click.echo(dump_json(described | {"columns": [asdict(each) for each in decisions]}))
        return
    echo_decisions(decisions)
    click.echo(f"{name} fitted to {len(dataset.X)} rows")
    click.echo(f"Written: {file}")


def _build(name: str, settings: Sequence[str]) -> "Pipeline":
    """Return the unfitted model; the error of an unknown parameter names --set."""
    from augury.errors import UnknownParameterError
    from augury.models.tidy_model import tidy_model

    try:
        return tidy_model(name, dict(map(_read_setting, settings)))
    except UnknownParameterError as error:
        raise UserError(f"--set: {error}") from error


def _explain(error: Exception, name: str, table: str, settings: Sequence[str]) -> str:
    """Return the reason of a failed fit; the error of a parameter's value names --set."""
    for text in settings:
        if f": {text.partition('=')[0]} must" in str(error):
            return f"--set {text}: {error}"
    return f"{name} cannot be fitted to {table}: {error}"


def _check_can_be_saved(name: str, model: "Pipeline") -> None:
    from augury.models.preprocessed_classifier import PreprocessedClassifier

    inside = model.get_params(deep=True).values()
    if any(isinstance(each, PreprocessedClassifier) for each in inside):
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


__all__ = ["fit"]
