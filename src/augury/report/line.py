"""Lines of a chart, as given and after validation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Line:
    """One line of a chart.

    Parameters
    ----------
    name : str
        Name in the legend.
    x, y : array-like of shape (n_points,)
        Points, in drawing order. A point with NaN interrupts the line.
    lower, upper : array-like of shape (n_points,) or None
        Band around the line, such as a standard deviation. Give both or neither.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    lower: ArrayLike | None = None
    upper: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class Curve:
    """A validated line; x and y are both NaN where the line is interrupted."""

    name: str
    x: FloatArray
    y: FloatArray
    band: tuple[FloatArray, FloatArray] | None

    @property
    def runs(self) -> list[slice]:
        """Uninterrupted stretches of the line."""
        known = np.concatenate([[False], ~np.isnan(self.y), [False]])
        edges = np.flatnonzero(known[1:] != known[:-1]).tolist()
        return [slice(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True)]

    @property
    def points(self) -> list[tuple[float, float]]:
        """Points without NaN."""
        known = ~np.isnan(self.y)
        return list(zip(self.x[known].tolist(), self.y[known].tolist(), strict=True))


def read_line(owner: str, line: Line) -> Curve:
    """Return a line as arrays; raise ValueError if its values are not valid."""
    columns = {"x": line.x, "y": line.y}
    if (line.lower is None) != (line.upper is None):
        raise ValueError(f"{owner}: line {line.name!r} must have both lower and upper, or none")
    if line.lower is not None and line.upper is not None:
        columns |= {"lower": line.lower, "upper": line.upper}
    arrays = {
        name: _read_column(f"{owner}: {name} of line {line.name!r}", values)
        for name, values in columns.items()
    }
    sizes = {name: len(array) for name, array in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"{owner}: line {line.name!r} must have equal lengths, got {sizes}")
    is_missing = np.isnan(list(arrays.values())).any(axis=0)
    if is_missing.all():
        raise ValueError(f"{owner}: line {line.name!r} must have at least one point, got none")
    for array in arrays.values():
        array[is_missing] = np.nan
    band = (arrays["lower"], arrays["upper"]) if "lower" in arrays else None
    if band and (band[0] > band[1]).any():
        raise ValueError(f"{owner}: lower of line {line.name!r} must not exceed its upper")
    return Curve(str(line.name), arrays["x"], arrays["y"], band)


def _read_column(place: str, values: ArrayLike) -> FloatArray:
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{place} must be numbers, got {values!r}") from None
    if array.ndim != 1:
        raise ValueError(f"{place} must have one axis, got {array.ndim}")
    if np.isinf(array).any():
        raise ValueError(f"{place} must be finite or NaN, got {array[np.isinf(array)][0]}")
    return array
