"""C4.5 against scikit-learn's decision tree: whole fits, with leaves of at least two rows.

The trees differ: a split of C4.5 on a column of labels has a branch for each label, and the tree is
pruned. A split of scikit-learn has two branches, and the tree is not pruned. Classes that are noise
give the largest trees. One thread, processor time.

`python -m benchmarks decision_trees`
"""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from augury.discriminative import C45Tree
from benchmarks.timing import in_turn, peak_megabytes, report


def compare(label, X, y, categorical):
    ours = C45Tree(categorical_features=categorical)
    unpruned = C45Tree(categorical_features=categorical, prune=False, collapse=False)
    peer = DecisionTreeClassifier(min_samples_leaf=2, criterion="entropy", random_state=0)
    works = [lambda m=model: m.fit(X, y) for model in (ours, unpruned, peer)]
    pruned_seconds, seconds, theirs = in_turn(works, 5)
    report(f"{label}: scikit-learn, {peer.tree_.node_count} nodes", theirs, "s")
    report(f"{label}: C4.5, {ours.n_nodes_} nodes", pruned_seconds, "s")
    report("  times as fast", theirs / pruned_seconds, "x", "target: >= 1")
    report(f"{label}: C4.5, not pruned, {unpruned.n_nodes_} nodes", seconds, "s")
    report("  times as fast", theirs / seconds, "x")
    report("  memory relative to the table", peak_megabytes(works[0]) / (X.nbytes / 1e6), "x")


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10_000, 30))
    compare("10,000 x 30 numbers", X, (X[:, :3].sum(1) + rng.normal(size=len(X)) > 0), None)
    compare("  the same, classes are noise", X, rng.integers(0, 2, len(X)), None)
    X = rng.integers(0, 5, (20_000, 30))
    y = X[:, :4].sum(1) + 2 * rng.normal(size=len(X)) > 8
    compare("20,000 x 30 labels", X, y, "all")
    compare("  the same, classes are noise", X, rng.integers(0, 2, len(X)), "all")


if __name__ == "__main__":
    main()
