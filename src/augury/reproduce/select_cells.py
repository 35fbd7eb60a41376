"""Selection of the cells of a paper, and the jobs that compute them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from augury.data.load import find_file
from augury.experiments.job import Job
from augury.reproduce.paper import DataDir, Paper


@dataclass(frozen=True, slots=True)
class Omission:
    """A data set that is not computed for one model, or (with an empty name) for any model."""

    dataset: str
    model: str
    reason: str


def select_cells(
    paper: Paper,
    *,
    models: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    data_dir: DataDir = None,
) -> tuple[dict[str, list[str]], tuple[Omission, ...]]:
    """Select cells of a paper.

    Parameters
    ----------
    paper : Paper
        See `augury.papers`.
    models, datasets : names, default=None
        By default all that are available. Cells that a column skips are selected only if the
        data set is named.
    data_dir : path, default=None
        The folder of the files that `Paper.user_files` names; by default AUGURY_DATA.

    Returns
    -------
    cells : dict from data set to list of models
        In the order of the names. A data set without models is left out.
    omissions : tuple of Omission
        Cells that are left out by default.

    Raises
    ------
    UnknownNameError
        If the paper has no such model or data set, or it is not available.
    augury.data.DataError
        If `data_dir` or AUGURY_DATA is not a folder.
    """
    selected = paper.select_models(models)
    names = paper.select_datasets(datasets)
    omissions = []
    if datasets is None:
        omissions += [Omission(name, "", reason) for name, reason in paper.unavailable.items()]
        omissions += [
            Omission(name, "", f"neither --data nor AUGURY_DATA has the file {file}.arff")
            for name, file in paper.user_files.items()
            if find_file(file, data_dir) is None
        ]
        absent = {omission.dataset for omission in omissions}
        names = [name for name in names if name not in absent]
        omissions += [
            Omission(name, model, paper.columns[model].skip[name])
            for model in selected
            for name in names
            if name in paper.columns[model].skip
        ]
    skipped = {(omission.dataset, omission.model) for omission in omissions}
    kept = {name: [model for model in selected if (name, model) not in skipped] for name in names}
    return {name: of_name for name, of_name in kept.items() if of_name}, tuple(omissions)


def count_folds(
    paper: Paper, cells: Mapping[str, Sequence[str]], repeats: int | None = None
) -> dict[str, int]:
    """Return the number of folds of each data set, over all its models and runs."""
    return {
        name: len(models) * paper.folds(name, repeats).get_n_splits()
        for name, models in cells.items()
    }


def load_jobs(
    paper: Paper,
    cells: Mapping[str, Sequence[str]],
    *,
    data_dir: DataDir = None,
    protocol: str | None = None,
    repeats: int | None = None,
) -> list[Job]:
    """Load the data sets of selected cells, and return a job for each.

    All data sets are loaded before a job can run, so that a missing file is reported at once.

    Parameters
    ----------
    paper : Paper
        See `augury.papers`.
    cells : mapping from data set to models
        See `select_cells`.
    data_dir : path, default=None
        The folder in which `augury.data.load_dataset` looks first.
    protocol : {"published", "honest"}, default=None
        By default that of the paper.
    repeats : int, default=None
        Number of runs of the folds; by default that of the paper.

    Raises
    ------
    augury.data.DataError
        If a data set cannot be found or read.
    """
    return [
        Job(
            paper.load(name, data_dir),
            {model: paper.columns[model].build() for model in models},
            paper.folds(name, repeats),
            paper.protocol if protocol is None else protocol,
        )
        for name, models in cells.items()
    ]


__all__ = ["Omission", "count_folds", "load_jobs", "select_cells"]
