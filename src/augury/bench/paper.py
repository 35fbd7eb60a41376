"""A published table, and when a number of ours counts as the printed one."""

import csv
import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources.abc import Traversable
from typing import Any

# Far above the rounding of a mean of doubles, far below a printed digit.
_NOISE = Decimal("1e-9")


class UnknownNameError(ValueError):
    """A paper, model or data set that was asked for and does not exist.

    The command line prints its message alone, without a traceback.
    """


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One cell of a table: mean and standard deviation, with the digits as printed.

    Attributes
    ----------
    table : str
        Number of the table in the paper.
    dataset, model : str
        Row and column, as printed.
    mean, std : Decimal
        Percent.
    mark : str
        "better" or "worse" than the table's first column by the paper's test, or "".
    """

    table: str
    dataset: str
    model: str
    mean: Decimal
    std: Decimal
    mark: str


@dataclass(frozen=True, slots=True)
class EqualAfterRounding:
    """Agreement to the last printed digit.

    A value that lies half-way between two printable ones agrees with both: which of
    them was printed depends on the last bit of the paper's own sum. On hepatitis, for
    instance, Table 6 of the 2022 hybrid paper prints KNN's 87.175 as 87.17, but C4.5's
    81.325 as 81.33, so neither half-up nor half-to-even is its rule.

    Examples
    --------
    >>> rule = EqualAfterRounding()
    >>> rule.agrees(94.4667, Decimal("94.47")), rule.agrees(94.4649, Decimal("94.47"))
    (True, False)
    """

    description: str = "mean and std equal after rounding to 2 decimals"

    def agrees(self, value: float, printed: Decimal) -> bool:
        """Tell whether `printed` is `value`, rounded to as many decimals as are printed."""
        exponent = printed.as_tuple().exponent
        assert isinstance(exponent, int), "a printed number is finite"
        half = Decimal(5).scaleb(exponent - 1)
        return math.isfinite(value) and abs(Decimal(value) - printed) <= half + _NOISE


@dataclass(frozen=True, slots=True)
class Column:
    """How to make the model of a printed column, and how near we must come.

    Attributes
    ----------
    build : callable
        Returns an unfitted scikit-learn classifier.
    tolerance : EqualAfterRounding
        When a cell agrees.
    """

    build: Callable[[], Any]
    tolerance: EqualAfterRounding


@dataclass(frozen=True, slots=True)
class Paper:
    """Published cells, and the experiment that leads to them.

    Attributes
    ----------
    name : str
        Name on the command line.
    citation : str
        Where it was published.
    protocol : str
        The protocol of `augury.evaluate.cross_validate` by which it was computed.
    splitter : object
        Its folds.
    cells : sequence of PrintedCell
        All cells, by table and column.
    columns : mapping from printed model name to Column
        Those that can be computed now.
    """

    name: str
    citation: str
    protocol: str
    splitter: Any
    cells: Sequence[PrintedCell]
    columns: Mapping[str, Column]

    @property
    def datasets(self) -> list[str]:
        """The data sets, in printed order."""
        return list(dict.fromkeys(cell.dataset for cell in self.cells))

    @property
    def models(self) -> list[str]:
        """All printed models, those that cannot be computed yet included."""
        return list(dict.fromkeys(cell.model for cell in self.cells))

    def cell(self, dataset: str, model: str) -> PrintedCell:
        """Return a cell; from the first table, if several print the same column."""
        for cell in self.cells:
            if (cell.dataset, cell.model) == (dataset, model):
                return cell
        raise UnknownNameError(f"{self.name} prints no {model} for {dataset}")

    def select_models(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the printed names of the models asked for, by default all available.

        Raises
        ------
        UnknownNameError
            If the paper has no such column, or it cannot be computed yet.
        """
        if names is None:
            return list(self.columns)
        selected = _select(f"{self.name} has no model", names, self.models)
        for name in selected:
            if name not in self.columns:
                raise UnknownNameError(
                    f"{self.name} prints {name}, but augury cannot compute it yet; "
                    f"available now: {', '.join(self.columns)}"
                )
        return selected

    def select_datasets(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the printed names of the data sets asked for, by default all.

        Raises
        ------
        UnknownNameError
            If the paper has no such data set.
        """
        if names is None:
            return self.datasets
        return _select(f"{self.name} has no data set", names, self.datasets)


def _select(complaint: str, names: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return the known names that equal `names` but for upper and lower case."""
    by_key = {name.casefold(): name for name in known}
    selected = []
    for name in names:
        if name.casefold() not in by_key:
            near = difflib.get_close_matches(name.casefold(), by_key, n=1)
            hint = f"did you mean {by_key[near[0]]}?" if near else f"it has {', '.join(known)}"
            raise UnknownNameError(f"{complaint} {name!r}; {hint}")
        selected.append(by_key[name.casefold()])
    if not selected:
        raise UnknownNameError(f"{complaint} ''; it has {', '.join(known)}")
    return list(dict.fromkeys(selected))


def read_cells(file: Traversable) -> tuple[PrintedCell, ...]:
    """Read printed cells from a CSV file with a column for each field."""
    return tuple(
        PrintedCell(
            table=row["table"],
            dataset=row["dataset"],
            model=row["model"],
            mean=Decimal(row["mean"]),
            std=Decimal(row["std"]),
            mark=row["mark"],
        )
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    )


__all__ = ["Column", "EqualAfterRounding", "Paper", "PrintedCell", "UnknownNameError", "read_cells"]
