"""The verdict on one table: an ordering of the models, and the one to use.

The rule
--------
1. *Measure.* Models are judged by one measure: the one that is asked for, or the one that
   `augury.evaluate.choose_measure` chooses from the numbers of rows of the classes.
2. *Leader.* The leader is the model with the best mean over its folds among those that can be
   saved and have the most folds. A model with fewer folds, for example because the time was short,
   takes its place only if it is significantly better on the folds that both have. A model of
   another library cannot be saved without pickle: it is a yardstick, and never recommended. The
   baseline, which ignores the columns, is not recommended either.
3. *Ties.* A model is tied with the leader if its difference in the measure is not significant at
   5 % by the corrected resampled t-test of Nadeau and Bengio, on the folds that both have.
4. *Recommendation.* Of the models that are tied with the leader, those qualify that are within one
   standard error of it (the rule of Breiman et al., with the corrected standard error of the
   difference) and whose log loss is not significantly worse. The simplest of them is recommended:
   a sum of a term for each column before one tree or network, before a model of several, before an
   ensemble (`augury.comparison.default_models.tier_of`). Of equally simple ones the better mean
   decides. If the log loss of the leader is above that of the shares of the classes, its
   probabilities mislead: then the best tied model without this fault takes its place here.
5. *Order.* The better mean comes first, then the lower log loss, then the name. Terminal, page,
   JSON and Python show this order. The place of a model that lacks folds of the first run is that
   of the mean of the leader plus their mean difference on the folds that both have.

The interval of a mean, such as ± 0.6, is a 95 % interval. Its standard error has the same
correction as the test: √((1/J + n_test / n_train) s²) over J folds.

References
----------
L. Breiman, J. Friedman, R. Olshen, C. Stone (1984): Classification and regression trees, 3.4.3.
C. Nadeau, Y. Bengio (2003): Inference for the generalization error. Machine Learning 52.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from augury.arrays import Array
from augury.comparison.decision import Decision
from augury.comparison.verdict_text import write_sentences
from augury.evaluate import CorrectedTTest, Measure, MeasureChoice
from augury.experiments.measured_folds import MeasuredFold, compare_measured
from augury.summary.contents.verdict import BASELINE, MODEL, Baseline, Standing, Verdict

LEVEL = 0.05
_LOG_LOSS = "log_loss"


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is predicted, and by which measure models are judged.

    Attributes
    ----------
    dataset, target : str
        Names of the table and the column.
    classes : sequence of str
        Labels of the classes.
    class_counts : array of shape (n_classes,)
        Number of rows of each class.
    choice : MeasureChoice
        The measure, and why.
    decision : Decision or None
        How classes are decided; None: the most probable class is predicted.
    """

    dataset: str
    target: str
    classes: Sequence[str]
    class_counts: Array
    choice: MeasureChoice
    decision: Decision | None = None

    @property
    def measure(self) -> Measure:
        """The measure that models are judged by."""
        return self.choice.measure


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A model with at least one completed fold.

    Attributes
    ----------
    name : str
    role : {"model", "baseline", "yardstick"}
    tier : int
        How complex the model is.
    folds : sequence of MeasuredFold
        With the values of the chosen measure, of accuracy, log loss and Brier score at least.
    fit_seconds, predict_seconds : float
        Means over the folds.
    means : mapping from key to float
        Means of other measures, which do not decide.
    """

    name: str
    role: str
    tier: int
    folds: Sequence[MeasuredFold]
    fit_seconds: float
    predict_seconds: float
    means: Mapping[str, float]

    def values(self, key: str) -> Array:
        """Return the values of a measure that are not NaN."""
        found = (fold.values[key] for fold in self.folds)
        return np.array([value for value in found if not math.isnan(value)])

    def mean(self, key: str) -> float:
        """Return the mean of a measure; NaN if no fold has a value."""
        found = self.values(key)
        return math.fsum(found) / len(found) if len(found) else math.nan

    def mean_beside(self, key: str, other: Candidate | None) -> float:
        """Return the mean; if folds of the first run are missing, one that compares with another.

        It is the mean of the other model plus the mean difference on the folds that both have.
        """
        if other is None or self.first_folds() >= other.first_folds():
            return self.mean(key)
        values = {(fold.run, fold.fold): fold.values[key] for fold in other.folds}
        pairs = [(f.values[key], values.get((f.run, f.fold), math.nan)) for f in self.folds]
        differences = [mine - its for mine, its in pairs if not math.isnan(mine - its)]
        if not differences:
            return self.mean(key)
        return other.mean(key) + math.fsum(differences) / len(differences)

    def first_folds(self) -> set[int]:
        """Return the numbers of the folds of the first run."""
        return {fold.fold for fold in self.folds if fold.run == 1}

    def margin(self, key: str) -> float | None:
        """Return half the width of the 95 % interval of the mean."""
        found = self.values(key)
        if len(found) < 2:
            return None
        ratio = sum(f.n_test for f in self.folds) / sum(f.n_train for f in self.folds)
        error = float(found.std(ddof=1)) * math.sqrt(1.0 / len(found) + ratio)
        return float(stdtrit(len(found) - 1, 1.0 - LEVEL / 2.0)) * error


def judge(question: Question, candidates: Sequence[Candidate], n_all: int | None = None) -> Verdict:
    """Order models, and recommend one; the docstring of this module has the rule.

    Parameters
    ----------
    question : Question
        What is predicted.
    candidates : sequence of Candidate
        Models with completed folds, in any order.
    n_all : int, default=None
        Number of rows of the table, if the models are compared on a sample of them.

    Returns
    -------
    Verdict
        Without notes and without a saved file.
    """
    key = question.measure.key
    n_compared = int(np.sum(question.class_counts))
    leader = _find_leader(question.measure, candidates)
    tests = {} if leader is None else _test_all(leader, candidates, key)
    head = None if leader is None else _find_head(question, leader, candidates, tests)
    chosen = None if head is None else _choose(question.measure, head, candidates)
    ordered = sorted(candidates, key=lambda each: _by_mean(question.measure, each, leader))
    verdict = Verdict(
        dataset=question.dataset,
        target=question.target,
        n_rows=n_all or n_compared,
        n_compared=n_compared,
        measure=key,
        measure_title=question.measure.title,
        measure_reason=question.choice.reason,
        higher_is_better=question.measure.higher_is_better,
        is_share=question.measure.unit == "%",
        recommended=None if chosen is None else chosen.name,
        recommended_reason=_reason(leader, head, chosen),
        leaderboard=tuple(
            _stand(each, key, tests.get(each.name), is_leader=each is leader) for each in ordered
        ),
        baseline=_describe_baseline(question, candidates, chosen),
        n_folds=len({fold.fold for each in candidates for fold in each.folds}),
        n_repeats=max((fold.run for each in candidates for fold in each.folds), default=0),
    )
    return replace(verdict, sentences=write_sentences(verdict, question.measure))


def _find_leader(measure: Measure, candidates: Sequence[Candidate]) -> Candidate | None:
    able = [each for each in candidates if each.role == MODEL]
    most = max((len(each.folds) for each in able), default=0)
    complete = [each for each in able if len(each.folds) == most]
    leader = min(complete, key=lambda each: _by_mean(measure, each), default=None)
    if leader is None:
        return None
    better = [each for each in able if _is_better(measure, each, leader)]
    return min(better, key=lambda each: _by_mean(measure, each, leader), default=leader)


def _is_better(measure: Measure, each: Candidate, leader: Candidate) -> bool:
    """Return whether a model with fewer folds is significantly better on the common ones."""
    if len(each.folds) == len(leader.folds):
        return False
    test = compare_measured(each.folds, leader.folds, measure.key)
    if test is None or test.p > LEVEL:
        return False
    return (test.difference > 0) == measure.higher_is_better


def _by_mean(
    measure: Measure, each: Candidate, leader: Candidate | None = None
) -> tuple[float, float, str]:
    """Return a sort key: the better mean first, then the lower log loss, then the name."""
    mean, loss = (each.mean_beside(key, leader) for key in (measure.key, _LOG_LOSS))
    return (
        math.inf if math.isnan(mean) else -mean if measure.higher_is_better else mean,
        math.inf if math.isnan(loss) else loss,
        each.name,
    )


def _test_all(
    leader: Candidate, candidates: Sequence[Candidate], key: str
) -> dict[str, CorrectedTTest | None]:
    """Return the test of each other model against the leader; None if it cannot be made."""
    return {
        each.name: compare_measured(each.folds, leader.folds, key)
        for each in candidates
        if each is not leader
    }


def _is_tied(test: CorrectedTTest | None) -> bool:
    """Return whether a difference is not significant; without a test nothing is known."""
    return test is not None and test.p > LEVEL


def _find_head(
    question: Question,
    leader: Candidate,
    candidates: Sequence[Candidate],
    tests: Mapping[str, CorrectedTTest | None],
) -> Candidate:
    """Return the leader, or the best tied model if the probabilities of the leader mislead."""
    counts = np.asarray(question.class_counts, dtype=np.float64)
    shares = counts[counts > 0] / counts.sum()
    loss_of_shares = float(-(shares * np.log(shares)).sum())
    if not leader.mean(_LOG_LOSS) > loss_of_shares:  # nor if it has no probabilities
        return leader
    sound = [
        each
        for each in candidates
        if each.role == MODEL
        and _is_tied(tests.get(each.name))
        and each.mean(_LOG_LOSS) <= loss_of_shares
    ]
    return min(sound, key=lambda each: _by_mean(question.measure, each, leader), default=leader)


def _choose(measure: Measure, head: Candidate, candidates: Sequence[Candidate]) -> Candidate:
    """Return the simplest model that qualifies."""
    able = [head]
    for each in candidates:
        if each.role != MODEL or each is head:
            continue
        test = compare_measured(each.folds, head.folds, measure.key)
        if test is None or not _is_tied(test) or abs(test.t) > 1.0:
            continue
        loss = compare_measured(each.folds, head.folds, _LOG_LOSS)
        if loss is None or loss.p > LEVEL or loss.difference <= 0:
            able.append(each)
    return min(able, key=lambda each: (each.tier, *_by_mean(measure, each)))


def _stand(each: Candidate, key: str, test: CorrectedTTest | None, *, is_leader: bool) -> Standing:
    def known(name: str) -> float | None:
        mean = each.mean(name)
        return None if math.isnan(mean) else mean

    return Standing(
        model=each.name,
        role=each.role,
        n_folds=len(each.folds),
        score=known(key),
        margin=each.margin(key),
        accuracy=each.mean("accuracy"),
        log_loss=known(_LOG_LOSS),
        brier=known("brier"),
        measures=each.means,
        fit_seconds=each.fit_seconds,
        predict_seconds=each.predict_seconds,
        p=None if test is None else test.p,
        is_tied=is_leader or _is_tied(test),
    )


def _reason(leader: Candidate | None, head: Candidate | None, chosen: Candidate | None) -> str:
    if leader is None or head is None or chosen is None:
        return "no model that can be saved completed a fold"
    simplest = f"simplest of the models within one standard error of {head.name}"
    if head is not leader:
        best = (
            f"best of the models that are tied with {leader.name}" if chosen is head else simplest
        )
        fault = f"{leader.name} has a log loss above that of the shares of the classes"
        return f"{best}; {fault}"
    if chosen is leader:
        return "best mean, and no simpler model is within one standard error"
    return simplest


def _describe_baseline(
    question: Question, candidates: Sequence[Candidate], chosen: Candidate | None
) -> Baseline:
    counts = np.asarray(question.class_counts, dtype=np.float64)
    largest = int(counts.argmax())
    if question.decision is not None and question.decision.request.costs is not None:
        largest = int((question.decision.request.costs @ counts).argmin())
    label, share = str(question.classes[largest]), float(counts[largest] / counts.sum())
    key = question.measure.key
    guess = next((each for each in candidates if each.role == BASELINE), None)
    if guess is None:
        return Baseline(label, share, share if key == "accuracy" else None)
    test = None if chosen is None else compare_measured(chosen.folds, guess.folds, key)
    is_beaten = None
    if test is not None:
        is_higher = test.difference > 0
        is_beaten = test.p <= LEVEL and is_higher == question.measure.higher_is_better
    score = guess.mean(key)
    return Baseline(label, share, None if math.isnan(score) else score, is_beaten)


__all__ = ["LEVEL", "Candidate", "Question", "judge"]
