"""Experiments, and the published tables beside ours.

Everything is imported when it is first used: the models need scikit-learn, of which
a list of the data sets or an error message has no need.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from augury.bench.demo import run_demo, summary_table
    from augury.bench.paper import Column, EqualAfterRounding, Paper, PrintedCell, UnknownNameError
    from augury.bench.papers import PAPERS, find_paper
    from augury.bench.reproduction import Comparison, comparison_table, reproduce, verdict
    from augury.bench.text_table import align_columns

_HOMES = {
    "demo": ("run_demo", "summary_table"),
    "paper": ("Column", "EqualAfterRounding", "Paper", "PrintedCell", "UnknownNameError"),
    "papers": ("PAPERS", "find_paper"),
    "reproduction": ("Comparison", "comparison_table", "reproduce", "verdict"),
    "text_table": ("align_columns",),
}

__all__ = [
    "PAPERS",
    "Column",
    "Comparison",
    "EqualAfterRounding",
    "Paper",
    "PrintedCell",
    "UnknownNameError",
    "align_columns",
    "comparison_table",
    "find_paper",
    "reproduce",
    "run_demo",
    "summary_table",
    "verdict",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"augury.bench.{home}"), name)
    raise AttributeError(f"module 'augury.bench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
