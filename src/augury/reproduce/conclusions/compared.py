"""Conclusions of a paper beside ours."""

from collections.abc import Mapping
from dataclasses import dataclass

from augury.evaluate.significance import BETTER, EVEN, WORSE
from augury.reproduce.conclusions.printed import (
    PrintedBiasVariance,
    PrintedSignedRanks,
    Score,
)

Pair = tuple[str, str]  # model of the row and model of the column


@dataclass(frozen=True, slots=True)
class ComparedMark:
    """The significance mark of a cell, printed and ours.

    Attributes
    ----------
    dataset, model : str
        The cell.
    printed, ours : {"better", "worse", ""}
        Whether the model is significantly better or worse than the first column.
    difference : float
        Our mean of the model minus our mean of the first column, in percentage points or, for
        training times, in seconds.
    p : float
        p-value of our corrected t-test.
    """

    dataset: str
    model: str
    printed: str
    ours: str
    difference: float
    p: float

    @property
    def agrees(self) -> bool:
        """Whether the marks are the same."""
        return self.printed == self.ours


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """The significance marks of a table, printed and ours.

    Attributes
    ----------
    table, reference : str
        Number of the table; its first column, with which the others are compared.
    score : {"accuracy", "fit_seconds"}
        The score of the cells; of two training times the smaller is better.
    marks : list of ComparedMark
        Marks of all cells for which our folds are complete.
    n_printed : int
        Number of marks in the printed table.
    printed_line : mapping from model to counts
        Wins, ties and losses of the first column, as printed for all data sets.
    """

    table: str
    reference: str
    score: Score
    marks: list[ComparedMark]
    n_printed: int
    printed_line: Mapping[str, tuple[int, int, int]]

    @property
    def differing(self) -> list[ComparedMark]:
        """The marks that differ."""
        return [mark for mark in self.marks if not mark.agrees]

    @property
    def models(self) -> list[str]:
        """The models that are compared with the first column."""
        return list(dict.fromkeys(mark.model for mark in self.marks))

    def win_tie_loss(self, model: str, *, printed: bool = False) -> tuple[int, int, int]:
        """Return wins, ties and losses of the first column over the cells in `marks`."""
        cells = [mark for mark in self.marks if mark.model == model]
        found = [mark.printed if printed else mark.ours for mark in cells]
        return found.count(WORSE), found.count(EVEN), found.count(BETTER)


@dataclass(frozen=True, slots=True)
class ComparedSignedRanks:
    """A table of signed-rank tests, printed and ours.

    Attributes
    ----------
    printed : PrintedSignedRanks
        The tests of the paper.
    models : tuple of str
        Models for which we have results.
    n_datasets : int
        Number of data sets on which all of these models have complete results.
    is_whole : bool
        Whether these are all data sets of the paper.
    ours : mapping from (row, column) to "r", "c" or "."
        As in `PrintedSignedRanks`; empty with fewer than two models or data sets.
    same_sets : mapping from (row, column) to "r", "c" or "."
        The outcome of the same test on the printed numbers of the same data sets.
    p : mapping from (row, column) to float
        p-values of our tests.
    """

    printed: PrintedSignedRanks
    models: tuple[str, ...]
    n_datasets: int
    is_whole: bool
    ours: Mapping[Pair, str]
    same_sets: Mapping[Pair, str]
    p: Mapping[Pair, float]

    def printed_mark(self, row: str, column: str) -> str:
        """Return the printed mark of a pair of models."""
        names = self.printed.models
        return self.printed.marks[names.index(row)][names.index(column)]

    @property
    def contradictions(self) -> list[Pair]:
        """Pairs for which the paper prints that each model is better than the other."""
        return [
            (row, column)
            for i, row in enumerate(self.printed.models)
            for column in self.printed.models[i + 1 :]
            if self.printed_mark(row, column) == self.printed_mark(column, row) != "."
        ]

    @property
    def differing(self) -> list[Pair]:
        """Pairs of row and column whose mark differs from the expected one.

        The expected mark is the printed one if we have all data sets. Otherwise it is the
        mark in `same_sets`.
        """
        return [
            pair
            for pair, mark in self.ours.items()
            if mark != (self.printed_mark(*pair) if self.is_whole else self.same_sets[pair])
        ]


