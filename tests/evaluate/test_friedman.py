import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from augury.evaluate import (
    alike_groups,
    bonferroni,
    compare_all_pairs,
    compare_with_control,
    critical_difference,
    friedman_test,
    holm,
)

# Demšar (2006), Table 6: AUC on 14 sets. He ranks the two 0.975 of "voting" 2 and 3, by digits
# that are not printed.
DEMSAR = {
    "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619,
             0.972, 0.957],
    "m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666,
          0.981, 0.978],
    "cf": [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.000, 0.965, 0.614,
           0.9751, 0.946],
    "m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.000, 0.962, 0.669,
             0.975, 0.970],
}  # fmt: skip

tables = st.integers(2, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2, max_size=12)
)


def columns(table: list[list[int]]) -> dict[str, list[int]]:
    return {f"m{j}": list(column) for j, column in enumerate(zip(*table, strict=True))}


class TestDemsarsExample:
    TEST = friedman_test(DEMSAR, correct_ties=False)

    def test_friedman(self) -> None:
        assert [round(rank, 3) for rank in self.TEST.mean_ranks] == [3.143, 2.0, 2.893, 1.964]
        assert self.TEST.chi_square == pytest.approx(9.28, abs=0.005)
        assert self.TEST.f == pytest.approx(3.69, abs=0.005)
        # The critical value of F(3, 39) at 0.05 is 2.85: rejected.
        assert self.TEST.f_p < 0.05

    @pytest.mark.parametrize(
        ("method", "alpha", "printed"),
        [
            ("nemenyi", 0.05, 1.25),
            ("nemenyi", 0.10, 1.12),
            ("bonferroni-dunn", 0.05, 1.16),
            ("bonferroni-dunn", 0.10, 1.04),
        ],
    )
    def test_critical_differences(self, method: str, alpha: float, printed: float) -> None:
        found = critical_difference(4, 14, alpha=alpha, method=method)
        # He multiplies rounded factors: 2.394 · 0.488 = 1.168 is printed as 1.16.
        assert found == pytest.approx(printed, abs=0.0101)

    def test_nemenyi_at_5_percent_finds_nothing(self) -> None:
        assert alike_groups(self.TEST) == (("m+cf", "m", "cf", "C4.5"),)
        assert min(pair.adjusted_p for pair in compare_all_pairs(self.TEST)) > 0.05

    def test_nemenyi_at_10_percent_tells_c45_from_m_and_m_cf(self) -> None:
        assert alike_groups(self.TEST, alpha=0.1) == (("m+cf", "m", "cf"), ("cf", "C4.5"))
        different = {
            (pair.model, pair.other)
            for pair in compare_all_pairs(self.TEST)
            if pair.adjusted_p < 0.1
        }
        assert different == {("C4.5", "m"), ("C4.5", "m+cf")}

    def test_holm_against_c45(self) -> None:
        found = {pair.model: pair for pair in compare_with_control(self.TEST, "C4.5")}
        printed = {"m+cf": (2.416, 0.016), "m": (2.342, 0.019), "cf": (0.512, 0.607)}
        for model, (z, p) in printed.items():
            assert abs(found[model].z) == pytest.approx(z, abs=0.003)
            assert found[model].p == pytest.approx(p, abs=0.002)
        # 0.016 < 0.05/3 and 0.019 < 0.05/2: two are rejected, the third is not.
        assert [found[model].adjusted_p <= 0.05 for model in printed] == [True, True, False]

    def test_bonferroni_dunn_finds_what_its_critical_difference_does(self) -> None:
        for alpha in (0.04, 0.05, 0.06, 0.1):
            reach = critical_difference(4, 14, alpha=alpha, method="bonferroni-dunn")
            for pair in compare_with_control(self.TEST, "C4.5", method="bonferroni-dunn"):
                assert (abs(pair.difference) > reach) == (pair.adjusted_p < alpha)


