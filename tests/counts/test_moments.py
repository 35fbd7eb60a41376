import numpy as np
import pytest

from augury.counts import Moments


def test_moments_by_hand():
    x = np.array([[1.0, np.nan], [2.0, 4.0], [6.0, 8.0]])
    moments = Moments.collect(x, np.array([0, 0, 1]), 3, weight=np.array([1.0, 3.0, 2.0]))
    assert moments.weight.tolist() == [[4, 2, 0], [3, 2, 0]]
    assert moments.mean.tolist() == [[1.75, 6, 0], [4, 8, 0]]
    assert moments.scatter.tolist() == [[0.75, 0, 0], [0, 0, 0]]


def test_pooled_moments_are_those_of_all_rows():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 3)), rng.integers(0, 4, 40)
    pooled = Moments.collect(x, y, 4).pooled()
    np.testing.assert_allclose(pooled.mean[:, 0], x.mean(axis=0))
    np.testing.assert_allclose(pooled.scatter[:, 0], ((x - x.mean(axis=0)) ** 2).sum(axis=0))


def test_a_large_offset_does_not_cancel():
    x = np.array([[1e9], [1e9 + 1], [1e9 + 2]])
    whole = Moments.collect(x, np.zeros(3, int), 1)
    parts = Moments.collect(x[:1], np.zeros(1, int), 1) + Moments.collect(
        x[1:], np.zeros(2, int), 1
    )
    assert whole.scatter[0, 0] == parts.scatter[0, 0] == 2.0


def test_moments_of_other_tables_do_not_add():
    one = Moments.collect(np.zeros((1, 1)), np.array([0]), 2)
    with pytest.raises(ValueError, match="same columns and classes"):
        one + Moments.collect(np.zeros((1, 2)), np.array([0]), 2)
    with pytest.raises(TypeError):
        one + 1


def test_the_variance_grows_smoothly_out_of_small_weights():
    x, y = np.array([[1.0], [3.0], [5.0], [7.0]]), np.zeros(4, dtype=int)
    biased = x.var()
    for scale in (1e-300, 1e-3, 0.25, 0.5, 1.0, 1e6):
        variance = Moments.collect(x, y, 1, np.full(4, scale)).variance()[0, 0]
        assert biased <= variance <= 2 * biased * (1 + 1e-12)
    np.testing.assert_allclose(Moments.collect(x, y, 1).variance(), [[x.var(ddof=1)]])
