"""Kernels of boosted trees, against brute force in Python and with wrong arguments."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import softmax

from augury.kernels import BoostingRules, CodedRows, _native, add_tree_values, boost_trees

MISSING = 255
IS_LABEL = np.array([False, True, False, True])
RULES = BoostingRules(
    learning_rate=0.3,
    max_leaves=5,
    max_features=4,
    l2=0.7,
    label_l2=2.0,
    label_smoothing=1.5,
    min_hessian=0.4,
)


def make_rows(seed, n=80, q=2):
    rng = np.random.default_rng(seed)
    codes = np.asfortranarray(rng.integers(0, [9, 4, 30, 8], (n, 4)), dtype=np.uint8)
    codes[rng.random((n, 4)) < 0.15] = MISSING
    y = ((codes[:, 0] > 4) ^ (codes[:, 1] > 1)) + rng.integers(0, q - 1, n)
    rows = CodedRows.of(codes, IS_LABEL, y.astype(np.int32), rng.uniform(0.5, 2, n))
    inside, outside = np.split(rng.permutation(n).astype(np.int32), [3 * n // 4])
    return codes, rows, inside, outside


def boost(rows, inside, outside, q=2, rules=RULES, n_rounds=3, seed=0):
    scores, gains = np.zeros((len(rows.y), 1 if q == 2 else q)), np.zeros(4)
    trees = boost_trees(rows, inside, outside, scores, gains, rules, n_rounds=n_rounds, seed=seed)
    return trees, scores, gains


def candidates(codes, at, g, h):
    """Yield (column, function that tells which codes go left, additional l2) of all splits."""
    for j in range(codes.shape[1]):
        known = np.unique(codes[at, j][codes[at, j] != MISSING])
        has_gaps = (codes[at, j] == MISSING).any()
        if not IS_LABEL[j]:
            for cut in known:
                for gaps_left in (False, True) if has_gaps else (None,):
                    yield j, {int(k) for k in known if k <= cut}, gaps_left, 0.0
            continue
        states = np.unique(codes[at, j])

        def ratio(code, j=j):
            chosen = at[codes[at, j] == code]
            return g[chosen].sum() / (h[chosen].sum() + RULES.label_smoothing)

        ordered = sorted(states.tolist(), key=ratio)
        extra = RULES.label_l2 if len(ordered) > 4 else 0.0
        for k in range(1, len(ordered)):
            left = set(ordered[:k])
            yield j, left - {MISSING}, (MISSING in left) if has_gaps else None, extra


def best_split(codes, at, g, h):
    """Return the gain of the best split of a leaf, and which of its rows go left."""

    def score(chosen, l2):
        return g[chosen].sum() ** 2 / (h[chosen].sum() + l2)

    best = 0.0, None, None
    for j, left, gaps_left, extra in candidates(codes, at, g, h):
        goes = np.array([gaps_left if c == MISSING else int(c) in left for c in codes[at, j]], bool)
        a, b = at[goes], at[~goes]
        if min(h[a].sum(), h[b].sum()) < RULES.min_hessian:
            continue
        l2 = RULES.l2 + extra
        gain = score(a, l2) + score(b, l2) - score(at, RULES.l2)
        if gain > best[0] + 1e-9:
            best = gain, (a, b), j
    return best


def boosted_by_hand(codes, y, weight, inside, q, n_rounds):
    """Return the scores of the rows inside, and the gains of the columns."""
    n, k = len(y), 1 if q == 2 else q
    scores, gains = np.zeros((n, k)), np.zeros(4)
    for _ in range(n_rounds):
        two = np.column_stack([np.zeros(n), scores]) if k == 1 else scores
        p = softmax(two, axis=1)
        for c in range(k):
            of = p[:, 1] if k == 1 else p[:, c]
            g = weight * (of - (y == (1 if k == 1 else c)))
            h = weight * of * (1 - of) * (1 if k == 1 else q / (q - 1))
            leaves = [inside]
            while len(leaves) < RULES.max_leaves:
                splits = [best_split(codes, at, g, h) for at in leaves]
                i = int(np.argmax([gain for gain, _, _ in splits]))
                gain, sides, column = splits[i]
                if sides is None:
                    break
                gains[column] += gain
                leaves[i : i + 1] = sides
            for at in leaves:
                step = g[at].sum() / (h[at].sum() + RULES.l2)
                scores[at, c] -= RULES.learning_rate * step
    return scores, gains


@pytest.mark.parametrize("q", [2, 3, 10])
@pytest.mark.parametrize("seed", range(3))
def test_trees_are_those_of_a_search_of_all_splits(seed, q):
    codes, rows, inside, outside = make_rows(seed, q=q)
    _, scores, gains = boost(rows, inside, outside, q)
    expected, expected_gains = boosted_by_hand(codes, rows.y, rows.weight, inside, q, 3)
    np.testing.assert_allclose(scores[inside], expected[inside], atol=1e-6)
    np.testing.assert_allclose(gains, expected_gains, rtol=1e-5)


@pytest.mark.parametrize(("q", "max_leaves"), [(2, 5), (3, 30), (10, 2), (4, 90)])
def test_values_of_rows_are_the_scores_of_the_growth(q, max_leaves):
    codes, rows, inside, outside = make_rows(7, n=900, q=q)
    rules = replace(RULES, max_leaves=max_leaves, min_hessian=1e-3, l2=0.01)
    trees, scores, _ = boost(rows, inside, outside, q, rules, n_rounds=6)
    roots = np.concatenate([[0], trees.ends])
    # Few rows go down the trees, and many are tested by all splits of small trees.
    for n_rows, n_threads in ((900, 1), (900, 3), (7, 1)):
        found = np.zeros_like(scores[:n_rows])
        some = np.asfortranarray(codes[:n_rows])
        add_tree_values(
            some, trees.nodes, roots, trees.values, trees.bits, found, n_threads=n_threads
        )
        np.testing.assert_array_equal(found, scores[:n_rows])
    assert len(trees.bits) > 0
    assert len(trees.ends) == 6 * scores.shape[1]
    assert (np.diff(roots).max() > 63) == (max_leaves > 32)


def test_sums_of_many_codes_are_not_shared_by_classes():
    """Sums of a group of classes beyond a megabyte are filled for each class."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 250, (600, 100))
    constant = np.full((600, 40), 250)  # columns of 251 codes that no split can use
    y = (codes[:, 3] // 90).astype(np.int32)
    all_rows, scores = np.arange(600, dtype=np.int32), []
    for each in (codes, np.hstack([codes, constant])):
        n = each.shape[1]
        coded = np.asfortranarray(each, dtype=np.uint8)
        rows = CodedRows.of(coded, np.zeros(n, dtype=bool), y, np.ones(600))
        rules = replace(RULES, max_features=n)
        of_rows = np.zeros((600, 3))
        boost_trees(rows, all_rows, all_rows[:0], of_rows, np.zeros(n), rules, n_rounds=3, seed=0)
        scores.append(of_rows)
    np.testing.assert_array_equal(*scores)
    assert scores[0].any()


def test_rounds_may_be_grown_in_several_calls():
    _, rows, inside, outside = make_rows(1)
    _, scores, gains = boost(rows, inside, outside, n_rounds=4)
    again, sums = np.zeros_like(scores), np.zeros(4)
    for _ in range(2):
        boost_trees(rows, inside, outside, again, sums, RULES, n_rounds=2, seed=0)
    np.testing.assert_array_equal(again, scores)
    np.testing.assert_allclose(sums, gains)


def test_the_order_of_the_rows_changes_nothing_but_the_last_digit():
    _, rows, inside, outside = make_rows(3, n=400)
    _, scores, _ = boost(rows, inside, outside)
    _, turned, _ = boost(rows, inside[::-1].copy(), outside)
    np.testing.assert_allclose(turned, scores, atol=1e-6)


def test_a_tree_uses_so_many_columns():
    _, rows, inside, outside = make_rows(2, n=300)
    trees, _, _ = boost(rows, inside, outside, rules=replace(RULES, max_features=1), n_rounds=40)
    columns = [set(part[part >= 0].tolist()) for part in np.split(trees.nodes[:, 0], trees.ends)]
    assert all(len(each) <= 1 for each in columns)
    assert set.union(*columns) == {0, 1, 2, 3}


def test_a_cut_is_in_the_middle_of_the_codes_that_are_not_there():
    codes = np.repeat(np.array([[10], [20]], dtype=np.uint8), 20, axis=0)
    y = np.repeat(np.array([0, 1], dtype=np.int32), 20)
    rows = CodedRows.of(codes, np.array([False]), y, np.ones(40))
    rules = replace(RULES, max_features=1)
    scores, all_rows = np.zeros((40, 1)), np.arange(40, dtype=np.int32)
    trees = boost_trees(
        rows, all_rows, all_rows[:0], scores, np.zeros(1), rules, n_rounds=1, seed=0
    )
    assert trees.nodes[0, 1] & 255 == 14


def test_no_rows_give_trees_of_nothing():
    _, rows, inside, _ = make_rows(2)
    trees, scores, _ = boost(rows, inside[:0], inside)
    assert (trees.nodes[:, 0] == -1).all()
    assert (scores == 0).all()


# ---- wrong arguments -------------------------------------------------------------------------

NAMES = (
    "codes offsets is_label y weight rows n_inside scores n_rounds max_leaves max_features "
    "learning_rate l2 label_l2 label_smoothing min_hessian seed nodes values bits ends gains"
).split()


def arguments():
    _, rows, inside, outside = make_rows(0)
    values = [
        rows.codes, rows.offsets, rows.is_label.view(np.uint8), rows.y, rows.weight,
        np.concatenate([inside, outside]), len(inside), np.zeros((80, 1)), 2, 5, 4, 0.1, 1.0, 1.0,
        1.0, 0.1, 0, np.zeros((18, 3), np.int32), np.zeros(10, np.float32),
        np.zeros((8, 8), np.int32), np.zeros(2, np.int64), np.zeros(4),
    ]  # fmt: skip
    return dict(zip(NAMES, values, strict=True))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("codes", np.full((80, 4), 200, np.uint8)),
        ("codes", np.zeros((79, 4), np.uint8)),
        ("codes", np.zeros((80, 4), np.uint16)),
        ("codes", np.zeros((80, 0), np.uint8)),
        ("offsets", np.array([0, 5, 4, 9, 12])),
        ("offsets", np.array([0, 300, 600, 900, 1200])),
        ("offsets", np.array([0, 1])),
        ("is_label", np.zeros(3, np.uint8)),
        ("y", np.full(80, 2, np.int32)),
        ("y", np.full(80, -1, np.int32)),
        ("y", np.zeros(79, np.int32)),
        ("weight", np.zeros(80)),
        ("weight", np.full(80, np.nan)),
        ("weight", np.ones(81)),
        ("rows", np.full(80, 80, np.int32)),
        ("rows", np.full(80, -1, np.int32)),
        ("rows", np.zeros(81, np.int32)),
        ("n_inside", 81),
        ("n_inside", -1),
        ("scores", np.zeros((80, 2))),
        ("scores", np.zeros((80, 0))),
        ("scores", np.zeros((79, 1))),
        ("n_rounds", 3),
        ("n_rounds", -1),
        ("max_leaves", 1),
        ("max_leaves", 6),
        ("max_leaves", 5000),
        ("max_features", 0),
        ("max_features", 5),
        ("learning_rate", 0.0),
        ("l2", -1.0),
        ("l2", np.nan),
        ("label_l2", -1.0),
        ("label_smoothing", 0.0),
        ("min_hessian", 0.0),
        ("nodes", np.zeros((17, 3), np.int32)),
        ("nodes", np.zeros((18, 2), np.int32)),
        ("values", np.zeros(9, np.float32)),
        ("bits", np.zeros((7, 8), np.int32)),
        ("bits", np.zeros((8, 7), np.int32)),
        ("ends", np.zeros(3, np.int64)),
        ("gains", np.zeros(3)),
    ],
)
def test_wrong_arguments_of_the_growth_are_refused(name, value):
    right = arguments()
    _native.boost_trees(*right.values())
    with pytest.raises(ValueError, match=r"boost_trees|must be"):
        _native.boost_trees(*(right | {name: value}).values())


