"""Sphinx configuration of the documentation site; `make docs` builds it.

`tools/build_docs.py` runs Sphinx on a copy of this folder, so that generated pages (the API
reference and the gallery) are never written beside the sources.
"""

import inspect
import os
import re
import warnings
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import augury

ROOT = Path(__file__).resolve().parents[1]
GALLERY = ROOT / "examples" / "gallery"

project = "augury"
author = "The augury developers"
copyright = author  # noqa: A001 - the name that Sphinx gives this setting
release = version = augury.__version__
language = "en"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["_build", "_templates"]
templates_path = ["_templates"]

# Markdown
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = []

# API reference. A name between single backquotes becomes a link if the reference has it.
default_role = "py:obj"
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
autodoc_default_options = {"member-order": "bysource"}
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
nitpick_ignore_regex = [("py:.*", "(?s).*")]

# Sphinx reports a page whose link has no target; other sites are checked by `make docs-links`.
linkcheck_timeout = 15
linkcheck_anchors = False

# The gallery. `make docs` runs the scripts; the test of the site does not.
if any(GALLERY.rglob("plot_*.py")):
    extensions.append("sphinx_gallery.gen_gallery")
    sphinx_gallery_conf = {
        "examples_dirs": [str(GALLERY)],
        "gallery_dirs": ["gallery"],
        "filename_pattern": r"/plot_",
        "plot_gallery": os.environ.get("AUGURY_RUN_GALLERY", "1") == "1",
        "abort_on_example_error": True,
        "download_all_examples": False,
        "remove_config_comments": True,
        "show_memory": False,
        "min_reported_time": 1e9,
        "within_subsection_order": "FileNameSortKey",
    }
    # matplotlib draws into files.
    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
else:
    suppress_warnings.append("toc.not_readable")  # there is no page of the gallery

# HTML
html_theme = "pydata_sphinx_theme"
html_title = "augury"
html_static_path = ["_static"]
html_css_files = ["augury.css"]
html_favicon = "_static/favicon.svg"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "augury", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": []}

# Formulas are drawn in the browser. `make docs` copies MathJax, so that the site needs no network.
if "AUGURY_SITE_ASSETS" in os.environ:
    mathjax_path = "mathjax/tex-svg.js"
    html_static_path.append(os.environ["AUGURY_SITE_ASSETS"])


def link_pages(*event: Any) -> None:
    """Turn docs/NAME.md in a docstring into a link; a page that does not exist is a warning."""
    lines: list[str] = event[-1]
    lines[:] = [re.sub(r"docs/([\w/-]+)\.md", r":doc:`/\1`", line) for line in lines]


def skip_foreign_members(*event: Any) -> bool | None:
    """Leave out what a class inherits from scikit-learn or from a built-in type."""
    thing = event[3]  # after the application, the kind and the name of the member
    home = getattr(thing, "__objclass__", thing)
    module = getattr(getattr(home, "fget", home), "__module__", None) or ""
    foreign = module.partition(".")[0] in ("builtins", "enum", "sklearn")
    return True if foreign or inspect.isbuiltin(thing) else None


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.connect("autodoc-process-docstring", link_pages)
    app.connect("autodoc-skip-member", skip_foreign_members)
