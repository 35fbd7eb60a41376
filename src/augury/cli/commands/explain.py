"""`augury explain`."""

import click

from augury.cli.files.model_and_rows import open_model_and_rows
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import header_option, json_option, max_size_option
from augury.cli.terminal.output import dump_json


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
        saved, _, rows = open_model_and_rows(model_file, table, header, max_size)
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


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


__all__ = ["explain"]
