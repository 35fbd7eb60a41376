"""Figures, and one self-contained HTML page of a summary of results.

- `render_page`: a summary of results → a self-contained HTML page
- `write_report`: the page and its numbers as files
- `render_table_page`, `write_table_report`: the same for one table and its verdict
- `line_chart`: lines, with optional bands → one self-contained SVG; `Line`
- `critical_difference_diagram`: mean ranks; bars join models that do not differ
- `scatter_chart`: named dots over a logarithmic axis; `Dot`
- `nice_ticks`: round numbers that cover a range

This package computes no statistics: it only places numbers on the page.
"""

from augury.report.critical_difference import critical_difference_diagram
from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.page import render_page
from augury.report.report_files import WrittenReport, write_report
from augury.report.scatter_chart import Dot, scatter_chart
from augury.report.table_page import render_table_page, write_table_report
from augury.report.ticks import nice_ticks

__all__ = [
    "Dot",
    "Line",
    "WrittenReport",
    "critical_difference_diagram",
    "line_chart",
    "nice_ticks",
    "render_page",
    "render_table_page",
    "scatter_chart",
    "write_report",
    "write_table_report",
]
