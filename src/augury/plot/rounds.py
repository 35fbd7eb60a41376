"""Accuracy of an ensemble against its number of rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.foreign import Labels, Table
from augury.models.wrapped_models import find_deciding_part
from augury.plot.class_styles import FAINT_INK, GRID, INK, color_of, dashes_of
from augury.plot.display import Display
from augury.plot.opened_model import as_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class RoundsDisplay(Display):
    """Accuracy on given rows after each round of boosting.

    The dotted line is the accuracy after the first round of the first ensemble: without weights
    from earlier rounds, its first member is a single model.

    Parameters
    ----------
    accuracy : mapping from name to array of shape (n_rounds,)
        Accuracy in percent after 1, 2, … rounds.

    Attributes
    ----------
    lines_ : dict from name to matplotlib Line2D
    first_line_ : matplotlib Line2D
        The dotted line.
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> from augury.ensemble import BoostedNaiveBayes
    >>> X, y = [["sun"], ["sun"], ["sun"], ["rain"]], ["yes", "yes", "no", "no"]
    >>> model = BoostedNaiveBayes(n_estimators=2, learning_rate=1, voting="hard").fit(X, y)
    >>> RoundsDisplay.from_estimator(model, X, y).accuracy
    {'BoostedNaiveBayes': array([75., 75.])}
    """

    lines_: dict[str, Line2D]
    first_line_: Line2D

    def __init__(self, accuracy: Mapping[str, FloatArray]) -> None:
        if not accuracy:
            raise PictureError("RoundsDisplay: accuracy must have at least one curve")
        self.accuracy: dict[str, FloatArray] = dict(accuracy)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Table,
        y: Labels,
        *,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the accuracy of a fitted ensemble; Pipelines and searches are opened.

        Parameters
        ----------
        estimator : fitted classifier with `staged_predict`
            Such as `BoostedNaiveBayes`.
        X : rows, as in `predict`
            Rows that the ensemble was not fitted to.
        y : class of each row
        name : str, default=None
            Name of the curve; by default that of the class.
        ax : matplotlib Axes, default=None

        Raises
        ------
        PictureError
            If the model has no stages.
        """
        part = find_deciding_part(estimator, as_frame(X))
        known = type(part.estimator).__name__ if name is None else name
        return cls.from_estimators({known: estimator}, X, y, ax=ax)

    @classmethod
    def from_estimators(
        cls, estimators: Mapping[str, Any], X: Table, y: Labels, *, ax: Axes | None = None
    ) -> Self:
        """Draw the accuracy of several fitted ensembles; see `from_estimator`."""
        truth = np.asarray(y)
        return cls(
            {name: _staged_accuracy(model, X, truth) for name, model in estimators.items()}
        ).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curves; see `from_estimator`."""
        ax = self._open_axes(ax)
        self.lines_ = {}
        for k, (name, accuracy) in enumerate(self.accuracy.items()):
            rounds = np.arange(1, len(accuracy) + 1)
            [self.lines_[name]] = ax.plot(
                rounds, accuracy, color=color_of(k), linestyle=dashes_of(k), label=name,
                marker="o" if len(rounds) == 1 else None,
            )  # fmt: skip
        first = next(iter(self.accuracy.values()))[0]
        self.first_line_ = ax.axhline(
            float(first), color=FAINT_INK, linestyle=":", linewidth=1.2, label="first round"
        )
        ax.set_xlabel("rounds", color=INK)
        ax.set_ylabel("accuracy, %", color=INK)
        ax.set_axisbelow(True)
        ax.grid(color=GRID, linewidth=0.8)
        ax.spines[["top", "right"]].set_visible(False)
        ax.locator_params(axis="x", integer=True)
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, frameon=False)
        return self


def _staged_accuracy(fitted: Any, X: Table, truth: Any) -> FloatArray:
    part = find_deciding_part(fitted, as_frame(X))
    model = part.estimator
    if not hasattr(model, "staged_predict"):
        raise PictureError(
            f"{type(model).__name__} has no rounds that can be drawn: it has no staged_predict"
        )
    # A model inside a Pipeline gets the rows as the steps before it return them.
    rows = X if model is fitted else part.rows
    found = [100.0 * float(np.mean(guess == truth)) for guess in model.staged_predict(rows)]
    return np.array(found)


__all__ = ["RoundsDisplay"]
