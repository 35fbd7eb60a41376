"""What a model learned from all rows of a data set: its drawing and the influence of columns."""

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from augury.arrays import Array
from augury.data import Dataset
from augury.discriminative import C45Tree
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.bases.network_classifier import NetworkClassifier
from augury.instance_weights import fit_with_weights
from augury.models.wrapped_models import DecidingPart, final_estimator, find_deciding_part

EXPLAINED = "mean absolute part of the log odds, in nats"
MOVED = "percentage points of probability that move when the column is another row's"

# A model summary is a by-product: it must not take as long as the experiment.
_MOST_ROWS = 500
_MOST_SECONDS = 1.0
_MOST_FEATURES = 40
_LONGEST_DRAWING = 60_000  # characters; nobody reads a larger one
_LONGEST_TEXT = 20_000
_DIGITS = 5
_MOST_LABELS = 50


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a model that explains itself says, by column."""

    values: dict[str, float]
    details: dict[str, str]


def summarize_model(
    model_name: str, estimator: Any, dataset: Dataset, protocol: str
) -> dict[str, Any]:
    """Fit a model to all rows, and say what it learned.

    Parameters
    ----------
    model_name : str
        As in the store.
    estimator : classifier
        Cloned.
    dataset : Dataset
        See `augury.data`.
    protocol : {"honest", "published"}
        Whose preparation the rows get, see `augury.evaluate.cross_validate`.

    Returns
    -------
    dict
        `svg` and `text`, the drawing of a network or tree, else None; `influence`, a list of
        `feature`, `value`, `moved` and `detail`, the largest value first, with the unit of the
        values, `influence_unit`, and the number of columns, `n_features`; `notes`, what was
        left out and why; `protocol` and `n_rows`.

    Notes
    -----
    The value of a column, for models that explain themselves (`augury.generative`), is the
    mean over up to 500 rows of the absolute part that it adds to the log odds.

    Models inside a Pipeline or a search are looked at themselves, see `find_deciding_part`.

    For every model, `moved` is what happens when the column is taken from another row: the
    mean total variation distance between what the model says then and before,
    ½ Σ_c |p(c | x) - p(c | x')|, in percentage points; without probabilities, the share of
    the decisions that change. It is the value of models that do not explain themselves, and
    the one to compare models by.

    Neither looks at the true class: it is what the model listens to, not what that is worth.

    Examples
    --------
    >>> from augury.data import load_dataset
    >>> from augury.generative import TreeAugmentedNaiveBayes
    >>> iris = load_dataset("sklearn:iris")
    >>> portrait = summarize_model("tan", TreeAugmentedNaiveBayes(), iris, "honest")
    >>> portrait["svg"][:4], portrait["influence_unit"]
    ('<svg', 'mean absolute part of the log odds, in nats')
    >>> portrait["influence"][0]["feature"]
    'petal length (cm)'
    """
    return summarize_prepared(model_name, estimator, prepare_table(dataset, protocol))


def summarize_prepared(model_name: str, estimator: Any, table: PreparedTable) -> dict[str, Any]:
    """Return `summarize_model` of rows that the protocol has prepared."""
    notes: list[str] = []
    fitted = _fit(estimator, table)
    if isinstance(table.X, pd.DataFrame):
        sample = table.X.iloc[np.random.default_rng(0).permutation(len(table.X))[:_MOST_ROWS]]
        part = find_deciding_part(fitted, sample)
        svg, text = _drawing(part.estimator, notes)
        unit, lines = _find_influence(fitted, sample, part, notes)
    else:
        svg, text = _drawing(fitted, notes)
        unit, lines = None, []
        notes.append("The influence of columns is left out: the rows are no data frame.")
    return {
        "model": model_name,
        "protocol": table.protocol,
        "n_rows": len(table.X),
        "svg": svg,
        "text": text,
        "influence": lines[:_MOST_FEATURES],
        "influence_unit": unit,
        "n_features": len(lines),
        "notes": notes,
    }


def _fit(estimator: Any, table: PreparedTable) -> Any:
    y = table.y
    if isinstance(final_estimator(estimator), C45Tree) and len(set(table.classes)) == len(
        table.classes
    ):
        y = y.cat.rename_categories(table.classes)  # the leaves name them
    return fit_with_weights(clone(estimator), table.X, y, table.weight)


def _drawing(fitted: Any, notes: list[str]) -> tuple[str | None, str | None]:
    if not isinstance(fitted, NetworkClassifier | C45Tree):
        return None, None
    svg: str | None = fitted.draw("svg")
    text: str = fitted.draw("text")
    if svg is not None and len(svg) > _LONGEST_DRAWING:
        notes.append(f"The drawing is left out: it has {len(svg)} characters.")
        svg = None
    if len(text) > _LONGEST_TEXT:
        notes.append(f"Of the text only the beginning is kept: it has {len(text)} characters.")
        text = text[: text.rfind("\n", 0, _LONGEST_TEXT)]
    return svg, text


def _find_influence(
    fitted: Any, sample: pd.DataFrame, part: DecidingPart, notes: list[str]
) -> tuple[str | None, list[dict[str, Any]]]:
    """Return the unit, and a line for each column, the largest value first."""
    parts = _explain(part, notes) if _explains(part.estimator) else None
    # Columns that the model never sees need not be moved; where the steps before it make
    # other columns, those of the table mean more to a reader.
    if part.keeps_columns_of(sample):
        moved = _move(part.estimator, part.rows, notes)
    else:
        moved = _move(fitted, sample, notes)
    if parts is None and moved is None:
        return None, []
    moved = {name: round(value, _DIGITS) for name, value in (moved or {}).items()}
    values = moved if parts is None else parts.values
    lines = [
        {
            "feature": name,
            "value": round(value, _DIGITS),
            "moved": moved.get(name),
            "detail": None if parts is None else parts.details.get(name),
        }
        for name, value in values.items()
    ]
    unit = MOVED if parts is None else EXPLAINED
    return unit, sorted(lines, key=lambda line: -line["value"])


def _explains(fitted: Any) -> bool:
    return isinstance(fitted, ExplainsLogOdds) and len(getattr(fitted, "classes_", ())) > 1


def _explain(part: DecidingPart, notes: list[str]) -> _Parts | None:
    with np.errstate(invalid="ignore"):  # infinite less infinite
        parts = part.estimator.explain(part.rows).iloc[:, 1:].abs()  # the first is the prior
    if not isinstance(part.rows, pd.DataFrame):  # an array's columns are x0, x1, …
        parts = parts.rename(columns={f"x{j}": name for j, name in enumerate(part.names)})
    values = {str(name): float(column.mean()) for name, column in parts.items()}
    if not np.isfinite(list(values.values())).all():
        notes.append("The parts of the log odds are left out: some are infinite.")
        return None
    seen = part.rows if isinstance(part.rows, pd.DataFrame) else pd.DataFrame()
    details = {
        str(name): label
        for name in parts.columns
        if name in seen.columns and (label := _strongest_label(seen[name], parts[name]))
    }
    return _Parts(values, details)


def _strongest_label(column: pd.Series, parts: pd.Series) -> str | None:
    """Return the label that moves the odds most; None for numbers."""
    labels = column.astype(object)
    if pd.api.types.is_numeric_dtype(column.dtype) or labels.nunique() > _MOST_LABELS:
        return None
    means = parts.groupby(labels.to_numpy()).mean()
    return None if means.empty else f"most where it is {means.idxmax()}: {means.max():.2f}"


def _move(fitted: Any, sample: pd.DataFrame, notes: list[str]) -> dict[str, float] | None:
    """Take each column from the next row of a random order, and see what moves."""
    if len(sample) < 2:
        notes.append("What moves the model is left out: there is one row only.")
        return None
    start = process_time()  # not the wall's: what else runs is not the model's fault
    said = _probabilities(fitted, sample)
    values: dict[str, float] = {}
    for j, name in enumerate(sample.columns):
        if process_time() - start > _MOST_SECONDS:
            notes.append(
                f"What moves the model is left out: {j} of {sample.shape[1]} columns took "
                f"more than {_MOST_SECONDS:g} s."
            )
            return None
        # `take` keeps the type, declared labels included.
        other = sample.iloc[:, j].take(np.roll(np.arange(len(sample)), 1))
        changed = sample.copy(deep=False)
        changed.isetitem(j, other.set_axis(sample.index))
        moved = 0.5 * np.abs(_probabilities(fitted, changed) - said).sum(axis=1)
        values[str(name)] = 100.0 * float(moved.mean())
    return values


def _probabilities(fitted: Any, X: pd.DataFrame) -> Array:
    if hasattr(fitted, "predict_proba"):
        return np.asarray(fitted.predict_proba(X), dtype=np.float64)
    predicted = np.asarray(fitted.predict(X))
    decided: Array = (predicted[:, None] == np.asarray(fitted.classes_)).astype(np.float64)
    return decided


def empty_summary(model: str, notes: list[str]) -> dict[str, Any]:
    """Return the summary of a model of which nothing is known, with the reasons."""
    return {
        "model": model,
        "svg": None,
        "text": None,
        "influence": [],
        "influence_unit": None,
        "n_features": 0,
        "notes": notes,
    }


__all__ = ["EXPLAINED", "MOVED", "empty_summary", "summarize_model", "summarize_prepared"]
