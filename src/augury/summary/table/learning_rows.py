"""A measure of a model for growing numbers of training rows."""

from __future__ import annotations

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from sklearn.base import clone

from augury.arrays import FloatArray, IntegerArray
from augury.evaluate.curves import GrowingSamples
from augury.evaluate.folds import PreparedTable
from augury.evaluate.measures import Measure
from augury.evaluate.scored_rows import ScoredRows
from augury.instance_weights import fit_with_weights
from augury.predict_once import predict_once
from augury.summary.contents.table_summary import LearningOfModel

_MAX_ROWS, _MAX_RUNS, _TEST_SHARE = 20_000, 5, 0.3
_SIZES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1)
_FEWEST_ROWS = 20
# A fit to many columns takes long, however few the rows are.
_WIDE, _SIZES_OF_WIDE = 500, 3
# A rise counts if it is larger than this number of standard errors.
_ERRORS = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """A model that was fitted to a part of the rows, and the rows that it has not seen."""

    fitted: Any
    rows: IntegerArray


def learning_of(
    estimator: Any,
    table: PreparedTable,
    measure: Measure,
    fit_seconds: float,
    max_seconds: float,
) -> tuple[LearningOfModel | None, HeldOut | None]:
    """Fit a model to growing parts of the rows, and test it on the other rows.

    Parameters
    ----------
    estimator : classifier
    table : PreparedTable
        At most 20,000 of its rows are used, fewer if their fits take longer than `max_seconds`.
    measure : Measure
    fit_seconds : float
        Time of a fit to nine tenths of all rows.
    max_seconds : float
        About the time that the fits may take. It limits the number of rows and of runs, at most 5.
        Fits to few rows may take longer than `fit_seconds` lets expect: then the largest sizes and
        further runs are left out. A table of more than 500 columns has three sizes.

    Returns
    -------
    learning : LearningOfModel or None
        None with fewer than two sizes, and if the measure is not defined on some test rows.
    held_out : HeldOut or None
        The model of the largest size of the first run.
    """
    n_all = len(table.y)
    rng = np.random.default_rng(0)
    per_row = max(fit_seconds, 1e-4) / n_all * 2 * (1 - _TEST_SHARE)  # all sizes of one run
    n_rows = int(min(n_all, _MAX_ROWS, max(max_seconds / per_row, 200)))
    rows = np.sort(rng.permutation(n_all)[:n_rows])
    codes = np.asarray(table.y)[rows].astype(np.intp)
    n_runs = int(np.clip(max_seconds / (per_row * n_rows), 1, _MAX_RUNS))
    fewest = max(_FEWEST_ROWS, 3 * len(np.unique(codes)))
    n_pool = round(n_rows * (1 - _TEST_SHARE))
    sizes = sorted({round(share * n_pool) for share in _SIZES if share * n_pool >= fewest})
    if len(sizes) < 2 or np.bincount(codes).max() == n_rows:
        return None, None
    if np.shape(table.X)[1] > _WIDE:
        sizes = sizes[-_SIZES_OF_WIDE:]
    splitter = GrowingSamples([*sizes[:-1], 1.0], n_runs, test_share=_TEST_SHARE)
    found: list[float] = []
    trained: list[int] = []
    held_out: HeldOut | None = None
    start, n_sizes = process_time(), len(sizes)
    for number, (train, test) in enumerate(splitter.split(codes, codes)):
        run, place = divmod(number, len(sizes))
        # The time of a fold does not have that of tidying the columns, which may be longer.
        if run and not place and (process_time() - start) * (run + 1) / run > max_seconds:
            break
        if place >= n_sizes:
            continue
        before = process_time()
        fitted = _fit(estimator, table, rows[train])
        found.append(_score(fitted, table, rows[test], measure))
        trained.append(len(train))
        if not run:
            held_out = HeldOut(fitted, rows[test])
            now = process_time()
            if place and now - start + 2 * (now - before) > max_seconds:
                n_sizes = place + 1
    scores = np.array(found).reshape(-1, n_sizes)
    if np.isnan(scores).any():  # some test rows lack a class
        return None, held_out
    return _describe(scores, trained[:n_sizes], measure), held_out


def _fit(estimator: Any, table: PreparedTable, rows: IntegerArray) -> Any:
    X: Any = table.X
    part = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
    weight = None if table.weight is None else table.weight[rows]
    return fit_with_weights(clone(estimator), part, table.y.iloc[rows], weight)


def _score(fitted: Any, table: PreparedTable, rows: IntegerArray, measure: Measure) -> float:
    X: Any = table.X
    found = predict_once(fitted, X.iloc[rows] if hasattr(X, "iloc") else X[rows])
    true = np.asarray(table.y.iloc[rows]).astype(np.intp)
    proba = None
    if found.probabilities is not None:
        proba = np.zeros((len(rows), len(table.classes)))
        proba[:, np.asarray(fitted.classes_).astype(np.intp)] = found.probabilities
    predicted = np.asarray(found.predicted).astype(np.intp)
    return measure.of(ScoredRows.of(true, predicted, proba, n_classes=len(table.classes)))


def _describe(scores: FloatArray, sizes: list[int], measure: Measure) -> LearningOfModel:
    n_runs = len(scores)
    has_errors = n_runs > 1
    errors = scores.std(axis=0, ddof=1) / np.sqrt(n_runs) if has_errors else None
    return LearningOfModel(
        measure=measure.title_in_sentence,
        is_share=measure.unit == "%",
        sizes=tuple(sizes),
        mean=tuple(scores.mean(axis=0).tolist()),
        error=(None,) * len(sizes) if errors is None else tuple(errors.tolist()),
        n_runs=n_runs,
        answer=_answer(scores, sizes, measure),
    )


def _answer(scores: FloatArray, sizes: list[int], measure: Measure) -> str:
    """Return whether the last increase of the number of rows improved the measure."""
    gains = (scores[:, -1] - scores[:, -2]) * (1 if measure.higher_is_better else -1)
    gain = float(gains.mean())
    error = float(gains.std(ddof=1) / np.sqrt(len(gains))) if len(gains) > 1 else None

    def write(value: float) -> str:
        return f"{100 * value:.1f} percentage points" if measure.unit == "%" else f"{value:.3f}"

    direction = "better" if gain >= 0 else "worse"
    by = f"the {measure.title_in_sentence} became {direction} by {write(abs(gain))}"
    by += "" if error is None else f" (standard error {write(error)})"
    steps = f"from {sizes[-2]:,} to {sizes[-1]:,} training rows {by}."
    if error is None:
        return f"In one run, {steps}"
    if gain > _ERRORS * error and gain > 0:
        return f"More rows would probably help: {steps}"
    return f"More rows alone would probably help little: {steps}"


__all__ = ["HeldOut", "learning_of"]
