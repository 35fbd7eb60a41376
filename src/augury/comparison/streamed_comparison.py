"""Comparison of models on a table that is read in pieces."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from sklearn.pipeline import Pipeline

from augury.comparison.job import PROTOCOL, comparison_settings
from augury.encode import ColumnDecision
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import FoldOutcome
from augury.experiments.fingerprints import describe_model
from augury.experiments.store.result_store import FoldKey, ResultStore
from augury.experiments.store.stored_results import Failure
from augury.explain.summary_contents import ModelSummary
from augury.foreign import Json
from augury.scale.cross_validating import FailedFold, SourceInFolds

_NO_SUMMARY = "There is no model summary: the table is read in pieces."


@dataclass(frozen=True, eq=False)
class StreamedComparison:
    """Models that are compared on a table whose folds were surveyed.

    Attributes
    ----------
    name : name of the data set in the results
    opened : the table
    models : mapping from name to model, those that `opened` was opened for
    """

    name: str
    opened: SourceInFolds
    models: Mapping[str, Pipeline]

    def settings(self) -> dict[str, Json]:
        """Return the settings for the page of the results."""
        return comparison_settings(self.name, list(self.models), self.opened.n_folds, 1)

    def decisions(self) -> list[ColumnDecision]:
        """Return the decisions of `TidyColumns` about the columns, learned from all rows."""
        tidy = self.opened.tidy
        assert tidy is not None  # models of a comparison are behind it
        return tidy.decisions_

    def run(self, store: ResultStore) -> None:
        """Test the models that lack folds in the store, and keep their results there.

        The predictions of single rows are not kept.

        Raises
        ------
        StoreError
            If the store has rows of other data, folds or parameters under the same names.
        """
        store.results()  # a damaged row is reported before hours of work
        self._add_dataset(store)
        claimed: dict[str, list[FoldKey]] = {}
        for model, estimator in self.models.items():
            store.add_model(model, describe_model(estimator))
            claimed[model] = store.claim(self.name, model, PROTOCOL, self._fold_keys())
        wanted = {model: self.models[model] for model, folds in claimed.items() if folds}

        def keep(row: FoldResult | FailedFold) -> None:
            if (1, row.fold) in claimed[row.model]:
                self._keep(store, row)

        if wanted:
            self.opened.run(wanted, keep, self.name)
        known = store.model_summaries()
        for model in self.models:
            if (self.name, model) not in known:
                summary = ModelSummary(model, notes=(_NO_SUMMARY,))
                store.add_model_summary(self.name, model, summary)

    def results(self, store: ResultStore) -> tuple[list[FoldResult], list[Failure]]:
        """Return the results and the failures of these models; a store may have others."""
        keys = {(model, *key) for model in self.models for key in self._fold_keys()}
        return (
            [row for row in store.results() if self._has(row, keys)],
            [row for row in store.failures() if self._has(row, keys)],
        )

    def _has(self, row: FoldResult | Failure, keys: set[tuple[str, int, int]]) -> bool:
        is_of_table = row.dataset == self.name and row.protocol == PROTOCOL
        return is_of_table and (row.model, row.run, row.fold) in keys

    def _fold_keys(self) -> list[FoldKey]:
        return [(1, fold) for fold in range(1, self.opened.n_folds + 1)]

    def _add_dataset(self, store: ResultStore) -> None:
        opened = self.opened
        survey = opened.table.survey.total()
        assert survey is not None
        columns = {name: c for name, c in survey.columns.items() if name != opened.target}
        rows_of_classes = opened.table.class_weights
        details: dict[str, Json] = {
            "n_rows": opened.n_rows,
            "n_columns": len(columns),
            "n_numeric": sum(column.kind == "numbers" for column in columns.values()),
            "n_missing": sum(column.n_missing for column in columns.values()),
            "target": opened.target,
            "classes": [str(label) for label in opened.classes.tolist()],
            "class_counts": [int(rows_of_classes.get(c, 0)) for c in opened.classes.tolist()],
            "source": opened.name,
            "dropped": [],
        }
        splitter: dict[str, Json] = {
            "class": "augury.scale.folds.fold_rows.FoldNumbers",
            "n_splits": opened.n_folds,
            "random_state": opened.random_state,
        }
        no_rows = np.empty(0, dtype=np.int64)
        store.add_dataset(self.name, opened.checksum(), splitter, details, no_rows)

    def _keep(self, store: ResultStore, row: FoldResult | FailedFold) -> None:
        if isinstance(row, FoldResult):
            store.add_outcome(FoldOutcome(row, np.empty(0, dtype=np.int32), None), None)
            return
        text = "".join(traceback.format_exception(row.error))
        store.add_failure(Failure(self.name, row.model, PROTOCOL, 1, row.fold, text))


__all__ = ["StreamedComparison"]
