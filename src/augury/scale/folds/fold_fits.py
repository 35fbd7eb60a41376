"""Fits of models to the training sets of all folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from augury.data.errors import DataError
from augury.encode import TableEncoder
from augury.generative.bases.encoded_classifier import EncodedClassifier
from augury.generative.bases.generative_classifier import AnyGenerativeClassifier
from augury.hybrid import AugmentedClassifier
from augury.scale.folds.fold_counts import CountFolds, ReadsRows, SumOverRows
from augury.scale.folds.shared_encoding import content_key
from augury.scale.folds.shared_passes import SharedFit, SharedRows, run_side_by_side
from augury.scale.folds.training_sets import FoldedTable, TrainingSet
from augury.scale.rows.engine import Engine
from augury.scale.rows.streamed_rows import NO_ROWS
from augury.scale.training.augmented_fit import fit_augmented
from augury.scale.training.generative_fit import StreamedTraining
from augury.scale.training.logistic_fit import fit_logistic


@dataclass(eq=False)
class FoldFit:
    """A model, and its fit to the training set of a fold.

    Attributes
    ----------
    name : name of the model
    training : the training set
    model : the model, whose classes are codes
    error : the error of the fit, or None
    seconds : time of the fit; that of shared work is divided among the fits
    """

    name: str
    training: TrainingSet
    model: Any
    error: Exception | None = None
    seconds: float = 0.0


def fit_counting_models(
    table: FoldedTable, models: Mapping[str, AnyGenerativeClassifier]
) -> list[FoldFit]:
    """Fit clones of generative models to all training sets; a pass serves all that need one.

    The rows of a fold are counted once for all training sets that read them in the same way and
    take the same sums: the statistics of a training set are the sum of those of the other folds.
    Otherwise they are counted for each training set, in the same pass.
    """
    fits = [
        FoldFit(name, training, clone(model))
        for name, model in models.items()
        for training in table.training_sets
    ]
    prepared = [each for fit in fits if (each := _prepare(fit, len(table.classes))) is not None]
    _share_encoders(prepared)
    by_fit = {each.shared: each for each in prepared}
    run_side_by_side(list(by_fit), partial(_compute_sums, table=table, prepared=by_fit))
    for shared, each in by_fit.items():
        each.fit.error = shared.error
        each.fit.seconds += shared.seconds
    return fits


def fit_regression(training: TrainingSet, engine: Engine, name: str, model: Any) -> FoldFit:
    """Fit a clone of a logistic regression or of a hybrid to a training set.

    Its encoded rows are kept by the engine, and read again in each step.
    """
    fit = FoldFit(name, training, clone(model))
    reading = replace(training.reading, engine=engine, bins=dict(training.reading.bins))
    start = perf_counter()
    try:
        if isinstance(model, AugmentedClassifier):
            fit_augmented(fit.model, reading)
        else:
            fit_logistic(fit.model, reading)
    except DataError:  # the source cannot be read
        raise
    except (TypeError, ValueError) as error:
        fit.error = error
        return fit
    fit.seconds = perf_counter() - start
    fit.model.classes_ = np.arange(len(reading.classes))
    return fit


@dataclass(eq=False)
class _PreparedFit:
    """A model that has learned how to read, and what reads its rows."""

    fit: FoldFit
    shared: SharedFit
    reads: ReadsRows


def _prepare(fit: FoldFit, n_classes: int) -> _PreparedFit | None:
    """Learn how to read; None, and a note of the error, if the model cannot."""
    model, reading = fit.model, fit.training.reading
    try:
        model._prepare_stream(reading.learn, reading.first, np.arange(n_classes))
        first = (model._read(reading.first), fit.training.first_codes, None)
    except Exception as error:  # noqa: BLE001 - the caller decides what becomes of it
        fit.error = error
        return None
    rows = SharedRows(first)
    work = partial(model.fit_read, StreamedTraining(model, rows))
    is_encoded = type(model)._read is EncodedClassifier._read
    is_encoded = is_encoded and isinstance(model.encoder_, TableEncoder)
    return _PreparedFit(fit, SharedFit(work, rows), model.encoder_ if is_encoded else model)


def _share_encoders(prepared: Sequence[_PreparedFit]) -> None:
    """Let models with equal encoders of equal columns have the same encoder."""
    known: dict[object, TableEncoder] = {}
    for each in prepared:
        if isinstance(each.reads, TableEncoder):
            key = (each.fit.training.tidy_key, content_key(each.reads))
            each.reads = each.fit.model.encoder_ = known.setdefault(key, each.reads)


def _compute_sums(
    asked: Sequence[tuple[SharedFit, Callable[..., Any]]],
    table: FoldedTable,
    prepared: Mapping[SharedFit, _PreparedFit],
) -> list[Any]:
    """Compute the sums that fits ask for, in one pass."""
    groups: dict[object, list[tuple[int, _PreparedFit, Callable[..., Any]]]] = {}
    for place, (shared, function) in enumerate(asked):
        each = prepared[shared]
        content = content_key(function)
        key = place if content is None else (id(each.reads), content)
        groups.setdefault(key, []).append((place, each, function))
    work = CountFolds(table.reader)
    for (_, each, function), *others in groups.values():
        training = each.fit.training
        left_out = None if others else training.fold
        work.add(training.tidy_key, training.tidy, SumOverRows(each.reads, function, left_out))
    sums = table.engine.total(table.parts, work)
    if sums is None:
        raise DataError(NO_ROWS)
    totals: list[Any] = [None] * len(asked)
    for group, value, seconds in zip(groups.values(), sums.values, sums.seconds, strict=True):
        of_sets = value.of_training_sets() if len(group) > 1 else None
        for place, each, _ in group:
            totals[place] = value if of_sets is None else of_sets[each.fit.training.fold]
            each.fit.seconds += seconds / len(group)
    return totals


__all__ = ["FoldFit", "fit_counting_models", "fit_regression"]
