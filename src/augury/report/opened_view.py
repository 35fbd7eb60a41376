"""The recommended model of a table: texts and figures of its sections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from math import ceil, floor
from urllib.parse import quote

from markupsafe import Markup

from augury.explain.summary_contents import ModelSummary
from augury.report.class_chart import MAX_CLASSES, label_bars, number_steps
from augury.report.figure import NARROW, WIDE, FigureTable, as_markup
from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.numbers import decimals
from augury.report.palette import PAGE
from augury.report.unit_chart import UnitPoint, unit_chart
from augury.summary.contents.table_summary import (
    CalibrationOfModel,
    ClassCurves,
    ConditionalColumn,
    HardRow,
    LearningOfModel,
    OpenedModel,
)

_SHADES = 8


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


@dataclass(frozen=True, slots=True)
class CurvesView:
    """The two curves of one class."""

    label: str
    roc: Markup
    roc_text: str
    shares: Markup
    shares_text: str


@dataclass(frozen=True, slots=True)
class DrawnView:
    """A figure with its text and its numbers."""

    wide: Markup
    narrow: Markup
    text: str
    table: FigureTable


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


def view_opened(opened: OpenedModel, classes: tuple[str, ...]) -> OpenedView:
    """Return what the templates show of the recommended model."""
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
        confusion=_view_confusion(opened) if opened.confusion else None,
        curves=tuple(map(_view_curves, opened.curves)),
        calibration=None if opened.calibration is None else _view_calibration(opened.calibration),
        influence=_view_influence(opened),
        influence_lead=f"{opened.influence_unit[:1].upper()}{opened.influence_unit[1:]}.",
        conditionals=tuple(_view_conditional(each, classes) for each in opened.conditionals),
        classes=classes[:MAX_CLASSES],
        left_out_classes=max(len(classes) - MAX_CLASSES, 0),
        structure=None if opened.structure is None else _view_structure(opened.structure),
        learning=None if opened.learning is None else _view_learning(opened.learning),
        hardest=tuple(map(_view_hard_row, opened.hardest)),
    )


# ---- confusion --------------------------------------------------------------------------


def _view_confusion(opened: OpenedModel) -> ConfusionView:
    labels = [each.label for each in opened.classes]
    digits = 0 if all(float(n).is_integer() for row in opened.confusion for n in row) else 1
    rows = []
    for i, (each, counts) in enumerate(zip(opened.classes, opened.confusion, strict=True)):
        total = sum(counts) or 1.0
        cells = tuple(
            ConfusionCell(
                decimals(n, digits) if n else "·",
                f"{labels[i]} predicted as {labels[j]}: {decimals(100 * n / total, 1)} %",
                _shade(i == j, n / total),
            )
            for j, n in enumerate(counts)
        )
        rows.append(ConfusionRow(each.label, cells, _percent(each.recall), f"{each.n_rows:,}"))
    runs = "" if opened.n_runs == 1 else f"Mean over {opened.n_runs} runs. "
    worst = min(
        (each for each in opened.classes if each.recall is not None),
        key=lambda each: each.recall or 0.0,
        default=None,
    )
    found = ""
    if worst is not None:
        found = (
            f"{worst.label} has the lowest recall: {_percent(worst.recall)} of its rows are found."
        )
    return ConfusionView(
        f"Test rows of each class by the predicted class. {runs}{found}",
        tuple(labels),
        tuple(rows),
        tuple(_percent(each.precision) for each in opened.classes),
    )


def _shade(is_right: bool, share: float) -> str:
    if share <= 0:
        return "right" if is_right else ""
    kind = "hit" if is_right else "miss"
    return f"{'right ' if is_right else ''}{kind}-{min(1 + int(share * _SHADES), _SHADES)}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{decimals(100 * value, 1)} %"


# ---- curves and calibration -------------------------------------------------------------


def _view_curves(each: ClassCurves) -> CurvesView:
    false_rate, true_rate, precision = each.chosen
    cut = "" if each.threshold is None else f" at the threshold {each.threshold:.3g}"
    roc_text = (
        f"AUC {decimals(each.auc, 3)}. The dot is the prediction{cut}: {_percent(true_rate)} of "
        f"{each.label} are found, {_percent(false_rate)} of the others are false alarms."
    )
    chosen = UnitPoint(false_rate, true_rate, roc_text)
    shares_text = (
        f"Average precision {decimals(each.average_precision, 3)}; guessing has "
        f"{decimals(each.share, 3)} (dashed)."
    )
    shares_point = None
    if precision is not None:
        shares_text += f" The dot has a precision of {_percent(precision)}."
        shares_point = UnitPoint(true_rate, precision, shares_text)
    else:
        shares_text += " No row is predicted as this class."
    return CurvesView(
        each.label,
        as_markup(
            unit_chart(
                title=f"ROC curve of {each.label}",
                description=roc_text,
                x_label="false positive rate",
                y_label="true positive rate",
                curve=list(zip(each.false_positive_rate, each.true_positive_rate, strict=True)),
                chosen=chosen,
                has_diagonal=True,
            )
        ),
        roc_text,
        as_markup(
            unit_chart(
                title=f"Precision and recall of {each.label}",
                description=shares_text,
                x_label="recall",
                y_label="precision",
                curve=list(zip(each.recall, each.precision, strict=True)),
                chosen=shares_point,
                level=each.share,
            )
        ),
        shares_text,
    )


def _view_calibration(found: CalibrationOfModel) -> DrawnView:
    event = f"share of {found.label}" if found.label else "share of correct predictions"
    p = f"probability of {found.label}" if found.label else "probability of the predicted class"
    largest = max(each.n for each in found.bins)
    points = [
        UnitPoint(
            each.probability,
            each.share,
            f"{each.n:,} rows with {p} {each.probability:.3f}: {event} {each.share:.3f}",
            each.low,
            each.high,
            3.0 + 4.0 * (each.n / largest) ** 0.5,
        )
        for each in found.bins
    ]
    outside = sum(not each.low <= each.probability <= each.high for each in found.bins)
    text = (
        f"{event.capitalize()} against the predicted {p}, in {len(found.bins)} groups of rows; a "
        "larger dot has more rows. The band is the 95 % interval of the share. Mean distance from "
        f"the diagonal: {decimals(found.ece, 3)}. "
    )
    text += (
        "All intervals contain the predicted probability."
        if not outside
        else f"In {outside} of {len(found.bins)} groups the predicted probability is outside of "
        "the interval."
    )
    ends = [end for each in found.bins for end in (each.low, each.high, each.probability)]
    draw = partial(
        unit_chart,
        title="Calibration",
        description=text,
        x_label=p,
        y_label=event,
        points=points,
        has_diagonal=True,
        limits=(floor(10 * min(ends)) / 10, ceil(10 * max(ends)) / 10),
    )
    table = FigureTable(
        "Numbers",
        ("Rows", "Probability", "Share", "95 % interval"),
        tuple(
            (
                f"{each.n:,}",
                decimals(each.probability, 3),
                decimals(each.share, 3),
                f"{decimals(each.low, 3)} to {decimals(each.high, 3)}",
            )
            for each in found.bins
        ),
    )
    return DrawnView(as_markup(draw(width=420.0)), as_markup(draw(width=340.0)), text, table)


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
        f"{_percent(share)} of {name}"
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


# ---- learning ---------------------------------------------------------------------------


def _view_learning(found: LearningOfModel) -> DrawnView:
    scale, unit = (100, ", %") if found.is_share else (1, "")
    mean = [scale * value for value in found.mean]
    errors = [0.0 if e is None else scale * e for e in found.error]
    has_band = found.n_runs > 1
    line = Line(
        found.measure,
        found.sizes,
        mean,
        [m - 2 * e for m, e in zip(mean, errors, strict=True)] if has_band else None,
        [m + 2 * e for m, e in zip(mean, errors, strict=True)] if has_band else None,
    )
    draw = partial(
        line_chart,
        [line],
        title="",
        x_label="training rows (log scale)",
        y_label=f"{found.measure}{unit} on test rows",
        palette=PAGE,
        log_x=True,
    )
    digits = 1 if found.is_share else 3
    runs = "one run" if found.n_runs == 1 else f"{found.n_runs} runs"
    band = "; the band is two standard errors of the mean" if has_band else ""
    return DrawnView(
        as_markup(draw(width=WIDE, height=320.0)),
        as_markup(draw(width=NARROW, height=300.0)),
        f"{found.answer} Means of {runs} on 30 % of the rows, which are not trained on{band}.",
        FigureTable(
            "Numbers",
            ("Training rows", f"Mean {found.measure}{unit}", "Standard error"),
            tuple(
                (
                    f"{size:,}",
                    decimals(m, digits),
                    "–" if e is None else decimals(scale * e, digits),
                )
                for size, m, e in zip(found.sizes, mean, found.error, strict=True)
            ),
        ),
    )


# ---- hardest rows -----------------------------------------------------------------------


def _view_hard_row(row: HardRow) -> HardRowView:
    lead = ""
    bars: tuple[BarView, ...] = ()
    if row.log_odds is not None:
        lead = (
            f"Log odds of {row.predicted} against {row.true} by the model fitted to all rows: "
            f"{_signed(row.log_odds)}. Bars to the right are for {row.predicted}, bars to the left "
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
        _signed(value),
        "for" if value >= 0 else "against",
    )


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "−")  # no negative zero


__all__ = ["OpenedView", "view_opened", "write_day"]
