"""Statistics of training rows: hand-made tables, pieces, bounds, JSON."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from augury import NaiveBayes
from augury.drift import (
    Reference,
    check_drift,
    collect_reference,
    collect_reference_from_source,
)
from augury.drift.column_tally import MAX_LABELS, ColumnTally
from augury.drift.column_values import ColumnReading, read_values
from tests.drift.planted import draw_difficult, draw_penguins


@pytest.fixture(scope="module")
def reference():
    train = draw_penguins(300, 0)
    return collect_reference(None, train.drop(columns="species"), train["species"], target="t")


def test_labels_by_hand():
    X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain", "rain", "fog", None]})
    found = collect_reference(None, X, list("aabbbba"), target="play")
    sky = found.columns[0]
    assert (sky.labels, sky.label_counts, sky.n_gaps) == (("rain", "sun", "fog"), (3, 2, 1), 1)
    # States rain, sun, other, unseen (fog: one row), missing; classes b, a.
    assert sky.state_counts == ((3, 0), (0, 2), (0, 0), (1, 0), (0, 1))
    assert found.classes.labels == ("b", "a")
    assert found.classes.name == "play"
    assert found.group_counts == (4, 3)


def test_numbers_by_hand():
    X = pd.DataFrame({"x": [*range(1, 11), None]})
    found = collect_reference(None, X, ["a"] * 5 + ["b"] * 6).columns[0]
    assert (found.low, found.high, found.edges) == (1.0, 10.0, (5.0,))
    # Below (1: the only smallest one), up to 5, above 5, above all (10), missing.
    assert [sum(counts) for counts in found.state_counts] == [1, 4, 4, 1, 1]


def test_json_round_trip(reference):
    text = json.dumps(reference.to_json())
    assert Reference.from_json(json.loads(text)) == reference


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_rows": 3}, "n_rows"),
        ({"columns": []}, "columns must not be empty"),
        ({"group_counts": [1, 2]}, "group_counts"),
        ({"predicted_counts": [1, 2, 3]}, "predicted_counts"),
        ({"n_right": -1}, "n_right"),
        ({"predictor_counts": [1, 2]}, "predictor_counts"),
        ({"predictor_counts": [301, 0, 0]}, "predictor_counts"),
        ({"n_rare": 10**9}, "n_rare"),
        ({"log_p_levels": [0.5]}, "log_p_quantiles"),
        ({"rare_log_p": None}, "rare_log_p must be a number"),
    ],
)
def test_statistics_that_do_not_fit_are_refused(reference, change, message):
    with pytest.raises(ValueError, match=message):
        Reference.from_json(reference.to_json() | change)


def test_rows_are_predicted_from_the_counts_of_the_other_half(reference):
    assert reference.n_predicted == sum(reference.predicted_counts)
    assert 0.4 < reference.n_predicted / reference.n_sampled < 0.6
    assert reference.n_predicted >= reference.n_right > 0.6 * reference.n_predicted
    for column in reference.columns:
        assert np.sum(column.predictor_counts) == sum(reference.predictor_counts)


def test_a_single_row():
    found = collect_reference(None, pd.DataFrame({"x": ["a"]}), ["b"], target="y")
    assert Reference.from_json(found.to_json()) == found
    new = pd.DataFrame({"x": ["a"] * 30, "y": ["b"] * 30})
    assert check_drift(None, new, reference=found).is_silent


def test_statistics_of_earlier_versions_are_read(reference):
    """Their training rows were predicted by the counts of all rows without the row itself."""
    content = reference.to_json()
    del content["predictor_counts"]
    for column in content["columns"]:
        column.pop("predictor_counts")
    content |= {"predicted_counts": list(reference.group_counts), "n_right": 290}
    earlier = Reference.from_json(content)
    assert earlier.n_predicted == 300
    fresh = draw_penguins(250, 1)
    assert check_drift(None, fresh, reference=earlier, ignore=["ring"]).n_tests > 10
    swapped = fresh.assign(t=fresh["species"].sample(frac=1.0, random_state=0).to_numpy())
    kinds = {each.kind for each in check_drift(None, swapped, reference=earlier).drift}
    assert "relation" in kinds


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("island", {"treatment": "pictures"}, "treatment must be one of"),
        ("island", {"label_counts": [1]}, "label_counts"),
        ("island", {"labels": ["a", "a", "b"]}, "label_counts"),
        ("ring", {"n_unlisted": -1}, "n_unlisted"),
        ("ring", {"n_unlisted": 5}, "label_counts"),
        ("island", {"n_gaps": 301}, "n_gaps"),
        ("island", {"state_counts": [[1, 2, 3]] * 2}, "state_counts"),
        ("island", {"state_counts": [[100, 0]] * 3}, "state_counts|labels"),
        ("island", {"predictor_counts": []}, "predictor_counts"),
        ("island", {"predictor_counts": [[0, 0, 0]] * 6}, "predictor_counts"),
        ("mass", {"edges": [1.0]}, "edges must fit"),
        ("mass", {"low": 9.0, "high": 1.0}, "low must be at most high"),
        ("mass", {"low": None}, "low must be at most high"),
    ],
)
def test_columns_that_do_not_fit_are_refused(reference, name, change, message):
    content = reference.to_json()
    content["columns"] = [
        dict(each) | change if each["name"] == name else each for each in content["columns"]
    ]
    with pytest.raises(ValueError, match=message):
        Reference.from_json(content)


def test_sorted_edges_are_required(reference):
    columns = [
        replace(each, edges=each.edges[::-1]) if each.name == "mass" else each
        for each in reference.columns
    ]
    with pytest.raises(ValueError, match="edges must be sorted"):
        Reference.from_json(replace(reference, columns=tuple(columns)).to_json())


def test_pieces_give_the_statistics_of_the_whole_table():
    table = draw_penguins(500, 0)
    X, y = table.drop(columns="species"), table["species"]
    whole = collect_reference(None, X, y, target="species")
    parts = [table.iloc[k : k + 70] for k in range(0, 500, 70)]
    pieces = collect_reference_from_source(None, lambda: iter(parts), "species")
    # The first rows decide how columns are read, which is the same here.
    assert pieces == whole


def test_the_size_is_bounded_whatever_the_table():
    sizes = []
    for n_rows in (8_000, 60_000):
        table = draw_difficult(n_rows, 0).assign(text=[f"{k} " * 40 for k in range(n_rows)])
        found = collect_reference(None, table.drop(columns="class"), table["class"])
        assert found.n_rows == n_rows
        assert found.n_sampled <= 50_000
        sizes.append(len(json.dumps(found.to_json())))
    assert max(sizes) < 80_000
    assert sizes[1] < 1.2 * sizes[0]


def test_wide_tables_have_few_states():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3000)))
    found = collect_reference(None, X, rng.integers(0, 12, 200).astype(str))
    assert {len(column.state_counts) for column in found.columns} == {4 + 3}


def test_labels_beyond_the_bound_are_counted_together():
    def tally(start, stop, repeats):
        labels = pd.Series([f"v{k}" for k in range(start, stop)] * repeats)
        return ColumnTally.collect(read_values(labels, ColumnReading("v", "labels", "text")))

    total = tally(0, MAX_LABELS, 1) + tally(0, 10, 3)
    assert total.n_unlisted == 0
    total = total + tally(MAX_LABELS, MAX_LABELS + 5, 2)
    assert len(total.labels) <= MAX_LABELS
    assert total.labels["v0"] == 4
    assert total.labels[f"v{MAX_LABELS}"] == 2
    assert sum(total.labels.values()) + total.n_unlisted == total.n_rows == sum(total.buckets)


def test_a_model_without_names_of_columns():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.choice(["a", "b"], 300)
    found = collect_reference(NaiveBayes().fit(X, y), X, y)
    assert [column.name for column in found.columns] == ["x0", "x1", "x2"]
    assert check_drift(None, rng.normal(size=(200, 3)), reference=found).is_silent
    shifted = check_drift(None, rng.normal(1.0, size=(200, 3)), reference=found)
    assert {each.column for each in shifted.drift} >= {"x0", "x1", "x2"}


def test_many_classes():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 40, 4000)
    X = pd.DataFrame({"x": rng.normal(y, 1.0), "z": rng.normal(size=4000)})
    labels = pd.Series([f"c{k}" for k in y])
    found = collect_reference(None, X.iloc[:3000], labels.iloc[:3000], target="y")
    assert len(found.group_counts) == 16
    new = X.iloc[3000:].assign(y=labels.iloc[3000:])
    assert check_drift(None, new, reference=found).is_silent
    kinds = {each.kind for each in check_drift(None, new[y[3000:] < 20], reference=found).drift}
    assert {"classes", "predicted classes", "distribution"} <= kinds


def test_declared_categories_and_booleans():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size": pd.Categorical(rng.choice(["s", "m"], 400), categories=["s", "m", "xl"]),
            "is_new": rng.random(400) < 0.5,
            "empty": np.full(400, np.nan),
            "no text": pd.Series([None] * 400, dtype=object),
        }
    )
    y = pd.Series(pd.Categorical(rng.choice(["a", "b"], 400), categories=["a", "b", "c"]))
    found = collect_reference(None, X.iloc[:300], y.iloc[:300])
    assert Reference.from_json(found.to_json()) == found
    assert set(found.columns[0].labels) == {"s", "m"}
    assert set(found.columns[1].labels) == {"True", "False"}
    assert check_drift(None, X.iloc[300:], reference=found).is_silent
    rows = X.iloc[300:].assign(empty=1.0, **{"no text": "text"})
    filled = check_drift(None, rows, reference=found)
    kinds = {each.column: each.kind for each in filled.drift if each.column is not None}
    # A column without any value is read as numbers.
    assert kinds == {"empty": "missing values", "no text": "changed kind"}


def test_infinite_numbers_are_missing():
    X = pd.DataFrame({"x": [1.0, 2.0, np.inf, -np.inf, 3.0]})
    found = collect_reference(None, X, list("aabbb")).columns[0]
    assert (found.low, found.high, found.n_gaps, found.n_unread) == (1.0, 3.0, 2, 2)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (pd.DataFrame({"x": [1, 2]}), ["a"], "y must have one class for each row"),
        (pd.DataFrame({"x": []}), [], "y must have one class for each row"),
        (pd.DataFrame({"x": [1, 2]}), ["a", None], "must not have missing"),
        (csr_matrix((2, 2)), ["a", "b"], "sparse matrix"),
    ],
)
def test_wrong_tables(X, y, message):
    with pytest.raises((TypeError, ValueError), match=message):
        collect_reference(None, X, y)
