"""Families that a search scores: each is counted once, and gaps are no evidence."""

import numpy as np
import pytest

from augury.structure import FamilyScores, HillClimb, Structure
from augury.structure.hill_climb import SCORES, hill_climb
from augury.structure.objectives import SumOfFamilies
from tests.structure.counted_rows import Counts, random_counts


def test_a_family_is_counted_once():
    counts = random_counts(3, n_columns=6)
    scores = FamilyScores(counts, "bic")
    hill_climb(SumOfFamilies(scores), [()] * 6, max_parents=2)
    first = counts.n_counted
    hill_climb(SumOfFamilies(scores), [()] * 6, max_parents=2)
    assert counts.n_counted == first
    # Six families without a parent, thirty with one; then the candidates of changed ones.
    assert first <= 36 + 6 * 5 * 6


def test_candidates_and_single_families_agree():
    for class_is_parent in (True, False):
        counts = random_counts(4, n_columns=5, left_out=0.2)
        together = FamilyScores(counts, "k2", class_is_parent=class_is_parent)
        n = together.n_nodes
        for child, parents in ((0, frozenset()), (1, frozenset({3})), (n - 1, frozenset({0, 2}))):
            each = together.with_each(child, parents)
            alone = FamilyScores(counts, "k2", class_is_parent=class_is_parent)
            for k in range(n):
                if k == child or k in parents:
                    assert each[k] == -np.inf
                else:
                    np.testing.assert_allclose(each[k], alone.family(child, parents | {k}))


def test_rows_left_out_do_not_make_a_family_better():
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (400, 3)), rng.integers(0, 2, 400)
    codes[rng.random(400) < 0.5, 2] = 2  # half of it is unknown, and it tells nothing
    counts = Counts(codes, [2, 2, 2], y, 2)
    scores = FamilyScores(counts, "ll")
    with_gaps, without = scores.family(0, frozenset({2})), scores.family(0, frozenset())
    assert abs(with_gaps - without) < 5  # unscaled it would gain about 130
    assert HillClimb(score="bic").learn(counts).edges == []


@pytest.mark.parametrize("score", ["ll", "bic", "k2", "bdeu", "acll", "fcll"])
def test_columns_that_no_row_knows_together_are_no_family(score):
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (400, 2)), rng.integers(0, 2, 400)
    codes[:200, 0], codes[200:, 1] = 2, 2
    counts = Counts(codes, [2, 2], y, 2)
    assert HillClimb(score=score).learn(counts).edges == []
    with pytest.raises(ValueError, match="start must have families of at most"):
        HillClimb(score=score, start=Structure(((), (0,)))).learn(counts)


@pytest.mark.parametrize("left_out", [0.3, 0.6])
def test_gaps_do_not_make_the_evidence_heavier(left_out):
    """Few rows that know a family count as few: noise stays noise."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        codes, y = rng.choice(3, (400, 6), p=[0.5, 0.3, 0.2]), rng.integers(0, 2, 400)
        codes[rng.random(codes.shape) < left_out] = 3
        counts = Counts(codes, [3] * 6, y, 2)
        for score in ("bic", "bdeu"):
            assert HillClimb(score=score).learn(counts).edges == []


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize(
    "more", [{"tabu_length": 6}, {"n_restarts": 10, "random_state": 0}, {"start": "given"}]
)
def test_a_column_without_states_is_no_parent(score, more):
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (60, 3)), rng.integers(0, 2, 60)
    codes[:, 1] = 0  # its code for "left out"
    if "start" in more:
        more = {"start": Structure(((1,), (), (1,)))}
    found = HillClimb(score=score, **more).learn(Counts(codes, [2, 0, 2], y, 2))
    assert all(j != 1 for j, _ in found.edges)


@pytest.mark.parametrize("score", ["k2", "acll", "cll"])
def test_families_too_large_to_be_counted_are_passed_over(score):
    """Neither a reversed edge, nor a random one, nor a search for CLL may ask for them."""
    rng = np.random.default_rng(0)
    base = rng.integers(0, 500, 1000)
    codes = np.column_stack([base, base, base, rng.integers(0, 2, 1000)])
    counts = Counts(codes, [500, 500, 500, 2], rng.integers(0, 2, 1000), 2)
    found = HillClimb(score=score, n_restarts=2, random_state=0).learn(counts)
    assert all(len({j for j in above if j < 3}) < 2 for above in found.parents[:3])
    with pytest.raises(ValueError, match="start must have families of at most"):
        HillClimb(score=score, start=Structure(((1, 2), (), (), ()))).learn(counts)
