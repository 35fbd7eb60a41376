"""The tree as an estimator: text, gaps, weights, drawings."""

import copy
import pickle
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from augury.discriminative import C45Tree

# Quinlan's weather, with numbers.
WEATHER = pd.DataFrame(
    {
        "outlook": pd.Categorical(
            ["sunny"] * 5 + ["overcast"] * 4 + ["rainy"] * 5, ["sunny", "overcast", "rainy"]
        ),
        "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96],
        "windy": pd.Categorical(
            [t == "t" for t in "ttffftftfttfff"], [True, False]
        ).rename_categories(["TRUE", "FALSE"]),
    }
)
PLAY = np.array("yes no no no yes yes yes yes yes no no yes yes yes".split())
TREE = """\
outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = TRUE: no (2.0)
|   windy = FALSE: yes (3.0)"""


def test_the_weather_as_j48_prints_it():
    tree = C45Tree().fit(WEATHER, PLAY)
    assert tree.to_text() == tree.draw() == TREE
    assert (tree.n_leaves_, tree.n_nodes_) == (5, 8)
    assert tree.predict(WEATHER).tolist() == PLAY.tolist()
    assert tree.explain_path(WEATHER.iloc[[1, 6]]) == [
        ["outlook = sunny", "humidity > 75"],
        ["outlook = overcast"],
    ]


def test_nodes_hold_what_came_to_them():
    root = C45Tree().fit(WEATHER, PLAY).tree_
    assert root.class_weights.tolist() == [5, 9]
    assert root.shares == pytest.approx([5 / 14, 4 / 14, 5 / 14])
    assert root.column.name == "outlook"
    sunny = root.branches[0]
    assert (sunny.threshold, sunny.weight, sunny.errors) == (75, 5, 2)
    assert sum(node.is_leaf for node in root.walk()) == 5
    with pytest.raises(AttributeError):
        root.threshold = 3.0


def test_a_gap_in_training_goes_down_all_branches():
    X = pd.DataFrame({"x": [*"aaaabbbb", None]})
    y = list("pppqqqqqp")
    tree = C45Tree(prune=False).fit(X, y)
    assert tree.to_text() == "x = a: p (4.5/1.0)\nx = b: q (4.5/0.5)"
    assert tree.tree_.branches[1].class_weights.tolist() == [0.5, 4]


def test_what_is_missing_or_unseen_is_a_mixture():
    X = pd.DataFrame({"x": list("aaaabbbb"), "z": [1.0, 1, 2, 2, 1, 2, 2, 2]})
    y = list("ppqqqqqq")
    tree = C45Tree(prune=False, min_samples_leaf=1).fit(X, y)
    assert tree.to_text() == "z <= 1\n|   x = a: p (2.0)\n|   x = b: q (1.0)\nz > 1: q (5.0)"
    new = pd.DataFrame({"x": ["a", None, "never", "b", None], "z": [np.nan, 1, 1, np.nan, np.nan]})
    p = [3 / 8, 2 / 3, 2 / 3, 0, 3 / 8 * 2 / 3]
    np.testing.assert_allclose(tree.predict_proba(new)[:, 0], p)
    assert tree.explain_path(new.iloc[[0, 2]]) == [
        ["z is unknown, as if > 1"],
        ["z <= 1", "x is unknown, as if a"],
    ]


def test_an_empty_branch_says_what_the_node_above_says():
    X = pd.DataFrame({"x": pd.Categorical(list("aaaabb"), list("abc"))})
    tree = C45Tree(prune=False).fit(X, list("pppqqq"))
    assert tree.to_text() == "x = a: p (4.0/1.0)\nx = b: q (2.0)\nx = c: p (0.0)"
    new = pd.DataFrame({"x": pd.Categorical(["c"], list("abc"))})
    assert tree.predict_proba(new).tolist() == [[0.5, 0.5]]
    # It has no share of a row whose value is missing.
    assert tree.predict_proba(new.assign(x=None)).tolist() == [[4 / 6 * 3 / 4, 1 - 4 / 6 * 3 / 4]]


