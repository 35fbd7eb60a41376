"""Jobs complete a store, whatever was there before and whatever fails."""

import warnings
from pathlib import Path

import dask
import numpy as np
import pandas as pd
import pytest
from distributed import LocalCluster
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier

from augury.data import Dataset, load_dataset
from augury.errors import StoreError
from augury.evaluate import WekaFolds, cross_validate
from augury.experiments.job import Job
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.generative import NaiveBayes
from augury.workers.tasks import WorkersLostError


class Fragile(ClassifierMixin, BaseEstimator):
    """Cannot bear an odd sum of tenths."""

    def fit(self, X, y):
        if round(10 * X.to_numpy().sum()) % 2:
            raise ArithmeticError("it broke")
        self.classes_ = np.array([0, 1, 2])
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def job(models=None, n_repeats=2, **changes) -> Job:
    models = models or {"nb": NaiveBayes(), "most": DummyClassifier()}
    splitter = WekaFolds(n_splits=5, n_repeats=n_repeats)
    return Job(load_dataset("sklearn:iris"), models, splitter, "honest", **changes)


def timeless(results):
    return [
        (row.dataset, row.model, row.run, row.fold, row.n_train, row.accuracy, row.log_loss)
        for row in results
    ]


def test_rows_are_those_of_cross_validation() -> None:
    plan = job()
    expected = cross_validate([plan.dataset], plan.models, plan.splitter)
    for n_jobs in (1, 2):
        with ResultStore(None) as store:
            report = run_jobs([plan], store, n_jobs=n_jobs)
            assert (report.n_done, report.n_failed, report.n_before) == (20, 0, 0)
            assert sorted(timeless(store.results())) == sorted(timeless(expected))


def test_only_what_is_missing_is_computed(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as store:
        run_jobs([job(n_repeats=1)], store)
        before = store.results()
        report = run_jobs([job(n_repeats=2)], store)
        assert (report.n_done, report.n_before) == (10, 10)
        assert set(before) < set(store.results()), "the seconds of old rows stay, too"


def test_a_failure_is_kept_and_stops_nothing() -> None:
    heard: list[object] = []
    with ResultStore(None) as store:
        plan = job({"fragile": Fragile(), "nb": NaiveBayes()})
        report = run_jobs([plan], store, progress=heard.extend)
        failures = store.failures()
        assert 0 < report.n_failed < 10
        assert report.n_failed == len(failures) == 20 - report.n_done
        assert "ArithmeticError: it broke" in failures[0].traceback
        assert f"(fragile on sklearn:iris, run {failures[0].run}" in failures[0].traceback
        assert len(heard) == 20
        again = run_jobs([plan], store)
        assert (again.n_done, again.n_failed, again.n_before) == (0, 0, 20)
        assert run_jobs([plan], store, retry_failed=True).n_failed == report.n_failed


def test_folds_of_another_process_are_left_to_it(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as other, ResultStore(tmp_path) as store:
        other.claim("sklearn:iris", "nb", "honest", [(1, 1), (1, 2)])
        report = run_jobs([job()], store)
        assert (report.n_done, report.n_elsewhere) == (18, 2)


def test_changed_parameters_do_not_mix(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as store:
        run_jobs([job()], store)
        with pytest.raises(StoreError, match="nb with other parameters: alpha was"):
            run_jobs([job({"nb": NaiveBayes(alpha=3.0)})], store)
        changed = job()
        X = changed.dataset.X.copy()
        X.iloc[0, 0] += 1
        data = Dataset(X, changed.dataset.y, "sklearn:iris", "target", "here")
        with pytest.raises(StoreError, match="sklearn:iris with other data"):
            run_jobs([Job(data, changed.models, changed.splitter, "honest")], store)


def test_warnings_of_a_model_are_kept() -> None:
    class Creaking(Fragile):
        def fit(self, X, y):
            warnings.warn("it creaks", stacklevel=1)
            self.classes_ = np.array([0, 1, 2])
            return self

    with ResultStore(None) as store:
        run_jobs([job({"old": Creaking()}, n_repeats=1)], store)
        assert store.messages() == [("sklearn:iris", "old", "it creaks")]


def test_random_models_are_the_same_for_any_number_of_workers() -> None:
    rows = []
    for n_jobs in (1, 2):
        with ResultStore(None) as store:
            forest = RandomForestClassifier(n_estimators=3, random_state=0)
            run_jobs([job({"forest": forest}, n_repeats=1)], store, n_jobs=n_jobs)
            rows.append(timeless(store.results()))
    assert rows[0] == rows[1]


def test_what_is_remembered_of_a_data_set() -> None:
    with ResultStore(None) as store:
        run_jobs([job(n_repeats=1)], store)
        [known] = store.datasets()
    assert known.details["classes"] == ["setosa", "versicolor", "virginica"]
    assert (known.details["n_rows"], known.details["n_columns"]) == (150, 4)
    assert pd.Series(known.labels).value_counts().tolist() == [50, 50, 50]
    assert known.splitter == {"class": "augury.evaluate.WekaFolds", "n_splits": 5}


def test_workers_of_a_dask_scheduler_do_the_same() -> None:
    plan = job(n_repeats=1)
    with ResultStore(None) as store:
        run_jobs([plan], store)
        expected = timeless(store.results())
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with cluster, ResultStore(None) as store:
        run_jobs([plan], store, scheduler=cluster.scheduler_address)
        assert timeless(store.results()) == expected


def test_a_scheduler_that_is_not_there_is_told() -> None:
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.5s"}),
        ResultStore(None) as store,
        pytest.raises(WorkersLostError, match="no Dask scheduler answers at 'tcp"),
    ):
        run_jobs([job()], store, scheduler="tcp://127.0.0.1:9")
