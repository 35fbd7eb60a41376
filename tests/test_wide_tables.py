"""Tables with thousands of columns: the work grows with the columns, and not faster."""

import cProfile
import pstats
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.pipeline import Pipeline, make_pipeline

from augury.drift import collect_reference
from augury.drift.column_states import choose_edges
from augury.drift.column_values import ColumnReading, read_values
from augury.encode import TidyColumns
from augury.generative import NaiveBayes
from augury.identifiers import why_identifier
from augury.persist import load_model, save_model


def _wide(n_columns: int) -> tuple[pd.DataFrame, pd.Series]:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(40, n_columns)))
    return X.set_axis([f"c{j}" for j in range(n_columns)], axis=1), pd.Series(["a", "b"] * 20)


def _fit_and_save(X: pd.DataFrame, y: pd.Series, file: Path) -> Pipeline:
    model = make_pipeline(TidyColumns(), NaiveBayes()).fit(X, y)
    save_model(model, file, X=X, target="y", reference=collect_reference(model, X, y))
    return model


def _count_calls(n_columns: int, folder: Path) -> tuple[int, int]:
    """Return the numbers of calls to fit and save a model, and to load it and predict."""
    (X, y), file, found = _wide(n_columns), folder / "wide.augury", []
    for work in (
        lambda: _fit_and_save(X, y, file),
        lambda: load_model(file).model.predict_proba(X),
    ):
        profile = cProfile.Profile()
        profile.runcall(work)
        found.append(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
    return found[0], found[1]


def test_calls_grow_with_the_columns_and_are_few(tmp_path: Path) -> None:
    """Calls instead of seconds: they are the same on every machine.

    Selections of rows by pandas made it about 6,000 calls for each column to fit and save.
    """
    _count_calls(10, tmp_path)  # imports
    counts = np.array([_count_calls(n, tmp_path) for n in (200, 400, 800)])
    first, second = np.diff(counts, axis=0)
    assert_array_equal(second < 2.1 * first, [True, True])
    assert_array_equal(second / 400 < [3_500, 3_500], [True, True])


def test_numbers_that_are_kept_are_the_columns_of_the_table() -> None:
    X, _ = _wide(3)
    X.columns.name = "measured"
    X.attrs["unit"] = "m"
    tidy = TidyColumns().fit(X)
    for table in (X, X.rename_axis(columns=None), X.assign(c1=[*X["c1"][:-1], None])):
        read = tidy.transform(table)
        assert read.columns.tolist() == ["c0", "c1", "c2"]
        assert_array_equal(read.to_numpy(), table.to_numpy())
    read["c0"] = 0.0
    assert (X["c0"] != 0.0).all()


@pytest.mark.parametrize("dtype", ["float64", "float32", "Float64", "float64[pyarrow]"])
def test_columns_of_all_types_of_numbers_are_read_alike(dtype: str) -> None:
    values = pd.Series([3.0, 1.0, None, 2.0, 1.5] * 8)
    column = values.astype(dtype)
    tidy = TidyColumns().fit(pd.DataFrame({"a": column, "b": ["x", "y"] * 20}))
    assert tidy.decisions_[0].reason == "from 1 to 3, 8 missing"
    read = read_values(column, ColumnReading("a", "numbers", ""))
    assert read.numbers is not None
    assert_array_equal(read.numbers, values.to_numpy())
    assert (read.n_gaps, read.n_unread, read.unread) == (8, 0, ())


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "Int64", "int32[pyarrow]"])
def test_numbers_of_all_types_that_count_rows_are_identifiers(dtype: str) -> None:
    assert why_identifier(pd.Series(range(100), dtype=dtype)) == "it counts the rows"


def test_infinite_numbers_are_gaps() -> None:
    read = read_values(pd.Series([1.0, np.inf, -np.inf]), ColumnReading("a", "numbers", ""))
    assert read.numbers is not None
    assert_array_equal(read.numbers, [1.0, np.nan, np.nan])
    assert (read.n_gaps, read.n_unread, read.unread) == (2, 2, ("inf", "-inf"))


@pytest.mark.parametrize("n_bins", [1, 4, 16])
@pytest.mark.parametrize("n_values", [1, 3, 16, 17, 100])
def test_edges_are_quantiles_of_the_numbers(n_values: int, n_bins: int) -> None:
    numbers = np.random.default_rng(1).integers(0, n_values, 200) / 8.0
    distinct = np.unique(numbers)
    if len(distinct) > n_bins:
        last = np.maximum(np.arange(1, n_bins) * 200 // n_bins - 1, 0)
        distinct = np.unique(np.sort(numbers)[last])
    expected = tuple(edge for edge in distinct.tolist() if edge < numbers.max())
    assert choose_edges(numbers, n_bins) == expected
