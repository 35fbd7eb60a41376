"""Result rows become tables, figures, and one page that needs nothing else.

- `render_page`: a summary of results → a self-contained HTML page
- `line_chart`: lines, with bands where wanted → one self-contained SVG; `Line`
- `critical_difference_diagram`: mean ranks, joined where models do not differ
- `scatter_chart`: dots with names over an axis of logarithms; `Dot`
- `nice_ticks`: round numbers that cover a range

Nothing is computed here but places on the page.
"""

from augury.report.critical_difference import critical_difference_diagram
from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.page import SummaryError, render_page
from augury.report.scatter_chart import Dot, scatter_chart
from augury.report.ticks import nice_ticks

__all__ = [
    "Dot",
    "Line",
    "SummaryError",
    "critical_difference_diagram",
    "line_chart",
    "nice_ticks",
    "render_page",
    "scatter_chart",
]
