import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve

from augury.evaluate import (
    ReliabilityBins,
    classwise_bins,
    classwise_calibration_error,
    top_label_bins,
)

rows = st.lists(
    st.tuples(st.integers(0, 100).map(lambda percent: percent / 100), st.booleans()),
    min_size=1,
    max_size=40,
)


def collect(pairs: list[tuple[float, bool]], **options: Any) -> ReliabilityBins:
    said = np.array([confidence for confidence, _ in pairs])
    so = np.array([hit for _, hit in pairs], dtype=bool)
    return ReliabilityBins.collect(said, so, **options)


def gaps(pairs: list[tuple[float, bool]], n_bins: int) -> float:
    """Compute the ECE by a loop over bins that are open below."""
    total = 0.0
    for b in range(n_bins):
        low, high = np.linspace(0, 1, n_bins + 1)[b : b + 2]
        inside = [pair for pair in pairs if low < pair[0] <= high or (b == 0 and pair[0] == 0)]
        if inside:
            said = np.mean([confidence for confidence, _ in inside])
            so = np.mean([hit for _, hit in inside])
            total += len(inside) / len(pairs) * abs(said - so)
    return total


class TestBins:
    def test_by_hand(self) -> None:
        bins = collect([(0.0, False), (0.5, True), (0.51, True), (1.0, False)], n_bins=2)
        assert bins.edges == (0.0, 0.5, 1.0)
        assert bins.weights == (2.0, 2.0)
        assert bins.mean_confidence == (0.25, 0.755)
        assert bins.hit_rate == (0.5, 0.5)
        assert bins.expected_calibration_error == pytest.approx((0.25 + 0.255) / 2)
        assert bins.maximum_calibration_error == pytest.approx(0.255)

    @given(rows, st.integers(1, 20))
    def test_ece_by_a_loop(self, pairs: list[tuple[float, bool]], n_bins: int) -> None:
        bins = collect(pairs, n_bins=n_bins)
        assert bins.expected_calibration_error == pytest.approx(gaps(pairs, n_bins))
        assert bins.expected_calibration_error <= bins.maximum_calibration_error + 1e-12

    @given(rows, rows)
    def test_bins_of_two_folds_add(
        self, one: list[tuple[float, bool]], other: list[tuple[float, bool]]
    ) -> None:
        added, whole = collect(one) + collect(other), collect(one + other)
        assert added.weights == whole.weights
        assert added.hit_sums == whole.hit_sums
        assert added.confidence_sums == pytest.approx(whole.confidence_sums)

    @given(rows, st.integers(1, 8))
    def test_equal_mass_regroups_and_loses_nothing(
        self, pairs: list[tuple[float, bool]], n_bins: int
    ) -> None:
        fine = collect(pairs, n_bins=100)
        coarse = fine.with_equal_mass(n_bins)
        assert len(coarse.weights) <= n_bins
        assert set(coarse.edges) <= set(fine.edges)
        assert (coarse.edges[0], coarse.edges[-1]) == (0.0, 1.0)
        assert sum(coarse.weights) == len(pairs)
        assert sum(coarse.hit_sums) == sum(fine.hit_sums)
        assert sum(coarse.confidence_sums) == pytest.approx(sum(fine.confidence_sums))

    def test_equal_mass_of_distinct_confidences(self) -> None:
        said = np.random.default_rng(0).permutation(np.arange(1, 101)) / 100
        so = np.ones(100, dtype=bool)
        assert (
            ReliabilityBins.collect(said, so, n_bins=4, binning="equal_mass").weights == (25.0,) * 4
        )
        fine = ReliabilityBins.collect(said, so, n_bins=100)
        assert fine.with_equal_mass(4).weights == (25.0,) * 4

    def test_equal_masses_that_fall_together_are_one_bin(self) -> None:
        bins = collect([(0.5, True)] * 9 + [(0.9, True)], n_bins=5, binning="equal_mass")
        assert bins.edges == (0.0, 0.5, 1.0)
        assert bins.weights == (9.0, 1.0)

    def test_scikit_learn_s_curve(self) -> None:
        rng = np.random.default_rng(1)
        said = rng.random(500)
        so = rng.random(500) < said**2
        rate, confidence = calibration_curve(so, said, n_bins=10)
        bins = ReliabilityBins.collect(said, so, n_bins=10)
        assert bins.hit_rate == pytest.approx(rate)
        assert bins.mean_confidence == pytest.approx(confidence)

    def test_a_weight_counts_like_repeated_rows(self) -> None:
        said, so, weight = np.array([0.2, 0.7, 0.8]), np.array([True, True, False]), [2, 0, 3]
        for binning in ("equal_width", "equal_mass"):
            weighted = ReliabilityBins.collect(
                said, so, n_bins=3, binning=binning, sample_weight=weight
            )
            repeated = ReliabilityBins.collect(
                np.repeat(said, weight), np.repeat(so, weight), n_bins=3, binning=binning
            )
            for name, sums in asdict(weighted).items():
                assert sums == pytest.approx(getattr(repeated, name)), name

    def test_empty_bins_and_no_rows(self) -> None:
        bins = collect([(0.9, True)], n_bins=2)
        assert math.isnan(bins.hit_rate[0])
        none = ReliabilityBins.collect([], np.empty(0, dtype=bool), n_bins=2)
        assert none.weights == (0.0, 0.0)
        assert math.isnan(none.expected_calibration_error)
        assert math.isnan(none.maximum_calibration_error)
        assert (none + bins) == bins

    def test_it_can_be_stored(self) -> None:
        bins = collect([(0.3, True), (0.6, False)])
        stored = {
            name: tuple(values) for name, values in json.loads(json.dumps(asdict(bins))).items()
        }
        assert ReliabilityBins(**stored) == bins

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="only bins with the same edges add, got 2 and 3 bins"):
            collect([(0.5, True)], n_bins=2) + collect([(0.5, True)], n_bins=3)
        with pytest.raises(ValueError, match="confidence must be from 0 to 1"):
            collect([(1.5, True)])
        with pytest.raises(ValueError, match="confidence must be from 0 to 1"):
            collect([(math.nan, True)])
        with pytest.raises(ValueError, match="is_hit must be True or False for each row, got int"):
            ReliabilityBins.collect([0.5], [1])
        with pytest.raises(ValueError, match=r"one length, got shapes \(2,\) and \(1,\)"):
            ReliabilityBins.collect([0.5, 0.5], [True])
        with pytest.raises(ValueError, match="binning must be one of 'equal_width', 'equal_mass'"):
            collect([(0.5, True)], binning="quantile")


