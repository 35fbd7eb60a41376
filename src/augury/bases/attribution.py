"""Contributions of the columns to a number of each row, such as its log odds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray

# From the simplest to the most general; a sum has the most general method of its parts.
METHODS = ("terms", "shapley", "sampled")


@dataclass(frozen=True, eq=False)
class Attribution:
    """Contributions of the columns to a number of each row; they add.

    Attributes
    ----------
    prior : array of shape (n_samples,)
        The number if every column is left out.
    contributions : array of shape (n_samples, n_columns)
        The number is the sum of `prior` and of these.
    variance : array of shape (n_samples, n_columns)
        Squared standard errors of the contributions; 0 if they are exact.
    method : {"terms", "shapley", "sampled"}
        Terms of a sum, Shapley values over all subsets, or Shapley values over a sample of
        permutations.
    """

    prior: FloatArray
    contributions: FloatArray
    variance: FloatArray
    method: str

    @classmethod
    def of_terms(cls, terms: Array, weights: Array) -> Attribution:
        """Return the attribution of Σ_c w_c score_c, where each score is a sum of terms.

        Parameters
        ----------
        terms : array of shape (n_samples, 1 + n_columns, n_classes), the first is the prior
        weights : array of shape (n_samples, n_classes)
        """
        parts = np.einsum("njc,nc->nj", terms, weights)
        return cls(parts[:, 0], parts[:, 1:], np.zeros_like(parts[:, 1:]), "terms")

    @classmethod
    def of_nothing(cls, n_samples: int, n_columns: int) -> Attribution:
        """Return the attribution of the number 0."""
        zeros = np.zeros((n_samples, n_columns))
        return cls(np.zeros(n_samples), zeros, zeros, "terms")

    def __add__(self, other: Attribution) -> Attribution:
        return Attribution(
            self.prior + other.prior,
            self.contributions + other.contributions,
            self.variance + other.variance,
            max(self.method, other.method, key=METHODS.index),
        )

    def plus_prior(self, constant: Array) -> Attribution:
        """Return the attribution with a number of each row added to the prior."""
        return Attribution(self.prior + constant, self.contributions, self.variance, self.method)

    def among(self, columns: IntegerArray, n_columns: int) -> Attribution:
        """Return the attribution in a wider table, whose columns of these indices are ours."""
        wide = np.zeros((2, len(self.prior), n_columns))
        wide[0, :, columns] = self.contributions.T
        wide[1, :, columns] = self.variance.T
        return Attribution(self.prior, wide[0], wide[1], self.method)


__all__ = ["METHODS", "Attribution"]
