"""`augury explain`."""

import click

from augury.cli.files.model_and_rows import open_model_and_rows
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import header_option, json_option, max_size_option
from augury.cli.terminal.output import dump_json

# Widest name and value, so that a line has at most 80 characters.
_NAME, _VALUE = 38, 26


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option(
    "--row",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    help="Number of the row, from 1.",
    show_default=True,
)
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
    """Show how each column contributes to the prediction of one row.

    MODEL is a file that `augury fit` wrote, and DATA is a table file. Contributions are to the
    log odds of the predicted class against the next most probable class, and sum to them. "prior"
    is what the model predicts without any column.
    """
    from augury.explain.row_explanation import explain_row
    from augury.text_table import align_columns, shorten_text

    with user_errors():
        saved, _, rows = open_model_and_rows(model_file, table, header, max_size)
        if row > len(rows):
            raise UserError(f"--row is {row}, but {table} has {len(rows)} rows")
        if not any(hasattr(saved.model, name) for name in ("predict_proba", "decision_function")):
            raise UserError(
                f"{model_file} has neither class probabilities nor decision values, which an "
                "explanation needs"
            )
        explained = explain_row(saved.model, rows.iloc[row - 1 : row])
    if as_json:
        echo(
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
    if explained.probability is None:
        how, unit = "", "difference of decision values"
    else:
        how, unit = f" with probability {explained.probability:.4f}", "log odds"
    echo(
        f"Row {row}: {explained.predicted}{how}; {unit} against {explained.against}: "
        f"{explained.log_odds:+z.3f}"
    )
    table_rows = [
        [shorten_text(name, _NAME), shorten_text(_text(value), _VALUE), f"{part:+z.3f}"]
        for name, value, part in explained.contributions
    ]
    echo(align_columns(["column", "value", "contribution"], table_rows, left=(0, 1)))
    echo(_describe(explained.method, unit, explained.standard_error))


def _describe(method: str, unit: str, standard_error: float) -> str:
    if method == "terms":
        return f"Exact: terms of a sum over the columns. Their sum is the {unit}."
    if method == "shapley":
        return f"Exact: Shapley values over all subsets of the columns. Their sum is the {unit}."
    return (
        f"Sampled Shapley values, standard errors up to {standard_error:.2g}. Their sum is the "
        f"{unit}."
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)


__all__ = ["explain"]
