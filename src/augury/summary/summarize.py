"""Computation of the summary of a store."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from augury import __version__
from augury.errors import StoreError
from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import Failure, StoredDataset, StoredResults
from augury.foreign import Json
from augury.json_fields import JsonFieldError, from_json
from augury.summary.contents import Summary, Verdict
from augury.summary.fold_scores import MEASURES, FoldScores, collect_scores
from augury.summary.learning_curves import describe_curves
from augury.summary.overview import (
    collect_model_summaries,
    describe_dataset,
    describe_experiment,
    describe_failure,
    describe_model,
)
from augury.summary.predictions import describe_predictions
from augury.summary.rankings import compare_models, find_shared_datasets
from augury.summary.warnings import NotShown, collect_warnings


def summarize_store(
    stored: StoredResults,
    *,
    title: str | None = None,
    reference: str | None = None,
    protocol: str | None = None,
    models: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Summary:
    """Compute all that a report shows.

    Parameters
    ----------
    stored : StoredResults
        Results. They may be incomplete, and other processes may add to them: what cannot be
        computed is None, and the warnings say why.
    title : str, default=None
        Title of the report; by default that of the store, or the numbers of models and data
        sets.
    reference : str, default=None
        Model that the others are compared with; by default that of the experiment, or the first
        model. If it has no completed folds, the next model replaces it, and the warnings say so.
    protocol : {"honest", "published"}, default=None
        Protocol whose folds are shown; by default that of the experiment, or the one with the
        most folds.
    models, datasets : sequence of str, default=None
        Names of what is shown, in this order; by default those of the experiment, or all that
        the store has. The warnings name what is left out.

    Returns
    -------
    Summary
        See `augury.summary.contents`.

    Raises
    ------
    StoreError
        If the store has no model with the name `reference`, or no fold of the protocol.

    Examples
    --------
    >>> from augury.experiments import Job, ResultStore, run_jobs
    >>> from augury.data import load_dataset
    >>> from augury.evaluate import WekaFolds
    >>> from augury.generative import NaiveBayes, TreeAugmentedNaiveBayes
    >>> models = {"nb": NaiveBayes(), "tan": TreeAugmentedNaiveBayes()}
    >>> job = Job(load_dataset("sklearn:iris"), models, WekaFolds(5, 2), "honest")
    >>> with ResultStore(None) as store:
    ...     _ = run_jobs([job], store)
    ...     summary = summarize_store(store)
    >>> [model.name for model in summary.models], summary.comparisons.cells["accuracy"][0][0].n
    (['nb', 'tan'], 10)
    >>> summary.comparisons.marks["accuracy"][0]  # reference nb: tan is neither better nor worse
    ('.=',)
    """
    verdict = read_verdict(stored)
    asked = _choose_shown(stored, models, datasets)
    results = [row for row in stored.results() if asked.has(row)]
    all_failures = [failure for failure in stored.failures() if asked.has(failure)]
    sets, descriptions = asked.datasets, asked.models
    shown = _choose_protocol(stored, results or all_failures, protocol)
    rows = [row for row in results if row.protocol == shown]
    failures = [failure for failure in all_failures if failure.protocol == shown]
    scores = collect_scores(rows, sets, list(descriptions))
    if reference is not None and reference not in descriptions:
        raise StoreError(
            f"{stored.folder} has no model {reference!r}; it has {', '.join(descriptions)}"
        )
    shared = find_shared_datasets(scores)
    experiment, note = describe_experiment(stored, shown, scores, sets, reference)
    not_shown = NotShown(len(results) - len(rows), asked.left_out, note)
    return Summary(
        title=title or stored.meta("title") or _title(scores),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        augury=__version__,
        experiment=experiment,
        models=tuple(describe_model(name, m, scores) for name, m in descriptions.items()),
        datasets=tuple(describe_dataset(dataset, scores) for dataset in sets),
        measures=MEASURES,
        comparisons=compare_models(scores, shared, failures, experiment.reference),
        predictions=describe_predictions(stored, scores, sets, shown, shared),
        learning_curves=describe_curves(rows, sets, scores.models, experiment.reference),
        model_summaries=collect_model_summaries(stored, scores),
        warnings=collect_warnings(stored, scores, sets, shared, failures, shown, not_shown, rows),
        environments=tuple(stored.environments()),
        failures=tuple(map(describe_failure, failures)),
        verdict=verdict,
    )


def read_verdict(stored: StoredResults) -> Verdict | None:
    """Return the verdict of a comparison on one table; None for an experiment."""
    content = stored.meta("verdict")
    if content is None:
        return None
    try:
        return from_json(Verdict, content, "verdict")
    except JsonFieldError as error:
        raise StoreError(
            f"{stored.folder} has a damaged verdict: {error}; run the comparison again"
        ) from error


@dataclass(frozen=True, slots=True)
class _Shown:
    """What of a store is shown, in this order, and the names of what is left out."""

    models: Mapping[str, Mapping[str, Json]]
    datasets: Sequence[StoredDataset]
    left_out: Sequence[str]

    def has(self, row: FoldResult | Failure) -> bool:
        return row.model in self.models and any(d.name == row.dataset for d in self.datasets)


def _choose_shown(
    stored: StoredResults, models: Sequence[str] | None, datasets: Sequence[str] | None
) -> _Shown:
    planned = stored.meta("experiment") or {}
    found_models, found_sets = stored.models(), {each.name: each for each in stored.datasets()}
    # The store of a comparison names its models and data sets. The store of an experiment does
    # not: all that was run into its folder is shown.
    shown_models = _known(models or planned.get("models"), found_models)
    shown_sets = _known(datasets or planned.get("datasets"), found_sets)
    others = [*found_models, *found_sets]
    return _Shown(
        {name: found_models[name] for name in shown_models},
        [found_sets[name] for name in shown_sets],
        [name for name in others if name not in shown_models and name not in shown_sets],
    )


def _known(wanted: Sequence[str] | None, found: Iterable[str]) -> list[str]:
    """Return the wanted names that were found; all that were found if none is wanted."""
    names = list(found)
    return names if not wanted else [name for name in wanted if name in names]


def _choose_protocol(
    stored: StoredResults, folds: Sequence[FoldResult | Failure], wanted: str | None
) -> str | None:
    found = Counter(fold.protocol for fold in folds)
    if wanted is not None:
        if found and wanted not in found:
            raise StoreError(
                f"{stored.folder} has no folds of the protocol {wanted!r}, only of "
                f"{', '.join(sorted(found))}"
            )
        return wanted
    planned: str | None = (stored.meta("experiment") or {}).get("protocol")
    if planned in found or not found:
        return planned
    return found.most_common(1)[0][0]


def _title(scores: FoldScores) -> str:
    def count(names: Sequence[str], word: str) -> str:
        return f"{len(names)} {word}{'' if len(names) == 1 else 's'}"

    return f"{count(scores.models, 'model')} on {count(scores.datasets, 'data set')}"


__all__ = ["read_verdict", "summarize_store"]
