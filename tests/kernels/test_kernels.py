import numpy as np
import pytest

from augury import kernels
from augury.kernels import _native


def brute_counts(codes, y, weight, n_states, n_classes):
    offsets = kernels.slot_offsets(n_states)
    table = np.zeros((offsets[-1], n_classes))
    for i in range(len(y)):
        for j in range(codes.shape[1]):
            table[offsets[j] + codes[i, j], y[i]] += weight[i]
    return table


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("weighted", [False, True])
def test_counts_equal_brute_force(dtype, weighted):
    rng = np.random.default_rng(0)
    n_states = np.array([2, 5, 1])
    codes = np.asfortranarray(rng.integers(0, n_states + 1, (50, 3)).astype(dtype))
    y = rng.integers(0, 4, 50).astype(np.int32)
    weight = rng.random(50) if weighted else np.ones(50)
    table = kernels.count_class_values(
        codes, y, weight if weighted else None, kernels.slot_offsets(n_states), 4
    )
    np.testing.assert_allclose(table, brute_counts(codes, y, weight, n_states, 4), rtol=1e-14)


def test_counts_of_a_column_too_wide_for_lanes():
    rng = np.random.default_rng(1)
    codes = np.asfortranarray(rng.integers(0, 9000, (20_000, 1)).astype(np.uint16))
    y = rng.integers(0, 2, 20_000).astype(np.int32)
    table = kernels.count_class_values(codes, y, None, kernels.slot_offsets(np.array([9000])), 2)
    expected = np.bincount(codes[:, 0].astype(int) * 2 + y, minlength=2 * 9001).reshape(-1, 2)
    np.testing.assert_array_equal(table, expected)


def test_threads_change_nothing():
    rng = np.random.default_rng(2)
    x = rng.integers(-3, 400, (200_000, 4))
    alone, lo, hi = kernels.code_integers(x)
    shared, lo2, hi2 = kernels.code_integers(x, n_threads=3)
    np.testing.assert_array_equal(alone, shared)
    np.testing.assert_array_equal([lo, hi], [lo2, hi2])
    y = rng.integers(0, 3, len(x)).astype(np.int32)
    offsets = kernels.slot_offsets(hi - lo + 1)
    table = kernels.count_class_values(alone, y, None, offsets, 3)
    np.testing.assert_array_equal(
        table, kernels.count_class_values(alone, y, None, offsets, 3, n_threads=3)
    )
    one, three = np.zeros((len(x), 3)), np.zeros((len(x), 3))
    kernels.add_log_factors(alone, table, offsets, one)
    kernels.add_log_factors(alone, table, offsets, three, n_threads=3)
    np.testing.assert_array_equal(one, three)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7])
def test_look_ups_equal_fancy_indexing(n_classes):
    rng = np.random.default_rng(3)
    n_states = np.array([3, 2])
    offsets = kernels.slot_offsets(n_states)
    codes = np.asfortranarray(rng.integers(0, n_states + 1, (5000, 2)).astype(np.uint8))
    table = rng.normal(size=(offsets[-1], n_classes))
    out = np.zeros((5000, n_classes))
    kernels.add_log_factors(codes, table, offsets, out)
    np.testing.assert_allclose(out, table[codes[:, 0]] + table[4 + codes[:, 1].astype(int)])


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_integers_of_every_type_become_codes(dtype, order):
    x = np.array([[3, 100], [1, 7], [2, 7]], dtype=dtype, order=order)
    codes, lo, hi = kernels.code_integers(x)
    np.testing.assert_array_equal(codes + lo, x)
    np.testing.assert_array_equal(hi, x.max(axis=0))
    assert codes.dtype == np.uint8


def test_negative_and_wide_integers_become_codes():
    x = np.array([[-5, 1000], [70, 1], [3, 5]])
    codes, lo, _ = kernels.code_integers(x)
    np.testing.assert_array_equal(codes + lo, x)
    assert codes.dtype == np.uint16
    assert kernels.code_integers(np.array([[0], [70_000]])) is None
    extremes = np.array([[np.iinfo(np.int64).min], [np.iinfo(np.int64).max]])
    assert kernels.code_integers(extremes) is None


def test_a_code_out_of_range_raises():
    codes = np.asfortranarray(np.array([[4]], dtype=np.uint8))
    offsets = kernels.slot_offsets(np.array([3]))
    with pytest.raises(ValueError, match="out of range"):
        kernels.count_class_values(codes, np.zeros(1, np.int32), None, offsets, 2)
    with pytest.raises(ValueError, match="out of range"):
        kernels.add_log_factors(codes, np.zeros((4, 2)), offsets, np.zeros((1, 2)))
    with pytest.raises(ValueError, match="labels"):
        kernels.count_class_values(codes, np.array([2], np.int32), None, offsets, 2)


