"""Rows that are prepared once for all models of a fold give the results of each model alone."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from augury.data import Dataset
from augury.encode import TidyColumns
from augury.encode.tidy_columns import UnreadValuesWarning
from augury.evaluate import WekaFolds
from augury.evaluate.folds import number_folds, prepare_table, run_fold
from augury.evaluate.shared_steps import SharedSteps
from augury.models.tidy_model import tidy_model


@pytest.fixture
def dataset() -> Dataset:
    rng = np.random.default_rng(0)
    price = [f"${value:,.2f}" for value in rng.uniform(900, 2000, 60)]
    frame = pd.DataFrame(
        {
            "id": [f"r{i}" for i in range(60)],
            "price": price,
            "kind": rng.choice(["a", "b", "c"], 60),
        }
    )
    return Dataset(frame, pd.Series(np.arange(60) % 2, name="y"), "shop", "y", "shop.csv")


@pytest.mark.parametrize("name", ["majority", "nb", "lr", "forest"])
def test_results_equal_those_of_the_whole_pipeline(dataset: Dataset, name: str) -> None:
    table = prepare_table(dataset, "honest")
    for fold in number_folds(WekaFolds(5, 1), table):
        found = run_fold(table, name, tidy_model(name), fold)
        alone = clone(tidy_model(name)).fit(table.X.iloc[fold.train], table.y.iloc[fold.train])
        rows = table.X.iloc[fold.test]
        np.testing.assert_array_equal(found.predicted, alone.predict(rows))
        assert found.probabilities is not None
        np.testing.assert_array_equal(found.probabilities, alone.predict_proba(rows))


def test_the_columns_of_a_fold_are_tidied_once(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits = []
    fit = TidyColumns.fit
    monkeypatch.setattr(TidyColumns, "fit", lambda *given: fits.append(1) or fit(*given))
    table = prepare_table(dataset, "honest")
    first, second = number_folds(WekaFolds(2, 1), table)
    for name in ("majority", "nb", "lr"):
        run_fold(table, name, tidy_model(name), first)
    assert len(fits) == 1
    run_fold(table, "majority", tidy_model("majority"), second)
    assert len(fits) == 1, "majority ignores the columns"
    run_fold(table, "nb", tidy_model("nb"), second)
    assert len(fits) == 2


def test_every_model_gets_the_warning_of_unread_values(dataset: Dataset) -> None:
    dataset.X.loc[0, "price"] = "call us"
    table = prepare_table(dataset, "honest")
    folds = number_folds(WekaFolds(5, 1), table)
    fold = next(each for each in folds if 0 in each.test)
    for name in ("nb", "lr"):
        with pytest.warns(UnreadValuesWarning, match="'call us'"):
            run_fold(table, name, tidy_model(name), fold)


def test_other_steps_stay_in_the_pipeline() -> None:
    steps = [("columns", TidyColumns()), ("scale", StandardScaler()), ("model", GaussianNB())]
    frame = pd.DataFrame({"a": np.arange(6.0) ** 2, "b": [1.0, 5.0, 2.0, 7.0, 3.0, 9.0]})
    rows = SharedSteps().rows_of(Pipeline(steps), 1, (6, 6), lambda: (frame, frame))
    assert [name for name, _ in rows.estimator.steps] == ["scale", "model"]
    alone = GaussianNB()
    assert SharedSteps().rows_of(alone, 1, (6, 6), lambda: (frame, frame)).estimator is alone


def test_old_folds_are_dropped_and_a_copy_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augury.evaluate.shared_steps._MAX_BYTES", 0)
    frame = pd.DataFrame({"a": [1.5, 2.5, 0.5]})
    shared, model = SharedSteps(), Pipeline([("columns", TidyColumns()), ("model", GaussianNB())])
    taken: list[int] = []

    def take() -> tuple[pd.DataFrame, pd.DataFrame]:
        taken.append(1)
        return frame, frame

    for key in (1, 1, 2, 1):
        shared.rows_of(model, key, (3, 3), take)
    assert len(taken) == 3, "the last fold is kept"
    pickle.loads(pickle.dumps(shared)).rows_of(model, 1, (3, 3), take)
    assert len(taken) == 4