def change(array, at, value):
    array = array.copy()
    array[at] = value
    return array


LABELS = 1 << 29


@pytest.mark.parametrize(
    ("place", "changed"),
    [
        (0, lambda codes: codes.astype(np.uint16)),
        (0, lambda codes: np.asfortranarray(codes[:, :0])),
        (1, lambda nodes: change(nodes, (0, 0), 4)),  # a column outside
        (1, lambda nodes: change(nodes, (0, 2), 0)),  # a child that is its parent
        (1, lambda nodes: change(nodes, (0, 2), len(nodes))),
        (1, lambda nodes: change(nodes, (0, 1), -1)),
        (1, lambda nodes: change(nodes, (0, 1), LABELS | 9999)),  # no such row of bits
        (1, lambda nodes: change(nodes, (-1, 2), 9999)),  # no such leaf
        (1, lambda nodes: nodes[:, :2].copy()),
        (2, lambda bits: bits[:, :7].copy()),
        (3, lambda roots: roots[::-1].copy()),
        (3, lambda roots: roots + 1),
        (3, lambda roots: roots - 1),
        (4, lambda values: values[:1].copy()),
        (4, lambda values: values.astype(float)),
        (5, lambda out: out[:9].copy()),
        (6, lambda start: -1),
        (7, lambda stop: stop + 1),
    ],
)
def test_wrong_arguments_of_the_values_are_refused(place, changed):
    codes, rows, inside, outside = make_rows(0)
    trees, scores, _ = boost(rows, inside, outside)
    roots = np.concatenate([[0], trees.ends])
    right = [codes, trees.nodes, trees.bits, roots, trees.values, scores, 0, len(codes)]
    _native.add_tree_values(*right)
    right[place] = changed(right[place])
    with pytest.raises(ValueError, match=r"add_tree_values|must be"):
        _native.add_tree_values(*right)