def test_missing_may_be_a_state_or_be_replaced():
    X = pd.DataFrame({"x": [*"aaaabbbb", None, None, None], "z": [1, 2] * 4 + [np.nan] * 3})
    y = list("ppppppppqqq")
    state = C45Tree(prune=False, missing="state").fit(X, y)
    assert state.to_text() == "z is missing = present: p (8.0)\nz is missing = <missing>: q (3.0)"
    state.fit(X[["x"]], y)
    assert state.to_text() == "x = a: p (4.0)\nx = b: p (4.0)\nx = <missing>: q (3.0)"
    replaced = C45Tree(prune=False, missing="replace", collapse=False).fit(X[["x"]], y)
    assert replaced.to_text() == "x = a: p (7.0/3.0)\nx = b: p (4.0)"


def test_numbers_may_be_cut_beforehand():
    X = pd.DataFrame({"z": [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]})
    tree = C45Tree(discretizer="mdl").fit(X, [0] * 4 + [1] * 4 + [0] * 4)
    assert tree.encoder_.cut_points_["z"].tolist() == []
    tree = C45Tree(discretizer="mdl").fit(X, [0] * 6 + [1] * 6)
    assert tree.to_text() == "z = (-inf, 6.5]: 0 (6.0)\nz = (6.5, inf): 1 (6.0)"


def test_a_declared_class_without_rows():
    y = pd.Categorical(PLAY, ["maybe", "no", "yes"])
    tree = C45Tree().fit(WEATHER, y)
    assert tree.classes_.tolist() == ["maybe", "no", "yes"]
    assert tree.to_text() == TREE
    assert (tree.predict_proba(WEATHER)[:, 0] == 0).all()
    assert np.isneginf(tree.predict_log_proba(WEATHER)[:, 0]).all()


def test_nothing_to_ask_is_one_leaf():
    X = pd.DataFrame({"same": ["x"] * 4, "gone": [np.nan] * 4})
    tree = C45Tree().fit(X, list("ppqp"))
    assert tree.to_text() == ": p (4.0/1.0)"
    assert tree.predict_proba(X).tolist() == [[0.75, 0.25]] * 4
    assert tree.explain_path(X) == [[]] * 4
    assert "svg" in tree.draw("svg")


def test_weights_are_numbers_of_rows():
    tree = C45Tree().fit(WEATHER, PLAY, sample_weight=np.full(14, 2.0))
    assert "outlook = overcast: yes (8.0)" in tree.to_text()
    without = C45Tree().fit(WEATHER, PLAY, sample_weight=np.r_[np.ones(9), np.zeros(5)])
    assert without.to_text() == C45Tree().fit(WEATHER[:9], PLAY[:9]).to_text()
    with pytest.warns(UserWarning, match=r"C45Tree: sample_weight sums to 1.4, less than two rows"):
        C45Tree().fit(WEATHER, PLAY, sample_weight=np.full(14, 0.1))
    shares = C45Tree().fit(WEATHER, PLAY, sample_weight=np.full(14, 1 / 14))
    assert shares.to_text() == C45Tree().fit(WEATHER, PLAY).to_text()


def test_huge_weights_are_pruned_too():
    """Of 1e12 rows, the largest branch less a millionth of a row is the largest branch."""
    tree = C45Tree().fit(WEATHER, PLAY, sample_weight=np.full(14, 1e12))
    assert [line.rpartition(" (")[0] or line for line in tree.to_text().splitlines()] == [
        line.rpartition(" (")[0] or line for line in TREE.splitlines()
    ]


def test_any_kind_of_table():
    y = [0, 0, 1, 1] * 2
    rows = [["u", 1], ["u", 2], ["v", 1], ["v", 2]] * 2
    for X in (
        rows,
        pl.DataFrame({"a": [a for a, _ in rows], "b": [b for _, b in rows]}),
        np.array(rows, dtype=object),
        np.array(rows).astype(str),
    ):
        assert C45Tree().fit(X, y).predict(X).tolist() == y


