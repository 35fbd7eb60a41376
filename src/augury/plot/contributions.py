"""Contributions of the columns to the log odds of one row."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from augury.arrays import FloatArray
from augury.bases.explanation import write_value
from augury.errors import PictureError
from augury.explain.row_explanation import RowExplanation, explain_row
from augury.foreign import Table
from augury.plot.canvas import plain_text, shorten
from augury.plot.class_styles import FAINT_INK, GRID, INK, color_of, light
from augury.plot.display import Display
from augury.plot.opened_model import as_frame
from augury.validation import check_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer

_WIDEST_NAME = 190.0  # points
_FONT = 9.0


class ContributionsDisplay(Display):
    """Contributions to the log odds of one row: each bar begins where the bar above it ends.

    The first bar is the prior, which begins at 0. The last bar ends at the log odds of the row.
    Bars to the right favour the predicted class, hatched bars to the left the other class.

    Parameters
    ----------
    explanation : RowExplanation
        See `augury.explain.explain_row`.
    max_features : int
        Largest number of columns with a bar of their own, those with the largest contributions.
        The others share one bar.

    Attributes
    ----------
    names_ : list of str
        Texts beside the bars: the prior, columns with their values, other columns.
    values_ : array of shape (n_bars,)
        What the bars add. Their sum is the log odds.
    bars_ : matplotlib BarContainer
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"]})
    >>> model = NaiveBayes().fit(X, ["out", "out", "in", "in"])
    >>> display = ContributionsDisplay.from_estimator(model, X[:1])
    >>> display.names_, display.values_.round(3)  # log (3/4) / (1/4)
    (['prior', 'sky = sun'], array([0.   , 1.099]))
    """

    names_: list[str]
    values_: FloatArray
    bars_: BarContainer

    def __init__(self, explanation: RowExplanation, *, max_features: int = 12) -> None:
        self.explanation = explanation
        self.max_features: int = check_integer(
            type(self).__name__, "max_features", max_features, at_least=1
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        row: Table,
        *,
        positive: Hashable = None,
        negative: Hashable = None,
        max_features: int = 12,
        n_permutations: int | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Explain the prediction of a row by a fitted classifier, and draw the contributions.

        Parameters
        ----------
        estimator : fitted classifier
            See `augury.explain.explain_row`. Pipelines and searches are opened.
        row : table of one row
        positive, negative : classes, default=None
            Both, or neither; by default the most probable class against the next.
        max_features : int, default=12
            Largest number of columns with a bar of their own.
        n_permutations : int, default=None
            See `explain` of the classifiers.
        ax : matplotlib Axes, default=None
            By default new axes, as high as the bars need.

        Raises
        ------
        PictureError
            If `row` has not one row, or a class is unknown.
        """
        frame = as_frame(row)
        if len(frame) != 1:
            raise PictureError(f"{cls.__name__}: row must have one row, got {len(frame)}")
        places = [_place(cls.__name__, estimator, label) for label in (positive, negative)]
        if (places[0] is None) != (places[1] is None) or (
            places[0] is not None and places[0] == places[1]
        ):
            raise PictureError(
                f"{cls.__name__}: positive and negative must be two different classes, or both "
                f"None, got {positive!r} and {negative!r}"
            )
        found = explain_row(
            estimator,
            frame,
            positive=places[0],
            negative=places[1],
            n_permutations=n_permutations,
        )
        return cls(found, max_features=max_features).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bars; see `from_estimator`."""
        self.names_, self.values_ = self._lines()
        n_bars = len(self.names_)
        ax = self._open_axes(ax, size=(6.6, 1.3 + 0.27 * n_bars))
        ends = np.cumsum(self.values_)
        starts = ends - self.values_
        places = np.arange(n_bars)
        self.bars_ = ax.barh(places, self.values_, 0.7, left=starts, linewidth=0.6)
        for bar, value in zip(self.bars_, self.values_, strict=True):
            color = color_of(0) if value >= 0 else color_of(1)
            bar.set(
                facecolor=light(color, 0.85 if value >= 0 else 0.45),
                edgecolor=color,
                hatch="" if value >= 0 else "////",
            )
        ax.vlines(ends[:-1], places[:-1] + 0.35, places[1:] - 0.35, color=FAINT_INK, linewidth=0.8)
        self._label(ax, starts, ends)
        return self

    def _lines(self) -> tuple[list[str], FloatArray]:
        """Return the texts and the values of the bars from top to bottom."""
        parts = self.explanation.contributions
        prior = [part for name, value, part in parts if (name, value) == ("prior", None)]
        columns = [line for line in parts if line[:2] != ("prior", None)]
        shown, rest = columns[: self.max_features], columns[self.max_features :]
        names = ["prior"] + [
            shorten(plain_text(f"{name} = {write_value(value)}"), _FONT, _WIDEST_NAME)
            for name, value, _ in shown
        ]
        values = [sum(prior), *(part for _, _, part in shown)]
        if rest:
            names.append(f"{len(rest)} other column{'s' if len(rest) > 1 else ''}")
            values.append(sum(part for _, _, part in rest))
        return names, np.array(values, dtype=np.float64)

    def _label(self, ax: Axes, starts: FloatArray, ends: FloatArray) -> None:
        found = self.explanation
        low, high = min(0.0, ends.min()), max(0.0, ends.max())
        space = 0.02 * (high - low or 1.0)
        for y, (value, start, end) in enumerate(zip(self.values_, starts, ends, strict=True)):
            text = _write(value, "+.2f")
            ax.text(
                max(start, end) + space,
                y,
                text,
                va="center",
                fontsize=_FONT - 1,
                color=INK,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            )
        ax.set_yticks(np.arange(len(self.names_)), self.names_, fontsize=_FONT)
        ax.set_xlim(low - 2 * space, high + 7 * space)
        ax.invert_yaxis()
        ax.axvline(0.0, color=INK, linewidth=0.8)
        ax.axvline(float(ends[-1]), color=INK, linewidth=0.8, linestyle=":")
        ax.xaxis.grid(True, color=GRID)
        ax.set_axisbelow(True)
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        what = "log odds" if found.probability is not None else "difference of decision values"
        ax.set_xlabel(plain_text(f"{what} of {found.predicted} against {found.against}"))
        chance = "" if found.probability is None else f", p = {found.probability:.3f}"
        ax.set_title(
            plain_text(f"{found.predicted}: {what} {_write(found.log_odds, '.2f')}{chance}"),
            loc="left",
            fontsize=11,
            color=INK,
        )


def _write(value: float, form: str) -> str:
    """Return a number with a minus sign, and without a negative zero."""
    return format(round(float(value), 2) + 0.0, form).replace("-", "−")


def _place(owner: str, estimator: Any, label: Hashable) -> int | None:
    """Return the place of a class in `classes_`; None of None."""
    if label is None:
        return None
    known = np.asarray(estimator.classes_).tolist()
    if label not in known:
        raise PictureError(f"{owner}: classes are {known}, got {label!r}")
    return int(known.index(label))


__all__ = ["ContributionsDisplay"]
