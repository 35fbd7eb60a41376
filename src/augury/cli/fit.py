"""`augury fit`."""

import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from augury.cli.errors import UserError, user_errors
from augury.cli.options import data_option, expand_home, json_option
from augury.cli.output import dump_json, echo_decisions


@click.command()
@click.argument("table", metavar="DATA")
@click.option("--model", "name", default="hybrid", show_default=True, help="See `augury models`.")
@click.option("--target", metavar="COLUMN", help="What to predict. [default: class, or the last]")
@click.option("-o", "--output", metavar="FILE", help="Of the model. [default: DATA's name.augury]")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A model's parameter.")
@data_option
@json_option
def fit(
    table: str,
    name: str,
    target: str | None,
    output: str | None,
    settings: Sequence[str],
    data: str | None,
    as_json: bool,
) -> None:
    """Fit a model to a table and save it, without pickle.

    DATA is a file (CSV, TSV, ARFF, Parquet) or a name that `augury datasets` lists. What
    becomes of each column is said: identifiers and constants are left out.
    """
    from augury.bench import open_table, tidy_model
    from augury.instance_weights import fit_with_weights
    from augury.persist import save_model

    with user_errors():
        model = tidy_model(name, dict(map(_read_setting, settings)))
        _check_can_be_saved(name, model)
        dataset = open_table(table, target, None if data is None else expand_home(data))
        file = Path(f"{dataset.name}.augury") if output is None else expand_home(output)
        # Before the model is fitted, which may take long.
        if file.is_dir() or not file.parent.is_dir():
            raise UserError(f"--output is {str(file)!r}, where no file can be made")
        try:
            fit_with_weights(model, dataset.X, dataset.y, dataset.sample_weight)
        except (TypeError, ValueError) as error:
            raise UserError(f"{name} cannot be fitted to {table}: {error}") from error
        try:
            save_model(model, file, X=dataset.X, target=dataset.target)
        except OSError as error:
            raise UserError(f"--output is {str(file)!r}, which cannot be written: {error}") from (
                error
            )
    decisions = model["columns"].decisions_
    if as_json:
        described = {"model": name, "file": str(file), "rows": len(dataset.X)}
        described["target"] = dataset.target
        click.echo(dump_json(described | {"columns": [asdict(each) for each in decisions]}))
        return
    echo_decisions(decisions)
    classes = ", ".join(map(str, dataset.classes[:8])) + (", …" if len(dataset.classes) > 8 else "")
    click.echo(f"{name} fitted to {len(dataset.X)} rows; {dataset.target}: {classes}")
    click.echo(f"Written: {file}")


def _check_can_be_saved(name: str, model: Any) -> None:
    from augury.bench.preprocessed_classifier import PreprocessedClassifier

    inside = model.get_params(deep=True).values()
    if any(isinstance(each, PreprocessedClassifier) for each in inside):
        raise UserError(
            f"{name} is a model of another library, which cannot be saved without pickle; choose "
            "one of augury's own, see `augury models`"
        )


def _read_setting(text: str) -> tuple[str, Any]:
    """Return name and value of `alpha=0.5`; a value that is no TOML is a string."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UserError(f"--set must be NAME=VALUE, such as alpha=0.5, got {text!r}")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


__all__ = ["fit"]
