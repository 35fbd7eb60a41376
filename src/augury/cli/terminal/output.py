"""Output of commands: JSON, the target, decisions about columns, progress."""

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING

import click

from augury.cli.terminal.live_table import LiveTable

if TYPE_CHECKING:
    from augury.data import Dataset
    from augury.encode import ColumnDecision
    from augury.evaluate import FoldResult
    from augury.experiments.store.stored_results import Failure

Progress = Callable[[Sequence["FoldResult | Failure"]], None]


def dump_json(content: object) -> str:
    """Return JSON text."""
    return json.dumps(_plain(content), indent=2, allow_nan=False)


def _plain(value: object) -> object:
    """Return a value that JSON can hold: decimals become floats, NaN becomes null."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


_RULES = {
    "given": "chosen by --target",
    "class": "the column named class; --target chooses another",
    "last": "the last column; --target chooses another",
    "catalogue": "chosen by the catalogue",
}


def describe_target(dataset: "Dataset") -> str:
    """Return the target of a data set, the rule that chose it, and its classes."""
    classes = list(map(str, dataset.classes))
    shown = ", ".join(classes[:8]) + (", …" if len(classes) > 8 else "")
    return (
        f"{dataset.target} ({_RULES[dataset.target_rule]}); {len(dataset.X)} rows, "
        f"{len(classes)} classes: {shown}"
    )


def target_content(dataset: "Dataset") -> dict[str, object]:
    """Return the target and the numbers of rows for JSON output."""
    from augury.tables.review import review_target

    return {
        "target": dataset.target,
        "target_rule": dataset.target_rule,
        "rows": len(dataset.X),
        "rows_left_out": dataset.n_left_out,
        "notes": review_target(dataset),
    }


def echo_notes(dataset: "Dataset", *, prefix: str = "") -> None:
    """Print notes on the classes to standard error."""
    from augury.tables.review import review_target

    for note in review_target(dataset):
        click.echo(f"Note: {prefix}{note}", err=True)


def echo_decisions(decisions: Sequence["ColumnDecision"]) -> None:
    """Print how each column is read, and why."""
    from augury.text_table import align_columns

    rows = [[each.name, each.treatment, each.reason] for each in decisions]
    click.echo(align_columns(["column", "read as", "because"], rows, left=(0, 1, 2)))


@contextmanager
def live_progress(
    totals: Mapping[str, int], before: Mapping[str, int]
) -> Iterator[Progress | None]:
    """Show completed folds of each data set if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    table = LiveTable(totals, sys.stderr)
    for dataset, n_folds in before.items():
        table.skip(dataset, n_folds)
    try:
        yield table.update
    finally:
        table.finish()


__all__ = [
    "Progress",
    "describe_target",
    "dump_json",
    "echo_decisions",
    "echo_notes",
    "live_progress",
    "target_content",
]
