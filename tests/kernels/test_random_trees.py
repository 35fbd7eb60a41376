"""Kernels of randomised trees, against brute force in Python and with wrong arguments."""

import numpy as np
import pytest

from augury.kernels import (
    GrownTree,
    _native,
    add_leaf_shares,
    grow_random_tree,
    smooth_leaves,
)

GAPS_GO_LEFT, SPLITS_LABELS, HAS_BITS = 1 << 30, 1 << 29, 1 << 28
GRID = np.array([0.5, 2.0])
MASK = (1 << 64) - 1


def mix_bits(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def goes_left(code, missing, test):
    value = test & (HAS_BITS - 1)
    if code == missing:
        return bool(test & GAPS_GO_LEFT)
    if test & HAS_BITS:
        return bool(value >> code % 32 & 1)
    if test & SPLITS_LABELS:
        return bool(mix_bits(((code + 1) * 0x9E3779B97F4A7C15 & MASK) ^ (value << 20)) & 1)
    return code <= value


def walk(nodes, row, missing):
    """Return the nodes on the way of a row to its leaf."""
    at, path = 0, [0]
    while nodes[at, 0] >= 0:
        column, test, right = nodes[at].tolist()
        at = at + 1 if goes_left(int(row[column]), missing, test) else right
        path.append(at)
    return path


def smoothed(paths, weights, y, path, prior, s):
    """Return the class probabilities of the last node of a path."""
    p = prior
    for node in path:
        counts = np.zeros(len(prior))
        for other, weight, label in zip(paths, weights, y, strict=True):
            counts[label] += weight * (node in other)
        p = (counts + s * p) / (counts.sum() + s)
    return p


def make_rows(seed, n=60, dtype=np.uint8, q=3, n_codes=6):
    rng = np.random.default_rng(seed)
    codes = np.asfortranarray(rng.integers(0, n_codes, (n, 4)), dtype=dtype)
    codes[rng.random((n, 4)) < 0.15] = np.iinfo(dtype).max
    y = rng.integers(0, q, n).astype(np.int32)
    rows, outside = np.split(rng.permutation(n).astype(np.int32), [2 * n // 3])
    return codes, y, rows, rng.integers(1, 4, len(rows)).astype(float), outside


IS_LABEL = np.array([False, True, False, True])
PRIOR = np.array([0.5, 0.3, 0.2])


def grow(codes, y, rows, weight, outside, prior=PRIOR, **changed):
    rules = {"seed": 3, "max_features": 2, "n_cuts": 3, "min_leaf": 1.0} | changed
    return grow_random_tree(
        codes, IS_LABEL[: codes.shape[1]], y, rows, weight, outside, GRID, prior, **rules
    )


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_codes", [6, 40, 90])  # labels with a bit each, and larger ones
def test_rows_and_probabilities_of_a_tree_equal_those_of_a_walk(seed, dtype, n_codes):
    codes, y, rows, weight, outside = make_rows(seed, dtype=dtype, n_codes=n_codes)
    missing = np.iinfo(dtype).max
    tree = grow(codes, y, rows, weight, outside, seed=seed)
    paths = [walk(tree.nodes, codes[row], missing) for row in rows]
    # The rows of each leaf, in the order of the leaves: number, classes and weights.
    leaves = np.flatnonzero(tree.nodes[:, 0] < 0)
    np.testing.assert_array_equal(tree.nodes[leaves, 2], np.arange(tree.n_leaves))
    of_leaf = np.searchsorted(leaves, [path[-1] for path in paths])
    np.testing.assert_array_equal(tree.nodes[leaves, 1], np.bincount(of_leaf))
    order = np.argsort(of_leaf, kind="stable")
    np.testing.assert_array_equal(tree.labels, y[rows][order])
    np.testing.assert_array_equal(tree.weight, weight[order])
    # The probability of the class of each row out of the bag, and all of each leaf.
    for g, s in enumerate(GRID):
        values, _, _ = smooth_leaves(tree, PRIOR, s)
        for k, row in enumerate(outside):
            path = walk(tree.nodes, codes[row], missing)
            p = smoothed(paths, weight, y[rows], path, PRIOR, s)
            np.testing.assert_allclose(tree.path[k, g], p[y[row]])
            assert tree.leaf[k] == tree.nodes[path[-1], 2]
            np.testing.assert_allclose(values[tree.leaf[k]], p, rtol=1e-6)


def purity(branch, y, weight):
    sides = [np.bincount(y[branch == side], weight[branch == side], 3) for side in (False, True)]
    return sum(c @ c / c.sum() for c in sides)


def test_the_root_takes_the_best_of_all_cuts_if_all_are_tried():
    codes, y, rows, weight, outside = make_rows(5)
    codes[codes == 255] = 6  # no missing values
    for seed in range(5):
        tree = grow_random_tree(
            codes, np.zeros(4, bool), y, rows, weight, outside, GRID, PRIOR,
            seed=seed, max_features=4, n_cuts=8, min_leaf=1.0,
        )  # fmt: skip
        column, test, _ = tree.nodes[0].tolist()
        found = purity(codes[rows, column] <= (test & (HAS_BITS - 1)), y[rows], weight)
        cuts = [
            purity(codes[rows, j] <= cut, y[rows], weight)
            for j in range(4)
            for cut in range(codes[rows, j].min(), codes[rows, j].max())
        ]
        assert found == pytest.approx(max(cuts))


def test_gains_are_the_decrease_of_the_impurity():
    codes, y, rows, weight, outside = make_rows(2)
    tree = grow(codes, y, rows, weight, outside)
    leaves = np.flatnonzero(tree.nodes[:, 0] < 0)
    of_leaf = np.repeat(np.arange(len(leaves)), tree.nodes[leaves, 1])
    counts = np.zeros((len(leaves), 3))
    np.add.at(counts, (of_leaf, tree.labels), tree.weight)
    root = counts.sum(axis=0)
    after = (counts**2).sum(axis=1) / counts.sum(axis=1)
    assert tree.gains.sum() == pytest.approx(after.sum() - root @ root / root.sum())


def test_leaves_have_the_least_weight_or_one_class():
    codes, y, rows, weight, outside = make_rows(4)
    tree = grow(codes, y, rows, weight, outside, min_leaf=5.0)
    leaves = np.flatnonzero(tree.nodes[:, 0] < 0)
    of_leaf = np.repeat(np.arange(len(leaves)), tree.nodes[leaves, 1])
    assert len(leaves) > 2
    assert (np.bincount(of_leaf, tree.weight) >= 5).all()


def test_a_fixed_tree():
    """The numbers of this version; they must be the same on every machine."""
    codes, y, rows, weight, outside = make_rows(1, n=12)
    tree = grow(codes, y, rows, weight, outside)
    assert tree.nodes.tolist() == FIXED


FIXED = [
    [0, 0, 4],
    [1, 2093498662, 3],
    [-1, 1, 0],
    [-1, 1, 1],
    [0, 4, 8],
    [1, 2073557624, 7],
    [-1, 2, 2],
    [-1, 2, 3],
    [-1, 2, 4],
]


def test_missing_values_are_split_from_the_others():
    codes = np.array([[7], [7], [255], [255]], dtype=np.uint8, order="F")
    y, rows = np.array([0, 0, 1, 1], np.int32), np.arange(4, dtype=np.int32)
    for is_label in (False, True):
        tree = grow_random_tree(
            codes, np.array([is_label]), y, rows, np.ones(4), rows[:0], GRID, PRIOR,
            seed=1, max_features=1, n_cuts=1, min_leaf=1.0,
        )  # fmt: skip
        assert tree.n_leaves == 2
        assert len({walk(tree.nodes, row, 255)[-1] for row in codes[1:3]}) == 2


def test_a_column_without_values_is_constant():
    codes = np.full((3, 1), 255, dtype=np.uint8, order="F")
    rows = np.arange(3, dtype=np.int32)
    tree = grow(codes, np.array([0, 1, 2], np.int32), rows, np.ones(3), rows[:0])
    assert tree.nodes.tolist() == [[-1, 3, 0]]


@pytest.mark.parametrize("n_listed", [None, 3, 12])
def test_listed_probabilities_are_those_of_all_classes(n_listed):
    """With room for all classes of a node, nothing is lost; else the largest are kept."""
    prior = np.full(12, 1 / 12)
    codes, y, rows, weight, outside = make_rows(3, q=12)
    tree = grow(codes, y, rows, weight, outside, prior=prior)
    full, _, _ = smooth_leaves(tree, prior, 1.0)
    values, classes, rest = smooth_leaves(tree, prior, 1.0, n_listed)
    if n_listed is None:
        np.testing.assert_allclose(values.sum(axis=1), 1, rtol=1e-6)
        return
    joined = np.repeat(rest[:, None] * prior, 1, axis=1).astype(float)
    for leaf in range(tree.n_leaves):
        np.add.at(joined[leaf], classes[leaf], values[leaf])
    np.testing.assert_allclose(joined.sum(axis=1), 1, rtol=1e-6)
    if n_listed == 12:
        np.testing.assert_allclose(joined, full, rtol=1e-5)
    else:
        np.testing.assert_array_equal(joined.argmax(axis=1), full.argmax(axis=1))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("n_listed", [None, 2])
def test_shares_of_rows_are_those_of_their_leaves(dtype, n_listed):
    codes, y, rows, weight, outside = make_rows(6, n=3000, dtype=dtype)
    trees = [grow(codes, y, rows, weight, outside, seed=seed) for seed in range(3)]
    leaves = [smooth_leaves(tree, PRIOR, 1.0, n_listed) for tree in trees]
    first, nodes = 0, []
    for tree in trees:
        of_tree = tree.nodes.copy()
        of_tree[of_tree[:, 0] < 0, 2] += first
        first += tree.n_leaves
        nodes.append(of_tree)
    parts = zip(*leaves, strict=True)
    joined = tuple(None if part[0] is None else np.concatenate(part) for part in parts)
    roots = np.cumsum([0, *map(len, nodes)])
    share = np.random.default_rng(0).random(len(y))
    expected = np.zeros((len(y), 3))
    for tree, (values, classes, rest) in zip(trees, leaves, strict=True):
        for i, row in enumerate(codes):
            leaf = tree.nodes[walk(tree.nodes, row, np.iinfo(dtype).max)[-1], 2]
            if classes is None:
                expected[i] += share[i] * values[leaf]
            else:
                np.add.at(expected[i], classes[leaf], share[i] * values[leaf])
                expected[i] += share[i] * rest[leaf] * PRIOR
    results = []
    for n_threads in (1, 2):
        out = np.zeros((len(y), 3))
        add_leaf_shares(
            codes, np.concatenate(nodes), roots, joined, PRIOR, out,
            share=share, n_threads=n_threads,
        )  # fmt: skip
        results.append(out)
    np.testing.assert_allclose(results[0], expected, rtol=1e-12)
    np.testing.assert_array_equal(*results)


def leaves_of(codes, nodes, n_leaves):
    """Return the leaf of each row: each leaf has a class of its own."""
    leaves = (np.eye(n_leaves, dtype=np.float32), None, None)
    out = np.zeros((len(codes), n_leaves))
    add_leaf_shares(codes, nodes, np.array([0, len(nodes)]), leaves, np.zeros(n_leaves), out)
    assert (out.sum(axis=1) == 1).all()
    return out.argmax(axis=1)


@pytest.mark.parametrize("n_codes", [2, 6, 28, 40, 200])  # 1 to 32 labels with a bit each, and more
@pytest.mark.parametrize("n", [3, 9, 60, 150, 400, 700])  # leaves of one byte of bits, of many
def test_many_rows_reach_the_leaves_of_a_walk(n, n_codes):
    codes, y, rows, weight, outside = make_rows(n, n=n, n_codes=n_codes)
    tree = grow(codes, y, rows, weight, outside)
    unseen = make_rows(n + 1, n=1300, n_codes=n_codes + 3)[0]
    walked = [tree.nodes[walk(tree.nodes, row, 255)[-1], 2] for row in unseen]
    for n_rows in (63, 64, 65, 128, 600, 1300):
        some = np.asfortranarray(unseen[:n_rows])
        found = leaves_of(some, tree.nodes, tree.n_leaves)
        np.testing.assert_array_equal(found, walked[:n_rows])


CODES = np.array([[0], [1], [0]], dtype=np.uint8, order="F")
Y, ROWS = np.array([0, 1, 1], np.int32), np.array([0, 1], np.int32)
HALF = np.array([0.5, 0.5])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"codes": CODES.astype(np.uint32)}, "uint8 or uint16"),
        ({"is_label": np.zeros(2, np.uint8)}, "shapes"),
        ({"y": Y[:2]}, "shapes"),
        ({"y": Y + 1}, "rows or labels"),
        ({"y": Y - 1}, "rows or labels"),
        ({"rows": ROWS + 2}, "rows or labels"),
        ({"rows": ROWS - 1}, "rows or labels"),
        ({"rows": ROWS[:0], "weight": np.ones(0), "labels": Y[:0].copy()}, "shapes"),
        ({"weight": np.ones(3)}, "shapes"),
        ({"weight": np.array([1.0, 0.0])}, "weights"),
        ({"weight": np.array([1.0, np.nan])}, "weights"),
        ({"outside": np.array([3], np.int32)}, "rows or labels"),
        ({"outside": ROWS}, "shapes"),
        ({"grid": np.ones(17)}, "shapes"),
        ({"max_features": 0}, "parameters"),
        ({"n_cuts": 65}, "parameters"),
        ({"min_leaf": 0.0}, "parameters"),
        ({"nodes": np.zeros((2, 3), np.int32)}, "shapes"),
        ({"nodes": np.zeros((3, 2), np.int32)}, "shapes"),
        ({"labels": np.zeros(1, np.int32)}, "shapes"),
        ({"path": np.zeros((1, 2))}, "shapes"),
        ({"leaf": np.zeros(2, np.int32)}, "shapes"),
        ({"importance": np.zeros(2)}, "shapes"),
    ],
)
def test_wrong_arguments_of_growth_raise(wrong, message):
    given = {
        "codes": CODES, "is_label": np.zeros(1, np.uint8), "y": Y, "rows": ROWS,
        "weight": np.ones(2), "outside": np.array([2], np.int32), "grid": np.ones(1),
        "prior": HALF, "seed": 1, "max_features": 1, "n_cuts": 1, "min_leaf": 1.0,
        "nodes": np.zeros((3, 3), np.int32), "labels": np.zeros(2, np.int32),
        "path": np.zeros((1, 1)), "leaf": np.zeros(1, np.int32), "importance": np.zeros(1),
    }  # fmt: skip
    assert _native.grow_random_tree(*given.values()) == (3, 2)
    with pytest.raises(ValueError, match=message):
        _native.grow_random_tree(*(given | wrong).values())


