"""The runs of a comparison: all models once, then those that are still tied again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from augury.comparison.budget import Plan
from augury.comparison.evidence import ask, collect_candidates
from augury.comparison.verdict import judge
from augury.evaluate import WekaFolds
from augury.experiments.job import Job
from augury.experiments.runner import Progress, run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.summary.contents.verdict import MODEL, Verdict
from augury.workers.tasks import Workers

Announce = Callable[[int, list[str]], None]


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The runs of a comparison.

    Attributes
    ----------
    job : Job
        The first runs, of all models.
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
    progress : callable or None
        Called with rows and failures as they come.
    announce : callable or None
        Called with the number of a further run, and its models.
    """

    job: Job
    store: ResultStore
    plan: Plan
    measure: str | None
    workers: Workers
    n_workers: int
    progress: Progress | None = None
    announce: Announce | None = None

    def run(self) -> list[str]:
        """Run the folds that the store does not have; return notes for a reader."""
        deadline = monotonic() + self.plan.time_limit
        self._run(self.job, deadline)
        for number in range(self.plan.n_runs + 1, self.plan.max_runs + 1):
            if monotonic() > deadline:
                break
            contenders = self._find_contenders()
            if len(contenders) < 2 or not self._is_affordable(contenders, number):
                break
            if self.announce is not None and self._has_open_folds(contenders, number):
                self.announce(number, contenders)
            self._run(self._job_of(contenders, number), deadline)
        return self._describe_gaps(is_late=monotonic() > deadline)

    def judge(self) -> Verdict:
        """Return the verdict on the folds that the store has."""
        question = ask(self.store, self.job.dataset.name, self.measure)
        return judge(question, collect_candidates(self.store, question, self.job.models))

    def _run(self, job: Job, deadline: float) -> None:
        run_jobs([job], self.store, workers=self.workers, progress=self.progress, deadline=deadline)

    def _job_of(self, models: list[str], n_runs: int) -> Job:
        return replace(
            self.job,
            models={name: self.job.models[name] for name in models},
            splitter=WekaFolds(self.plan.n_folds, n_runs),
        )

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

    def _has_open_folds(self, models: list[str], n_runs: int) -> bool:
        job = self._job_of(models, n_runs)
        name, keys = job.dataset.name, job.fold_keys()
        return any(self.store.open_folds(name, model, job.protocol, keys) for model in models)

    def _describe_gaps(self, *, is_late: bool) -> list[str]:
        """Return a note on models that lack folds of the first runs."""
        name, keys = self.job.dataset.name, self.job.fold_keys()
        lacking = []
        for model in self.job.models:
            given = (name, model, self.job.protocol, keys)
            n_open = len(self.store.open_folds(*given, retry_failed=True))
            if n_open:
                lacking.append(f"{model} has {len(keys) - n_open} of {len(keys)} folds")
        if not lacking:
            return []
        why = ""
        if is_late:
            limit = f"{self.plan.time_limit:g} s"
            why = f"The time limit of {limit} was reached, and the same command continues: "
        how = "means are over these, and two models are compared on the folds that both have."
        return [f"{why}{', '.join(lacking)}; {how}"]


__all__ = ["Announce", "Rounds"]
