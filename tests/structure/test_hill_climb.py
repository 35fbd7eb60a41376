"""Hill climbing: results, invariants, and input that must not matter."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.structure import FamilyScores, HillClimb, OrderSearch, Structure
from augury.structure.climber import Climber
from augury.structure.hill_climb import SCORES
from augury.structure.objectives import ConditionalLikelihood, SumOfFamilies
from tests.structure.counted_rows import Counts, random_counts


def all_structures(n, max_parents):
    possible = [
        [
            above
            for k in range(max_parents + 1)
            for above in combinations(sorted({*range(n)} - {i}), k)
        ]
        for i in range(n)
    ]
    for parents in product(*possible):
        try:
            yield Structure(parents)
        except ValueError:
            continue


def test_the_best_of_all_structures_is_found():
    everything = list(all_structures(4, 3))
    assert len(everything) == 543  # the labelled acyclic graphs of four nodes
    found = 0
    for seed in range(100):
        scores = FamilyScores(random_counts(seed), "bic")
        best = max(scores.total(structure) for structure in everything)
        search = HillClimb(score="bic", max_parents=3, n_restarts=10, random_state=0)
        learned = scores.total(search.learn(random_counts(seed)))
        assert learned <= best + 1e-9
        found += learned >= best - 1e-9
    assert found >= 95


@given(
    seed=st.integers(0, 10_000),
    score=st.sampled_from([s for s in SCORES if s != "cll"]),
    max_parents=st.integers(0, 3),
    start_node=st.none() | st.integers(0, 5),
    order=st.none() | st.just("columns") | st.just("backwards"),
    tabu_length=st.sampled_from([0, 0, 5]),
    n_restarts=st.sampled_from([0, 2]),
    class_is_parent=st.booleans(),
)
def test_never_a_cycle_nor_too_many_parents_nor_a_worse_structure(
    seed, score, max_parents, start_node, order, tabu_length, n_restarts, class_is_parent
):
    class_is_parent = class_is_parent or score in ("acll", "fcll")
    counts = random_counts(seed, n_columns=6)
    search = HillClimb(
        score=score,
        max_parents=max_parents,
        start_node=start_node,
        order=range(6 - class_is_parent, -1, -1) if order == "backwards" else order,
        tabu_length=tabu_length,
        n_restarts=n_restarts,
        class_is_parent=class_is_parent,
        random_state=seed,
    )
    found = search.learn(counts)  # a Structure with a cycle cannot exist
    nodes = found.parents if class_is_parent else found.nodes
    assert max(len(above) for above in nodes) <= max_parents
    assert search.learn(random_counts(seed, n_columns=6)) == found
    scores = FamilyScores(counts, score, class_is_parent=class_is_parent)
    empty = Structure.empty(6)
    first = empty if class_is_parent or max_parents else Structure.from_nodes([()] * 7)
    assert scores.total(found) >= scores.total(first) - 1e-9


@pytest.mark.parametrize("score", ["bic", "k2", "acll"])
@pytest.mark.parametrize("start_node", [None, 2])
def test_no_single_move_gains_at_the_end(score, start_node):
    counts = random_counts(5, n_columns=5)
    scores = FamilyScores(counts, score)
    found = HillClimb(score=score, max_parents=2, start_node=start_node).learn(counts)
    here = scores.total(found)
    edges = set(found.edges)
    neighbours = []
    for j, i in product(range(5), repeat=2):
        if i == j:
            continue
        if (j, i) in edges:
            neighbours += [edges - {(j, i)}, (edges - {(j, i)}) | {(i, j)}]
        else:
            neighbours.append(edges | {(j, i)})
    n_valid = 0
    for other in neighbours:
        try:
            structure = Structure.from_edges(5, sorted(other))
        except ValueError:
            continue
        if max(len(above) for above in structure.parents) <= 2:
            n_valid += 1
            assert scores.total(structure) <= here + 1e-9 * abs(here)
    assert n_valid > 5


def test_gains_are_differences_of_totals():
    """What is kept between the steps is what would be counted anew."""
    counts = random_counts(8, n_columns=5, n=40)
    for objective in (
        SumOfFamilies(FamilyScores(counts, "bdeu")),
        ConditionalLikelihood(counts, 0.5),
    ):
        climber = Climber(objective, [()] * 5, 3)
        rng = np.random.default_rng(0)
        for _ in range(30):
            move = climber.random_move(rng)
            before, gain = climber.score, objective.gain(move.changes)
            climber.apply(move)
            np.testing.assert_allclose(climber.score, before + gain)
            fresh = Climber(objective, climber.nodes, 3)
            np.testing.assert_allclose(fresh.score, climber.score)
            np.testing.assert_array_equal(fresh.reaches, climber.reaches)
            assert fresh.children == climber.children


def test_the_start_node_decides_and_is_deterministic():
    counts = random_counts(2, n_columns=6, n=60)
    found = [HillClimb(score="acll", max_parents=2, start_node=k).learn(counts) for k in range(6)]
    assert len({structure.parents for structure in found}) > 1
    assert found == [
        HillClimb(score="acll", max_parents=2, start_node=k).learn(counts) for k in range(6)
    ]
    # Column 0 moves first: what it takes is the best parent that it could have.
    scores = FamilyScores(counts, "acll")
    best = int(np.argmax(scores.with_each(0, frozenset())))
    one = HillClimb(score="acll", max_parents=1, start_node=0).learn(counts)
    assert one.parents[0] == (best,)


def test_each_node_takes_its_best_move_in_its_turn():
    """The same moves as a search that scores every structure anew, by the definition."""
    for seed in range(15):
        counts = random_counts(seed, n_columns=5, n=60)
        scores = FamilyScores(counts, "acll")
        order = [3, 0, 4, 1, 2]
        edges: set[tuple[int, int]] = set()
        n_idle, place = 0, 0
        while n_idle < 5:
            i = order[place % 5]
            into = [{*edges, (j, i)} for j in range(5) if (j, i) not in edges and j != i]
            into += [edges - {(j, i)} for j in range(5) if (j, i) in edges]
            into += [edges - {(j, i)} | {(i, j)} for j in range(5) if (j, i) in edges]
            best, gain = edges, 1e-9
            for other in into:
                try:
                    structure = Structure.from_edges(5, sorted(other))
                except ValueError:
                    continue
                if max(map(len, structure.parents)) > 2:
                    continue
                now = scores.total(Structure.from_edges(5, sorted(edges)))
                if scores.total(structure) - now > gain + 1e-9:
                    best, gain = other, scores.total(structure) - now
            n_idle = n_idle + 1 if best == edges else 0
            edges = best
            place += 1
        found = HillClimb(score="acll", order=order).learn(counts)
        assert set(found.edges) == edges


def test_the_text_of_a_search_in_a_store_has_new_parameters_only_if_they_are_set():
    plain = repr(HillClimb(start_node=1))
    assert plain == (
        "HillClimb(score='bic', max_parents=2, class_is_parent=True, start='naive-bayes', "
        "start_node=1, tabu_length=0, n_restarts=0, n_perturbations=None, "
        "equivalent_sample_size=1.0, alpha=0.5, random_state=None)"
    )
    more = repr(HillClimb(start_node=1, order="columns", skeleton=[(0, 1)]))
    assert more == plain[:-1] + ", order='columns', skeleton=[(0, 1)])"


def test_orders_that_are_the_same():
    counts = random_counts(2, n_columns=6, n=60)
    learned = {
        name: HillClimb(score="acll", **more).learn(counts)
        for name, more in {
            "columns": {"order": "columns"},
            "numbers": {"order": range(6)},
            "names": {"order": [f"x{j}" for j in range(6)]},
            "start": {"start_node": 0},
            "rotated": {"order": (4, 5, 0, 1, 2, 3), "start_node": "x0"},
        }.items()
    }
    assert len(set(learned.values())) == 1
    backwards = HillClimb(score="acll", order=range(5, -1, -1)).learn(counts)
    assert backwards != learned["columns"]


def test_where_to_begin():
    counts = random_counts(6)
    given_start = Structure(((1,), (), (1,), ()))
    stays = HillClimb(start=given_start, max_parents=1, score="ll").learn(counts)
    scores = FamilyScores(counts, "ll")
    assert scores.total(stays) >= scores.total(given_start)
    general = FamilyScores(counts, "bic", class_is_parent=False)
    starts = {"empty": Structure(((),) * 4, class_children=()), "naive-bayes": Structure.empty(4)}
    for start, first in starts.items():
        found = HillClimb(class_is_parent=False, start=start).learn(counts)
        assert general.total(found) > general.total(first)
        assert HillClimb(class_is_parent=False, start=first).learn(counts) == found


def test_restarts_leave_no_edge_that_gains_nothing():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (60, 4))
    codes[:, 3] = 0  # of a constant every parent says all there is to say
    counts = Counts(codes, [2, 2, 2, 1], rng.integers(0, 2, 60), 2)
    for seed in range(10):
        found = HillClimb("ll", max_parents=1, n_restarts=10, random_state=seed).learn(counts)
        assert all(3 not in edge for edge in found.edges)


def test_the_class_as_a_node_like_any_other():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, (2, 500))
    y = np.where(rng.random(500) < 0.95, a & b, 1 - (a & b))  # the class depends on two columns
    noise = rng.integers(0, 3, 500)
    counts = Counts(np.column_stack([a, b, noise]), [2, 2, 3], y, 2)
    for start in ("naive-bayes", "empty"):
        found = HillClimb(class_is_parent=False, start=start, n_restarts=30, random_state=0).learn(
            counts
        )
        assert set(found.class_parents) == {0, 1}
        assert not found.has_class(2)


def test_conditional_likelihood_is_climbed():
    counts = random_counts(7, n_columns=4, n=60)
    objective = ConditionalLikelihood(counts, 0.5)
    naive = objective.settle([()] * 4)
    found = HillClimb(score="cll", max_parents=2).learn(counts)
    assert objective.settle(list(found.parents)) > naive
    # Row by row, by the definition.
    total = 0.0
    for row in range(60):
        joint = []
        for c in (0, 1):
            p = (np.sum(counts.y == c) + 0.5) / (60 + 1)
            for i, above in enumerate(found.parents):
                same = (counts.y == c) & (counts.codes[:, above] == counts.codes[row, above]).all(
                    axis=1
                )
                hits = np.sum(same & (counts.codes[:, i] == counts.codes[row, i]))
                p *= (hits + 0.5) / (same.sum() + 0.5 * counts.n_states[i])
            joint.append(p)
        total += np.log(joint[counts.y[row]] / sum(joint))
    np.testing.assert_allclose(objective.settle(list(found.parents)), total)


def test_tabu_and_restarts_are_never_worse():
    better = 0
    for seed in range(20):
        scores = FamilyScores(random_counts(seed, n_columns=6, n=50), "ll")
        plain, tabu, restarted = (
            scores.total(HillClimb(score="ll", max_parents=1, **more).learn(scores.counts))
            for more in ({}, {"tabu_length": 8}, {"n_restarts": 5, "random_state": 0})
        )
        assert min(tabu, restarted) >= plain - 1e-9
        better += max(tabu, restarted) > plain + 1e-6
    assert better  # or the test shows nothing


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (HillClimb(score="mit"), "HillClimb: score must be one of 'll', 'aic'.*got 'mit'"),
        (HillClimb(max_parents=-1), "max_parents must be an integer >= 0, got -1"),
        (HillClimb(alpha=0), "alpha must be a number > 0, got 0"),
        (HillClimb(start_node=4), "start_node must be >= 0 and below 4, got 4"),
        (
            HillClimb(start_node="x9"),
            "start_node must be a column; the columns are 'x0', .*got 'x9'",
        ),
        (HillClimb(order="rows"), "HillClimb: order must be one of 'columns', got 'rows'"),
        (HillClimb(order=(0, 1, 2)), "order must have each of the nodes 0 … 3 once, got .0, 1, 2"),
        (HillClimb(order=(0, 1, 2, 2)), "order must have each of the nodes 0 … 3 once"),
        (HillClimb(start="full"), "start must be one of 'naive-bayes', 'empty', got 'full'"),
        (HillClimb(start=Structure.empty(3)), "start must have 4 columns.*got 3"),
        (
            HillClimb(start=Structure(((), (0, 2), (), ())), max_parents=1),
            "at most max_parents=1 parents of a column, got one with 2",
        ),
        (
            HillClimb(start=Structure(((), (), (), ()), class_children=(0,))),
            "start must have the class as a parent of every column",
        ),
        (
            HillClimb(score="acll", class_is_parent=False),
            "score must be one of 'll'.*where class_is_parent is False, got 'acll'",
        ),
        (HillClimb(tabu_length=-1), "tabu_length must be an integer >= 0"),
        (OrderSearch(order=(0, 1, 1, 3)), "order must have each of the columns 0 … 3 once"),
        (OrderSearch(order="dcba"), "order must have each of the columns 0 … 3 once"),
        (OrderSearch(order=(0.5, 1, 2, 3)), "order must have each of the columns 0 … 3 once"),
        (HillClimb(random_state=-1), "HillClimb: random_state must be an integer >= 0, got -1"),
        (OrderSearch(score="cll"), "OrderSearch: score must be one of"),
    ],
)
def test_bad_parameters(search, message):
    with pytest.raises(ValueError, match=message):
        search.learn(random_counts(0))


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (HillClimb(class_is_parent="no"), "class_is_parent must be True or False, got 'no'"),
        (HillClimb(order=3), "order must be 'columns', a sequence of all nodes, or None, got 3"),
        (HillClimb(order=iter("ab")), "order must be 'columns', a sequence of all nodes, or None"),
        (HillClimb(start_node=1.5), "start_node must be a number or a name of a column, got 1.5"),
        (HillClimb(random_state="x"), "HillClimb: random_state must be an integer >= 0, got 'x'"),
    ],
)
def test_parameters_of_another_kind(search, message):
    with pytest.raises(TypeError, match=message):
        search.learn(random_counts(0))
