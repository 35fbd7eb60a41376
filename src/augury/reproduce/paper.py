"""A published table, and the experiment that leads to it."""

import copy
import csv
import difflib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from augury.data import Dataset, load_dataset
from augury.errors import UnknownNameError
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.tolerance import Tolerance

DataDir = str | Path | None


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
class Column:
    """How to make the model of a column, and how near we must come to what is printed.

    Attributes
    ----------
    build : callable
        Returns an unfitted scikit-learn classifier.
    tolerance : Tolerance
        When a cell agrees.
    skip : mapping from data set to reason
        Left out unless the data set is asked for by name.
    """

    build: Callable[[], Any]
    tolerance: Tolerance
    skip: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure like one of the paper's.

    Attributes
    ----------
    dataset : str
        The data set that it shows; without it the figure is not drawn.
    draw : callable
        `draw(dataset, n_jobs)` returns SVG text for the loaded data set.
    """

    dataset: str
    draw: Callable[[Dataset, int | None], str]


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
        Its folds: a splitter with `n_splits` and `n_repeats`.
    cells : sequence of PrintedCell
        All cells, by table and column.
    columns : mapping from model name to Column
        Those that can be computed now, columns of our own included.
    reference : str
        The column that the others are compared with; by default the first.
    load : callable
        `load(name, data_dir)` returns the data set under its printed name.
    unprinted : sequence of str
        Data sets that are computed too, though the paper prints no numbers for them.
    unavailable : mapping from data set to reason
        Printed data sets that cannot be had.
    repeats : mapping from data set to int
        Runs of the folds where they differ from those of `splitter`.
    figures : mapping from name to Figure
        By the name of the file, without ending.
    known_deviations : sequence of KnownDeviation
        Cells that differ for a reason that we know; the first one of a cell counts.
    """

    name: str
    citation: str
    protocol: str
    splitter: Any
    cells: Sequence[PrintedCell]
    columns: Mapping[str, Column]
    reference: str = ""
    load: Callable[[str, DataDir], Dataset] = load_dataset
    unprinted: Sequence[str] = ()
    unavailable: Mapping[str, str] = field(default_factory=dict)
    repeats: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    known_deviations: Sequence[KnownDeviation] = ()

    @property
    def datasets(self) -> list[str]:
        """The data sets in printed order, then those without printed numbers."""
        return list(dict.fromkeys([*(cell.dataset for cell in self.cells), *self.unprinted]))

    @property
    def models(self) -> list[str]:
        """All models, printed ones that cannot be computed yet and unprinted ones included."""
        return list(dict.fromkeys([*(cell.model for cell in self.cells), *self.columns]))

    def cell(self, dataset: str, model: str) -> PrintedCell | None:
        """Return a cell, if it is printed; from the first table, if several print it."""
        for cell in self.cells:
            if (cell.dataset, cell.model) == (dataset, model):
                return cell
        return None

    def known_deviation(self, dataset: str, model: str) -> KnownDeviation | None:
        """Return why a cell is known to differ, if it is."""
        for known in self.known_deviations:
            if known.concerns(dataset, model):
                return known
        return None

    def folds(self, dataset: str, repeats: int | None = None) -> Any:
        """Return the splitter for a data set, perhaps with another number of runs."""
        splitter = copy.copy(self.splitter)
        splitter.n_repeats = repeats or self.repeats.get(dataset, splitter.n_repeats)
        return splitter

    def reference_among(self, models: Sequence[str]) -> str:
        """Return the reference column, or the first of the models, if it is not among them."""
        return self.reference if self.reference in models else models[0]

    def select_models(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the names, as printed, of the models asked for; by default all available.

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
        """Return the names, as printed, of the data sets asked for; by default all available.

        Raises
        ------
        UnknownNameError
            If the paper has no such data set, or it cannot be had.
        """
        if names is None:
            return [name for name in self.datasets if name not in self.unavailable]
        selected = _select(f"{self.name} has no data set", names, self.datasets)
        for name in selected:
            if name in self.unavailable:
                raise UnknownNameError(
                    f"{self.name} prints {name}, but it cannot be computed: "
                    f"{self.unavailable[name]}"
                )
        return selected

    def select_figures(self, datasets: Collection[str] | None = None) -> dict[str, Figure]:
        """Return the figures of these data sets, by default of all.

        Raises
        ------
        UnknownNameError
            If there are none.
        """
        figures = {
            name: figure
            for name, figure in self.figures.items()
            if datasets is None or figure.dataset in datasets
        }
        if not figures:
            shown = dict.fromkeys(figure.dataset for figure in self.figures.values())
            hint = f" of these data sets, only of {', '.join(shown)}" if shown else ""
            raise UnknownNameError(f"{self.name} has no figures{hint}")
        return figures


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


__all__ = [
    "Column",
    "DataDir",
    "Figure",
    "Paper",
    "PrintedCell",
    "read_cells",
]