def test_buffers_of_the_wrong_shape_or_type_raise():
    codes = np.asfortranarray(np.zeros((2, 1), dtype=np.uint8))
    offsets = kernels.slot_offsets(np.array([1]))
    with pytest.raises(ValueError, match="do not fit"):
        kernels.count_class_values(codes, np.zeros(3, np.int32), None, offsets, 2)
    with pytest.raises(ValueError, match=r"y must be below 2\^31"):
        kernels.count_class_values(codes, np.full(2, 2**32), None, offsets, 2)
    for wrong in (np.int8, np.float32, np.uint64):
        with pytest.raises(TypeError, match="codes must be uint8, uint16 or uint32, got"):
            kernels.count_class_values(codes.astype(wrong), np.zeros(2, int), None, offsets, 2)
    with pytest.raises(TypeError, match="y must be integers, got float64"):
        kernels.count_class_values(codes, np.zeros(2), None, offsets, 2)
    with pytest.raises(ValueError, match="do not fit"):
        kernels.mdl_cuts(np.zeros(2), np.array([0, 5], np.int32), None, 2)


def test_presence_of_codes_and_other_values():
    present, other = kernels.codes_present(np.array([0, 2, 2], dtype=np.int8), 3)
    assert present.tolist() == [True, False, True]
    assert not other
    assert kernels.codes_present(np.array([0, 200], dtype=np.uint8), 3)[1]


def counted(codes=None, y=None, weight=None, offsets=(0, 3, 6)):
    codes = np.array([[0, 1], [1, 0]], dtype=np.uint8) if codes is None else codes
    y = np.array([0, 1], dtype=np.int32) if y is None else y
    offsets = np.asarray(offsets)
    out = np.zeros((6, 2))
    _native.count_class_values(np.asfortranarray(codes), y, weight, offsets, 2, out, 0, 2)
    return out


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.dtype(">u2"), np.uint64, "V3"])
def test_codes_must_be_unsigned_integers_of_this_machine(dtype):
    with pytest.raises(ValueError, match="codes must be uint8, uint16 or uint32"):
        counted(codes=np.zeros((2, 2), dtype=dtype))


def test_every_other_buffer_must_have_its_type():
    with pytest.raises(ValueError, match="y must be int32"):
        counted(y=np.zeros(2, dtype=np.float32))
    with pytest.raises(ValueError, match="y must be int32"):
        counted(y=np.zeros(2, dtype=">i4"))
    with pytest.raises(ValueError, match=r"weight must be float64.*got format l"):
        counted(weight=np.ones(2, dtype=np.int64))
    with pytest.raises(ValueError, match=r"weight must be float64.*got format >d"):
        counted(weight=np.ones(2, dtype=">f8"))
    with pytest.raises(ValueError, match="offsets must be int64"):
        counted(offsets=np.array([0.0, 3.0, 6.0]))
    with pytest.raises(ValueError, match="codes must be integers"):
        _native.mark_present(np.array([1.5]), np.zeros(2, np.uint8))


def test_a_buffer_that_is_not_aligned_raises():
    weight = np.zeros(17, np.uint8)[1:].view(np.float64)
    with pytest.raises(ValueError, match="weight must be float64, aligned"):
        counted(weight=weight)


@pytest.mark.parametrize("offsets", [(0, -3, 6), (0, 0, 6), (0, 1000, 6), (1, 3, 6), (0, 6, 6)])
def test_offsets_outside_the_table_raise(offsets):
    codes = np.full((2, 2), 5, dtype=np.uint8, order="F")
    with pytest.raises(ValueError, match="offsets"):
        counted(codes=codes, offsets=offsets)
    out, offsets = np.zeros((2, 2)), np.array(offsets)
    with pytest.raises(ValueError, match="offsets"):
        _native.add_log_factors(codes, np.zeros((6, 2)), offsets, out, 0, 2)
    with pytest.raises(ValueError, match="offsets"):
        _native.add_pair_factors(codes, 0, np.zeros((6, 6, 2)), offsets, out, 0, 2)


def test_a_negative_number_of_states_raises():
    with pytest.raises(ValueError, match="n_states must be >= 0, got -2"):
        kernels.slot_offsets(np.array([-2, 5]))
    codes, y = np.zeros((2, 2), np.uint8, order="F"), np.zeros(2, np.int32)
    for states in ([-2, 5], [2**62, 2**62], [-1, 2**33]):
        with pytest.raises(ValueError, match="do not fit"):
            _native.count_pairs(codes, y, None, np.array(states), 1, np.zeros((3, 3, 1)), 0, 2)


