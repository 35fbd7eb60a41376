import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from augury.evaluate import (
    FoldResult,
    cliffs_delta,
    corrected_t_test,
    fold_effect,
    win_tie_loss,
)

# Shares of 50 test rows: what accuracies are.
shares = st.integers(0, 50).map(lambda right: right / 50)
pairs = st.lists(st.tuples(shares, shares), min_size=2, max_size=30)


class TestCorrectedTTest:
    def test_by_hand(self) -> None:
        # d = 2, 4, 6: mean 4, s² = 4; the factor is 1/3 + 1/9 = 4/9; t = 4 / √(16/9) = 3.
        test = corrected_t_test([3, 5, 8], [1, 1, 2], n_train=9, n_test=1)
        assert test.difference == 4.0
        assert test.t == pytest.approx(3.0)
        # Student's t with 2 degrees of freedom: p = 1 - t / √(2 + t²).
        assert test.p == pytest.approx(1 - 3 / math.sqrt(11))

    def test_without_the_correction_it_is_the_paired_t_test(self) -> None:
        rng = np.random.default_rng(0)
        a, b = rng.random(20), rng.random(20)
        ours = corrected_t_test(a, b, n_train=1e12, n_test=1)
        theirs = stats.ttest_rel(a, b)
        assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))

    def test_folds_of_several_sizes(self) -> None:
        a, b = [3, 5, 8], [1, 1, 2]
        sizes = corrected_t_test(a, b, n_train=[8, 9, 10], n_test=[2, 1, 0.6])
        assert sizes == corrected_t_test(a, b, n_train=27, n_test=3.6)

    def test_no_difference(self) -> None:
        scores = [0.7, 0.8, 0.75]
        test = corrected_t_test(scores, scores, n_train=9, n_test=1)
        assert (test.difference, test.t, test.p) == (0.0, 0.0, 1.0)

    @pytest.mark.parametrize("sign", [1, -1])
    def test_the_same_difference_in_every_fold(self, sign: int) -> None:
        a = np.array([0.7, 0.8, 0.9])  # 0.8 - 0.7 and 0.9 - 0.8 differ by rounding
        test = corrected_t_test(a, a - sign * 0.1, n_train=9, n_test=1)
        assert (test.t, test.p) == (sign * math.inf, 0.0)

    @given(pairs)
    def test_symmetry(self, scores: list[tuple[float, float]]) -> None:
        a, b = zip(*scores, strict=True)
        one = corrected_t_test(a, b, n_train=9, n_test=1)
        other = corrected_t_test(b, a, n_train=9, n_test=1)
        assert (one.difference, one.t, one.p) == (-other.difference, -other.t, other.p)
        assert 0.0 <= one.p <= 1.0

    @given(pairs, st.floats(1, 10))
    def test_more_variance_never_lowers_p(
        self, scores: list[tuple[float, float]], factor: float
    ) -> None:
        differences = np.array([a - b for a, b in scores])
        mean = differences.mean()
        spread = mean + factor * (differences - mean)
        zeros = np.zeros(len(scores))
        less = corrected_t_test(differences, zeros, n_train=9, n_test=1)
        more = corrected_t_test(spread, zeros, n_train=9, n_test=1)
        assert more.p >= less.p * (1 - 1e-6)

    @given(pairs)
    def test_the_correction_never_lowers_p(self, scores: list[tuple[float, float]]) -> None:
        a, b = zip(*scores, strict=True)
        few = corrected_t_test(a, b, n_train=9, n_test=1)
        many = corrected_t_test(a, b, n_train=1, n_test=1)
        assert many.p >= few.p

    @pytest.mark.parametrize(
        ("a", "b", "n_train", "message"),
        [
            ([1.0], [1.0], 9, "must have at least 2 pairs, got 1"),
            ([1.0, 2.0], [1.0], 9, r"got shapes \(2,\) and \(1,\)"),
            ([1.0, math.nan], [1.0, 1.0], 9, "must be finite"),
            (["high", "low"], [1.0, 1.0], 9, r"a must be numbers, got \['high', 'low'\]"),
            ([1.0, 2.0], [1.0, 1.0], 0, "n_train must be positive, got 0"),
            ([1.0, 2.0], [1.0, 1.0], None, "n_train must be positive, got None"),
            ([1.0, 2.0], [1.0, 1.0], "many", "n_train must be numbers, got 'many'"),
            ([1.0, 2.0], [1.0, 1.0], [-1, 9], r"n_train must be positive, got \[-1, 9\]"),
            (
                [1.0, 2.0], [1.0, 1.0], [9, 9, 9],
                r"n_train must be one number or one for each of 2 folds, got shape \(3,\)",
            ),
            ([1.0, 2.0], [1.0, 1.0], [], r"one for each of 2 folds, got shape \(0,\)"),
        ],
    )  # fmt: skip
    def test_errors(self, a: list[float], b: list[float], n_train: Any, message: str) -> None:
        with pytest.raises(ValueError, match=f"^corrected_t_test: .*{message}"):
            corrected_t_test(a, b, n_train=n_train, n_test=1)


