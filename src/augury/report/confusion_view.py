"""The confusion matrix of the recommended model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augury.report.numbers import decimals, percent
from augury.summary.contents.table_summary import OpenedModel
from augury.summary.contents.verdict import DecisionOfModel

_SHADES = 8
# A matrix of 300 classes has 90,000 cells, which no one can read.
_MAX_CLASSES = 30


@dataclass(frozen=True, slots=True)
class ConfusionCell:
    """A cell of the confusion matrix: its text, its tooltip, and the class of its colour."""

    text: str
    tip: str
    shade: str


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """A class of the confusion matrix, with its recall."""

    label: str
    cells: tuple[ConfusionCell, ...]
    recall: str
    n_rows: str


@dataclass(frozen=True, slots=True)
class ConfusionView:
    """The confusion matrix, with recall and precision of each class."""

    lead: str
    header: tuple[str, ...]
    rows: tuple[ConfusionRow, ...]
    precision: tuple[str, ...]


def view_confusion(opened: OpenedModel, decision: DecisionOfModel | None) -> ConfusionView:
    """Return the confusion matrix; of more than 30 classes those with the most errors."""
    shown = _with_most_errors(opened.confusion)
    n_left = len(opened.classes) - len(shown)
    digits = 0 if all(float(n).is_integer() for row in opened.confusion for n in row) else 1
    rows = []
    for i in shown:
        each, counts = opened.classes[i], opened.confusion[i]
        total = sum(counts) or 1.0
        cells = [
            _cell(each.label, opened.classes[j].label, counts[j], total, digits, is_right=i == j)
            for j in shown
        ]
        if n_left:
            others = sum(n for j, n in enumerate(counts) if j not in shown)
            cells.append(_cell(each.label, _others(n_left), others, total, digits))
        rows.append(
            ConfusionRow(each.label, tuple(cells), percent(each.recall), f"{each.n_rows:,}")
        )
    header = [opened.classes[j].label for j in shown]
    precision = [percent(opened.classes[j].precision) for j in shown]
    return ConfusionView(
        _lead(opened, decision, len(shown)),
        tuple(header + [_others(n_left)] * (n_left > 0)),
        tuple(rows),
        tuple(precision + [""] * (n_left > 0)),
    )


def _with_most_errors(confusion: Sequence[Sequence[float]]) -> list[int]:
    """Return the classes to show, in their order."""
    places = range(len(confusion))
    if len(confusion) <= _MAX_CLASSES:
        return list(places)
    errors = [
        sum(row) + sum(col) - 2 * row[i]
        for i, (row, col) in enumerate(zip(confusion, zip(*confusion, strict=True), strict=True))
    ]
    return sorted(sorted(places, key=lambda i: -errors[i])[:_MAX_CLASSES])


def _others(count: int) -> str:
    return f"{count} other classes" if count > 1 else "1 other class"


def _cell(
    true: str, predicted: str, count: float, total: float, digits: int, *, is_right: bool = False
) -> ConfusionCell:
    return ConfusionCell(
        decimals(count, digits) if count else "·",
        f"{true} predicted as {predicted}: {decimals(100 * count / total, 1)} %",
        _shade(is_right, count / total),
    )


def _lead(opened: OpenedModel, decision: DecisionOfModel | None, n_shown: int) -> str:
    lead = f"Test rows of each class by the predicted class{_describe_decision(decision)}."
    if n_shown < len(opened.classes):
        lead += f" Shown are the {n_shown} of {len(opened.classes)} classes with the most errors."
    if opened.n_runs > 1:
        lead += f" Mean over {opened.n_runs} runs."
    known = [each for each in opened.classes if each.recall is not None]
    if known:
        worst = min(known, key=lambda each: each.recall or 0.0)
        lead += (
            f" {worst.label} has the lowest recall: {percent(worst.recall)} of its rows are found."
        )
    return lead


def _describe_decision(decision: DecisionOfModel | None) -> str:
    if decision is None:
        return ""
    if decision.costs:
        return ", which has the least expected cost"
    if decision.threshold is None:
        return f"; {decision.positive} is never predicted"
    return f", at the threshold {decision.threshold:.3g} of {decision.positive}"


def _shade(is_right: bool, share: float) -> str:
    if share <= 0:
        return "right" if is_right else ""
    kind = "hit" if is_right else "miss"
    return f"{'right ' if is_right else ''}{kind}-{min(1 + int(share * _SHADES), _SHADES)}"


__all__ = ["ConfusionView", "view_confusion"]