def test_the_number_of_classes_is_bounded():
    values, y = np.array([1.0, 2.0]), np.array([0, 1], np.int32)
    for n_classes in (-5, 0, 2**31, 2**61):
        with pytest.raises(ValueError, match="labels do not fit"):
            _native.mdl_cuts(values, y, None, n_classes, np.zeros(3), np.zeros(2))


def test_a_width_must_fit_the_codes():
    x, lo, out = np.array([[300]]), np.array([0]), np.zeros((1, 1), np.uint8, order="F")
    with pytest.raises(ValueError, match="do not fit"):
        _native.shift_integers(x, lo, np.array([301]), out, 0, 1)


@pytest.mark.parametrize("dtype", [">i2", ">i4", ">i8", ">u2", ">u4"])
def test_integers_in_another_byte_order_become_the_same_codes(dtype):
    x = np.array([[3, 100], [1, 7], [2, 7]], dtype=dtype)
    codes, lo, _ = kernels.code_integers(x)
    np.testing.assert_array_equal(codes + lo, x)
    present, other = kernels.codes_present(x[:, 0], 4)
    assert (present.tolist(), other) == ([False, True, True, True], False)


def test_integers_that_are_not_aligned_become_the_same_codes():
    records = np.zeros(40, dtype=[("pad", "i1"), ("x", "3i4")])
    records["x"] = np.arange(120).reshape(40, 3)
    codes, lo, _ = kernels.code_integers(records["x"])
    np.testing.assert_array_equal(codes + lo, records["x"])


def test_log_likelihoods_of_small_large_and_broken_counts():
    rng = np.random.default_rng(0)
    tables = rng.choice([0.0, 1.0, 7.0, 4095.0, 4096.0, 1e6, 0.25, 3.5], (5, 4, 3))
    totals = tables.sum(axis=-1, keepdims=True)
    shares = np.divide(tables, totals, out=np.ones_like(tables), where=tables > 0)
    expected = (tables * np.log(shares)).sum(axis=(1, 2))
    np.testing.assert_allclose(kernels.log_likelihoods(tables), expected, rtol=1e-9)
    assert kernels.log_likelihoods(tables[0]).shape == ()
    assert kernels.log_likelihoods(np.zeros((2, 0, 3))).tolist() == [0.0, 0.0]
    for wrong in (-1.0, np.nan):
        tables[2, 1, 1] = wrong
        with pytest.raises(ValueError, match="counts must be >= 0"):
            kernels.log_likelihoods(tables)
    with pytest.raises(ValueError, match="shapes do not fit"):
        _native.log_likelihoods(np.ones((2, 2, 2)), np.empty(3))


