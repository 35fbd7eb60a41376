"""Computation of a model summary: drawing of the model and influence of the columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from augury.arrays import FloatArray
from augury.bases.draws_structure import DrawsStructure
from augury.bases.explained_classifier import ExplainedClassifier
from augury.bases.partial_scores import log_scores
from augury.data import Dataset
from augury.discriminative import C45Tree
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.explain.summary_contents import ColumnInfluence, ModelSummary
from augury.foreign import Classifier
from augury.generative import AveragedOneDependence, NaiveBayes
from augury.hybrid import BlendedNaiveBayes
from augury.instance_weights import fit_with_weights
from augury.models.wrapped_models import DecidingPart, final_estimator, find_deciding_part

EXPLAINED = "mean absolute contribution to the log odds, in nats"
MOVED = "change of the class probabilities, in percentage points, with the column of another row"

# A model summary is a by-product: it must not take as long as the experiment.
_MAX_ROWS = 500
_PERMUTATIONS = 32
_MAX_SECONDS = 1.0
_MAX_FEATURES = 40
_MAX_DRAWING = 60_000  # characters; a larger drawing is not readable
_MAX_TEXT = 20_000
_MAX_LABELS = 50
_DIGITS = 5
# Models whose structure does not depend on the rows are not drawn.
_SAME_FOR_ALL_TABLES = (NaiveBayes, BlendedNaiveBayes, AveragedOneDependence)


@dataclass(frozen=True, slots=True)
class _Contributions:
    """Mean absolute contributions to the log odds, and the strongest label, by column."""

    values: Mapping[str, float]
    details: Mapping[str, str]


def summarize_model(
    model_name: str, estimator: Classifier, dataset: Dataset, protocol: str
) -> ModelSummary:
    """Fit a model to all rows of a data set and summarize what it learned.

    Parameters
    ----------
    model_name : str
        Name of the model in the store.
    estimator : classifier
        Model; a clone of it is fitted.
    dataset : Dataset
        See `augury.data`.
    protocol : {"honest", "published"}
        Protocol by which the rows are prepared, see `augury.evaluate.cross_validate`.

    Returns
    -------
    ModelSummary
        Drawing and influence of the columns.

    Notes
    -----
    The value of a column, for models with `explain` and finite log odds, is the mean absolute
    contribution of the column to the log odds, over at most 500 rows. Shapley values are computed
    for as many of these rows as a second allows, of at most 32 permutations each.

    For a model inside a Pipeline or a search, the innermost model is summarized, see
    `find_deciding_part`.

    For every model, `moved` is the effect of taking the column from another row: the mean total
    variation distance between the class probabilities before and after,
    ``½ Σ_c |p(c | x) - p(c | x')|``, in percentage points. For a model without probabilities it is
    the share of the predictions that change. It is the value of models that do not explain
    their log odds. Use it to compare models.

    Both numbers ignore the true class: they measure how much the model uses a column, not how
    much the column improves the predictions.

    Examples
    --------
    >>> from augury.data import load_dataset
    >>> from augury.generative import TreeAugmentedNaiveBayes
    >>> iris = load_dataset("sklearn:iris")
    >>> summary = summarize_model("tan", TreeAugmentedNaiveBayes(), iris, "honest")
    >>> summary.svg[:4], summary.influence_unit
    ('<svg', 'mean absolute contribution to the log odds, in nats')
    >>> summary.influence[0].feature
    'petal length (cm)'
    """
    return summarize_prepared(model_name, estimator, prepare_table(dataset, protocol))


def summarize_prepared(
    model_name: str, estimator: Classifier, table: PreparedTable
) -> ModelSummary:
    """Return `summarize_model` for rows that the protocol has prepared."""
    notes: list[str] = []
    fitted = _fit(estimator, table)
    lines: list[ColumnInfluence] = []
    unit = None
    if isinstance(table.X, pd.DataFrame):
        sample = table.X.iloc[np.random.default_rng(0).permutation(len(table.X))[:_MAX_ROWS]]
        part = find_deciding_part(fitted, sample)
        svg, text = _drawing(part.estimator, notes)
        unit, lines = _find_influence(fitted, sample, part, notes)
    else:
        svg, text = _drawing(fitted, notes)
        notes.append("The influence of columns is left out: the rows are not a data frame.")
    return ModelSummary(
        model=model_name,
        protocol=table.protocol,
        n_rows=len(table.X),
        svg=svg,
        text=text,
        influence=tuple(lines[:_MAX_FEATURES]),
        influence_unit=unit,
        n_features=len(lines),
        notes=tuple(notes),
    )


def _fit(estimator: Classifier, table: PreparedTable) -> Classifier:
    y = table.y
    if isinstance(final_estimator(estimator), C45Tree) and len(set(table.classes)) == len(
        table.classes
    ):
        y = y.cat.rename_categories(table.classes)  # the leaves show the class names
    fitted: Classifier = fit_with_weights(clone(estimator), table.X, y, table.weight)
    return fitted


def _drawing(fitted: object, notes: list[str]) -> tuple[str | None, str | None]:
    if not isinstance(fitted, DrawsStructure) or isinstance(fitted, _SAME_FOR_ALL_TABLES):
        return None, None
    svg: str | None = fitted.draw("svg")
    text: str = fitted.draw("text")
    if svg is not None and len(svg) > _MAX_DRAWING:
        notes.append(f"The drawing is left out: it has {len(svg)} characters.")
        svg = None
    if len(text) > _MAX_TEXT:
        notes.append(f"Only the beginning of the text is kept: it has {len(text)} characters.")
        text = text[: text.rfind("\n", 0, _MAX_TEXT)]
    return svg, text


def _find_influence(
    fitted: Classifier, sample: pd.DataFrame, part: DecidingPart, notes: list[str]
) -> tuple[str | None, list[ColumnInfluence]]:
    """Return the unit, and a line for each column by descending value."""
    explained = _explain(part, notes) if _explains(part) else None
    # Columns that the model does not read are skipped. If the steps before the model make
    # other columns, the columns of the table are moved: a reader knows these.
    if part.keeps_columns_of(sample):
        moved = _move(part.estimator, part.rows, notes)
    else:
        moved = _move(fitted, sample, notes)
    if explained is None and moved is None:
        return None, []
    moved = {name: round(value, _DIGITS) for name, value in (moved or {}).items()}
    values = moved if explained is None else explained.values
    lines = [
        ColumnInfluence(
            feature=name,
            value=round(value, _DIGITS),
            moved=moved.get(name),
            detail=None if explained is None else explained.details.get(name),
        )
        for name, value in values.items()
    ]
    unit = MOVED if explained is None else EXPLAINED
    return unit, sorted(lines, key=lambda line: -line.value)


def _explains(part: DecidingPart) -> bool:
    """Return whether the model explains its log odds, and all of them are finite."""
    fitted = part.estimator
    if not isinstance(fitted, ExplainedClassifier) or not hasattr(fitted, "predict_proba"):
        return False
    scores = log_scores(fitted, part.rows)
    return scores.shape[1] > 1 and bool(np.isfinite(np.sort(scores, axis=1)[:, -2:]).all())


def _explain(part: DecidingPart, notes: list[str]) -> _Contributions | None:
    start = process_time()  # other processes do not count
    first = part.estimator.explain(_first_rows(part.rows, 1), n_permutations=_PERMUTATIONS)
    seconds = process_time() - start
    if seconds > _MAX_SECONDS:
        notes.append(
            "The contributions to the log odds are left out: those of one row take more than "
            f"{_MAX_SECONDS:g} s."
        )
        return None
    n_rows = part.rows.shape[0]
    if first.attrs["method"] != "terms":
        n_rows = min(n_rows, max(1, int(_MAX_SECONDS / max(seconds, 1e-9))))
    rows = _first_rows(part.rows, n_rows)
    # Column 0 is the prior.
    contributions = part.estimator.explain(rows, n_permutations=_PERMUTATIONS).iloc[:, 1:].abs()
    if not isinstance(part.rows, pd.DataFrame):  # an array's columns are x0, x1, …
        contributions = contributions.rename(
            columns={f"x{j}": name for j, name in enumerate(part.names)}
        )
    values = {str(name): float(column.mean()) for name, column in contributions.items()}
    seen = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame()
    details = {
        str(name): label
        for name in contributions.columns
        if name in seen.columns and (label := _strongest_label(seen[name], contributions[name]))
    }
    return _Contributions(values, details)


def _first_rows(rows: Any, n_rows: int) -> Any:
    return rows.iloc[:n_rows] if isinstance(rows, pd.DataFrame) else rows[:n_rows]


def _strongest_label(column: pd.Series, contributions: pd.Series) -> str | None:
    """Return the label with the largest mean contribution; None for numbers."""
    labels = column.astype(object)
    if pd.api.types.is_numeric_dtype(column.dtype) or labels.nunique() > _MAX_LABELS:
        return None
    means = contributions.groupby(labels.to_numpy()).mean()
    return None if means.empty else f"largest for {means.idxmax()}: {means.max():.2f}"


def _move(fitted: Classifier, sample: pd.DataFrame, notes: list[str]) -> dict[str, float] | None:
    """Return the change of the class probabilities if a column is taken from the next row."""
    if len(sample) < 2:
        notes.append("The effect of moved columns is left out: there is only one row.")
        return None
    start = process_time()  # other processes do not count
    before = _probabilities(fitted, sample)
    values: dict[str, float] = {}
    for j, name in enumerate(sample.columns):
        if process_time() - start > _MAX_SECONDS:
            notes.append(
                f"The effect of moved columns is left out: {j} of {sample.shape[1]} columns took "
                f"more than {_MAX_SECONDS:g} s."
            )
            return None
        # `take` keeps the type and the declared labels.
        other = sample.iloc[:, j].take(np.roll(np.arange(len(sample)), 1))
        changed = sample.copy(deep=False)
        changed.isetitem(j, other.set_axis(sample.index))
        moved = 0.5 * np.abs(_probabilities(fitted, changed) - before).sum(axis=1)
        values[str(name)] = 100.0 * float(moved.mean())
    return values


def _probabilities(fitted: Any, X: pd.DataFrame) -> FloatArray:
    if hasattr(fitted, "predict_proba"):
        return np.asarray(fitted.predict_proba(X), dtype=np.float64)
    predicted = np.asarray(fitted.predict(X))
    decided: FloatArray = (predicted[:, None] == np.asarray(fitted.classes_)).astype(np.float64)
    return decided


__all__ = ["EXPLAINED", "MOVED", "summarize_model", "summarize_prepared"]
