"""Write the pages of the API reference: one page for each public package, with all its names.

Sphinx's autosummary makes a page for each name.
"""

import importlib
import pkgutil
import textwrap
from pathlib import Path

import augury

# Packages that only augury itself uses; `augury --help` describes the command line.
INTERNAL = ("cli", "kernels", "workers")
GROUPS = {
    "Models": ("generative", "discriminative", "hybrid", "ensemble", "decide", "models", "bases"),
    "Tables": ("data", "tables", "encode", "scale", "drift"),
    "Results": ("evaluate", "experiments", "summary", "report", "plot", "explain", "comparison"),
    "Papers": ("reproduce", "papers"),
    "Files and services": ("persist", "interchange", "serve"),
    "Statistics": ("counts", "structure"),
}


def public_packages() -> list[str]:
    """Return the names of the packages of augury that the reference describes."""
    found = [module.name for module in pkgutil.iter_modules(augury.__path__) if module.ispkg]
    return sorted(set(found) - set(INTERNAL))


def public_names(package: str) -> list[str]:
    """Return the public names of a package, in the order of the alphabet."""
    return sorted(importlib.import_module(f"augury.{package}").__all__, key=str.lower)


def title(text: str, mark: str = "=") -> str:
    """Return a heading of reStructuredText."""
    return f"{text}\n{mark * len(text)}\n"


def package_page(package: str) -> str:
    """Return the page of a package: its docstring, and a table of its names."""
    name = f"augury.{package}"
    names = "\n".join(f"   {each}" for each in public_names(package))
    return (
        f"{title(name)}\n.. automodule:: {name}\n   :no-members:\n\n"
        f".. currentmodule:: {name}\n\n"
        f".. autosummary::\n   :toctree: generated\n   :nosignatures:\n\n{names}\n"
    )


def index_page() -> str:
    """Return the first page of the reference: `augury` itself, and all packages."""
    grouped = {name for names in GROUPS.values() for name in names}
    there = public_packages()
    groups = {group: [each for each in names if each in there] for group, names in GROUPS.items()}
    if more := [name for name in there if name not in grouped]:
        groups["More"] = more
    parts = [
        title("API reference"),
        textwrap.dedent("""
            Every public name has a page. Models and the function :func:`augury.compare` can be
            imported from ``augury`` itself: ``from augury import NaiveBayes``.

            .. currentmodule:: augury

            .. autosummary::
               :toctree: generated
               :nosignatures:

               compare
            """),
    ]
    for group, packages in groups.items():
        rows = [
            f"   * - :doc:`augury.{name} <{name}>`\n     - {first_line(name)}" for name in packages
        ]
        parts += [
            title(group, "-"),
            ".. list-table::\n   :widths: 30 70\n",
            "\n".join(rows) + "\n",
            ".. toctree::\n   :hidden:\n\n" + "\n".join(f"   {name}" for name in packages) + "\n",
        ]
    return "\n".join(parts)


def first_line(package: str) -> str:
    """Return the first line of the docstring of a package."""
    return (importlib.import_module(f"augury.{package}").__doc__ or "").partition("\n")[0]


def write_pages(folder: Path) -> None:
    """Write all pages of the reference to a folder; a page that is the same is not touched."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"index": index_page()} | {name: package_page(name) for name in public_packages()}
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
