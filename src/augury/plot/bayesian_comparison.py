"""Probabilities that one of two models is better, or that both are practically equal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Self

import numpy as np

from augury.errors import PictureError
from augury.evaluate.bayesian import BayesianComparison, bayesian_signed_rank
from augury.evaluate.score_columns import ScoreTable
from augury.plot.canvas import plain_text
from augury.plot.class_styles import FAINT_INK, INK, color_of, light
from augury.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer

Pair = tuple[str, str]
# Attribute of a comparison → text of the legend, colour and hatching.
_PARTS = {
    "a_better": ("first is better", light(color_of(0), 0.85), ""),
    "equal": ("practically equal", light(FAINT_INK, 0.3), "///"),
    "b_better": ("second is better", light(color_of(1), 0.85), "xxx"),
}
_NARROWEST = 0.07  # share that has space for its number


class BayesianComparisonDisplay(Display):
    """Bars of three probabilities for each two models: first better, equal, second better.

    Parameters
    ----------
    comparisons : mapping from (first model, second model) to BayesianComparison
        See `augury.evaluate.bayesian_signed_rank` and `bayesian_t_test`.

    Attributes
    ----------
    bars_ : dict from "a_better", "equal" and "b_better" to matplotlib BarContainer
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> scores = {"nb": [0.81, 0.92, 0.73, 0.64], "lr": [0.85, 0.95, 0.79, 0.71]}
    >>> display = BayesianComparisonDisplay.from_scores(scores)
    >>> display.comparisons["nb", "lr"].b_better > 0.9
    True
    """

    bars_: dict[str, BarContainer]

    def __init__(self, comparisons: Mapping[Pair, BayesianComparison]) -> None:
        if not comparisons:
            raise PictureError("BayesianComparisonDisplay: comparisons must have at least one pair")
        self.comparisons: dict[Pair, BayesianComparison] = dict(comparisons)

    @classmethod
    def from_scores(
        cls,
        scores: ScoreTable,
        *,
        pairs: Iterable[Pair] | None = None,
        rope: float = 0.01,
        lower_is_better: bool = False,
        random_state: int = 0,
        ax: Axes | None = None,
    ) -> Self:
        """Compare models over many data sets by the Bayesian signed-rank test, and draw it.

        Parameters
        ----------
        scores : mapping from model to array-like of shape (n_datasets,), or data frame
            A score for each data set, in the same order; see `augury.evaluate.mean_scores`.
        pairs : iterable of (first model, second model), default=None
            By default every two models.
        rope : float, default=0.01
            Largest difference that does not matter, in the unit of the scores.
        lower_is_better : bool, default=False
            For losses and seconds.
        random_state : int, default=0
            Seed of the draws.
        ax : matplotlib Axes, default=None
            By default new axes, as high as the bars need.

        Raises
        ------
        PictureError
            If a pair names an unknown model.
        """
        columns = {str(name): np.asarray(column) for name, column in scores.items()}
        chosen = list(combinations(columns, 2) if pairs is None else pairs)
        for name in (name for pair in chosen for name in pair):
            if name not in columns:
                raise PictureError(
                    f"{cls.__name__}: pairs must name models of scores, {', '.join(columns)}, "
                    f"got {name!r}"
                )
        sign = -1.0 if lower_is_better else 1.0
        found = {
            (first, second): bayesian_signed_rank(
                sign * columns[first],
                sign * columns[second],
                rope=rope,
                random_state=random_state,
            )
            for first, second in chosen
        }
        return cls(found).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bars; see `from_scores`."""
        places = np.arange(len(self.comparisons))
        ax = self._open_axes(ax, size=(6.6, 1.2 + 0.36 * len(places)))
        left = np.zeros(len(places))
        self.bars_ = {}
        for part, (label, color, hatch) in _PARTS.items():
            width = np.array([getattr(each, part) for each in self.comparisons.values()])
            self.bars_[part] = ax.barh(
                places, width, 0.75, left=left, color=color, hatch=hatch, edgecolor="white",
                linewidth=0.4, label=label,
            )  # fmt: skip
            for place, (middle, share) in enumerate(zip(left + width / 2, width, strict=True)):
                if share >= _NARROWEST:
                    ax.text(
                        middle, place, f"{share:.2f}", ha="center", va="center",
                        fontsize=9, color=INK,
                        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
                    )  # fmt: skip
            left += width
        names = [plain_text(f"{first} and {second}") for first, second in self.comparisons]
        ax.set_yticks(places, names)
        ax.set(xlim=(0.0, 1.0), xlabel="probability")
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False)
        return self


__all__ = ["BayesianComparisonDisplay"]