@dataclass(frozen=True, slots=True)
class ComparedSeconds:
    """The mean training time of a model on a data set, printed and ours, in seconds."""

    dataset: str
    model: str
    printed: float
    ours: float


@dataclass(frozen=True, slots=True)
class ComparedTrainingTime:
    """The training time of a model relative to a reference model, printed and ours.

    Attributes
    ----------
    model : str
        Name of the model.
    n_datasets : int
        Number of data sets for which we have both models.
    printed_seconds, ours_seconds : float
        Mean training times of the model over these data sets.
    printed, ours : float
        Ratio of the mean training times over these data sets.
    n_measurable : int
        Number of these data sets for which the paper prints at least 0.05 s for the reference.
    printed_median, ours_median : float
        Median of the ratios on the measurable data sets; NaN if there are none.
    """

    model: str
    n_datasets: int
    printed_seconds: float
    ours_seconds: float
    printed: float
    ours: float
    n_measurable: int
    printed_median: float
    ours_median: float


@dataclass(frozen=True, slots=True)
class ComparedBiasVariance:
    """Data sets on which bias and variance are lower, printed and ours.

    Attributes
    ----------
    printed : PrintedBiasVariance
        Numbers of the paper, over all its data sets.
    lower_bias, lower_variance, even_bias, even_variance : tuple of str
        Data sets on which our value of the model is lower than, and equal to, that of the other.
    n_datasets : int
        Number of data sets for which we have both models.
    """

    printed: PrintedBiasVariance
    lower_bias: tuple[str, ...]
    lower_variance: tuple[str, ...]
    even_bias: tuple[str, ...]
    even_variance: tuple[str, ...]
    n_datasets: int


@dataclass(frozen=True, slots=True)
class ComparedConclusions:
    """All conclusions of a paper beside ours; the result of `compare_conclusions`.

    Attributes
    ----------
    paper, protocol : str
        Name of the paper; protocol of our folds.
    n_runs : int
        Number of runs of our folds.
    n_datasets : int
        Number of data sets in the paper.
    tables : list of ComparedTable
        Significance marks.
    signed_ranks : list of ComparedSignedRanks
        Signed-rank tests.
    seconds : list of ComparedSeconds
        Training times of all cells for which our folds are complete.
    training_times : list of ComparedTrainingTime
        Training times relative to `seconds_reference`.
    seconds_reference : str
        The model whose training time is the unit of the others.
    bias_variance : list of ComparedBiasVariance
        Changes of bias and variance.
    """

    paper: str
    protocol: str
    n_runs: int
    n_datasets: int
    tables: list[ComparedTable]
    signed_ranks: list[ComparedSignedRanks]
    seconds: list[ComparedSeconds]
    training_times: list[ComparedTrainingTime]
    seconds_reference: str
    bias_variance: list[ComparedBiasVariance]

    @property
    def agrees(self) -> bool:
        """Whether all significance marks and all signed-rank tests of accuracy agree.

        Training times are not considered, because they depend on the machine.
        """
        of_accuracy = [tests for tests in self.signed_ranks if tests.printed.score == "accuracy"]
        return not (
            any(table.differing for table in self.tables if table.score == "accuracy")
            or any(tests.differing for tests in of_accuracy)
        )


__all__ = [
    "ComparedBiasVariance",
    "ComparedConclusions",
    "ComparedMark",
    "ComparedSeconds",
    "ComparedSignedRanks",
    "ComparedTable",
    "ComparedTrainingTime",
    "Pair",
]
