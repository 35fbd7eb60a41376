"""Calibration: agreement of predicted probabilities with observed frequencies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from augury.arrays import IntegerArray
from augury.evaluate.losses import check_distributions
from augury.validation import check_choice, check_integer, check_number, check_sample_weight

BINNINGS = ("equal_width", "equal_mass")


@dataclass(frozen=True, slots=True)
class ReliabilityBins:
    """Predicted probabilities and observed frequencies in bins of confidence.

    Bin b holds the confidences above `edges[b]` and up to `edges[b + 1]`; the first bin also
    holds its lower edge. Bins of several folds add, because they hold sums and not means. They
    are tuples of plain numbers, so that they can be stored.

    Attributes
    ----------
    edges : tuple of float, one more than bins
        From 0 to 1.
    weights : tuple of float
        Number of rows (sum of their weights) in each bin.
    confidence_sums, hit_sums : tuple of float
        Sum of the confidences, and number of the rows whose predicted event occurred.

    Examples
    --------
    >>> first = ReliabilityBins.collect([0.6, 0.8, 0.9], [True, True, False], n_bins=2)
    >>> first.weights, first.hit_sums
    ((0.0, 3.0), (0.0, 2.0))
    >>> both = first + ReliabilityBins.collect([0.4], [False], n_bins=2)
    >>> both.weights
    (1.0, 3.0)
    >>> round(both.expected_calibration_error, 3)  # (|0.4 - 0| + |2.3 - 2|) / 4
    0.175
    """

    edges: tuple[float, ...]
    weights: tuple[float, ...]
    confidence_sums: tuple[float, ...]
    hit_sums: tuple[float, ...]

    @classmethod
    def collect(
        cls,
        confidence: ArrayLike,
        is_hit: ArrayLike,
        *,
        n_bins: int = 15,
        binning: str = "equal_width",
        sample_weight: ArrayLike | None = None,
    ) -> ReliabilityBins:
        """Assign rows to bins.

        Parameters
        ----------
        confidence : array-like of shape (n_samples,)
            Predicted probability, from 0 to 1.
        is_hit : array-like of shape (n_samples,)
            Whether the predicted event occurred.
        n_bins : int, default=15
            Number of bins; there are fewer where quantiles coincide.
        binning : {"equal_width", "equal_mass"}, default="equal_width"
            Edges at 0, 1 / n_bins, …; or at quantiles of these confidences, so that all bins
            hold the same number of rows. Only bins with the same edges add: for equal masses
            of several folds, add many bins of equal width, and call `with_equal_mass`.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        """
        owner = "ReliabilityBins"
        n_bins = check_integer(owner, "n_bins", n_bins, at_least=1)
        check_choice(owner, "binning", binning, BINNINGS)
        said, so = np.asarray(confidence, dtype=np.float64), np.asarray(is_hit)
        if said.ndim != 1 or said.shape != so.shape:
            raise ValueError(
                f"{owner}: confidence and is_hit must be two columns of one length, "
                f"got shapes {said.shape} and {so.shape}"
            )
        # NaN fails this comparison too. Sums of probabilities may exceed 1 by rounding.
        if not ((said >= 0) & (said <= 1 + 1e-6)).all():
            raise ValueError(f"{owner}: confidence must be from 0 to 1")
        if so.dtype.kind != "b":
            raise ValueError(f"{owner}: is_hit must be True or False for each row, got {so.dtype}")
        weight = check_sample_weight(owner, sample_weight, len(said))
        weight = np.ones(len(said)) if weight is None else weight
        edges = np.linspace(0.0, 1.0, n_bins + 1)
        if binning == "equal_mass" and len(said):
            inner = np.quantile(said, edges[1:-1], weights=weight, method="inverted_cdf")
            edges = np.unique(np.concatenate([[0.0], np.clip(inner, 0.0, 1.0), [1.0]]))
        bins = np.searchsorted(edges[1:-1], said, side="left")
        size = len(edges) - 1
        return cls(
            edges=_floats(edges),
            weights=_floats(np.bincount(bins, weight, size)),
            confidence_sums=_floats(np.bincount(bins, weight * said, size)),
            hit_sums=_floats(np.bincount(bins, weight * so, size)),
        )

    def __add__(self, other: ReliabilityBins) -> ReliabilityBins:
        if not isinstance(other, ReliabilityBins):
            return NotImplemented
        if self.edges != other.edges:
            raise ValueError(
                "ReliabilityBins: only bins with the same edges add, "
                f"got {len(self.weights)} and {len(other.weights)} bins of different edges"
            )
        return ReliabilityBins(
            edges=self.edges,
            weights=_added(self.weights, other.weights),
            confidence_sums=_added(self.confidence_sums, other.confidence_sums),
            hit_sums=_added(self.hit_sums, other.hit_sums),
        )

    def with_equal_mass(self, n_bins: int) -> ReliabilityBins:
        """Return at most n_bins merged bins, each with about the same number of rows."""
        check_integer("ReliabilityBins", "n_bins", n_bins, at_least=1)
        total = np.cumsum(self.weights)
        # A bin ends where the rows up to it are closest to the next share of all rows.
        middle = total - np.array(self.weights) / 2.0
        wanted = total[-1] * np.arange(1, n_bins) / n_bins
        starts = np.unique([0, *np.searchsorted(middle, wanted, side="left")])
        return self._merged(starts[starts < len(self.weights)])

    def with_at_least(self, n_rows: float) -> ReliabilityBins:
        """Return adjacent bins merged from the left until each holds `n_rows` rows.

        What is left over at the right end joins the last bin. Without enough rows there is one
        bin.

        >>> bins = ReliabilityBins.collect([0.1, 0.3, 0.35, 0.9], [False] * 4, n_bins=4)
        >>> bins.weights, bins.with_at_least(2).weights, bins.with_at_least(2).edges
        ((1.0, 2.0, 0.0, 1.0), (4.0,), (0.0, 1.0))
        >>> bins.with_at_least(1).edges
        (0.0, 0.25, 0.5, 1.0)
        """
        n_rows = check_number("ReliabilityBins", "n_rows", n_rows, at_least=0)
        starts, held = [0], 0.0
        for b, weight in enumerate(self.weights):
            if held >= n_rows and held > 0:
                starts.append(b)
                held = 0.0
            held += weight
        if len(starts) > 1 and (held < n_rows or held == 0):
            starts.pop()
        return self._merged(np.array(starts))

    def _merged(self, starts: IntegerArray) -> ReliabilityBins:
        """Return bins of which each is the sum of those from one start to the next."""
        edges = np.array(self.edges)
        return ReliabilityBins(
            edges=_floats(np.append(edges[starts], edges[-1])),
            weights=_floats(np.add.reduceat(self.weights, starts)),
            confidence_sums=_floats(np.add.reduceat(self.confidence_sums, starts)),
            hit_sums=_floats(np.add.reduceat(self.hit_sums, starts)),
        )

    def hit_interval(self, level: float = 0.95) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the ends of Wilson's confidence interval of the hit rate of each bin.

        Weights count as numbers of rows. The ends of an empty bin are NaN.

        References
        ----------
        E. B. Wilson (1927): Probable inference, the law of succession, and statistical
        inference. Journal of the American Statistical Association 22, 209-212.

        Examples
        --------
        >>> low, high = ReliabilityBins.collect([0.5] * 4, [True] * 2 + [False] * 2, n_bins=1
        ...     ).hit_interval()
        >>> round(low[0], 3), round(high[0], 3)
        (0.15, 0.85)
        """
        level = check_number("ReliabilityBins", "level", level, at_least=0)
        if not level < 1:
            raise ValueError(f"ReliabilityBins: level must be a number below 1, got {level!r}")
        z = float(ndtri(0.5 + level / 2))
        weights = np.array(self.weights)
        weights[weights == 0] = np.nan
        rate = np.array(self.hit_sums) / weights
        middle = (rate + z**2 / (2 * weights)) / (1 + z**2 / weights)
        root = np.sqrt(rate * (1 - rate) / weights + z**2 / (4 * weights**2))
        half = z * root / (1 + z**2 / weights)
        return _floats(middle - half), _floats(middle + half)

    @property
    def mean_confidence(self) -> tuple[float, ...]:
        """Mean predicted probability in each bin; NaN in an empty bin."""
        return _ratios(self.confidence_sums, self.weights)

    @property
    def hit_rate(self) -> tuple[float, ...]:
        """Observed frequency in each bin; NaN in an empty bin."""
        return _ratios(self.hit_sums, self.weights)

    @property
    def expected_calibration_error(self) -> float:
        """Mean over the rows of ``|hit rate - mean confidence|`` of their bins (ECE)."""
        total = sum(self.weights)
        if total == 0:
            return float("nan")
        errors = np.abs(np.subtract(self.hit_sums, self.confidence_sums))
        return float(errors.sum()) / total

    @property
    def maximum_calibration_error(self) -> float:
        """The largest ``|hit rate - mean confidence|`` of a bin that has rows (MCE)."""
        errors = [
            abs(hits - said) / weight
            for hits, said, weight in zip(
                self.hit_sums, self.confidence_sums, self.weights, strict=True
            )
            if weight > 0
        ]
        return max(errors, default=float("nan"))


