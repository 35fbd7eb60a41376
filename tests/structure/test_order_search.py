"""Searches for parents along an order of the columns."""

import numpy as np

from augury.structure import FamilyScores, OrderSearch
from tests.structure.counted_rows import Counts, random_counts


def test_order_search_is_greedy_along_the_order():
    counts = random_counts(9, n_columns=5)
    scores = FamilyScores(counts, "k2")
    order = [3, 0, 4, 1, 2]
    found = OrderSearch(order=order, max_parents=2).learn(counts)
    for place, i in enumerate(order):
        assert set(found.parents[i]) <= set(order[:place])
        parents: set[int] = set()
        while len(parents) < 2 and place > len(parents):
            best = max(
                sorted(set(order[:place]) - parents, key=order.index),
                key=lambda k: scores.family(i, frozenset(parents | {k})),
            )
            if scores.family(i, frozenset(parents | {best})) <= scores.family(
                i, frozenset(parents)
            ):
                break
            parents.add(best)
        assert set(found.parents[i]) == parents


def test_order_search_does_not_see_what_rounding_says_of_equals():
    class Noisy(Counts):
        """Counts that were summed in another order: equal up to the last digit."""

        def joint(self, columns, *, with_class=True):
            noise = np.random.default_rng([self.seed, *columns]).normal(scale=1e-15, size=1)
            return super().joint(columns, with_class=with_class) * (1 + noise)

    rng = np.random.default_rng(0)
    a, b, y = rng.integers(0, 3, 200), rng.integers(0, 3, 200), rng.integers(0, 2, 200)
    b = np.where(rng.random(200) < 0.6, a, b)
    counts = Noisy(np.column_stack([a, b, a, b, a]), [3] * 5, y, 2)
    found = []
    for counts.seed in range(10):
        found.append(OrderSearch(max_parents=1).learn(counts))
    assert len(set(found)) == 1


def test_the_order_by_relevance():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    codes = np.column_stack(
        [np.where(rng.random(300) < p, y, rng.integers(0, 2, 300)) for p in (0.1, 0.9, 0.5)]
    )
    counts = Counts(codes, [2, 2, 2], y, 2)
    assert OrderSearch()._order(counts) == [1, 2, 0]
