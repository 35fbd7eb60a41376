"""Rendering of a summary as one self-contained HTML page."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from augury.foreign import Json
from augury.json_fields import to_json
from augury.report.summary_view import view_summary
from augury.summary.contents import Summary

# The other scripts of the folder are between these, in alphabetical order.
_FIRST_SCRIPTS, _LAST_SCRIPT = ("elements.js", "state.js"), "main.js"


def render_page(summary: Summary, *, json_name: str = "report.json") -> str:
    """Return a page that shows a summary of results.

    Parameters
    ----------
    summary : Summary
        Result of `augury.summary.summarize_store`, or of `augury.summary.read_summary`, which
        refuses a file of another format number. Parts that are empty are not shown.
    json_name : str
        Name of the file next to the page that contains the summary as JSON.

    Returns
    -------
    str
        An HTML document without references to other files. Its content security policy allows
        only its own script, so that no name in the data is executed.
    """
    view = view_summary(summary)
    style, script = read_asset("style.css"), _read_scripts()
    data = {
        # Failures and environments are in the HTML already.
        **replace(summary, failures=(), environments=()).to_json(),
        "layout": {"bias_variance": to_json(view.ticks) if view.ticks else None},
    }
    template = page_environment().get_template("page.html.j2")
    page = template.render(
        page=view,
        json_name=json_name,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own files
        style_hash=hash_of(style),
        script_hash=hash_of(script),
        summary_json=Markup(embed_json(data)),  # noqa: S704 - no character of it can end the element
    )
    return without_surrogates(page)


def embed_json(data: Mapping[str, Json]) -> str:
    """Return JSON that is safe inside a script element."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def without_surrogates(page: str) -> str:
    """Return a page that can be written: a name from a damaged file may have lone surrogates."""
    return re.sub("[\ud800-\udfff]", "\ufffd", page)


def hash_of(text: str) -> str:
    """Return the hash of a script or style, as a content security policy states it."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _read_scripts() -> str:
    files = resources.files("augury.report").joinpath("assets").iterdir()
    found = {file.name for file in files if file.name.endswith(".js")}
    others = sorted(found - {*_FIRST_SCRIPTS, _LAST_SCRIPT})
    return wrap_scripts([*_FIRST_SCRIPTS, *others, _LAST_SCRIPT])


def wrap_scripts(names: Iterable[str]) -> str:
    """Return scripts of the folder as one script, whose names are not global."""
    parts = "\n".join(map(read_asset, names))
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


@cache
def read_asset(name: str) -> str:
    """Return the text of a file of the folder."""
    return resources.files("augury.report").joinpath("assets", *name.split("/")).read_text("utf-8")


@cache
def page_environment() -> Environment:
    """Return the environment of the templates."""
    return Environment(
        loader=PackageLoader("augury.report", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


__all__ = [
    "embed_json",
    "hash_of",
    "page_environment",
    "read_asset",
    "render_page",
    "without_surrogates",
    "wrap_scripts",
]
