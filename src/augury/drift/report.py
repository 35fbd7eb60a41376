"""The result of a comparison of new rows with training rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from augury.foreign import Json
from augury.json_fields import fields_to_json
from augury.text_table import align_columns, shorten_text

_WIDTH = 80
# Widest cells of the table, so that a line has at most 80 characters.
_COLUMN, _KIND, _CELL = 18, 17, 19
_SHOWN, _CLASSES = 20, 5


@dataclass(frozen=True)
class Finding:
    """A difference between new rows and training rows.

    Attributes
    ----------
    column : name of the column; None if the finding is about whole rows
    kind : "missing column", "renamed column", "extra column", "changed kind", "missing values",
        "unseen labels", "range", "distribution", "rare rows", "predicted classes", "classes",
        "unseen classes" or "relation"
    expected : what the training rows have, in a few words
    came : what the new rows have, in a few words
    change : how large the difference is, from 0 to 1: a share of the rows, see docs/drift.md
    p_value : of the test, adjusted for the number of tests; None if there is none
    sentence : the finding in words
    """

    column: str | None
    kind: str
    expected: str
    came: str
    change: float
    p_value: float | None
    sentence: str


@dataclass(frozen=True)
class DriftReport:
    """Drift that was found, and what was compared. It prints as text of at most 80 columns.

    Attributes
    ----------
    table : name of the new table
    n_rows : number of its rows
    n_training_rows : number of training rows
    n_columns : number of columns that were compared
    n_tests : number of tests
    alpha : largest probability of a false alarm, over all tests
    drift : findings that are drift
    notes : findings that may be chance, but deserve a look: unseen labels, numbers far out
    remarks : sentences on what could not be compared
    training_shares : share of each class in the training rows
    predicted_shares : share of each class that the model predicts; empty without predictions
    accuracy : share of the known classes that the model predicts correctly, or None
    """

    table: str
    n_rows: int
    n_training_rows: int
    n_columns: int
    n_tests: int
    alpha: float
    drift: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    remarks: tuple[str, ...]
    training_shares: Mapping[str, float]
    predicted_shares: Mapping[str, float]
    accuracy: float | None

    @property
    def is_silent(self) -> bool:
        """Whether no drift was found."""
        return not self.drift

    def to_json(self) -> dict[str, Json]:
        """Return the report as a JSON object; `is_silent` is a key of it."""
        return {"is_silent": self.is_silent, **fields_to_json(self)}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        compared = (
            f"{_count(self.n_rows, 'row')} of {self.table} compared with "
            f"{self.n_training_rows} training rows: {_count(self.n_columns, 'column')}, "
            f"{self.n_tests} tests."
        )
        yield from _wrapped(compared)
        if self.is_silent:
            yield "No drift was found."
        else:
            yield f"Drift was found: {_count(len(self.drift), 'finding')}."
            yield ""
            yield _table(self.drift[:_SHOWN])
            yield ""
            yield from _sentences([each.sentence for each in self.drift])
        if self.predicted_shares:
            yield from _wrapped(self._describe_classes())
        yield from _sentences([f"Note: {each.sentence}" for each in self.notes])
        yield from _sentences([f"Note: {remark}" for remark in self.remarks])

    def _describe_classes(self) -> str:
        """Return what the model predicts.

        The shares of the classes in the training rows are not beside it: a model predicts a rare
        class less often than it occurs, which is no drift.
        """
        ordered = sorted(self.predicted_shares.items(), key=lambda item: -item[1])
        named = [f"{name} {100 * share:.1f} %" for name, share in ordered[:_CLASSES]]
        more = f" and {len(ordered) - _CLASSES} more" if len(ordered) > _CLASSES else ""
        right = ""
        if self.accuracy is not None:
            right = f" {100 * self.accuracy:.1f} % of the known classes are predicted correctly."
        return f"Classes that the model predicts for the new rows: {', '.join(named)}{more}.{right}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _wrapped(sentence: str) -> Iterator[str]:
    """Yield lines; a number and its percent sign stay together."""
    text = " ".join(sentence.split()).replace(" %", "\N{NO-BREAK SPACE}%")
    for line in wrap(text, _WIDTH, break_long_words=False):
        yield line.replace("\N{NO-BREAK SPACE}", " ")


def _table(findings: tuple[Finding, ...]) -> str:
    rows = [
        [
            shorten_text(each.column or "(rows)", _COLUMN),
            each.kind,
            shorten_text(each.expected, _CELL),
            shorten_text(each.came, _CELL),
        ]
        for each in findings
    ]
    return align_columns(
        ["column", "finding", "training rows", "new rows"], rows, left=(0, 1, 2, 3)
    )


def _sentences(sentences: list[str]) -> Iterator[str]:
    for sentence in sentences[:_SHOWN]:
        yield from _wrapped(sentence)
    if len(sentences) > _SHOWN:
        yield f"… and {len(sentences) - _SHOWN} more; --json lists all of them."


__all__ = ["DriftReport", "Finding"]
