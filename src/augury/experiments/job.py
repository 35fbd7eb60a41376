"""The work on one data set: its folds, and the models that are tested on them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from augury.data import Dataset
from augury.errors import ExperimentError
from augury.evaluate import WekaFolds
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import PreparedTable, fold_keys, prepare_table
from augury.experiments.store.result_store import FoldKey
from augury.experiments.store.stored_results import Failure
from augury.foreign import Classifier, Splitter

Row = TypeVar("Row", FoldResult, Failure)


@dataclass(frozen=True, slots=True)
class Job:
    """A data set, its folds, and the models that are tested on them.

    Attributes
    ----------
    dataset : Dataset
        See `augury.data`.
    models : mapping from name to classifier
        Cloned for each fold.
    splitter : scikit-learn splitter
        One with `n_repeats` numbers its runs.
    protocol : {"honest", "published"}
        See `augury.evaluate.cross_validate`.
    n_tested : int or None
        Number of folds of each run that are tested, see `spread_folds`; None for all.
    prepared : PreparedTable or None
        The data set as the models read it, for several jobs on one data set; see `table`.

    Raises
    ------
    augury.errors.ExperimentError
        If there are fewer rows than folds.
    """

    dataset: Dataset
    models: Mapping[str, Classifier]
    splitter: Splitter
    protocol: str
    n_tested: int | None = None
    prepared: PreparedTable | None = None

    def __post_init__(self) -> None:
        n_rows = len(self.dataset.X)
        if isinstance(self.splitter, WekaFolds) and n_rows < self.splitter.n_splits:
            raise ExperimentError(
                f"{self.dataset.name}: {self.splitter.n_splits} folds need at least as many rows "
                f"with a class, found {n_rows}; add rows"
                + (f", or choose at most {n_rows} folds" if n_rows > 1 else "")
            )

    def table(self) -> PreparedTable:
        """Return the data set as the models read it."""
        return self.prepared or prepare_table(self.dataset, self.protocol)

    def fold_keys(self) -> list[FoldKey]:
        """Return run and fold of each tested split, see `augury.evaluate.folds.fold_keys`."""
        keys = fold_keys(self.splitter, self.splitter.get_n_splits(), len(self.dataset.X))
        if self.n_tested is None:
            return keys
        tested = spread_folds(sorted({fold for _, fold in keys}))[: self.n_tested]
        return [key for key in keys if key[1] in tested]


def spread_folds(folds: Sequence[int]) -> list[int]:
    """Return folds in an order whose first ones are far apart.

    The folds of `WekaFolds` take the rows of a class in turn: k rows of a class are in k adjacent
    folds, and the last fold is adjacent to the first. Every other fold therefore has half of the
    rows of each class, rounded up or down, and the first folds alone may have none.

    >>> spread_folds(range(1, 11))
    [1, 9, 5, 3, 7, 2, 10, 6, 4, 8]
    """
    if len(folds) <= 2:
        return list(folds)
    return [*spread_folds(folds[::2]), *spread_folds(folds[1::2])]


def rows_of_jobs(rows: Iterable[Row], jobs: Iterable[Job]) -> list[Row]:
    """Return the rows of these jobs, in their order. A store may have rows of other jobs."""
    found = {(row.dataset, row.model, row.protocol, row.run, row.fold): row for row in rows}
    asked = (
        (job.dataset.name, model, job.protocol, run, fold)
        for job in jobs
        for model in job.models
        for run, fold in job.fold_keys()
    )
    return [found[key] for key in asked if key in found]


__all__ = ["Job", "rows_of_jobs", "spread_folds"]
