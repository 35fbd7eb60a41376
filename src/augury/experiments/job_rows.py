"""Of the rows of a store, those that were asked for, and the model they are compared with."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from augury.evaluate.fold_results import FoldResult
from augury.experiments.runner import Job
from augury.experiments.store.stored_results import Failure

Row = TypeVar("Row", FoldResult, Failure)


def rows_of_jobs(rows: Iterable[Row], jobs: Iterable[Job]) -> list[Row]:
    """Return the rows of these jobs, in their order: a store may have rows of others."""
    found = {(row.dataset, row.model, row.protocol, row.run, row.fold): row for row in rows}
    asked = (
        (job.dataset.name, model, job.protocol, run, fold)
        for job in jobs
        for model in job.models
        for run, fold in job.fold_keys()
    )
    return [found[key] for key in asked if key in found]


def choose_reference(wanted: str, models: Sequence[str]) -> tuple[str, str | None]:
    """Return the model that others are compared with, and a note if it is not the one wanted.

    Parameters
    ----------
    wanted : str
        Name of a model.
    models : sequence of str
        Models with completed folds, in the order asked for.

    Examples
    --------
    >>> choose_reference("nb", ["nb", "lr"])
    ('nb', None)
    >>> choose_reference("nb", ["lr", "tan"])
    ('lr', 'nb has no completed folds: the models are compared with lr instead.')
    """
    if wanted in models or not models:
        return wanted, None
    note = f"{wanted} has no completed folds: the models are compared with {models[0]} instead."
    return models[0], note


__all__ = ["choose_reference", "rows_of_jobs"]
