"""Result rows become tables and figures.

- `line_chart`: lines, with bands where wanted → one self-contained SVG; `Line`
- `nice_ticks`: round numbers that cover a range

Nothing is computed here but places on the page.
"""

from augury.report.line import Line
from augury.report.line_chart import line_chart
from augury.report.ticks import nice_ticks

__all__ = ["Line", "line_chart", "nice_ticks"]
