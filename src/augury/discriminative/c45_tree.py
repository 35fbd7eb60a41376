"""C4.5 decision trees."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.partial_scores import LeftOutCodes, PartialScores
from augury.bases.table_classifier import ROWS_TO_PREDICT, TableClassifier
from augury.discriminative.c45.descent import Descent
from augury.discriminative.c45.drawing import DrawnTree
from augury.discriminative.c45.growing import GrowingNode, TreeGrower
from augury.discriminative.c45.node import TreeNode, freeze, nest
from augury.discriminative.c45.pruning import Pruner, collapse
from augury.discriminative.c45.rows import TreeRows, tree_columns
from augury.encode import (
    CategoricalTable,
    TableEncoder,
    row_blocks,
    slice_rows,
)
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_part, check_reads, require
from augury.foreign import Table
from augury.memory import columns_named, require_bytes
from augury.registration import register_model
from augury.validation import (
    check_flag,
    check_integer,
    check_number,
    check_table,
    check_threads,
)

# Counts of all classes that a node has while the tree grows.
_COUNTS_OF_NODE = 2


@register_model("c45", "C4.5 decision tree")
class C45Tree(DrawsStructure, TableClassifier):
    """C4.5 decision tree (Quinlan's release 8, as WEKA's J48 runs it).

    Each node splits on the column with the best gain ratio among those of at least average
    gain. The split has one branch for each declared state, or two branches at a threshold. A row
    whose value is missing follows all branches, with its weight divided among them. The full
    tree is collapsed where the branches make no fewer errors than their node. It is then pruned
    by upper confidence limits of the errors in its leaves: a node is replaced by a leaf, or by
    its largest branch, if that does not raise the expected errors.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence of the upper limits in pruning, in (0, 0.5]. Lower values prune more.
    min_samples_leaf : int, default=2
        Minimum weight of at least two branches of a split. A node of less than twice this
        weight is not split.
    prune : bool, default=True
        Whether to prune.
    subtree_raising : bool, default=True
        Whether pruning may replace a node by its largest branch.
    collapse : bool, default=True
        Whether nodes become leaves if their branches make no fewer training errors.
    categorical_features : "from_dtype", "all", or a list of indices, names or booleans
        Which columns of numbers are labels.
    missing : {"ignore", "state", "replace"}, default="ignore"
        How missing values are treated. "ignore": the row follows all branches, with its weight
        divided. "state": missing is a state of its own (for numbers, a state of an additional
        column). "replace": the mode or the mean of the column is filled in.
    discretizer : None, {"mdl", "frequency", "width"}, or a transformer with `cut_points_`
        How numbers are cut into intervals, each of them a branch, before the tree is grown.
        None splits numbers at thresholds.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : array of the classes
    encoder_ : the fitted TableEncoder
    tree_ : the root, a `TreeNode` that contains all other nodes
    n_leaves_ : number of leaves
    n_nodes_ : number of nodes, leaves included: J48's size of the tree

    Notes
    -----
    The trees and the accuracies over 10 x 10 folds equal those of J48 (WEKA 3.6.14) on the 36
    data sets of the 2022 hybrid paper. Three differences are deliberate. Weights are numbers of
    rows everywhere; J48 counts rows of any weight in some places. Numbers closer than 1e-5 are
    one value; in a column that spans less than 0.01, only those closer than a thousandth of its
    span. `min_samples_leaf` above 25 applies to thresholds too.

    As in J48, a column with at least 0.3 states for each row does not count in the average
    gain. A table of fewer than seven rows may therefore give a single leaf.

    Class probabilities are the shares of the classes in a leaf, not smoothed. A leaf without
    training rows has the shares of its parent node.

    A tree has up to 2 n / `min_samples_leaf` nodes, and a node takes 16 q bytes while the tree
    grows. `fit` is refused before the table is read if so much memory is not there.

    Memory in bytes (see `augury.memory`): fit takes `n (d + 44 m + 64) + 1000 k`, and the model
    keeps `16 q k + 150 k + 100 s`.

    References
    ----------
    J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; Improved use of continuous
    attributes in C4.5, JAIR 4, 1996.

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.discriminative import C45Tree
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain", "rain"], "wind": [9, 1, 1, 8, 2]})
    >>> tree = C45Tree(prune=False).fit(X, ["go", "go", "go", "stay", "go"])
    >>> print(tree.to_text())
    : go (5.0/1.0)
    >>> tree = C45Tree(prune=False, min_samples_leaf=1).fit(X, ["go", "go", "go", "stay", "go"])
    >>> print(tree.to_text())
    sky = rain
    |   wind <= 2: go (2.0)
    |   wind > 2: stay (1.0)
    sky = sun: go (2.0)
    >>> tree.explain_path(X.iloc[[3]])
    [['sky = rain', 'wind > 2']]
    """

    tree_: TreeNode

    def __init__(
        self,
        confidence: float = 0.25,
        min_samples_leaf: int = 2,
        *,
        prune: bool = True,
        subtree_raising: bool = True,
        collapse: bool = True,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "ignore",
        discretizer: Discretizer = None,
        n_jobs: int | None = None,
        class_weight: ClassWeight = None,
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.prune = prune
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    # ---- fitting ----------------------------------------------------------------------

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Grow and prune the tree."""
        if weight is not None and (weight == 1).all():
            weight = None
        self.encoder_: TableEncoder = TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )
        table = self.encoder_.learn_and_encode(X, codes, weight, self._owner)
        columns = tree_columns(table, self.encoder_.feature_names_)
        with columns_named(self._owner, table.names):
            root = self._make_tree(TreeRows(table, columns, codes, weight, len(self.classes_)))
        self.tree_ = freeze(root)
        self._descent = Descent(self.tree_)
        self.n_nodes_: int = len(self._descent.nodes)
        self.n_leaves_: int = self._descent.n_leaves

    def _make_tree(self, rows: TreeRows) -> GrowingNode:
        n_threads = check_threads(self._owner, self.n_jobs)
        root = TreeGrower(rows, self.min_samples_leaf, n_threads).grow()
        if self.collapse:
            collapse(root)
        if self.prune:
            Pruner(rows, self.confidence, subtree_raising=self.subtree_raising).prune(root)
        return root

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        n_nodes = max(1, 2 * n_rows // self.min_samples_leaf)
        require_bytes(
            8 * _COUNTS_OF_NODE * n_nodes * n_classes,
            f"the class counts of up to {n_nodes:,} nodes in {n_classes:,} classes",
            owner=self._owner,
            advice="raise min_samples_leaf, merge rare classes, or take LogisticRegression or "
            "NaiveBayes",
        )

    def _check_parameters(self) -> None:
        check_number(self._owner, "confidence", self.confidence, above=0)
        if self.confidence > 0.5:
            raise ValueError(
                f"{self._owner}: confidence must be a number > 0 and <= 0.5, got "
                f"{self.confidence!r}"
            )
        check_integer(self._owner, "min_samples_leaf", self.min_samples_leaf, at_least=1)
        for name in ("prune", "subtree_raising", "collapse"):
            check_flag(self._owner, name, getattr(self, name))
        check_threads(self._owner, self.n_jobs)

    # ---- saving -----------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        # A flat list of the nodes: nested nodes may exceed the recursion limit.
        state: dict[str, Any] = dict(super().__getstate__())
        if "tree_" in state:
            weights, probabilities, *others = zip(*self.tree_.in_parts(), strict=True)
            state["tree_"] = (np.array(weights), np.array(probabilities), *others)
            del state["_descent"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "tree_" in state:
            tree = nest(list(zip(*state["tree_"], strict=True)))
            state = state | {"tree_": tree, "_descent": Descent(tree)}
        super().__setstate__(state)

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        encoder = check_part(self, "encoder_", TableEncoder)
        check_reads(self, "encoder_", encoder, self.n_features_in_)
        fits = (self.n_nodes_, self.n_leaves_) == (len(self._descent.nodes), self._descent.n_leaves)
        require(fits, self, "tree_", "one tree")
        n_classes, n_numbers = len(self.classes_), len(encoder.number_names_)
        for node in self._descent.nodes:
            node.check(n_classes, encoder.n_states_.tolist(), n_numbers)

    def predict_proba(self, X: Table) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        blocks = [
            self._descent.probabilities_of(self._read(slice_rows(X, rows)))
            for rows in row_blocks(X)
        ]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def predict_log_proba(self, X: Table) -> Array:
        """Return log p(c | x) for each row and class; -inf for a class without rows in the leaf."""
        with np.errstate(divide="ignore"):
            log_proba: Array = np.log(self.predict_proba(X))
        return log_proba

    def predict(self, X: Table) -> Array:
        """Return the most probable class of each row; ties go to the first in `classes_`."""
        best = np.argmax(self.predict_proba(X), axis=1)
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        proba = self.predict_proba(X)
        predicted: Array = self.classes_[np.argmax(proba, axis=1)]
        return predicted, proba

    def _read(self, X: Table) -> CategoricalTable:
        return self.encoder_.encode(X)

    def _partial_scores(self, X: Table) -> PartialScores:
        known_part = LeftOutCodes(self._read(X), self.encoder_)

        def score(rows: IntegerArray, known: BoolArray) -> Array:
            proba = self._descent.probabilities_of(known_part(rows, known))
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(proba))

        return score

    def _used_columns(self) -> IntegerArray:
        of_codes, of_numbers = self.encoder_.source_columns()
        inner = self._descent.column >= 0
        is_number, column = self._descent.is_number[inner], self._descent.column[inner]
        return np.unique([*of_numbers[column[is_number]], *of_codes[column[~is_number]]]).astype(
            np.intp
        )

    # ---- inspecting the tree ----------------------------------------------------------

    def explain_path(self, X: Table) -> list[list[str]]:
        """Return, for each row, the conditions on its path to a leaf.

        A row whose value is missing or unseen follows all branches. The path shown is that of the
        branch with the most training rows, marked as `sky is unknown, as if sun`.
        """
        check_is_fitted(self)
        table = self._read(check_table(self, X, reset=False))
        descent = self._descent
        paths: list[list[str]] = [[] for _ in range(table.n_samples)]
        row, node = np.arange(table.n_samples), np.zeros(table.n_samples, dtype=np.intp)
        while len(row):
            on = descent.n_branches[node] > 0
            row, node = row[on], node[on]
            branch = descent.branch_of(table, row, node)
            for k, (i, at, taken) in enumerate(zip(row, node, branch, strict=True)):
                here = descent.nodes[at]
                if taken == len(here.branches):
                    branch[k] = int(np.argmax(here.shares))
                paths[i].append(_condition(here, int(branch[k]), known=taken == branch[k]))
            node = descent.first[node] + branch
        return paths

    def to_text(self) -> str:
        """Return the tree as J48 prints it.

        The class of each leaf is followed by the weight of its training rows and, after a
        slash, by the weight of those of other classes.
        """
        return self.draw("text")

    def _drawing(self) -> Drawing:
        return DrawnTree(self.tree_, [str(label) for label in self.classes_.tolist()])


def _condition(node: TreeNode, branch: int, *, known: bool) -> str:
    condition = node.conditions[branch]
    if known or node.column is None:
        return condition
    name = node.column.name
    return f"{name} is unknown, as if {condition.removeprefix(f'{name} ').removeprefix('= ')}"
