"""K-dependence Bayesian classifiers."""

from augury.bases.class_weights import ClassWeight
from augury.counts import conditional_mutual_information, mutual_information_with_class
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.generative.bases.network_classifier import SearchedNetwork
from augury.generative.bases.training_counts import TrainingCounts
from augury.registration import register_model
from augury.structure import Structure, k_dependence
from augury.validation import check_integer


@register_model("kdb", "K-dependence Bayes")
class KDependenceBayes(SearchedNetwork):
    """K-dependence Bayes (KDB): each column has up to k other columns as parents.

    Columns are ranked by I(A; C); each takes as parents the k of higher rank with the
    largest I(A_i; A_j | C). k = 0 is naive Bayes; a larger k trades bias for variance
    and needs more rows.

    Parameters
    ----------
    k : int
        Largest number of parents besides the class.
    alpha : float
        Pseudo-count α of each state, and of each class in the prior.
    equivalent_sample_size : float
        Weight m, in rows, of the estimate without the last parent:
        p(x_i | u_1 … u_t, c) = (N + α + m p(x_i | u_1 … u_(t-1), c)) /
        (N_parents + α v_i + m). The estimate without parents is smoothed by α alone.
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
        The parents of each column, the one with the largest I first; `draw()` shows it.
    log_prior_ : array of shape (n_classes,)
    encoder_, statistics_ : the fitted encoder, and the counts of the families

    Notes
    -----
    `fit` counts twice: pairs for the structure, then families. `partial_fit` keeps the
    structure of its first call. Predicting a row takes d q look-ups.

    With v states of a column, the counts and the estimates of a family take 16 q Π (v + 1)
    bytes, the product over its columns. If this table has more than 4,096 cells and less than
    one in eight is filled, the counts take 8 (q + 1) bytes for each filled cell, of which there
    are at most as many as rows, and the estimates are computed when they are needed.
    During `fit` the pairs take the memory of `PairCounts`, 8 q (Σ v)² bytes up to 128 MB.

    Memory in bytes (see `augury.memory`): fit takes `n (9 d + m + 40) + 8 q s² + 16 q c`, and
    the model keeps `16 q c + 100 s`.

    References
    ----------
    M. Sahami: Learning limited dependence Bayesian classifiers. KDD 1996.

    Examples
    --------
    >>> from augury.generative import KDependenceBayes
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]]
    >>> model = KDependenceBayes(k=1).fit(X, ["same", "same", "other", "other"])
    >>> model.structure_.parents
    ((), (0,))
    """

    def __init__(
        self,
        k: int = 2,
        alpha: float = 1.0,
        equivalent_sample_size: float = 5.0,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.k = k
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer(self._owner, "k", self.k, at_least=0)

    def _find_structure(self, counts: TrainingCounts) -> Structure:
        if self.k == 0:
            return Structure.empty(len(counts.n_states))
        pairs = counts.pairs()
        return k_dependence(
            mutual_information_with_class(pairs.features),
            conditional_mutual_information(pairs),
            self.k,
        )
