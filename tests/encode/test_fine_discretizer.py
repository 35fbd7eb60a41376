import numpy as np

from augury.encode.discretizers.fine import FineDiscretizer


def fine_cuts(column, weight=None):
    return FineDiscretizer().learn_cuts([column], None, weight)[0]


def test_cut_points_of_few_values_lie_between_all_of_them():
    values = np.r_[np.zeros(10_000), 1.0, 3.0]  # quantiles would not separate 1 from 3
    np.testing.assert_array_equal(fine_cuts(values), [0.5, 2.0])
    many = fine_cuts(np.arange(10_000.0))
    assert len(many) == 253
    assert np.ptp(np.diff(many)) <= 1


def test_cut_points_are_weighted():
    values = np.random.default_rng(0).normal(size=600)
    weight = np.random.default_rng(1).integers(1, 5, 600)
    repeated = fine_cuts(np.repeat(values, weight))
    np.testing.assert_array_equal(fine_cuts(values, weight.astype(float)), repeated)


def test_missing_values_and_rows_of_weight_zero_have_no_cut_points():
    values, weight = np.array([3.0, 1.0, np.nan, 9.0, 2.0]), np.array([1.0, 2.0, 1.0, 0.0, 1.0])
    np.testing.assert_array_equal(fine_cuts(values, weight), [1.5, 2.5])
