"""Cut points from class × bin weights."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.arrays import FloatArray, IntegerArray
from augury.encode import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLDiscretizer
from augury.encode.discretizers.cut_point_discretizer import CutPointDiscretizer
from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.bins import Bins
from augury.scale.summaries.survey_settings import SurveySettings
from tests.scale.summaries.frames import count_parts, survey_frame

DISCRETIZERS: list[CutPointDiscretizer] = [
    MDLDiscretizer(),
    EqualFrequencyDiscretizer(n_bins=4),
    EqualWidthDiscretizer(n_bins=3),
]


def some_numbers(rng: np.random.Generator, n_rows: int) -> FloatArray:
    """Return numbers with ties and gaps, of one of several distributions."""
    kinds = [
        rng.normal(size=n_rows).round(2),
        rng.integers(-5, 6, n_rows).astype(np.float64),
        np.exp(9 * rng.normal(size=n_rows)),
        rng.choice([-1e308, 1e308, 1.5e308, 0.0], n_rows),
        np.full(n_rows, 7.0),
    ]
    numbers = kinds[rng.integers(len(kinds))] + 0.0
    numbers[rng.random(n_rows) < rng.choice([0.0, 0.2])] = np.nan
    return numbers


class TestExactBins:
    @given(
        seed=st.integers(0, 2**32 - 1),
        n_rows=st.integers(1, 300),
        n_classes=st.sampled_from([1, 2, 3, 12]),
        ends=st.lists(st.integers(1, 300), max_size=3),
        weighted=st.booleans(),
        which=st.integers(0, 2),
    )
    def test_cut_points_equal_those_of_all_rows(
        self,
        seed: int,
        n_rows: int,
        n_classes: int,
        ends: list[int],
        weighted: bool,
        which: int,
    ) -> None:
        rng = np.random.default_rng(seed)
        numbers, y = some_numbers(rng, n_rows), rng.integers(0, n_classes, n_rows)
        shifted = numbers > np.nanmin(np.append(numbers, 0.5))
        y[shifted] = (y[shifted] + rng.integers(0, 2, int(shifted.sum()))) % n_classes
        weight = rng.integers(0, 5, n_rows).astype(np.float64) if weighted else None
        if weight is not None:
            weight[0] = 2.0
        survey = survey_frame(pd.DataFrame({"a": numbers}), weight, ends)
        counts = count_parts(numbers, y, weight, survey, "a", ends)
        with np.errstate(all="ignore"):  # scikit-learn's checks sum the largest numbers
            expected = DISCRETIZERS[which].fit(numbers[:, None], y, weight).cut_points_[0]
        assert counts.bins.is_exact
        assert counts.cut_points(DISCRETIZERS[which]).tolist() == expected.tolist()
        assert counts.largest_share == 0.0

    @pytest.mark.parametrize("name", ["mdl", "frequency", "width"])
    def test_by_name(self, name: str) -> None:
        values, y = np.array([1.0, 2.0, 3.0, 10.0, 11.0, 12.0]), np.array([0, 0, 0, 1, 1, 1])
        counts = BinCounts.collect(values, y, None, 2, Bins.of_values(values, 2))
        expected = {"mdl": 6.5, "frequency": 1.5, "width": 2.1}
        assert counts.cut_points(name)[0] == pytest.approx(expected[name])

    def test_a_repeated_row_equals_a_weight(self) -> None:
        values, y = np.array([1.0, 1.0, 2.0, 5.0]), np.array([0, 0, 0, 1])
        bins = Bins.of_values(np.unique(values), 2)
        repeated = BinCounts.collect(values, y, None, 2, bins)
        weighted = BinCounts.collect(values[1:], y[1:], np.array([2.0, 1.0, 1.0]), 2, bins)
        np.testing.assert_array_equal(repeated.weights, weighted.weights)
        assert repeated.weights.tolist() == [[2, 0], [1, 0], [0, 1], [0, 0]]

    def test_rows_of_weight_zero_have_no_effect(self) -> None:
        values, y = np.array([1.0, 2.0, 3.0, np.nan]), np.array([0, 0, 1, 1])
        bins = Bins.of_values(values[:3], 2)
        counts = BinCounts.collect(values, y, np.array([1.0, 0.0, 1.0, 0.0]), 2, bins)
        assert counts.ranges[1].tolist() == [np.inf, -np.inf]
        assert counts.missing.tolist() == [0, 0]

    @pytest.mark.parametrize(("replacement", "cut"), [(2.0, 5.0), (8.0, 4.5), (6.0, 4.0)])
    def test_missing_values_take_the_place_of_the_replacement(
        self, replacement: float, cut: float
    ) -> None:
        values = np.repeat([1.0, 2.0, 8.0, 9.0, np.nan], [9, 9, 9, 9, 9])
        y = np.repeat([0, 0, 1, 1, 1 if replacement > 2 else 0], 9)
        counts = BinCounts.collect(values, y, None, 2, Bins.of_values(np.unique(values[:36]), 2))
        filled = np.where(np.isnan(values), replacement, values)
        expected = MDLDiscretizer().fit(filled[:, None], y).cut_points_[0]
        assert counts.cut_points("mdl", replacement).tolist() == expected.tolist()
        assert expected.tolist() == [cut if replacement != 8.0 else 5.0]

    def test_rows_that_changed_between_passes(self) -> None:
        bins = Bins.of_values(np.array([1.0, 2.0]), 2)
        counts = BinCounts.collect(np.array([1.0, 1.5]), np.array([0, 1]), None, 2, bins)
        with pytest.raises(ValueError, match=r"the first did not have the number 1\.5"):
            counts.cut_points("mdl")

    def test_a_discretizer_of_another_kind(self) -> None:
        values = np.array([1.0, 2.0])
        counts = BinCounts.collect(values, np.array([0, 1]), None, 2, Bins.of_values(values, 2))
        with pytest.raises(TypeError, match="discretizer must be 'mdl'"):
            counts.cut_points(3)  # type: ignore[arg-type]


class TestSampledBins:
    def collect(
        self, n_rows: int, max_sample: int, ends: list[int]
    ) -> tuple[FloatArray, IntegerArray, BinCounts]:
        rng = np.random.default_rng(3)
        values = rng.normal(size=n_rows)
        values[rng.random(n_rows) < 0.3] = 0.0
        y = (values + rng.normal(size=n_rows) > 0.5).astype(np.int32)
        settings = SurveySettings(max_values=50, max_sample=max_sample)
        survey = survey_frame(pd.DataFrame({"a": values}), None, ends, settings)
        return values, y, count_parts(values, y, None, survey, "a", ends)

    def test_the_bins_have_exact_counts_and_ranges(self) -> None:
        values, y, counts = self.collect(5000, 512, [1000, 1001, 4000])
        assert not counts.bins.is_exact
        assert counts.weights.sum(axis=0).tolist() == np.bincount(y).tolist()
        edges = counts.bins.edges
        for k in (0, 1, 77, len(edges)):
            inside = np.searchsorted(edges, values) == k
            assert counts.weights[k].sum() == inside.sum()
            if inside.any():
                assert counts.ranges[k].tolist() == [values[inside].min(), values[inside].max()]

    def test_a_frequent_number_has_its_own_bin(self) -> None:
        values, _, counts = self.collect(5000, 512, [])
        zero = np.searchsorted(counts.bins.edges, 0.0)
        assert counts.ranges[zero].tolist() == [0.0, 0.0]
        assert counts.weights[zero].sum() == np.count_nonzero(values == 0.0)

    def test_the_largest_share_obeys_the_bound(self) -> None:
        _, _, counts = self.collect(20000, 1024, [7000])
        n_sampled = len(counts.bins.edges)
        assert 0 < counts.largest_share < (np.log(n_sampled) + 14) / n_sampled

    def test_the_next_candidate_is_at_most_the_largest_share_away(self) -> None:
        values, _, counts = self.collect(20000, 1024, [7000])
        y = (values > 0.5).astype(np.int32)
        counts = BinCounts.collect(values, y, None, 2, counts.bins)
        found, expected = counts.cut_points("mdl"), MDLDiscretizer().fit(values[:, None], y)
        assert len(found) >= len(expected.cut_points_[0]) == 1
        below = np.searchsorted(np.sort(values), [*found, *expected.cut_points_[0]])
        share = np.abs(below[:-1] - below[-1]).min() / len(values)
        assert share <= counts.largest_share < 0.02

    def test_equal_widths_need_the_range_only(self) -> None:
        values, _, counts = self.collect(5000, 512, [7000])
        width = EqualWidthDiscretizer().fit(values[:, None])
        assert counts.cut_points("width").tolist() == width.cut_points_[0].tolist()

    def test_a_cut_point_lies_halfway_between_two_rows(self) -> None:
        values, _, counts = self.collect(5000, 512, [])
        distinct = np.unique(values)
        for cut in counts.cut_points("frequency"):
            k = int(np.searchsorted(distinct, cut))
            assert cut == (distinct[k - 1] + distinct[k]) / 2

    def test_few_bins_for_many_classes(self) -> None:
        values = np.arange(60000.0)
        assert Bins.of_values(values, n_classes=2).is_exact
        thin = Bins.of_values(values, n_classes=1000)
        assert not thin.is_exact
        assert len(thin.edges) == (1 << 24) // 1000
        assert thin.edges[[0, -1]].tolist() == [0.0, 59999.0]


def test_a_pickled_copy_adds() -> None:
    values, y = np.array([1.0, 2.0, np.nan]), np.array([0, 1, 1])
    counts = BinCounts.collect(values, y, None, 2, Bins.of_values(values[:2], 2))
    both = counts + pickle.loads(pickle.dumps(counts))
    np.testing.assert_array_equal(both.weights, 2 * counts.weights)
    assert both.missing.tolist() == [0, 2]
    counts.add_rows(values, y, None)
    np.testing.assert_array_equal(both.weights, counts.weights)
