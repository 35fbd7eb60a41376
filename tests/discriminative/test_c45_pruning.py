"""Expected errors, collapsing and pruning by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, norm

from augury.discriminative import C45Tree
from augury.kernels import expected_errors


def added(n, errors, confidence=0.25):
    """Errors that are expected in addition to those of n rows; the largest class has the rest."""
    most = n - errors
    others = [min(most, errors - k * most) for k in range(int(np.ceil(errors / most)))]
    table = np.array([[most, *others]], dtype=float)
    return float(expected_errors(table, confidence, norm.ppf(1 - confidence))[0]) - errors


@pytest.mark.parametrize(("n", "limit"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_limits_that_quinlan_prints(n, limit):
    assert added(n, 0) / n == pytest.approx(limit, abs=1e-3)  # Quinlan 1993, p. 41 f.


def test_without_an_error_the_limit_is_exact():
    n = 14
    assert binom.pmf(0, n, added(n, 0, 0.1) / n) == pytest.approx(0.1)


def test_an_upper_limit_by_hand():
    # n = 16, e = 1: f = 1.5/16; z = 0.6744898.
    n, f, z = 16, 1.5 / 16, 0.6744897501960817
    root = np.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    assert added(16, 1) == pytest.approx(n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n) - 1)
    # Quinlan 1993, p. 41, has 0.157 of 16 by the exact limit; this one is an approximation.
    assert (1 + added(16, 1)) / 16 == pytest.approx(0.157, abs=3e-3)


def test_between_none_and_one_and_near_all_it_is_interpolated():
    assert added(10, 0.25) == pytest.approx(added(10, 0) + 0.25 * (added(10, 1) - added(10, 0)))
    assert added(10, 9.5) == pytest.approx(0.5)
    assert added(10, 9.9) == pytest.approx(0.1)
    assert added(1.2, 1) == pytest.approx(0.2)


def test_less_confidence_expects_more_errors():
    limits = [added(20, 3, confidence) for confidence in (0.5, 0.25, 0.1, 0.01)]
    assert limits == sorted(limits)
    assert added(20, 3, 0.5) == pytest.approx(0.5)  # the continuity correction alone


def frame(**columns):
    return pd.DataFrame({name: list(values) for name, values in columns.items()})


# Branch a: 5 of p, 1 of q; branch b: 4 of p, 2 of q. Both say p, and err as often as one leaf.
X = frame(x="aaaaaabbbbbb")
Y = list("pppppqppppqq")


def test_branches_that_err_as_often_are_collapsed():
    assert C45Tree(prune=False, collapse=False).fit(X, Y).n_leaves_ == 2
    assert C45Tree(prune=False).fit(X, Y).to_text() == ": p (12.0/3.0)"


def repeated(counts):
    """Rows of (x0, x1, class), each as often as it is counted."""
    rows = [row for row, count in counts.items() for _ in range(count)]
    return frame(x0=[r[0] for r in rows], x1=[r[1] for r in rows]), [r[2] for r in rows]


def test_a_split_that_is_not_worth_its_errors_is_pruned():
    # a: 5 p, 3 q; b: 1 p, 2 q. The tree makes 4 errors, a leaf 5; the limits decide.
    x, y = frame(x="aaaaaaaabbb"), list("pppppqqqpqq")
    for confidence, n_leaves in ((0.5, 2), (0.1, 1)):
        as_tree = 3 + added(8, 3, confidence) + 1 + added(3, 1, confidence)
        as_leaf = 5 + added(11, 5, confidence)
        assert (as_leaf > as_tree + 0.1) == (n_leaves == 2)
        assert C45Tree(confidence=confidence).fit(x, y).n_leaves_ == n_leaves
    assert C45Tree(prune=False).fit(x, y).n_leaves_ == 2


RAISED = {"aup": 5, "auq": 2, "avp": 1, "avq": 4, "bup": 2, "bvp": 1}


def test_a_node_is_replaced_by_its_largest_branch():
    X, y = repeated(RAISED)
    # As grown: below a the column x1, 2 + 1 errors; b is pure. All rows sent down the
    # branch a make 2 + 2 errors, but in two leaves instead of three.
    as_tree = 2 + added(7, 2) + 1 + added(5, 1) + added(3, 0)
    as_branch = 2 + added(9, 2) + 2 + added(6, 2)
    as_leaf = 6 + added(15, 6)
    assert as_branch <= as_tree + 0.1 < as_leaf
    tree = C45Tree().fit(X, y)
    assert tree.to_text() == "x1 = u: p (9.0/2.0)\nx1 = v: q (6.0/2.0)"
    assert (
        C45Tree(subtree_raising=False).fit(X, y).to_text()
        == C45Tree(prune=False).fit(X, y).to_text()
        == "x0 = a\n|   x1 = u: p (7.0/2.0)\n|   x1 = v: q (5.0/1.0)\nx0 = b: p (3.0)"
    )


def test_rows_with_gaps_are_dealt_out_anew_when_a_branch_is_raised():
    X, y = repeated(RAISED)
    X.loc[(X["x0"] == "b") & (X["x1"] == "v"), "x1"] = None
    tree = C45Tree().fit(X, y)
    # The row without x1 goes down both branches, 9/14 and 5/14 of it.
    np.testing.assert_allclose(
        [branch.class_weights for branch in tree.tree_.branches],
        [[7 + 9 / 14, 2], [1 + 5 / 14, 4]],
    )
