"""`augury.compare`: models compared on a data frame, from Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import narwhals as nw
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from augury.comparison.budget import Budget
from augury.comparison.decision import DecisionRequest
from augury.comparison.default_models import default_models
from augury.comparison.evidence import decide_measure
from augury.comparison.job import comparison_job
from augury.comparison.notebook_view import render_for_notebook
from augury.comparison.run import (
    fit_recommended,
    note_long_fit,
    run_comparison,
    save_recommended,
)
from augury.comparison.schedule import TimeLimit
from augury.comparison.table_report import write_comparison_page
from augury.data import DataError, Dataset
from augury.data.dataset import RawTable, make_dataset
from augury.decide.cost_matrix import Costs
from augury.encode import ColumnDecision
from augury.experiments.job import Job
from augury.experiments.store.result_store import ResultStore
from augury.summary.contents import Verdict
from augury.tables.open_table import open_tidy_table
from augury.tables.review import review_columns
from augury.validation import check_sample_weight, is_frame


class ComparedModels:
    """Models that were compared on one table; the result of `augury.compare`.

    Attributes
    ----------
    verdict : Verdict
        Which model to use, and why; `verdict.text` says it in words.
    leaderboard : DataFrame
        All models, best first; the index has their names.
    best_ : Pipeline or None
        The recommended model behind `TidyColumns`, fitted to all rows; None if no model can be
        recommended, or if the time limit does not suffice for the fit.
    """

    def __init__(
        self,
        verdict: Verdict,
        best: Pipeline | None,
        job: Job,
        decisions: Sequence[ColumnDecision],
        store: ResultStore,
    ) -> None:
        self.verdict = verdict
        self.best_ = best
        self._job = job
        self._decisions = decisions
        self._store = store

    @property
    def leaderboard(self) -> pd.DataFrame:
        """All models, best first."""
        rows = [
            {
                "model": each.model,
                verdict_key: each.score,
                "margin": each.margin,
                **{key: value for key, value in each.measures.items() if key != verdict_key},
                "n_folds": each.n_folds,
                "fit_seconds": each.fit_seconds,
                "predict_seconds": each.predict_seconds,
                "p": each.p,
                "is_tied": each.is_tied,
                **({} if self.verdict.decision is None else {"threshold": each.threshold}),
                "role": each.role,
                "is_recommended": each.model == self.verdict.recommended,
            }
            for verdict_key in [self.verdict.measure]
            for each in self.verdict.leaderboard
        ]
        return pd.DataFrame(rows).set_index("model") if rows else pd.DataFrame()

    def report(self, path: str | Path = "report.html") -> Path:
        """Write the page of the comparison, and its numbers as JSON beside it.

        Parameters
        ----------
        path : str or path
            File of the page.

        Returns
        -------
        Path
            The file.
        """
        best = {} if self.best_ is None else {str(self.verdict.recommended): self.best_}
        with self._opened() as store:
            return write_comparison_page(
                store,
                self.verdict,
                Path(path),
                dataset=self._job.dataset,
                models=self._job.models,
                decisions=self._decisions,
                fitted=best,
            ).page

    @contextmanager
    def _opened(self) -> Iterator[ResultStore]:
        """Open the results: a folder is open only as long as it is used."""
        if self._store.folder is None:
            yield self._store
            return
        with ResultStore(self._store.folder) as store:
            yield store

    def __repr__(self) -> str:
        columns = [self.verdict.measure, "margin", "log_loss", "n_folds", "role"]
        board = self.leaderboard
        shown = board[[name for name in dict.fromkeys(columns) if name in board]]
        return f"{self.verdict.text}\n\n{shown.to_string(float_format='{:.4f}'.format)}"

    def _repr_html_(self) -> str:
        """Return the verdict and the leaderboard for a notebook."""
        return render_for_notebook(self.verdict, [str(c) for c in self._job.dataset.classes])


def compare(
    data: Any,
    target: str | None = None,
    *,
    models: Sequence[str] | None = None,
    measure: str | None = None,
    costs: Costs = None,
    threshold: float | str | None = None,
    folds: int | None = None,
    repeats: int | None = None,
    time_limit: float | None = None,
    quick: bool = False,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = -1,
    out: str | Path | None = None,
    save: str | Path | None = None,
) -> ComparedModels:
    """Compare several models on a table, and say which one to use.

    Everything is learned from the training folds alone: which columns are identifiers, dates or
    numbers in text, cut points, weights. `augury.comparison.verdict` has the rule of the verdict,
    and `augury.comparison.budget` that of the folds.

    Parameters
    ----------
    data : data frame, or path or name of a table
        A pandas or polars frame with the target among its columns, or what `augury compare` takes
        as DATA.
    target : str, default=None
        Column to predict; by default the one named class, or the last. Rows without a class are
        left out, with a warning.
    models : sequence of str, default=None
        Names of `augury models`; by default the flagship `augury` and ten others.
    measure : str, default=None
        Measure that orders the models, see `augury.evaluate.find_measure`; by default accuracy, or
        another one if a class is rare, or expected cost if costs are given.
    costs : dict {predicted: {true: cost}}, array of shape (n_classes, n_classes), or None
        Cost of each prediction (row) where a class is true (column); see `CostClassifier`. Every
        model predicts the class of the least expected cost.
    threshold : float, "auto" or None
        Probability from which the rarer of two classes, or the class of the measure, is predicted.
        "auto" tunes it on the test rows; `augury.comparison.decision` has the rule.
    folds, repeats : int, default=None
        Number of folds of a run, and of runs of all models. By default ten folds, or five from
        50,000 rows on, and up to five runs for the models that are still tied.
    time_limit : float, default=None
        Seconds that the comparison may take, with the fit to all rows; by default 300, or 60 for a
        quick comparison. Folds that take too long are left out, and a large table is compared on
        a sample of its rows if the time does not suffice for three folds
        (`augury.comparison.schedule`). The verdict says so.
    quick : bool, default=False
        Whether only half of the folds of one run are tested.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows of a frame.
    n_jobs : int, default=-1
        Worker processes; None means 1, which is this process, and -1 all processors.
    out : path, default=None
        Folder of the results. A comparison that was stopped continues with the results that the
        folder has. By default results are kept in memory.
    save : path, default=None
        File that the recommended model is saved in.

    Returns
    -------
    ComparedModels
        With `verdict`, `leaderboard`, `best_` and `report(path)`.

    Examples
    --------
    >>> import augury
    >>> from sklearn.datasets import load_iris
    >>> iris = load_iris(as_frame=True).frame
    >>> found = augury.compare(iris, "target", models=["nb", "lr", "majority"], repeats=1, n_jobs=1)
    >>> found.verdict.recommended, found.leaderboard.index.tolist()
    ('lr', ['lr', 'nb', 'majority'])
    >>> found.best_.predict(iris.drop(columns="target").head(2)).tolist()
    [0, 0]
    """
    if isinstance(models, str):
        raise TypeError(f"compare: models must be a sequence of names, got {models!r}")
    start = monotonic()
    dataset = _read(data, target, sample_weight)
    counts = dataset.y.value_counts().reindex(dataset.classes, fill_value=0).to_numpy()
    decide_measure(counts, [str(label) for label in dataset.classes], measure)
    decision = DecisionRequest.of(costs, threshold, dataset.classes)
    plan = Budget(folds, repeats, time_limit, quick).plan(len(dataset.X))
    limit = TimeLimit(plan.time_limit, start)
    names = models or default_models(len(dataset.X), is_quick=quick)
    job = comparison_job(dataset, names, plan)
    decisions = review_columns(dataset)
    store = ResultStore(None if out is None else Path(out))
    try:
        run = run_comparison(
            job,
            plan,
            store,
            decisions,
            measure=measure,
            decision=decision,
            n_jobs=n_jobs,
            limit=limit,
        )
        verdict, best = run.verdict, None
        if run.can_fit:
            best = fit_recommended(verdict, job.models, dataset)
            if save is not None:
                verdict = save_recommended(verdict, best, dataset, Path(save), store)
        elif verdict.recommended is not None:
            verdict = note_long_fit(run, store)
    finally:
        if store.folder is not None:  # results in memory are there as long as the object
            store.close()
    return ComparedModels(verdict, best, run.job, decisions, store)


def _read(data: Any, target: str | None, sample_weight: ArrayLike | None) -> Dataset:
    """Return the table as a data set."""
    if isinstance(data, str | Path):
        if sample_weight is not None:
            raise ValueError("compare: sample_weight is for a data frame, and data is a path")
        return open_tidy_table(str(data), target)
    if not is_frame(data):
        raise TypeError(
            f"compare: data must be a data frame, or the path or name of a table, got "
            f"{type(data).__name__}"
        )
    frame = nw.from_native(data, eager_only=True).to_pandas()
    if not all(isinstance(name, str) for name in frame.columns):
        raise TypeError("compare: the columns of data must have text as names; rename them")
    weight = check_sample_weight("compare", sample_weight, len(frame))
    dataset = make_dataset(
        RawTable(frame, weights=weight),
        name=target or "table",
        source="the data frame",
        target=target,
        missing_target="drop",
        identifiers=False,
    )
    if dataset.y.nunique() < 2:
        raise DataError(
            f"compare: the target {dataset.target!r} has one class in all rows, "
            f"{dataset.y.iloc[0]!r}"
        )
    return dataset


__all__ = ["ComparedModels", "compare"]
