"""Rendering of the summary of one table as a self-contained HTML page, and writing of its files."""

from importlib import resources
from pathlib import Path

from markupsafe import Markup

from augury.json_fields import to_json
from augury.report.page import (
    embed_json,
    hash_of,
    page_environment,
    read_asset,
    without_surrogates,
    wrap_scripts,
)
from augury.report.report_files import WrittenReport
from augury.report.table_view import view_table
from augury.summary.contents import Summary
from augury.summary.contents.table_summary import TableSummary
from augury.summary.summary_file import write_json
from augury.whole_file import write_whole

# Scripts of the bench page that this page uses too.
_SHARED_SCRIPTS = ("elements.js", "theme.js")
_FOLDER, _LAST_SCRIPT = "table", "start.js"


def render_table_page(summary: TableSummary, *, json_name: str = "report.json") -> str:
    """Return the page of one table: verdict, leaderboard, the recommended model, what-if.

    Parameters
    ----------
    summary : TableSummary
        Result of `augury.summary.table.summarize_table`. Parts that are empty are not shown.
    json_name : str
        Name of the file next to the page that contains the summary as JSON.

    Returns
    -------
    str
        An HTML document without references to other files. Its content security policy allows
        only its own script, so that no name in the data is executed.
    """
    style = read_asset("style.css") + read_asset(f"{_FOLDER}/table.css")
    script = wrap_scripts([*_SHARED_SCRIPTS, *_own_scripts(), f"{_FOLDER}/{_LAST_SCRIPT}"])
    what_if = None if summary.what_if is None else to_json(summary.what_if)
    page = (
        page_environment()
        .get_template(f"{_FOLDER}/table_page.html.j2")
        .render(
            page=view_table(summary),
            json_name=json_name,
            style=Markup(style),  # noqa: S704 - our own files
            script=Markup(script),  # noqa: S704 - our own files
            style_hash=hash_of(style),
            script_hash=hash_of(script),
            # No character of it can end the element.
            what_if_json=Markup(embed_json({"what_if": what_if})),  # noqa: S704
        )
    )
    return without_surrogates(page)


def write_table_report(summary: Summary, table: TableSummary, page: Path) -> WrittenReport:
    """Write the page of one table, and next to it both summaries as JSON.

    Parameters
    ----------
    summary : Summary
        Of the store; see `augury.summary.summarize_store`.
    table : TableSummary
        Its JSON is the key "table" of that of the summary.
    page : path
        File of the page. The JSON file has the same name with the suffix `.json`.

    Raises
    ------
    StoreError
        If the JSON file cannot be written.
    OSError
        If the page or its folder cannot be written.
    """
    page.parent.mkdir(parents=True, exist_ok=True)
    numbers = page.with_suffix(".json")
    write_json({**summary.to_json(), "table": table.to_json()}, numbers)
    write_whole(page, render_table_page(table, json_name=numbers.name))
    return WrittenReport(page, numbers)


def _own_scripts() -> list[str]:
    folder = resources.files("augury.report").joinpath("assets", _FOLDER)
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".js"))
    return [f"{_FOLDER}/{name}" for name in names if name != _LAST_SCRIPT]


__all__ = ["render_table_page", "write_table_report"]
