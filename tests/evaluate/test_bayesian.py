import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from augury.evaluate import (
    bayesian_sign_test,
    bayesian_signed_rank,
    bayesian_t_test,
    corrected_t_test,
)

shares = st.integers(0, 50).map(lambda right: right / 50)
pairs = st.lists(st.tuples(shares, shares), min_size=2, max_size=20)


class TestCorrelatedT:
    def test_closed_form(self) -> None:
        # d = 2, 4, 6: around 4 with scale 4/3 and 2 degrees of freedom, whose distribution
        # function is ½ (1 + t / √(2 + t²)); rope 1: t = (4 - 1) · 3/4 and (4 + 1) · 3/4.
        found = bayesian_t_test([3, 5, 8], [1, 1, 2], n_train=9, n_test=1, rope=1)
        above = 0.5 * (1 + 2.25 / math.sqrt(2 + 2.25**2))
        below = 0.5 * (1 - 3.75 / math.sqrt(2 + 3.75**2))
        assert found.a_better == pytest.approx(above)
        assert found.b_better == pytest.approx(below)
        assert found.equal == pytest.approx(1 - above - below)

    @given(pairs)
    def test_without_a_rope_it_is_the_one_sided_corrected_t_test(
        self, scores: list[tuple[float, float]]
    ) -> None:
        a, b = zip(*scores, strict=True)
        test = corrected_t_test(a, b, n_train=9, n_test=1)
        found = bayesian_t_test(a, b, n_train=9, n_test=1, rope=0)
        if test.difference != 0:
            worse = found.b_better if test.difference > 0 else found.a_better
            assert worse == pytest.approx(test.p / 2, abs=1e-12)

    @given(pairs, st.floats(0, 0.2))
    def test_symmetry(self, scores: list[tuple[float, float]], rope: float) -> None:
        a, b = zip(*scores, strict=True)
        one = bayesian_t_test(a, b, n_train=9, n_test=1, rope=rope)
        other = bayesian_t_test(b, a, n_train=9, n_test=1, rope=rope)
        assert (one.a_better, one.b_better) == (other.b_better, other.a_better)
        assert one.a_better + one.equal + one.b_better == pytest.approx(1.0)

    def test_no_spread_is_certain(self) -> None:
        found = bayesian_t_test([0.9, 0.8], [0.7, 0.6], n_train=9, n_test=1)
        assert (found.a_better, found.equal, found.b_better) == (1.0, 0.0, 0.0)
        same = bayesian_t_test([0.9, 0.8], [0.9, 0.8], n_train=9, n_test=1, rope=0)
        assert (same.a_better, same.equal, same.b_better) == (0.0, 1.0, 0.0)

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match=r"^bayesian_t_test: rope must be a number >= 0, got"):
            bayesian_t_test([1, 2], [1, 1], n_train=9, n_test=1, rope=-0.01)
        with pytest.raises(ValueError, match=r"^bayesian_t_test: a and b must have at least 2"):
            bayesian_t_test([1], [1], n_train=9, n_test=1)


class TestSign:
    def test_the_integral_of_the_dirichlet_density(self) -> None:
        # 3 sets for a, 1 within the rope (and 1 of the prior), 1 for b: Dirichlet(3, 2, 1).
        found = bayesian_sign_test([0.9, 0.8, 0.7, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5, 0.9], rope=0.01)

        # Its density is 5! / (2! 1! 0!) x² y, summed over the cells in which x is the largest.
        x, y = np.meshgrid(*[(np.arange(2000) + 0.5) / 2000] * 2, indexing="ij")
        exact = (60 * x**2 * y * ((x >= y) & (x >= 1 - x - y) & (x + y < 1))).sum() / 2000**2
        assert found.a_better == pytest.approx(exact, abs=0.01)

    def test_two_outcomes_are_a_beta_distribution(self) -> None:
        # Five sets for a and none equal: θ of a has Beta(5, s).
        found = bayesian_sign_test([1.0] * 5, [0.5] * 5, prior_strength=2.0)
        assert found.a_better == pytest.approx(stats.beta.sf(0.5, 5, 2), abs=0.01)
        assert found.b_better == 0.0


class TestSignedRank:
    def test_one_data_set_against_the_beta_distribution(self) -> None:
        # Weights w of the set and 1 - w of the zero: sums 2d and d lie above 2r if r is small,
        # so θ_a = 1 - (1 - w)², largest if (1 - w)² < ½; w has Beta(1, s).
        found = bayesian_signed_rank([0.9], [0.5], prior_strength=0.5)
        exact = stats.beta.sf(1 - math.sqrt(0.5), 1, 0.5)
        assert found.a_better == pytest.approx(exact, abs=0.01)
        assert found.b_better == 0.0

    @given(pairs, st.sampled_from([0.0, 0.01, 0.1]))
    def test_sums_to_one(self, scores: list[tuple[float, float]], rope: float) -> None:
        a, b = zip(*scores, strict=True)
        for compare in (bayesian_signed_rank, bayesian_sign_test):
            found = compare(a, b, rope=rope, n_draws=200)
            probabilities = (found.a_better, found.equal, found.b_better)
            assert sum(probabilities) == pytest.approx(1.0)
            assert min(probabilities) >= 0.0

    def test_turning_the_pair_round_turns_the_answer(self) -> None:
        rng = np.random.default_rng(0)
        a, b = rng.random(12) + 0.05, rng.random(12)
        one, other = bayesian_signed_rank(a, b), bayesian_signed_rank(b, a)
        # The same draws of weights, so the same θ with the names exchanged.
        assert (one.a_better, one.equal, one.b_better) == (
            other.b_better, other.equal, other.a_better,
        )  # fmt: skip

    def test_the_seed_decides(self) -> None:
        a, b = [0.9, 0.5, 0.7], [0.6, 0.6, 0.6]
        assert bayesian_signed_rank(a, b) == bayesian_signed_rank(a, b)
        assert bayesian_signed_rank(a, b) != bayesian_signed_rank(a, b, random_state=1)

    def test_a_wide_rope_makes_all_equal(self) -> None:
        found = bayesian_signed_rank([0.9, 0.5, 0.7], [0.6, 0.6, 0.6], rope=1.0)
        assert (found.a_better, found.equal, found.b_better) == (0.0, 1.0, 0.0)

    def test_a_difference_as_large_as_the_rope_is_within_it(self) -> None:
        found = bayesian_sign_test([0.8, 0.4], [0.7, 0.3], rope=0.1)  # 0.8 - 0.7 > 0.1 by rounding
        assert found.equal == 1.0

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="prior_strength must be a number > 0, got 0"):
            bayesian_signed_rank([1], [2], prior_strength=0)
        with pytest.raises(ValueError, match="n_draws must be an integer >= 1, got 0"):
            bayesian_sign_test([1], [2], n_draws=0)
        with pytest.raises(TypeError, match="random_state must be an integer >= 0, got None"):
            bayesian_sign_test([1], [2], random_state=None)  # type: ignore[arg-type]
