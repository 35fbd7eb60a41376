"""Values of columns by class: exact ones, and bins that add in any order."""

from functools import reduce
from operator import add

import numpy as np
import pytest

from augury.counts.class_values import MAX_VALUES, UNMERGED, ClassValues, Values


def shapes(rng, n=90_000):
    """Columns with more distinct values than are kept, of several shapes."""
    return {
        "normal": rng.normal(size=n),
        "far from zero": 1e6 + rng.normal(size=n),
        "heavy tails": rng.standard_cauchy(n),
        "skewed": rng.lognormal(sigma=2.0, size=n),
        "tiny": 1e-200 * rng.normal(size=n),
        "two groups": np.concatenate([rng.normal(size=n // 2), 1e5 + rng.normal(size=n // 2)]),
    }


def assert_same(found, expected):
    assert found.level == expected.level
    # A deviation from the mean of a bin has the rounding errors of the values.
    digit = 8 * np.spacing(np.abs(expected.value).max())
    size = np.ldexp(1.0, expected.level)
    np.testing.assert_allclose(found.value, expected.value, rtol=0, atol=digit)
    np.testing.assert_allclose(found.weight, expected.weight, rtol=1e-12)
    error = np.abs(found.scatter - expected.scatter) / expected.weight
    assert error.max() <= 4 * size * digit + 1e-12 * size**2


def test_values_by_hand():
    x = np.array([[2.0, 5.0], [1.0, np.nan], [2.0, 5.0], [7.0, 1.0], [np.nan, 1.0]])
    y = np.array([0, 0, 0, 1, 1])
    values = ClassValues.collect(x, y, n_classes=3, weight=np.array([1.0, 0.5, 2.0, 1.0, 0.0]))
    assert values.of(0, 0).value.tolist() == [1.0, 2.0]
    assert values.of(0, 0).weight.tolist() == [0.5, 3.0]
    assert values.of(1, 1).weight.tolist() == [1.0]  # the row of weight zero is absent
    assert len(values.of(0, 2).value) == len(values.of(1, 2).value) == 0
    assert values.pooled(0).value.tolist() == [1.0, 2.0, 7.0]
    assert values.pooled(1).weight.tolist() == [1.0, 3.0]


@pytest.mark.parametrize("shape", ["normal", "heavy tails", "skewed", "two groups", "tiny"])
def test_bins_are_the_finest_that_fit_and_keep_the_moments(shape):
    x = shapes(np.random.default_rng(0))[shape]
    found = Values.collect(x, None)
    assert MAX_VALUES / 4 < len(found.value) <= MAX_VALUES
    finer = np.unique(np.floor(np.ldexp(x, 1 - found.level)))
    assert len(finer) > MAX_VALUES
    bins = np.floor(np.ldexp(x, -found.level))
    own, index, count = np.unique(bins, return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(np.floor(np.ldexp(found.value, -found.level)), own)
    np.testing.assert_array_equal(found.weight, count)
    mean = np.bincount(index, x - x[0]) / count + x[0]
    scatter = np.bincount(index, (x - mean[index]) ** 2)
    size = np.ldexp(1.0, found.level)
    np.testing.assert_allclose(found.value, mean, rtol=1e-9, atol=1e-9 * size)
    np.testing.assert_allclose(found.scatter, scatter, rtol=1e-6, atol=1e-9 * size**2)


@pytest.mark.parametrize("shape", list(shapes(np.random.default_rng(0), 10)))
@pytest.mark.parametrize("weighted", [False, True])
def test_parts_add_up_to_the_whole_in_any_division(shape, weighted):
    rng = np.random.default_rng(1)
    x = shapes(rng)[shape]
    x = x[rng.permutation(len(x))]
    weight = rng.uniform(0.5, 2.0, len(x)) if weighted else None
    y = np.zeros(len(x), dtype=int)
    whole = ClassValues.collect(x[:, None], y, 1, weight)
    for cuts in ([1000], [40_000, 80_000], list(range(9_000, 90_000, 9_000))):
        parts = [
            ClassValues.collect(part[:, None], np.zeros(len(part), dtype=int), 1, own)
            for part, own in zip(
                np.split(x, cuts),
                [None] * (len(cuts) + 1) if weight is None else np.split(weight, cuts),
                strict=True,
            )
        ]
        for order in (parts, parts[::-1]):
            assert_same(reduce(add, order).of(0, 0), whole.of(0, 0))


def test_few_distinct_values_of_many_rows_stay_exact():
    x = np.random.default_rng(0).integers(0, 50, 200_000) / 7
    found = Values.collect(x, None)
    assert found.level == UNMERGED
    np.testing.assert_array_equal(found.value, np.unique(x))
    assert found.weight.sum() == 200_000


def test_quartiles_are_those_of_repeated_rows():
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 4, 5, 8, 37):
        x, weight = rng.normal(size=n).round(1), rng.integers(1, 5, n)
        rows = np.repeat(x, weight)
        first, third = np.quantile(rows, [0.25, 0.75], method="inverted_cdf")
        found = Values.collect(x, weight.astype(float)).quartile_distance()
        assert found == pytest.approx(third - first, abs=1e-12)


def test_values_of_other_columns_do_not_add():
    x, y = np.zeros((3, 2)), np.array([0, 1, 1])
    with pytest.raises(ValueError, match="values add only if they have the same columns"):
        ClassValues.collect(x, y, 2) + ClassValues.collect(x[:, :1], y, 2)
    with pytest.raises(TypeError):
        ClassValues.collect(x, y, 2) + 1
