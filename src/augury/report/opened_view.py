"""The recommended model of a table: texts and figures of its sections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import quote

from markupsafe import Markup

from augury.explain.summary_contents import ModelSummary
from augury.report.class_chart import MAX_CLASSES, label_bars, number_steps
from augury.report.confusion_view import ConfusionView, view_confusion
from augury.report.figure import as_markup
from augury.report.numbers import decimals, percent, signed
from augury.report.prediction_views import (
    CurvesView,
    DrawnView,
    view_calibration,
    view_curves,
    view_learning,
)
from augury.summary.contents.table_summary import (
    ConditionalColumn,
    HardRow,
    OpenedModel,
)
from augury.summary.contents.verdict import DecisionOfModel


@dataclass(frozen=True, slots=True)
class BarView:
    """A bar: its name, its start and width in percent, its text, and its side."""

    name: str
    detail: str
    start: str
    width: str
    text: str
    side: str


@dataclass(frozen=True, slots=True)
class ConditionalView:
    """A drawing of the values of a column in each class."""

    name: str
    drawing: Markup
    text: str


@dataclass(frozen=True, slots=True)
class HardRowView:
    """A hard row and its contributions."""

    title: str
    probability: str
    lead: str
    bars: tuple[BarView, ...]


@dataclass(frozen=True, slots=True)
class StructureView:
    """A drawing of the model as an address of data, its text, and notes."""

    address: str
    text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenedView:
    """The recommended model; parts that are unknown are None or empty."""

    model: str
    contents: tuple[tuple[str, str], ...]
    confusion: ConfusionView | None
    curves: tuple[CurvesView, ...]
    calibration: DrawnView | None
    influence: tuple[BarView, ...]
    influence_lead: str
    conditionals: tuple[ConditionalView, ...]
    classes: tuple[str, ...]
    left_out_classes: int
    structure: StructureView | None
    learning: DrawnView | None
    hardest: tuple[HardRowView, ...]


def view_opened(
    opened: OpenedModel, classes: tuple[str, ...], decision: DecisionOfModel | None = None
) -> OpenedView:
    """Return what the templates show of the recommended model, which may have a decision."""
    parts = (
        ("confusion", "Confusion", opened.confusion),
        ("curves", "ROC and precision", opened.curves),
        ("calibration", "Calibration", opened.calibration),
        ("influence", "Influence of columns", opened.influence),
        ("conditionals", "Strongest columns", opened.conditionals),
        ("structure", "Structure", opened.structure),
        ("learning", "More rows?", opened.learning),
        ("hardest", "Hardest rows", opened.hardest),
    )
    return OpenedView(
        model=opened.model,
        contents=tuple((key, title) for key, title, part in parts if part),
        confusion=view_confusion(opened, decision) if opened.confusion else None,
        curves=tuple(map(view_curves, opened.curves)),
        calibration=None if opened.calibration is None else view_calibration(opened.calibration),
        influence=_view_influence(opened),
        influence_lead=f"{opened.influence_unit[:1].upper()}{opened.influence_unit[1:]}.",
        conditionals=tuple(_view_conditional(each, classes) for each in opened.conditionals),
        classes=classes[:MAX_CLASSES],
        left_out_classes=max(len(classes) - MAX_CLASSES, 0),
        structure=None if opened.structure is None else _view_structure(opened.structure),
        learning=None if opened.learning is None else view_learning(opened.learning),
        hardest=tuple(map(_view_hard_row, opened.hardest)),
    )


# ---- columns ----------------------------------------------------------------------------


def _view_influence(opened: OpenedModel) -> tuple[BarView, ...]:
    largest = max((each.value for each in opened.influence), default=0.0) or 1.0
    return tuple(
        BarView(
            each.feature,
            "" if each.moved is None else f"changes {decimals(each.moved, 1)} % of the predictions",
            "0",
            f"{max(100 * each.value / largest, 0.0):.2f}",
            decimals(each.value, 3),
            "for",
        )
        for each in opened.influence
    )


def _view_conditional(each: ConditionalColumn, classes: tuple[str, ...]) -> ConditionalView:
    shown, shares = classes[:MAX_CLASSES], each.shares[:MAX_CLASSES]
    title = f"{each.name} in each class"
    if each.treatment == "labels":
        drawing = label_bars(each.labels, shares, shown, title=title)
        return ConditionalView(each.name, as_markup(drawing), "Share of each label in each class.")
    texts: tuple[tuple[float, str], ...] = ()
    if each.treatment == "date":
        ends = (each.edges[0], (each.edges[0] + each.edges[-1]) / 2, each.edges[-1])
        texts = tuple((end, write_day(end)) for end in ends)
    drawing = number_steps(each.edges, shares, shown, title=title, x_texts=texts)
    gaps = [
        f"{percent(share)} of {name}"
        for name, share in zip(shown, each.missing, strict=False)
        if share > 0
    ]
    text = "Relative frequency of the numbers in each class."
    if gaps:
        text += f" Missing: {', '.join(gaps)}."
    return ConditionalView(each.name, as_markup(drawing), text)


def write_day(days: float) -> str:
    """Return days since 1970 as a date.

    >>> write_day(365.0)
    '1971-01-01'
    """
    try:
        return (date(1970, 1, 1) + timedelta(days=round(days))).isoformat()
    except OverflowError:
        return f"{days:.6g} days"


def _view_structure(found: ModelSummary) -> StructureView:
    # A drawing that is an image can neither run scripts nor load files.
    address = f"data:image/svg+xml;charset=utf-8,{quote(found.svg)}" if found.svg else ""
    return StructureView(address, found.text or "", found.notes)


# ---- hardest rows -----------------------------------------------------------------------


def _view_hard_row(row: HardRow) -> HardRowView:
    lead = ""
    bars: tuple[BarView, ...] = ()
    if row.log_odds is not None:
        lead = (
            f"Log odds of {row.predicted} against {row.true} by the model fitted to all rows: "
            f"{signed(row.log_odds)}. Bars to the right are for {row.predicted}, bars to the left "
            f"for {row.true}; they sum to the log odds."
        )
        lines = [("prior", "without any column", row.prior)]
        lines += [(each.column, each.value, each.contribution) for each in row.values]
        if row.n_others:
            lines.append((f"{row.n_others} other columns", "", row.others))
        largest = max(abs(part) for _, _, part in lines) or 1.0
        bars = tuple(_signed_bar(*each, largest) for each in lines)
    return HardRowView(
        f"Row {row.row}: {row.true}, predicted as {row.predicted}",
        f"{decimals(100 * row.probability, 1)} %",
        lead,
        bars,
    )


def _signed_bar(name: str, detail: str, value: float, largest: float) -> BarView:
    width = 50 * abs(value) / largest
    return BarView(
        name,
        detail,
        f"{50 if value >= 0 else 50 - width:.2f}",
        f"{width:.2f}",
        signed(value),
        "for" if value >= 0 else "against",
    )


__all__ = ["OpenedView", "view_opened", "write_day"]
