import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from augury.evaluate import (
    kohavi_wolpert_bias_variance,
    predictions_by_run,
    webb_bias_variance,
)

# Small tables: codes, and predictions of 1 to 5 runs, -1 among them.
tables = st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        st.lists(st.integers(0, 2), min_size=shape[0], max_size=shape[0]),
        st.lists(
            st.lists(st.integers(-1, 2), min_size=shape[0], max_size=shape[0]),
            min_size=shape[1],
            max_size=shape[1],
        ),
    )
)


def webb_by_hand(codes: list[int], predictions: list[list[int]]) -> tuple[float, float]:
    """Count wrong predictions that are, and are not, the usual one; average over ties."""
    bias = variance = 0.0
    for row, true in enumerate(codes):
        votes = [run[row] for run in predictions]
        most = max(votes.count(vote) for vote in votes)
        usual = {vote for vote in votes if votes.count(vote) == most}
        for central in usual:
            bias += sum(v != true and v == central for v in votes) / len(usual)
            variance += sum(v != true and v != central for v in votes) / len(usual)
    cells = len(codes) * len(predictions)
    return bias / cells, variance / cells


def wrong(codes: list[int], predictions: list[list[int]]) -> float:
    return float(np.mean(np.array(predictions) != np.array(codes)))


class TestWebb:
    @given(tables)
    def test_counted_one_by_one(self, table: tuple[list[int], list[list[int]]]) -> None:
        codes, predictions = table
        parts = webb_bias_variance(codes, predictions)
        assert (parts.bias, parts.variance) == pytest.approx(webb_by_hand(codes, predictions))

    @given(tables)
    def test_parts_sum_to_the_error(self, table: tuple[list[int], list[list[int]]]) -> None:
        codes, predictions = table
        parts = webb_bias_variance(codes, predictions)
        assert parts.error == pytest.approx(wrong(codes, predictions))
        assert parts.bias + parts.variance + parts.noise == pytest.approx(parts.error)
        assert min(parts.bias, parts.variance) >= -1e-15

    def test_what_always_is_the_same_has_no_variance(self) -> None:
        parts = webb_bias_variance([0, 1, 1], [[0, 0, 1]] * 4)
        assert (parts.error, parts.bias, parts.variance) == pytest.approx((1 / 3, 1 / 3, 0.0))

    def test_two_usual_predictions_share(self) -> None:
        # Class 0, predicted 0 and 1 once each: bias 0 or ½, variance ½ or 0.
        parts = webb_bias_variance([0], [[0], [1]])
        assert (parts.bias, parts.variance) == (0.25, 0.25)


class TestKohaviWolpert:
    @given(tables)
    def test_parts_sum_to_the_error(self, table: tuple[list[int], list[list[int]]]) -> None:
        codes, predictions = table
        parts = kohavi_wolpert_bias_variance(codes, predictions)
        assert parts.noise == 0.0
        assert parts.error == pytest.approx(wrong(codes, predictions))
        assert parts.bias + parts.variance == pytest.approx(parts.error)

    def test_by_hand(self) -> None:
        # Row of class 0: shares ½, ¼, ¼; row of class 1: always 1.
        parts = kohavi_wolpert_bias_variance([0, 1], [[0, 1], [0, 1], [1, 1], [2, 1]])
        assert parts.bias == pytest.approx(0.5 * (1 / 4 + 1 / 16 + 1 / 16) / 2)
        assert parts.variance == pytest.approx(0.5 * (1 - 3 / 8) / 2)
        assert parts.error == pytest.approx(1 / 4)

    @pytest.mark.parametrize("n_runs", [2, 3, 5])
    def test_unbiased_means_right_on_average_over_all_outcomes(self, n_runs: int) -> None:
        share = 0.3  # P(ŷ = 1 | x), for a row of class 0
        bias = variance = 0.0
        for votes in itertools.product((0, 1), repeat=n_runs):
            chance = share ** sum(votes) * (1 - share) ** (n_runs - sum(votes))
            parts = kohavi_wolpert_bias_variance([0], [[vote] for vote in votes], unbiased=True)
            bias, variance = bias + chance * parts.bias, variance + chance * parts.variance
        assert bias == pytest.approx(0.5 * (share**2 + share**2))
        assert variance == pytest.approx(0.5 * (1 - share**2 - (1 - share) ** 2))

    @given(tables)
    def test_the_correction_keeps_the_sum(self, table: tuple[list[int], list[list[int]]]) -> None:
        codes, predictions = table
        twice = [*predictions, *predictions]
        parts = kohavi_wolpert_bias_variance(codes, twice, unbiased=True)
        assert parts.bias + parts.variance == pytest.approx(parts.error)

    def test_one_run_has_nothing_to_correct_by(self) -> None:
        with pytest.raises(ValueError, match="unbiased must be False for one run, got True"):
            kohavi_wolpert_bias_variance([0], [[0]], unbiased=True)


