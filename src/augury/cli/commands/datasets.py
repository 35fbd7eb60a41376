"""`augury datasets`."""

import click

from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import user_errors
from augury.cli.terminal.options import data_option, json_option
from augury.cli.terminal.output import dump_json


@click.command()
@data_option
@json_option
def datasets(data: str | None, as_json: bool) -> None:
    """List the named data sets and their sources."""
    from augury.data import list_datasets
    from augury.text_table import align_columns

    with user_errors():
        listed = list_datasets(data)
    if as_json:
        echo(dump_json(listed.to_dict(orient="records")))
        return
    rows = [
        [row.name, str(row.rows), str(row.columns), str(row.missing), str(row.classes), row.source]
        for row in listed.itertuples(index=False)
    ]
    header = ["name", "rows", "columns", "missing", "classes", "source"]
    echo(align_columns(header, rows, left=(0, 5)))


__all__ = ["datasets"]
