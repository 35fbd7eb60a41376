"""Which cells of a paper are computed, on which folds, and which are left out."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from augury.reproduce.paper import Paper


@dataclass(frozen=True, slots=True)
class Omission:
    """A data set that is not computed, by one model or (with an empty name) by any."""

    dataset: str
    model: str
    reason: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Data sets that meet the same models and the same folds."""

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    splitter: Any


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is computed.

    Attributes
    ----------
    models, datasets : list of str
        In the order asked for.
    batches : list of Batch
        In the order of the data sets.
    omissions : tuple of Omission
        What a user may miss.
    """

    models: list[str]
    datasets: list[str]
    batches: list[Batch]
    omissions: tuple[Omission, ...]

    def folds_by_dataset(self) -> dict[str, int]:
        """Return the number of fits on each data set."""
        return {
            name: len(batch.models) * batch.splitter.get_n_splits()
            for batch in self.batches
            for name in batch.datasets
        }


def make_plan(
    paper: Paper,
    *,
    models: Iterable[str] | None = None,
    datasets: Iterable[str] | None = None,
    repeats: int | None = None,
) -> Plan:
    """Select cells of a paper.

    Parameters
    ----------
    paper : Paper
        See `augury.papers`.
    models, datasets : names, default=None
        By default all that are available. A data set that is named is computed by all
        models, those that leave it out by default included.
    repeats : int, default=None
        Runs of the folds, by default the paper's.

    Raises
    ------
    UnknownNameError
        If the paper has no such model or data set, or it is not available.
    """
    selected = paper.select_models(models)
    names = paper.select_datasets(datasets)
    omissions = []
    if datasets is None:
        omissions += [Omission(name, "", reason) for name, reason in paper.unavailable.items()]
        omissions += [
            Omission(name, model, paper.columns[model].skip[name])
            for model in selected
            for name in names
            if name in paper.columns[model].skip
        ]
    skipped = {(omission.dataset, omission.model) for omission in omissions}

    def company(name: str) -> tuple[tuple[str, ...], int]:
        kept = tuple(model for model in selected if (name, model) not in skipped)
        return kept, paper.folds(name, repeats).n_repeats

    batches = []
    for (kept, _), group in groupby(names, key=company):
        if kept:
            together = tuple(group)
            batches.append(Batch(together, kept, paper.folds(together[0], repeats)))
    return Plan(selected, names, batches, tuple(omissions))


__all__ = ["Batch", "Omission", "Plan", "make_plan"]
