"""What was compared: data sets, models, failures, and what a reader must be told."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from augury.experiments.reference_model import choose_reference
from augury.experiments.store.stored_results import Failure, StoredDataset, StoredResults
from augury.models.wrapped_models import unwrap_description
from augury.summary.fold_scores import FoldScores, has_growing_samples
from augury.summary.rankings import CommonGround

FAMILIES = ("generative", "discriminative", "hybrid", "ensemble")

_FIELDS = ("n_rows", "n_columns", "n_numeric", "n_missing", "target", "dropped")
_MOST_NAMES = 5


def describe_dataset(dataset: StoredDataset) -> dict[str, Any]:
    """Return what a page says about a data set."""
    details = dataset.details
    classes = list(details.get("classes", ()))
    counts = np.bincount(dataset.labels[dataset.labels >= 0], minlength=len(classes))
    return {
        "name": dataset.name,
        **{field: details.get(field) for field in _FIELDS},
        "source": _shared_source(str(details.get("source", ""))),
        "checksum": dataset.checksum,
        "classes": classes,
        "class_counts": counts.tolist(),
        "splitter": dataset.splitter,
    }


def _shared_source(source: str) -> str:
    # A page is passed on: where a file lay on one machine is nobody's business there.
    return PurePath(source).name if PurePath(source).is_absolute() else source


def describe_model(name: str, stored: dict[str, Any], scores: FoldScores) -> dict[str, Any]:
    """Return what a page says about a model: that inside Pipelines, and what is before it."""
    cells = [scores.cells[d, name] for d in scores.datasets if scores.has(d, name)]
    before, model = unwrap_description(stored)
    return {
        "name": name,
        "class": model.get("class"),
        "parameters": {key: value for key, value in model.items() if key != "class"},
        "steps_before": before,
        "family": _family(model),
        "has_probabilities": any(cell.has("log_loss") for cell in cells),
    }


def _family(model: dict[str, Any]) -> str:
    parts = str(model.get("class", "")).split(".")
    if parts[0] == "augury" and len(parts) > 1 and parts[1] in FAMILIES:
        return parts[1]
    return "other"


def describe_failure(failure: Failure) -> dict[str, Any]:
    """Return a failure with the line that says what happened."""
    return {
        "dataset": failure.dataset,
        "model": failure.model,
        "run": failure.run,
        "fold": failure.fold,
        "error": _error_line(failure.traceback),
        "traceback": failure.traceback,
    }


def _error_line(traceback: str) -> str:
    lines = traceback.strip().splitlines() or [""]
    # Notes of an exception come after it; augury adds one that names the fold.
    named = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Warning|Exit)\b", line)]
    return (named or lines)[-1]


def describe_portraits(stored: StoredResults, scores: FoldScores) -> list[dict[str, Any]]:
    """Return what models learned from all rows, [data set] by name of the model."""
    portraits = stored.model_summaries()
    return [
        {
            model: {
                key: value for key, value in portraits[dataset, model].items() if key != "model"
            }
            for model in scores.models
            if (dataset, model) in portraits
        }
        for dataset in scores.datasets
    ]


def describe_experiment(
    stored: StoredResults,
    protocol: str | None,
    scores: FoldScores,
    datasets: Sequence[StoredDataset],
    reference: str | None,
) -> tuple[dict[str, Any], str | None]:
    """Return protocol, folds, runs, seed and reference; what was not written down is counted.

    A reference without completed folds gives way to the first model that has some; the second
    value is a note that says so, or None.
    """
    known = stored.meta("experiment") or {}
    wanted = reference or known.get("reference")
    wanted = wanted if wanted in scores.models else next(iter(scores.models), None)
    tested = [m for m in scores.models if any(scores.has(d, m) for d in scores.datasets)]
    chosen, note = (None, None) if wanted is None else choose_reference(wanted, tested)
    splits = {dataset.splitter.get("n_splits") for dataset in datasets}
    runs = [run for cell in scores.cells.values() for run, _ in cell.keys]
    described = {
        "protocol": protocol,
        "folds": splits.pop() if len(splits) == 1 else None,
        "repeats": max(runs, default=None),
        "seed": known.get("seed"),
        "reference": chosen,
    }
    return described, note


def collect_warnings(
    stored: StoredResults,
    scores: FoldScores,
    datasets: Sequence[StoredDataset],
    ground: CommonGround,
    failures: Sequence[Failure],
    protocol: str | None,
    n_other_protocol: int,
    reference_note: str | None,
    left_out: Sequence[str],
) -> list[str]:
    """Return what a reader must know before the numbers are believed."""
    return [
        *_about_protocol(protocol, n_other_protocol),
        *([] if reference_note is None else [reference_note]),
        *_about_others(left_out),
        *_about_gaps(scores, failures),
        *_about_ground(scores, ground),
        *_about_measures(scores),
        *_about_curves(datasets),
        *_about_environments(stored.environments()),
        *_about_messages(
            (dataset, model, text)
            for dataset, model, text in stored.messages()
            if dataset in scores.datasets and model in scores.models
        ),
    ]


def _about_protocol(protocol: str | None, n_others: int) -> Iterable[str]:
    if protocol == "published":
        yield (
            "The published protocol replaces gaps and cuts numbers on the whole data set, test "
            "rows included, before it splits: the numbers are optimistic."
        )
    if n_others:
        yield (
            f"The folder also has {n_others} folds of another protocol, which are left out: only "
            f"those of the {protocol} one are shown."
        )


def _about_others(left_out: Sequence[str]) -> Iterable[str]:
    if left_out:
        yield (
            "The folder also has results that the last comparison did not ask for, which are left "
            f"out: {_names(left_out)}."
        )


def _about_gaps(scores: FoldScores, failures: Sequence[Failure]) -> Iterable[str]:
    if not scores.cells:
        yield "There are no completed folds."
    gaps = []
    for dataset in scores.datasets:
        for model in scores.models:
            expected = scores.n_folds(dataset)
            found = scores.cells.get((dataset, model))
            n_found = 0 if found is None else len(found.keys)
            if n_found < expected or expected == 0:
                gaps.append(f"{model} on {dataset} ({n_found} of {expected or '?'} folds)")
    if gaps:
        yield (
            f"{_number(gaps, 'cell is', 'cells are')} incomplete, in no average or test over data "
            f"sets, and compared on the folds that both models have: {_names(gaps)}."
        )
    if failures:
        models = dict.fromkeys(failure.model for failure in failures)
        yield f"{_number(failures, 'fold', 'folds')} failed, of {_names(list(models))}."


def _about_ground(scores: FoldScores, ground: CommonGround) -> Iterable[str]:
    left_out = [model for model in scores.models if model not in ground.models]
    if left_out and scores.cells:
        yield (
            f"Not in the averages and tests over data sets, for want of complete ones: "
            f"{_names(left_out)}."
        )
    if ground.models and not ground.datasets:
        yield "No data set was completed by all models, so that there are no averages."


def _about_measures(scores: FoldScores) -> Iterable[str]:
    silent = [
        model
        for model in scores.models
        if (cells := [scores.cells[d, model] for d in scores.datasets if scores.has(d, model)])
        and not any(cell.has("log_loss") for cell in cells)
    ]
    if silent:
        yield (
            "Without probabilities, hence without log loss, Brier score and reliability: "
            f"{_names(silent)}."
        )
    if any(run > 1 for cell in scores.cells.values() for run, _ in cell.keys):
        return
    if scores.cells:
        yield "There is one run only: bias and variance cannot be told apart."


def _about_curves(datasets: Sequence[StoredDataset]) -> Iterable[str]:
    growing = [dataset.name for dataset in datasets if has_growing_samples(dataset)]
    if growing:
        yield f"The tables show the largest training sample of {_names(growing)}."


def _about_environments(environments: Sequence[dict[str, Any]]) -> Iterable[str]:
    if len(environments) > 1:
        yield (
            f"The folds were computed in {len(environments)} environments; seconds, and digits "
            "that depend on versions, may not be comparable."
        )


def _about_messages(messages: Iterable[tuple[str, str, str]]) -> Iterable[str]:
    """Yield what models warned about, those that differ in numbers only once."""
    heard: dict[tuple[str, str], tuple[str, dict[str, None]]] = {}
    for dataset, model, message in messages:
        for line in message.splitlines():
            if not line.strip():
                continue
            kind = re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "#", line)
            heard.setdefault((model, kind), (line, {}))[1][dataset] = None
    for (model, _), (line, names) in heard.items():
        yield f"{model} on {_names(list(names))}: {line}"


def _names(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are.

    >>> _names(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    if len(names) <= _MOST_NAMES + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"


def _number(things: Sequence[Any], one: str, many: str) -> str:
    return f"{len(things)} {one if len(things) == 1 else many}"


__all__ = [
    "collect_warnings",
    "describe_dataset",
    "describe_experiment",
    "describe_failure",
    "describe_model",
    "describe_portraits",
]
