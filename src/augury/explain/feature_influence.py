"""Influence of the columns on the loss of any classifier, by permutation."""

from __future__ import annotations

from time import process_time
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray, IntegerArray
from augury.counts import floored_log
from augury.foreign import Labels, Table
from augury.hybrid.inner_models.tables import as_frame
from augury.validation import check_integer

_OWNER = "feature_influence"
_FEWEST_ROWS = 50


def feature_influence(
    fitted: Any,
    X: Table,
    y: Labels,
    *,
    n_rows: int = 1000,
    n_repeats: int = 3,
    random_state: int = 0,
    max_seconds: float | None = None,
) -> pd.DataFrame:
    """Return how much worse a classifier predicts if a column is shuffled.

    The values of one column are shuffled among the rows, so that it tells nothing about the class.
    The influence of the column is the increase of the log loss; for a classifier without
    probabilities it is the increase of the error rate.

    Parameters
    ----------
    fitted : classifier
        Any fitted classifier, of augury or of another library; also a Pipeline.
    X, y : rows and their classes
        Rows that the model was not fitted to: with training rows, the columns that the model
        overfits seem to have influence.
    n_rows : int
        Rows that are used; a random sample if X has more.
    n_repeats : int
        Shuffles of each column.
    random_state : int
    max_seconds : float or None
        About the largest processor time. If the prediction of the rows as they are shows that all
        columns take longer, fewer rows are used, but at least 50, and then fewer shuffles. Columns
        that are not reached within twice the time are absent.

    Returns
    -------
    DataFrame
        The index has the columns of X, by descending influence. `influence` is the mean increase
        of the loss, `error` its standard error over the shuffles, and `changed` the share of the
        rows whose predicted class changes. `attrs` has `measure` ("log loss" or "error rate"), its
        value `loss` on the rows as they are, `n_rows`, `n_repeats`, and `n_left_out`, the number of
        columns that are absent.

    Notes
    -----
    If two columns tell the same, the model may use either of them, and both may have a small
    influence. A negative influence means that the column misleads the model on these rows.

    L. Breiman (2001): Random forests. Machine Learning 45, 5-32; A. Fisher, C. Rudin, F. Dominici
    (2019): All models are wrong, but many are useful. JMLR 20 (177).

    Examples
    --------
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"] * 9, "coin": ["h", "t"] * 18})
    >>> y = ["out", "out", "in", "in"] * 9
    >>> found = feature_influence(NaiveBayes().fit(X, y), X, y)
    >>> found.index.tolist(), bool(found.loc["sky", "influence"] > 1), found.attrs["measure"]
    (['sky', 'coin'], True, 'log loss')
    >>> float(found.loc["coin", "influence"])
    0.0
    """
    check_is_fitted(fitted)
    n_rows = check_integer(_OWNER, "n_rows", n_rows, at_least=2)
    n_repeats = check_integer(_OWNER, "n_repeats", n_repeats, at_least=1)
    frame, labels = _as_pandas(X), np.asarray(y)
    if len(labels) != len(frame):
        raise ValueError(f"{_OWNER}: y must have {len(frame)} classes, got {len(labels)}")
    rng = np.random.default_rng(random_state)
    if len(frame) > n_rows:
        frame, labels = _take(frame, labels, np.sort(rng.permutation(len(frame))[:n_rows]))
    before = _Losses.of(fitted, frame, labels)
    seconds = before.seconds * frame.shape[1] * n_repeats
    if max_seconds is not None and seconds > max_seconds:
        fewer = max(int(len(frame) * max_seconds / seconds), _FEWEST_ROWS)
        frame, labels = _take(frame, labels, np.arange(min(fewer, len(frame))))
        before = _Losses.of(fitted, frame, labels)
        possible = max_seconds / max(before.seconds * frame.shape[1], 1e-9)
        n_repeats = int(np.clip(possible, 1, n_repeats))
    start = process_time()
    orders = [rng.permutation(len(frame)) for _ in range(n_repeats)]
    lines = {}
    for j, name in enumerate(frame.columns):
        if max_seconds is not None and process_time() - start > 2 * max_seconds:
            break
        shuffled = [_Losses.of(fitted, _shuffled(frame, j, order), labels) for order in orders]
        rises = np.array([each.mean - before.mean for each in shuffled])
        changed = np.mean([(each.predicted != before.predicted).mean() for each in shuffled])
        error = rises.std(ddof=1) / np.sqrt(n_repeats) if n_repeats > 1 else np.nan
        lines[str(name)] = (float(rises.mean()), float(error), float(changed))
    table = pd.DataFrame.from_dict(
        lines, orient="index", columns=["influence", "error", "changed"]
    ).sort_values("influence", ascending=False, kind="stable")
    table.attrs = {
        "measure": before.measure,
        "loss": before.mean,
        "n_rows": len(frame),
        "n_repeats": n_repeats,
        "n_left_out": frame.shape[1] - len(lines),
    }
    return table


class _Losses:
    """Mean loss of rows, their predicted classes, and the processor time of the prediction."""

    def __init__(self, measure: str, losses: FloatArray, predicted: Array, start: float) -> None:
        self.seconds = process_time() - start
        self.measure = measure
        self.mean = float(losses.mean())
        self.predicted = predicted

    @classmethod
    def of(cls, fitted: Any, X: pd.DataFrame, labels: Array) -> _Losses:
        start = process_time()
        if not hasattr(fitted, "predict_proba"):
            predicted = np.asarray(fitted.predict(X))
            return cls("error rate", (predicted != labels).astype(np.float64), predicted, start)
        proba = np.asarray(fitted.predict_proba(X), dtype=np.float64)
        classes = np.asarray(fitted.classes_)
        is_true = labels[:, None] == classes[None, :]
        own = np.where(is_true, proba, 0.0).sum(axis=1)
        return cls("log loss", -floored_log(own), classes[proba.argmax(axis=1)], start)


def _as_pandas(X: Table) -> pd.DataFrame:
    frame = as_frame(X)
    if isinstance(frame, pd.DataFrame):
        return frame
    return nw.from_native(frame, eager_only=True).to_pandas()


def _take(X: pd.DataFrame, y: Array, rows: IntegerArray) -> tuple[pd.DataFrame, Array]:
    return X.iloc[rows], y[rows]


def _shuffled(X: pd.DataFrame, j: int, order: IntegerArray) -> pd.DataFrame:
    """Return rows whose column j is in another order; `take` keeps the declared labels."""
    changed = X.copy(deep=False)
    changed.isetitem(j, X.iloc[:, j].take(order).set_axis(X.index))
    return changed


__all__ = ["feature_influence"]
