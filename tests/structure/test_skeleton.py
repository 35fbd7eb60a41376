"""Skeletons: no edge outside of them, and tests of independence that learn them."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from augury.bases.row_blocks import BlockList
from augury.data.synthetic import make_random_network, sample_network
from augury.encode import CategoricalTable
from augury.generative import BayesianNetworkClassifier
from augury.generative.bases.training_counts import TrainingCounts
from augury.structure import FamilyScores, HillClimb, IndependenceTests, Structure, g_squared
from augury.structure.hill_climb import SCORES
from augury.structure.independence_tests import MIN_ROWS_PER_DEGREE


class Counts(TrainingCounts):
    """Counts of a table of codes; `asked` has the candidates that were counted together."""

    def __init__(self, codes, n_states, y, n_classes=2):
        table = CategoricalTable.from_codes(codes, n_states=n_states)
        names = [f"x{j}" for j in range(len(n_states))]
        super().__init__(
            BlockList([(table, y, None)]), np.asarray(n_states), n_classes, names=names
        )
        self.codes, self.y, self.asked = codes, y, []

    def joint_with_each(self, columns, candidates, *, with_class=True):
        self.asked.append((columns, candidates.tolist()))
        yield from super().joint_with_each(columns, candidates, with_class=with_class)


def random_counts(seed, n_columns=4, n=80):
    rng = np.random.default_rng(seed)
    n_states = rng.integers(2, 4, n_columns)
    y = rng.integers(0, 2, n)
    codes = rng.integers(0, n_states, (n, n_columns))
    for j in range(1, n_columns):  # half of the rows follow an earlier column and the class
        copied = rng.random(n) < 0.5
        codes[copied, j] = (codes[copied, rng.integers(j)] + y[copied]) % n_states[j]
    return Counts(codes, n_states, y)


def all_structures(n_columns):
    """Yield every acyclic graph."""
    pairs = list(combinations(range(n_columns), 2))
    for directions in product((None, 0, 1), repeat=len(pairs)):
        chosen = zip(pairs, directions, strict=True)
        edges = [pair[::-1] if turned else pair for pair, turned in chosen if turned is not None]
        try:
            yield Structure.from_edges(n_columns, edges)
        except ValueError:
            continue


def random_skeleton(seed, n_columns):
    rng = np.random.default_rng(seed)
    return [pair for pair in combinations(range(n_columns), 2) if rng.random() < 0.5]


@given(
    seed=st.integers(0, 10_000),
    score=st.sampled_from(SCORES),
    start_node=st.none() | st.integers(0, 4),
    tabu_length=st.sampled_from([0, 5]),
    class_is_parent=st.booleans(),
)
def test_no_edge_outside(seed, score, start_node, tabu_length, class_is_parent):
    class_is_parent = class_is_parent or score in ("acll", "fcll", "cll")
    search = HillClimb(
        score=score,
        skeleton=random_skeleton(seed, 5),
        start_node=start_node,
        tabu_length=tabu_length,
        n_restarts=2,
        class_is_parent=class_is_parent,
        random_state=seed,
    )
    counts = random_counts(seed, n_columns=5, n=40)
    found = search.learn(counts)
    assert {(min(edge), max(edge)) for edge in found.edges} <= set(search.skeleton)
    assert search.learn(counts) == found


@pytest.mark.parametrize("score", ["bic", "acll", "cll"])
@pytest.mark.parametrize("order", [None, "columns"])
def test_the_full_skeleton_changes_nothing_and_the_empty_one_is_naive_bayes(score, order):
    for seed in range(5):
        counts = random_counts(seed, n_columns=5)
        free = HillClimb(score=score, order=order, n_restarts=2, random_state=0)
        full = np.ones((5, 5), dtype=bool)
        pairs = [(f"x{i}", f"x{j}") for i, j in combinations(range(5), 2)]
        for skeleton in (full, full.tolist(), pairs, IndependenceTests(level=1.0)):
            search = HillClimb(
                score=score, order=order, n_restarts=2, random_state=0, skeleton=skeleton
            )
            assert search.learn(counts) == free.learn(counts)
        assert free.learn(counts).edges
        assert HillClimb(score=score, order=order, skeleton=[]).learn(counts).edges == []


def test_the_best_structure_within_the_skeleton_is_found():
    everything = list(all_structures(4))
    assert len(everything) == 543
    n_found = n_restricted = 0
    for seed in range(60):
        skeleton = random_skeleton(seed, 4)
        inside = [
            structure
            for structure in everything
            if {(min(edge), max(edge)) for edge in structure.edges} <= set(skeleton)
        ]
        counts = random_counts(seed)
        scores = FamilyScores(counts, "bic")
        best = max(scores.total(structure) for structure in inside)
        search = HillClimb("bic", max_parents=3, n_restarts=10, random_state=0, skeleton=skeleton)
        learned = scores.total(search.learn(counts))
        assert learned <= best + 1e-9
        n_found += learned >= best - 1e-9
        n_restricted += best < max(map(scores.total, everything)) - 1e-9
    assert n_found >= 58
    assert n_restricted > 20  # the skeleton matters


def test_edges_of_the_class_are_not_restricted():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 500))
    counts = Counts(np.column_stack([a, b]), [2, 2], np.where(rng.random(500) < 0.95, a & b, 0))
    found = HillClimb(class_is_parent=False, start="empty", skeleton=[]).learn(counts)
    assert found.edges == []
    assert found != Structure(((), ()), class_children=())


@pytest.mark.parametrize("order", [None, "columns"])
def test_only_neighbours_are_counted(order):
    counts = random_counts(3, n_columns=6)
    HillClimb("ll", skeleton=[(0, 1), (1, 2)], order=order).learn(counts)
    neighbours = {0: {1}, 1: {0, 2}, 2: {1}}
    assert counts.asked
    for columns, candidates in counts.asked:
        assert set(candidates) <= neighbours[columns[-1]]


class TestIndependenceTests:
    def test_g_squared_equals_scipy(self):
        rng = np.random.default_rng(0)
        for table in rng.integers(1, 30, (20, 3, 4)):
            statistic, degrees = g_squared(table)
            expected = chi2_contingency(table, correction=False, lambda_="log-likelihood")
            np.testing.assert_allclose(statistic, expected.statistic)
            assert degrees == expected.dof
        # A state without rows has no degree of freedom.
        assert g_squared([[3, 4, 0], [5, 2, 0]])[1] == 1
        assert g_squared([[3, 4, 0], [0, 0, 0]]) == (0.0, 0)

    @pytest.mark.parametrize("given_class", [True, False])
    @pytest.mark.parametrize("level", [0.001, 0.05, 0.4])
    def test_pairs_by_the_definition(self, given_class, level):
        """Every test from the rows themselves, with SciPy's G²."""

        def p_value(counts, i, j, strata):
            statistic = degrees = 0.0
            for of_stratum in map(np.asarray, strata):
                table = np.zeros((counts.n_states[i], counts.n_states[j]))
                np.add.at(table, tuple(counts.codes[of_stratum][:, [i, j]].T), 1)
                table = table[table.any(axis=1)][:, table.any(axis=0)]
                if min(table.shape) > 1:
                    found = chi2_contingency(table, correction=False, lambda_="log-likelihood")
                    statistic, degrees = statistic + found.statistic, degrees + found.dof
            is_reliable = 0 < degrees * MIN_ROWS_PER_DEGREE <= len(counts.y)
            return (chi2.sf(statistic, degrees) if degrees else 1.0), is_reliable

        n_removed = 0
        for seed in range(12):
            counts = random_counts(seed, n_columns=4, n=150)
            label = counts.y if given_class else np.zeros_like(counts.y)
            expected = np.zeros((4, 4), dtype=bool)
            for i, j in combinations(range(4), 2):
                p, _ = p_value(counts, i, j, [label == c for c in np.unique(label)])
                expected[i, j] = expected[j, i] = p <= level
                for k in {*range(4)} - {i, j}:
                    strata = product(range(counts.n_states[k]), np.unique(label))
                    p, is_reliable = p_value(
                        counts, i, j, [(counts.codes[:, k] == a) & (label == c) for a, c in strata]
                    )
                    if expected[i, j] and is_reliable and p > level:
                        expected[i, j] = expected[j, i] = False
                        n_removed += 1
            tests = IndependenceTests(level=level)
            learned = tests.learn_skeleton(counts, given_class=given_class)
            np.testing.assert_array_equal(learned, expected)
        assert n_removed  # or the conditions were not tested

    def test_a_larger_level_gives_a_larger_skeleton(self):
        for seed, n_conditions in product(range(10), (0, 1)):
            counts = random_counts(seed, n_columns=6)
            by_level = [
                IndependenceTests(level, n_conditions).learn_skeleton(counts)
                for level in (1e-6, 0.01, 0.2, 0.8, 1.0)
            ]
            for smaller, larger in pairwise(by_level):
                assert (smaller <= larger).all()
            assert by_level[-1].sum() == 30 > by_level[0].sum()
        more = IndependenceTests(0.05, 0).learn_skeleton(counts)
        assert (IndependenceTests(0.05, 1).learn_skeleton(counts) <= more).all()

    def test_edges_of_a_known_network_are_in_the_learned_skeleton(self):
        n_true = n_learned = 0
        for seed in range(6):
            network = make_random_network(8, 3, 2, max_parents=2, random_state=seed)
            data = sample_network(20_000, *network, random_state=seed)
            codes = np.column_stack([data.X[name].cat.codes for name in data.X]).astype(int)
            n_states = [len(data.X[name].cat.categories) for name in data.X]
            counts = Counts(codes, n_states, data.y.cat.codes.to_numpy().astype(int))
            learned = IndependenceTests(level=0.05).learn_skeleton(counts)
            true_edges = Structure(network.parents).edges
            assert all(learned[edge] for edge in true_edges)
            n_true += len(true_edges)
            n_learned += learned.sum() // 2
        assert n_true <= n_learned < 6 * 28  # a superset, but not every pair

    def test_a_chain_is_separated_by_its_middle(self):
        rng = np.random.default_rng(0)
        a = rng.integers(0, 2, 4000)
        b = np.where(rng.random(4000) < 0.9, a, 1 - a)
        c = np.where(rng.random(4000) < 0.9, b, 1 - b)
        counts = Counts(np.column_stack([a, b, c]), [2, 2, 2], rng.integers(0, 2, 4000))
        assert IndependenceTests(0.01, 0).learn_skeleton(counts).sum() == 6
        learned = IndependenceTests(0.01, 1).learn_skeleton(counts)
        assert learned.tolist() == [[False, True, False], [True, False, True], [False, True, False]]

    def test_columns_without_states_or_with_one_are_not_joined(self):
        rng = np.random.default_rng(0)
        codes = np.column_stack([rng.integers(0, 2, 50)] * 2 + [np.zeros(50, dtype=int)] * 2)
        counts = Counts(codes, [2, 2, 1, 0], rng.integers(0, 2, 50))
        learned = IndependenceTests().learn_skeleton(counts)
        assert np.argwhere(learned).tolist() == [[0, 1], [1, 0]]

    def test_weights_threads_and_row_order(self):
        network = make_random_network(6, 3, 2, max_parents=2, random_state=0)
        data = sample_network(300, *network, random_state=0)
        search = HillClimb("k2", order="columns", skeleton=IndependenceTests(0.1))
        expected = BayesianNetworkClassifier(search).fit(data.X, data.y)
        assert expected.structure_.edges
        rng = np.random.default_rng(0)
        order, weight = rng.permutation(300), rng.integers(0, 3, 300)
        rows = np.repeat(np.arange(300), weight)
        shuffled = BayesianNetworkClassifier(search, n_jobs=2)
        shuffled.fit(data.X.iloc[order], data.y.iloc[order])
        assert shuffled.structure_ == expected.structure_
        weighted = BayesianNetworkClassifier(search).fit(data.X, data.y, sample_weight=weight)
        repeated = BayesianNetworkClassifier(search).fit(data.X.iloc[rows], data.y.iloc[rows])
        assert weighted.structure_ == repeated.structure_ != expected.structure_