class TestFoldEffect:
    def test_by_hand(self) -> None:
        # d = 2, 4, 6: s² = 4; 4 / √((1 + 3/9) · 4) = √3; t of 2 degrees at 0.975 is 4.30265.
        effect = fold_effect([3, 5, 8], [1, 1, 2], n_train=9, n_test=1)
        assert effect.d == pytest.approx(math.sqrt(3))
        half = 4.302653 * math.sqrt(4 / 9 * 4)
        assert (effect.low, effect.high) == pytest.approx((4 - half, 4 + half))

    @given(pairs, st.floats(0.01, 0.99))
    def test_the_interval_leaves_out_zero_where_the_test_is_significant(
        self, scores: list[tuple[float, float]], confidence: float
    ) -> None:
        a, b = zip(*scores, strict=True)
        test = corrected_t_test(a, b, n_train=9, n_test=1)
        effect = fold_effect(a, b, n_train=9, n_test=1, confidence=confidence)
        assert effect.low <= effect.difference <= effect.high
        if abs(test.p - (1 - confidence)) > 1e-9:
            assert (effect.low > 0 or effect.high < 0) == (test.p < 1 - confidence)

    def test_repeating_folds_does_not_enlarge_it(self) -> None:
        rng = np.random.default_rng(0)
        a, b = rng.random(10) + 0.1, rng.random(10)
        once = fold_effect(a, b, n_train=9, n_test=1)
        often = fold_effect(np.tile(a, 10), np.tile(b, 10), n_train=9, n_test=1)
        assert abs(often.d) < abs(once.d)

    def test_no_spread(self) -> None:
        effect = fold_effect([2.0, 3.0], [1.0, 2.0], n_train=9, n_test=1)
        assert (effect.low, effect.high, effect.d) == (1.0, 1.0, math.inf)
        same = fold_effect([2.0, 3.0], [2.0, 3.0], n_train=9, n_test=1)
        assert (same.low, same.high, same.d) == (0.0, 0.0, 0.0)

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match=r"^fold_effect: confidence must be .* 1, got 95"):
            fold_effect([1, 2], [1, 3], n_train=9, n_test=1, confidence=95)


class TestCliffsDelta:
    def test_extremes(self) -> None:
        assert cliffs_delta([3, 4], [1, 2]) == 1.0
        assert cliffs_delta([1, 2], [3, 4]) == -1.0
        assert cliffs_delta([1, 2], [2, 1]) == 0.0

    @given(pairs)
    def test_it_is_mann_and_whitney_s_u(self, scores: list[tuple[float, float]]) -> None:
        a, b = zip(*scores, strict=True)
        u = stats.mannwhitneyu(a, b, method="asymptotic").statistic
        assert cliffs_delta(a, b) == pytest.approx(2 * u / len(a) ** 2 - 1)
        assert cliffs_delta(b, a) == -cliffs_delta(a, b)