STUMP = np.array([[0, 0, 2], [-1, 1, 0], [-1, 1, 1]], np.int32)
NOT_TREES = [
    [[0, 0, 3], [-1, 1, 0], [-1, 1, 1]],  # a child outside
    [[0, 0, 1], [-1, 1, 0], [-1, 1, 1]],  # both children the same
    [[0, 0, 0], [-1, 1, 0], [-1, 1, 1]],  # its own child
    [[0, 0, -2], [-1, 1, 0], [-1, 1, 1]],
    [[0, 0, 2], [-1, 1, 0], [-1, 1, 2]],  # a leaf outside
    [[0, 0, 2], [-1, 1, 0], [-1, 1, -1]],
    [[0, 0, 2], [-1, 1, 0], [0, 1, 1]],  # the last node is not a leaf
]


@pytest.mark.parametrize("nodes", [*NOT_TREES, [[0, 0, 2], [-1, 2, 0], [-1, 1, 1]]])
def test_leaves_of_what_is_no_tree_are_not_smoothed(nodes):
    none = np.zeros((0, 1)), np.zeros(0, np.int32), np.zeros(1)
    tree = GrownTree(STUMP, 2, Y[:2], np.ones(2), *none)
    smooth_leaves(tree, HALF, 1.0)
    wrong = GrownTree(np.array(nodes, np.int32), 2, Y[:2], np.ones(2), *none)
    with pytest.raises(ValueError, match="must be a tree"):
        smooth_leaves(wrong, HALF, 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"labels": Y[:1]},
        {"labels": Y[:2] + 1},
        {"weight": np.ones(3)},
        {"s": 0.0},
        {"values": np.zeros((2, 3), np.float32)},
        {"classes": np.zeros((2, 2), np.int32)},  # without rest
        {"rest": np.zeros(2, np.float32)},  # without classes
        {"classes": np.zeros((2, 1), np.int32), "rest": np.zeros(2, np.float32)},
    ],
)
def test_wrong_arguments_of_smoothing_raise(wrong):
    given = {
        "nodes": STUMP, "labels": Y[:2], "weight": np.ones(2), "prior": HALF, "s": 1.0,
        "values": np.zeros((2, 2), np.float32), "classes": None, "rest": None,
    }  # fmt: skip
    _native.smooth_leaves(*given.values())
    with pytest.raises(ValueError, match="do not fit"):
        _native.smooth_leaves(*(given | wrong).values())