class TestModels:
    CODES = (0, 1, 2, 0)
    PROBABILITIES = ((0.6, 0.3, 0.1), (0.6, 0.3, 0.1), (0.2, 0.2, 0.6), (0.5, 0.5, 0.0))

    def test_top_label(self) -> None:
        bins = top_label_bins(self.CODES, self.PROBABILITIES, n_bins=1)
        # Said 0.6, 0.6, 0.6, 0.5; right, wrong, right, right.
        assert bins.mean_confidence == pytest.approx((2.3 / 4,))
        assert bins.hit_rate == (0.75,)

    def test_classwise(self) -> None:
        bins = classwise_bins(self.CODES, self.PROBABILITIES, n_bins=1)
        assert [b.hit_sums[0] for b in bins] == [2.0, 1.0, 1.0]
        assert [b.confidence_sums[0] for b in bins] == pytest.approx([1.9, 1.3, 0.8])
        assert classwise_calibration_error(bins) == pytest.approx((0.1 + 0.3 + 0.2) / 4 / 3)

    def test_two_classes_mirror_each_other(self) -> None:
        rng = np.random.default_rng(2)
        said = rng.random(100)
        codes = (rng.random(100) < said).astype(int)
        first, second = classwise_bins(codes, np.column_stack([1 - said, said]), n_bins=10)
        assert first.expected_calibration_error == pytest.approx(second.expected_calibration_error)

    def test_a_model_that_knows_the_probabilities_is_calibrated(self) -> None:
        rng = np.random.default_rng(3)
        probabilities = rng.dirichlet(np.ones(4), 40_000)
        codes = (rng.random((40_000, 1)) > probabilities.cumsum(axis=1)[:, :-1]).sum(axis=1)
        assert top_label_bins(codes, probabilities).expected_calibration_error < 0.02
        sharpened = probabilities**3 / (probabilities**3).sum(axis=1, keepdims=True)
        assert top_label_bins(codes, sharpened).expected_calibration_error > 0.1
        assert classwise_calibration_error(classwise_bins(codes, probabilities)) < 0.02

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match=r"^top_label_bins: probabilities must be .* sum to 1"):
            top_label_bins([0], [[0.5, 0.6]])
        with pytest.raises(ValueError, match=r"^classwise_bins: codes must be integers in 0, …, 1"):
            classwise_bins([2], [[0.5, 0.5]])


class TestMergedBins:
    def test_bins_hold_enough_rows(self) -> None:
        rng = np.random.default_rng(4)
        bins = ReliabilityBins.collect(rng.beta(2, 5, 500), rng.random(500) < 0.3, n_bins=40)
        merged = bins.with_at_least(30)
        assert min(merged.weights) >= 30
        assert sum(merged.weights) == 500
        assert set(merged.edges) <= set(bins.edges)
        assert (merged.edges[0], merged.edges[-1]) == (0.0, 1.0)
        assert sum(merged.hit_sums) == sum(bins.hit_sums)

    def test_too_few_rows_are_one_bin(self) -> None:
        bins = collect([(0.1, True), (0.9, False)], n_bins=10).with_at_least(3)
        assert (bins.weights, bins.edges) == ((2.0,), (0.0, 1.0))

    def test_no_rows(self) -> None:
        assert collect([], n_bins=4).with_at_least(3).weights == (0.0,)


class TestIntervals:
    @pytest.mark.parametrize("level", [0.5, 0.95])
    def test_equal_those_of_scipy(self, level: float) -> None:
        bins = collect([(0.2, True)] * 3 + [(0.2, False)] * 9 + [(0.9, True)] * 7, n_bins=2)
        low, high = bins.hit_interval(level)
        for b, (hits, n) in enumerate([(3, 12), (7, 7)]):
            expected = binomtest(hits, n).proportion_ci(level, method="wilson")
            assert (low[b], high[b]) == pytest.approx((expected.low, expected.high))

    def test_empty_bin(self) -> None:
        low, high = collect([(0.9, True)], n_bins=2).hit_interval()
        assert np.isnan([low[0], high[0]]).all()

    @pytest.mark.parametrize("level", [1.0, -0.1])
    def test_level(self, level: float) -> None:
        with pytest.raises(ValueError, match=r"^ReliabilityBins: level must be a number"):
            collect([(0.9, True)]).hit_interval(level)
