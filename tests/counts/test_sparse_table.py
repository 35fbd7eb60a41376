"""Sparse tables hold the counts of dense ones and give the same estimates."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.counts import FamilyCounts, log_probability_given_parents
from augury.counts import sparse_table as module
from augury.counts.sparse_table import SparseTable, add_tables, choose_form

N_CLASSES = 3


@pytest.fixture
def always_sparse(monkeypatch):
    monkeypatch.setattr(module, "_ALWAYS_DENSE", 0)
    monkeypatch.setattr(module, "_CELLS_PER_FILLED", 0)


@st.composite
def families(draw):
    """Slots of two parents and a column, codes (the last is "left out"), classes, weights."""
    slots = tuple(draw(st.integers(1, 5)) for _ in range(draw(st.integers(1, 4))))
    n = draw(st.integers(0, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    codes = rng.integers(0, slots, (n, len(slots))).astype(np.uint8)
    y = rng.integers(0, N_CLASSES, n)
    weights = [None, rng.integers(0, 3, n).astype(float), rng.random(n)]
    return slots, codes, y, weights[draw(st.integers(0, 2))]


def brute_force(slots, codes, y, weight):
    table = np.zeros((*slots, N_CLASSES))
    for r, row in enumerate(codes):
        table[(*row, y[r])] += 1.0 if weight is None else weight[r]
    return table


@given(families())
def test_cells_are_those_of_the_dense_table_bit_for_bit(drawn):
    slots, codes, y, weight = drawn
    table = SparseTable.collect(codes, slots, y, N_CLASSES, weight)
    dense = brute_force(*drawn)
    np.testing.assert_array_equal(table.to_dense(), dense)
    again = SparseTable.from_dense(dense)
    np.testing.assert_array_equal(table.cells, again.cells)
    np.testing.assert_array_equal(table.counts, again.counts)
    table._check_fitted_state()


@given(families(), st.integers(0, 12))
def test_sums_are_those_of_dense_tables_in_every_form(drawn, cut):
    slots, codes, y, weight = drawn
    parts = []
    for rows in (slice(None, cut), slice(cut, None)):
        some = None if weight is None else weight[rows]
        sparse = SparseTable.collect(codes[rows], slots, y[rows], N_CLASSES, some)
        parts.append((sparse, brute_force(slots, codes[rows], y[rows], some)))
    expected = parts[0][1] + parts[1][1]
    for a in parts[0]:
        for b in parts[1]:
            for total in (add_tables(a, b), add_tables(b, a)):
                dense = total.to_dense() if isinstance(total, SparseTable) else total
                np.testing.assert_array_equal(dense, expected)


@given(families(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 2.0]))
def test_estimates_of_every_cell_are_those_of_the_dense_table(drawn, alpha, size):
    slots, codes, y, weight = drawn
    weight = None if weight is None else np.round(weight * 8)  # sums are exact
    table = SparseTable.collect(codes, slots, y, N_CLASSES, weight)
    expected = log_probability_given_parents(table.to_dense(), alpha, size)
    every = np.stack([axis.ravel() for axis in np.indices(slots)], axis=1).astype(np.uint8)
    found = table.log_probability_given_parents(every, alpha, size)
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)
    padded = table.to_dense()[..., None]
    padded = np.concatenate([padded, np.zeros_like(padded[..., :1, :])], axis=-2)
    of_class = log_probability_given_parents(padded, alpha, size)[..., :-1, 0]
    found = table.log_class_given_parents(every, alpha, size)
    np.testing.assert_array_equal(found.reshape(of_class.shape), of_class)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_form_depends_on_the_counts_alone(weighted):
    rng = np.random.default_rng(0)
    n_states, parents = np.array([60, 50, 4]), ((), (0,), (0, 1))
    codes = np.stack([rng.integers(0, v + 1, 4000) for v in n_states], axis=1).astype(np.uint16)
    y, weight = rng.integers(0, 2, 4000), rng.integers(0, 3, 4000) * 0.25 if weighted else None

    def count(rows):
        some = None if weight is None else weight[rows]
        return FamilyCounts.collect(codes[rows], n_states, parents, y[rows], 2, some)

    whole = count(slice(None))
    pieces = [count(slice(a, a + 1000)) for a in range(0, 4000, 1000)]
    few = count(slice(0, 30))
    assert [isinstance(t, SparseTable) for t in few.tables] == [False, False, True]
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        total = pieces[order[0]]
        for k in order[1:]:
            total = total + pieces[k]
        for a, b in zip(total.tables, whole.tables, strict=True):
            assert type(a) is type(b)
            a, b = (t.to_dense() if isinstance(t, SparseTable) else t for t in (a, b))
            np.testing.assert_array_equal(a, b)


def test_families_of_more_cells_than_memory_are_counted():
    n_states = np.array([30_000] * 3)
    codes = np.stack([np.arange(500)] * 3, axis=1).astype(np.uint16)
    counts = FamilyCounts.collect(codes, n_states, ((), (0,), (0, 1)), np.zeros(500, int), 1)
    assert [len(t.cells) for t in counts.tables[1:]] == [500, 500]
    assert counts.tables[2].cells[1] == 30_001**2 + 30_001 + 1


def test_cached_sums_are_not_pickled():
    table = SparseTable.collect(np.array([[0, 1]]), (2, 3), np.array([0]), 1)
    size = len(pickle.dumps(table))
    table.log_probability_given_parents(np.array([[1, 1]]), 1.0, 1.0)
    assert len(pickle.dumps(table)) == size
    again = pickle.loads(pickle.dumps(table))
    np.testing.assert_array_equal(again.to_dense(), table.to_dense())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("shape", (2, 0)),
        ("shape", [2, 3, 1]),
        ("shape", (1 << 40, 1 << 40, 1)),
        ("cells", np.array([4, 1])),
        ("cells", np.array([1, 6])),
        ("cells", np.array([-1, 4])),
        ("cells", np.array([1.0, 4.0])),
        ("counts", np.array([[1.0], [-1.0]])),
        ("counts", np.ones((3, 1))),
    ],
)
def test_states_that_no_table_has_are_refused(field, value):
    table = SparseTable((2, 3, 1), np.array([1, 4]), np.ones((2, 1)))
    table._check_fitted_state()
    object.__setattr__(table, field, value)
    with pytest.raises((ValueError, TypeError), match=field):
        table._check_fitted_state()


def test_a_full_table_is_dense_and_a_small_one_too():
    full = np.ones((80, 90, 2))
    assert choose_form(full) is full
    empty = np.zeros((80, 90, 2))
    assert isinstance(choose_form(empty), SparseTable)
    small = SparseTable((4, 2), np.array([1]), np.ones((1, 2)))
    assert isinstance(choose_form(small), np.ndarray)
