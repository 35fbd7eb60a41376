"""Cells of a paper, computed again and compared with the printed ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from augury.errors import StoreError
from augury.evaluate import FoldResult, Summary, summarize
from augury.experiments.job import rows_of_jobs
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.runner import FailedFoldsError, Progress, run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.reproduce.judgement import NOT_PRINTED, Judgement, Status, judge
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.paper import DataDir, Paper
from augury.reproduce.select_cells import Omission, load_jobs, select_cells


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A printed cell beside ours.

    Attributes
    ----------
    dataset, model, table : str
        The cell.
    protocol : str
        The protocol of our folds.
    mean, std : float
        Our mean and standard deviation, in percent.
    printed_mean, printed_std : Decimal or None
        Those of the paper; None if it prints none.
    judgement : Judgement
        Whether they agree, by which rule, and whether a difference is known.
    """

    dataset: str
    model: str
    table: str
    protocol: str
    mean: float
    std: float
    printed_mean: Decimal | None
    printed_std: Decimal | None
    judgement: Judgement

    @property
    def agrees(self) -> bool | None:
        """Whether they agree by the tolerance of the column; None if nothing is printed."""
        return self.judgement.agrees

    @property
    def status(self) -> Status:
        """The outcome, for the number of runs and the protocol of our folds."""
        return self.judgement.status

    @property
    def mean_difference(self) -> float | None:
        """Our mean minus the printed one."""
        return None if self.printed_mean is None else self.mean - float(self.printed_mean)

    @property
    def std_difference(self) -> float | None:
        """Our standard deviation minus the printed one."""
        return None if self.printed_std is None else self.std - float(self.printed_std)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Cells of a paper, computed again.

    Attributes
    ----------
    paper : Paper
        The paper.
    cells : list of ComparedCell
        Model by model, in the order of the data sets.
    results : list of FoldResult
        The folds from which the cells are computed.
    omissions : tuple of Omission
        Cells that were left out, with the reasons.
    """

    paper: Paper
    cells: list[ComparedCell]
    results: list[FoldResult]
    omissions: tuple[Omission, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether all printed cells agree by the tolerance of their columns."""
        return all(cell.agrees is not False for cell in self.cells)

    @property
    def unexplained(self) -> list[ComparedCell]:
        """Cells that differ without a known reason."""
        return [cell for cell in self.cells if cell.status is Status.DIFFERS]

    @property
    def outdated(self) -> list[KnownDeviation]:
        """Known deviations all of whose cells were computed and agree."""
        agreeing = {
            (cell.dataset, cell.model)
            for cell in self.cells
            if cell.status is Status.AGREES and cell.judgement.is_complete
        }
        return [
            known
            for known in self.paper.known_deviations
            if agreeing.issuperset(
                (cell.dataset, cell.model)
                for cell in self.paper.cells
                if known.concerns(cell.dataset, cell.model)
            )
        ]

    @property
    def reference(self) -> str:
        """The model with which the others are compared."""
        return self.paper.reference_among(list(dict.fromkeys(cell.model for cell in self.cells)))


def reproduce(
    paper: Paper,
    *,
    models: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    data_dir: DataDir = None,
    protocol: str | None = None,
    repeats: int | None = None,
    n_jobs: int | None = None,
    isolate: bool = False,
    out: Path | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """Compute cells of a paper and compare them with the printed ones.

    Parameters
    ----------
    paper : Paper
        See `augury.papers`.
    models, datasets : names, default=None
        Columns and rows of its tables; by default all that are available, see
        `augury.reproduce.select_cells`.
    data_dir : path, default=None
        The folder in which `augury.data.load_dataset` looks first.
    protocol : {"published", "honest"}, default=None
        By default that of the paper. Cells of another protocol are not judged, because they
        are not expected to equal the printed ones.
    repeats : int, default=None
        Number of runs of the folds, by default that of the paper. With fewer runs a mean may
        also differ by three standard errors, see `Judgement`.
    n_jobs : int, default=None
        Number of worker processes.
    isolate : bool, default=False
        As in `run_jobs`.
    out : path, default=None
        Folder of a `ResultStore`. Folds that it has are not computed again, so that a run
        that was stopped can be continued. By default nothing is stored.
    progress : callable, default=None
        Called with the rows of completed folds.

    Returns
    -------
    Reproduction
        The cells, and the folds from which they are computed.

    Raises
    ------
    UnknownNameError
        If the paper has no such model or data set, or it is not available.
    augury.data.DataError
        If a data set cannot be found or read.
    StoreError
        If `out` has rows of other data, folds or parameters, or another process computes
        some of the folds.
    FailedFoldsError
        If a model raised an error.
    """
    names = paper.select_models(models)
    selected, omissions = select_cells(paper, models=names, datasets=datasets, data_dir=data_dir)
    jobs = load_jobs(paper, selected, data_dir=data_dir, protocol=protocol, repeats=repeats)
    splitter = paper.folds(next(iter(selected)), repeats) if selected else paper.splitter
    with ResultStore(out) as store:
        store.set_meta(
            "experiment",
            {
                "paper": paper.name,
                "protocol": paper.protocol if protocol is None else protocol,
                "folds": splitter.n_splits,
                "repeats": splitter.n_repeats,
                "reference": paper.reference_among(names),
            },
        )
        run_jobs(jobs, store, n_jobs=n_jobs, isolate=isolate, progress=progress, retry_failed=True)
        if failures := rows_of_jobs(store.failures(), jobs):
            raise FailedFoldsError(failures)
        if out is not None:
            add_model_summaries(jobs, store, n_jobs, isolate=isolate)
        results = rows_of_jobs(store.results(), jobs)
    n_missing = sum(len(job.models) * len(job.fold_keys()) for job in jobs) - len(results)
    if n_missing:
        raise StoreError(
            f"another process computes {n_missing} folds in {out}; run the command again when it "
            "has ended"
        )
    runs = count_runs(results)
    cells = [_compare(paper, summary, runs[summary.dataset]) for summary in summarize(results)]
    cells.sort(key=lambda cell: names.index(cell.model))
    return Reproduction(paper, cells, results, omissions)


def count_runs(results: Iterable[FoldResult]) -> dict[str, int]:
    """Return the number of runs of each data set."""
    runs: dict[str, int] = {}
    for row in results:
        runs[row.dataset] = max(row.run, runs.get(row.dataset, 0))
    return runs


def _compare(paper: Paper, summary: Summary, n_repeats: int) -> ComparedCell:
    cell = paper.cell(summary.dataset, summary.model)
    mean, std, protocol = summary.accuracy_mean, summary.accuracy_std, summary.protocol
    judgement = NOT_PRINTED
    if cell is not None:
        judgement = judge(paper, cell, mean=mean, std=std, protocol=protocol, n_repeats=n_repeats)
    return ComparedCell(
        dataset=summary.dataset,
        model=summary.model,
        table="" if cell is None else cell.table,
        protocol=protocol,
        mean=mean,
        std=std,
        printed_mean=None if cell is None else cell.mean,
        printed_std=None if cell is None else cell.std,
        judgement=judgement,
    )


__all__ = ["ComparedCell", "Reproduction", "count_runs", "reproduce"]
