"""`augury predict` and `augury explain`."""

from typing import TYPE_CHECKING, Any

import click

from augury.cli.errors import UserError, user_errors
from augury.cli.options import expand_home, json_option
from augury.cli.output import dump_json

if TYPE_CHECKING:
    import pandas as pd

    from augury.persist import SavedModel


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option("-o", "--output", metavar="FILE", help="CSV file. [default: standard output]")
@json_option
def predict(model_file: str, table: str, output: str | None, as_json: bool) -> None:
    """Predict the rows of a table with a saved model.

    The CSV file has a line for each row of DATA: the predicted class, and the probability
    of each. If DATA has the target too, the share of right predictions is told.
    """
    import numpy as np
    import pandas as pd

    with user_errors():
        saved, frame, rows = _open(model_file, table)
        predicted = np.asarray(saved.model.predict(rows))
        columns: dict[str, Any] = {"predicted": predicted}
        if hasattr(saved.model, "predict_proba"):
            proba = saved.model.predict_proba(rows)
            columns |= {f"p({c})": proba[:, k] for k, c in enumerate(saved.model.classes_)}
        answers = pd.DataFrame(columns)
        right = None
        target = saved.metadata.target
        if target in frame.columns and frame[target].notna().all():
            right = _share_right(pd.Series(predicted), frame[target])
        if output is not None:
            try:
                answers.to_csv(expand_home(output), index=False)
            except OSError as error:
                raise UserError(f"--output is {output!r}, which cannot be written: {error}") from (
                    error
                )
    if as_json:
        content: dict[str, Any] = {"rows": len(answers), "accuracy": right, "output": output}
        if output is None:
            content["predictions"] = answers.to_dict(orient="records")
        click.echo(dump_json(content))
        return
    if output is None:
        click.echo(answers.to_csv(index=False), nl=False)
    else:
        click.echo(f"{len(answers)} rows predicted. Written: {output}")
    if right is not None:
        click.echo(f"{100 * right:.2f} % of {target} predicted right", err=output is None)


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
@json_option
def explain(model_file: str, table: str, row: int, as_json: bool) -> None:
    """Say why a saved model decides as it does about one row of a table."""
    from augury.bench import align_columns, explain_row

    with user_errors():
        saved, _, rows = _open(model_file, table)
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


def _open(model_file: str, table: str) -> "tuple[SavedModel, pd.DataFrame, pd.DataFrame]":
    """Return the model, the table as it is in the file, and the columns the model wants."""
    from augury.data.table import read_raw
    from augury.persist import load_model

    for argument, file in (("MODEL", model_file), ("DATA", table)):
        if not expand_home(file).is_file():
            raise UserError(f"{argument} is {file!r}, which is not a file")
    saved = load_model(expand_home(model_file))
    frame = read_raw(expand_home(table)).frame
    return saved, frame, saved.metadata.select_columns(frame, table)


__all__ = ["explain", "predict"]