@pytest.mark.parametrize("n_columns", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_slot_sums_are_transposed_look_ups(n_columns, dtype, monkeypatch):
    rng = np.random.default_rng(0)
    n_states = np.array([2, 4, 3])
    codes = np.asfortranarray(rng.integers(0, n_states + 1, (5000, 3)).astype(dtype))
    values = rng.normal(size=(5000, n_columns))
    offsets = kernels.slot_offsets(n_states)
    expected = np.zeros((int(offsets[-1]), n_columns))
    for j in range(3):
        np.add.at(expected, offsets[j] + codes[:, j].astype(int), values)
    np.testing.assert_allclose(kernels.add_to_slots(codes, values, offsets), expected)
    monkeypatch.setattr("augury.kernels.row_threads._MIN_CELLS_PER_THREAD", 1000)
    threads = kernels.add_to_slots(codes, values, offsets, n_threads=3)
    np.testing.assert_allclose(threads, expected)
    codes[17, 1] = 9
    with pytest.raises(ValueError, match="a code is out of range"):
        kernels.add_to_slots(codes, values, offsets)
    with pytest.raises(ValueError, match="shapes or offsets do not fit"):
        _native.add_to_slots(codes, values[:-1], offsets, expected, 0, 10)


@pytest.mark.parametrize("n_classes", [2, 5, 40])
@pytest.mark.parametrize("decimals", [1, 3, None])
@pytest.mark.parametrize("noise", [0.3, 3.0, 1e9])
def test_cuts_of_many_rows_equal_a_scan_of_all_candidates(n_classes, decimals, noise):
    """Rows without weights leave candidates out that cannot be the best; weights scan all."""
    rng = np.random.default_rng(n_classes)
    n = 70_000
    values = rng.normal(size=n)
    if decimals is not None:
        values = np.round(values, decimals)
    seen = np.sin(3 * values) + values + noise * rng.normal(size=n)
    y = np.searchsorted(np.quantile(seen, np.arange(1, n_classes) / n_classes), seen)
    y = y.astype(np.int32)
    cuts = kernels.mdl_cuts_by_class(values, y, n_classes)
    order = np.argsort(values)
    for weight in (None, np.ones(n)):
        expected = kernels.mdl_cuts(values[order], y[order], weight, n_classes)
        assert np.array_equal(cuts, expected)


@pytest.mark.parametrize("n_classes", [1, 2, 3, 7, 16, 17])
@pytest.mark.parametrize("n", [1, 2, 40, 256, 257, 5000])
def test_cuts_of_few_rows_with_gaps_equal_a_scan_of_all_candidates(n_classes, n):
    rng = np.random.default_rng(n + n_classes)
    matrix = np.round(rng.normal(size=(n, 2)), 2)
    y = (np.abs(matrix[:, 1]) * n_classes).astype(np.int32).clip(max=n_classes - 1)
    matrix[rng.random(n) < 0.1, 1] = np.nan
    column = matrix[:, 1]  # strided
    order = np.argsort(column)[: np.count_nonzero(~np.isnan(column))]
    expected = kernels.mdl_cuts(column[order], y[order], None, n_classes)
    assert np.array_equal(kernels.mdl_cuts_by_class(column, y, n_classes), expected)
    assert len(expected) or n < 100 or n_classes == 1


def test_wrong_arguments_of_sorted_classes_raise():
    values, y = np.array([1.0, 2.0]), np.array([0, 3], np.int32)
    with pytest.raises(ValueError, match="labels do not fit"):
        _native.divide_by_class(values, y, np.zeros(2), np.zeros(2, np.int64))
    for starts in ([0, 1], [0, 3, 2], [1, 2], [0]):
        with pytest.raises(ValueError, match="starts do not fit"):
            _native.mdl_cuts_by_class(values, np.array(starts), values, np.zeros(3), np.zeros(2))
    with pytest.raises(ValueError, match="memo must hold every count"):
        _native.mdl_cuts_by_class(values, np.array([0, 2]), values, np.zeros(2), np.zeros(2))
    with pytest.raises(ValueError, match="memo must hold every count"):
        _native.mdl_cuts(values, y, None, 4, np.zeros(2), np.zeros(2))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_shares_without_a_row_equal_the_formula(dtype, n_threads, monkeypatch):
    monkeypatch.setattr("augury.kernels.row_threads._MIN_CELLS_PER_THREAD", 1)
    rng = np.random.default_rng(0)
    n_states, n_classes, n = np.array([3, 2, 4]), 2, 60
    codes = np.asfortranarray(rng.integers(0, n_states + 1, (n, 3)).astype(dtype))
    y, weight = rng.integers(0, n_classes, n).astype(np.int32), rng.uniform(0.5, 2, n)
    offsets, shares = kernels.slot_offsets(n_states), np.array([0.0, 0.7, 0.3])
    states = np.concatenate([[0], np.cumsum(n_states)])
    table = kernels.count_pairs(codes, y, weight, n_states, n_classes)[: n_states[0]]
    totals = np.zeros((offsets[-1], n_classes))
    for j in range(3):
        totals[offsets[j] : offsets[j] + n_states[j]] = table[:, states[j] : states[j + 1]].sum(
            axis=0
        )
    alone = rng.random(n)
    found = kernels.pair_shares_without(
        codes, 0, y, weight, table, totals, shares, alone, 0.5, offsets, n_threads=n_threads
    )
    for i in range(n):
        expected = 0.0
        for j in (1, 2):
            given = alone[i]
            if codes[i, 0] < n_states[0] and codes[i, j] < n_states[j]:
                others = (codes[:, j] == codes[i, j]) & (y == y[i]) & (np.arange(n) != i)
                others &= codes[:, 0] < n_states[0]
                both = others & (codes[:, 0] == codes[i, 0])
                given = (weight[both].sum() + 0.5) / (weight[others].sum() + 0.5 * n_states[0])
            expected += shares[j] * given
        assert found[i] == pytest.approx(expected, rel=1e-9)


def test_wrong_arguments_of_shares_without_a_row_raise():
    codes, y = np.zeros((2, 2), np.uint8, order="F"), np.zeros(2, np.int32)
    offsets, ones = np.array([0, 3, 6]), np.ones(2)
    arguments = (np.zeros((2, 4, 1)), np.zeros((6, 1)), ones, ones, 1.0, offsets, np.zeros(2))
    with pytest.raises(ValueError, match="labels do not fit"):
        _native.add_pair_shares_without(codes, 0, y + 1, ones, *arguments, 0, 2)
    with pytest.raises(ValueError, match="do not fit"):
        _native.add_pair_shares_without(codes, 2, y, ones, *arguments, 0, 2)
    with pytest.raises(ValueError, match="rows out of range"):
        _native.add_pair_shares_without(codes, 0, y, ones, *arguments, 0, 3)
    with pytest.raises(ValueError, match="out of range"):
        _native.add_pair_shares_without(codes + 3, 0, y, ones, *arguments, 0, 2)
