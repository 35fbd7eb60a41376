"""Judgement of a computed cell: whether it agrees with the printed one."""

from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.paper import Paper
from augury.reproduce.printed_cell import PrintedCell

# With fewer runs than the paper's, a mean may differ by this many of its standard errors.
_N_ERRORS = 3.0


class Status(StrEnum):
    """The outcome of a comparison with a printed cell."""

    AGREES = "agrees"
    SAMPLING_ERROR = "within sampling error"
    KNOWN = "known deviation"
    DIFFERS = "differs"
    NOT_JUDGED = "not judged"
    NOT_PRINTED = "not printed"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of a comparison, and the rule behind it.

    Attributes
    ----------
    status : Status
        The outcome. A cell of a protocol other than the paper's is not judged, unless it
        agrees.
    tolerance : str
        The rule of the column, in words.
    agrees : bool or None
        Whether the cell agrees by the rule of the column; None if the paper prints no number.
    known : KnownDeviation or None
        The known deviation of the cell, whether the cell differs or not.
    allowance : float
        Percentage points by which the mean may exceed the rule because the number of runs is
        not that of the paper: three standard errors. Standard deviations are not compared
        in this case.
    is_complete : bool
        Whether protocol and number of runs are those of the paper.
    """

    status: Status
    tolerance: str = ""
    agrees: bool | None = None
    known: KnownDeviation | None = None
    allowance: float = 0.0
    is_complete: bool = True

    @property
    def text(self) -> str:
        """The outcome in words, for a table."""
        match self.status:
            case Status.AGREES:
                return f"agrees ({self.tolerance})"
            case Status.SAMPLING_ERROR:
                return f"within sampling error (± {self.allowance:.2f} points)"
            case Status.KNOWN:
                assert self.known is not None
                return f"differs (known: {self.known.reason})"
            case Status.DIFFERS if self.known is not None:
                low, high = self.known.bounds
                return f"DIFFERS (beyond the known deviation of {low:+.2f} to {high:+.2f} points)"
            case Status.DIFFERS:
                return f"DIFFERS (not {self.tolerance})"
            case Status.NOT_JUDGED:
                return "not judged (another protocol)"
            case Status.NOT_PRINTED:
                return "-"


NOT_PRINTED = Judgement(Status.NOT_PRINTED)


def judge(
    paper: Paper, cell: PrintedCell, *, mean: float, std: float, protocol: str, n_repeats: int
) -> Judgement:
    """Compare our mean and standard deviation, in percent, with a printed cell.

    Parameters
    ----------
    paper : Paper
        The paper.
    cell : PrintedCell
        The printed cell.
    mean, std : float
        Our mean and standard deviation over all folds of all runs.
    protocol : str
        The protocol of our folds.
    n_repeats : int
        Number of runs of our folds.
    """
    rule = paper.columns[cell.model].tolerance
    agrees = rule.agrees(mean, std, cell.mean, cell.std)
    known = paper.known_deviation(cell.dataset, cell.model)
    expected = paper.folds(cell.dataset)
    is_complete = (protocol, n_repeats) == (paper.protocol, expected.n_repeats)
    allowance = 0.0
    differences = mean - float(cell.mean), std - float(cell.std)
    if agrees:
        status = Status.AGREES
    elif protocol != paper.protocol:
        status = Status.NOT_JUDGED
    elif is_complete:
        is_known = known is not None and known.excuses(*differences)
        status = Status.KNOWN if is_known else Status.DIFFERS
    else:
        # All runs come from one sequence of runs, so the folds of fewer runs are a sample of
        # the folds of more runs.
        share = abs(1.0 / n_repeats - 1.0 / expected.n_repeats) / expected.n_splits
        allowance = _N_ERRORS * sqrt(share) * max(std, float(cell.std))
        if rule.is_near(mean, cell.mean, allowance):
            status = Status.SAMPLING_ERROR
        elif known is not None and known.excuses(differences[0], 0.0, allowance):
            status = Status.KNOWN
        else:
            status = Status.DIFFERS
    return Judgement(status, rule.description, agrees, known, allowance, is_complete)


__all__ = ["NOT_PRINTED", "Judgement", "Status", "judge"]
