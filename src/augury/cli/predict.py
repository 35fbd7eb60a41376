"""`augury predict` and `augury explain`."""

from typing import TYPE_CHECKING, Any

import click

from augury.cli.errors import UserError, user_errors
from augury.cli.formulas import find_formula, guard_formulas
from augury.cli.options import expand_home, header_option, json_option, max_size_option
from augury.cli.output import dump_json

if TYPE_CHECKING:
    import pandas as pd

    from augury.persist import SavedModel


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option("-o", "--output", metavar="FILE", help="CSV file. [default: standard output]")
@click.option(
    "--escape-formulas",
    is_flag=True,
    help="Write ' before text that a spreadsheet would run as a formula: = + - @ first, or a tab "
    "or carriage return. Numbers are not changed. [default: as is, with a note]",
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
    """Predict the rows of a table with a saved model.

    The CSV file has a line for each row of DATA: the predicted class, and the probability
    of each. If DATA has the target too, the share of right predictions is printed; rows without
    a class are predicted, but not counted in it.
    """
    import pandas as pd

    from augury.predict_once import predict_once

    with user_errors():
        saved, frame, rows = _open(model_file, table, header, max_size)
        found = predict_once(saved.model, rows)
        predicted, proba = found.predicted, found.probabilities
        columns: dict[str, Any] = {"predicted": predicted}
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
                expand_home(output).write_text(written, encoding="utf-8", newline="")
            except OSError as error:
                raise UserError(f"--output is {output!r}, which cannot be written: {error}") from (
                    error
                )
    if as_json:
        content: dict[str, Any] = {"rows": len(answers), "accuracy": right, "output": output}
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
        click.echo(f"{100 * right:.2f} % of {target} predicted right{which}", err=output is None)


def _to_csv(answers: "pd.DataFrame", escape: bool) -> str:
    """Return the predictions as CSV, and report what a spreadsheet would run."""
    if escape:
        answers = answers.assign(predicted=guard_formulas(answers["predicted"]))
    elif formula := find_formula(answers["predicted"]):
        click.echo(
            f"Note: {formula!r} begins like a formula, which a spreadsheet may run; "
            "--escape-formulas writes it as text",
            err=True,
        )
    text: str = answers.to_csv(index=False)
    return text


def _share_right(predicted: "pd.Series", target: "pd.Series") -> float:
    """Return the share of equal labels; numbers are equal however a file writes them: 1, 1.0."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    both = (predicted, target)
    if not all(is_numeric_dtype(each) and not is_bool_dtype(each) for each in both):
        predicted, target = (each.astype(str) for each in both)
    return float((predicted.to_numpy() == target.to_numpy()).mean())


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option("--row", metavar="N", type=click.IntRange(min=1), default=1, help="From 1 on.")
@header_option
@max_size_option
@json_option
def explain(
    model_file: str,
    table: str,
    row: int,
    header: bool | None,
    max_size: float | None,
    as_json: bool,
) -> None:
    """Say why a saved model decides as it does about one row of a table."""
    from augury.explain.row_explanation import explain_row
    from augury.text_table import align_columns

    with user_errors():
        saved, _, rows = _open(model_file, table, header, max_size)
        if row > len(rows):
            raise UserError(f"--row is {row}, but {table} has {len(rows)} rows")
        if not hasattr(saved.model, "predict_proba"):
            raise UserError(f"{model_file} gives no probabilities, which explaining needs")
        explained = explain_row(saved.model, rows.iloc[row - 1 : row])
    if as_json:
        click.echo(
            dump_json(
                {
                    "row": row,
                    "predicted": str(explained.predicted),
                    "against": str(explained.against),
                    "probability": explained.probability,
                    "log_odds": explained.log_odds,
                    "method": explained.method,
                    "contributions": [
                        {"column": name, "value": _text(value), "contribution": part}
                        for name, value, part in explained.contributions
                    ],
                }
            )
        )
        return
    click.echo(
        f"Row {row}: {explained.predicted} with probability {explained.probability:.4f}; log odds "
        f"against {explained.against}: {explained.log_odds:+.3f}"
    )
    table_rows = [
        [name, _text(value), f"{part:+.3f}"] for name, value, part in explained.contributions
    ]
    click.echo(align_columns(["column", "value", "speaks for it"], table_rows, left=(0, 1)))
    if explained.method == "without":
        click.echo("Each: what the log odds lose if the value is unknown; they need not add up.")


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _open(
    model_file: str, table: str, header: bool | None, max_size: float | None
) -> "tuple[SavedModel, pd.DataFrame, pd.DataFrame]":
    """Return the model, the table as it is in the file, and the columns the model wants."""
    import warnings

    from augury.data import StrayTextWarning
    from augury.data.table import absent, read_raw
    from augury.encode import TidyColumns
    from augury.persist import load_model

    for argument, file in (("MODEL", model_file), ("DATA", table)):
        path = expand_home(file)
        if not path.exists():
            raise UserError(f"{argument} is {absent(path)}")
        if not path.is_file():
            raise UserError(f"{argument} is {file!r}, which is not a file")
    saved = load_model(expand_home(model_file))
    # Of a pipeline behind `TidyColumns`, which reads new rows as it read the training rows.
    is_tidy = isinstance(getattr(saved.model, "named_steps", {}).get("columns"), TidyColumns)
    with warnings.catch_warnings():
        if is_tidy:
            warnings.simplefilter("ignore", StrayTextWarning)
        frame = read_raw(expand_home(table), header=header, max_size=max_size).frame
    return saved, frame, saved.metadata.select_columns(frame, table, check_kinds=not is_tidy)


__all__ = ["explain", "predict"]
