"""Extremely randomised trees on mixed columns."""

from functools import partial
from math import ceil, sqrt
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.counts import floored_log
from augury.encode import TableEncoder
from augury.encode.columns import take_rows
from augury.encode.requested_columns import RequestedColumns
from augury.ensemble.forest.calibration import HIGHEST_EXPONENT, LOWEST_EXPONENT
from augury.ensemble.forest.codes import MAX_STATES, TableCodes
from augury.ensemble.forest.distinct_rows import DistinctRows
from augury.ensemble.forest.growing import ForestGrower, GrowthRules, entries_of_leaf
from augury.ensemble.forest.trees import RandomTrees
from augury.fitted_state import check_floats, check_part, check_reads, check_real, require
from augury.foreign import Labels, Table
from augury.memory import require_bytes
from augury.registration import register_model
from augury.validation import check_integer, check_table, check_threads

# Share of the rows of a sample of n rows with replacement that are drawn at all.
_SHARE_DRAWN = 1 - np.exp(-1)
# Bytes of a node, and of a row in the bag until the leaves are smoothed.
_BYTES_OF_NODE, _BYTES_OF_ROW = 12, 8
# The kernel has room for so many splits of a column.
_MAX_CUTS = 64


@register_model("random-trees", "Extremely randomised trees")
class RandomizedTrees(LogScoreClassifier):
    """Extremely randomised trees with smoothed leaves (extra-trees; Geurts et al. 2006).

    A tree is grown from a bootstrap sample of the rows. A node draws columns without replacement
    until `max_features` columns that are not constant in the node were tried, and `n_cuts` random
    splits of each of them. It takes the split with the largest decrease of the Gini impurity.
    Nodes are split until they have one class or less than 2 `min_samples_leaf` rows.

    A number is split at a random cut point between the smallest and the largest code of the node.
    A column of labels is split by sending each label to a random side. Missing values go to a
    random side. In nodes without missing values, later ones go to a side with the probability of
    its share of the rows. Unseen labels count as missing.

    The class probabilities of a node are smoothed towards those of its parent,

        p(c | node) = (w_c + s p(c | parent)) / (w + s),

    where w_c is the weight of class c in the node and w that of all classes. The parent of the root
    has the shares of the classes. The strength s is chosen from 0.1, 0.3, 1, 3, 10, 30 and 100 by
    the log loss of the rows out of the bag. The mean m_c of p(c | leaf of x) over the trees is too
    close to uniform, since the trees disagree. So

        p(c | x) = m_c^γ / Σ_k m_k^γ,

    and the exponent γ minimises the log loss of the rows out of the bag, plus (log γ)².

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_features : "sqrt", int, float in (0, 1] or None, default="sqrt"
        Number of columns that a node tries: ⌈√columns⌉, a number, a share of the columns, or all.
    n_cuts : int from 1 to 64, default=3
        Number of random splits of each column that a node tries.
    min_samples_leaf : int, default=1
        Minimum weight of a side of a split.
    max_samples : int or None, default=100_000
        Maximum number of rows that a tree draws; None draws as many as there are.
    categorical_features : "from_dtype", "all", or a list of indices, names or booleans
        Which columns of numbers are labels.
    random_state : int, RandomState or None
        Seed of the samples and the splits.
    n_jobs : int or None
        Number of threads; None means 1, -1 one for each core. No result depends on it.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    codes_ : states and cut points of the columns
    trees_ : nodes and leaves of all trees
    n_nodes_ : number of nodes of all trees, leaves included
    smoothing_ : the strength s
    exponent_ : the exponent γ
    oob_log_loss_, oob_score_ : log loss and accuracy of the training rows, each predicted by the
        trees whose sample does not have it; of 5,000 rows, if there are more (fewer with more
        than 838 classes); NaN if every sample has all rows
    feature_importances_ : share of each column in the decrease of the impurity by all splits

    Notes
    -----
    Numbers become codes: one for each value of a column with at most 254 different values, else
    one for each of 254 intervals of equal weight. Infrequent labels of a column with many labels
    share a state (`min_frequency="auto"` of `TableEncoder`).

    Equal rows are one row, and rows are drawn by their position in a canonical order. The result
    therefore does not depend on the order of the rows, and a row of weight 2 equals two rows. Such
    a row counts as out of the bag by the expected share of its copies that were not drawn.

    If a weight is not whole, or classes have weights, each row is drawn like any other, and a draw
    counts with its weight. The same holds for equal rows together if they are copies: more than a
    tenth of the rows occur twice or more often, although a column of numbers has different values
    in most of the different rows. Otherwise a row would be predicted by its copies.

    The time grows linearly with the number of rows: a tree draws at most `max_samples` of them,
    and at most 200 splits lie on the way to a leaf. With more than 64 classes a leaf keeps its 32
    largest probabilities, and divides the rest among all classes by their shares.

    Memory in bytes (see `augury.memory`): fit takes `n (2 d + 20 m + 560) + 24 k + 4 q k`, and
    the model keeps `12 k + 2 q k + 2000 m + 100 s`.

    References
    ----------
    P. Geurts, D. Ernst, L. Wehenkel: Extremely randomized trees. Machine Learning 63, 2006.
    L. Breiman: Random forests. Machine Learning 45, 2001.
    W. Buntine: Learning classification trees. Statistics and Computing 2, 1992 (smoothing by the
    parents of a leaf).

    Examples
    --------
    >>> from augury.ensemble import RandomizedTrees
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 5
    >>> y = ["same", "same", "other", "other"] * 5
    >>> model = RandomizedTrees(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict(X[:4]).tolist()
    ['same', 'same', 'other', 'other']
    >>> model.smoothing_
    0.1
    """

    def __init__(
        self,
        n_estimators: int = 100,
        max_features: str | float | None = "sqrt",
        n_cuts: int = 3,
        min_samples_leaf: int = 1,
        max_samples: int | None = 100_000,
        categorical_features: RequestedColumns = "from_dtype",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.n_cuts = n_cuts
        self.min_samples_leaf = min_samples_leaf
        self.max_samples = max_samples
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_integer(self._owner, "n_estimators", self.n_estimators, at_least=1)
        self._columns_to_try(1)
        check_integer(self._owner, "n_cuts", self.n_cuts, at_least=1)
        if self.n_cuts > _MAX_CUTS:
            raise ValueError(
                f"{self._owner}: n_cuts must be an integer from 1 to {_MAX_CUTS}, got "
                f"{self.n_cuts!r}"
            )
        check_integer(self._owner, "min_samples_leaf", self.min_samples_leaf, at_least=1)
        if self.max_samples is not None:
            check_integer(self._owner, "max_samples", self.max_samples, at_least=1)
        check_threads(self._owner, self.n_jobs)

    def _columns_to_try(self, n_columns: int) -> int:
        """Return the number of columns that a node tries."""
        wanted = self.max_features
        if wanted is None:
            return n_columns
        if wanted == "sqrt":
            return ceil(sqrt(n_columns))
        if isinstance(wanted, Real) and not isinstance(wanted, bool):
            if isinstance(wanted, Integral) and wanted >= 1:
                return min(n_columns, int(wanted))
            if not isinstance(wanted, Integral) and 0 < wanted <= 1:
                return ceil(float(wanted) * n_columns)
        raise ValueError(
            f"{self._owner}: max_features must be 'sqrt', an integer >= 1, a share above 0 and up "
            f"to 1, or None, got {wanted!r}"
        )

    # ---- fitting ----------------------------------------------------------------------

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        self._grow(X, codes, weight)

    def fit_held_out(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> FloatArray:
        """Fit to all rows, and return p(c | x) of each of them, estimated without the row.

        p(c | x) is the mean over the trees whose sample does not have the row; of a row that is
        in every sample, the shares of the classes. The mean over equal rows is taken, each of
        them predicted by the trees whose sample does not have it. A row of weight zero has the
        prediction of the fitted model. The fitted model is that of `fit`.
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight, keep_rows=True)
        if weight is None or weight.all():
            return self._grow(X, codes, weight, hold_out=True)
        kept = weight > 0
        held: FloatArray = np.empty((len(kept), len(self.classes_)))
        held[kept] = self._grow(take_rows(X, kept), codes[kept], weight[kept], hold_out=True)
        held[~kept] = self.predict_proba(take_rows(X, ~kept))
        return held

    def _grow(
        self, X: Table, y: Array, weight: Array | None, *, hold_out: bool = False
    ) -> FloatArray:
        """Grow the trees; with `hold_out` return p(c | x) of the rows without themselves."""
        n_threads = check_threads(self._owner, self.n_jobs)
        self.codes_ = TableCodes(
            TableEncoder(
                categorical_features=self.categorical_features,
                missing="ignore",
                discretizer=None,
                min_frequency="auto",
                max_states=MAX_STATES,
                n_jobs=self.n_jobs,
            )
        )
        codes, table = self.codes_.learn(X, y, weight, self._owner)
        rows = DistinctRows.of(
            codes, y, weight, table, is_class_weighted=self.class_weight is not None
        )
        del table
        random = check_random_state(self.random_state)
        high, low = random.randint(0, 2**31, (2, self.n_estimators), dtype=np.int64)
        n_draws = max(1, round(float(rows.n_rows.sum())))
        rules = GrowthRules(
            max_features=self._columns_to_try(codes.shape[1]),
            n_cuts=self.n_cuts,
            min_leaf=float(self.min_samples_leaf),
            n_draws=n_draws if self.max_samples is None else min(n_draws, self.max_samples),
        )
        seeds = ((high << 31) | low).tolist()
        grower = ForestGrower(
            rows, self.codes_.is_label, len(self.classes_), seeds, rules, n_threads
        )
        grown = grower.grow()
        self.trees_ = grown.trees
        self.n_nodes_ = len(grown.trees.nodes)
        self.smoothing_ = grown.smoothing
        self.exponent_ = grown.calibration.exponent
        self.oob_log_loss_ = grown.calibration.log_loss
        self.oob_score_ = grown.calibration.accuracy
        gains = np.maximum(grown.gains, 0)
        self.feature_importances_ = self.codes_.shares_of_columns(gains, X.shape[1])
        if not hold_out:
            return grown.judged
        held: FloatArray = grower.held_out(grown)[rows.row_of]
        return held

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        n_drawn = n_rows if self.max_samples is None else min(n_rows, self.max_samples)
        n_leaves = int(_SHARE_DRAWN * n_drawn) // self.min_samples_leaf + 1
        in_leaf = 2 * _BYTES_OF_NODE + _BYTES_OF_ROW + 4 * entries_of_leaf(n_classes)
        require_bytes(
            self.n_estimators * n_leaves * in_leaf,
            f"{self.n_estimators:,} trees of up to {n_leaves:,} leaves in {n_classes:,} classes",
            owner=self._owner,
            advice="lower n_estimators or max_samples, or raise min_samples_leaf",
        )

    # ---- predicting -------------------------------------------------------------------

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self, "trees_")
        X = check_table(self, X, reset=False)
        n_threads = check_threads(self._owner, self.n_jobs)
        score = partial(self.trees_.mean_shares, n_threads=n_threads)
        return self.exponent_ * floored_log(self.codes_.score_blocks(X, score))

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        codes = check_part(self, "codes_", TableCodes)
        check_reads(self, "codes_", codes.encoder, self.n_features_in_)
        trees = check_part(self, "trees_", RandomTrees)
        trees.check(len(codes.is_label), len(self.classes_))
        require(trees.n_trees == self.n_estimators, self, "trees_", f"{self.n_estimators} trees")
        require(self.n_nodes_ == len(trees.nodes), self, "n_nodes_", "the number of nodes")
        check_real(self, "smoothing_", low=0)
        check_real(self, "exponent_", low=LOWEST_EXPONENT, high=HIGHEST_EXPONENT)
        check_floats(self, "feature_importances_", self.n_features_in_, low=0, high=1)
