"""What a paper concludes from its tables, as it is printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from augury.reproduce.paper import PrintedCell


@dataclass(frozen=True, slots=True)
class PrintedSquare:
    """A square of Wilcoxon's signed-rank tests, below the diagonal at 5 %, above at 10 %.

    Attributes
    ----------
    table : str
        Number of the table in the paper.
    score : {"accuracy", "fit_seconds"}
        What was ranked.
    models : tuple of str
        Rows and columns.
    marks : tuple of str
        A string for each row, a character for each column: "r" where the row's model is
        better, "c" where the column's is, "." where neither.
    """

    table: str
    score: str
    models: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedChange:
    """On how many data sets a model has a lower bias or variance than another.

    Attributes
    ----------
    figure : str
        Number of the figure.
    model, other : str
        The model, and the one that it is compared with.
    lower_bias, lower_variance : int or None
        Data sets, if the paper says how many.
    """

    figure: str
    model: str
    other: str
    lower_bias: int | None = None
    lower_variance: int | None = None


@dataclass(frozen=True, slots=True)
class PaperClaims:
    """What a paper says about its cells.

    Attributes
    ----------
    win_tie_loss : mapping from table to mapping from model to counts
        The line under a table: on how many data sets its first column is better than, like,
        and worse than the model.
    squares : sequence of PrintedSquare
        Signed-rank tests.
    seconds : sequence of PrintedCell
        Training times; their means are seconds.
    seconds_reference : str
        The model in whose time the others' are told.
    changes : sequence of PrintedChange
        Of bias and variance, by Webb's definition.
    """

    win_tie_loss: Mapping[str, Mapping[str, tuple[int, int, int]]] = field(default_factory=dict)
    squares: Sequence[PrintedSquare] = ()
    seconds: Sequence[PrintedCell] = ()
    seconds_reference: str = ""
    changes: Sequence[PrintedChange] = ()


__all__ = ["PaperClaims", "PrintedChange", "PrintedSquare"]
