"""What a store says about the models of one table: the question, and the folds of each model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from statistics import fmean

import numpy as np

from augury.arrays import Array
from augury.comparison.decision import Decision, DecisionRequest, describe_in_words
from augury.comparison.default_models import role_of, tier_of
from augury.comparison.job import PROTOCOL
from augury.comparison.verdict import Candidate, Question
from augury.errors import StoreError
from augury.evaluate import (
    MEASURES,
    Measure,
    MeasureChoice,
    choose_measure,
    cost_measure,
    find_measure,
)
from augury.evaluate.fold_results import FoldResult
from augury.experiments.measured_folds import measure_folds, measure_runs, score_rows
from augury.experiments.store.stored_results import StoredDataset, StoredResults
from augury.foreign import Classifier
from augury.summary.contents.verdict import BASELINE, DecisionOfModel, Verdict

# Measures of a row of the store; others need the predictions of single rows.
_OF_ROWS = ("accuracy", "log_loss", "brier")
# In small folds it is larger than in all rows of a run taken together.
_OF_RUNS = ("ece",)


def ask(stored: StoredResults, dataset: str, measure: str | None = None) -> Question:
    """Return what is predicted, the measure, and how classes are decided.

    The store keeps the costs or the threshold, see `augury.comparison.decision`. With costs and
    without a measure, models are ordered by expected cost.

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
    request = DecisionRequest.read(stored)
    if request is None:
        return Question(dataset, target, classes, counts, choice)
    cost = cost_measure(request.costs)
    if request.costs is not None and measure in (None, cost.key):
        reason = "Models are ordered by expected cost, because costs are given."
        choice = MeasureChoice(cost, choice.tie_breaker, reason)
    decision = Decision(request, classes, counts, choice.measure.key)
    return Question(dataset, target, classes, counts, choice, decision)


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
    measures = {question.measure.key: question.measure}
    measures |= {key: MEASURES[key] for key in ("log_loss", "accuracy", "brier")}
    decision = question.decision
    if decision is not None and decision.cost_measure is not None:
        measures[decision.cost_measure.key] = decision.cost_measure
    if with_all_measures:
        measures |= {key: each for key, each in MEASURES.items() if key not in _OF_RUNS}
    rows = _rows_by_model(stored, question.dataset)
    found = []
    for name, estimator in models.items():
        if name not in rows:
            continue
        role = role_of(estimator)
        folds = measure_folds(
            stored,
            list(measures.values()),
            question.dataset,
            name,
            PROTOCOL,
            decide=None if decision is None else decision.of_role(role),
        )
        candidate = Candidate(
            name,
            role,
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


def add_decisions(stored: StoredResults, question: Question, verdict: Verdict) -> Verdict:
    """Return the verdict with the decision of the recommended model, and thresholds of all."""
    decision = question.decision
    if decision is None:
        return verdict
    known = _find(stored, question.dataset)
    found: dict[str, DecisionOfModel | None] = {}
    for each in verdict.leaderboard:
        if each.role != BASELINE:
            folds = list(score_rows(stored, known, each.model, PROTOCOL))
            found[each.model] = decision.describe(folds)
    thresholds = {name: None if each is None else each.threshold for name, each in found.items()}
    chosen = None if verdict.recommended is None else found[verdict.recommended]
    words = () if chosen is None else (describe_in_words(chosen, verdict.measure),)
    return replace(
        verdict,
        leaderboard=tuple(
            replace(each, threshold=thresholds.get(each.model)) for each in verdict.leaderboard
        ),
        decision=chosen,
        sentences=(*verdict.sentences, *words),
    )


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


__all__ = [
    "add_decisions",
    "ask",
    "check_measure_of_pieces",
    "collect_candidates",
    "decide_measure",
]
