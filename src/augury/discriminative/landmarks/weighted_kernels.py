"""Weighted sums of the kernels of rows with landmarks, for predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.discriminative.landmarks.coordinates import Coordinates
from augury.encode import CategoricalTable
from augury.kernels import add_log_factors, slot_offsets

# Numbers of a block of rows that stays in the second-level cache of the processor: 256 kB.
_NUMBERS_IN_CACHE = 1 << 15
# Numbers of a table of the labels' distances that stays in the cache as well: 2 MB.
_NUMBERS_OF_LABELS = 1 << 18


@dataclass(frozen=True, eq=False)
class WeightedKernels:
    """Σ_z k(x, z) α_z of rows x over landmarks z.

    Attributes
    ----------
    coordinates : how rows become points
    landmarks : array of shape (n_landmarks, n_coordinates)
    kernel, gamma : kernel and width
    coefficients : α, array of shape (n_landmarks, n_classes)
    """

    coordinates: Coordinates
    landmarks: FloatArray
    kernel: str
    gamma: float
    coefficients: FloatArray

    def of_rows(self, table: CategoricalTable) -> FloatArray:
        """Return the sums, of shape (n_rows, n_classes).

        The kernels of some rows at a time are computed in the same buffers, since memory takes
        longer than arithmetic.
        """
        n_rows, n_landmarks = table.n_samples, len(self.landmarks)
        step = max(1, min(max(16, _NUMBERS_IN_CACHE // n_landmarks), n_rows))
        values, roots = np.empty((2, step, n_landmarks))
        sums = np.empty((n_rows, self.coefficients.shape[1]))
        write = self._distances(table)
        for start in range(0, n_rows, step):
            stop = min(start + step, n_rows)
            found = values[: stop - start]
            write(start, stop, found)
            self._apply_kernel(found, roots[: stop - start])
            np.matmul(found, self.coefficients, out=sums[start:stop])
        return sums

    def _apply_kernel(self, distances: FloatArray, roots: FloatArray) -> None:
        """Replace scaled distances by kernels; see `kernel_values`."""
        np.abs(distances, out=distances)  # rounding may give less than 0
        if self.kernel == "rbf":
            np.negative(distances, out=distances)
            np.exp(distances, out=distances)
            return
        np.sqrt(distances, out=roots)
        np.negative(roots, out=distances)
        np.exp(distances, out=distances)
        roots += 1.0
        distances *= roots

    def _distances(self, table: CategoricalTable) -> Callable[[int, int, FloatArray], None]:
        """Return a function that writes γ |x - z|², or 3 γ |x - z|² for "matern", of some rows.

        One product gives the distances: (x, |x|², 1) · (-2 z, 1, |z|²) = |x - z|². The labels need
        no product: -2 x z + x² is looked up for each label and landmark, unless there are few rows
        or many labels.
        """
        factor = self.gamma if self.kernel == "rbf" else 3.0 * self.gamma
        n_slots = int(table.n_states.sum()) + len(table.n_states)
        looks_up = n_slots < table.n_samples and n_slots * len(self.landmarks) < _NUMBERS_OF_LABELS
        if not looks_up or not len(table.n_states):
            points = _with_squares(self.coordinates.points(table))
            product = _factors(self.landmarks, self.landmarks, factor)

            def multiply(start: int, stop: int, out: FloatArray) -> None:
                np.matmul(points[start:stop], product, out=out)

            return multiply
        numbers = _with_squares(self.coordinates.numbers(table))
        product = _factors(self.landmarks, self.landmarks[:, : len(self.coordinates.mean)], factor)
        offsets = slot_offsets(table.n_states)
        of_labels = factor * self._label_distances(offsets)

        def look_up(start: int, stop: int, out: FloatArray) -> None:
            np.matmul(numbers[start:stop], product, out=out)
            codes = np.asfortranarray(table.codes[start:stop])
            add_log_factors(codes, of_labels, offsets, out)

        return look_up

    def _label_distances(self, offsets: IntegerArray) -> FloatArray:
        """Return x² - 2 x z of each slot of the codes and each landmark; 0 without a label."""
        n_numbers = len(self.coordinates.mean)
        scale = self.coordinates.scale[n_numbers:]
        of_states = np.square(scale)[:, None] - 2.0 * scale[:, None] * self.landmarks.T[n_numbers:]
        distances = np.zeros((int(offsets[-1]), len(self.landmarks)))
        has_label = np.ones(len(distances), dtype=bool)
        has_label[offsets[1:] - 1] = False
        distances[has_label] = of_states
        return distances


def _with_squares(points: FloatArray) -> FloatArray:
    """Return (x, |x|², 1) of each point x."""
    wide = np.ones((len(points), points.shape[1] + 2))
    wide[:, :-2] = points
    np.einsum("ij,ij->i", points, points, out=wide[:, -2])
    return wide


def _factors(landmarks: FloatArray, some: FloatArray, factor: float) -> FloatArray:
    """Return factor · (-2 z, 1, |z|²), a column for each landmark z, with some coordinates of z."""
    wide = np.ones((some.shape[1] + 2, len(landmarks)))
    wide[:-2] = -2.0 * some.T
    np.einsum("ij,ij->i", landmarks, landmarks, out=wide[-1])
    wide *= factor
    return wide


__all__ = ["WeightedKernels"]
