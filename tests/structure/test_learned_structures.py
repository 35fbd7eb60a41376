from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.structure import k_dependence, maximum_spanning_tree


def spanning_trees(n):
    """All trees on n nodes as sets of edges."""
    for edges in combinations(combinations(range(n), 2), n - 1):
        group = list(range(n))

        def find(x, group=group):
            while group[x] != x:
                x = group[x]
            return x

        for a, b in edges:
            group[find(a)] = find(b)
        if len({find(x) for x in range(n)}) == 1:
            yield edges


@given(arrays(np.float64, (5, 5), elements=st.integers(0, 20).map(float)))
def test_the_tree_is_the_best_of_all_trees(weights):
    weights = weights + weights.T
    tree = maximum_spanning_tree(weights)
    best = max(sum(weights[a, b] for a, b in edges) for edges in spanning_trees(5))
    assert sum(weights[j, i] for j, i in tree.edges) == best
    assert tree.parents[0] == ()
    assert sorted(map(len, tree.parents)) == [0, 1, 1, 1, 1]


def test_nothing_is_dropped_and_ties_go_to_the_lower_index():
    assert maximum_spanning_tree(np.zeros((4, 4))).parents == ((), (0,), (0,), (0,))
    assert maximum_spanning_tree(np.zeros((1, 1))).parents == ((),)
    assert maximum_spanning_tree(np.zeros((0, 0))).parents == ()


@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_columns_depend_on_more_relevant_ones_only(k):
    rng = np.random.default_rng(k)
    relevance, association = rng.random(6), rng.random((6, 6))
    association = association + association.T
    structure = k_dependence(relevance, association, k)
    rank = np.argsort(-relevance).tolist()
    for i, parents in enumerate(structure.parents):
        before = rank[: rank.index(i)]
        assert len(parents) == min(k, len(before))
        assert set(parents) <= set(before)
        left = [association[i, j] for j in before if j not in parents]
        chosen = [association[i, j] for j in parents]
        assert chosen == sorted(chosen, reverse=True)
        assert not left or not chosen or min(chosen) >= max(left)