SHARES = {
    "codes": CODES, "nodes": STUMP, "roots": np.array([0, 3]),
    "values": np.full((2, 2), 0.5, np.float32), "classes": None, "rest": None, "prior": HALF,
    "share": None, "out": np.zeros((3, 2)), "start": 0, "stop": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"roots": np.array([0, 4])}, "do not fit"),
        ({"roots": np.array([-1, 3])}, "do not fit"),
        ({"roots": np.array([0, 0])}, "do not fit"),
        ({"values": np.zeros((2, 3), np.float32)}, "do not fit"),
        ({"values": np.zeros((2, 2))}, "float32"),
        ({"classes": np.zeros((2, 2), np.int32)}, "do not fit"),
        ({"rest": np.zeros(2, np.float32)}, "do not fit"),
        ({"prior": np.ones(3)}, "do not fit"),
        ({"share": np.ones(2)}, "do not fit"),
        ({"out": np.zeros((2, 2))}, "do not fit"),
        ({"stop": 4}, "do not fit"),
        ({"start": -1}, "do not fit"),
        *(({"nodes": np.array(nodes, np.int32)}, "must be trees") for nodes in NOT_TREES),
        ({"nodes": STUMP + np.array([1, 0, 0], np.int32)}, "must be trees"),  # a column outside
    ],
)
def test_wrong_arguments_of_predictions_raise(wrong, message):
    _native.add_leaf_shares(*SHARES.values())
    with pytest.raises(ValueError, match=message):
        _native.add_leaf_shares(*(SHARES | wrong).values())


@pytest.mark.parametrize("nodes", NOT_TREES)
def test_many_rows_of_what_is_no_tree_are_refused(nodes):
    codes = np.asfortranarray(np.arange(200, dtype=np.uint8)[:, None] % 2)
    many = {"codes": codes, "out": np.zeros((200, 2)), "stop": 200}
    _native.add_leaf_shares(*(SHARES | many).values())
    with pytest.raises(ValueError, match="must be trees"):
        _native.add_leaf_shares(*(SHARES | many | {"nodes": np.array(nodes, np.int32)}).values())


def test_a_listed_class_outside_is_not_used():
    classes = np.array([[0, 9], [-1, 1]], np.int32)
    out = np.zeros((3, 2))
    listed = {"classes": classes, "rest": np.zeros(2, np.float32), "out": out}
    _native.add_leaf_shares(*(SHARES | listed).values())
    assert out.tolist() == [[0.5, 0.0], [0.0, 0.5], [0.5, 0.0]]
