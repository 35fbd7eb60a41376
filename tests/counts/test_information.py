import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.counts import (
    PairCounts,
    conditional_mutual_information,
    log_mean_exp,
    log_probability_given_parents,
    mutual_information_with_class,
)


def direct(a, b, c):
    """I(A; B | C) by its definition, row by row."""
    n, total = len(a), 0.0
    for row in range(n):
        here = c == c[row]
        joint = np.mean((a == a[row]) & (b == b[row]) & here)
        ratio = (
            joint * here.mean() / (np.mean((a == a[row]) & here) * np.mean((b == b[row]) & here))
        )
        total += np.log2(ratio) / n
    return total


@given(st.data(), st.integers(1, 25))
def test_information_equals_its_definition(data, n):
    codes = data.draw(arrays(np.uint8, (n, 3), elements=st.integers(0, 2)))
    y = data.draw(arrays(np.int32, n, elements=st.integers(0, 1)))
    pairs = PairCounts.collect(codes, [3, 3, 3], y, 2)
    information = conditional_mutual_information(pairs)
    for i in range(3):
        for j in range(3):
            expected = 0.0 if i == j else direct(codes[:, i], codes[:, j], y)
            np.testing.assert_allclose(information[i, j], expected, atol=1e-12)
    relevance = mutual_information_with_class(pairs.features)
    nothing = np.zeros(n, dtype=int)
    for i in range(3):
        np.testing.assert_allclose(relevance[i], direct(codes[:, i], y, nothing), atol=1e-12)


def test_rows_without_one_of_the_columns_do_not_count():
    codes = np.array([[0, 0], [1, 1], [0, 0], [1, 1], [2, 0], [0, 2]], dtype=np.uint8)
    y = np.array([0, 0, 1, 1, 0, 1])
    information = conditional_mutual_information(PairCounts.collect(codes, [2, 2], y, 2))
    np.testing.assert_allclose(information, [[0, 1], [1, 0]])


def test_independent_columns_share_exactly_nothing():
    rng = np.random.default_rng(0)
    codes = np.column_stack([rng.integers(0, 3, 999), np.zeros(999)]).astype(np.uint8)
    pairs = PairCounts.collect(codes, [3, 1], rng.integers(0, 3, 999), 3)
    assert conditional_mutual_information(pairs).tolist() == [[0, 0], [0, 0]]


def family(*cells):
    """One parent of two states (and left out), a child of two states, one class."""
    counts = np.zeros((3, 3, 1))
    for parent, child, n in cells:
        counts[parent, child, 0] = n
    return counts


def test_laplace_given_a_parent_by_hand():
    counts = family((0, 0, 3), (1, 1, 1), (2, 0, 2))
    p = np.exp(log_probability_given_parents(counts, alpha=1.0, equivalent_sample_size=0.0))[..., 0]
    np.testing.assert_allclose(p[0], [4 / 5, 1 / 5, 1])
    np.testing.assert_allclose(p[1], [1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(p[2], [6 / 8, 2 / 8, 1])  # the parent is summed over


def test_shrinking_towards_the_estimate_without_the_parent():
    counts = family((0, 0, 3), (2, 0, 2), (2, 1, 1))
    p = np.exp(log_probability_given_parents(counts, alpha=1.0, equivalent_sample_size=2.0))[..., 0]
    alone = np.array([6 / 8, 2 / 8])
    np.testing.assert_allclose(p[0, :2], (np.array([3, 0]) + 1 + 2 * alone) / (3 + 2 + 2))
    np.testing.assert_allclose(p[1, :2], (1 + 2 * alone) / 4)  # this parent was never seen
    np.testing.assert_allclose(p[2, :2], alone)  # and this one is not known
    np.testing.assert_allclose(p[:, 2], 1)


def test_of_two_parents_the_last_is_given_up_first():
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 5, (3, 4, 3, 2)).astype(float)
    counts[:, :, -1] = 0
    p = np.exp(log_probability_given_parents(counts, 0.5, 3.0))
    first = np.exp(log_probability_given_parents(counts.sum(axis=1), 0.5, 3.0))
    np.testing.assert_allclose(p[:, -1], first)
    here = counts[0, 1, :2]
    expected = (here + 0.5 + 3 * first[0, :2]) / (here.sum(axis=0) + 1 + 3)
    np.testing.assert_allclose(p[0, 1, :2], expected)
    np.testing.assert_allclose(p[:, :, :2].sum(axis=2), 1)
    none = np.exp(log_probability_given_parents(np.zeros_like(counts), 0.0, 0.0))
    np.testing.assert_allclose(none[..., :2, :], 0.5)


def test_means_of_what_underflows():
    terms = np.array([[[-2000.0, -1.0]], [[-2000.0, -3.0]], [[0.0, 0.0]]])
    mean = log_mean_exp(terms, np.array([[True], [True], [False]]))
    np.testing.assert_allclose(mean, [[-2000.0, np.log((np.exp(-1) + np.exp(-3)) / 2)]])
    assert np.isneginf(log_mean_exp(terms, np.zeros((3, 1), bool))).all()
