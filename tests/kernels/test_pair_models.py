"""Kernels that sum over all pairs of columns at once."""

import numpy as np
import pytest

from augury.kernels import add_log_shares, log_mean_over_parents

N_SLOTS = np.array([3, 2, 4])
OFFSETS = np.concatenate([[0], np.cumsum(N_SLOTS)])


def arguments(seed, n_classes, dtype=np.uint8, n=200):
    rng = np.random.default_rng(seed)
    codes = np.asfortranarray(rng.integers(0, N_SLOTS, (n, 3)).astype(dtype))
    blocks = -rng.exponential(size=(9, 9, n_classes))
    counted = np.array([1, 0, 0, 1, 0, 1, 0, 1, 0], dtype=bool)
    return codes, blocks, -rng.exponential(size=(9, n_classes)), counted


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_means_over_parents(n_classes, dtype, n_threads, monkeypatch):
    monkeypatch.setattr("augury.kernels.row_threads._MIN_CELLS_PER_THREAD", 100)
    codes, blocks, parents, counted = arguments(0, n_classes, dtype)
    out = np.empty((len(codes), n_classes))
    log_mean_over_parents(codes, blocks, parents, counted, OFFSETS, out, n_threads=n_threads)
    slots = codes + OFFSETS[:-1]
    none = 0
    for row, found in zip(slots, out, strict=True):
        terms = [
            parents[row[j]] + sum(blocks[row[j], row[i]] for i in range(3) if i != j)
            for j in range(3)
            if counted[row[j]]
        ]
        none += not terms
        expected = np.log(np.mean(np.exp(terms), axis=0)) if terms else np.full(n_classes, -np.inf)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert 0 < none < len(out)


def test_means_of_terms_below_the_range_of_floats():
    codes, blocks, parents, _ = arguments(1, 2)
    out = np.empty((len(codes), 2))
    every = np.ones(9, dtype=bool)
    log_mean_over_parents(codes, blocks - 1000.0, parents, every, OFFSETS, out)
    near = np.empty_like(out)
    log_mean_over_parents(codes, blocks, parents, every, OFFSETS, near)
    np.testing.assert_allclose(out + 2000.0, near, rtol=1e-11)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_logs_of_shares(n_classes, dtype):
    codes, blocks, alone, _ = arguments(2, n_classes, dtype)
    blocks, alone, has_parents = np.exp(blocks), np.exp(alone), np.array([True, False, True])
    blocks[0] = 0.0  # a factor of zero is the smallest normal number
    out = np.ones((len(codes), n_classes))
    add_log_shares(codes, blocks, alone, has_parents, OFFSETS, out)
    for row, code, found in zip(codes + OFFSETS[:-1], codes, out, strict=True):
        expected = np.ones(n_classes)
        for j in range(3):
            if code[j] < N_SLOTS[j] - 1:  # the last slot is "left out"
                others = sum(blocks[row[j], row[i]] for i in range(3) if i != j)
                factor = others if has_parents[j] else alone[row[j]]
                expected += np.log(np.maximum(factor, np.finfo(float).tiny))
        np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("kernel", [log_mean_over_parents, add_log_shares])
def test_arguments_that_do_not_fit_are_refused(kernel):
    codes, blocks, table, counted = arguments(3, 2)
    flags = counted if kernel is log_mean_over_parents else np.ones(3, dtype=bool)
    out = np.zeros((len(codes), 2))
    kernel(codes, blocks, table, flags, OFFSETS, out)
    wrong = [
        (codes + np.uint8(3), blocks, table, flags, OFFSETS, out),
        (codes, blocks[:-1], table, flags, OFFSETS, out),
        (codes, blocks, table[:-1], flags, OFFSETS, out),
        (codes, blocks, table, flags[:-1], OFFSETS, out),
        (codes, blocks, table, flags, OFFSETS[:-1], out),
        (codes, blocks, table, flags, OFFSETS[::-1].copy(), out),
        (codes, blocks, table, flags, OFFSETS, out[:-1]),
        (codes, blocks, table, flags, OFFSETS, np.zeros((len(codes), 3))),
        (codes, blocks.astype(np.float32), table, flags, OFFSETS, out),
    ]
    for given in wrong:
        with pytest.raises(ValueError, match=r"must be|do not fit|out of range"):
            kernel(*given)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 4, 5, 9])
@pytest.mark.parametrize("kernel", [log_mean_over_parents, add_log_shares])
def test_rows_alone_have_the_same_bits_as_rows_together(kernel, n_classes):
    # So many rows look up sums of two columns, and one row looks up single numbers.
    codes, blocks, table, counted = arguments(4, n_classes, n=1500)
    flags = counted if kernel is log_mean_over_parents else np.array([True, False, True])
    together = np.zeros((1500, n_classes))
    kernel(codes, -blocks, -table, flags, OFFSETS, together)
    for r in range(0, 1500, 50):
        alone = np.zeros((1, n_classes))
        kernel(np.asfortranarray(codes[[r]]), -blocks, -table, flags, OFFSETS, alone)
        np.testing.assert_array_equal(alone[0], together[r])


@pytest.mark.parametrize("kernel", [log_mean_over_parents, add_log_shares])
def test_columns_of_many_states(kernel):
    """The sums of all pairs of states would not fit in the cache."""
    rng = np.random.default_rng(5)
    n_slots, n_classes = np.array([40, 300, 2]), 3
    offsets = np.concatenate([[0], np.cumsum(n_slots)])
    codes = np.asfortranarray(rng.integers(0, n_slots, (500, 3)).astype(np.uint16))
    blocks = rng.exponential(size=(342, 342, n_classes))
    table = rng.exponential(size=(342, n_classes))
    flags = np.ones(342 if kernel is log_mean_over_parents else 3, dtype=bool)
    out = np.zeros((500, n_classes))
    kernel(codes, blocks, table, flags, offsets, out)
    slots = (codes + offsets[:-1]).T
    sums = [sum(blocks[slots[j], slots[i]] for i in range(3) if i != j) for j in range(3)]
    if kernel is log_mean_over_parents:
        terms = np.array([table[slots[j]] + sums[j] for j in range(3)])
        expected = np.log(np.exp(terms).mean(axis=0))
    else:
        present = slots < offsets[1:, None] - 1
        expected = np.where(present[:, :, None], np.log(sums), 0.0).sum(axis=0)
    np.testing.assert_allclose(out, expected, rtol=1e-12)