def rows(model: str, dataset: str, accuracies: list[float]) -> list[FoldResult]:
    return [
        FoldResult(
            dataset=dataset, model=model, protocol="honest", run=1, fold=fold, n_train=90,
            n_test=10, accuracy=accuracy, log_loss=0.5, brier=0.25, fit_seconds=0.1,
            predict_seconds=0.1,
        )
        for fold, accuracy in enumerate(accuracies, start=1)
    ]  # fmt: skip


class TestWinTieLoss:
    RESULTS = (
        *rows("B", "easy", [0.9, 0.8, 0.9, 0.8]),
        *rows("A", "easy", [0.5, 0.4, 0.5, 0.5]),
        *rows("A", "even", [0.5, 0.6, 0.5, 0.6]),
        *rows("B", "even", [0.6, 0.5, 0.5, 0.7]),
        *rows("A", "hard", [0.8, 0.9, 0.8, 0.9]),
        *rows("B", "hard", [0.6, 0.6, 0.6, 0.6]),
        *rows("B", "only b", [1.0, 1.0, 1.0, 1.0]),
        *rows("C", "even", [0.5, 0.6, 0.5, 0.6]),
    )

    def test_marks(self) -> None:
        b, c = win_tie_loss(self.RESULTS, "A")
        assert (b.model, b.reference) == ("B", "A")
        assert b.marks == {"easy": "better", "even": "", "hard": "worse"}
        assert (b.wins, b.ties, b.losses) == (1, 1, 1)
        assert c.marks == {"even": ""}

    def test_the_other_way_round(self) -> None:
        [a, _] = win_tie_loss(self.RESULTS, "B")
        assert a.marks == {"easy": "worse", "even": "", "hard": "better"}

    def test_order_of_folds_does_not_matter(self) -> None:
        assert [t.marks for t in win_tie_loss(self.RESULTS[::-1], "A")][::-1] == [
            t.marks for t in win_tie_loss(self.RESULTS, "A")
        ]

    def test_alpha(self) -> None:
        [b, _] = win_tie_loss(self.RESULTS, "A", alpha=1e-9)
        assert (b.wins, b.ties, b.losses) == (0, 3, 0)
        with pytest.raises(ValueError, match="alpha must be a number between 0 and 1, got 5"):
            win_tie_loss(self.RESULTS, "A", alpha=5)

    def test_only_folds_that_both_have_are_compared(self) -> None:
        """B lacks fold 1 of easy, A fold 4 of hard, and C all but the last fold of even."""
        gone = {("B", "easy", 1), ("A", "hard", 4), *(("C", "even", fold) for fold in (1, 2, 3))}
        left = [row for row in self.RESULTS if (row.model, row.dataset, row.fold) not in gone]
        shared = [
            row
            for row in self.RESULTS
            if (row.dataset, row.fold) not in {("easy", 1), ("hard", 4)} and row.model != "C"
        ]
        [b, c] = win_tie_loss(left, "A")
        assert b.marks == win_tie_loss(shared, "A")[0].marks
        assert c.marks == {}, "a single fold has no deviation"

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="reference must be one of 'B', 'A', 'C', got 'D'"):
            win_tie_loss(self.RESULTS, "D")
        with pytest.raises(ValueError, match="A must have each fold of easy once, got 5 rows of 4"):
            win_tie_loss([*self.RESULTS, self.RESULTS[4]], "B")
        with pytest.raises(ValueError, match="results must have at least one row, got none"):
            win_tie_loss([], "A")
        with pytest.raises(TypeError, match="alpha must be a number > 0, got '5 %'"):
            win_tie_loss(self.RESULTS, "A", alpha="5 %")  # type: ignore[arg-type]
        other = replace(self.RESULTS[0], protocol="published")
        with pytest.raises(ValueError, match="one protocol, got honest, published"):
            win_tie_loss([*self.RESULTS, other], "A")
