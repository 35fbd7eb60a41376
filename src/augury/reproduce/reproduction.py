"""Compute a published table again and compare it, cell by cell."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from augury.errors import StoreError
from augury.evaluate import FoldResult, Summary, summarize
from augury.experiments.job import Job, rows_of_jobs
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.runner import FailedFoldsError, Progress, run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.reproduce.judgement import NOT_PRINTED, Judgement, Status, judge
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.paper import DataDir, Paper
from augury.reproduce.plan import Omission, Plan, make_plan
from augury.text_table import align_columns


@dataclass(frozen=True, slots=True)
class Comparison:
    """A printed cell beside ours.

    Attributes
    ----------
    dataset, model, table : str
        The cell.
    protocol : str
        How ours was computed.
    mean, std : float
        Ours, in percent.
    printed_mean, printed_std : Decimal or None
        The paper's, if it prints any.
    judgement : Judgement
        Whether they agree, by which rule, and if not, whether the reason is known.
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
        """The outcome, for the number of runs and the protocol of this run."""
        return self.judgement.status

    @property
    def mean_difference(self) -> float | None:
        """Our mean less the printed one."""
        return None if self.printed_mean is None else self.mean - float(self.printed_mean)

    @property
    def std_difference(self) -> float | None:
        """Our standard deviation less the printed one."""
        return None if self.printed_std is None else self.std - float(self.printed_std)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Cells of a paper, computed again.

    Attributes
    ----------
    paper : Paper
        What was computed.
    comparisons : list of Comparison
        Model by model, in the order of the data sets.
    results : list of FoldResult
        The folds behind them.
    omissions : tuple of Omission
        Cells that were left out, and why.
    """

    paper: Paper
    comparisons: list[Comparison]
    results: list[FoldResult]
    omissions: tuple[Omission, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether all printed cells agree by the tolerance of their columns."""
        return all(row.agrees is not False for row in self.comparisons)

    @property
    def unexplained(self) -> list[Comparison]:
        """Cells that differ without a known reason."""
        return [row for row in self.comparisons if row.status is Status.DIFFERS]

    @property
    def outdated(self) -> list[KnownDeviation]:
        """Known deviations all of whose cells were computed, and agree."""
        agreeing = {
            (row.dataset, row.model)
            for row in self.comparisons
            if row.status is Status.AGREES and row.judgement.is_complete
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
        """The model that the others are compared with."""
        return self.paper.reference_among(
            list(dict.fromkeys(row.model for row in self.comparisons))
        )


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
        `augury.reproduce.make_plan`.
    data_dir : path, default=None
        Where `augury.data.load_dataset` looks first.
    protocol : {"published", "honest"}, default=None
        By default the paper's own. Cells of another one are not judged: the printed numbers
        are not expected.
    repeats : int, default=None
        Runs of the folds, by default the paper's; 1 is a quick look. With fewer runs a mean
        may also differ by three standard errors, see `Judgement`.
    n_jobs : int, default=None
        Worker processes.
    isolate : bool, default=False
        As in `run_jobs`.
    out : path, default=None
        Folder of results, see `ResultStore`: what it has is not computed again, so that a
        run that was stopped goes on where it was. By default nothing is kept.
    progress : callable, default=None
        Called with the rows of completed folds.

    Returns
    -------
    Reproduction
        The cells, and the folds behind them.

    Raises
    ------
    UnknownNameError
        If the paper has no such model or data set, or it is not available.
    augury.data.DataError
        If a data set cannot be found or read.
    StoreError
        If `out` has rows of other data, folds or parameters, or another process works on
        some of the folds.
    FailedFoldsError
        If a model raised an error.
    """
    plan = make_plan(paper, models=models, datasets=datasets, repeats=repeats)
    # All at once: a file that is missing is missed before the minutes of work.
    loaded = {name: paper.load(name, data_dir) for name in plan.datasets}
    protocol = paper.protocol if protocol is None else protocol
    jobs = [
        Job(
            loaded[name],
            {model: paper.columns[model].build() for model in batch.models},
            batch.splitter,
            protocol,
        )
        for batch in plan.batches
        for name in batch.datasets
    ]
    with ResultStore(out) as store:
        store.set_meta("experiment", _describe(paper, plan, protocol))
        run_jobs(jobs, store, n_jobs=n_jobs, isolate=isolate, progress=progress, retry_failed=True)
        if failures := rows_of_jobs(store.failures(), jobs):
            raise FailedFoldsError(failures)
        if out is not None:
            add_model_summaries(jobs, store, n_jobs, isolate=isolate)
        results = rows_of_jobs(store.results(), jobs)
    n_missing = sum(len(job.models) * len(job.fold_keys()) for job in jobs) - len(results)
    if n_missing:
        raise StoreError(
            f"another process works on {n_missing} folds in {out}; run the command again when it "
            "has ended"
        )
    runs = _count_runs(results)
    comparisons = [
        _compare(paper, summary, runs[summary.dataset]) for summary in summarize(results)
    ]
    comparisons.sort(key=lambda row: plan.models.index(row.model))
    return Reproduction(paper, comparisons, results, plan.omissions)


def _describe(paper: Paper, plan: Plan, protocol: str) -> dict[str, Any]:
    """Return what a reader of the store may want to know, as JSON can hold it."""
    splitter = plan.batches[0].splitter if plan.batches else paper.splitter
    return {
        "paper": paper.name,
        "protocol": protocol,
        "folds": splitter.n_splits,
        "repeats": splitter.n_repeats,
        "reference": paper.reference_among(plan.models),
    }


def _count_runs(results: Iterable[FoldResult]) -> dict[str, int]:
    """Return how many times the folds of each data set were drawn."""
    runs: dict[str, int] = {}
    for row in results:
        runs[row.dataset] = max(row.run, runs.get(row.dataset, 0))
    return runs


def _compare(paper: Paper, summary: Summary, n_repeats: int) -> Comparison:
    cell = paper.cell(summary.dataset, summary.model)
    mean, std, protocol = summary.accuracy_mean, summary.accuracy_std, summary.protocol
    judgement = NOT_PRINTED
    if cell is not None:
        judgement = judge(paper, cell, mean=mean, std=std, protocol=protocol, n_repeats=n_repeats)
    return Comparison(
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


def comparison_table(comparisons: Sequence[Comparison]) -> str:
    """Return the cells as aligned text, ours with two digits more than are printed.

    The differences are those of the mean and of the standard deviation. A dash stands for
    what the paper does not print. The last column has the outcome with its rule or reason.
    """
    header = ["dataset", "model", "ours", "printed", "difference", ""]
    rows = [
        [
            row.dataset,
            row.model,
            f"{row.mean:.4f} ± {row.std:7.4f}",
            *_printed(row),
            row.judgement.text,
        ]
        for row in comparisons
    ]
    return align_columns(header, rows, left=(0, 1, 5))


def _printed(row: Comparison) -> list[str]:
    if row.printed_mean is None:
        return ["-", "-"]
    return [
        f"{row.printed_mean} ± {row.printed_std:>5}",
        f"{row.mean_difference:+.4f}  {row.std_difference:+.4f}",
    ]


def verdict(reproduction: Reproduction) -> str:
    """Return how many cells agree, one line for each model, and why the others differ."""
    paper, comparisons = reproduction.paper, reproduction.comparisons
    lines: list[str] = []
    for model in dict.fromkeys(row.model for row in comparisons):
        lines += _verdict_on(paper, [row for row in comparisons if row.model == model])
    for known in reproduction.outdated:
        cells = f"{known.model} on {known.dataset}" if known.dataset else f"all of {known.model}"
        lines.append(f"Known deviation no longer differs: {cells} ({known.link}).")
    if any(row.protocol != paper.protocol for row in comparisons):
        lines.append(
            f"The printed numbers come from the {paper.protocol} protocol, "
            "so these are not expected to agree."
        )
    return "\n".join([*lines, *_other_repeats(reproduction), *_left_out(reproduction.omissions)])


def _verdict_on(paper: Paper, rows: Sequence[Comparison]) -> Iterator[str]:
    model = rows[0].model
    printed = [float(row.printed_mean) for row in rows if row.printed_mean is not None]
    if not printed:
        average = sum(row.mean for row in rows) / len(rows)
        yield f"{model}: no printed numbers; average {average:.2f}"
        return
    # Over the same cells, or the two averages could not be compared.
    ours = [row.mean for row in rows if row.printed_mean is not None]
    yield (
        f"{model}: {sum(row.agrees is True for row in rows)} of {len(printed)} cells agree "
        f"({paper.columns[model].tolerance.description}); "
        f"average {sum(ours) / len(ours):.2f}, of the printed cells "
        f"{sum(printed) / len(printed):.2f}"
    )
    by_reason: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.status is Status.KNOWN and (known := row.judgement.known) is not None:
            by_reason.setdefault((known.reason, known.link), []).append(row.dataset)
    for (reason, link), names in by_reason.items():
        yield f"  known to differ: {', '.join(names)}: {reason} ({link})"
    for status, words in (
        (Status.SAMPLING_ERROR, "within sampling error"),
        (Status.DIFFERS, "DIFFERS without a known reason"),
    ):
        if names := [row.dataset for row in rows if row.status is status]:
            yield f"  {words}: {', '.join(names)}"


def _other_repeats(reproduction: Reproduction) -> Iterator[str]:
    paper = reproduction.paper
    runs = _count_runs(reproduction.results)
    pairs = {(n, paper.folds(name).n_repeats) for name, n in runs.items()}
    for n, expected in sorted(pair for pair in pairs if pair[0] != pair[1]):
        yield (
            f"The folds were drawn {_times(n)} instead of {_times(expected)}: other digits are "
            "to be expected. A mean within three standard errors of the printed one is "
            "accepted; standard deviations are not compared."
        )


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"


def _left_out(omissions: Iterable[Omission]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for omission in omissions:
        groups.setdefault((omission.model, omission.reason), []).append(omission.dataset)
    for (model, reason), names in groups.items():
        what = f"{model} on {', '.join(names)}" if model else ", ".join(names)
        yield f"Left out: {what} ({reason})."


__all__ = ["Comparison", "Reproduction", "comparison_table", "reproduce", "verdict"]