class TestKnownNoise:
    TRUTH = np.array([[0.8, 0.2], [0.5, 0.5]])

    def test_expected_error_by_enumeration(self) -> None:
        predictions = [[0, 0], [0, 1], [1, 1]]
        expected = np.mean([
            sum(self.TRUTH[row, y] * (run[row] != y) for y in (0, 1))
            for run in predictions
            for row in (0, 1)
        ])  # fmt: skip
        for decompose in (webb_bias_variance, kohavi_wolpert_bias_variance):
            parts = decompose([0, 0], predictions, class_probabilities=self.TRUTH)
            assert parts.error == pytest.approx(expected)
            assert parts.bias + parts.variance + parts.noise == pytest.approx(expected)

    def test_noise_of_kohavi_and_wolpert(self) -> None:
        parts = kohavi_wolpert_bias_variance([0, 0], [[0, 0]], class_probabilities=self.TRUTH)
        assert parts.noise == pytest.approx(0.5 * ((1 - 0.68) + (1 - 0.5)) / 2)

    @pytest.mark.parametrize(
        ("truth", "message"),
        [
            ([[1.0, 0.0]], r"of shape \(2, 2\) or have more classes, got \(1, 2\)"),
            ([[1.0], [1.0]], r"got \(2, 1\)"),
            ([[1.0, 0.0], [0.5, 0.6]], r"sum to 1, got \[0.5 0.6\] in row 1"),
        ],
    )
    def test_errors(self, truth: Any, message: str) -> None:
        with pytest.raises(ValueError, match=rf"class_probabilities must be .*{message}"):
            webb_bias_variance([0, 1], [[0, 1]], class_probabilities=truth)


@pytest.mark.parametrize("decompose", [webb_bias_variance, kohavi_wolpert_bias_variance])
@pytest.mark.parametrize(
    ("codes", "predictions", "message"),
    [
        ([0, 1], [0, 1], r"a column for each code, got shapes \(2,\) and \(2,\)"),
        ([0, 1], [[0]], r"got shapes \(1, 1\) and \(2,\)"),
        ([0], np.empty((0, 1), dtype=int), "at least one run and one row"),
        (["a"], [[0]], "codes must be integers"),
        ([-1], [[0]], "codes must be integers"),
        ([0], [[-2]], "predictions must be integers"),
        ([0], [[0.5]], "predictions must be integers"),
    ],
)
def test_errors(decompose: Any, codes: Any, predictions: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{decompose.__name__}: .*{message}"):
        decompose(codes, predictions)


class TestPredictionsByRun:
    def test_folds_in_any_order(self) -> None:
        folds = [(2, [0, 1], [5, 6]), (1, [1], [2]), (2, [2], [7]), (1, [2, 0], [3, 1])]
        assert predictions_by_run(folds, 3).tolist() == [[1, 2, 3], [5, 6, 7]]

    def test_of_a_repeated_cross_validation(self) -> None:
        X, y = load_iris(return_X_y=True)
        splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=5, random_state=0)
        folds, errors = [], []
        for number, (train, test) in enumerate(splitter.split(X, y)):
            predicted = (
                DecisionTreeClassifier(random_state=0).fit(X[train], y[train]).predict(X[test])
            )
            folds.append((number // 3, test, predicted))
            errors.append((predicted != y[test]).mean())
        predictions = predictions_by_run(folds, len(y))
        assert predictions.shape == (5, 150)
        for decompose in (webb_bias_variance, kohavi_wolpert_bias_variance):
            parts = decompose(y, predictions)
            assert parts.error == pytest.approx(np.mean(errors))
            assert parts.bias > 0
            assert parts.variance > 0

    @pytest.mark.parametrize(
        ("folds", "message"),
        [
            ([], "must not be empty"),
            ([(1, [0], [0])], "each row once in each run, got row 1 0 times in run 1"),
            ([(1, [0, 1, 1], [0, 0, 0])], "got row 1 2 times in run 1"),
            ([(1, [0, 1], [0])], r"a prediction for each row, got shapes \(2,\) and \(1,\)"),
            ([(1, [0, 2], [0, 0])], "rows in 0, …, 1, got 0 to 2 in run 1"),
        ],
    )
    def test_errors(self, folds: Any, message: str) -> None:
        with pytest.raises(ValueError, match=rf"^predictions_by_run: folds .*{message}"):
            predictions_by_run(folds, 2)
