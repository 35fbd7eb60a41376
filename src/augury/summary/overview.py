"""Overview of what was compared: experiment, models, data sets, failures, model summaries."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import numpy as np

from augury.experiments.reference_model import choose_reference
from augury.experiments.store.stored_results import Failure, StoredDataset, StoredResults
from augury.explain.summary_contents import ModelSummary
from augury.foreign import Json
from augury.models.wrapped_models import unwrap_description
from augury.summary.contents import (
    DatasetOverview,
    ExperimentOverview,
    FailedFold,
    ModelOverview,
)
from augury.summary.fold_scores import FoldScores

FAMILIES = ("generative", "discriminative", "hybrid", "ensemble")


def describe_dataset(dataset: StoredDataset, scores: FoldScores) -> DatasetOverview:
    """Return size, classes and source of a data set."""
    details = dataset.details
    classes = tuple(details.get("classes", ()))
    counts = details.get("class_counts")  # of a table whose rows are not kept
    if counts is None:
        labels = dataset.labels[dataset.labels >= 0]
        counts = np.bincount(labels, minlength=len(classes)).tolist()
    return DatasetOverview(
        name=dataset.name,
        n_rows=details.get("n_rows"),
        n_columns=details.get("n_columns"),
        n_numeric=details.get("n_numeric"),
        n_missing=details.get("n_missing"),
        target=details.get("target"),
        dropped=tuple(details.get("dropped") or ()),
        source=_without_folder(str(details.get("source", ""))),
        checksum=dataset.checksum,
        classes=classes,
        class_counts=tuple(counts),
        splitter=dataset.splitter,
        table_size=scores.table_sizes.get(dataset.name),
    )


def _without_folder(source: str) -> str:
    # Pages are shared; the folders of the machine that computed them are private.
    return PurePath(source).name if PurePath(source).is_absolute() else source


def describe_model(name: str, stored: Mapping[str, Json], scores: FoldScores) -> ModelOverview:
    """Return class and parameters of the innermost model, and the steps before it."""
    cells = [scores.cells[d, name] for d in scores.datasets if scores.has(d, name)]
    before, model = unwrap_description(stored)
    return ModelOverview(
        name=name,
        class_=model.get("class"),
        parameters={key: value for key, value in model.items() if key != "class"},
        steps_before=tuple(before),
        family=_family(model),
        has_probabilities=any(cell.has("log_loss") for cell in cells),
    )


def _family(model: Mapping[str, Json]) -> str:
    parts = str(model.get("class", "")).split(".")
    if parts[0] == "augury" and len(parts) > 1 and parts[1] in FAMILIES:
        return parts[1]
    return "other"


def describe_failure(failure: Failure) -> FailedFold:
    """Return a failure with the line of the traceback that names the error."""
    return FailedFold(
        dataset=failure.dataset,
        model=failure.model,
        run=failure.run,
        fold=failure.fold,
        error=_error_line(failure.traceback),
        traceback=failure.traceback,
    )


def _error_line(traceback: str) -> str:
    lines = traceback.strip().splitlines() or [""]
    # The notes of an exception come after its line; augury adds a note that names the fold.
    named = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Warning|Exit)\b", line)]
    return (named or lines)[-1]


def collect_model_summaries(
    stored: StoredResults, scores: FoldScores
) -> tuple[Mapping[str, ModelSummary], ...]:
    """Return what models learned from all rows, [data set], by name of the model."""
    found = stored.model_summaries()
    return tuple(
        {model: found[dataset, model] for model in scores.models if (dataset, model) in found}
        for dataset in scores.datasets
    )


def describe_experiment(
    stored: StoredResults,
    protocol: str | None,
    scores: FoldScores,
    datasets: Sequence[StoredDataset],
    reference: str | None,
) -> tuple[ExperimentOverview, str | None]:
    """Return the settings of the experiment; those that the store lacks are counted.

    If the reference has no completed folds, the first model that has some replaces it; the
    second value is a note that says so, or None.
    """
    known = stored.meta("experiment") or {}
    wanted = reference or known.get("reference")
    wanted = wanted if wanted in scores.models else next(iter(scores.models), None)
    tested = [m for m in scores.models if any(scores.has(d, m) for d in scores.datasets)]
    chosen, note = (None, None) if wanted is None else choose_reference(wanted, tested)
    splits = {dataset.splitter.get("n_splits") for dataset in datasets}
    runs = [run for cell in scores.cells.values() for run, _ in cell.keys]
    experiment = ExperimentOverview(
        protocol=protocol,
        folds=splits.pop() if len(splits) == 1 else None,
        repeats=max(runs, default=None),
        seed=known.get("seed"),
        reference=chosen,
        train_sizes=tuple(known.get("train_sizes", ())),
        test_share=known.get("test_share"),
    )
    return experiment, note


__all__ = [
    "collect_model_summaries",
    "describe_dataset",
    "describe_experiment",
    "describe_failure",
    "describe_model",
]
