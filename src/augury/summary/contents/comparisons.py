"""Types of the comparisons of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Cell:
    """Mean, standard deviation and number of the folds of one model on one data set."""

    mean: float
    std: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Average:
    """Mean and mean rank of one model over the shared data sets."""

    mean: float
    rank: float


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Wilcoxon's signed-rank test of each two models over the shared data sets.

    Attributes
    ----------
    models : tuple of str
        Models that have the measure on all shared data sets.
    p : [model][model]
        Two-sided p-value; None on the diagonal.
    better, better_10 : [model][model]
        "row", "column" or "" at the levels 5 % and 10 %; None on the diagonal.
    rank_sums : [model][model]
        Sums of the positive and the negative ranks; None on the diagonal.
    """

    models: tuple[str, ...]
    p: tuple[tuple[float | None, ...], ...]
    better: tuple[tuple[str | None, ...], ...]
    better_10: tuple[tuple[str | None, ...], ...]
    rank_sums: tuple[tuple[tuple[float, float] | None, ...], ...]


@dataclass(frozen=True, slots=True)
class ControlTest:
    """Comparison of one model with the reference by Holm's procedure."""

    model: str
    difference: float
    p: float
    adjusted_p: float
    rejected: bool


@dataclass(frozen=True, slots=True)
class FriedmanRanks:
    """Friedman's test of all models over the shared data sets, and the tests that follow it.

    Attributes
    ----------
    chi2, chi2_p : float or None
        Friedman's statistic and its p-value.
    f, f_p : float or None
        Statistic of Iman and Davenport and its p-value; `f` is None if it is infinite.
    n_datasets : int
        Number of data sets.
    models : tuple of str
        Models that have the measure on all shared data sets.
    mean_ranks : [model]
        Mean rank of each model of the summary; None for a model that is not in `models`.
    critical_difference : float
        Critical difference of Nemenyi's test at the level `alpha`.
    groups : tuple of tuple of str
        Models that Nemenyi's test does not distinguish.
    holm : tuple of ControlTest
        Comparisons with the reference.
    """

    chi2: float | None
    chi2_p: float | None
    f: float | None
    f_p: float | None
    n_datasets: int
    models: tuple[str, ...]
    mean_ranks: tuple[float | None, ...]
    critical_difference: float
    alpha: float
    groups: tuple[tuple[str, ...], ...]
    holm: tuple[ControlTest, ...]


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """Means, mean ranks and times of one model over the shared data sets; None if unknown."""

    model: str
    accuracy: float | None
    log_loss: float | None
    brier: float | None
    accuracy_rank: float | None
    log_loss_rank: float | None
    brier_rank: float | None
    fit_ms: float | None
    predict_ms: float | None
    fit_ratio_to_reference: float | None
    n_datasets: int
    n_failed: int

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure."""
        means = {"accuracy": self.accuracy, "log_loss": self.log_loss, "brier": self.brier}
        return means[measure]

    def rank(self, measure: str) -> float | None:
        """Return the mean rank in a measure."""
        ranks = {
            "accuracy": self.accuracy_rank,
            "log_loss": self.log_loss_rank,
            "brier": self.brier_rank,
        }
        return ranks[measure]


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All comparisons of models. The keys of mappings are measures.

    Attributes
    ----------
    alpha : float
        Significance level of all tests.
    shared : tuple of str
        Data sets of which all compared models have all folds.
    cells : measure to [data set][model]
        Means of the folds; None without completed folds.
    marks : measure to [reference][data set]
        Text with one character for each model, by the corrected t-test: "+" better than the
        reference, "-" worse, "=" neither, "." not compared.
    win_tie_loss : measure to [reference][model]
        Numbers of data sets; None for a model that is not compared.
    averages : measure to [model]
        Means over `shared`.
    wilcoxon, friedman : measure to test
        Tests over `shared`; None with fewer than five data sets.
    leaderboard : tuple of LeaderboardLine
        One line for each model, by mean rank in accuracy.
    """

    alpha: float
    cells: Mapping[str, tuple[tuple[Cell | None, ...], ...]]
    marks: Mapping[str, tuple[tuple[str, ...], ...]]
    leaderboard: tuple[LeaderboardLine, ...]
    shared: tuple[str, ...] = ()
    win_tie_loss: Mapping[str, tuple[tuple[tuple[int, int, int] | None, ...], ...]] = field(
        default_factory=dict
    )
    averages: Mapping[str, tuple[Average | None, ...]] = field(default_factory=dict)
    wilcoxon: Mapping[str, SignedRanks | None] = field(default_factory=dict)
    friedman: Mapping[str, FriedmanRanks | None] = field(default_factory=dict)


__all__ = [
    "Average",
    "Cell",
    "Comparisons",
    "ControlTest",
    "FriedmanRanks",
    "LeaderboardLine",
    "SignedRanks",
]
