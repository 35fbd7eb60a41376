"""Nearest neighbours, against IBk's rules written out row by row."""

import numpy as np
import pandas as pd
import pytest

from augury.discriminative import nearest_neighbors
from augury.discriminative.nearest_neighbors import KNearestNeighbors


def difference(a, b, low, high):
    """WEKA's `NormalizableDistance.difference` of two values of one column."""
    gaps = [value is None or value != value for value in (a, b)]
    if isinstance(a, str) or isinstance(b, str) or low is None:
        return 1.0 if any(gaps) or a != b else 0.0
    a, b = (0.0 if high == low else (value - low) / (high - low) for value in (a, b))
    if all(gaps):
        return 1.0
    if any(gaps):
        known = b if gaps[0] else a
        return known if known >= 0.5 else 1.0 - known
    return abs(a - b)


def votes_by_the_book(training, y, rows, k, n_classes):
    ranges = []
    for name in training:
        column = training[name].dropna()
        is_number = column.dtype.kind == "f"
        ranges.append((column.min(), column.max()) if is_number else (None, None))
    shares = []
    for row in rows.itertuples(index=False):
        squared = np.array(
            [
                sum(difference(a, b, *r) ** 2 for a, b, r in zip(row, other, ranges, strict=True))
                for other in training.itertuples(index=False)
            ]
        )
        votes = np.full(n_classes, 1.0 / len(training))
        reach = np.sort(squared)[k - 1]
        np.add.at(votes, y[squared <= reach + 1e-9], 1.0)
        shares.append(votes / votes.sum())
    return np.array(shares)


