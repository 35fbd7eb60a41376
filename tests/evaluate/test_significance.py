import itertools
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
    corrected_t_test,
    wilcoxon_signed_rank,
    win_tie_loss,
)

# Demšar (2006), Table 2: AUC of C4.5, and of C4.5 with the parameter m tuned.
C45 = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972,
       0.957]  # fmt: skip
C45_M = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981,
         0.978]  # fmt: skip

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


def by_all_signs(ranks: list[float], statistic: float) -> float:
    sums = [
        sum(itertools.compress(ranks, signs))
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    total = sum(ranks)
    return sum(min(s, total - s) <= statistic + 1e-9 for s in sums) / len(sums)


class TestWilcoxon:
    def test_demsar_s_example(self) -> None:
        test = wilcoxon_signed_rank(C45_M, C45)
        assert (test.rank_sum_plus, test.rank_sum_minus, test.statistic) == (93.0, 12.0, 12.0)
        # His ranks: two zeros, 0.005 twice, and ten others.
        ranks = [1.5, 1.5, 3.5, 3.5, *range(5, 15)]
        assert test.p == pytest.approx(by_all_signs(ranks, 12.0), rel=1e-12)
        # He reads from a table that 21 is just significant at 5 % for 14 sets.
        assert test.p < 0.05

    @pytest.mark.parametrize("n", [1, 2, 5, 10, 25, 50])
    def test_without_ties_it_is_scipy_s_exact_p(self, n: int) -> None:
        rng = np.random.default_rng(n)
        a, b = rng.random(n) + 0.1, rng.random(n)
        ours, theirs = wilcoxon_signed_rank(a, b), stats.wilcoxon(a, b, method="exact")
        assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))

    @pytest.mark.parametrize("n", [51, 200])
    def test_many_sets_with_ties_and_zeros_are_scipy_s_approximation(self, n: int) -> None:
        rng = np.random.default_rng(n)
        a, b = rng.integers(0, 9, n), rng.integers(0, 8, n)
        ours = wilcoxon_signed_rank(a, b)
        theirs = stats.wilcoxon(a, b, zero_method="zsplit", method="asymptotic", correction=False)
        assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))

    def test_the_approximation_continues_the_exact_p(self) -> None:
        rng = np.random.default_rng(1)
        a, b = rng.random(50) + 0.1, rng.random(50)
        near = stats.wilcoxon(a, b, method="asymptotic").pvalue
        assert wilcoxon_signed_rank(a, b).p == pytest.approx(near, abs=2e-3)

    @given(st.lists(st.tuples(shares, shares), min_size=1, max_size=10))
    def test_p_counts_the_signs(self, scores: list[tuple[float, float]]) -> None:
        a, b = map(np.array, zip(*scores, strict=True))
        test = wilcoxon_signed_rank(a, b)
        ranks = stats.rankdata(np.round(np.abs(a - b), 9)).tolist()
        assert test.rank_sum_plus + test.rank_sum_minus == len(ranks) * (len(ranks) + 1) / 2
        assert test.p == pytest.approx(by_all_signs(ranks, test.statistic))

    @given(pairs)
    def test_symmetry(self, scores: list[tuple[float, float]]) -> None:
        a, b = zip(*scores, strict=True)
        one, other = wilcoxon_signed_rank(a, b), wilcoxon_signed_rank(b, a)
        assert one.rank_sum_plus == other.rank_sum_minus
        assert one.p == other.p

    @pytest.mark.parametrize("n", [1, 7, 60])
    def test_no_difference(self, n: int) -> None:
        scores = np.linspace(0, 1, n)
        test = wilcoxon_signed_rank(scores, scores)
        assert test.rank_sum_plus == test.rank_sum_minus
        assert test.p == 1.0

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="must have at least 1 pairs, got 0"):
            wilcoxon_signed_rank([], [])


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

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="reference must be one of 'B', 'A', 'C', got 'D'"):
            win_tie_loss(self.RESULTS, "D")
        with pytest.raises(ValueError, match="A and B must have the same folds on easy"):
            win_tie_loss(self.RESULTS[1:], "B")
        with pytest.raises(ValueError, match="A must have each fold of easy once, got 5 rows of 4"):
            win_tie_loss([*self.RESULTS, self.RESULTS[4]], "B")
        with pytest.raises(ValueError, match="results must have at least one row, got none"):
            win_tie_loss([], "A")
        with pytest.raises(TypeError, match="alpha must be a number > 0, got '5 %'"):
            win_tie_loss(self.RESULTS, "A", alpha="5 %")  # type: ignore[arg-type]
        other = replace(self.RESULTS[0], protocol="published")
        with pytest.raises(ValueError, match="one protocol, got honest, published"):
            win_tie_loss([*self.RESULTS, other], "A")
