"""Types of what single predictions show, and of learning curves."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorParts:
    """Error rate, and its decomposition into bias and variance."""

    error: float
    bias: float
    variance: float


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """One decomposition of the error: [data set][model], and means over the shared data sets."""

    datasets: tuple[tuple[ErrorParts | None, ...], ...] = ()
    averages: tuple[ErrorParts | None, ...] = ()


@dataclass(frozen=True, slots=True)
class BiasVarianceTables:
    """Two decompositions of the error: Webb's, and that of Kohavi and Wolpert.

    Attributes
    ----------
    runs : int
        Number of runs.
    method : str
        "webb": the decomposition of `datasets` and `averages`.
    unit : str
        Unit of all numbers.
    datasets, averages
        As in `ErrorTable`.
    kohavi_wolpert : ErrorTable
        The other decomposition.
    """

    runs: int
    method: str
    unit: str
    datasets: tuple[tuple[ErrorParts | None, ...], ...]
    averages: tuple[ErrorParts | None, ...]
    kohavi_wolpert: ErrorTable

    def table(self, method: str) -> ErrorTable:
        """Return the decomposition "webb" or "kohavi_wolpert"."""
        own = ErrorTable(self.datasets, self.averages)
        return {"webb": own, "kohavi_wolpert": self.kohavi_wolpert}[method]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Rows whose confidence is between `low` and `high`.

    Attributes
    ----------
    low, high : float
        Edges of the bin.
    n : int
        Number of rows.
    confidence, accuracy : float
        Mean confidence, and share of correct predictions.
    """

    low: float
    high: float
    n: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Bins that contain rows, and the expected calibration error (ECE)."""

    bins: tuple[ReliabilityBin, ...]
    ece: float | None


@dataclass(frozen=True, slots=True)
class Predictions:
    """What the predictions of single rows show.

    Attributes
    ----------
    bias_variance : BiasVarianceTables or None
        None with a single run.
    reliability : [model]
        Pooled over the shared data sets; None without probabilities.
    reliability_by_dataset : [data set][model]
        None without probabilities.
    confusion : [data set][model]
        [true][predicted], the mean number of rows in a run; None without a complete run.
    """

    bias_variance: BiasVarianceTables | None = None
    reliability: tuple[Reliability | None, ...] = ()
    reliability_by_dataset: tuple[tuple[Reliability | None, ...], ...] = ()
    confusion: tuple[tuple[tuple[tuple[float, ...], ...] | None, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """Means of one model for each training size; None if unknown.

    Attributes
    ----------
    mean, std : [size]
        Mean and standard deviation over the runs.
    n : [size]
        Numbers of completed runs.
    """

    model: str
    mean: tuple[float | None, ...]
    std: tuple[float | None, ...]
    n: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CurveComparison:
    """Differences between the curves of a model and of the reference; None if unknown.

    Attributes
    ----------
    difference : [size]
        Mean of the model less that of the reference, over the runs that both have.
    error : [size]
        Standard error of these paired differences. Runs share rows, so the error holds for this
        data set only.
    outcome : {"better", "worse", "equal"} or None
        Whether the model is better than the reference at the largest size.
    since : int or None
        The smallest size from which `outcome` is the same at all larger sizes.
    """

    model: str
    difference: tuple[float | None, ...]
    error: tuple[float | None, ...]
    outcome: str | None = None
    since: int | None = None

    def words(self, sizes: tuple[int, ...]) -> str:
        """Return the outcome as words.

        >>> CurveComparison("lr", (1.0, -1.0), (0.1, 0.1), "better", 64).words((16, 64))
        'better from 64 rows'
        """
        if self.outcome is None:
            return "unknown"
        place = "at all sizes" if self.since == sizes[0] else f"from {self.since} rows"
        return f"{self.outcome} {place}"


@dataclass(frozen=True, slots=True)
class LearningCurves:
    """Learning curves of all models on one data set, for one measure.

    Attributes
    ----------
    sizes : tuple of int
        Numbers of training rows, ascending.
    curves : tuple of LearningCurve
        One for each model that has the measure.
    reference : str or None
        Name of the model that the others are compared with.
    comparisons : tuple of CurveComparison
        One for each other model; empty if the reference has no curve.
    """

    dataset: str
    measure: str
    sizes: tuple[int, ...]
    curves: tuple[LearningCurve, ...]
    reference: str | None = None
    comparisons: tuple[CurveComparison, ...] = ()


__all__ = [
    "BiasVarianceTables",
    "CurveComparison",
    "ErrorParts",
    "ErrorTable",
    "LearningCurve",
    "LearningCurves",
    "Predictions",
    "Reliability",
    "ReliabilityBin",
]
