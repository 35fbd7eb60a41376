"""Sphinx configuration of the documentation site; `make docs` builds it.

`tools/build_docs.py` runs Sphinx on a copy of this folder, so that generated pages (the API
reference and the gallery) are never written beside the sources.
"""

import inspect
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

import augury

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from api_pages import public_names, public_packages  # noqa: E402

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
        "subsection_order": "gallery_order.section_key",
        "within_subsection_order": "FileNameSortKey",
        "write_computation_times": False,
    }
    # matplotlib draws into files.
    warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")

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
    "collapse_navigation": True,  # whole trees on 500 pages would double the size of the site
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Pages without a section have no list of sections.
html_sidebars = {name: [] for name in ("index", "five-minutes", "choosing", "zh/five-minutes")}
toc_object_entries_show_parents = "hide"

# Formulas are drawn in the browser. `make docs` copies MathJax, so that the site needs no network.
if "AUGURY_SITE_ASSETS" in os.environ:
    mathjax_path = "mathjax/tex-svg.js"
    html_static_path.append(os.environ["AUGURY_SITE_ASSETS"])


def link_pages(*event: Any) -> None:
    """Turn docs/NAME.md in a docstring into a link; a page that does not exist is a warning."""
    lines: list[str] = event[-1]
    lines[:] = [re.sub(r"docs/([\w/-]+)\.md", r":doc:`/\1`", line) for line in lines]


# Where a class is described: NaiveBayes → augury.generative.NaiveBayes.
CLASS_HOMES = {
    name: f"augury.{package}.{name}"
    for package in public_packages()
    for name in public_names(package)
    if name[0].isupper() and not name.isupper()
}


def link_classes(app: Sphinx, tree: nodes.document) -> None:
    """Link the name of a class that a page has as code to the page of the class."""
    for literal in list(tree.findall(nodes.literal)):
        home = CLASS_HOMES.get(literal.astext())
        if home and not isinstance(literal.parent, nodes.reference | nodes.title | pending_xref):
            link = pending_xref("", literal.deepcopy(), refdomain="py", reftype="obj")
            link.attributes.update(reftarget=home, refdoc=app.env.docname, refexplicit=True)
            literal.replace_self(link)


def resolve_class(app: Sphinx, env: Any, node: pending_xref, content: nodes.Node) -> Any:
    """Resolve the name of a class of another package in a docstring."""
    home = CLASS_HOMES.get(node.get("reftarget", ""))
    if home is None or node.get("refdomain") != "py":
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", home, node, content)


def end_blocks(tree: nodes.document) -> None:
    """Remove the empty line that ends a doctest."""
    for block in tree.findall(nodes.literal_block):
        block[:] = [nodes.Text(block.astext().rstrip())]


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
    app.connect("doctree-read", lambda _, tree: end_blocks(tree))
    app.connect("doctree-read", link_classes)
    app.connect("missing-reference", resolve_class)