class TestFriedman:
    @given(tables)
    def test_scipy_s_statistic(self, table: list[list[int]]) -> None:
        scores = columns(table)
        ours = friedman_test(scores)
        assert 0.0 <= ours.chi_square_p <= 1.0
        assert 0.0 <= ours.f_p <= 1.0
        # scipy wants three models, and divides by zero where all are tied.
        assume(len(scores) > 2 and any(len(set(row)) > 1 for row in table))
        theirs = stats.friedmanchisquare(*scores.values())
        assert ours.chi_square == pytest.approx(theirs.statistic, abs=1e-9)
        assert ours.chi_square_p == pytest.approx(theirs.pvalue, abs=1e-9)

    @given(tables)
    def test_monotone_transforms_change_nothing(self, table: list[list[int]]) -> None:
        scores = columns(table)
        bent = {name: np.exp(0.5 * np.array(column)) + 3 for name, column in scores.items()}
        assert friedman_test(scores) == friedman_test(bent)

    @given(tables)
    def test_lower_is_better_turns_the_ranks_round(self, table: list[list[int]]) -> None:
        scores = columns(table)
        high, low = friedman_test(scores), friedman_test(scores, lower_is_better=True)
        turned = [len(scores) + 1 - rank for rank in low.mean_ranks]
        assert list(high.mean_ranks) == pytest.approx(turned)
        assert high.chi_square == pytest.approx(low.chi_square)

    @given(tables)
    def test_ties_are_never_corrected_downwards(self, table: list[list[int]]) -> None:
        scores = columns(table)
        plain = friedman_test(scores, correct_ties=False)
        assert friedman_test(scores).chi_square >= plain.chi_square * (1 - 1e-12)

    def test_iman_and_davenport_by_hand(self) -> None:
        # Ranks 1 2, 1 2, 1 2, 2 1: means 1.25 and 1.75; χ² = 4 (0.5)² = 1; F = 3 · 1 / (4 - 1).
        test = friedman_test({"a": [2, 2, 2, 1], "b": [1, 1, 1, 2]})
        assert (test.chi_square, test.f) == pytest.approx((1.0, 1.0))
        assert test.f_p == pytest.approx(stats.f.sf(1.0, 1, 3))

    def test_no_difference_and_perfect_agreement(self) -> None:
        same = friedman_test({"a": [1, 2, 3], "b": [1, 2, 3], "c": [1, 2, 3]})
        assert (same.chi_square, same.chi_square_p, same.f, same.f_p) == (0.0, 1.0, 0.0, 1.0)
        agreed = friedman_test({"a": [1, 1, 1], "b": [2, 2, 2], "c": [3, 3, 3]})
        assert (agreed.f, agreed.f_p) == (math.inf, 0.0)
        assert agreed.chi_square == pytest.approx(6.0)

    def test_scores_that_differ_by_rounding_are_tied(self) -> None:
        assert friedman_test({"a": [0.1 + 0.2], "b": [0.3]}).mean_ranks == (1.5, 1.5)

    def test_data_frames_do(self) -> None:
        assert friedman_test(pd.DataFrame(DEMSAR)) == friedman_test(DEMSAR)

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ({"a": [1, 2]}, "scores must have at least 2 models, got 1"),
            ({"a": [1, 2], "b": [1]}, r"for each model, got shapes \(1,\), \(2,\)"),
            ({"a": [], "b": []}, "at least 1, for each model"),
            ({"a": [1, 2], "b": [1, math.nan]}, "finite, got nan of b on data set 2"),
            ({"a": [1, 2], "b": ["x", "y"]}, "b must be numbers"),
        ],
    )
    def test_errors(self, scores: dict[str, list[float]], message: str) -> None:
        with pytest.raises(ValueError, match=f"^friedman_test: .*{message}"):
            friedman_test(scores)

    def test_an_array_has_no_names(self) -> None:
        with pytest.raises(TypeError, match=r"scores must be a mapping from model .* got ndarray"):
            friedman_test(np.ones((3, 2)))


