"""The page of a comparison on one table, from its store."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from augury.data import Dataset
from augury.encode import ColumnDecision
from augury.errors import StoreError
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import StoredResults
from augury.foreign import Classifier
from augury.report import WrittenReport, write_report, write_table_report
from augury.summary import summarize_store
from augury.summary.contents import Summary, Verdict
from augury.summary.contents.table_summary import ColumnTreatment, TableSummary
from augury.summary.table import TableInputs, summarize_table

# Key of the table summary in a store.
META = "table"


def write_comparison_page(
    store: ResultStore,
    verdict: Verdict,
    page: Path,
    *,
    dataset: Dataset | None,
    models: Mapping[str, Classifier],
    decisions: Sequence[ColumnDecision],
    fitted: Mapping[str, Any] | None = None,
    max_seconds: float = 10.0,
) -> WrittenReport:
    """Write the page of a comparison, and keep what it shows in the store.

    Parameters
    ----------
    store : ResultStore
        Has the folds.
    verdict : Verdict
        Without a model in its leaderboard, the page is that of a bench.
    page : path
        File of the page; its numbers are in a JSON file of the same name.
    dataset : Dataset or None
        The rows; None for a table that was read in pieces, whose page has the verdict, the
        leaderboard and the columns only.
    models : mapping from name to estimator
    decisions : sequence of ColumnDecision
    fitted : mapping from name to model, default=None
        Models that are fitted to all rows already.
    max_seconds : float
        See `summarize_table`.

    Raises
    ------
    StoreError
        If a file cannot be written.
    """
    summary = summarize_store(store, datasets=[verdict.dataset])
    if not verdict.leaderboard:
        return write_report(summary, page)
    if dataset is None:
        table = _without_rows(summary, verdict, decisions)
    else:
        inputs = TableInputs(dataset, verdict, dict(models), decisions, dict(fitted or {}))
        table = summarize_table(store, inputs, max_seconds=max_seconds)
    failures = tuple(_describe_failures(summary))
    table = replace(table, failures=failures, models=summary.models)
    store.set_meta(META, table.to_json())
    return write_table_report(summary, table, page)


def stored_table(stored: StoredResults, summary: Summary) -> TableSummary | None:
    """Return the table summary of the store of a comparison; None if it has none.

    Raises
    ------
    StoreError
        If it is damaged, or of another version of augury.
    """
    content = stored.meta(META)
    if not isinstance(content, dict) or summary.verdict is None:
        return None
    try:
        table = TableSummary.from_json(content)
    except ValueError as error:
        raise StoreError(
            f"{stored.folder} has a page of another version of augury: {error}; compare again"
        ) from error
    return table if table.verdict.dataset == summary.verdict.dataset else None


def _without_rows(
    summary: Summary, verdict: Verdict, decisions: Sequence[ColumnDecision]
) -> TableSummary:
    """Return the summary of a table whose rows are not in memory."""
    [dataset] = summary.datasets
    return TableSummary(
        source=dataset.source or dataset.name,
        created=summary.created,
        augury=summary.augury,
        verdict=verdict,
        classes=tuple(map(str, dataset.classes)),
        class_counts=dataset.class_counts,
        n_columns=dataset.n_columns or len(decisions),
        columns=tuple(ColumnTreatment(**asdict(each)) for each in decisions),
    )


def _describe_failures(summary: Summary) -> Iterator[str]:
    """Yield a sentence for each model with failed folds."""
    counts = Counter(failure.model for failure in summary.failures)
    for first in {each.model: each for each in reversed(summary.failures)}.values():
        n_failed = counts[first.model]
        yield f"{first.model} failed in {n_failed} fold{'s' if n_failed > 1 else ''}: {first.error}"


__all__ = ["META", "stored_table", "write_comparison_page"]
