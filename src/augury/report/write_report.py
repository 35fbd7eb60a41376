"""The page of a folder of results."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augury.experiments.store.stored_results import StoredResults
from augury.report import render_page
from augury.summary import summarize_store, write_summary
from augury.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A page, the file with its numbers, and what is in both."""

    page: Path
    numbers: Path
    summary: dict[str, Any]


def write_report(folder: Path, page: Path | None = None, **options: Any) -> WrittenReport:
    """Write the page of a folder of results, and beside it its numbers as JSON.

    Parameters
    ----------
    folder : path
        As given to `augury run --out`; it may be read-only if the page is elsewhere.
    page : path, default=None
        By default `report.html` in the folder.
    **options
        See `summarize_store`.

    Raises
    ------
    StoreError
        If the folder has no results.
    OSError
        If the files cannot be written.
    """
    page = folder / "report.html" if page is None else page
    with StoredResults(folder) as stored:
        summary = summarize_store(stored, **options)
    page.parent.mkdir(parents=True, exist_ok=True)
    numbers = page.with_suffix(".json")
    write_summary(summary, numbers)
    write_whole(page, render_page(summary, json_name=numbers.name))
    return WrittenReport(page, numbers, summary)


__all__ = ["WrittenReport", "write_report"]
