"""Drawings of the predictions of a model: curves, calibration, learning curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import ceil, floor

from markupsafe import Markup

from augury.report.figure import NARROW, WIDE, FigureTable, as_markup
from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.numbers import decimals, percent
from augury.report.palette import PAGE
from augury.report.unit_chart import UnitPoint, unit_chart
from augury.summary.contents.table_summary import (
    CalibrationOfModel,
    ClassCurves,
    LearningOfModel,
    ReferenceCurves,
)


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


def view_curves(each: ClassCurves) -> CurvesView:
    """Return both curves of a class, with their texts."""
    false_rate, true_rate, precision = each.chosen
    cut = "" if each.threshold is None else f" at the threshold {each.threshold:.3g}"
    roc_text = (
        f"AUC {decimals(each.auc, 3)}. The dot is the prediction{cut}: {percent(true_rate)} of "
        f"{each.label} are found, {percent(false_rate)} of the others are false alarms."
    )
    chosen = UnitPoint(false_rate, true_rate, roc_text)
    shares_text = (
        f"Average precision {decimals(each.average_precision, 3)}; guessing has "
        f"{decimals(each.share, 3)} (dashed)."
    )
    shares_point = None
    if precision is not None:
        shares_text += f" The dot has a precision of {percent(precision)}."
        shares_point = UnitPoint(true_rate, precision, shares_text)
    else:
        shares_text += " No row is predicted as this class."
    other = each.reference
    if other is not None:
        roc_text += f" Dotted: {other.model}, AUC {decimals(other.auc, 3)}."
        shares_text += (
            f" Dotted: {other.model}, average precision {decimals(other.average_precision, 3)}."
        )
        if other.found is not None:
            shares_text += (
                f" At the precision of the dot {other.model} finds {percent(other.found)} of "
                f"{each.label}, this model {percent(true_rate)}."
            )
    return CurvesView(
        each.label,
        as_markup(
            unit_chart(
                title=f"ROC curve of {each.label}",
                description=roc_text,
                x_label="false positive rate",
                y_label="true positive rate",
                curve=list(zip(each.false_positive_rate, each.true_positive_rate, strict=True)),
                other=_points(other, "false_positive_rate", "true_positive_rate"),
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
                other=_points(other, "recall", "precision"),
                chosen=shares_point,
                level=each.share,
            )
        ),
        shares_text,
    )


def _points(other: ReferenceCurves | None, x: str, y: str) -> list[tuple[float, float]]:
    return [] if other is None else list(zip(getattr(other, x), getattr(other, y), strict=True))


def view_calibration(found: CalibrationOfModel) -> DrawnView:
    """Return the drawing of predicted probabilities and observed shares."""
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


def view_learning(found: LearningOfModel) -> DrawnView:
    """Return the learning curve, and whether more rows would help."""
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


__all__ = ["CurvesView", "DrawnView", "view_calibration", "view_curves", "view_learning"]
