"""Writing of a page and of the JSON file with its numbers."""

from dataclasses import dataclass
from pathlib import Path

from augury.report.page import render_page
from augury.summary.contents import Summary
from augury.summary.summary_file import write_summary
from augury.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """Paths of a page and of the JSON file with its numbers."""

    page: Path
    numbers: Path


def write_report(summary: Summary, page: Path) -> WrittenReport:
    """Write the page of a summary, and next to it the summary as JSON.

    Parameters
    ----------
    summary : Summary
        See `augury.summary.summarize_store`.
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
    write_summary(summary, numbers)
    write_whole(page, render_page(summary, json_name=numbers.name))
    return WrittenReport(page, numbers)


__all__ = ["WrittenReport", "write_report"]