def mixed(n, seed, labels=("red", "green", "blue")):
    """Numbers on a grid, so that there are ties; a sixth of the values is missing."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.integers(0, 9, n).astype(float),
            "label": rng.choice(labels, n).astype(object),
            "flat": np.full(n, 3.0),
            "mark": rng.choice(["x", "y"], n).astype(object),
        }
    )
    for name in frame:
        gaps = rng.random(n) < 1 / 6
        frame[name] = frame[name].mask(gaps, np.nan if frame[name].dtype.kind == "f" else None)
    frame.loc[:1, "size"] = [0.0, 8.0]
    return frame, rng.integers(0, 3, n)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_votes_are_those_of_ibk(k):
    X, y = mixed(60, seed=0)
    rows, _ = mixed(40, seed=1, labels=("red", "green", "pink"))  # pink was not seen
    ours = KNearestNeighbors(n_neighbors=k).fit(X, y).predict_proba(rows)
    np.testing.assert_allclose(ours, votes_by_the_book(X, y, rows, k, 3), atol=1e-12)


def test_all_rows_at_the_last_distance_vote():
    X = [["a"], ["b"], ["b"], ["b"], ["c"]]
    model = KNearestNeighbors(n_neighbors=2).fit(X, ["no", "no", "yes", "yes", "no"])
    # The three b's are at distance 0, so two of them say yes; a's second neighbour is any.
    start = 1 / 5
    shares = model.predict_proba([["b"], ["a"]])
    np.testing.assert_allclose(shares[0], [(1 + start) / 3.4, (2 + start) / 3.4])
    np.testing.assert_allclose(shares[1], [(3 + start) / 5.4, (2 + start) / 5.4])


def test_the_first_of_equal_classes_wins():
    model = KNearestNeighbors().fit([["a"], ["a"]], ["late", "early"])
    assert model.predict([["a"], ["z"]]).tolist() == ["early", "early"]


def test_a_weight_is_a_number_of_rows():
    X, y = mixed(50, seed=2)
    rows, _ = mixed(30, seed=3)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    weight[:2] = 1
    weighted = KNearestNeighbors().fit(X, y, sample_weight=weight)
    repeated = KNearestNeighbors().fit(X.iloc[np.repeat(np.arange(50), weight)], y.repeat(weight))
    np.testing.assert_allclose(weighted.predict_proba(rows), repeated.predict_proba(rows))


@pytest.mark.filterwarnings("ignore:.*sums to 1.5, less than two rows")
def test_small_weights_reach_further():
    X, y = np.arange(6.0).reshape(-1, 1), [0, 0, 0, 1, 1, 1]
    model = KNearestNeighbors(n_neighbors=1).fit(X, y, sample_weight=np.full(6, 0.25))
    # Four quarters make one neighbour: 0, 1, 2 and 3; n is 1.5.
    shares = model.predict_proba([[0.0]])
    np.testing.assert_allclose(shares, [[(0.75 + 2 / 3) / (1 + 4 / 3), (0.25 + 2 / 3) / (7 / 3)]])
    few = KNearestNeighbors(n_neighbors=9).fit(X, y, sample_weight=np.full(6, 0.25))
    np.testing.assert_allclose(few.predict_proba([[0.0]]), [[0.5, 0.5]])


def test_gaps_may_be_a_state():
    X = pd.DataFrame({"n": [0.0, 1.0, np.nan], "label": ["a", "b", None]})
    y = ["low", "high", "gap"]
    gap = pd.DataFrame({"n": [np.nan], "label": [None]})
    model = KNearestNeighbors(n_neighbors=1, missing="state").fit(X, y)
    assert model.predict(gap).tolist() == ["gap"]
    # As IBk sees it, a gap is far from all: 1 for the label, and 1, 1 and 1 for the number.
    shares = KNearestNeighbors(n_neighbors=1).fit(X, y).predict_proba(gap)
    np.testing.assert_allclose(shares, np.full((1, 3), 1 / 3))


def test_a_declared_class_without_rows_has_its_start():
    y = pd.Categorical(["a", "b"], categories=["a", "b", "c"])
    model = KNearestNeighbors(n_neighbors=1).fit([["x"], ["y"]], y)
    np.testing.assert_allclose(model.predict_proba([["x"]]), [[1.5 / 2.5, 0.5 / 2.5, 0.5 / 2.5]])


def test_order_of_columns_and_blocks_and_threads_do_not_matter(monkeypatch):
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 4, (80, 7)) / 3, rng.integers(0, 3, 80)
    rows = rng.integers(0, 4, (50, 7)) / 3
    expected = KNearestNeighbors().fit(X, y).predict_proba(rows)
    turned = KNearestNeighbors().fit(X[:, ::-1], y).predict_proba(rows[:, ::-1])
    np.testing.assert_array_equal(turned, expected)
    monkeypatch.setattr(nearest_neighbors, "_BLOCK_BYTES", 2000)
    threads = KNearestNeighbors(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(threads.predict_proba(rows), expected)


@pytest.mark.parametrize(("n_columns", "n_states"), [(300, 2), (3, 255), (3, 300)])
def test_many_columns_and_many_states(n_columns, n_states):
    rng = np.random.default_rng(5)
    X = np.vstack([np.tile(np.arange(n_states)[:, None], n_columns)] * 2)
    X[n_states:] = rng.integers(0, n_states, (n_states, n_columns))
    y = rng.integers(0, 2, len(X))
    rows = rng.integers(0, n_states + 1, (20, n_columns))
    model = KNearestNeighbors(n_neighbors=1, categorical_features="all").fit(X, y)
    differences = (rows[:, None, :] != X[None, :, :]).sum(axis=2)
    nearest = differences == differences.min(axis=1, keepdims=True)
    votes = np.column_stack([(nearest & (y == c)).sum(axis=1) for c in (0, 1)]) + 1 / len(X)
    np.testing.assert_allclose(model.predict_proba(rows), votes / votes.sum(1, keepdims=True))


def test_extreme_numbers():
    big = np.finfo(float).max
    X = np.array([[-big, np.nan], [big, np.nan], [0.0, np.nan]])
    model = KNearestNeighbors(n_neighbors=1).fit(X, [0, 1, 0])
    assert model.predict([[big / 1.1, 2.0], [-big, np.nan], [1.0, 0.0]]).tolist() == [1, 0, 0]
    tiny = KNearestNeighbors(n_neighbors=1).fit([[0.0], [1e-300]], [0, 1])
    assert tiny.predict([[1e300], [-1e300]]).tolist() == [0, 0]  # infinitely far from both


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_neighbors": 0}, ValueError, "n_neighbors must be an integer >= 1, got 0"),
        ({"n_neighbors": 2.5}, TypeError, "n_neighbors must be an integer >= 1, got 2.5"),
        ({"missing": "drop"}, ValueError, "missing must be one of"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be None or an integer other than 0"),
    ],
)
def test_errors_name_the_parameter(parameters, error, message):
    with pytest.raises(error, match=f"KNearestNeighbors: {message}"):
        KNearestNeighbors(**parameters).fit([["a"], ["b"]], [0, 1])


@pytest.mark.parametrize("labels", [False, True])
def test_many_training_rows_have_the_neighbors_of_all_distances(labels):
    """Distances by products only choose the pairs whose exact distances are computed."""
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 4, (700, 3)) / 3  # with many ties
    columns = {f"n{j}": numbers[:, j] for j in range(3)}
    if labels:
        columns["sky"] = rng.choice(["sun", "rain", "fog"], 700)
    X, y = pd.DataFrame(columns), rng.integers(0, 3, 700)
    new = X[:50].assign(n0=lambda frame: frame["n0"] + rng.choice([0.0, 0.1], 50))
    model = KNearestNeighbors(n_neighbors=4, discretizer=None).fit(X, y)
    weighted = KNearestNeighbors(n_neighbors=4, discretizer=None)
    weighted.fit(X, y, sample_weight=np.where(np.arange(700) == 0, 1 + 1e-9, 1.0))
    # Weights take the way through all distances; that of row 0 hardly differs.
    assert model.predict_proba(new) == pytest.approx(weighted.predict_proba(new), abs=1e-6)
