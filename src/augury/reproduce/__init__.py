"""Published tables, computed again and compared cell by cell."""

from augury.reproduce.conclusions.compare import compare_conclusions
from augury.reproduce.conclusions.compared import ComparedConclusions
from augury.reproduce.conclusions.printed import (
    PrintedBiasVariance,
    PrintedConclusions,
    PrintedSignedRanks,
)
from augury.reproduce.conclusions.text import describe_conclusions, render_conclusions
from augury.reproduce.figure import Figure, FigureInputs, StoredCells
from augury.reproduce.judgement import Judgement, Status
from augury.reproduce.known_deviation import KnownDeviation, measured_deviations
from augury.reproduce.paper import Column, Paper
from augury.reproduce.paper_figures import WrittenFigures, write_figures
from augury.reproduce.printed_cell import PrintedCell, read_cells
from augury.reproduce.reproduction import ComparedCell, Reproduction, reproduce
from augury.reproduce.reproduction_text import comparison_table, describe_reproduction, verdict
from augury.reproduce.select_cells import Omission, select_cells
from augury.reproduce.tolerance import EqualAfterRounding, Tolerance, WithinPoints
from augury.reproduce.worked_example import (
    ComparedExample,
    WorkedExample,
    compare_examples,
    read_printed_numbers,
)

__all__ = [
    "Column",
    "ComparedCell",
    "ComparedConclusions",
    "ComparedExample",
    "EqualAfterRounding",
    "Figure",
    "FigureInputs",
    "Judgement",
    "KnownDeviation",
    "Omission",
    "Paper",
    "PrintedBiasVariance",
    "PrintedCell",
    "PrintedConclusions",
    "PrintedSignedRanks",
    "Reproduction",
    "Status",
    "StoredCells",
    "Tolerance",
    "WithinPoints",
    "WorkedExample",
    "WrittenFigures",
    "compare_conclusions",
    "compare_examples",
    "comparison_table",
    "describe_conclusions",
    "describe_reproduction",
    "measured_deviations",
    "read_cells",
    "read_printed_numbers",
    "render_conclusions",
    "reproduce",
    "select_cells",
    "verdict",
    "write_figures",
]
