"""Sentences that a reader of a summary must know before the numbers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import Failure, StoredDataset, StoredResults
from augury.experiments.training_sizes import fit_sizes
from augury.summary.fold_scores import FoldScores, has_growing_samples
from augury.summary.rankings import SharedDatasets

_MAX_NAMES = 5


@dataclass(frozen=True, slots=True)
class NotShown:
    """What of a store the summary does not show.

    Attributes
    ----------
    n_other_protocol : int
        Number of completed folds of other protocols.
    names : sequence of str
        Models and data sets that were not asked for.
    reference_note : str or None
        Note about a reference that is replaced because it has no completed folds.
    """

    n_other_protocol: int
    names: Sequence[str]
    reference_note: str | None


def collect_warnings(
    stored: StoredResults,
    scores: FoldScores,
    datasets: Sequence[StoredDataset],
    shared: SharedDatasets,
    failures: Sequence[Failure],
    protocol: str | None,
    not_shown: NotShown,
    rows: Sequence[FoldResult],
) -> tuple[str, ...]:
    """Return the sentences.

    `rows` are the folds that are shown. Those of `scores` are fewer if there are learning curves.
    """
    note = not_shown.reference_note
    return (
        *_about_protocol(protocol, not_shown.n_other_protocol),
        *(() if note is None else (note,)),
        *_about_other_results(not_shown.names),
        *_about_incomplete_cells(scores, failures),
        *_about_shared_datasets(scores, shared),
        *_about_measures(scores, datasets),
        *_about_curves(stored, scores, datasets, rows),
        *_about_environments(len(stored.environments())),
        *_about_messages(
            (dataset, model, text)
            for dataset, model, text in stored.messages()
            if dataset in scores.datasets and model in scores.models
        ),
    )


def _about_protocol(protocol: str | None, n_others: int) -> Iterable[str]:
    if protocol == "published":
        yield (
            "The published protocol replaces missing values and discretizes numbers on the whole "
            "data set, including the test rows, before it splits: the numbers are optimistic."
        )
    if n_others:
        yield (
            f"The folder also has {n_others} folds of another protocol. Only the folds of the "
            f"{protocol} protocol are shown."
        )


def _about_other_results(names: Sequence[str]) -> Iterable[str]:
    if names:
        yield (
            "The folder also has results that the last comparison did not ask for. They are not "
            f"shown: {_names(names)}."
        )


def _about_incomplete_cells(scores: FoldScores, failures: Sequence[Failure]) -> Iterable[str]:
    if not scores.cells:
        yield "There are no completed folds."
    incomplete = []
    for dataset in scores.datasets:
        for model in scores.models:
            expected = scores.n_folds(dataset)
            found = scores.cells.get((dataset, model))
            n_found = 0 if found is None else len(found.keys)
            if n_found < expected or expected == 0:
                incomplete.append(f"{model} on {dataset} ({n_found} of {expected or '?'} folds)")
    if incomplete:
        yield (
            f"{_number(len(incomplete), 'cell is', 'cells are')} incomplete: {_names(incomplete)}. "
            "Incomplete cells are in no average and in no test over data sets; pairs of models "
            "are compared on the folds that both have."
        )
    if failures:
        models = dict.fromkeys(failure.model for failure in failures)
        count = _number(len(failures), "fold", "folds")
        yield f"{count} of {_names(list(models))} failed."


def _about_shared_datasets(scores: FoldScores, shared: SharedDatasets) -> Iterable[str]:
    left_out = [model for model in scores.models if model not in shared.models]
    if left_out and scores.cells:
        yield (
            "Models with too few complete data sets are in no average and in no test over data "
            f"sets: {_names(left_out)}."
        )
    if shared.models and not shared.datasets:
        yield "There are no averages, because no data set is complete for all models."


def _about_measures(scores: FoldScores, datasets: Sequence[StoredDataset]) -> Iterable[str]:
    without = [
        model
        for model in scores.models
        if (cells := [scores.cells[d, model] for d in scores.datasets if scores.has(d, model)])
        and not any(cell.has("log_loss") for cell in cells)
    ]
    if without:
        yield (
            "Models without class probabilities have no log loss, Brier score and reliability: "
            f"{_names(without)}."
        )
    if all(map(has_growing_samples, datasets)):
        return  # bias and variance need runs that test every row
    if any(run > 1 for cell in scores.cells.values() for run, _ in cell.keys):
        return
    if scores.cells:
        yield "There is only one run, so bias and variance cannot be computed."


def _about_curves(
    stored: StoredResults,
    scores: FoldScores,
    datasets: Sequence[StoredDataset],
    rows: Sequence[FoldResult],
) -> Iterable[str]:
    if scores.table_sizes:
        sizes = [f"{name} {size} rows" for name, size in scores.table_sizes.items()]
        yield (
            "The leaderboard, the tables and the tests use one training size of each data set, the "
            f"largest that all models have completed: {_names(sizes)}."
        )
    yield from _about_incomplete_curves(scores, rows)
    asked = stored.meta("experiment") or {}
    for dataset in datasets:
        if asked.get("train_sizes") and has_growing_samples(dataset):
            share = float(dataset.splitter["test_share"])
            note = fit_sizes(asked["train_sizes"], len(dataset.labels), share).note(dataset.name)
            yield from filter(None, [note])


def _about_incomplete_curves(scores: FoldScores, rows: Sequence[FoldResult]) -> Iterable[str]:
    """Name the models that lack folds of some training size."""
    found: dict[str, dict[str, set[tuple[int, int]]]] = {name: {} for name in scores.table_sizes}
    for row in rows:
        if row.dataset in found:
            found[row.dataset].setdefault(row.model, set()).add((row.run, row.fold))
    incomplete = []
    for dataset, of_models in found.items():
        n_all = len(set().union(*of_models.values()))
        for model in scores.models:
            n_found = len(of_models.get(model, ()))
            if n_found < n_all:
                incomplete.append(f"{model} on {dataset} ({n_found} of {n_all} folds)")
    if incomplete:
        yield (
            f"Learning curves are incomplete: {_names(incomplete)}. Means are over the completed "
            "runs of each size."
        )


def _about_environments(n_environments: int) -> Iterable[str]:
    if n_environments > 1:
        yield (
            f"The folds were computed in {n_environments} environments. Times may not be "
            "comparable, and the last digits may depend on the versions."
        )


def _about_messages(messages: Iterable[tuple[str, str, str]]) -> Iterable[str]:
    """Yield the warnings of models; those that differ only in numbers are reported once."""
    found: dict[tuple[str, str], tuple[str, dict[str, None]]] = {}
    for dataset, model, message in messages:
        for line in message.splitlines():
            if not line.strip():
                continue
            kind = re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "#", line)
            found.setdefault((model, kind), (line, {}))[1][dataset] = None
    for (model, _), (line, names) in found.items():
        yield f"{model} on {_names(list(names))}: {line}"


def _names(names: Sequence[str]) -> str:
    """Return the first names and the number of the others.

    >>> _names(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    if len(names) <= _MAX_NAMES + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_MAX_NAMES])} and {len(names) - _MAX_NAMES} more"


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


__all__ = ["NotShown", "collect_warnings"]
