"""Output of commands: JSON, the target, decisions about columns, progress."""

import json
import math
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from augury.cli.terminal.echo import echo
from augury.cli.terminal.live_table import LiveTable

if TYPE_CHECKING:
    from augury.data import Dataset
    from augury.encode import ColumnDecision
    from augury.evaluate import FoldResult
    from augury.experiments.store.stored_results import Failure

# Characters of a line.
WIDTH = 80
_FEWEST_OF_REASON = 30
# More columns are counted instead of listed; the page and JSON list all.
_MAX_COLUMNS = 40

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


@dataclass(frozen=True)
class TargetSummary:
    """The target of a table.

    Attributes
    ----------
    target : its name
    rule : why it is the target, as in `augury.data.Dataset`
    n_rows : number of rows that have a class
    n_left_out : number of rows without a class
    classes : the classes
    notes : sentences on classes that look like mistakes
    """

    target: str
    rule: str
    n_rows: int
    n_left_out: int
    classes: Sequence[object]
    notes: Sequence[str]

    @classmethod
    def of(cls, dataset: "Dataset") -> "TargetSummary":
        """Return the target of a data set."""
        from augury.tables.review import review_target

        return cls(
            dataset.target,
            dataset.target_rule,
            len(dataset.X),
            dataset.n_left_out,
            dataset.classes,
            review_target(dataset),
        )

    def describe(self) -> str:
        """Return the target, the rule that chose it, and its classes."""
        classes = list(map(str, self.classes))
        shown = ", ".join(classes[:8]) + (", …" if len(classes) > 8 else "")
        return (
            f"{self.target} ({_RULES[self.rule]}); {self.n_rows:,} rows, "
            f"{len(classes)} classes: {shown}"
        )

    def echo(self) -> None:
        """Print the target in lines of at most 80 characters."""
        echo(textwrap.fill(f"Target: {self.describe()}", WIDTH, break_on_hyphens=False))

    def content(self) -> dict[str, object]:
        """Return the target and the numbers of rows for JSON output."""
        return {
            "target": self.target,
            "target_rule": self.rule,
            "rows": self.n_rows,
            "rows_left_out": self.n_left_out,
            "notes": list(self.notes),
        }

    def echo_notes(self, *, prefix: str = "") -> None:
        """Print notes on the classes to standard error."""
        for note in self.notes:
            echo(f"Note: {prefix}{note}", err=True)


def echo_decisions(decisions: Sequence["ColumnDecision"]) -> None:
    """Print how each column is read, and why: all that are left out, and the first of others."""
    from augury.text_table import align_columns, text_cells

    kept = [each.name for each in decisions if each.treatment != "dropped"]
    hidden = set(kept[_MAX_COLUMNS:])
    shown = [each for each in decisions if each.name not in hidden]
    widest = max((text_cells(each.name) for each in shown), default=0)
    space = max(WIDTH - max(widest, len("column")) - len("read as") - 4, _FEWEST_OF_REASON)
    rows = []
    for each in shown:
        first, *more = textwrap.wrap(each.reason, space) or [""]
        rows.append([each.name, each.treatment, first])
        rows += [["", "", line] for line in more]
    echo(align_columns(["column", "read as", "because"], rows, left=(0, 1, 2)))
    if hidden:
        counts = Counter(each.treatment for each in decisions if each.name in hidden)
        echo(f"and {', '.join(f'{n} more as {how}' for how, n in counts.items())}")


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
    "WIDTH",
    "Progress",
    "TargetSummary",
    "dump_json",
    "echo_decisions",
    "live_progress",
]
