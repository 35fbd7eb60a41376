"""Terms of fitted models whose log odds are a sum over columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from augury.arrays import FloatArray
from augury.discriminative import (
    AdditiveLogisticRegression,
    LiblinearLogisticRegression,
    LogisticRegression,
)
from augury.discriminative.logistic.spline_terms import SplineTerms
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.table import code_dtype
from augury.errors import PictureError
from augury.explain.additive_terms import AdditiveTerms, ColumnTerms, NumberTerm, Value
from augury.explain.encoded_terms import encoded_columns, encoded_rows
from augury.foreign import Table
from augury.generative import (
    BernoulliNaiveBayes,
    CorrelationWeightedNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.hybrid import (
    AugmentedClassifier,
    BlendedNaiveBayes,
    DiscriminativelyWeightedNaiveBayes,
)

# Range of a number that is shown without data, in standard deviations from the mean.
_REACH = 2.5


def additive_terms(model: Any) -> AdditiveTerms:
    """Return the terms of a fitted model.

    Raises
    ------
    PictureError
        If its log odds are not a sum of terms of single columns.

    Examples
    --------
    >>> from augury.generative import NaiveBayes
    >>> terms = additive_terms(NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["y", "y", "n"]))
    >>> terms.columns[0].labels
    ['rain', 'sun']
    >>> np.exp(terms.columns[0].scores).round(3)  # p(label | n), p(label | y)
    array([[0.667, 0.25 ],
           [0.333, 0.75 ]])
    """
    if isinstance(model, AugmentedClassifier):
        return _terms_of_hybrid(model)
    # A subclass may change the terms of its base.
    if type(model) in _KINDS:
        return _KINDS[type(model)](model)
    if (found := _terms_by_probing(model)) is not None:
        return found
    raise PictureError(
        f"the log odds of {type(model).__name__} are not a sum of terms of single columns; those "
        f"of {', '.join(kind.__name__ for kind in _KINDS)} are, and of an AugmentedClassifier "
        "with one of them as its final model"
    )


def _terms_of_hybrid(model: AugmentedClassifier) -> AdditiveTerms:
    """Return the terms of the final model, with the class labels of the hybrid."""
    terms = additive_terms(model.final_estimator_)
    columns = terms.columns
    if model.features_._reader is not None:  # the final model gets a matrix without names
        names = [*model.features_._reader.names, *model.augmented_names_]
        columns = [replace(column, name=name) for column, name in zip(columns, names, strict=True)]
    return AdditiveTerms(
        model.classes_[np.asarray(terms.classes, dtype=np.intp)],
        terms.is_known,
        terms.intercept,
        columns,
        lambda X: terms.read(model._augmented(X)),
    )


# ---- models that read tables through a TableEncoder ------------------------------------


def _terms_of_naive_bayes(model: NaiveBayes) -> AdditiveTerms:
    encoder, q = model.encoder_, len(model.classes_)
    numbers = [
        _normal_term(model, k) if model.continuous == "gaussian" else _sampled_term(model, k)
        for k in range(len(encoder.number_names_))
    ]
    zeros = [np.zeros(q)] * max(len(encoder.table_names_), len(numbers))
    return AdditiveTerms(
        model.classes_,
        np.ones(q, dtype=bool),
        model.log_prior_,
        encoded_columns(encoder, model.log_factors_, zeros, numbers, zeros),
        encoded_rows(model, encoder),
    )


def _normal_term(model: NaiveBayes, k: int) -> NumberTerm:
    """Return log N(x; mean, variance) as a polynomial in x minus the mean of the means."""
    mean, variance = model.mean_[k], model.variance_[k]
    origin = float(mean.mean())
    away = mean - origin
    return NumberTerm(
        origin,
        np.stack(
            [
                -0.5 * (np.log(2 * np.pi * variance) + away**2 / variance),
                away / variance,
                -0.5 / variance,
            ]
        ),
        _reach(mean, np.sqrt(variance)),
    )


def _sampled_term(model: NaiveBayes, k: int) -> NumberTerm:
    """Return a density without a formula: the model computes its logarithm where it is needed."""
    encoder = model.encoder_
    term = 1 + len(encoder.table_names_) + k
    moments = model.statistics_.moments.pooled()

    def sample(x: FloatArray) -> FloatArray:
        numbers = np.full((len(x), len(encoder.number_names_)), np.nan)
        numbers[:, k] = x
        n_states = encoder.n_states_
        table = CategoricalTable(
            codes=np.tile(n_states, (len(x), 1)).astype(code_dtype(int(n_states.max(initial=0)))),
            states=tuple(encoder.states_),
            names=tuple(encoder.table_names_),
            numbers=numbers,
            number_names=tuple(encoder.number_names_),
        )
        found: FloatArray = model._log_terms(table)[1][:, term]
        return found

    spread = np.sqrt(moments.variance()[k])
    return NumberTerm(
        0.0,
        np.zeros((3, len(model.classes_))),
        _reach(moments.mean[k], np.where(spread > 0, spread, 1.0)),
        sample,
    )


def _reach(mean: FloatArray, deviation: FloatArray) -> tuple[float, float]:
    return (
        float((mean - _REACH * deviation).min()),
        float((mean + _REACH * deviation).max()),
    )


def _linear_term(origin: float, slope: FloatArray, deviation: float) -> NumberTerm:
    """Return slope · (x - origin)."""
    zero = np.zeros_like(slope)
    return NumberTerm(
        origin,
        np.stack([zero, slope, zero]),
        (origin - _REACH * deviation, origin + _REACH * deviation),
    )


def _terms_of_inner_model(
    model: BlendedNaiveBayes | DiscriminativelyWeightedNaiveBayes,
) -> AdditiveTerms:
    """Return the terms of the naive Bayes whose log factors the model has fitted."""
    return replace(_terms_of_naive_bayes(model.model_), classes=model.classes_)


def _terms_of_regression(model: LogisticRegression) -> AdditiveTerms:
    encoder, q = model.encoder_, len(model.classes_)
    ends = np.cumsum(encoder.n_states_)
    states = np.split(model.coef_.T, ends)
    numbers = (
        _spline_terms(model, states[-1])
        if isinstance(model, AdditiveLogisticRegression)
        else [
            _linear_term(float(mean), slope / scale, float(scale))
            for mean, scale, slope in zip(model._mean, model._scale, states[-1], strict=True)
        ]
    )
    zeros = [np.zeros(q)] * max(len(ends), len(numbers))
    is_known = np.isin(np.arange(q), model._present)
    return AdditiveTerms(
        model.classes_,
        is_known,
        model.intercept_,
        encoded_columns(encoder, states[:-1], zeros, numbers, zeros),
        encoded_rows(model, encoder),
    )


def _spline_terms(model: AdditiveLogisticRegression, slopes: FloatArray) -> list[NumberTerm]:
    """Return the smooth function of each number; `slopes` has a row for each spline term."""
    ends = np.cumsum([splines.n_terms for splines in model._splines])
    parts = np.split(slopes, ends[:-1]) if len(ends) else []
    return [
        NumberTerm(
            0.0,
            np.zeros((3, slopes.shape[1])),
            (mean - _REACH * scale, mean + _REACH * scale),
            partial(_spline_scores, splines, mean, scale, own),
            knots=mean + scale * np.asarray(splines.knots, dtype=np.float64),
        )
        for splines, mean, scale, own in zip(
            model._splines, model._mean.tolist(), model._scale.tolist(), parts, strict=True
        )
    ]


def _spline_scores(
    splines: SplineTerms, mean: float, scale: float, slopes: FloatArray, x: FloatArray
) -> FloatArray:
    return np.asarray(splines.expand((x - mean) / scale) @ slopes, np.float64)


def _terms_of_liblinear(model: LiblinearLogisticRegression) -> AdditiveTerms:
    if len(model._present) > 2:
        raise PictureError(
            f"{type(model).__name__} fits each of more than two classes against the rest: the log "
            "odds of two classes are not a sum; those of LogisticRegression are"
        )
    reader, q = model.reader_, len(model.classes_)
    encoder = reader.encoder
    n_numbers, n_labels = len(encoder.number_names_), len(encoder.table_names_)
    slopes = model.coef_.T  # (n_terms, n_classes)
    # The first terms are scaled: the codes, if they are ordinal, and the numbers.
    n_codes = n_labels if reader._is_ordinal else 0
    scaled = slopes[: n_codes + n_numbers] / reader._spread[:, None]
    intercept = model.intercept_ - reader._shift @ scaled
    if reader._is_ordinal:
        states = [
            np.arange(n)[:, None] * scaled[k] for k, n in enumerate(encoder.n_states_.tolist())
        ]
        left_out = [reader._mean[k] * scaled[k] for k in range(n_labels)]
    else:
        states = np.split(slopes[n_numbers:], np.cumsum(encoder.n_states_)[:-1]) if n_labels else []
        left_out = [np.zeros(q)] * n_labels
    means, spreads = reader._mean[n_codes:], reader._spread[n_codes:]
    numbers = [
        NumberTerm(
            0.0,
            np.stack([np.zeros(q), slope, np.zeros(q)]),
            (mean - _REACH * spread, mean + _REACH * spread),
        )
        for mean, spread, slope in zip(means, spreads, scaled[n_codes:], strict=True)
    ]
    if reader.scaling == "range":  # the shift is the smallest number, and the sum the largest
        low = reader._shift[n_codes:]
        numbers = [
            NumberTerm(0.0, term.coefficients, (float(a), float(a + b)))
            for term, a, b in zip(numbers, low, spreads, strict=True)
        ]
    missing = [mean * slope for mean, slope in zip(means, scaled[n_codes:], strict=True)]
    return AdditiveTerms(
        model.classes_,
        np.isin(np.arange(q), model._present),
        intercept,
        encoded_columns(encoder, states, left_out, numbers, missing),
        encoded_rows(model, encoder),
    )


def _terms_of_lda(model: LinearDiscriminantAnalysis) -> AdditiveTerms:
    encoder, q = model.encoder_, len(model.classes_)
    slopes, center, fill = model._slopes.T, model._center, model.fill_values_
    n_numbers = len(encoder.number_names_)
    deviations = np.sqrt(model.statistics_.total_variance)
    numbers = [
        _linear_term(float(center[k]), slopes[k], float(deviations[k]) or 1.0)
        for k in range(n_numbers)
    ]
    missing = [(fill[k] - center[k]) * slopes[k] for k in range(n_numbers)]
    states, left_out, start = [], [], n_numbers
    for k, n in enumerate(encoder.n_states_.tolist()):
        own = slice(start, start + max(n - 1, 0))
        indicators = np.delete(np.eye(n), model._reference[k], axis=1) if n else np.zeros((0, 0))
        states.append((indicators - center[own]) @ slopes[own])
        left_out.append((fill[own] - center[own]) @ slopes[own])
        start = own.stop
    return AdditiveTerms(
        model.classes_,
        np.ones(q, dtype=bool),
        model._constants,
        encoded_columns(encoder, states, left_out, numbers, missing),
        encoded_rows(model, encoder),
    )


def _terms_of_events(model: BernoulliNaiveBayes) -> AdditiveTerms:
    q = len(model.classes_)
    absent = model.log_probability_ - model._log_weights
    columns = [
        ColumnTerms(
            str(name),
            ["absent", "present"],
            np.stack([absent[j], model.log_probability_[j]]),
            None,
            None,
            np.zeros(q),
            np.zeros(q),
        )
        for j, name in enumerate(model.encoder_.names)
    ]

    def read(X: Table) -> list[list[Value]]:
        counts = model._read(model._check_input(X, reset=False))
        dense = counts.toarray() if hasattr(counts, "toarray") else counts
        return [[None if np.isnan(x) else int(x) for x in row] for row in dense.tolist()]

    return AdditiveTerms(model.classes_, np.ones(q, dtype=bool), model.log_prior_, columns, read)


def _terms_by_probing(model: Any) -> AdditiveTerms | None:
    """Return the terms of a model of states that explains its log odds.

    The terms of all states are computed twice, beside different states of the other columns.
    None: they differ, or the model is of another kind.
    """
    encoder = getattr(model, "encoder_", None)
    if not isinstance(model, ExplainsLogOdds) or not isinstance(encoder, TableEncoder):
        return None
    if encoder.number_names_ or not encoder.table_names_:
        return None
    n_states = encoder.n_states_
    rows, columns = np.arange(int(n_states.max()) + 1)[:, None], np.arange(len(n_states))
    # The code n_states[j] is that of a value that is left out.
    codes, other = np.minimum(rows, n_states), (rows + columns) % (n_states + 1)
    first, second = (
        model._log_terms(
            CategoricalTable(
                codes=np.asfortranarray(each, dtype=code_dtype(int(n_states.max()))),
                states=tuple(encoder.states_),
                names=tuple(encoder.table_names_),
                numbers=np.empty((len(each), 0)),
                number_names=(),
            )
        )[1]
        for each in (codes, other)
    )
    prior = first[0, 0]
    expected = np.concatenate(
        [np.broadcast_to(prior, second[:, :1].shape), first[other, 1 + columns]], axis=1
    )
    if not np.allclose(second, expected, rtol=1e-9, atol=1e-12):
        return None
    scores = [first[:n, 1 + j] for j, n in enumerate(n_states.tolist())]
    left_out = [first[n, 1 + j] for j, n in enumerate(n_states.tolist())]
    return AdditiveTerms(
        model.classes_,
        np.ones(len(model.classes_), dtype=bool),
        prior,
        encoded_columns(encoder, scores, left_out, [], []),
        encoded_rows(model, encoder),
    )


_KINDS: dict[type, Callable[[Any], AdditiveTerms]] = {
    NaiveBayes: _terms_of_naive_bayes,
    BernoulliNaiveBayes: _terms_of_events,
    LinearDiscriminantAnalysis: _terms_of_lda,
    BlendedNaiveBayes: _terms_of_inner_model,
    DiscriminativelyWeightedNaiveBayes: _terms_of_inner_model,
    LogisticRegression: _terms_of_regression,
    AdditiveLogisticRegression: _terms_of_regression,
    LiblinearLogisticRegression: _terms_of_liblinear,
}

# The terms of the last kind are found by probing.
ADDITIVE_KINDS: frozenset[type] = frozenset({*_KINDS, CorrelationWeightedNaiveBayes})

__all__ = ["ADDITIVE_KINDS", "additive_terms"]