def top_label_bins(
    codes: ArrayLike,
    probabilities: ArrayLike,
    *,
    n_bins: int = 15,
    binning: str = "equal_width",
    sample_weight: ArrayLike | None = None,
) -> ReliabilityBins:
    """Collect the probability of the most probable class, and whether it is the true class.

    Parameters
    ----------
    codes : array-like of shape (n_samples,)
        True classes.
    probabilities : array-like of shape (n_samples, n_classes)
        Predicted distribution of each row; the first of several most probable classes counts.
    n_bins, binning, sample_weight
        As in `ReliabilityBins.collect`.

    Returns
    -------
    ReliabilityBins
        Its `expected_calibration_error` is the usual ECE.

    References
    ----------
    C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger (2017): On calibration of modern neural
    networks. Proceedings of the 34th International Conference on Machine Learning, 1321-1330.

    Examples
    --------
    >>> top_label_bins([0, 1], [[0.75, 0.25], [0.75, 0.25]]).expected_calibration_error
    0.25
    """
    true, distribution = check_distributions("top_label_bins", codes, probabilities)
    return ReliabilityBins.collect(
        distribution.max(axis=1),
        distribution.argmax(axis=1) == true,
        n_bins=n_bins,
        binning=binning,
        sample_weight=sample_weight,
    )


