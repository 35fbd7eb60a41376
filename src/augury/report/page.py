"""A summary of results as one HTML page that needs nothing else."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from augury.report.summary_view import view_summary

FORMAT = 1
# In the order in which they build on each other.
_SCRIPTS = (
    "elements.js",
    "state.js",
    "sorting.js",
    "results_table.js",
    "export.js",
    "wilcoxon.js",
    "bias_variance.js",
    "calibration.js",
    "dataset_panel.js",
    "main.js",
)
_NEEDED = ("experiment", "models", "datasets", "measures", "cells", "marks", "leaderboard")


class SummaryError(ValueError):
    """A summary that this version cannot show."""


def render_page(summary: Mapping[str, Any], *, json_name: str = "report.json") -> str:
    """Return a page that shows a summary of results.

    Parameters
    ----------
    summary : mapping
        As `augury.summary.summarize_store` computes it; parts that are absent are not shown.
    json_name : str
        The file beside the page in which the reader finds the summary.

    Returns
    -------
    str
        An HTML document without references to anything outside of it. Its policy lets no
        script run but its own, so that no name in the data can.

    Raises
    ------
    SummaryError
        If the summary is of another format, or a part without which there is no page is
        missing.

    Examples
    --------
    >>> render_page({"format": 99})
    Traceback (most recent call last):
    augury.report.page.SummaryError: summary must have format 1, got 99
    """
    _check_summary(summary)
    view = view_summary(summary)
    style, script = _read_asset("style.css"), _read_scripts()
    data = {**summary, "layout": view.pop("layout"), "failures": [], "environments": []}
    template = _environment().get_template("page.html.j2")
    page = template.render(
        page={**view, "json_name": json_name},
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own files
        style_hash=_hash(style),
        script_hash=_hash(script),
        summary_json=Markup(_embed(data)),  # noqa: S704 - no character of it can end the element
    )
    # Halves of surrogate pairs, which a name from a damaged file may have, cannot be written.
    return re.sub("[\ud800-\udfff]", "\ufffd", page)


def _check_summary(summary: Mapping[str, Any]) -> None:
    if (found := summary.get("format")) != FORMAT:
        raise SummaryError(f"summary must have format {FORMAT}, got {found!r}")
    if missing := [name for name in _NEEDED if name not in summary]:
        raise SummaryError(f"summary must have {', '.join(_NEEDED)}; it has no {missing[0]}")


def _embed(data: Mapping[str, Any]) -> str:
    """Return JSON that is safe inside a script element."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _read_scripts() -> str:
    parts = "\n".join(_read_asset(name) for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


@cache
def _read_asset(name: str) -> str:
    return resources.files("augury.report").joinpath("assets", name).read_text("utf-8")


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("augury.report", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


__all__ = ["FORMAT", "SummaryError", "render_page"]
