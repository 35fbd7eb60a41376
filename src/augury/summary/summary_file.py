"""JSON files of summaries."""

import json
from collections.abc import Mapping
from pathlib import Path

from augury.errors import StoreError
from augury.foreign import Json
from augury.summary.contents import Summary, SummaryError
from augury.whole_file import write_whole


def write_summary(summary: Summary, file: Path) -> None:
    """Write a summary as JSON.

    Raises
    ------
    StoreError
        If the file cannot be written.
    """
    write_json(summary.to_json(), file)


def write_json(content: Mapping[str, Json], file: Path) -> None:
    """Write JSON.

    Raises
    ------
    StoreError
        If the file cannot be written.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        write_whole(file, text)
    except OSError as error:
        raise StoreError(f"the summary cannot be written to {file}: {error}") from error


def read_summary(file: Path) -> Summary:
    """Read a summary that `write_summary` or `augury report` wrote.

    Raises
    ------
    SummaryError
        If the file contains no JSON, or JSON of another format number; the message names the
        file.
    OSError
        If the file cannot be read.
    """
    try:
        return Summary.from_json(json.loads(file.read_text(encoding="utf-8")))
    except RecursionError as error:
        raise SummaryError(f"{file}: is nested too deeply") from error
    except ValueError as error:
        raise SummaryError(f"{file}: {error}") from error


__all__ = ["read_summary", "write_json", "write_summary"]
