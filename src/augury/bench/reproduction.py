"""Compute a published table again and compare it, cell by cell."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from augury.bench.paper import Paper
from augury.bench.text_table import align_columns
from augury.data import load_dataset
from augury.evaluate import FoldResult, cross_validate, summarize


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
    printed_mean, printed_std : Decimal
        The paper's.
    agrees : bool
        By the tolerance of the model's column.
    """

    dataset: str
    model: str
    table: str
    protocol: str
    mean: float
    std: float
    printed_mean: Decimal
    printed_std: Decimal
    agrees: bool

    @property
    def mean_difference(self) -> float:
        """Our mean less the printed one."""
        return self.mean - float(self.printed_mean)

    @property
    def std_difference(self) -> float:
        """Our standard deviation less the printed one."""
        return self.std - float(self.printed_std)


def reproduce(
    paper: Paper,
    *,
    models: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    data_dir: str | Path | None = None,
    protocol: str | None = None,
    n_jobs: int | None = None,
    progress: Callable[[Sequence[FoldResult]], None] | None = None,
) -> list[Comparison]:
    """Compute cells of a paper and compare them with the printed ones.

    Parameters
    ----------
    paper : Paper
        See `augury.bench.papers`.
    models, datasets : names, default=None
        Columns and rows of its tables; by default all models that are available, and
        all data sets.
    data_dir : path, default=None
        Where `augury.data.load_dataset` looks first.
    protocol : {"published", "honest"}, default=None
        By default the paper's own. With another one the same rule of agreement is
        applied, but the printed numbers are not expected.
    n_jobs : int, default=None
        Worker processes.
    progress : callable, default=None
        Called with the rows of completed folds.

    Returns
    -------
    list of Comparison
        Model by model, in the order of the data sets.

    Raises
    ------
    UnknownNameError
        If the paper does not print a model or data set, or the model is not available.
    augury.data.DataError
        If a data set cannot be found or read.
    """
    selected = paper.select_models(models)
    names = paper.select_datasets(datasets)
    results = cross_validate(
        # All at once: a file that is missing is missed before the minutes of work.
        [load_dataset(name, data_dir=data_dir) for name in names],
        {model: paper.columns[model].build() for model in selected},
        paper.splitter,
        protocol=paper.protocol if protocol is None else protocol,
        n_jobs=n_jobs,
        progress=progress,
    )
    comparisons = _compare(paper, results)
    return sorted(comparisons, key=lambda row: selected.index(row.model))


def _compare(paper: Paper, results: Iterable[FoldResult]) -> list[Comparison]:
    comparisons = []
    for summary in summarize(results):
        cell = paper.cell(summary.dataset, summary.model)
        tolerance = paper.columns[summary.model].tolerance
        comparisons.append(
            Comparison(
                dataset=summary.dataset,
                model=summary.model,
                table=cell.table,
                protocol=summary.protocol,
                mean=summary.accuracy_mean,
                std=summary.accuracy_std,
                printed_mean=cell.mean,
                printed_std=cell.std,
                agrees=tolerance.agrees(summary.accuracy_mean, cell.mean)
                and tolerance.agrees(summary.accuracy_std, cell.std),
            )
        )
    return comparisons


def comparison_table(comparisons: Sequence[Comparison]) -> str:
    """Return the cells as aligned text, ours with two digits more than are printed.

    The differences are those of the mean and of the standard deviation.
    """
    header = ["dataset", "model", "ours", "printed", "difference", ""]
    rows = [
        [
            row.dataset,
            row.model,
            f"{row.mean:.4f} ± {row.std:7.4f}",
            f"{row.printed_mean} ± {row.printed_std:>5}",
            f"{row.mean_difference:+.4f}  {row.std_difference:+.4f}",
            "agrees" if row.agrees else "DIFFERS",
        ]
        for row in comparisons
    ]
    return align_columns(header, rows, left=(0, 1))


def verdict(paper: Paper, comparisons: Sequence[Comparison]) -> str:
    """Return how many cells agree, one line for each model, and what to make of it."""
    lines = []
    for model in dict.fromkeys(row.model for row in comparisons):
        rows = [row for row in comparisons if row.model == model]
        ours = sum(row.mean for row in rows) / len(rows)
        printed = sum(float(row.printed_mean) for row in rows) / len(rows)
        lines.append(
            f"{model}: {sum(row.agrees for row in rows)} of {len(rows)} cells agree "
            f"({paper.columns[model].tolerance.description}); "
            f"average {ours:.2f}, printed {printed:.2f}"
        )
    if any(row.protocol != paper.protocol for row in comparisons):
        lines.append(
            f"The printed numbers come from the {paper.protocol} protocol, "
            "so these are not expected to agree."
        )
    return "\n".join(lines)


__all__ = ["Comparison", "comparison_table", "reproduce", "verdict"]
