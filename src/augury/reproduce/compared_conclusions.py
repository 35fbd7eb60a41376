"""A paper's conclusions and ours, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

from augury.evaluate.significance import BETTER, EVEN, WORSE
from augury.reproduce.printed_conclusions import PrintedChange, PrintedSquare


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """A mark of a table and ours.

    Attributes
    ----------
    dataset, model : str
        The cell.
    printed, ours : {"better", "worse", ""}
        What the model is, beside the first column.
    difference : float
        Our mean of the model less that of the first column, in points.
    p : float
        Of our corrected t-test.
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
class MarkedTable:
    """A table of marks.

    Attributes
    ----------
    table, reference : str
        Number of the table; its first column, with which the others are compared.
    cells : list of MarkedCell
        All that our folds are complete for.
    n_printed : int
        Cells that the table has.
    printed_line : mapping from model to counts
        Wins, ties and losses of the first column, as printed for all data sets.
    """

    table: str
    reference: str
    cells: list[MarkedCell]
    n_printed: int
    printed_line: Mapping[str, tuple[int, int, int]]

    @property
    def differing(self) -> list[MarkedCell]:
        """The cells that differ."""
        return [cell for cell in self.cells if not cell.agrees]

    def win_tie_loss(self, model: str, *, printed: bool = False) -> tuple[int, int, int]:
        """Return wins, ties and losses of the first column, over the cells that we have."""
        cells = [cell for cell in self.cells if cell.model == model]
        marks = [cell.printed if printed else cell.ours for cell in cells]
        return marks.count(WORSE), marks.count(EVEN), marks.count(BETTER)


@dataclass(frozen=True, slots=True)
class ComparedSquare:
    """A square of signed-rank tests and ours.

    Attributes
    ----------
    printed : PrintedSquare
        The paper's.
    models : tuple of str
        Those that we have.
    n_datasets : int
        Data sets that all of these have.
    is_whole : bool
        Whether these are all data sets of the paper.
    ours : mapping from (row, column) to "r", "c" or "."
        As in `PrintedSquare`; empty with fewer than two models or data sets.
    same_sets : mapping from (row, column) to "r", "c" or "."
        What the printed numbers of the same data sets lead to by the same test.
    p : mapping from (row, column) to float
        Of our tests.
    """

    printed: PrintedSquare
    models: tuple[str, ...]
    n_datasets: int
    is_whole: bool
    ours: Mapping[tuple[str, str], str]
    same_sets: Mapping[tuple[str, str], str]
    p: Mapping[tuple[str, str], float]

    def printed_mark(self, row: str, column: str) -> str:
        """Return the paper's mark."""
        names = self.printed.models
        return self.printed.marks[names.index(row)][names.index(column)]

    @property
    def contradictions(self) -> list[tuple[str, str]]:
        """Pairs of which the paper prints that each is better than the other."""
        return [
            (row, column)
            for i, row in enumerate(self.printed.models)
            for column in self.printed.models[i + 1 :]
            if self.printed_mark(row, column) == self.printed_mark(column, row) != "."
        ]

    @property
    def differing(self) -> list[tuple[str, str]]:
        """The pairs of row and column that differ from what the paper's numbers say.

        That is what it prints or, if we do not have all data sets, what its numbers for
        those that we have lead to.
        """
        return [
            pair
            for pair, mark in self.ours.items()
            if mark != (self.printed_mark(*pair) if self.is_whole else self.same_sets[pair])
        ]


@dataclass(frozen=True, slots=True)
class TimeRatio:
    """The training time of a model in that of the reference.

    Attributes
    ----------
    model : str
        Name.
    n_datasets : int
        Data sets that we have both on.
    printed, ours : float
        Ratio of the mean times over these.
    n_measurable : int
        Those for which the paper prints at least 0.05 s for the reference.
    printed_median, ours_median : float
        Median of the ratios on these; NaN without any.
    """

    model: str
    n_datasets: int
    printed: float
    ours: float
    n_measurable: int
    printed_median: float
    ours_median: float


@dataclass(frozen=True, slots=True)
class ComparedChange:
    """On how many data sets bias and variance fall.

    Attributes
    ----------
    printed : PrintedChange
        What the paper says, of all its data sets.
    lower_bias, lower_variance, even_bias, even_variance : tuple of str
        Data sets on which ours are lower, and the same.
    n_datasets : int
        Data sets that we have both models on.
    """

    printed: PrintedChange
    lower_bias: tuple[str, ...]
    lower_variance: tuple[str, ...]
    even_bias: tuple[str, ...]
    even_variance: tuple[str, ...]
    n_datasets: int


@dataclass(frozen=True, slots=True)
class MarksComparison:
    """All conclusions of a paper beside ours; found by `compare_marks`.

    Attributes
    ----------
    paper, protocol : str
        Name of the paper; whose folds ours are.
    n_runs : int
        Runs of our folds.
    n_datasets : int
        Data sets of the paper.
    tables, squares, times, changes : lists
        Marks of cells, signed ranks, training times, bias and variance.
    seconds_reference : str
        The model in whose time the others' are told.
    """

    paper: str
    protocol: str
    n_runs: int
    n_datasets: int
    tables: list[MarkedTable]
    squares: list[ComparedSquare]
    times: list[TimeRatio]
    seconds_reference: str
    changes: list[ComparedChange]

    @property
    def agrees(self) -> bool:
        """Whether no mark differs, and no pair in accuracy; times are another machine's."""
        squares = [square for square in self.squares if square.printed.score == "accuracy"]
        return not (
            any(table.differing for table in self.tables)
            or any(square.differing for square in squares)
        )


__all__ = [
    "ComparedChange",
    "ComparedSquare",
    "MarkedCell",
    "MarkedTable",
    "MarksComparison",
    "TimeRatio",
]
