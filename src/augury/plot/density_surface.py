"""Surfaces of the densities of bivariate normal classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from augury.arrays import Array
from augury.errors import PictureError
from augury.optional import import_extra
from augury.plot.canvas import plain_text
from augury.plot.class_styles import color_of, light
from augury.plot.display import Display
from augury.plot.normal_classes import NormalClasses
from augury.plot.opened_model import OpenedModel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GRID_SIZE = 61
# The surface extends over this many standard deviations of each class.
_N_DEVIATIONS = 3.0


class DensitySurfaceDisplay(Display):
    """The density of two columns in each class, as a surface over the plane.

    Parameters
    ----------
    normals : NormalClasses
        Normal distributions of two columns.
    classes : array of shape (n_classes,) or None
        The classes, for the legend; None draws no legend.

    Attributes
    ----------
    surfaces_ : list of matplotlib Poly3DCollection, one for each class
    heights_ : array of shape (n_classes, n, n), the densities on the grid
    grid_ : tuple of two arrays of shape (n,), the values of the columns

    Examples
    --------
    >>> from augury.generative import LinearDiscriminantAnalysis
    >>> from augury.plot import DensitySurfaceDisplay
    >>> X = [[0.0, 0.0], [2.0, 1.0], [4.0, 0.0], [6.0, 1.0], [0.0, 1.0], [6.0, 0.0]]
    >>> model = LinearDiscriminantAnalysis().fit(X, [0, 0, 1, 1, 0, 1])
    >>> len(DensitySurfaceDisplay.from_estimator(model).surfaces_)
    2
    """

    heights_: Array

    surfaces_: list[Any]

    def __init__(self, *, normals: NormalClasses, classes: Array | None = None) -> None:
        self.normals = normals
        self.classes = classes

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        features: Sequence[Hashable] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the densities of two columns of a fitted model with normal classes.

        Parameters
        ----------
        estimator : fitted model
            Linear, quadratic or regularised discriminant analysis, or naive Bayes with normal
            densities; it may be behind `TidyColumns`.
        features : two names of columns of numbers
            By default the columns of a model of two columns.
        ax : matplotlib Axes3D or None
            Where to draw; None makes a new figure.

        Raises
        ------
        augury.errors.PictureError
            If the model has no normal classes, or these columns are not two of their columns.
        """
        model = OpenedModel.of(estimator).model
        whole = NormalClasses.of(model)
        if whole is None:
            raise PictureError(f"{cls.__name__}: {type(model).__name__} has no normal classes")
        names = whole.names if features is None else [str(name) for name in features]
        normals = whole.select(names) if len(names) == 2 else None
        if normals is None:
            raise PictureError(
                f"{cls.__name__}: features must be two of the columns {', '.join(whole.names)}, "
                f"got {', '.join(names)}"
            )
        return cls(normals=normals, classes=np.asarray(model.classes_)).plot(ax=ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the surfaces into `ax`, which has three dimensions, or into a new figure."""
        if ax is None:
            pyplot = import_extra("matplotlib.pyplot", extra="plot", purpose="a picture")
            ax = pyplot.figure(figsize=(6.4, 4.8), layout="constrained").add_subplot(
                projection="3d"
            )
        self._open_axes(ax)
        space: Any = ax
        deviations = np.sqrt(np.diagonal(self.normals.covariances, axis1=1, axis2=2))
        low = (self.normals.means - _N_DEVIATIONS * deviations).min(axis=0)
        high = (self.normals.means + _N_DEVIATIONS * deviations).max(axis=0)
        self.grid_ = tuple(np.linspace(low[j], high[j], _GRID_SIZE) for j in range(2))
        x, y = np.meshgrid(*self.grid_)
        rows = np.column_stack([x.ravel(), y.ravel()])
        densities = [self.normals.density(k, rows) for k in range(len(self.normals.means))]
        self.heights_ = np.stack(densities).reshape(-1, *x.shape)
        self.surfaces_ = []
        for k, height in enumerate(self.heights_):
            # The flat part of a surface would hide the others.
            shown = np.where(height >= 0.005 * self.normals.peak(k), height, np.nan)
            self.surfaces_.append(
                space.plot_surface(
                    x,
                    y,
                    shown,
                    color=light(color_of(k), 0.75),
                    edgecolor=color_of(k),
                    linewidth=0.2,
                    rcount=_GRID_SIZE,
                    ccount=_GRID_SIZE,
                    alpha=0.85,
                    rasterized=True,
                )
            )
            space.contour(
                x,
                y,
                height,
                levels=[share * self.normals.peak(k) for share in (0.05, 0.3, 0.6)],
                zdir="z",
                offset=0.0,
                colors=[color_of(k)],
                linewidths=0.9,
            )
        first, second = map(plain_text, self.normals.names)
        space.set(xlabel=first, ylabel=second)
        space.set_zlabel("density", labelpad=8)
        space.set_zlim(bottom=0.0)
        if self.classes is not None:
            self._add_legend(space)
        return self

    def _add_legend(self, ax: Any) -> None:
        patches = import_extra("matplotlib.patches", extra="plot", purpose="a picture")
        assert self.classes is not None, "a legend names the classes"
        entries = [
            patches.Patch(color=light(color_of(k), 0.75), label=plain_text(label))
            for k, label in enumerate(self.classes)
        ]
        ax.legend(handles=entries, title="class", loc="upper left", frameon=False)


__all__ = ["DensitySurfaceDisplay"]
