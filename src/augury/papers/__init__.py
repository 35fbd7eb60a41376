"""The published papers: one .py and one .csv each.

A paper is a module `augury/papers/some_name.py` with a constant `PAPER`, and its printed cells
in `some_name.csv`. The module may be a folder `some_name/`. Its name on the command line is
some-name. There is no list of papers: the modules of this folder are the papers. Other packages
add papers through the entry point group `augury.papers`, whose entries have the name of a paper
and refer to its `Paper`.

Modules are imported when their paper is needed, so that names can be listed at once.
"""

import pkgutil
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from augury.errors import UnknownNameError

if TYPE_CHECKING:
    from augury.reproduce.paper import Paper

_GROUP = "augury.papers"


def paper_names() -> list[str]:
    """Return the names of all papers in alphabetical order, without importing them.

    Examples
    --------
    >>> paper_names()[:3]
    ['acll-bagging-2014', 'adaboost-nb', 'hybrid-2022']
    """
    return sorted({*_modules(), *entry_points(group=_GROUP).names})


def find_paper(name: str) -> "Paper":
    """Return the paper of this name.

    Raises
    ------
    UnknownNameError
        If there is no such paper.

    Examples
    --------
    >>> find_paper("hybrid-2022").datasets[:3]
    ['anneal.ORIG', 'anneal', 'audiology']
    """
    modules = _modules()
    paper: Paper
    if name in modules:
        paper = import_module(modules[name]).PAPER
    elif entries := tuple(entry_points(group=_GROUP, name=name)):
        paper = entries[0].load()
    else:
        raise UnknownNameError(f"there is no paper {name!r}; known: {', '.join(paper_names())}")
    assert paper.name == name, f"the file of paper {name} gives it the name {paper.name}"
    return paper


def _modules() -> dict[str, str]:
    """Return the modules of this folder by the name of their paper."""
    found = pkgutil.iter_modules(__path__)
    return {module.name.replace("_", "-"): f"{__name__}.{module.name}" for module in found}


__all__ = ["find_paper", "paper_names"]
