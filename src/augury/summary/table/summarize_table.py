"""Computation of the summary of one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from augury import __version__
from augury.arrays import IntegerArray
from augury.data import Dataset
from augury.encode import ColumnDecision
from augury.evaluate import Measure, find_measure
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.evaluate.measures import COST
from augury.experiments.store.stored_results import StoredResults
from augury.explain.feature_influence import feature_influence
from augury.explain.summary_contents import ColumnInfluence, ModelSummary
from augury.instance_weights import fit_with_weights
from augury.models.wrapped_models import find_deciding_part
from augury.summary.contents.table_summary import (
    ColumnTreatment,
    ConditionalColumn,
    OpenedModel,
    TableSummary,
)
from augury.summary.contents.verdict import Verdict
from augury.summary.table.class_shares import class_shares
from augury.summary.table.hard_rows import explain_hardest, find_hardest
from augury.summary.table.learning_rows import HeldOut, learning_of
from augury.summary.table.prediction_details import (
    calibration_of,
    class_curves,
    class_scores,
    confusion_of,
    decide_rows,
)
from augury.summary.table.row_predictions import read_row_predictions
from augury.summary.table.what_if_model import make_what_if

PROTOCOL = "honest"
# The model whose curves are drawn beside those of the opened model.
_REFERENCE = "nb"
_MAX_INFLUENCES, _MAX_CONDITIONALS, _MAX_ROWS = 40, 6, 20_000
_INFLUENCE_ROWS = 1_000


@dataclass(eq=False)
class TableInputs:
    """What the summary of a table is computed from.

    Attributes
    ----------
    dataset : Dataset
    verdict : Verdict
    estimators : mapping from model to estimator
        The compared models, each behind `TidyColumns`.
    decisions : sequence of ColumnDecision
    fitted : mapping from model to fitted model
        Models that are fitted to all rows already; others are fitted when they are needed.
    """

    dataset: Dataset
    verdict: Verdict
    estimators: Mapping[str, Any]
    decisions: Sequence[ColumnDecision]
    fitted: dict[str, Any] = field(default_factory=dict)

    def fit(self, model: str) -> Any:
        """Return a model fitted to all rows."""
        if model not in self.fitted:
            dataset = self.dataset
            estimator = clone(self.estimators[model])
            self.fitted[model] = fit_with_weights(
                estimator, dataset.X, dataset.y, dataset.sample_weight
            )
        return self.fitted[model]

    @property
    def treatments(self) -> dict[str, str]:
        """Treatment of each column."""
        return {each.name: each.treatment for each in self.decisions}


def summarize_table(
    stored: StoredResults, inputs: TableInputs, *, max_seconds: float = 10.0
) -> TableSummary:
    """Return all that the page of one table shows.

    Parameters
    ----------
    stored : StoredResults
        Results of the comparison. Confusion, curves, calibration and the hardest rows are
        computed from its predictions of single rows.
    inputs : TableInputs
        The table, the verdict and the models.
    max_seconds : float
        About the processor time of what is computed from further fits: half of it for the
        learning curve, a quarter for the influence of the columns, and a quarter for the
        explanation of the hardest rows. Less time means fewer rows. Two fits are not counted: the
        recommended model and the additive model, each to all rows, unless they are in
        `inputs.fitted`.
    """
    verdict, dataset = inputs.verdict, inputs.dataset
    table = prepare_table(dataset, PROTOCOL)
    opened = None
    if verdict.recommended in inputs.estimators:
        opened = _open_model(stored, inputs, table, str(verdict.recommended), max_seconds)
    what_if, note = make_what_if(
        verdict,
        inputs.estimators,
        inputs.fit,
        dataset.X,
        inputs.treatments,
        () if opened is None else opened.hardest,
    )
    if opened is not None and note:
        opened = replace(opened, notes=(*opened.notes, note))
    counts = np.bincount(np.asarray(table.y).astype(np.intp), minlength=len(table.classes))
    return TableSummary(
        source=dataset.source or dataset.name,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        augury=__version__,
        verdict=verdict,
        classes=tuple(table.classes),
        class_counts=tuple(counts.tolist()),
        n_columns=dataset.X.shape[1],
        columns=tuple(ColumnTreatment(d.name, d.treatment, d.reason) for d in inputs.decisions),
        opened=opened,
        what_if=what_if,
    )


def _open_model(
    stored: StoredResults, inputs: TableInputs, table: PreparedTable, name: str, max_seconds: float
) -> OpenedModel:
    standing = inputs.verdict.find(name)
    learning, held_out = learning_of(
        inputs.estimators[name],
        table,
        _learning_measure(inputs.verdict, table.classes, standing.log_loss is not None),
        standing.fit_seconds,
        max_seconds / 2,
    )
    influence, unit, notes = _influence(inputs, table, name, held_out, max_seconds / 4)
    opened = OpenedModel(
        model=name,
        influence=influence,
        influence_unit=unit,
        conditionals=_conditionals(inputs, table, name, influence),
        learning=learning,
        structure=_structure(stored, inputs.dataset.name, name),
        notes=notes,
    )
    found = reference = None
    for known in stored.datasets():
        if known.name == inputs.dataset.name:
            found = read_row_predictions(stored, known, name, PROTOCOL)
            if found is not None and name != _REFERENCE:
                reference = read_row_predictions(
                    stored, known, _REFERENCE, PROTOCOL, only=found.folds
                )
    if found is None:
        return opened
    same_rows = reference is not None and reference.folds == found.folds
    hardest, note = explain_hardest(
        find_hardest(found, table.classes), inputs.fit(name), inputs.dataset.X, max_seconds / 4
    )
    decided = decide_rows(found, inputs.verdict.decision)
    return replace(
        opened,
        n_tested=len(found.rows),
        n_runs=found.n_runs,
        confusion=tuple(map(tuple, confusion_of(decided).round(5).tolist())),
        classes=class_scores(decided, table.classes),
        curves=class_curves(
            decided,
            table.classes,
            inputs.verdict.decision,
            (_REFERENCE, reference) if reference is not None and same_rows else None,
        ),
        calibration=calibration_of(found, table.classes),
        hardest=hardest,
        notes=(*opened.notes, *([note] if note else [])),
    )


def _structure(stored: StoredResults, dataset: str, model: str) -> ModelSummary | None:
    """Return the drawing of a network or tree, without the influence of columns."""
    found = stored.model_summaries().get((dataset, model))
    if found is None or not (found.svg or found.text):
        return None
    return replace(found, influence=(), influence_unit=None)


def _learning_measure(verdict: Verdict, classes: list[str], has_probabilities: bool) -> Measure:
    """Return the chosen measure; accuracy for a model that lacks the probabilities it needs."""
    if verdict.measure == COST:  # the curve has no decisions by costs
        return find_measure("log_loss" if has_probabilities else "accuracy")
    measure = find_measure(verdict.measure, classes)
    if measure.needs_probabilities and not has_probabilities:
        return find_measure("accuracy")
    return measure


def _influence(
    inputs: TableInputs,
    table: PreparedTable,
    name: str,
    held_out: HeldOut | None,
    max_seconds: float,
) -> tuple[tuple[ColumnInfluence, ...], str, tuple[str, ...]]:
    """Return the influence of the columns, its unit, and how it was computed."""
    X = inputs.dataset.X
    rows: IntegerArray
    if held_out is None:
        rows, fitted, y = np.arange(len(X)), inputs.fit(name), np.asarray(inputs.dataset.y)
        on = "rows that the model was fitted to, because there are too few to leave some out"
    else:
        rows, fitted, y = held_out.rows, held_out.fitted, np.asarray(table.y)
        on = "rows that the model was not fitted to"
    found = feature_influence(
        fitted, X.iloc[rows], y[rows], n_rows=_INFLUENCE_ROWS, max_seconds=max_seconds
    )
    treatments = inputs.treatments
    lines = tuple(
        ColumnInfluence(feature, value, moved=100 * changed)
        for feature, value, changed in zip(
            found.index, found["influence"], found["changed"], strict=True
        )
        if treatments.get(feature) != "dropped"
    )
    facts = found.attrs
    unit = f"increase of the {facts['measure']} if the values of the column are shuffled"
    note = (
        f"The influence of the columns is computed from {facts['n_rows']:,} {on}, with "
        f"{facts['n_repeats']} shuffle{'s' if facts['n_repeats'] > 1 else ''} of each column."
    )
    if facts["n_left_out"]:
        note += f" {facts['n_left_out']} columns are left out, because the time is limited."
    return lines[:_MAX_INFLUENCES], unit, (note,)


def _conditionals(
    inputs: TableInputs, table: PreparedTable, name: str, influence: Sequence[ColumnInfluence]
) -> tuple[ConditionalColumn, ...]:
    """Return the shares of the values of the strongest columns in each class."""
    rows = np.sort(np.random.default_rng(0).permutation(len(table.y))[:_MAX_ROWS])
    tidy = find_deciding_part(inputs.fit(name), inputs.dataset.X.iloc[rows]).rows
    if not isinstance(tidy, pd.DataFrame):
        return ()
    codes = np.asarray(table.y)[rows].astype(np.intp)
    treatments = inputs.treatments
    return tuple(
        class_shares(tidy[each.feature], codes, len(table.classes), treatments[each.feature])
        for each in influence[:_MAX_CONDITIONALS]
        if each.feature in tidy.columns and each.value > 0
    )


__all__ = ["TableInputs", "summarize_table"]
