"""Columns that are tidied before a fit: the same decisions, and each warning once."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from augury import HiddenNaiveBayes, LogisticRegression, NaiveBayes
from augury.encode import TidyColumns
from augury.encode.tidy_columns import UnreadValuesWarning
from augury.scale import fit
from tests.scale.dask_processes import start_cluster
from tests.scale.tables import TARGET, WEIGHT, in_parts, mixed_table


@pytest.fixture
def table() -> pd.DataFrame:
    """Return a table with an identifier, a constant, numbers in text and dates, some unreadable."""
    table = mixed_table().drop(columns=[WEIGHT, "is_sold"])
    number = np.arange(len(table))
    dates = pd.Series(pd.Timestamp("2024-01-31") + pd.to_timedelta(number % 90, "D"))
    days = dates.dt.strftime("%Y-%m-%d")
    return table.assign(
        customer=[f"c{k}" for k in number],
        currency="EUR",
        price=[f"${k % 40}.50" for k in number],
        day=days.where(number % 50 != 7, "soon").where(number % 80 != 9, "NA"),
    )[[*"customer currency price day".split(), *table.columns]]  # fmt: skip


@pytest.mark.parametrize("where", ["threads", "dask"])
def test_tidy_columns_decide_and_warn_as_in_memory(table: pd.DataFrame, where: str) -> None:
    for model in (NaiveBayes(), HiddenNaiveBayes(), LogisticRegression(tol=1e-10)):
        whole = make_pipeline(TidyColumns(), model)
        X = table.drop(columns=TARGET)
        with pytest.warns(UnreadValuesWarning) as expected_warnings:
            expected = make_pipeline(TidyColumns(), model).fit(X, table[TARGET])
        source = in_parts(table, [150, 1, 0, 90])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if where == "threads":
                found = fit(whole, source, TARGET, n_jobs=2)
            else:
                with start_cluster(2, processes=False, protocol="tcp") as cluster:
                    found = fit(whole, source, TARGET, client=cluster.scheduler_address)
        caught = [each for each in caught if issubclass(each.category, UnreadValuesWarning)]
        assert [str(each.message) for each in caught] == [
            str(each.message) for each in expected_warnings
        ]
        assert "8 of 400 rows have something else, such as 'soon'" in str(caught[0].message)
        assert found[0].decisions_ == expected[0].decisions_
        assert [each.treatment for each in found[0].decisions_[:4]] == [
            "dropped", "dropped", "numbers", "date"
        ]  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreadValuesWarning)
            difference = found.predict_proba(X) - expected.predict_proba(X)
        assert np.abs(difference).max() < (1e-6 if "Logistic" in repr(model) else 1e-12)
