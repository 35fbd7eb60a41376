"""A comparison from its job to its verdict, into a store."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from augury.comparison.budget import Plan
from augury.comparison.decision import DecisionRequest, add_decision, keep_request
from augury.comparison.evidence import add_decisions, ask, collect_candidates
from augury.comparison.job import comparison_settings, describe_comparison
from augury.comparison.listener import ComparisonListener
from augury.comparison.rounds import Rounds
from augury.comparison.schedule import TimeLimit
from augury.comparison.verdict import judge
from augury.data import Dataset
from augury.drift import collect_reference
from augury.encode import ColumnDecision
from augury.errors import StoreError
from augury.experiments.job import Job
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.store.result_store import ResultStore
from augury.foreign import Classifier, Json
from augury.instance_weights import fit_with_weights
from augury.json_fields import to_json
from augury.persist import save_model
from augury.summary.contents.verdict import Verdict
from augury.time_limit import duration_in_words
from augury.validation import check_threads
from augury.workers.choice import choose_workers


def run_comparison(
    job: Job,
    plan: Plan,
    store: ResultStore,
    columns: Sequence[ColumnDecision],
    *,
    measure: str | None = None,
    decision: DecisionRequest | None = None,
    n_jobs: int | None = None,
    isolate: bool = False,
    listener: ComparisonListener | None = None,
    limit: TimeLimit | None = None,
) -> "RunComparison":
    """Run the folds that a store does not have, and judge the models.

    Parameters
    ----------
    job : Job
        See `augury.comparison.job.comparison_job`.
    plan : Plan
        Number of folds and runs, and time limit.
    store : ResultStore
        Gets each fold as soon as it is known, the model summaries and the verdict.
    columns : sequence of ColumnDecision
        How the columns are read, for the page.
    measure : str, default=None
        Name of the measure; by default it is chosen from the classes.
    decision : DecisionRequest, default=None
        Costs or a threshold; by default the most probable class is predicted.
    n_jobs, isolate
        See `augury.experiments.run_jobs`.
    listener : ComparisonListener, default=None
        Learns what happens.
    limit : TimeLimit, default=None
        By default the time limit of the plan, from now on.
    """
    limit = limit or TimeLimit(plan.time_limit)
    listener = listener or ComparisonListener()
    with (
        describing(store, describe_comparison(job), columns),
        choose_workers("compare", n_jobs, isolate=isolate) as workers,
    ):
        keep_request(store, decision)
        n_workers = check_threads("compare", n_jobs)
        rounds = Rounds(job, store, plan, measure, workers, n_workers, limit, listener)
        notes = rounds.run()
        listener.work_on("drawings of the models")
        deadline = rounds.deadline()
        add_model_summaries([rounds.job], store, workers=workers, deadline=deadline)
    name = rounds.job.dataset.name
    n_all = None if name == job.dataset.name else rounds.n_all
    verdict = keep_verdict(store, name, job.models, measure, notes, n_all=n_all)
    seconds = None
    if verdict.recommended is not None:
        seconds = rounds.times.expect(verdict.recommended, rounds.n_all)
    return RunComparison(verdict, rounds.job, limit, seconds)


@dataclass(frozen=True, slots=True, eq=False)
class RunComparison:
    """A comparison whose folds were run.

    Attributes
    ----------
    verdict : Verdict
    job : Job
        Its data set is the sample on which the models were compared, or all rows.
    limit : TimeLimit
        What is left of the time.
    fit_seconds : float or None
        Expected seconds of a fit of the recommended model to all rows.
    """

    verdict: Verdict
    job: Job
    limit: TimeLimit
    fit_seconds: float | None

    @property
    def can_fit(self) -> bool:
        """Whether the time is enough to fit the recommended model to all rows."""
        return self.verdict.recommended is not None and self.limit.can_fit(self.fit_seconds)


def keep_verdict(
    store: ResultStore,
    dataset: str,
    models: Mapping[str, Classifier],
    measure: str | None,
    notes: Sequence[str] = (),
    *,
    n_all: int | None = None,
) -> Verdict:
    """Judge the models of a store, and write the verdict to it; see `judge` for `n_all`."""
    question = ask(store, dataset, measure)
    candidates = collect_candidates(store, question, models, with_all_measures=True)
    verdict = add_decisions(store, question, judge(question, candidates, n_all))
    verdict = replace(verdict, notes=tuple(notes))
    if candidates:
        ordered = [each.model for each in verdict.leaderboard]
        names = [*ordered, *(name for name in models if name not in ordered)]
        settings = comparison_settings(dataset, names, verdict.n_folds, verdict.n_repeats)
        store.set_meta("experiment", settings)
    store.set_meta("verdict", to_json(verdict))
    return verdict


@contextmanager
def describing(
    store: ResultStore, settings: dict[str, Json], columns: Sequence[ColumnDecision]
) -> Iterator[None]:
    """Write the settings of the comparison to the store; restore the former ones on refusal."""
    before = {key: store.meta(key) for key in ("experiment", "columns", "verdict", "decision")}
    store.set_meta("experiment", settings)
    store.set_meta("columns", [_describe(each) for each in columns])
    store.set_meta("verdict", None)
    keep_request(store, None)
    try:
        yield
    except StoreError:
        for key, value in before.items():
            store.set_meta(key, value)
        raise


def _describe(decision: ColumnDecision) -> dict[str, Json]:
    return {"name": decision.name, "treatment": decision.treatment, "reason": decision.reason}


def fit_recommended(verdict: Verdict, models: Mapping[str, Any], dataset: Dataset) -> Pipeline:
    """Return the recommended model with its decision, behind `TidyColumns`, fitted to all rows."""
    assert verdict.recommended is not None
    model = clone(models[verdict.recommended])
    model = add_decision(model, verdict.decision, dataset.y.unique().tolist())
    return fit_with_weights(model, dataset.X, dataset.y, dataset.sample_weight)


def save_recommended(
    verdict: Verdict, model: Pipeline, dataset: Dataset, file: Path, store: ResultStore
) -> Verdict:
    """Save the fitted model, and return the verdict that names the file."""
    save_model(
        model,
        file,
        X=dataset.X,
        target=dataset.target,
        n_rows=len(dataset.X),
        reference=collect_reference(model, dataset.X, dataset.y, target=dataset.target),
    )
    return note_file(verdict, file, store)


def note_file(verdict: Verdict, file: Path, store: ResultStore) -> Verdict:
    """Write to the store that the recommended model was saved in a file."""
    saved = replace(verdict, saved_as=str(file))
    store.set_meta("verdict", to_json(saved))
    return saved


def note_failed_fit(verdict: Verdict, error: Exception, store: ResultStore) -> Verdict:
    """Write to the store that the recommended model cannot be fitted to all rows."""
    note = f"{verdict.recommended} cannot be fitted to all rows: {error}"
    return _add_note(verdict, note, store)


def note_long_fit(run: "RunComparison", store: ResultStore) -> Verdict:
    """Write to the store that the recommended model takes too long to be fitted to all rows."""
    verdict = run.verdict
    note = (
        f"{verdict.recommended} was not fitted to all {verdict.n_rows:,} rows: that takes about "
        f"{duration_in_words(run.fit_seconds or 0.0)}, longer than what is left of the time limit "
        f"of {run.limit.seconds:g} s. `augury fit DATA --from-compare DIR` fits it."
    )
    return _add_note(verdict, note, store)


def _add_note(verdict: Verdict, note: str, store: ResultStore) -> Verdict:
    noted = replace(verdict, notes=(*verdict.notes, note))
    store.set_meta("verdict", to_json(noted))
    return noted


__all__ = [
    "RunComparison",
    "describing",
    "fit_recommended",
    "keep_verdict",
    "note_failed_fit",
    "note_file",
    "note_long_fit",
    "run_comparison",
    "save_recommended",
]
