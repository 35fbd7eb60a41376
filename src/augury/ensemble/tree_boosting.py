"""Gradient boosting of small trees on mixed columns."""

from functools import partial
from math import ceil

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.counts import normalize
from augury.encode import TableEncoder
from augury.encode.columns import take_rows
from augury.encode.requested_columns import RequestedColumns
from augury.ensemble.boosting.folds import N_FOLDS, Boosted, boost_in_folds, draw_folds
from augury.ensemble.boosting.trees import BoostedTrees
from augury.ensemble.forest.codes import TableCodes
from augury.ensemble.forest.distinct_rows import DistinctRows
from augury.fitted_state import check_floats, check_part, check_reads, check_whole, require
from augury.foreign import Labels, Table
from augury.kernels import BoostingRules, CodedRows
from augury.kernels.tree_boosting import MAX_CODES
from augury.memory import require_bytes
from augury.registration import register_model
from augury.validation import check_integer, check_number, check_table, check_threads

# Splits of more than four labels: what is added to l2, and to the hessians by which labels are
# sorted (the defaults of LightGBM).
_LABEL_L2, _LABEL_SMOOTHING = 10.0, 10.0
# The kernel has room for so many leaves of a tree.
_MAX_LEAVES = 4096
# Bytes of a leaf with its share of the nodes and of the bits of labels.
_BYTES_OF_LEAF = 60


