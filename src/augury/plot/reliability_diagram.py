"""Reliability diagrams: predicted probabilities against observed frequencies."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from augury.encode.target import code_known_classes
from augury.errors import PictureError
from augury.evaluate.reliability import ReliabilityBins, classwise_bins, top_label_bins
from augury.foreign import Labels, Table
from augury.plot.canvas import plain_text
from augury.plot.class_styles import FAINT_INK, GRID, color_of, light
from augury.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import FillBetweenPolyCollection
    from matplotlib.container import BarContainer
    from matplotlib.lines import Line2D


class ReliabilityDisplay(Display):
    """Observed frequency against predicted probability in bins, with intervals and counts.

    A point has the mean probability and the observed frequency of the rows of its bin; the
    band joins Wilson's confidence intervals of the frequencies. The bars below have the number
    of rows of each bin. The points of a calibrated model lie on the diagonal.

    Parameters
    ----------
    bins : ReliabilityBins
        Only bins with rows are drawn.
    event : str or None
        The class whose probability was predicted; None: the most probable class of each row.
    level : float
        Level of the confidence intervals.
    name : str or None
        Name of the model, for the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D, the points
    band_ : PolyCollection, the intervals
    diagonal_ : Line2D
    counts_ax_ : Axes of the numbers of rows
    counts_ : BarContainer

    Examples
    --------
    >>> from augury.plot import ReliabilityDisplay
    >>> display = ReliabilityDisplay.from_predictions(
    ...     ["a", "b", "b", "b"], [[0.9, 0.1], [0.2, 0.8], [0.2, 0.8], [0.8, 0.2]],
    ...     classes=["a", "b"], n_bins=2, min_rows=1)
    >>> display.bins.weights, display.bins.hit_sums  # p("b") up to 0.5 and above
    ((2.0, 2.0), (1.0, 2.0))
    """

    line_: Line2D
    band_: FillBetweenPolyCollection
    diagonal_: Line2D
    counts_ax_: Axes
    counts_: BarContainer

    def __init__(
        self,
        *,
        bins: ReliabilityBins,
        event: str | None = None,
        level: float = 0.95,
        name: str | None = None,
    ) -> None:
        self.bins = bins
        self.event = event
        self.level = level
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Table,
        y: Labels,
        *,
        positive: Hashable = None,
        n_bins: int = 15,
        min_rows: float = 10,
        level: float = 0.95,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Predict rows, and draw the reliability of the predicted probabilities.

        Parameters
        ----------
        estimator : fitted classifier with `predict_proba` and `classes_`
        X, y : rows and their classes
            Rows that the classifier was not fitted to.
        positive : class or None
            The class whose probability is drawn. None: the second of two classes; with more
            classes, the most probable class of each row.
        n_bins : int
            Number of bins of equal width.
        min_rows : number
            Adjacent bins are merged until each holds as many rows.
        level : float
            Level of the confidence intervals.
        sample_weight : weight of each row
        name : str or None
            Name of the model, for the legend; by default that of its class.
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        """
        if not hasattr(estimator, "predict_proba"):
            raise PictureError(f"{cls.__name__}: {type(estimator).__name__} has no probabilities")
        return cls.from_predictions(
            y,
            estimator.predict_proba(X),
            classes=estimator.classes_,
            positive=positive,
            n_bins=n_bins,
            min_rows=min_rows,
            level=level,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
        )

    @classmethod
    def from_predictions(
        cls,
        y: Labels,
        probabilities: ArrayLike,
        *,
        classes: ArrayLike,
        positive: Hashable = None,
        n_bins: int = 15,
        min_rows: float = 10,
        level: float = 0.95,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the reliability of probabilities, of shape (n_rows, n_classes).

        `classes` are the classes of the columns; other parameters are those of
        `from_estimator`.
        """
        owner = cls.__name__
        known, said = np.asarray(classes), np.asarray(probabilities, dtype=np.float64)
        if len(said) == 0:
            raise PictureError(f"{owner}: there are no rows")
        try:
            codes = code_known_classes(owner, y, known, len(said))
        except ValueError as error:
            raise PictureError(str(error)) from error
        if positive is None and len(known) == 2:
            positive = known[1]
        options: dict[str, Any] = {"n_bins": n_bins, "sample_weight": sample_weight}
        event: str | None
        if positive is None:
            bins, event = top_label_bins(codes, said, **options), None
        else:
            found = [k for k, label in enumerate(known.tolist()) if str(label) == str(positive)]
            if not found:
                raise PictureError(
                    f"{owner}: positive must be one of the classes {known.tolist()}, "
                    f"got {positive!r}"
                )
            bins = classwise_bins(codes, said, **options)[found[0]]
            event = str(known[found[0]])
        merged = bins.with_at_least(min_rows)
        return cls(bins=merged, event=event, level=level, name=name).plot(ax=ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the diagram into `ax`, or into a new figure."""
        ax = self._open_axes(ax, size=(6.4, 6.0))
        full = np.array(self.bins.weights) > 0
        said, seen = (
            np.array(each)[full] for each in (self.bins.mean_confidence, self.bins.hit_rate)
        )
        low, high = (np.array(end)[full] for end in self.bins.hit_interval(self.level))
        k = sum(line.get_marker() == "o" for line in ax.lines)  # diagrams that `ax` has already
        color = color_of(k)
        if k == 0:
            [self.diagonal_] = ax.plot(
                [0, 1], [0, 1], color=FAINT_INK, linestyle="--", linewidth=1, label="calibrated"
            )
        else:
            self.diagonal_ = ax.lines[0]
        error = self.bins.expected_calibration_error
        [self.line_] = ax.plot(
            said,
            seen,
            color=color,
            marker="o",
            label=plain_text(f"ECE {error:.3f}" + (f" ({self.name})" if self.name else "")),
            zorder=3,
        )
        self.band_ = ax.fill_between(
            said,
            low,
            high,
            color=color,
            alpha=0.2,
            linewidth=0,
            label=f"{100 * self.level:g} % intervals" if k == 0 else None,
            zorder=1,
        )
        # A band has no width where there is one bin.
        ax.vlines(said, low, high, color=color, linewidth=1, alpha=0.6, zorder=2)
        seen_of = (
            "share predicted correctly"
            if self.event is None
            else plain_text(f"frequency of {self.event}")
        )
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), ylabel=seen_of)
        ax.grid(color=GRID, linewidth=0.8)
        ax.set_axisbelow(True)
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.01), ncols=2, frameon=False)
        self._draw_counts(ax, color)
        return self

    def _draw_counts(self, ax: Axes, color: str) -> None:
        """Draw the number of rows of each bin below the diagram."""
        if not ax.child_axes:
            ax.inset_axes((0.0, -0.30, 1.0, 0.2), sharex=ax)
        below: Any = ax.child_axes[0]
        edges = np.array(self.bins.edges)
        self.counts_ax_ = below
        self.counts_ = below.bar(
            edges[:-1],
            self.bins.weights,
            np.diff(edges),
            align="edge",
            color=light(color, 0.5),
            edgecolor=color,
            linewidth=0.8,
            alpha=0.7,
        )
        ax.tick_params(labelbottom=False)
        below.spines[["top", "right"]].set_visible(False)
        which = "the most probable class" if self.event is None else plain_text(self.event)
        below.set(xlabel=f"predicted probability of {which}", ylabel="rows")
        # The space below the axes depends on their height: one layout is not enough for it.
        self.figure_.draw_without_rendering()


__all__ = ["ReliabilityDisplay"]
