"""Tree-augmented naive Bayes."""

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.counts import FamilyCounts, PairCounts, conditional_mutual_information
from augury.counts.sparse_table import SparseTable
from augury.encode import CategoricalTable
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_part, require
from augury.generative.bases.network_classifier import NetworkClassifier
from augury.registration import register_model
from augury.structure import maximum_spanning_tree


@register_model("tan", "Tree-augmented naive Bayes")
class TreeAugmentedNaiveBayes(NetworkClassifier[PairCounts]):
    """Tree-augmented naive Bayes (TAN): each column has one other column as parent.

    The tree is the maximum spanning tree of the conditional mutual information
    I(A_i; A_j | C). No other tree has a higher likelihood. No edge is dropped.

    Parameters
    ----------
    alpha : float
        Pseudo-count α of each state, and of each class in the prior.
    equivalent_sample_size : float
        Weight m, in rows, of the estimate without the parent u:
        p(x_i | u, c) = (N + α + m p(x_i | c)) / (N_parents + α v_i + m), where
        p(x_i | c) is smoothed by α alone.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories. Infrequent labels of a column with many labels share a
        state (`min_frequency="auto"`), unless its categories are declared.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    structure_ : Structure
        The tree, directed away from the first column; `draw()` shows it.
    log_prior_ : array of shape (n_classes,)
    encoder_, statistics_ : the fitted encoder, and the pair counts

    Notes
    -----
    The statistics are the counts of all pairs, so `partial_fit` may change the tree. A parent
    that is left out is summed over. `fit` counts n d²/2 pairs; predicting a row takes d q
    look-ups.

    With v states of a column, the pair counts take 8 q (Σ v)² bytes and the estimates
    8 q (v + 1) (v of the parent + 1) bytes for each column. If the counts would take more than
    128 MB, columns of more than 256 states are apart: a pair with one takes 8 (q + 1) bytes for
    each filled cell, of which there are at most as many as rows.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + m + 40) + 8 q s² + 16 q s (v +
    1)`, and the model keeps `8 q s² + 8 q s (v + 1) + 100 s`.

    References
    ----------
    N. Friedman, D. Geiger, M. Goldszmidt: Bayesian network classifiers. Machine Learning
    29 (1997).

    Examples
    --------
    >>> from augury.generative import TreeAugmentedNaiveBayes
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]]
    >>> model = TreeAugmentedNaiveBayes().fit(X, ["same", "same", "other", "other"])
    >>> model.predict(X).tolist()
    ['same', 'same', 'other', 'other']
    >>> print(model.draw())
    x0  | class
    x1  | class, x0
    """

    _reads_wide_pairs = True

    def __init__(
        self,
        alpha: float = 1.0,
        equivalent_sample_size: float = 2.0,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> PairCounts:
        return self._count_pairs(table, y, weight)

    def _estimate(self, statistics: PairCounts) -> None:
        self.structure_ = maximum_spanning_tree(conditional_mutual_information(statistics))
        self._estimate_families(FamilyCounts.from_pairs(statistics, self.structure_.parents))

    def _check_statistics_state(self) -> None:
        pairs = check_part(self, "statistics_", PairCounts)
        pairs._check_fitted_state()
        self._check_feature_counts(pairs.features)
        fits = all(len(above) <= 1 for above in self.structure_.parents)
        require(fits and not self.structure_.class_parents, self, "structure_", "a tree")

    def _sparse_tables(self) -> dict[int, SparseTable]:
        pairs = self.statistics_
        is_narrow = pairs.is_narrow
        if is_narrow.all():
            return {}
        tables = {
            i: pairs.with_left_out(above[0], i)
            for i, above in enumerate(self.structure_.parents)
            if above and not (is_narrow[i] and is_narrow[above[0]])
        }
        return {i: table for i, table in tables.items() if isinstance(table, SparseTable)}

    @property
    def _families(self) -> FamilyCounts:
        return FamilyCounts.from_pairs(self.statistics_, self.structure_.parents)
