"""A published table, and the experiment that computes it."""

import copy
import difflib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from augury.data import Dataset, load_dataset
from augury.errors import UnknownNameError
from augury.evaluate import WekaFolds
from augury.foreign import Classifier, Splitter
from augury.reproduce.conclusions.printed import PrintedConclusions
from augury.reproduce.figure import Figure
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.printed_cell import PrintedCell
from augury.reproduce.tolerance import Tolerance
from augury.reproduce.worked_example import WorkedExample

DataDir = str | Path | None


class RepeatedFolds(Splitter, Protocol):
    """A splitter with a number of folds and a number of runs, such as `WekaFolds`."""

    n_splits: int
    n_repeats: int


@dataclass(frozen=True, slots=True)
class Column:
    """The model of a column, and the rule by which its cells agree with the printed ones.

    Attributes
    ----------
    build : callable
        Returns an unfitted scikit-learn classifier.
    tolerance : Tolerance
        The rule of agreement.
    skip : mapping from data set to reason
        Data sets that are left out unless the user names them.
    """

    build: Callable[[], Classifier]
    tolerance: Tolerance
    skip: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Paper:
    """Published cells, and the experiment that computes them.

    A document without a table of accuracy has figures only: it has neither cells nor columns.

    Attributes
    ----------
    name : str
        Name on the command line: the name of the module, with hyphens for underscores.
    citation : str
        Authors, year, title and place of publication.
    protocol : str
        The protocol of `augury.evaluate.cross_validate` by which it was computed.
    splitter : RepeatedFolds
        The folds.
    cells : sequence of PrintedCell
        All cells of the tables of accuracy, by table and column.
    columns : mapping from model name to Column
        The columns that augury can compute, columns that the paper does not print included.
    reference : str
        The column with which the others are compared; by default the first.
    load : callable
        `load(name, data_dir)` returns the data set under its printed name.
    unprinted : sequence of str
        Data sets that are computed as well, although the paper prints no numbers for them.
    unavailable : mapping from data set to reason
        Printed data sets that cannot be obtained.
    user_files : mapping from data set to the name of a file
        Printed data sets that are not in the catalogue. Such a set is left out by default if the
        user's folder does not have its file (`<name>.arff`).
    repeats : mapping from data set to int
        Number of runs where it differs from that of `splitter`.
    figures : mapping from name to Figure
        Figures by the name of their file, without its ending.
    known_deviations : sequence of KnownDeviation
        Cells that differ for a known reason. The first one that concerns a cell is used.
    conclusions : PrintedConclusions or None
        What the paper concludes from its cells.
    examples : sequence of WorkedExample
        Worked examples and formulas of the document.
    """

    name: str
    citation: str
    protocol: str = "honest"
    splitter: RepeatedFolds = field(default_factory=WekaFolds)
    cells: Sequence[PrintedCell] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)
    reference: str = ""
    load: Callable[[str, DataDir], Dataset] = load_dataset
    unprinted: Sequence[str] = ()
    unavailable: Mapping[str, str] = field(default_factory=dict)
    user_files: Mapping[str, str] = field(default_factory=dict)
    repeats: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    known_deviations: Sequence[KnownDeviation] = ()
    conclusions: PrintedConclusions | None = None
    examples: Sequence[WorkedExample] = ()

    @property
    def datasets(self) -> list[str]:
        """The data sets in printed order, then those without printed numbers."""
        return list(dict.fromkeys([*(cell.dataset for cell in self.cells), *self.unprinted]))

    @property
    def models(self) -> list[str]:
        """All models, in printed order, then those without printed numbers."""
        return list(dict.fromkeys([*(cell.model for cell in self.cells), *self.columns]))

    def cell(self, dataset: str, model: str) -> PrintedCell | None:
        """Return a printed cell or None; if several tables print it, that of the first table."""
        for cell in self.cells:
            if (cell.dataset, cell.model) == (dataset, model):
                return cell
        return None

    def known_deviation(self, dataset: str, model: str) -> KnownDeviation | None:
        """Return the known deviation of a cell, or None."""
        for known in self.known_deviations:
            if known.concerns(dataset, model):
                return known
        return None

    def folds(self, dataset: str, repeats: int | None = None) -> RepeatedFolds:
        """Return the splitter of a data set; `repeats` replaces the number of runs."""
        splitter = copy.copy(self.splitter)
        splitter.n_repeats = repeats or self.repeats.get(dataset, splitter.n_repeats)
        return splitter

    def reference_among(self, models: Sequence[str]) -> str:
        """Return the reference column if it is one of the models, else the first model."""
        return self.reference if self.reference in models else models[0]

    def select_models(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the printed names of the requested models; by default of all available models.

        Raises
        ------
        UnknownNameError
            If the paper has no such column, or augury cannot compute it.
        """
        if names is None:
            return list(self.columns)
        selected = _select(f"{self.name} has no model", names, self.models)
        for name in selected:
            if name not in self.columns:
                raise UnknownNameError(
                    f"{self.name} prints {name}, but augury cannot compute it; "
                    f"available: {', '.join(self.columns)}"
                )
        return selected

    def select_datasets(self, names: Iterable[str] | None = None) -> list[str]:
        """Return the printed names of the requested data sets; by default of all available ones.

        Raises
        ------
        UnknownNameError
            If the paper has no such data set, or it is not available.
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

    def select_figures(
        self,
        *,
        models: Collection[str] | None = None,
        datasets: Collection[str] | None = None,
    ) -> dict[str, Figure]:
        """Return the figures of these models and data sets; by default all figures.

        A figure that names no model and no data set is always selected.

        Raises
        ------
        UnknownNameError
            If there are none.
        """
        if not self.figures:
            raise UnknownNameError(f"{self.name} has no figures")
        figures = {
            name: figure
            for name, figure in self.figures.items()
            if (datasets is None or figure.dataset is None or figure.dataset in datasets)
            and (models is None or set(figure.models) <= set(models))
        }
        if not figures:
            shown = [
                f"{name} ({', '.join(figure.models) or figure.dataset})"
                for name, figure in self.figures.items()
            ]
            raise UnknownNameError(
                f"{self.name} has no figure of these models and data sets; "
                f"it has {', '.join(shown)}"
            )
        return figures

    def require_conclusions(self) -> PrintedConclusions:
        """Return the conclusions.

        Raises
        ------
        UnknownNameError
            If the file of the paper has none.
        """
        if self.conclusions is None:
            raise UnknownNameError(f"{self.name} has no conclusions that can be compared")
        return self.conclusions


def _select(message: str, names: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return the known names that equal `names` when case is ignored."""
    by_key = {name.casefold(): name for name in known}
    selected = []
    for name in names:
        if name.casefold() not in by_key:
            near = difflib.get_close_matches(name.casefold(), by_key, n=1)
            hint = f"did you mean {by_key[near[0]]}?" if near else f"it has {', '.join(known)}"
            raise UnknownNameError(f"{message} {name!r}; {hint}")
        selected.append(by_key[name.casefold()])
    if not selected:
        raise UnknownNameError(f"{message} ''; it has {', '.join(known)}")
    return list(dict.fromkeys(selected))


__all__ = ["Column", "DataDir", "Paper", "RepeatedFolds"]
