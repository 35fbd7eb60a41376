"""Attributions of a model whose columns include the class probabilities of another model."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from scipy import sparse

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.attribution import Attribution
from augury.bases.explained_classifier import ExplainedClassifier
from augury.bases.partial_scores import PartialScores, log_scores, partial_scores
from augury.counts import normalize
from augury.discriminative import LogisticRegression
from augury.foreign import Table
from augury.hybrid.generative_features import GenerativeFeatures
from augury.hybrid.inner_models.tables import as_frame
from augury.validation import is_pandas, is_read_once

# Log odds of an inner model beyond this number are cut off when they become meta-features.
_LARGEST_LOG_ODDS = 700.0


def hybrid_scores(
    features: GenerativeFeatures, last: Any, X: Table, shared: Table
) -> PartialScores:
    """Return scores of rows of which some original columns are left out.

    The inner model leaves them out when it computes the meta-features, and the final model leaves
    them out beside the meta-features.

    Parameters
    ----------
    features : the fitted inner model with its meta-features
    last : the fitted final model
    X, shared : checked rows, as given and as `shared_table` returns them
    """
    n_classes = len(features.classes_)
    inner, last_classes = features.estimator_, np.asarray(last.classes_, dtype=np.intp)
    first = partial_scores(inner, shared)
    matrix_of = None if features._reader is None else features._reader.leaving_out(X)
    rows_of = as_frame(shared if _reads_codes(last) else X)

    def score(rows: IntegerArray, known: BoolArray) -> Array:
        proba = np.zeros((len(rows), n_classes))
        proba[:, np.asarray(inner.classes_, dtype=np.intp)] = normalize(first(rows, known))
        meta_features = features.columns_of(proba)
        scores = np.full((len(rows), n_classes), -np.inf)
        if matrix_of is not None:
            joined = features.join_matrix(matrix_of(rows, known), meta_features)
            scores[:, last_classes] = log_scores(last, joined)
            return scores
        joined = features.join(_repeat_rows(rows_of, rows), meta_features)
        n_passed = joined.shape[1] - meta_features.shape[1]
        given = np.ones((len(rows), meta_features.shape[1]), dtype=bool)
        masks = np.hstack([known[:, :n_passed], given])
        scores[:, last_classes] = partial_scores(last, joined)(np.arange(len(rows)), masks)
        return scores

    return score


def _reads_codes(model: Any) -> bool:
    """Return whether a model leaves columns out after it has read them."""
    own = getattr(type(model), "_partial_scores", None)
    return own is not None and own is not ExplainedClassifier._partial_scores


def _repeat_rows(X: Table, rows: IntegerArray) -> Table:
    """Return the rows of these indices; a row may occur several times."""
    if is_read_once(X):
        return X.repeat_rows(rows)
    if sparse.issparse(X):
        return X[rows]
    if is_pandas(X):
        return X.take(rows)
    return nw.from_native(X, eager_only=True)[rows.tolist(), :].to_native()


def chained_attribution(
    features: GenerativeFeatures,
    last: Any,
    X: Table,
    augmented: Table,
    weights: Array,
    n_permutations: int | None,
) -> Attribution | None:
    """Return the attribution by a regression on log odds, or None if it is no such model.

    The score of the regression is linear in the log odds of the inner model. An original column
    contributes its own term, and the coefficients of the log odds times its contribution to the
    log odds of the inner model.

    Parameters
    ----------
    features, last : the fitted inner model with its meta-features, and the final model
    X : checked rows
    augmented : the rows with their meta-features, as the final model gets them
    weights : array of shape (n_samples, n_classes), which sum to 0 in each row
    n_permutations : see `attribute_by_shapley`
    """
    inner, n_classes = features.estimator_, len(features.classes_)
    if not (
        features.output == "log_odds"
        and features.encoding in ("as_is", "none")
        and isinstance(last, LogisticRegression)
        and isinstance(inner, ExplainedClassifier)
        and len(inner.classes_) == n_classes
    ):
        return None
    n_meta = len(features.augmented_names_)
    n_passed = augmented.shape[1] - n_meta
    slopes = last.number_slopes(np.arange(n_passed, augmented.shape[1]))
    scores = log_scores(inner, X)
    spread = scores.max(axis=1) - scores.min(axis=1)
    absent = np.isneginf(log_scores(last, augmented)) & (weights != 0)
    if slopes is None or absent.any() or not (spread < _LARGEST_LOG_ODDS).all():
        return None
    whole = last._attribute(augmented, weights, n_permutations)
    # Σ_k γ_k log_odds_k is this functional of the log p of the inner model.
    gamma = weights @ slopes.T / features.scaled_unit
    inner_weights = np.hstack([-gamma, gamma])
    if n_classes > 2:
        inner_weights = gamma - gamma.mean(axis=1, keepdims=True)
    chained = inner._attribute(inner._check_explained(X), inner_weights, n_permutations)
    # What the meta-features add beyond that is a constant: their shift and scale.
    of_meta = whole.contributions[:, n_passed:].sum(axis=1)
    constant = of_meta - chained.prior - chained.contributions.sum(axis=1)
    if n_passed == 0:
        return chained.plus_prior(whole.prior + constant)
    direct = Attribution(
        whole.prior + constant,
        whole.contributions[:, :n_passed],
        whole.variance[:, :n_passed],
        whole.method,
    )
    return direct + chained


__all__ = ["chained_attribution", "hybrid_scores"]
