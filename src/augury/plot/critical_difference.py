"""Critical difference diagram: mean ranks of models over data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from augury.errors import PictureError
from augury.evaluate.friedman import FriedmanTest, alike_groups, critical_difference, friedman_test
from augury.evaluate.score_columns import ScoreTable
from augury.plot.canvas import plain_text
from augury.plot.class_styles import FAINT_INK, INK, color_of
from augury.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

_ROW, _BAR, _FIRST = 0.45, 0.22, 0.75  # distances below the axis, in units of its y coordinate


class CriticalDifferenceDisplay(Display):
    """Mean ranks of models on one axis; bars join models that Nemenyi's test does not separate.

    Rank 1 is the best. Two models differ significantly if their mean ranks differ by at least the
    critical difference, which is drawn as a ruler (Demšar 2006).

    Parameters
    ----------
    test : FriedmanTest
        Mean ranks, see `augury.evaluate.friedman_test`.
    alpha : float
        Level of the whole family of comparisons.

    Attributes
    ----------
    critical_difference_ : float
    groups_ : tuple of tuples of str
        Models that a bar joins.
    names_ : dict from model to matplotlib Text
    bars_ : list of matplotlib Line2D, one for each group
    ruler_ : matplotlib Line2D
        Its length is the critical difference.
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> scores = {"nb": [81, 92, 73, 64], "hnb": [82, 94, 75, 66], "lr": [83, 95, 76, 68]}
    >>> display = CriticalDifferenceDisplay.from_scores(scores)
    >>> round(display.critical_difference_, 3), display.groups_
    (1.657, (('lr', 'hnb'), ('hnb', 'nb')))
    """

    critical_difference_: float
    groups_: tuple[tuple[str, ...], ...]
    names_: dict[str, Text]
    bars_: list[Line2D]
    ruler_: Line2D

    def __init__(self, test: FriedmanTest, *, alpha: float = 0.05) -> None:
        if len(test.models) < 2:
            raise PictureError(
                "CriticalDifferenceDisplay: test must have at least two models, got "
                f"{len(test.models)}"
            )
        self.test = test
        self.alpha = alpha

    @classmethod
    def from_scores(
        cls,
        scores: ScoreTable,
        *,
        lower_is_better: bool = False,
        alpha: float = 0.05,
        ax: Axes | None = None,
    ) -> Self:
        """Rank the models on each data set, and draw the mean ranks.

        Parameters
        ----------
        scores : mapping from model to array-like of shape (n_datasets,), or data frame
            A score for each data set, in the same order; see `augury.evaluate.mean_scores`.
        lower_is_better : bool, default=False
            For losses and seconds.
        alpha : float, default=0.05
            Level of the whole family of comparisons.
        ax : matplotlib Axes, default=None
            By default new axes, as high as the names need.
        """
        return cls(friedman_test(scores, lower_is_better=lower_is_better), alpha=alpha).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the diagram; see `from_scores`."""
        test = self.test
        n_models = len(test.models)
        self.critical_difference_ = critical_difference(n_models, test.n_datasets, alpha=self.alpha)
        self.groups_ = alike_groups(test, alpha=self.alpha)
        n_rows = (n_models + 1) // 2
        first_name = _FIRST + _BAR * len(self.groups_)
        depth = first_name + _ROW * n_rows
        ax = self._open_axes(ax, size=(6.6, 0.9 + 0.55 * depth))
        ax.set_axis_off()
        # Names beyond both ends of the axis need space.
        space = 0.45 * (n_models - 1)
        ax.set_xlim(1.0 - space, n_models + space)
        ax.set_ylim(depth, -1.1)
        self._draw_axis(ax, n_models)
        self._draw_names(ax, first_name)
        self.bars_ = []
        for k, group in enumerate(self.groups_):
            ranks = [test.rank_of(model) for model in group]
            y = 0.5 + _BAR * k
            margin = 0.012 * n_models
            [bar] = ax.plot(
                [min(ranks) - margin, max(ranks) + margin],
                [y, y],
                color=color_of(0),
                linewidth=4,
                solid_capstyle="butt",
            )
            self.bars_.append(bar)
        return self

    def _draw_axis(self, ax: Axes, n_models: int) -> None:
        ax.plot([1, n_models], [0, 0], color=INK, linewidth=1.2)
        for rank in range(1, n_models + 1):
            ax.plot([rank, rank], [-0.12, 0], color=INK, linewidth=1.2)
            ax.text(rank, -0.2, str(rank), ha="center", va="bottom", color=INK, fontsize=9)
        end = 1.0 + self.critical_difference_
        [self.ruler_] = ax.plot(
            [1.0, end], [-0.75, -0.75], color=FAINT_INK, linewidth=1.2, marker="|", markersize=7
        )
        ax.text(
            end + 0.02 * n_models,
            -0.75,
            f"critical difference {self.critical_difference_:.2f} (α = {self.alpha:g}, "
            f"{self.test.n_datasets} data sets)",
            va="center",
            color=FAINT_INK,
            fontsize=9,
        )

    def _draw_names(self, ax: Axes, first_name: float) -> None:
        """Write the better half of the models on the left, the best on top, the others right."""
        ordered = sorted(self.test.models, key=self.test.rank_of)
        n_left = (len(ordered) + 1) // 2
        left, right = ordered[:n_left], ordered[: n_left - 1 : -1]
        self.names_ = {}
        for side, models in (("right", left), ("left", right)):
            end = 0.95 if side == "right" else len(ordered) + 0.05
            for row, model in enumerate(models):
                rank, y = self.test.rank_of(model), first_name + _ROW * row
                ax.plot([rank, rank, end], [0, y, y], color=FAINT_INK, linewidth=0.9)
                self.names_[model] = ax.text(
                    end,
                    y,
                    plain_text(f" {model}  {rank:.2f} "),
                    ha=side,
                    va="center",
                    color=INK,
                    fontsize=10,
                )


__all__ = ["CriticalDifferenceDisplay"]