def classwise_bins(
    codes: ArrayLike,
    probabilities: ArrayLike,
    *,
    n_bins: int = 15,
    binning: str = "equal_width",
    sample_weight: ArrayLike | None = None,
) -> tuple[ReliabilityBins, ...]:
    """Collect, for each class, its probability and whether it is the true class.

    Parameters
    ----------
    codes : array-like of shape (n_samples,)
        True classes.
    probabilities : array-like of shape (n_samples, n_classes)
        Predicted distribution of each row.
    n_bins, binning, sample_weight
        As in `ReliabilityBins.collect`.

    Returns
    -------
    tuple of ReliabilityBins
        One for each class; see `classwise_calibration_error`.
    """
    true, distribution = check_distributions("classwise_bins", codes, probabilities)
    return tuple(
        ReliabilityBins.collect(
            column, true == code, n_bins=n_bins, binning=binning, sample_weight=sample_weight
        )
        for code, column in enumerate(distribution.T)
    )


def classwise_calibration_error(bins: tuple[ReliabilityBins, ...]) -> float:
    """Return the mean over the classes of their expected calibration errors.

    Parameters
    ----------
    bins : tuple of ReliabilityBins
        The bins of each class from `classwise_bins`; bins of several folds may be added.

    Returns
    -------
    float
        From 0 to 1.

    References
    ----------
    M. Kull, M. Perello-Nieto, M. Kängsepp, T. Silva Filho, H. Song, P. Flach (2019): Beyond
    temperature scaling: obtaining well-calibrated multi-class probabilities with Dirichlet
    calibration. Advances in Neural Information Processing Systems 32.

    Examples
    --------
    >>> classwise_calibration_error(classwise_bins([0, 1], [[0.75, 0.25], [0.75, 0.25]]))
    0.25
    """
    return float(np.mean([of_class.expected_calibration_error for of_class in bins]))


def _floats(values: ArrayLike) -> tuple[float, ...]:
    return tuple(np.asarray(values, dtype=np.float64).tolist())


def _added(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _ratios(sums: tuple[float, ...], weights: tuple[float, ...]) -> tuple[float, ...]:
    pairs = zip(sums, weights, strict=True)
    return tuple(total / weight if weight > 0 else float("nan") for total, weight in pairs)


__all__ = [
    "BINNINGS",
    "ReliabilityBins",
    "classwise_bins",
    "classwise_calibration_error",
    "top_label_bins",
]
