"""Scores of filled cells are those of dense tables, and searches find the same structures."""

import numpy as np
import pytest

from augury.data.synthetic import make_many_labels
from augury.generative import BayesianNetworkClassifier
from augury.generative.bases.training_counts import TrainingCounts
from augury.structure import FamilyScores, HillClimb, OrderSearch, family_scores
from augury.structure.family_scores import CONDITIONAL_SCORES, GENERATIVE_SCORES

TABLE = make_many_labels(120, n_columns=6, n_labels=[40, 15], random_state=0)
GAPPY = TABLE.X.astype(object).mask(np.random.default_rng(1).random(TABLE.X.shape) < 0.1)
EVERY_SCORE = (*GENERATIVE_SCORES, *CONDITIONAL_SCORES)


@pytest.fixture
def in_both_ways(monkeypatch):
    def run(work):
        found = []
        for always_dense, per_row in ((0, 0), (1 << 40, 0)):
            monkeypatch.setattr(family_scores, "_ALWAYS_DENSE", always_dense)
            monkeypatch.setattr(family_scores, "_CELLS_PER_ROW", per_row)
            found.append(work())
        return found

    return run


def counts_of(X, y=TABLE.y, weight=None, missing="ignore"):
    model = BayesianNetworkClassifier(missing=missing)
    training = model.read_training(X, y, weight)
    return TrainingCounts(training, model.encoder_.n_states_, len(model.classes_))


@pytest.mark.parametrize("X", [TABLE.X, GAPPY], ids=["complete", "gappy"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("score", "class_is_parent"),
    [*((score, True) for score in EVERY_SCORE), *((score, False) for score in GENERATIVE_SCORES)],
)
def test_scores_of_families(score, class_is_parent, weighted, X, in_both_ways):
    weight = np.random.default_rng(2).integers(1, 4, len(X)) / 2 if weighted else None

    def score_all():
        scores = FamilyScores(counts_of(X, weight=weight), score, class_is_parent=class_is_parent)
        n = scores.n_nodes
        extended = [
            scores.with_each(child, frozenset(parents))
            for child in range(n)
            for parents in ((), (1,), (0, 4), (n - 1,))
            if child not in parents
        ]
        alone = [
            scores.family(child, frozenset(parents))
            for child in range(n)
            for parents in ((2,), (0, 1), (0, 1, 3))
            if child not in parents
        ]
        return np.concatenate([*extended, alone])

    sparse, dense = in_both_ways(score_all)
    assert np.isfinite(dense).sum() > 50
    np.testing.assert_allclose(sparse, dense, rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("score", [*EVERY_SCORE, "cll"])
def test_searches_find_the_same_structure(score, in_both_ways):
    def search():
        counts = counts_of(GAPPY)
        found = [HillClimb(score=score).learn(counts)]
        if score in GENERATIVE_SCORES:
            found.append(HillClimb(score=score, class_is_parent=False).learn(counts))
            found.append(OrderSearch(score=score).learn(counts))
        return found

    sparse, dense = in_both_ways(search)
    assert sparse == dense
    assert score in ("bic", "mdl", "aic", "k2") or sparse[0].edges


def test_rows_in_blocks_have_the_same_cells(read_in_blocks_of):
    columns, candidates = (2, 3), np.array([0, 1, 4, 5])
    [(_, whole)] = counts_of(GAPPY).filled_with_each(columns, 1, candidates[[0, 2, 3]])
    read_in_blocks_of(50)
    counts = counts_of(GAPPY)
    [(_, blocks)] = counts.filled_with_each(columns, 1, candidates[[0, 2, 3]])
    np.testing.assert_array_equal(whole.counts, blocks.counts)
    np.testing.assert_array_equal(whole.starts, blocks.starts)
    np.testing.assert_array_equal(whole.family, blocks.family)


def test_no_dense_table_of_a_large_family_is_made(monkeypatch):
    table = make_many_labels(300, n_columns=6, n_labels=[300, 250, 200], random_state=0)
    counts = counts_of(table.X, table.y)
    joint = counts.joint

    def small_joint(columns, **options):
        found = joint(columns, **options)
        assert found.size < 5000
        return found

    monkeypatch.setattr(counts, "joint", small_joint)
    for score in ("acll", "k2"):
        HillClimb(score=score).learn(counts)
    assert counts._narrow.features.n_states.max() <= 8