def test_two_states_are_many_for_few_rows():
    # J48: such columns leave the average gain alone, and alone have none to be compared with.
    X = pd.DataFrame({"x": list("aabbb"), "z": [1.0] * 5})
    y = list("ppqqq")
    assert C45Tree().fit(X, y).n_leaves_ == 1
    assert C45Tree().fit(X[["x"]], y).n_leaves_ == 2
    assert C45Tree().fit(X, y, sample_weight=np.full(5, 2)).n_leaves_ == 2


def test_numbers_that_are_labels():
    X = np.array([[1, 2, 3, 1, 2, 3, 1, 2, 3]]).T
    tree = C45Tree(categorical_features="all").fit(X, [0, 1, 0] * 3)
    assert tree.to_text() == "x0 = 1: 0 (3.0)\nx0 = 2: 1 (3.0)\nx0 = 3: 0 (3.0)"


def test_drawings():
    X = WEATHER.rename(columns={"windy": 'wind & "rain" <'})
    tree = C45Tree().fit(X, PLAY)
    svg = ET.fromstring(tree.draw("svg"))
    boxes = svg.findall("{http://www.w3.org/2000/svg}rect")
    assert len(boxes) == tree.n_nodes_
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {"outlook", "> 75", "= rainy", 'wind & "rain" <', "yes (4.0)"} <= set(texts)
    dot = tree.draw("dot")
    assert dot.count("->") == tree.n_nodes_ - 1
    assert 'label="wind & \\"rain\\" <"' in dot
    with pytest.raises(
        ValueError, match=r"C45Tree.draw: form must be one of 'text', 'dot', 'svg', got"
    ):
        tree.draw("png")


def test_it_can_be_saved():
    tree = C45Tree(missing="state").fit(WEATHER, PLAY)
    again = pickle.loads(pickle.dumps(tree))
    assert again.to_text() == tree.to_text()
    np.testing.assert_array_equal(again.predict_proba(WEATHER), tree.predict_proba(WEATHER))


def test_rows_in_blocks_and_with_many_gaps(read_in_blocks_of, monkeypatch):
    tree = C45Tree().fit(WEATHER, PLAY)
    X = WEATHER.assign(outlook=None)
    expected = tree.predict_proba(X)
    read_in_blocks_of(12)
    monkeypatch.setattr("augury.discriminative.c45.descent._MAX_VISITS", 10)
    np.testing.assert_allclose(tree.predict_proba(X), expected)


def test_columns_are_looked_at_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 7)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = (np.nansum(X[:, 2:5], axis=1) > 0).astype(int)
    expected = C45Tree(prune=False).fit(X, y).to_text()
    monkeypatch.setattr("augury.discriminative.c45.gain._MAX_CELLS", 100)
    assert C45Tree(prune=False).fit(X, y).to_text() == expected


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"confidence": 0}, "confidence must be a number > 0, got 0"),
        ({"confidence": 0.6}, "confidence must be a number > 0 and <= 0.5, got 0.6"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be an integer >= 1, got 0"),
        ({"prune": "no"}, "prune must be True or False, got 'no'"),
        ({"missing": "drop"}, "missing must be one of"),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0, got 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises((ValueError, TypeError), match=f"^C45Tree: {message}"):
        C45Tree(**parameters).fit(WEATHER, PLAY)


def test_parameters_change_what_they_should():
    tree = C45Tree(min_samples_leaf=4)
    assert tree.fit(WEATHER, PLAY).n_leaves_ < 5
    assert clone(tree).get_params()["min_samples_leaf"] == 4
    threads = C45Tree(n_jobs=2).fit(WEATHER, PLAY)
    assert threads.to_text() == TREE


def test_a_tree_deeper_than_the_stack_of_python():
    # Each value disagrees with the next, and the best cut is always at the end.
    X = np.repeat(np.arange(1100.0), 30)[:, None]
    y = (X[:, 0] + (np.arange(len(X)) % 30 == 0)) % 2
    tree = C45Tree(prune=False).fit(X, y)
    assert tree.n_leaves_ == 1100
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert again.to_text() == tree.to_text()
    assert tree.draw("svg").count("<rect") == tree.draw("dot").count("label=") // 2 + 1
    assert tree.score(X, y) == pytest.approx(29 / 30)
    assert repr(tree.tree_) == "<split on 'x0', 33000.0 rows>"
