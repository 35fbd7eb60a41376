"""`augury report`."""

import click

from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home, json_option
from augury.cli.terminal.output import dump_json


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "-o", "--out", metavar="FILE", default="report.html", show_default=True, help="The page."
)
@click.option("--title", help="Of the page. [default: what was compared]")
@click.option(
    "--reference", metavar="MODEL", help="Compared with the others first. [default: DIR's]"
)
@click.option(
    "--protocol",
    type=click.Choice(["honest", "published"]),
    help="Whose folds, if DIR has several. [default: the experiment's]",
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
    """Show the results in DIR as one page that needs no network.

    DIR is what `augury run --out` wrote; it may be incomplete, or still grow. Beside the page
    all its numbers are written as JSON, under the same name.
    """
    page = expand_home(out)
    if page.suffix == ".json":
        raise UserError(f"-o is {out!r}, the name that the numbers beside the page would have")
    with user_errors():
        from augury.report.write_report import write_report

        options = {"title": title, "reference": reference, "protocol": protocol}
        try:
            written = write_report(expand_home(folder), page, **options)
        except OSError as error:
            raise UserError(f"-o is {out!r}, where no file can be made: {error}") from error
    if as_json:
        click.echo(dump_json({"page": str(written.page), "summary": str(written.numbers)}))
        return
    for warning in written.summary["warnings"]:
        click.echo(f"Note: {warning}", err=True)
    click.echo(f"{page} shows {written.summary['title']}; its numbers are in {written.numbers}.")


__all__ = ["report"]
