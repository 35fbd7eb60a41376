"""Experiments, and the published tables beside ours.

Everything is imported when it is first used: the models need scikit-learn, of which
a list of the data sets or an error message has no need.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from augury.bench.demo import run_demo, summary_table
    from augury.bench.figures import write_figures
    from augury.bench.model_scores import ModelScore, model_table, score_models
    from augury.bench.paper import Column, Figure, Paper, PrintedCell, UnknownNameError
    from augury.bench.papers import PAPERS, find_paper
    from augury.bench.plan import Omission, Plan, make_plan
    from augury.bench.reproduction import (
        Comparison,
        Reproduction,
        comparison_table,
        reproduce,
        verdict,
    )
    from augury.bench.text_table import align_columns
    from augury.bench.tolerance import EqualAfterRounding, Tolerance, WithinPoints

_HOMES = {
    "demo": ("run_demo", "summary_table"),
    "figures": ("write_figures",),
    "model_scores": ("ModelScore", "model_table", "score_models"),
    "paper": ("Column", "Figure", "Paper", "PrintedCell", "UnknownNameError"),
    "papers": ("PAPERS", "find_paper"),
    "plan": ("Omission", "Plan", "make_plan"),
    "reproduction": ("Comparison", "Reproduction", "comparison_table", "reproduce", "verdict"),
    "text_table": ("align_columns",),
    "tolerance": ("EqualAfterRounding", "Tolerance", "WithinPoints"),
}

__all__ = [
    "PAPERS",
    "Column",
    "Comparison",
    "EqualAfterRounding",
    "Figure",
    "ModelScore",
    "Omission",
    "Paper",
    "Plan",
    "PrintedCell",
    "Reproduction",
    "Tolerance",
    "UnknownNameError",
    "WithinPoints",
    "align_columns",
    "comparison_table",
    "find_paper",
    "make_plan",
    "model_table",
    "reproduce",
    "run_demo",
    "score_models",
    "summary_table",
    "verdict",
    "write_figures",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"augury.bench.{home}"), name)
    raise AttributeError(f"module 'augury.bench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
