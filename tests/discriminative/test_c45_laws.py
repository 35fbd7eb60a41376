"""What must hold for every table."""

from unittest.mock import patch

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from augury.discriminative import C45Tree
from augury.discriminative.c45.pruning import Pruner


@st.composite
def tables(draw):
    """A frame of labels and numbers with gaps, classes, and whole weights."""
    n = draw(st.integers(6, 30))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    gap = draw(st.sampled_from([0.0, 0.2]))
    label = pd.Categorical.from_codes(rng.integers(0, 3, n), list("abc"))
    X = pd.DataFrame(
        {
            "label": label,
            "number": rng.integers(0, 6, n) / 2,
            "flag": pd.Categorical.from_codes(rng.integers(0, 2, n), list("xy")),
            "other": rng.normal(size=n).round(2),
        }
    )
    signal = (X["label"] == "a") ^ (X["number"] > 1)
    y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), signal.astype(int))
    y[:3] = [0, 1, 2]
    for name in X:
        X.loc[rng.random(n) < gap, name] = np.nan
    return X, y, rng.integers(0, 4, n) + (np.arange(n) < 3), rng


def grow(X, y, weight=None):
    return C45Tree(confidence=0.4).fit(X, y, weight)


@given(tables())
def test_a_whole_weight_is_so_many_rows(table):
    X, y, weight, _ = table
    weighted = grow(X, y, weight)
    repeated = grow(X.loc[X.index.repeat(weight)], np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)
    assert weighted.n_nodes_ == repeated.n_nodes_


@given(tables())
def test_the_order_of_the_rows_changes_nothing(table):
    X, y, weight, rng = table
    order = rng.permutation(len(X))
    tree = grow(X, y, weight)
    shuffled = grow(X.iloc[order], y[order], weight[order])
    assert shuffled.to_text() == tree.to_text()
    np.testing.assert_allclose(shuffled.predict_proba(X), tree.predict_proba(X), atol=1e-9)


@given(tables())
def test_the_names_of_classes_and_states_change_nothing(table):
    X, y, weight, rng = table
    tree = grow(X, y, weight)
    new_name = rng.permutation(3)
    renamed = grow(X.assign(flag=X["flag"].cat.rename_categories(list("vu"))), new_name[y], weight)
    other = X.assign(flag=X["flag"].cat.rename_categories(list("vu")))
    np.testing.assert_allclose(
        renamed.predict_proba(other)[:, new_name], tree.predict_proba(X), atol=1e-9
    )


@given(tables())
def test_weights_of_leaves_add_to_all_rows(table):
    X, y, weight, _ = table
    for prune in (True, False):
        tree = C45Tree(prune=prune).fit(X, y, weight)
        leaves = [node.class_weights for node in tree.tree_.walk() if node.is_leaf]
        np.testing.assert_allclose(np.sum(leaves, axis=0), np.bincount(y, weight, 3), atol=1e-4)
        proba = tree.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        assert (proba >= 0).all()


@given(tables())
def test_pruning_makes_no_tree_larger_and_collapsing_costs_nothing(table):
    X, y, _, _ = table
    full = C45Tree(prune=False, collapse=False).fit(X, y)
    collapsed = C45Tree(prune=False).fit(X, y)
    pruned = C45Tree().fit(X, y)
    assert pruned.n_nodes_ <= collapsed.n_nodes_ <= full.n_nodes_
    if not X.isna().any(axis=None):
        assert collapsed.score(X, y) == full.score(X, y)


@given(tables())
def test_explanations_end_where_the_row_does(table):
    X, y, _, _ = table
    tree = grow(X, y)
    for way, proba in zip(tree.explain_path(X), tree.predict_proba(X), strict=True):
        node = tree.tree_
        for condition in way:
            name, _, rest = condition.partition(" is unknown, as if ")
            wanted = condition if not rest else f"{name} {rest}"
            names = [c.replace(" = ", " ") if rest else c for c in node.conditions]
            node = node.branches[names.index(wanted)]
        assert node.is_leaf
        if not any("unknown" in condition for condition in way):
            np.testing.assert_allclose(proba, node.probabilities)


@given(tables())
def test_what_a_raised_branch_expects_is_the_same_by_way_of_all_rows(table):
    X, y, weight, _ = table
    with_gaps = X.isna().any(axis=1).to_numpy()
    X, y, weight = X[~with_gaps], y[~with_gaps], weight[~with_gaps]
    if len(np.unique(y)) < 2 or not weight.any():
        return
    short = C45Tree(confidence=0.4).fit(X, y, weight)
    with patch.object(Pruner, "_expected_if_raised", by_way_of_all_rows):
        long = C45Tree(confidence=0.4).fit(X, y, weight)
    assert short.to_text() == long.to_text()


def by_way_of_all_rows(pruner, node, largest):
    return pruner._expected_of_branch(largest, node.index, node.weight)
