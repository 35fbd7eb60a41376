import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.counts import FamilyCounts, FeatureCounts, PairCounts
from augury.counts.triple_counts import TripleCounts

N_STATES = np.array([3, 2, 1, 4])


@st.composite
def rows(draw):
    n = draw(st.integers(1, 30))
    codes = np.column_stack(
        [draw(arrays(np.uint8, n, elements=st.integers(0, int(states)))) for states in N_STATES]
    )
    y = draw(arrays(np.int32, n, elements=st.integers(0, 2)))
    weight = draw(
        st.one_of(st.none(), arrays(np.float64, n, elements=st.integers(0, 3).map(float)))
    )
    return codes, y, weight


def brute_pairs(codes, y, weight):
    start = np.concatenate([[0], np.cumsum(N_STATES)])
    table = np.zeros((start[-1], start[-1], 3))
    for r in range(len(y)):
        for i in range(4):
            for j in range(4):
                if codes[r, i] < N_STATES[i] and codes[r, j] < N_STATES[j]:
                    table[start[i] + codes[r, i], start[j] + codes[r, j], y[r]] += (
                        1.0 if weight is None else weight[r]
                    )
    return table


@given(rows())
def test_pairs_equal_brute_force(table):
    codes, y, weight = table
    pairs = PairCounts.collect(codes, N_STATES, y, 3, weight)
    np.testing.assert_array_equal(pairs.table, brute_pairs(*table))
    half = len(y) // 2
    parts = [
        PairCounts.collect(codes[r], N_STATES, y[r], 3, None if weight is None else weight[r])
        for r in (slice(half), slice(half, None))
    ]
    np.testing.assert_array_equal((parts[0] + parts[1]).table, pairs.table)


@pytest.mark.parametrize(
    ("n_states", "n_classes"),
    [([5] * 7, 3), ([2] * 15, 2), ([2, 40, 300, 2, 3], 3), ([70, 80], 5), ([1, 1, 2], 2)],
)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("left_out", [0, 1])
def test_grouped_histograms_equal_a_matrix_product(n_states, n_classes, weighted, left_out):
    # Enough rows that the kernel merges columns into groups.
    rng = np.random.default_rng(0)
    n_states, n = np.array(n_states), 20_000
    codes = rng.integers(0, n_states + left_out, (n, len(n_states))).astype(np.uint16)
    y = rng.integers(0, n_classes, n)
    weight = rng.integers(1, 4, n).astype(float) if weighted else None
    indicators = np.concatenate(
        [codes[:, j, None] == np.arange(v) for j, v in enumerate(n_states)], axis=1
    ).astype(float)
    pairs = PairCounts.collect(codes, n_states, y, n_classes, weight, n_threads=2)
    for c in range(n_classes):
        rows = indicators[y == c]
        weighed = rows if weight is None else rows * weight[y == c, None]
        np.testing.assert_array_equal(pairs.table[:, :, c], weighed.T @ rows)


@given(rows())
def test_families_equal_brute_force(table):
    codes, y, weight = table
    parents = ((), (0,), (1, 0), (2, 1, 0))
    families = FamilyCounts.collect(codes, N_STATES, parents, y, 3, weight)
    for i, above in enumerate(parents):
        expected = np.zeros_like(families.tables[i])
        for r in range(len(y)):
            index = (*(codes[r, j] for j in above), codes[r, i], y[r])
            expected[index] += 1.0 if weight is None else weight[r]
        np.testing.assert_array_equal(families.tables[i], expected)
    merged = families + families
    np.testing.assert_array_equal(merged.tables[3], 2 * families.tables[3])


@given(rows())
def test_a_tree_taken_out_of_pairs_has_the_same_counts(table):
    codes, y, weight = table
    parents = ((), (0,), (1,), (0,))
    pairs = PairCounts.collect(codes, N_STATES, y, 3, weight)
    taken = FamilyCounts.from_pairs(pairs, parents)
    counted = FamilyCounts.collect(codes, N_STATES, parents, y, 3, weight)
    for a, b in zip(taken.tables, counted.tables, strict=True):
        np.testing.assert_array_equal(a[..., :-1, :], b[..., :-1, :])
    np.testing.assert_array_equal(taken.class_counts, counted.class_counts)


@given(rows())
def test_triples_are_the_pairs_of_a_states_rows(table):
    codes, y, weight = table
    pairs = PairCounts.collect(codes, N_STATES, y, 3, weight)
    triples = TripleCounts.collect(codes, pairs, y, weight)
    for j in range(4):
        for state in range(N_STATES[j]):
            there = codes[:, j] == state
            part = PairCounts.collect(
                codes[there], N_STATES, y[there], 3, None if weight is None else weight[there]
            )
            given_state = triples.given(j, state)
            np.testing.assert_array_equal(given_state.table, part.table)
            np.testing.assert_array_equal(given_state.features.table, part.features.table)


def test_counts_of_other_shapes_do_not_add():
    codes, y = np.zeros((2, 2), np.uint8), np.array([0, 1])
    one = FamilyCounts.collect(codes, [1, 1], ((), (0,)), y, 2)
    with pytest.raises(ValueError, match="same structure"):
        one + FamilyCounts.collect(codes, [1, 1], ((), ()), y, 2)
    with pytest.raises(ValueError, match="same states"):
        PairCounts.collect(codes, [1, 1], y, 2) + PairCounts.collect(codes, [1, 2], y, 2)
    for counts in (one, PairCounts.collect(codes, [1, 1], y, 2)):
        with pytest.raises(TypeError):
            counts + 1


def test_a_family_of_too_many_states_is_refused():
    codes = np.zeros((2, 3), np.uint32)
    with pytest.raises(ValueError, match=r"8,000,012,000,006,000,001 combinations.*fewer parents"):
        FamilyCounts.collect(codes, [2_000_000] * 3, ((), (), (0, 1)), np.array([0, 1]), 2)


def test_states_have_slots_and_left_out_has_none():
    counts = FeatureCounts.collect(np.array([[0, 0]], np.uint8), [2, 1], np.array([0]), 2)
    assert counts.state_slots.tolist() == [0, 1, 3]


def test_counts_of_a_column_without_states_do_not_spread():
    codes, y = np.zeros((3, 1), np.uint8), np.array([0, 1, 0])
    none = FamilyCounts.collect(codes, [0], ((),), y, 2)
    with pytest.raises(ValueError, match="same structure, states and classes"):
        none + FamilyCounts.collect(codes, [3], ((),), y, 2)


@pytest.mark.parametrize("label", [2**32, -(2**32), -1])
def test_labels_do_not_wrap(label):
    codes, y = np.zeros((2, 1), np.uint8), np.array([0, label])
    with pytest.raises(ValueError, match="y must be"):
        PairCounts.collect(codes, [1], y, 1)
    with pytest.raises(ValueError, match="y must be"):
        FamilyCounts.collect(codes, [1], ((),), y, 1)
