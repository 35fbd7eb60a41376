"""A table with labels, numbers, a date, gaps and an identifier, and its comparison."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from augury.comparison.run import keep_verdict
from augury.data import Dataset
from augury.evaluate import WekaFolds
from augury.experiments import Job, ResultStore, run_jobs
from augury.models.tidy_model import tidy_model
from augury.summary.contents.table_summary import ColumnTreatment, TableSummary
from augury.summary.table import TableInputs, summarize_table
from augury.tables.review import review_columns

CLASSES = ("fair", "good", "poor")


@dataclass(frozen=True)
class ComparedTable:
    """A data set, its models fitted to all rows, and the summary of its comparison."""

    dataset: Dataset
    fitted: dict[str, Pipeline]
    summary: TableSummary

    @property
    def shown(self) -> Any:
        """The model that the page computes."""
        assert self.summary.what_if is not None
        return self.fitted[self.summary.what_if.model]


def make_table(n_classes: int = 3, n_rows: int = 180, seed: int = 0) -> Dataset:
    """Return rows of patients."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n_rows) % n_classes)
    noisy = np.where(rng.random(n_rows) < 0.25, rng.integers(0, n_classes, n_rows), codes)
    X = pd.DataFrame(
        {
            "patient": [f"P{i:05d}" for i in range(n_rows)],
            "blood type": np.array(["A", "B", "AB", "0"], dtype=object)[
                (noisy + rng.integers(0, 2, n_rows)) % 4
            ],
            "pulse": rng.normal(70 + 8 * noisy, 6).round(),
            "temperature": rng.normal(36.8 + 0.4 * codes, 0.5).round(1),
            "admitted": [f"2024-{1 + m:02d}-15" for m in (noisy * 3 + rng.integers(0, 4, n_rows))],
            "ward": np.array(["east", "west"], dtype=object)[rng.integers(0, 2, n_rows)],
        }
    )
    X.loc[rng.random(n_rows) < 0.1, "pulse"] = np.nan
    X.loc[rng.random(n_rows) < 0.08, "blood type"] = None
    y = pd.Series(np.array(CLASSES[:n_classes])[codes], name="outcome")
    return Dataset(X, y, "patients", "outcome", "/data/patients.csv")


@cache
def compare_table(
    models: tuple[str, ...] = ("majority", "nb", "lr", "tan"),
    n_classes: int = 3,
    recommended: str | None = None,
) -> ComparedTable:
    """Return the summary of a comparison; `recommended` replaces the verdict's choice."""
    dataset = make_table(n_classes)
    estimators = {name: tidy_model(name) for name in models}
    with ResultStore(None) as store:
        run_jobs([Job(dataset, estimators, WekaFolds(3, 2), "honest")], store)
        verdict = keep_verdict(store, dataset.name, estimators, None)
        if recommended is not None:
            verdict = replace(verdict, recommended=recommended)
        inputs = TableInputs(dataset, verdict, estimators, review_columns(dataset))
        summary = summarize_table(store, inputs)
    fitted = {name: inputs.fit(name) for name in models}
    return ComparedTable(dataset, fitted, summary)


def widen(summary: TableSummary, n_columns: int) -> TableSummary:
    """Return a summary whose form has further columns, with ever smaller scores."""
    what_if = summary.what_if
    assert what_if is not None
    form = what_if.form
    k = next(k for k, column in enumerate(form.columns) if not column.is_number)
    copies = []
    for number in range(n_columns - len(form.columns)):
        factor = 1e-3 / (1 + number)
        scores = tuple(tuple(factor * s for s in row) for row in form.columns[k].scores)
        copies.append(replace(form.columns[k], name=f"gene {number:04d}", scores=scores))
    n = len(copies)
    wider = replace(
        what_if,
        form=replace(form, columns=(*form.columns, *copies)),
        treatments=(*what_if.treatments, *(n * ["labels"])),
        typical=(*what_if.typical, *(n * [0])),
        rows=tuple(replace(row, values=(*row.values, *(n * [0]))) for row in what_if.rows),
    )
    names = (*(each.name for each in summary.columns), *(each.name for each in copies))
    columns = tuple(ColumnTreatment(name, "labels", "4 different labels") for name in names)
    return replace(summary, what_if=wider, columns=columns)