@register_model("tree-boosting", "Gradient boosting of small trees")
class TreeBoosting(LogScoreClassifier):
    """Gradient boosting of small trees, cross-fitted (Friedman 2001; LightGBM, Ke et al. 2017).

    Trees are added one after the other. Each is fitted to the first and second derivatives of the
    log loss, and its values are multiplied by the learning rate. With two classes a round adds one
    tree to the log odds, with q classes q trees to the scores of a softmax.

    A tree grows by its leaves: the leaf and the split with the largest decrease of the loss are
    next,

        G_left² / (H_left + l2) + G_right² / (H_right + l2) - G² / (H + l2),

    where G and H are the sums of the derivatives over the rows. The value of a leaf is
    -G / (H + l2). Numbers are split between codes, and missing values go to the better side.
    Labels are sorted by G / (H + 10), and split in this order; missing values count as a label.
    With more than four labels in a node l2 is 10 larger for their splits. Where a node had no
    missing values, later ones go to the heavier side; unseen labels count as missing.

    The rows are divided into four folds, and a model is boosted without each of them. The model
    is the mean of the log odds of these four. The number of rounds minimises the log loss of the
    held-out rows of all folds: boosting ends when it has not fallen for 20 rounds.

    Parameters
    ----------
    learning_rate : float, default=0.1
        Factor of the values of each tree.
    max_rounds : int, default=300
        Maximum number of rounds.
    max_leaves : int from 2 to 4096, default=12
        Maximum number of leaves of a tree.
    l2 : float, default=1.0
        Added to the sum of the second derivatives of a leaf.
    min_hessian : float, default=0.1
        Minimum sum of the second derivatives of a side of a split.
    max_features : float in (0, 1], default=0.7
        Share of the columns that a tree uses, drawn at random.
    categorical_features : "from_dtype", "all", or a list of indices, names or booleans
        Which columns of numbers are labels.
    random_state : int, RandomState or None
        Seed of the columns of the trees.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core. No result depends on it.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    codes_ : states and cut points of the columns
    trees_ : nodes and leaves of the trees of all models
    n_nodes_ : number of nodes of all trees, leaves included
    n_rounds_ : number of rounds of each model
    held_out_log_losses_ : log loss of the held-out rows before the first round, and after every
        fifth round
    feature_importances_ : share of each column in the decrease of the loss by all splits

    Notes
    -----
    Numbers become codes: one for each value of a column with at most 254 different values, else
    one for each of 254 intervals of equal weight. Infrequent labels of a column with many labels
    share a state, so that no column has more than 254 of them.

    With 20,000 different rows or more, one model is boosted without a quarter of the rows, and
    its rounds minimise the log loss of this quarter. The time grows linearly with the rows.

    Equal rows are one row, and folds are drawn from a canonical order of the rows. The result
    therefore does not depend on the order of the rows, and a row of weight 2 equals two rows. Sums
    of derivatives are sums of whole numbers: the derivatives of all rows, scaled to 32 bits.

    Memory in bytes (see `augury.memory`): fit takes `n (2 d + 4 m + 32 q + 80) + 60 k`, and the
    model keeps `25 k + 2000 m + 100 s`.

    References
    ----------
    J. H. Friedman: Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29, 2001.
    G. Ke et al.: LightGBM: a highly efficient gradient boosting decision tree. NIPS 2017.

    Examples
    --------
    >>> from augury.ensemble import TreeBoosting
    >>> X = [[i, "a" if i % 2 else "b"] for i in range(200)]
    >>> y = ["high" if i + 50 * (i % 2) > 120 else "low" for i in range(200)]
    >>> model = TreeBoosting().fit(X, y)
    >>> model.predict([[100, "a"], [100, "b"]]).tolist()
    ['high', 'low']
    """

    def __init__(
        self,
        learning_rate: float = 0.1,
        max_rounds: int = 300,
        max_leaves: int = 12,
        l2: float = 1.0,
        min_hessian: float = 0.1,
        max_features: float = 0.7,
        categorical_features: RequestedColumns = "from_dtype",
        random_state: int | np.random.RandomState | None = 0,
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.max_rounds = max_rounds
        self.max_leaves = max_leaves
        self.l2 = l2
        self.min_hessian = min_hessian
        self.max_features = max_features
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_number(self._owner, "learning_rate", self.learning_rate, above=0, at_most=1)
        check_integer(self._owner, "max_rounds", self.max_rounds, at_least=1)
        check_integer(self._owner, "max_leaves", self.max_leaves, at_least=2)
        if self.max_leaves > _MAX_LEAVES:
            raise ValueError(
                f"{self._owner}: max_leaves must be an integer from 2 to {_MAX_LEAVES}, got "
                f"{self.max_leaves!r}"
            )
        check_number(self._owner, "l2", self.l2, at_least=0)
        check_number(self._owner, "min_hessian", self.min_hessian, above=0)
        check_number(self._owner, "max_features", self.max_features, above=0, at_most=1)
        check_threads(self._owner, self.n_jobs)

    # ---- fitting ----------------------------------------------------------------------

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        self._boost(X, codes, weight)

    def fit_held_out(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> FloatArray:
        """Fit to all rows, and return p(c | x) of each of them, estimated without the row.

        p(c | x) is that of the model that was boosted without the fold of the row. With 20,000
        different rows or more, a quarter of the rows is held out, and the others have NaN. A row
        of weight zero has the prediction of the fitted model. The fitted model is that of `fit`.
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight, keep_rows=True)
        if weight is None or weight.all():
            return self._boost(X, codes, weight)
        kept = weight > 0
        held: FloatArray = np.empty((len(kept), len(self.classes_)))
        held[kept] = self._boost(take_rows(X, kept), codes[kept], weight[kept])
        held[~kept] = self.predict_proba(take_rows(X, ~kept))
        return held

    def _boost(self, X: Table, y: Array, weight: Array | None) -> FloatArray:
        """Boost the models, and return the held-out probabilities of the rows."""
        n_threads = check_threads(self._owner, self.n_jobs)
        self.codes_ = TableCodes(
            TableEncoder(
                categorical_features=self.categorical_features,
                missing="ignore",
                discretizer=None,
                min_frequency="auto",
                max_states=MAX_CODES,
                n_jobs=self.n_jobs,
            )
        )
        codes, _ = self.codes_.learn(X, y, weight, self._owner)
        rows = DistinctRows.of(codes, y, weight)
        rules = BoostingRules(
            learning_rate=float(self.learning_rate),
            max_leaves=self.max_leaves,
            max_features=ceil(self.max_features * codes.shape[1]),
            l2=float(self.l2),
            label_l2=_LABEL_L2,
            label_smoothing=_LABEL_SMOOTHING,
            min_hessian=float(self.min_hessian),
        )
        random = check_random_state(self.random_state)
        boosted = boost_in_folds(
            CodedRows.of(rows.codes, self.codes_.is_label, rows.y, rows.weight),
            draw_folds(rows.codes, rows.y),
            len(self.classes_),
            rules,
            max_rounds=self.max_rounds,
            seed=int(random.randint(1 << 31)),
            n_threads=n_threads,
        )
        self._keep(boosted, X.shape[1])
        return normalize(_scores_of_classes(boosted.held_out))[rows.row_of]

    def _keep(self, boosted: Boosted, n_columns: int) -> None:
        self.trees_ = boosted.trees
        self.n_nodes_ = len(boosted.trees.nodes)
        self.n_rounds_ = boosted.n_rounds
        self.held_out_log_losses_ = boosted.log_losses
        self.feature_importances_ = self.codes_.shares_of_columns(boosted.gains, n_columns)

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        n_leaves = min(self.max_leaves, max(2, n_rows))
        n_trees = self.max_rounds * (1 if n_classes == 2 else n_classes) * N_FOLDS
        n_bins = n_columns * min(n_rows + 1, MAX_CODES + 1)
        require_bytes(
            n_trees * n_leaves * _BYTES_OF_LEAF + 8 * n_leaves * n_bins + 16 * n_rows * n_classes,
            f"{n_trees:,} trees of {n_columns:,} columns and {n_classes:,} classes",
            owner=self._owner,
            advice="lower max_rounds or max_leaves",
        )

    # ---- predicting -------------------------------------------------------------------

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self, "trees_")
        X = check_table(self, X, reset=False)
        n_threads = check_threads(self._owner, self.n_jobs)
        score = partial(self.trees_.scores, n_threads=n_threads)
        return _scores_of_classes(self.codes_.score_blocks(X, score))

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        codes = check_part(self, "codes_", TableCodes)
        check_reads(self, "codes_", codes.encoder, self.n_features_in_)
        fits = codes.encoder.n_states_.max(initial=0) <= MAX_CODES
        require(fits, self, "codes_", f"codes of at most {MAX_CODES} states")
        trees = check_part(self, "trees_", BoostedTrees)
        n_classes = len(self.classes_)
        trees.check(len(codes.places), 1 if n_classes == 2 else n_classes)
        require(self.n_nodes_ == len(trees.nodes), self, "n_nodes_", "the number of nodes")
        check_whole(self, "n_rounds_")
        check_floats(self, "held_out_log_losses_", None, low=0)
        check_floats(self, "feature_importances_", self.n_features_in_, low=0, high=1)


def _scores_of_classes(scores: FloatArray) -> FloatArray:
    """Return the score of each class; that of the first of two classes is 0."""
    if scores.shape[1] > 1:
        return scores
    return np.column_stack([np.zeros(len(scores)), scores])


__all__ = ["TreeBoosting"]