def test_names_of_the_columns_of_a_frame():
    network = make_random_network(4, 3, 2, max_parents=2, random_state=0)
    data = sample_network(300, *network, random_state=0, names=["sky", "wind", "sea", "sun"])
    search = HillClimb("ll", skeleton=[("sky", "sun")], order=["sun", "sky", "sea", "wind"])
    model = BayesianNetworkClassifier(search).fit(data.X, data.y)
    assert model.structure_.parents == ((), (), (), (0,))


LOPSIDED = np.triu(np.ones((4, 4), dtype=bool))


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (
            HillClimb(skeleton=np.ones((3, 3), dtype=bool)),
            r"must have shape \(4, 4\).*got \(3, 3\)",
        ),
        (HillClimb(skeleton=LOPSIDED), r"must be symmetric, got True at \(0, 1\) and False at"),
        (HillClimb(skeleton=[(0, 1, 2)]), r"must have pairs of columns, got \(0, 1, 2\) among"),
        (HillClimb(skeleton=["x0"]), "must have pairs of columns, got 'x0' among them"),
        (HillClimb(skeleton=[(0, 0)]), r"must have pairs of different columns, got \(0, 0\)"),
        (HillClimb(skeleton=[(0, 4)]), "a column of skeleton must be >= 0 and below 4, got 4"),
        (HillClimb(skeleton=[("x0", "y")]), "a column of skeleton must be a column; .*got 'y'"),
        (
            HillClimb(skeleton=[(0, 1)], start=Structure(((), (), (1,), ()))),
            r"HillClimb: start must have edges of the skeleton only, got \(1, 2\)",
        ),
        (
            HillClimb(skeleton=IndependenceTests(level=0)),
            "IndependenceTests: level must be a number > 0 and <= 1, got 0",
        ),
        (HillClimb(skeleton=IndependenceTests(level=1.5)), "level must be a number > 0 and <= 1"),
        (HillClimb(skeleton=IndependenceTests(n_conditions=2)), "n_conditions must be 0 or 1"),
    ],
)
def test_wrong_skeletons(search, message):
    with pytest.raises(ValueError, match=message):
        search.learn(random_counts(0))


@pytest.mark.parametrize("skeleton", ["full", 3, IndependenceTests, [(0, 1.5)], iter([])])
def test_skeletons_of_a_wrong_type(skeleton):
    with pytest.raises(TypeError, match=r"HillClimb: (a column of )?skeleton must be .*got"):
        HillClimb(skeleton=skeleton).learn(random_counts(0))
