"""`augury predict`."""

from typing import TYPE_CHECKING

import click

from augury.cli.files.model_and_rows import open_model_and_rows
from augury.cli.files.predictions_file import predictions_csv
from augury.cli.files.spreadsheet_formulas import find_formula, guard_formulas
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home, header_option, json_option, max_size_option
from augury.cli.terminal.output import dump_json
from augury.whole_file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option("-o", "--output", metavar="FILE", help="CSV file. [default: standard output]")
@click.option(
    "--escape-formulas",
    is_flag=True,
    help="Write ' before text that a spreadsheet runs as a formula: text that begins with =, +, -, "
    "@, a tab or a carriage return. Numbers are not changed. [default: as is, with a note]",
)
@header_option
@max_size_option
@json_option
def predict(
    model_file: str,
    table: str,
    output: str | None,
    escape_formulas: bool,
    header: bool | None,
    max_size: float | None,
    as_json: bool,
) -> None:
    """Predict the class of each row of a table with a saved model.

    The CSV file has a line for each row of DATA: the predicted class, and the probability of
    each class. If DATA has the target, the accuracy is printed; rows without a class are
    predicted, but do not count.
    """
    import pandas as pd

    from augury.predict_once import predict_once

    with user_errors():
        saved, frame, rows = open_model_and_rows(model_file, table, header, max_size)
        found = predict_once(saved.model, rows)
        predicted, proba = found.predicted, found.probabilities
        columns = {"predicted": predicted}
        if proba is not None:
            columns |= {f"p({c})": proba[:, k] for k, c in enumerate(saved.model.classes_)}
        answers = pd.DataFrame(columns)
        right, n_known = None, 0
        target = saved.metadata.target
        if target in frame.columns and frame[target].notna().any():
            known = frame[target].notna().to_numpy()
            right = _share_right(pd.Series(predicted)[known], frame[target][known])
            n_known = int(known.sum())
        written = _to_csv(answers, escape_formulas)
        if output is not None:
            try:
                _write(expand_home(output), written)
            except OSError as error:
                raise UserError(f"--output is {output!r}, which cannot be written: {error}") from (
                    error
                )
    if as_json:
        content: dict[str, object] = {"rows": len(answers), "accuracy": right, "output": output}
        content["accuracy_rows"] = n_known
        if output is None:
            content["predictions"] = answers.to_dict(orient="records")
        click.echo(dump_json(content))
        return
    if output is None:
        click.echo(written, nl=False)
    else:
        click.echo(f"{len(answers)} rows predicted. Written: {output}")
    if right is not None:
        rest = len(answers) - n_known
        which = f" in {n_known} rows; {rest} rows have no class" if rest else ""
        click.echo(
            f"{100 * right:.2f} % of {target} predicted correctly{which}", err=output is None
        )


def _write(path: "Path", text: str) -> None:
    """Write a file under a temporary name and rename it; a device or a pipe has no such name."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="")
    else:
        write_whole(path, text)


def _to_csv(answers: "pd.DataFrame", escape: bool) -> str:
    """Return the predictions as CSV, and report text that a spreadsheet would run."""
    if escape:
        answers = answers.assign(predicted=guard_formulas(answers["predicted"]))
    elif formula := find_formula(answers["predicted"]):
        click.echo(
            f"Note: {formula!r} begins like a formula, which a spreadsheet may run; "
            "--escape-formulas writes it as text",
            err=True,
        )
    return predictions_csv(answers)


def _share_right(predicted: "pd.Series", target: "pd.Series") -> float:
    """Return the share of equal labels; 1 and 1.0 are equal."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    both = (predicted, target)
    if not all(is_numeric_dtype(each) and not is_bool_dtype(each) for each in both):
        predicted, target = (each.astype(str) for each in both)
    return float((predicted.to_numpy() == target.to_numpy()).mean())


__all__ = ["predict"]
