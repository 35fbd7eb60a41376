"""The runs of a comparison: all models once, then those that are still tied again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from time import monotonic

from augury.comparison.budget import Plan
from augury.comparison.default_models import role_of
from augury.comparison.evidence import ask, collect_candidates
from augury.comparison.fit_times import FitTimes
from augury.comparison.listener import ComparisonListener, ModelScore
from augury.comparison.row_sample import sample_dataset
from augury.comparison.schedule import (
    FEWEST_FOLDS,
    TimeLimit,
    affordable_folds,
    affordable_rows,
    is_large,
)
from augury.comparison.trial_fits import time_trial_fits
from augury.comparison.verdict import judge
from augury.comparison.verdict_text import describe_folds, score_in_words
from augury.evaluate import WekaFolds
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import number_folds
from augury.experiments.job import Job
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import FoldKey, ResultStore
from augury.experiments.store.stored_results import Failure
from augury.summary.contents.verdict import MODEL, Verdict
from augury.workers.tasks import Workers

# These count the rows once: their time is about that of reading the table.
_SHORT = ("majority", "nb")
# Key of the sample in a store: the same command continues with the same rows.
_SAMPLE = "sample"


@dataclass(slots=True, eq=False)
class Rounds:
    """The runs of a comparison.

    Attributes
    ----------
    job : Job
        The first runs, of all models. Its data set is a sample of the rows if all rows take too
        long.
    store : ResultStore
        Gets each fold as soon as it is known, and decides what is run next.
    plan : Plan
        See `augury.comparison.budget`.
    measure : str or None
        Name of the measure that is asked for.
    workers : Workers
        Started already.
    n_workers : int
        Their number.
    limit : TimeLimit
        See `augury.comparison.schedule`.
    listener : ComparisonListener
        Learns what happens.
    times : FitTimes
        Times of the fits.
    """

    job: Job
    store: ResultStore
    plan: Plan
    measure: str | None
    workers: Workers
    n_workers: int
    limit: TimeLimit
    listener: ComparisonListener = field(default_factory=ComparisonListener)
    times: FitTimes = field(default_factory=FitTimes)
    n_all: int = field(init=False)
    _n_planned: int = field(init=False)
    _n_completed: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.n_all = len(self.job.dataset.X)
        self._n_planned = len(self.job.fold_keys())

    def run(self) -> list[str]:
        """Run the folds that the store does not have; return notes for a reader."""
        self.job = replace(self.job, prepared=self.job.table())
        self._read_times()
        if is_large(*self.job.dataset.X.shape):
            self._run_large()
        else:
            self._run([self.job])
        self._repeat()
        return self._describe_gaps()

    def judge(self) -> Verdict:
        """Return the verdict on the folds that the store has."""
        question = ask(self.store, self.job.dataset.name, self.measure)
        return judge(question, collect_candidates(self.store, question, self.job.models))

    # ---- the first run of a large table -----------------------------------------------------

    def _run_large(self) -> None:
        """Run fold after fold with all models, as many as the time suffices for."""
        models, n_tested = list(self.job.models), self.plan.n_tested
        self._run_folds([name for name in models if name in _SHORT], 1)
        self._time_models()
        self._choose_rows()
        n_done = min(FEWEST_FOLDS, n_tested)
        self._run_folds(models, n_done)
        while n_done < n_tested:
            names, n_more = models, self._count_affordable(models, n_tested - n_done)
            if not n_more:  # models that cannot win any more are left out
                names = self._find_contenders()
                n_more = self._count_affordable(names, n_tested - n_done)
            if not n_more or len(names) < 2:
                return
            n_done += n_more
            self._run_folds(names, n_done)

    def _time_models(self) -> None:
        """Fit the models that were not timed yet to small samples."""
        models = {
            name: model
            for name, model in self.job.models.items()
            if self.times.expect(name, self.n_all) is None
        }
        if not models:
            return
        table = self.job.table()
        first = number_folds(self.job.splitter, table)[0]
        time_trial_fits(
            models,
            table,
            first,
            self.times,
            workers=self.workers,
            short=self.limit.seconds / 200.0,
            long=self.limit.seconds / 100.0,
            until=self.deadline(),
            begin=lambda name: self.listener.work_on(f"{name}: trial fits to small samples"),
        )

    def _choose_rows(self) -> None:
        """Take a sample of the rows if three folds of all models take too long."""
        name = self.job.dataset.name
        kept = self.store.meta(_SAMPLE)
        if isinstance(kept, dict) and kept.get("of") == [name, self.n_all]:
            n_rows = int(str(kept["n_rows"]))
        elif any(row.dataset == name and row.model not in _SHORT for row in self.store.results()):
            return  # folds of all rows are there, and are continued
        else:
            costs = self.times.expect_all(self.job.models, self._n_train())
            n_rows = affordable_rows(
                costs,
                {model: self.times.exponent(model) for model in costs},
                self.n_all,
                min(FEWEST_FOLDS, self.plan.n_tested) * self.plan.n_runs,
                self.n_workers,
                self.deadline() - monotonic(),
            )
        if n_rows >= self.n_all:
            return
        self.store.set_meta(_SAMPLE, {"of": [name, self.n_all], "n_rows": n_rows})
        sample = replace(self.job, dataset=sample_dataset(self.job.dataset, n_rows), prepared=None)
        self.job = replace(sample, prepared=sample.table())
        self._n_completed.clear()
        self.listener.say(f"All rows take too long: models are compared on {n_rows:,} of them")

    def _run_folds(self, models: Sequence[str], n_tested: int) -> None:
        """Run the first folds of each run, each with all models before the next."""
        self._run([self._job_of(models, self.plan.n_runs, k) for k in range(1, n_tested + 1)])

    def _count_affordable(self, models: Sequence[str], n_folds: int) -> int:
        """Return how many more folds of these models the time suffices for."""
        costs = self.times.expect_all(models, self._n_train()).values()
        seconds = self.deadline() - monotonic()
        of_runs = [cost * self.plan.n_runs for cost in costs]
        return affordable_folds(of_runs, n_folds, self.n_workers, seconds)

    # ---- further runs ------------------------------------------------------------------------

    def _repeat(self) -> None:
        """Test the models that are still tied on newly drawn folds."""
        for number in range(self.plan.n_runs + 1, self.plan.max_runs + 1):
            if monotonic() > self.deadline():
                break
            contenders = self._find_contenders()
            if len(contenders) < 2 or not self._is_affordable(contenders, number):
                break
            job = self._job_of(contenders, number, self.plan.n_tested)
            if self._count_open(job):
                self.listener.announce(number, contenders)
                self._run([job])

    def _find_contenders(self) -> list[str]:
        """Return the models that may be recommended and are tied with the leader."""
        standings = self.judge().leaderboard
        tied = {each.model for each in standings if each.is_tied and each.role == MODEL}
        return [name for name in self.job.models if name in tied]

    def _is_affordable(self, models: list[str], n_runs: int) -> bool:
        """Return whether the seconds of all fits stay in the budget after one more run."""
        seconds: dict[str, list[float]] = {}
        for row in self.store.results():
            is_before = row.dataset == self.job.dataset.name and row.run < n_runs
            if is_before and row.model in self.job.models:
                spent = row.fit_seconds + row.predict_seconds
                seconds.setdefault(row.model, []).append(spent)
        spent = sum(map(sum, seconds.values()))
        means = (sum(seconds[name]) / len(seconds[name]) for name in models)
        more = self.plan.n_tested * sum(means)
        return (spent + more) / self.n_workers <= self.plan.repeat_seconds

    # ---- all runs ----------------------------------------------------------------------------

    def _run(self, jobs: Sequence[Job]) -> None:
        """Run the open folds of jobs on one data set."""
        deadline = self.deadline()
        is_repeated = jobs[-1].fold_keys()[-1][0] > self.plan.n_runs
        self.listener.expect(self._count_open(jobs[-1] if is_repeated else self.job))
        run_jobs(
            jobs,
            self.store,
            workers=self.workers,
            progress=self._keep,
            begin=self._begin,
            deadline=deadline,
            until=self.limit.overrun(deadline),
            expected=self.times.expect_all(self.job.models, self._n_train()),
        )

    def _job_of(self, models: Sequence[str], n_runs: int, n_tested: int) -> Job:
        return replace(
            self.job,
            models={name: self.job.models[name] for name in models},
            splitter=WekaFolds(self.plan.n_folds, n_runs),
            n_tested=n_tested,
        )

    def _n_train(self) -> int:
        return len(self.job.dataset.X) * (self.plan.n_folds - 1) // self.plan.n_folds

    def deadline(self) -> float:
        """Return the value of `time.monotonic` at which all folds are to be completed."""
        able = [name for name, model in self.job.models.items() if role_of(model) == MODEL]
        return self.limit.deadline(self.times.expect(name, self.n_all) for name in able)

    def _read_times(self) -> None:
        """Take the times of the folds that the store has."""
        for row in self.store.results():
            if row.dataset == self.job.dataset.name and row.model in self.job.models:
                self.times.add(row.model, row.n_train, row.fit_seconds + row.predict_seconds)
                self._count(row)

    def _begin(self, model: str, folds: Sequence[FoldKey]) -> None:
        seconds = self.times.expect(model, self._n_train())
        self.listener.begin(model, len(folds), None if seconds is None else seconds * len(folds))

    def _keep(self, rows: Sequence[FoldResult | Failure]) -> None:
        for row in rows:
            self.listener.end(row.model, has_failed=isinstance(row, Failure))
            if isinstance(row, Failure):
                continue
            self.times.add(row.model, row.n_train, row.fit_seconds + row.predict_seconds)
            n_folds = self._count(row)
            is_first = n_folds == 1 and is_large(*self.job.dataset.X.shape)
            if is_first or n_folds == self._n_planned:
                self.listener.show(self._score(row.model, n_folds))

    def _count(self, row: FoldResult) -> int:
        n_folds = self._n_completed[row.model] = self._n_completed.get(row.model, 0) + 1
        return n_folds

    def _score(self, model: str, n_folds: int) -> ModelScore:
        """Return the mean of the measure that decides."""
        question = ask(self.store, self.job.dataset.name, self.measure)
        only = {model: self.job.models[model]}
        [found] = collect_candidates(self.store, question, only)

        def mean(key: str) -> float | None:
            return None if isnan(value := found.mean(key)) else value

        deciding = question.measure
        loss = None if deciding.key == "log_loss" else mean("log_loss")
        return ModelScore(model, n_folds, score_in_words(deciding, mean(deciding.key)), loss)

    def _count_open(self, job: Job) -> int:
        name, keys = job.dataset.name, job.fold_keys()
        return sum(
            len(self.store.open_folds(name, model, job.protocol, keys)) for model in job.models
        )

    def _describe_gaps(self) -> list[str]:
        """Return a note on models that lack folds of the first runs."""
        name, keys = self.job.dataset.name, self.job.fold_keys()
        lacking = {}
        for model in self.job.models:
            given = (name, model, self.job.protocol, keys)
            n_open = len(self.store.open_folds(*given, retry_failed=True))
            if n_open:
                lacking[model] = len(keys) - n_open
        if not lacking:
            return []
        why = ""
        if self._count_open(self.job):
            limit = f"{self.limit.seconds:g} s"
            why = f"The time limit of {limit} leaves out folds, and the same command continues: "
        how = ""
        if len(set(lacking.values())) > 1 or len(lacking) < len(self.job.models):
            how = "; two models are compared on the folds that both have"
        counts = describe_folds(lacking, n_models=len(self.job.models))
        return [f"{why}{counts} of {len(keys)} folds{how}."]


__all__ = ["Rounds"]
