"""Trial fits, samples of the rows, and fits that take too long."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

import augury
from augury.comparison import compared_models, rounds
from augury.comparison.fit_times import FitTimes
from augury.comparison.row_sample import sample_dataset, sample_rows
from augury.comparison.schedule import TimeLimit, affordable_folds
from augury.comparison.trial_fits import time_trial_fits
from augury.data import load_dataset
from augury.evaluate import WekaFolds
from augury.evaluate.folds import number_folds, prepare_table
from augury.models.tidy_model import tidy_model
from augury.workers.tasks import OwnProcess

MODELS = ["nb", "lr", "majority"]


@pytest.fixture(scope="module")
def wine() -> pd.DataFrame:
    return load_wine(as_frame=True).frame


class TestTrialFits:
    def times(self, *, short: float, long: float) -> FitTimes:
        dataset = load_dataset("sklearn:breast_cancer")
        table = prepare_table(dataset, "honest")
        times = FitTimes()
        with OwnProcess() as workers:
            time_trial_fits(
                {"nb": tidy_model("nb")},
                table,
                number_folds(WekaFolds(2, 1), table)[0],
                times,
                workers=workers,
                short=short,
                long=long,
                until=np.inf,
            )
        return times

    @pytest.fixture(autouse=True)
    def _few_rows_suffice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("augury.comparison.trial_fits._FEWEST_ROWS", 4)

    def sizes(self, times: FitTimes) -> list[int]:
        return sorted(times._seconds["nb"])  # 284 training rows, at least ten of each class

    def test_samples_grow_to_a_quarter_of_the_training_rows(self) -> None:
        assert self.sizes(self.times(short=0.0, long=1e9))[-1] in (70, 71, 72)

    def test_they_end_when_the_fold_is_short(self) -> None:
        assert len(self.sizes(self.times(short=1e9, long=1e9))) == 1

    def test_they_end_when_a_fit_takes_long(self) -> None:
        assert len(self.sizes(self.times(short=0.0, long=0.0))) == 1


class TestSamples:
    def test_a_sample_keeps_the_shares_of_the_classes_and_rare_classes(self) -> None:
        codes = np.repeat([0, 1, 2], [8_000, 1_990, 10])
        found = codes[sample_rows(codes, 1_000)]
        assert np.bincount(found).tolist() == [800, 199, 10]
        assert sample_rows(codes, 20_000).tolist() == list(range(10_000))

    def test_the_sample_of_a_data_set_has_its_name_and_its_weights(self) -> None:
        iris = load_dataset("sklearn:iris")
        weighted = replace(iris, sample_weight=pd.Series(np.arange(150.0)))
        sample = sample_dataset(weighted, 75)
        assert sample.name == "sklearn:iris, 75 of 150 rows"
        assert sample.sample_weight is not None
        assert sample.sample_weight.tolist() == [float(row) for row in sample.X.index]

    def test_the_model_is_fitted_to_all_rows(
        self, wine: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rounds, "is_large", lambda *_: True)
        monkeypatch.setattr(rounds, "affordable_rows", lambda *_: 90)
        fitted_rows = []
        fit = compared_models.fit_recommended

        def count_rows(verdict, models, dataset):
            fitted_rows.append(len(dataset.X))
            return fit(verdict, models, dataset)

        monkeypatch.setattr(compared_models, "fit_recommended", count_rows)
        found = augury.compare(wine, "target", models=MODELS, folds=3, repeats=1, n_jobs=1)
        assert "a sample of 90 of the 178 rows, because the time limit" in found.verdict.text
        assert found.best_ is not None
        assert fitted_rows == [178]
        page = found.report(tmp_path / "wine.html").read_text("utf-8")
        assert "a sample of 90 of the 178 rows" in page
        assert "178 rows" in page


def test_a_fit_that_takes_too_long_is_left_to_another_command(
    wine: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FitTimes, "expect", _hours)
    found = augury.compare(
        wine, "target", models=MODELS, folds=3, repeats=1, n_jobs=1, time_limit=10_000.0
    )
    assert found.best_ is None
    [note] = found.verdict.notes
    assert note.startswith("nb was not fitted to all 178 rows: that takes about 8 hours, longer")
    assert "`augury fit DATA --from-compare DIR` fits it." in note


def _hours(_: FitTimes, __: str, n_rows: int) -> float:
    return 30_000.0 if n_rows == 178 else 0.1


def test_the_time_limit_keeps_time_for_the_page_and_the_fit() -> None:
    limit = TimeLimit(300.0, start=1_000.0)
    assert limit.deadline([]) == 1_255.0
    assert limit.deadline([20.0, 50.0]) == 1_205.0
    assert limit.deadline([5_000.0]) == 1_135.0, "at most two fifths for the fit"
    assert limit.deadline([1.0, None]) == 1_240.0, "a model that was not timed"


@pytest.mark.parametrize("seconds", [0.5, 60.0, 300.0])
@pytest.mark.parametrize("fit", [None, 0.0, 1.0])
def test_folds_that_overrun_leave_the_time_of_the_page_and_the_fit(
    seconds: float, fit: float | None
) -> None:
    limit = TimeLimit(seconds, start=0.0)
    expected = 0.05 * seconds if fit is None else min(fit, 0.4 * seconds)
    ended = limit.overrun(limit.deadline([fit]))
    assert seconds - ended == pytest.approx(0.1 * seconds + expected)


def test_folds_are_counted_by_the_time_of_all_models() -> None:
    assert affordable_folds([1.0, 3.0], 5, 2, seconds=11.5) == 5
    assert affordable_folds([1.0, 3.0], 5, 2, seconds=11.4) == 4
    assert affordable_folds([1.0, 3.0], 5, 2, seconds=1.0) == 0
