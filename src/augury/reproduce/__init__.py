"""Published tables computed again and compared, cell by cell."""

from augury.reproduce.compare_conclusions import compare_marks, find_claims
from augury.reproduce.conclusions_text import describe_marks, render_marks
from augury.reproduce.judgement import Judgement, Status
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.paper import Column, Figure, Paper, PrintedCell
from augury.reproduce.paper_figures import write_figures
from augury.reproduce.plan import Omission, Plan, make_plan
from augury.reproduce.reproduction import (
    Comparison,
    Reproduction,
    comparison_table,
    reproduce,
    verdict,
)
from augury.reproduce.tolerance import EqualAfterRounding, Tolerance, WithinPoints

__all__ = [
    "Column",
    "Comparison",
    "EqualAfterRounding",
    "Figure",
    "Judgement",
    "KnownDeviation",
    "Omission",
    "Paper",
    "Plan",
    "PrintedCell",
    "Reproduction",
    "Status",
    "Tolerance",
    "WithinPoints",
    "compare_marks",
    "comparison_table",
    "describe_marks",
    "find_claims",
    "make_plan",
    "render_marks",
    "reproduce",
    "verdict",
    "write_figures",
]
