import numpy as np
import pytest

from augury.counts.class_scatter import ClassScatter


def rows(n=500, m=4, q=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, m)) * [1, 10, 0.1, 3] + 5, rng.integers(0, q, n)


def test_equals_the_formula():
    X, y = rows()
    statistics = ClassScatter.collect(X, y, 3)
    for c in range(3):
        own = X[y == c]
        assert statistics.weight[c] == len(own)
        np.testing.assert_allclose(statistics.mean[c], own.mean(axis=0), rtol=1e-13)
        np.testing.assert_allclose(
            statistics.scatter[c], np.cov(own.T, bias=True) * len(own), rtol=1e-10, atol=1e-10
        )
    np.testing.assert_allclose(statistics.total_mean, X.mean(axis=0))
    np.testing.assert_allclose(statistics.total_variance, X.var(axis=0))


@pytest.mark.parametrize("pooled", [False, True])
def test_parts_add_to_the_whole(pooled):
    X, y = rows()
    weight = np.random.default_rng(1).random(len(y))
    whole = ClassScatter.collect(X, y, 3, weight, pooled=pooled)
    a = ClassScatter.collect(X[:100], y[:100], 3, weight[:100], pooled=pooled)
    b = ClassScatter.collect(X[100:], y[100:], 3, weight[100:], pooled=pooled)
    for name in ("weight", "mean", "scatter"):
        np.testing.assert_allclose(getattr(a + b, name), getattr(whole, name), rtol=1e-10)
    assert whole.pooled is pooled


def test_pooled_is_the_sum_over_the_classes():
    X, y = rows()
    np.testing.assert_allclose(
        ClassScatter.collect(X, y, 3, pooled=True).within(),
        ClassScatter.collect(X, y, 3).within(),
        rtol=1e-10,
        atol=1e-10,
    )


def test_many_rows_in_blocks_equal_one():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(300_000, 2)), rng.integers(0, 2, 300_000)
    for order in "CF":
        ours = ClassScatter.collect(np.asarray(X, order=order), y, 2)
        for c in (0, 1):
            cov = np.cov(X[y == c].T, bias=True)
            np.testing.assert_allclose(ours.scatter[c] / ours.weight[c], cov, atol=1e-12)


def test_a_weight_is_a_repetition_and_zero_is_absence():
    X, y = rows(50)
    weight = np.arange(50) % 4
    weighted = ClassScatter.collect(X, y, 3, weight.astype(float))
    repeated = ClassScatter.collect(np.repeat(X, weight, axis=0), np.repeat(y, weight), 3)
    np.testing.assert_allclose(weighted.mean, repeated.mean, rtol=1e-12)
    np.testing.assert_allclose(weighted.scatter, repeated.scatter, rtol=1e-10, atol=1e-10)


def test_a_large_mean_does_not_cancel():
    X, y = rows()
    near, far = ClassScatter.collect(X, y, 3), ClassScatter.collect(X + 1e9, y, 3)
    np.testing.assert_allclose(far.scatter, near.scatter, rtol=1e-5, atol=1e-4)
    halves = ClassScatter.collect(X[:99] + 1e9, y[:99], 3) + ClassScatter.collect(
        X[99:] + 1e9, y[99:], 3
    )
    np.testing.assert_allclose(halves.scatter, near.scatter, rtol=1e-5, atol=1e-4)


def test_a_constant_has_no_scatter_at_all():
    X, y = np.full((10_001, 1), 0.1), np.arange(10_001) % 2
    parts = ClassScatter.collect(X[:77], y[:77], 2) + ClassScatter.collect(X[77:], y[77:], 2)
    assert parts.scatter.tolist() == [[[0.0]], [[0.0]]]
    assert parts.total_variance.tolist() == [0.0]
    assert parts.mean.tolist() == [[0.1], [0.1]]


def test_a_class_without_rows_adds_nothing():
    X, y = rows(20, q=2)
    statistics = ClassScatter.collect(X, y, 3)
    assert statistics.weight[2] == 0
    assert not statistics.mean[2].any()
    other = ClassScatter.collect(X, np.full(20, 2), 3)
    np.testing.assert_array_equal((statistics + other).mean[2], other.mean[2])
    np.testing.assert_array_equal((statistics + other).mean[:2], statistics.mean[:2])
    empty = ClassScatter.collect(X[:0], y[:0], 3)
    np.testing.assert_array_equal((empty + statistics).scatter, statistics.scatter)
    assert not empty.total_mean.any()


def test_only_the_same_classes_and_columns_add():
    X, y = rows(20)
    with pytest.raises(ValueError, match="same classes and columns"):
        ClassScatter.collect(X, y, 3) + ClassScatter.collect(X[:, :2], y, 3)
    with pytest.raises(ValueError, match="same classes and columns"):
        ClassScatter.collect(X, y, 3) + ClassScatter.collect(X, y, 3, pooled=True)
    with pytest.raises(TypeError):
        ClassScatter.collect(X, y, 3) + 1
