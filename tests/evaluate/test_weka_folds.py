"""WEKA's folds: Java's numbers, the grouping, and the Experimenter's own folds."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from augury.data import load_dataset
from augury.evaluate import JavaRandom, WekaFolds

GOLDEN = (
    "anneal.ORIG breast-cancer credit-a glass heart-c hepatitis iris "
    "kr-vs-kp lymph mushroom soybean vote vowel zoo"
).split()


def fold_numbers(y: Any, **parameters: int) -> np.ndarray:
    """Return the test fold (from 1) of each row, a column for each run."""
    splitter = WekaFolds(**parameters)
    numbers = np.zeros((len(y), splitter.n_repeats), dtype=int)
    for number, (train, test) in enumerate(splitter.split(y, y)):
        run, fold = divmod(number, splitter.n_splits)
        assert not numbers[test, run].any(), "a row is tested once in a run"
        assert np.array_equal(np.setdiff1d(np.arange(len(y)), test), train)
        numbers[test, run] = fold + 1
    assert numbers.all(), "every row is tested in every run"
    return numbers


class TestJavaRandom:
    # Printed by OpenJDK 17's java.util.Random.
    def test_bound_that_is_no_power_of_two(self) -> None:
        random = JavaRandom(42)
        assert [random.next_int(100) for _ in range(8)] == [30, 63, 48, 84, 70, 25, 5, 18]

    def test_power_of_two_takes_the_high_bits(self) -> None:
        random = JavaRandom(1)
        assert [random.next_int(16) for _ in range(8)] == [11, 1, 6, 6, 3, 0, 5, 10]

    def test_negative_seed_and_rejected_numbers(self) -> None:
        # With this bound nearly half of the raw numbers are rejected.
        random = JavaRandom(-7)
        assert [random.next_int((1 << 30) + 1) for _ in range(8)] == [
            577934662, 314447087, 677675436, 184135245, 425474944, 988357177, 370061409, 272470848,
        ]  # fmt: skip

    @pytest.mark.parametrize("bound", [0, -3, 1 << 31])
    def test_bound_out_of_range(self, bound: int) -> None:
        with pytest.raises(ValueError, match="bound must be in 1"):
            JavaRandom(1).next_int(bound)


def weka_fold_numbers(labels: list[int], n_splits: int, seed: int) -> list[int]:
    """Transcribe Instances.randomize, stratify and testCV, swap by swap."""
    random, rows = JavaRandom(seed), list(range(len(labels)))
    for j in range(len(rows) - 1, 0, -1):
        k = random.next_int(j + 1)
        rows[j], rows[k] = rows[k], rows[j]
    index = 1
    while index < len(rows):
        for j in range(index, len(rows)):
            if labels[rows[index - 1]] == labels[rows[j]]:
                rows[index], rows[j] = rows[j], rows[index]
                index += 1
        index += 1
    folds = [0] * len(rows)
    for position, row in enumerate(rows):
        folds[row] = position % n_splits + 1
    return folds


@given(
    labels=st.lists(st.integers(0, 5), min_size=4, max_size=60),
    n_splits=st.integers(2, 4),
)
def test_equal_to_the_swaps_one_by_one(labels: list[int], n_splits: int) -> None:
    found = fold_numbers(np.array(labels), n_splits=n_splits, n_repeats=3)
    for run in (1, 2, 3):
        assert found[:, run - 1].tolist() == weka_fold_numbers(labels, n_splits, seed=run)


@pytest.mark.parametrize("name", GOLDEN)
def test_folds_of_the_experimenter(name: str, shared_data: Path) -> None:
    expected = pd.read_csv(shared_data / "golden" / "folds" / f"{name}.csv.gz", index_col=0)
    y = load_dataset(name, data_dir=shared_data).y
    np.testing.assert_array_equal(fold_numbers(y), expected.to_numpy())


def test_only_equality_of_labels_matters() -> None:
    codes = np.array([0, 1, 1, 2, 0, 1, 2, 2, 1, 0, 1, 1])
    names = np.array(["z", "a", "m"])[codes]
    declared = pd.Series(pd.Categorical(names, categories=["m", "q", "z", "a"]), index=range(9, 21))
    expected = fold_numbers(codes, n_splits=3, n_repeats=2)
    others = (pl.Series(names.tolist()), pa.array(names.tolist()), codes.astype(">i4"))
    for y in (names, names.tolist(), names.astype(object), declared, codes.astype(float), *others):
        np.testing.assert_array_equal(fold_numbers(y, n_splits=3, n_repeats=2), expected)


def test_classes_are_spread_over_the_folds() -> None:
    y = np.repeat([0, 1], [20, 10])
    folds = fold_numbers(y, n_splits=5, n_repeats=1)[:, 0]
    counts = np.array(
        [[np.sum((folds == fold) & (y == c)) for c in (0, 1)] for fold in range(1, 6)]
    )
    np.testing.assert_array_equal(counts, [[4, 2]] * 5)


def test_a_class_smaller_than_the_folds_is_dealt_too() -> None:
    y = ["common"] * 9 + ["rare"]
    assert sorted(fold_numbers(y, n_splits=10, n_repeats=1)[:, 0]) == list(range(1, 11))


def test_rows_come_in_ascending_order() -> None:
    y = np.arange(30) % 3
    for train, test in WekaFolds(n_splits=3, n_repeats=1).split(y, y):
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()


def test_is_a_scikit_learn_splitter() -> None:
    X, y = np.arange(24.0).reshape(12, 2), np.arange(12) % 2
    scores = cross_val_score(GaussianNB(), X, y, cv=WekaFolds(n_splits=3, n_repeats=2))
    assert len(scores) == WekaFolds(n_splits=3, n_repeats=2).get_n_splits() == 6
    assert repr(WekaFolds(n_splits=3, n_repeats=2)) == "WekaFolds(n_repeats=2, n_splits=3)"


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({"n_splits": 1}, [0, 1, 1], "n_splits must be an integer >= 2, got 1"),
        ({"n_repeats": 0}, [0, 1, 1], "n_repeats must be an integer >= 1, got 0"),
        ({"n_splits": 4}, [0, 1, 1], "n_splits=4 needs at least as many rows, got 3"),
        ({}, None, "y must be given, the folds are stratified"),
        ({"n_splits": 2}, [0, 1], "X has 3 rows but y has 2"),
        ({"n_splits": 2}, ["a", None, "b"], "missing values, got one in row 1"),
        ({"n_splits": 2}, [0.0, 1.0, np.nan], "missing values, got one in row 2"),
        ({"n_splits": 2}, [0.5, 1.25, 2.0], "class labels: .*continuous"),
        ({"n_splits": 2}, ["a", np.nan, "b"], "missing values, got one in row 1"),
        ({"n_splits": 2}, [[0], [1], [1]], r"one column of labels, got shape \(3, 1\)"),
    ],
)
def test_errors(parameters: dict[str, int], y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^WekaFolds: .*{message}"):
        list(WekaFolds(**parameters).split(np.zeros((3, 1)), y))


def test_number_of_wrong_type() -> None:
    with pytest.raises(TypeError, match="n_splits must be an integer"):
        WekaFolds(n_splits=2.5).get_n_splits()  # type: ignore[arg-type]
