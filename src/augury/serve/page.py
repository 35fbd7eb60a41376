"""The page of a served model: a what-if form, its columns, and an example of a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from json import dumps
from typing import Any

from markupsafe import Markup

from augury import __version__
from augury.encode.text_columns.dates import ISO
from augury.errors import PictureError
from augury.explain.additive_contents import AdditiveModel, CellValue
from augury.explain.additive_export import export_additive
from augury.json_fields import to_json
from augury.models.wrapped_models import final_estimator, find_decision
from augury.persist import SavedModel
from augury.report.page import (
    embed_json,
    hash_of,
    page_environment,
    read_asset,
    without_surrogates,
    wrap_scripts,
)
from augury.report.table_view import WhatIfView
from augury.serve.cells import Cell
from augury.serve.frame_predictor import FramePredictor
from augury.serve.input_columns import DATE, IGNORED, LABELS, InputColumn
from augury.serve.problems import Header
from augury.serve.trial_rows import text_of_day, trial_rows
from augury.summary.contents.table_summary import WhatIf

_SCRIPTS = (
    "elements.js",
    "theme.js",
    "table/additive_model.js",
    "table/nomogram_points.js",
    "table/scales.js",
    "table/what_if.js",
    "table/what_if_inputs.js",
    "serve/asked_form.js",
    "serve/start.js",
)
_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src data:; style-src '{}'; script-src '{}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Labels of a column in a list of the page.
_MAX_LABELS = 500
_SHOWN_LABELS = 12
_VALUES = {"string": "text", "number": "a number", "boolean": "true or false"}


@dataclass(frozen=True, slots=True)
class ServedView:
    """Texts of the page."""

    target: str
    model: str
    facts: tuple[str, ...]
    version: str
    created: str
    columns: tuple[tuple[str, str, str], ...]
    example: str
    what_if: WhatIfView | None


def render_served_page(
    saved: SavedModel, columns: Sequence[InputColumn], frames: FramePredictor
) -> tuple[tuple[Header, ...], bytes]:
    """Return headers and content of the page of a served model."""
    what_if = _make_what_if(saved, columns, frames)
    read = [column for column in columns if column.is_read]
    data: dict[str, Any] = {"what_if": None if what_if is None else to_json(what_if)}
    if what_if is None:
        data["classes"] = [str(label) for label in saved.metadata.classes]
        data["columns"] = [_describe_input(column) for column in read]
    style = read_asset("style.css") + read_asset("table/table.css")
    script = wrap_scripts(_SCRIPTS)
    page = (
        page_environment()
        .get_template("serve/serve_page.html.j2")
        .render(
            page=_view(saved, columns, what_if),
            style=Markup(style),  # noqa: S704 - our own files
            script=Markup(script),  # noqa: S704 - our own files
            data=Markup(embed_json(data)),  # noqa: S704 - no character of it can end the element
        )
    )
    headers = (
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-security-policy", _POLICY.format(hash_of(style), hash_of(script)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"cache-control", b"no-store"),
    )
    return headers, without_surrogates(page).encode()


def _make_what_if(
    saved: SavedModel, columns: Sequence[InputColumn], frames: FramePredictor
) -> WhatIf | None:
    """Return the additive form of the model, or None if the page must ask the server."""
    if saved.reference is None:
        return None  # the ranges of numbers are not known
    if find_decision(saved.model) is not None:
        return None  # the page shows the most probable class only
    read = [column for column in columns if column.is_read]
    try:
        form = export_additive(saved.model, frames.frame(trial_rows(read))).form
    except PictureError:  # not additive
        return None
    if [column.name for column in form.columns] != [column.name for column in read]:
        return None
    return WhatIf(
        model=_model_name(saved),
        reason="",
        form=_with_ranges(form, read),
        treatments=tuple(column.kind for column in read),
        typical=tuple(
            _typical(column, own.labels) for column, own in zip(read, form.columns, strict=True)
        ),
        rows=(),
    )


def _with_ranges(form: AdditiveModel, columns: Sequence[InputColumn]) -> AdditiveModel:
    """Return the form with the ranges of the training rows."""
    ranged = [
        replace(own, low=column.low, high=column.high) if column.low is not None else own
        for own, column in zip(form.columns, columns, strict=True)
    ]
    return replace(form, columns=tuple(ranged))


def _typical(column: InputColumn, labels: Sequence[str]) -> CellValue:
    if column.kind != LABELS:
        return column.typical
    common = str(column.labels[0]) if column.labels else None
    return labels.index(common) if common in labels else None


def _describe_input(column: InputColumn) -> dict[str, Any]:
    """Return what the form needs to know about a column."""
    return {
        "name": column.name,
        "kind": column.kind,
        "labels": list(column.labels[:_MAX_LABELS]),
        "takes_text": "string" in column.types,
        "low": column.low,
        "high": column.high,
        "typical": column.typical,
    }


def _model_name(saved: SavedModel) -> str:
    return type(final_estimator(saved.model)).__name__


def _view(saved: SavedModel, columns: Sequence[InputColumn], what_if: WhatIf | None) -> ServedView:
    metadata = saved.metadata
    n_read = sum(column.is_read for column in columns)
    facts = [f"{len(metadata.classes)} classes", f"{n_read} columns"]
    if metadata.n_rows is not None:
        facts.append(f"{metadata.n_rows:,} training rows")
    return ServedView(
        target=metadata.target or "class",
        model=_model_name(saved),
        facts=tuple(facts),
        version=__version__,
        created=metadata.created,
        columns=tuple(_describe_column(column) for column in columns),
        example=_example(columns),
        what_if=None if what_if is None else _view_what_if(what_if),
    )


def _view_what_if(what_if: WhatIf) -> WhatIfView:
    n_known = sum(what_if.form.is_known)
    return WhatIfView(what_if.model, what_if.reason, what_if.form.classes, n_known > 2, ())


def _describe_column(column: InputColumn) -> tuple[str, str, str]:
    """Return name, values and what the training rows have."""
    if column.kind == IGNORED:
        return column.name, "not read", "may be absent"
    kind = " or ".join(_VALUES[each] for each in column.types)
    if column.kind == DATE:
        formats = "ISO 8601" if column.format == ISO else f"ISO 8601 or {column.format}"
        days = [text_of_day(each) for each in (column.low, column.high) if each is not None]
        return column.name, f"a date ({formats})", " to ".join(days)
    if column.labels:
        shown = ", ".join(_label_text(label) for label in column.labels[:_SHOWN_LABELS])
        rest = len(column.labels) - _SHOWN_LABELS
        return column.name, kind, f"{shown}, and {rest} others" if rest > 0 else shown
    if column.low is None:
        return column.name, kind, ""
    return column.name, kind, f"{column.low:g} to {column.high:g}"


def _example(columns: Sequence[InputColumn]) -> str:
    """Return the body of a request, quoted for a shell."""
    row = {column.name: _typical_cell(column) for column in columns if column.is_read}
    body = dumps({"row": row, "explain": True}, ensure_ascii=False)
    return body.replace("'", "'\\''")


def _typical_cell(column: InputColumn) -> Cell:
    if column.kind == LABELS:
        return column.labels[0] if column.labels else None
    if column.typical is None:
        return None
    if column.kind == DATE:
        return text_of_day(column.typical)
    return float(f"{column.typical:.4g}")


def _label_text(label: Cell) -> str:
    return label if isinstance(label, str) else dumps(label)


__all__ = ["ServedView", "render_served_page"]
