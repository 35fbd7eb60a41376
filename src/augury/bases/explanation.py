"""Contributions of columns as a data frame that a notebook shows as bars."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from augury.arrays import Array

_MAX_ROWS, _MAX_COLUMNS = 5, 12
# Blue and vermilion of Okabe and Ito, which differ for every reader, on light and dark pages.
_FOR, _AGAINST = "#0072B2", "#D55E00"
_LEFT = ' style="text-align:left"'


class Explanation(pd.DataFrame):
    """Contributions to log odds: a row for each explained row, `prior`, and the columns.

    A notebook shows the first rows as bars. Whatever is derived from the frame is an ordinary
    data frame.

    Parameters
    ----------
    parts : array of shape (n_rows, 1 + n_columns)
    names : list of str
    index : index of the rows, or None
    pairs : array of shape (n_rows, 2)
        Labels of the two classes of each row.
    X : rows, whose values are shown beside the bars if they are a pandas frame

    Examples
    --------
    >>> found = Explanation(np.array([[0.5, -1.0]]), ["prior", "sky"], None, [["in", "out"]], None)
    >>> found.round(1)
       prior  sky
    0    0.5 -1.0
    >>> "log odds of in against out: −0.50" in found._repr_html_()
    True
    """

    _metadata: ClassVar[list[str]] = ["_pairs", "_texts"]

    def __init__(self, parts: Array, names: Sequence[str], index: Any, pairs: Any, X: Any) -> None:
        super().__init__(parts, columns=list(names), index=index)
        values: list[list[str]] = []
        if isinstance(X, pd.DataFrame):
            values = [
                [write_value(value) for value in row] for row in X.iloc[:_MAX_ROWS].to_numpy()
            ]
        object.__setattr__(self, "_pairs", [[str(c) for c in p] for p in pairs[:_MAX_ROWS]])
        object.__setattr__(self, "_texts", values)

    @property
    def _constructor(self) -> Any:
        return pd.DataFrame

    def _repr_html_(self) -> str:
        """Return the first rows as bars that sum to the log odds."""
        parts = [self._row_html(i) for i in range(min(len(self), _MAX_ROWS))]
        left = len(self) - len(parts)
        if left > 0:
            parts.append(f"<p>{left} more row{'s' if left > 1 else ''}.</p>")
        method = html.escape(str(self.attrs.get("method", "")))
        note = f"<p><small>method: {method}</small></p>" if method else ""
        return f"<div>{''.join(parts)}{note}</div>"

    def _row_html(self, i: int) -> str:
        numbers = self.iloc[i].to_numpy(dtype=np.float64)
        names = [str(name) for name in self.columns]
        values = ["", *self._texts[i]] if self._texts else [""] * len(names)
        order = [0, *(1 + np.argsort(-np.abs(numbers[1:]), kind="stable")).tolist()]
        lines = [(names[j], values[j], float(numbers[j])) for j in order[: 1 + _MAX_COLUMNS]]
        rest = order[1 + _MAX_COLUMNS :]
        if rest:
            lines.append((f"{len(rest)} other columns", "", float(numbers[rest].sum())))
        largest = max(abs(value) for _, _, value in lines) or 1.0
        positive, negative = map(html.escape, self._pairs[i])
        title = html.escape(str(self.index[i]))
        return (
            f'<table style="margin-bottom:1em"><caption>row {title}: log odds of {positive} '
            f"against {negative}: {_signed(float(numbers.sum()))}</caption>"
            f'<thead><tr><th scope="col"{_LEFT}>column</th><th scope="col">value</th>'
            f'<th scope="col" style="text-align:center">{negative} ← → {positive}</th>'
            '<th scope="col">contribution</th>'
            f"</tr></thead><tbody>{''.join(_line_html(*line, largest) for line in lines)}"
            "</tbody></table>"
        )


def _line_html(name: str, text: str, value: float, largest: float) -> str:
    width = 50 * abs(value) / largest
    start = 50 if value >= 0 else 50 - width
    colour = _FOR if value >= 0 else _AGAINST
    bar = (
        f'<span style="display:block;height:0.8em;margin-left:{start:.1f}%;width:{width:.1f}%;'
        f'min-width:1px;background:{colour}"></span>'
    )
    return (
        f'<tr><th scope="row"{_LEFT}>{html.escape(name)}</th><td>{html.escape(text)}</td>'
        f'<td aria-hidden="true" style="width:16em">{bar}</td><td>{_signed(value)}</td></tr>'
    )


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "−")  # no negative zero


def write_value(value: object) -> str:
    """Return a value of a table as text.

    >>> write_value(1234.5678), write_value(None), write_value("sun")
    ('1234.57', 'missing', 'sun')
    """
    if value is None or (not isinstance(value, str) and bool(pd.isna(value))):
        return "missing"
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


__all__ = ["Explanation", "write_value"]
