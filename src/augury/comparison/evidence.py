"""What a store says about the models of one table: the question, and the folds of each model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from statistics import fmean

import numpy as np

from augury.arrays import Array
from augury.comparison.default_models import role_of, tier_of
from augury.comparison.job import PROTOCOL
from augury.comparison.verdict import Candidate, Question
from augury.errors import StoreError
from augury.evaluate import MEASURES, Measure, MeasureChoice, choose_measure, find_measure
from augury.evaluate.fold_results import FoldResult
from augury.experiments.measured_folds import measure_folds, measure_runs
from augury.experiments.store.stored_results import StoredDataset, StoredResults
from augury.foreign import Classifier

# Measures of a row of the store; others need the predictions of single rows.
_OF_ROWS = ("accuracy", "log_loss", "brier")
# In small folds it is larger than in all rows of a run taken together.
_OF_RUNS = ("ece",)


def ask(stored: StoredResults, dataset: str, measure: str | None = None) -> Question:
    """Return what is predicted, and the measure.

    Parameters
    ----------
    stored : StoredResults
        Store that has the data set.
    dataset : str
        Its name.
    measure : str, default=None
        Name of a measure, see `augury.evaluate.find_measure`; by default it is chosen from the
        numbers of rows of the classes.

    Raises
    ------
    ValueError
        If there is no such measure, or if it needs predictions that the store does not keep.
    """
    known = _find(stored, dataset)
    classes = [str(label) for label in known.details.get("classes", ())]
    counts = _count_classes(stored, known)
    choice = decide_measure(counts, classes, measure, keeps_rows=len(known.labels) > 0)
    target = str(known.details.get("target", "the class"))
    return Question(dataset, target, classes, counts, choice)


def decide_measure(
    counts: Array, classes: Sequence[str], measure: str | None, *, keeps_rows: bool = True
) -> MeasureChoice:
    """Return the measure that is asked for, or the one that suits the classes.

    Without predictions of single rows, as on a table that is read in pieces, there are accuracy,
    log loss and Brier score only.
    """
    found = choose_measure(counts, classes)
    if measure is not None:
        if not keeps_rows:
            check_measure_of_pieces(measure)
        asked = find_measure(measure, classes)
        reason = f"Models are ordered by {asked.title}, as asked for."
        return MeasureChoice(asked, found.tie_breaker, reason)
    if keeps_rows or found.measure.key in _OF_ROWS:
        return found
    log_loss = MEASURES["log_loss"]
    reason = "Models are ordered by log loss, because a class is rare and the rows are not kept."
    return MeasureChoice(log_loss, log_loss, reason)


def check_measure_of_pieces(measure: str | None) -> None:
    """Raise an error if a measure needs predictions of single rows, which pieces do not keep.

    >>> check_measure_of_pieces("auc")
    Traceback (most recent call last):
    ValueError: the measure must be one of accuracy, log_loss, brier for a table that is read in \
pieces, got 'auc'
    """
    if measure is not None and measure.replace("-", "_") not in _OF_ROWS:
        raise ValueError(
            f"the measure must be one of {', '.join(_OF_ROWS)} for a table that is read in "
            f"pieces, got {measure!r}"
        )


def collect_candidates(
    stored: StoredResults,
    question: Question,
    models: Mapping[str, Classifier],
    *,
    with_all_measures: bool = False,
) -> list[Candidate]:
    """Return the models that have completed folds.

    Parameters
    ----------
    stored : StoredResults
        Results; all stored folds of a model count.
    question : Question
        See `ask`.
    models : mapping from name to unfitted model
    with_all_measures : bool, default=False
        Whether the means of all measures are computed, or only of those that decide.
    """
    keys = [question.measure.key, "log_loss", "accuracy", "brier"]
    measures = {key: find_measure(key, question.classes) for key in dict.fromkeys(keys)}
    if with_all_measures:
        measures |= {key: each for key, each in MEASURES.items() if key not in _OF_RUNS}
    rows = _rows_by_model(stored, question.dataset)
    found = []
    for name, estimator in models.items():
        if name not in rows:
            continue
        folds = measure_folds(stored, list(measures.values()), question.dataset, name, PROTOCOL)
        candidate = Candidate(
            name,
            role_of(estimator),
            tier_of(name),
            folds,
            fmean(row.fit_seconds for row in rows[name]),
            fmean(row.predict_seconds for row in rows[name]),
            {},
        )
        if with_all_measures:
            candidate = _with_means(candidate, stored, question, measures)
        found.append(candidate)
    return found


def _with_means(
    candidate: Candidate,
    stored: StoredResults,
    question: Question,
    measures: Mapping[str, Measure],
) -> Candidate:
    means = {key: candidate.mean(key) for key in measures}
    of_runs = [MEASURES[key] for key in _OF_RUNS]
    means |= measure_runs(stored, of_runs, question.dataset, candidate.name, PROTOCOL)
    known = {key: value for key, value in means.items() if not isnan(value)}
    return replace(candidate, means=known)


def _rows_by_model(stored: StoredResults, dataset: str) -> dict[str, list[FoldResult]]:
    found: dict[str, list[FoldResult]] = {}
    for row in stored.results():
        if row.dataset == dataset and row.protocol == PROTOCOL:
            found.setdefault(row.model, []).append(row)
    return found


def _find(stored: StoredResults, name: str) -> StoredDataset:
    for dataset in stored.datasets():
        if dataset.name == name:
            return dataset
    raise StoreError(f"{stored.folder} has no results of {name!r}")


def _count_classes(stored: StoredResults, dataset: StoredDataset) -> Array:
    """Return the number of rows of each class, or the sum of their weights."""
    if len(dataset.labels):
        weight = stored.instance_weights(dataset.name)
        return np.bincount(dataset.labels, weight, minlength=dataset.n_classes)
    return np.asarray(dataset.details.get("class_counts", ()))


__all__ = ["ask", "check_measure_of_pieces", "collect_candidates", "decide_measure"]
