"""`augury report`."""

import click

from augury.cli.files.separate_output import require_separate_output, results_file
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home, json_option
from augury.cli.terminal.output import dump_json


@click.command(short_help="Write the results in DIR as one HTML page.")
@click.argument("folder", metavar="DIR")
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    default="report.html",
    show_default=True,
    help="File of the page.",
)
@click.option("--title", help="Title of the page. [default: numbers of models and data sets]")
@click.option(
    "--reference",
    metavar="MODEL",
    help="Model that the others are compared with. [default: that of DIR]",
)
@click.option(
    "--protocol",
    type=click.Choice(["honest", "published"]),
    help="Protocol of the folds that are shown. [default: that of the experiment]",
)
@json_option
def report(
    folder: str,
    out: str,
    title: str | None,
    reference: str | None,
    protocol: str | None,
    as_json: bool,
) -> None:
    """Write the results in DIR as one HTML page that needs no network.

    DIR is a folder that `augury run --out` or `augury compare` wrote. The results may be
    incomplete, and other processes may add to them. All numbers of the page are written as JSON to
    a file with the same name and the suffix .json. The page of a comparison is that of its table,
    unless --title, --reference or --protocol asks for the page of an experiment.
    """
    page = expand_home(out)
    if page.suffix == ".json":
        raise UserError(
            f"-o must not end in .json, got {out!r}: the numbers of the page have that name"
        )
    for output in (page, page.with_suffix(".json")):
        require_separate_output("--out", output, {"DIR": results_file(folder)})
    with user_errors():
        from augury.comparison.table_report import stored_table
        from augury.experiments.store.stored_results import StoredResults
        from augury.report import write_report, write_table_report
        from augury.summary import summarize_store

        is_changed = title or reference or protocol
        with StoredResults(expand_home(folder)) as stored:
            summary = summarize_store(stored, title=title, reference=reference, protocol=protocol)
            table = None if is_changed else stored_table(stored, summary)
        try:
            written = (
                write_report(summary, page)
                if table is None
                else write_table_report(summary, table, page)
            )
        except OSError as error:
            raise UserError(f"-o is {out!r}, where no file can be written: {error}") from error
    if as_json:
        echo(dump_json({"page": str(written.page), "summary": str(written.numbers)}))
        return
    for warning in summary.warnings if table is None else ():
        echo(f"Note: {warning}", err=True)
    shown = summary.title if table is None else f"the comparison on {table.verdict.dataset}"
    echo(f"{page} shows {shown}; its numbers are in {written.numbers}.")


__all__ = ["report"]
