"""Conclusions of a paper, as printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from augury.reproduce.printed_cell import PrintedCell

Score = Literal["accuracy", "fit_seconds"]


@dataclass(frozen=True, slots=True)
class PrintedSignedRanks:
    """A table of Wilcoxon's signed-rank tests between every two models.

    The level is 5 % below the diagonal and 10 % above it.

    Attributes
    ----------
    table : str
        Number of the table in the paper.
    score : {"accuracy", "fit_seconds"}
        The score that was ranked.
    models : tuple of str
        Rows and columns.
    marks : tuple of str
        A string for each row, with a character for each column: "r" if the model of the row is
        better, "c" if the model of the column is better, "." if neither is.
    """

    table: str
    score: Score
    models: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedBiasVariance:
    """Number of data sets on which a model has lower bias or variance than another.

    Attributes
    ----------
    figure : str
        Number of the figure in the paper.
    model, other : str
        The model, and the model that it is compared with.
    lower_bias, lower_variance : int or None
        Number of data sets; None if the paper does not state it.
    """

    figure: str
    model: str
    other: str
    lower_bias: int | None = None
    lower_variance: int | None = None


@dataclass(frozen=True, slots=True)
class PrintedConclusions:
    """All that a paper concludes from its cells.

    Attributes
    ----------
    win_tie_loss : mapping from table to mapping from model to counts
        The last line of a table: the numbers of data sets on which its first column is better
        than, equal to, and worse than the model.
    signed_ranks : sequence of PrintedSignedRanks
        Tables of signed-rank tests.
    seconds : sequence of PrintedCell
        A table of training times in seconds; its first model is the one that the marks of the
        others refer to.
    seconds_reference : str
        The model whose training time is the unit in which the other times are compared.
    bias_variance : sequence of PrintedBiasVariance
        Changes of bias and variance, by Webb's definition.
    """

    win_tie_loss: Mapping[str, Mapping[str, tuple[int, int, int]]] = field(default_factory=dict)
    signed_ranks: Sequence[PrintedSignedRanks] = ()
    seconds: Sequence[PrintedCell] = ()
    seconds_reference: str = ""
    bias_variance: Sequence[PrintedBiasVariance] = ()


__all__ = ["PrintedBiasVariance", "PrintedConclusions", "PrintedSignedRanks", "Score"]
