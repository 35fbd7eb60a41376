"""The drawings of the page that do not depend on what its reader chooses."""

from collections.abc import Iterator, Mapping
from functools import partial
from math import isnan
from typing import Any

from markupsafe import Markup

from augury.report.critical_difference import critical_difference_diagram
from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.numbers import decimals, p_value
from augury.report.palette import PAGE
from augury.report.scatter_chart import Dot, scatter_chart
from augury.report.ticks import nice_ticks, tick_texts

# Two drawings of each: text that shrinks with its picture cannot be read on a phone.
_WIDE, _NARROW = 860.0, 350.0


def draw_ranks(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the critical-difference diagram of each measure, or why there is none."""
    return [_draw_ranks(summary, measure) for measure in summary["measures"]]


def _draw_ranks(summary: Mapping[str, Any], measure: Mapping[str, Any]) -> dict[str, Any]:
    title = measure["title"]
    figure = {"measure": measure["key"], "title": title, "wide": None, "narrow": None, "holm": []}
    found = (summary.get("friedman") or {}).get(measure["key"])
    if not found:
        text = "Too few data sets, or models, have this measure: their ranks were not tested."
        return figure | {"text": text}
    names = [model["name"] for model in summary["models"]]
    ranks = {
        name: rank
        for name, rank in zip(names, found["mean_ranks"], strict=True)
        if rank is not None
    }
    drawings = {
        size: _as_markup(
            critical_difference_diagram(
                ranks,
                found["critical_difference"],
                found["groups"],
                title=f"Critical difference: {title}",
                width=width,
                palette=PAGE,
            )
        )
        for size, width in (("wide", _WIDE), ("narrow", _NARROW))
    }
    return figure | drawings | {"text": _describe_test(found), "holm": _view_holm(found)}


def _describe_test(found: Mapping[str, Any]) -> str:
    level = f" at {100 * found['alpha']:g} %" if found.get("alpha") is not None else ""
    ranks = f"Mean ranks over {found['n_datasets']} data sets, the best first"
    parts = [f"{ranks}; bars join models that Nemenyi's test does not tell apart{level}"]
    if found.get("chi2_p") is not None:
        parts.append(f"Friedman: χ² = {found['chi2']:.2f}, p {_equals(found['chi2_p'])}")
    if found.get("f_p") is not None:
        parts[-1] += f"; Iman and Davenport: F = {found['f']:.2f}, p {_equals(found['f_p'])}"
    return ". ".join(parts) + "."


def _equals(p: float) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"


def _view_holm(found: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "model": row["model"],
            "p": p_value(row["p"]),
            "adjusted_p": p_value(row["adjusted_p"]),
            "differs": "yes" if row["rejected"] else "no",
        }
        for row in found.get("holm") or ()
    ]


def draw_costs(summary: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return accuracy against training time, if two models have both."""
    families = {model["name"]: model.get("family") or "other" for model in summary["models"]}
    measure = summary["measures"][0]
    dots = [
        Dot(row["model"], families[row["model"]], row["fit_ms"], row[measure["key"]])
        for row in summary["leaderboard"]
        if row.get("fit_ms") and row.get(measure["key"]) is not None
    ]
    if len(dots) < 2:
        return None
    unit = f", {measure['unit']}" if measure.get("unit") else ""
    chart = partial(
        scatter_chart,
        dots,
        title=f"{measure['title']} against training time",
        x_label="training time of a fold, ms (log scale)",
        y_label=f"mean {measure['title'].lower()}{unit}",
        palette=PAGE,
    )
    best = max(dots, key=lambda dot: dot.y)
    fastest = min(dots, key=lambda dot: dot.x)
    return {
        "wide": _as_markup(chart(width=_WIDE)),
        "narrow": _as_markup(chart(width=_NARROW, height=380.0)),
        "text": (
            f"Means over the shared data sets. Highest: {best.name} "
            f"({decimals(best.y, measure['decimals'])}); fastest: {fastest.name}. Up and left is "
            "better; the shape tells the family."
        ),
    }


def draw_learning_curves(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a drawing of each set of learning curves."""
    measures = {measure["key"]: measure for measure in summary["measures"]}
    figures = []
    for found in summary.get("learning_curves") or ():
        measure = measures.get(found["measure"], {})
        name = measure.get("title", found["measure"])
        unit = f", {measure['unit']}" if measure.get("unit") else ""
        lines = list(_lines(found))
        if not lines:
            continue
        chart = partial(
            line_chart,
            lines,
            title="",
            x_label="training rows",
            y_label=f"{name.lower()}{unit}",
            palette=PAGE,
        )
        figures.append(
            {
                "title": f"{found['dataset']}, {name.lower()}",
                "wide": _as_markup(chart(width=_WIDE)),
                "narrow": _as_markup(chart(width=_NARROW)),
            }
        )
    return figures


def _lines(found: Mapping[str, Any]) -> Iterator[Line]:
    for curve in found["curves"]:
        mean = [_number(value) for value in curve["mean"]]
        if all(isnan(value) for value in mean):
            continue
        std = [_number(value) for value in curve.get("std") or [None] * len(mean)]
        spread = [0.0 if isnan(value) else value for value in std]
        yield Line(
            curve["model"],
            found["sizes"],
            mean,
            lower=[m - s for m, s in zip(mean, spread, strict=True)],
            upper=[m + s for m, s in zip(mean, spread, strict=True)],
        )


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def bias_variance_ticks(summary: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an axis of errors that has room for every model, by decomposition."""
    found = summary.get("bias_variance")
    if not found:
        return None
    layout = {}
    for method, part in (("webb", found), ("kohavi_wolpert", found.get("kohavi_wolpert"))):
        cells = [cell for row in (part or {}).get("datasets") or () for cell in row or () if cell]
        if not cells:
            continue
        highest = max(max(cell["error"], cell["bias"] + cell["variance"]) for cell in cells)
        ticks = nice_ticks(0.0, highest, 5)
        layout[method] = {"ticks": ticks, "texts": tick_texts(ticks)}
    return layout or None


def _as_markup(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704 - drawn here, with every name escaped
