"""A store of results as one plain summary."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from augury import __version__
from augury.errors import StoreError
from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import Failure, StoredDataset, StoredResults
from augury.summary.comparisons import ALPHA, count_marks, describe_cells, mark_models
from augury.summary.fold_scores import MEASURES, FoldScores, collect_scores
from augury.summary.learning_curves import describe_curves
from augury.summary.overview import (
    collect_warnings,
    describe_dataset,
    describe_experiment,
    describe_failure,
    describe_model,
    describe_portraits,
)
from augury.summary.predictions import (
    Cells,
    describe_bias_variance,
    describe_confusions,
    describe_reliability,
    pool_reliability,
    read_predictions,
)
from augury.summary.rankings import (
    CommonGround,
    average_models,
    compare_all,
    compare_pairs,
    find_common_ground,
    rank_models,
    score_columns,
)
from augury.whole_file import write_whole

FORMAT = 1


def summarize_store(
    stored: StoredResults,
    *,
    title: str | None = None,
    reference: str | None = None,
    protocol: str | None = None,
    models: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Compute all that a report shows.

    Parameters
    ----------
    stored : StoredResults
        May be incomplete, or still grow: what cannot be computed is None, and the
        warnings say why.
    title : str, default=None
        Of the report; by default the store's, or what was compared.
    reference : str, default=None
        The model that others are compared with; by default the experiment's, or the first.
        One without completed folds gives way to the next, and the warnings say so.
    protocol : {"honest", "published"}, default=None
        Whose rows are shown, if the store has several; by default the experiment's, or the
        one with most folds.
    models, datasets : names, default=None
        What is shown; by default what the experiment says that it is about, or all that the
        store has. The warnings name what is left out.

    Returns
    -------
    dict
        As JSON can hold it: numbers, text, lists and dicts, None for NaN and infinity.
        Lists of models and of data sets are in the order asked for, or that of the store.

    Raises
    ------
    StoreError
        If there is no model of the name `reference`, or no row of the protocol.

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
    >>> [model["name"] for model in summary["models"]], summary["cells"]["accuracy"][0][0]["n"]
    (['nb', 'tan'], 10)
    >>> summary["marks"]["accuracy"][0]  # beside nb: not itself, and tan is no better
    ['.=']
    """
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
    ground = find_common_ground(scores)
    experiment, note = describe_experiment(stored, shown, scores, sets, reference)
    summary = {
        "format": FORMAT,
        "title": title or stored.meta("title") or _title(scores),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "augury": __version__,
        "experiment": experiment,
        "warnings": collect_warnings(
            stored,
            scores,
            sets,
            ground,
            failures,
            shown,
            len(results) - len(rows),
            note,
            asked.left_out,
        ),
        "environments": stored.environments(),
        "failures": [describe_failure(failure) for failure in failures],
        "models": [
            describe_model(name, described, scores) for name, described in descriptions.items()
        ],
        "datasets": [describe_dataset(dataset) for dataset in sets],
        "measures": [measure.describe() for measure in MEASURES],
        "alpha": ALPHA,
        "shared": list(ground.datasets),
        **_compare(scores, ground, str(experiment["reference"])),
    }
    summary["leaderboard"] = rank_models(
        scores, ground, summary["averages"], failures, str(experiment["reference"])
    )
    cells: Cells = {} if shown is None else read_predictions(stored, scores, sets, shown)
    summary["bias_variance"] = describe_bias_variance(scores, ground, cells)
    summary["reliability"] = pool_reliability(scores, ground, cells)
    summary["reliability_by_dataset"] = describe_reliability(scores, cells)
    summary["confusion"] = describe_confusions(scores, cells)
    summary["learning_curves"] = describe_curves(rows, sets, scores.models)
    summary["portraits"] = describe_portraits(stored, scores)
    plain: dict[str, Any] = as_plain(summary)
    return plain


@dataclass(frozen=True, slots=True)
class _Shown:
    """What of a store is shown, in the order wanted, and the names of what is left out."""

    models: dict[str, dict[str, Any]]
    datasets: list[StoredDataset]
    left_out: list[str]

    def has(self, row: FoldResult | Failure) -> bool:
        return row.model in self.models and any(d.name == row.dataset for d in self.datasets)


def _choose_shown(
    stored: StoredResults, models: Sequence[str] | None, datasets: Sequence[str] | None
) -> _Shown:
    planned = stored.meta("experiment") or {}
    found_models, found_sets = stored.models(), {each.name: each for each in stored.datasets()}
    # A comparison says what it is of; an experiment grows by whatever is run into its folder.
    shown_models = _known(models or planned.get("models"), found_models)
    shown_sets = _known(datasets or planned.get("datasets"), found_sets)
    others = [*found_models, *found_sets]
    return _Shown(
        {name: found_models[name] for name in shown_models},
        [found_sets[name] for name in shown_sets],
        [name for name in others if name not in shown_models and name not in shown_sets],
    )


def _known(wanted: Sequence[str] | None, found: Mapping[str, Any]) -> list[str]:
    """Return those of the names wanted that there are; all, if none is wanted."""
    return list(found) if not wanted else [name for name in wanted if name in found]


def write_summary(summary: dict[str, Any], file: Path) -> None:
    """Write a summary as JSON.

    Raises
    ------
    StoreError
        If the file cannot be written.
    """
    text = json.dumps(summary, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        write_whole(file, text)
    except OSError as error:
        raise StoreError(f"the summary cannot be written to {file}: {error}") from error


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
    planned = (stored.meta("experiment") or {}).get("protocol")
    if planned in found or not found:
        return planned
    return found.most_common(1)[0][0]


def _title(scores: FoldScores) -> str:
    def count(names: Sequence[str], word: str) -> str:
        return f"{len(names)} {word}{'' if len(names) == 1 else 's'}"

    return f"{count(scores.models, 'model')} on {count(scores.datasets, 'data set')}"


def _compare(scores: FoldScores, ground: CommonGround, reference: str) -> dict[str, Any]:
    """Return what there is for each measure."""
    parts: dict[str, dict[str, Any]] = {
        name: {} for name in ("cells", "marks", "win_tie_loss", "averages", "wilcoxon", "friedman")
    }
    for measure in MEASURES:
        columns = score_columns(scores, ground, measure)
        marks = mark_models(scores, measure)
        parts["cells"][measure.key] = describe_cells(scores, measure)
        parts["marks"][measure.key] = marks
        parts["win_tie_loss"][measure.key] = count_marks(marks)
        parts["averages"][measure.key] = average_models(scores, columns, measure)
        parts["wilcoxon"][measure.key] = compare_pairs(columns, measure)
        parts["friedman"][measure.key] = compare_all(scores, columns, measure, reference)
    return parts


def as_plain(value: Any) -> Any:
    """Return nested values as JSON can hold them; NaN and infinity become None.

    >>> as_plain({"p": (0.5, float("nan"))})
    {'p': [0.5, None]}
    """
    if isinstance(value, dict):
        return {str(key): as_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(part) for part in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


__all__ = ["as_plain", "summarize_store", "write_summary"]
