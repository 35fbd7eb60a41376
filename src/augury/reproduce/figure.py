"""A figure of a paper, and what it is drawn from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from augury.data import Dataset
from augury.summary.fold_scores import FoldScores
from augury.summary.predictions import CellPredictions


@dataclass(frozen=True, slots=True, eq=False)
class StoredCells:
    """Complete cells of a store: all folds of some models on some data sets.

    Attributes
    ----------
    datasets : sequence of str
        Data sets for which all folds of all models of the figure are stored, in the order of
        the paper.
    numbers : mapping from data set to int
        Number of each data set in the paper's list of data sets, from 1.
    scores : FoldScores
        Accuracy, log loss and times of each fold.
    predictions : mapping from (data set, model) to CellPredictions
        Bias, variance, confusions and reliability.
    """

    datasets: Sequence[str]
    numbers: Mapping[str, int]
    scores: FoldScores
    predictions: Mapping[tuple[str, str], CellPredictions]


@dataclass(frozen=True, slots=True, eq=False)
class FigureInputs:
    """What a figure is drawn from.

    Attributes
    ----------
    n_jobs : int or None
        Number of worker processes.
    loaded : Dataset or None
        The data set that the figure names.
    stored : StoredCells or None
        The folds of the models that the figure names.
    """

    n_jobs: int | None = None
    loaded: Dataset | None = None
    stored: StoredCells | None = None

    @property
    def dataset(self) -> Dataset:
        """The data set that the figure names."""
        assert self.loaded is not None, "the figure names no data set"
        return self.loaded

    @property
    def cells(self) -> StoredCells:
        """The folds of the models that the figure names."""
        assert self.stored is not None, "the figure names no models"
        return self.stored


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a paper.

    A figure without `dataset` and `models` is drawn from data that its function makes, or from
    a structure.

    Attributes
    ----------
    draw : callable
        `draw(inputs)` returns SVG text.
    dataset : str or None
        A data set of the paper that is loaded for the figure. The figure is drawn if this data
        set is selected.
    models : tuple of str
        Columns of the paper whose folds the figure shows. The figure is drawn if these columns
        are selected. The folds are read from a store.
    """

    draw: Callable[[FigureInputs], str]
    dataset: str | None = None
    models: tuple[str, ...] = ()


__all__ = ["Figure", "FigureInputs", "StoredCells"]
