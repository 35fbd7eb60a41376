"""Exponent by which the mean of class probabilities is sharpened."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from augury.arrays import FloatArray, IntegerArray
from augury.counts import floored_log, normalize

# Bounds of the exponent.
LOWEST_EXPONENT, HIGHEST_EXPONENT = 0.25, 8.0


@dataclass(frozen=True)
class Calibration:
    """The exponent of the class probabilities of rows that a model was not fitted to.

    Parameters
    ----------
    exponent : the exponent
    log_loss, accuracy : of the sharpened probabilities; NaN without rows
    """

    exponent: float = 1.0
    log_loss: float = float("nan")
    accuracy: float = float("nan")

    @classmethod
    def learn(cls, p: FloatArray, y: IntegerArray, weight: FloatArray) -> Calibration:
        """Find the γ that minimises -Σ w log(p_y^γ / Σ_c p_c^γ) + (log γ)².

        Parameters
        ----------
        p : class probabilities, of shape (n_rows, n_classes)
        y, weight : class and weight of each row

        Examples
        --------
        >>> p = np.array([[0.6, 0.4]] * 9 + [[0.4, 0.6]])
        >>> found = Calibration.learn(p, np.zeros(10, dtype=int), np.full(10, 100.0))
        >>> round(found.exponent, 2), found.accuracy  # (0.6 / 0.4)^5.42 = 9
        (5.38, 0.9)
        """
        if len(y) == 0:
            return cls()
        logs, at = floored_log(p), np.arange(len(y))
        of_class = logs[at, y]

        def slope(theta: float) -> float:
            """Return the derivative with respect to θ = log γ."""
            gamma = float(np.exp(theta))
            expected = np.einsum("ij,ij->i", normalize(gamma * logs), logs)
            return gamma * float(weight @ (expected - of_class)) + 2 * theta

        low, high = float(np.log(LOWEST_EXPONENT)), float(np.log(HIGHEST_EXPONENT))
        if slope(low) >= 0:
            theta = low
        else:
            theta = high if slope(high) <= 0 else float(brentq(slope, low, high, xtol=1e-9))
        exponent = min(max(float(np.exp(theta)), LOWEST_EXPONENT), HIGHEST_EXPONENT)
        sharp, total = sharpen(p, exponent), weight.sum()
        return cls(
            exponent,
            float(-(weight @ floored_log(sharp[at, y])) / total),
            float(weight[sharp.argmax(axis=1) == y].sum() / total),
        )


def sharpen(p: FloatArray, exponent: float) -> FloatArray:
    """Return p_c^γ / Σ_k p_k^γ of each row.

    >>> sharpen(np.array([[0.75, 0.25]]), 2.0)
    array([[0.9, 0.1]])
    """
    return normalize(exponent * floored_log(p))


__all__ = ["HIGHEST_EXPONENT", "LOWEST_EXPONENT", "Calibration", "sharpen"]
