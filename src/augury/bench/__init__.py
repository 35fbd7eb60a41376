"""Experiments, and the published tables beside ours."""

from augury.bench.demo import run_demo, summary_table
from augury.bench.paper import Column, EqualAfterRounding, Paper, PrintedCell, UnknownNameError
from augury.bench.papers import PAPERS, find_paper
from augury.bench.reproduction import Comparison, comparison_table, reproduce, verdict
from augury.bench.text_table import align_columns

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