class TestCriticalDifference:
    # Demšar (2006), Table 5: critical values q at 0.05, from 2 models on.
    NEMENYI = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
    BONFERRONI_DUNN = (1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690)

    @pytest.mark.parametrize("n_models", range(2, 11))
    def test_printed_critical_values(self, n_models: int) -> None:
        unit = math.sqrt(n_models * (n_models + 1) / 6)
        nemenyi = critical_difference(n_models, 1) / unit
        assert nemenyi == pytest.approx(self.NEMENYI[n_models - 2], abs=0.0011)

    @pytest.mark.parametrize("n_models", range(2, 9))
    def test_printed_critical_values_against_a_control(self, n_models: int) -> None:
        unit = math.sqrt(n_models * (n_models + 1) / 6)
        dunn = critical_difference(n_models, 1, method="bonferroni-dunn") / unit
        assert dunn == pytest.approx(self.BONFERRONI_DUNN[n_models - 2], abs=0.0011)

    def test_more_models_than_any_table_has(self) -> None:
        # Between one comparison and as many independent ones as there are pairs.
        least = critical_difference(40, 10, method="bonferroni-dunn")
        most = -stats.norm.ppf(0.05 / (40 * 39)) * math.sqrt(40 * 41 / 60)
        assert least < critical_difference(40, 10) < most

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="n_models must be an integer >= 2, got 1"):
            critical_difference(1, 14)
        with pytest.raises(ValueError, match="method must be one of 'nemenyi', 'bonferroni-dunn'"):
            critical_difference(4, 14, method="holm")
        with pytest.raises(ValueError, match="alpha must be a number between 0 and 1, got 1"):
            critical_difference(4, 14, alpha=1)


class TestPostHoc:
    @given(tables)
    def test_adjusted_p_is_never_below_p(self, table: list[list[int]]) -> None:
        test = friedman_test(columns(table))
        for pairs in (
            compare_all_pairs(test, method="holm"),
            compare_with_control(test, "m0"),
            compare_with_control(test, "m0", method="bonferroni-dunn"),
        ):
            for pair in pairs:
                assert 0.0 <= pair.p <= pair.adjusted_p <= 1.0

    def test_nemenyi_of_two_models_is_the_plain_comparison(self) -> None:
        test = friedman_test({"a": [1, 2, 3, 9, 5], "b": [2, 3, 4, 5, 6]})
        [pair] = compare_all_pairs(test)
        assert pair.adjusted_p == pytest.approx(pair.p, rel=1e-6)

    def test_order_of_the_models_only_turns_signs(self) -> None:
        test = friedman_test(DEMSAR)
        turned = friedman_test(dict(reversed(DEMSAR.items())))
        found = {(pair.model, pair.other): pair for pair in compare_all_pairs(turned)}
        for pair in compare_all_pairs(test):
            other = found[pair.other, pair.model]
            assert (pair.z, pair.p) == pytest.approx((-other.z, other.p))
            assert pair.adjusted_p == pytest.approx(other.adjusted_p)

    @given(st.lists(st.floats(0, 1), max_size=8), st.floats(0.001, 0.999))
    def test_holm_rejects_what_its_steps_reject(self, p: list[float], alpha: float) -> None:
        rejected = set()
        for step, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
            if (len(p) - step) * p[i] > alpha:
                break
            rejected.add(i)
        assert set(np.flatnonzero(holm(p) <= alpha).tolist()) == rejected
        assert (bonferroni(p) >= holm(p)).all()

    def test_errors(self) -> None:
        test = friedman_test(DEMSAR)
        with pytest.raises(ValueError, match=r"control must be one of 'C4.5', 'm', .* got 'nb'"):
            compare_with_control(test, "nb")
        with pytest.raises(ValueError, match="method must be one of 'nemenyi', 'holm', got 'sum'"):
            compare_all_pairs(test, method="sum")
        with pytest.raises(ValueError, match=r"^holm: p_values must be a column from 0 to 1"):
            holm([0.5, math.nan])
        with pytest.raises(ValueError, match=r"^bonferroni: p_values must be a column from 0 to 1"):
            bonferroni([[0.5]])
