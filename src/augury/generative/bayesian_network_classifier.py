"""Bayesian network classifiers with a given or a learned structure."""

from augury.bases.class_weights import ClassWeight
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.generative.bases.network_classifier import SearchedNetwork
from augury.generative.bases.structure_learner import StructureLearner
from augury.generative.bases.training_counts import TrainingCounts
from augury.registration import register_model
from augury.structure import HillClimb, Structure
from augury.structure.hill_climb import SCORES
from augury.validation import check_choice, check_flag, check_integer


@register_model("bn", "Bayesian network found by hill climbing")
class BayesianNetworkClassifier(SearchedNetwork):
    """Bayesian network classifier (BN): columns have the class and other columns as parents.

    Parameters
    ----------
    structure : Structure, StructureLearner or None
        None searches by hill climbing, which maximises `structure_score`. A `Structure` is
        used as it is; it holds the parents of each column of the encoded table
        (`encoder_.table_names_`). Any other object must have a method `learn(counts)` that
        returns a `Structure`, such as `HillClimb` or `OrderSearch` of `augury.structure`.
        `HillClimb(order=…)` searches node by node, and `HillClimb(skeleton=…)` within a given
        or learned skeleton.
    structure_score : {"k2", "bdeu", "bic", "aic", "ll", "acll", "fcll", "cll"}
        Score that the search maximises if `structure` is None; see `augury.structure`. "k2",
        "bdeu", "bic", "aic" and "ll" measure the likelihood of the rows; "acll", "fcll" and
        "cll" measure the likelihood of the class given the columns. "cll" reads every row for
        every candidate and is for small data: 1,000 rows of 20 columns take seconds, where
        the other scores take milliseconds.
    max_parents : int
        Largest number of parents of a column besides the class.
    class_is_parent : bool
        Whether the class is a parent of every column (augmented naive Bayes). If False, the
        search treats the class like any other node, `max_parents` includes it, and the
        posterior follows from its Markov blanket; the score must be one of the first five.
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
        `draw()` shows it.
    log_prior_ : array of shape (n_classes,)
    encoder_, statistics_ : the fitted encoder, and the counts of the families

    Notes
    -----
    The search counts all pairs of columns in one pass over the rows. For each edge that it
    adds, it counts all candidates for the next edge in another pass. With d columns of v states
    and n rows, a search takes at least 2 d² (n + 20 q v²) steps of 1.5 ns. If this is more than
    ten minutes (for each 100,000 rows), it is refused before it starts; `HillClimb(skeleton=…)`
    makes it shorter.

    With v states of a column, the counts and the estimates of a family take 16 q Π (v + 1)
    bytes, the product over its columns. If this table has more than 4,096 cells and less than
    one in eight is filled, the counts take 8 (q + 1) bytes for each filled cell, of which there
    are at most as many as rows, and the estimates are computed when they are needed.
    The search keeps the pairs of columns of few states, 8 q (Σ v)² bytes, and no table of more
    cells than two for each row (or 1,024).

    Mean accuracy and log loss over 36 sets (10-fold cross-validation in which no
    preprocessing sees a test row) were 85.27 and 0.474 with "k2", 85.09 and 0.496 with
    "bdeu", 84.77 and 0.569 with "acll", 84.57 and 0.501 with "ll", 84.46 and 0.558 with
    "fcll", 83.79 and 0.572 with "bic", whose penalty is too strong for sets such as letter.
    The default was chosen on these results.

    Memory in bytes (see `augury.memory`): fit takes `n (9 d + m + 40) + 8 (q + 1) s² + 32 q s
    (v + 1)² + 16 q c`, and the model keeps `16 q c + 100 s`.

    Examples
    --------
    >>> from augury.generative import BayesianNetworkClassifier
    >>> from augury.structure import Structure
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 3
    >>> y = ["same", "same", "other", "other"] * 3
    >>> model = BayesianNetworkClassifier(structure_score="bic").fit(X, y)
    >>> print(model.draw())
    x0  | class, x1
    x1  | class
    >>> model.predict(X[:4]).tolist()
    ['same', 'same', 'other', 'other']
    >>> given = BayesianNetworkClassifier(Structure(((), (0,)))).fit(X, y)
    >>> given.structure_.hamming_distance(model.structure_)  # the edge is reversed
    1
    """

    def __init__(
        self,
        structure: Structure | StructureLearner | None = None,
        structure_score: str = "k2",
        max_parents: int = 2,
        class_is_parent: bool = True,
        alpha: float = 1.0,
        equivalent_sample_size: float = 5.0,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.structure = structure
        self.structure_score = structure_score
        self.max_parents = max_parents
        self.class_is_parent = class_is_parent
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self._owner, "structure_score", self.structure_score, SCORES)
        check_integer(self._owner, "max_parents", self.max_parents, at_least=0)
        check_flag(self._owner, "class_is_parent", self.class_is_parent)
        allowed = (Structure, StructureLearner, type(None))
        if not isinstance(self.structure, allowed) or isinstance(self.structure, type):
            raise TypeError(
                f"{self._owner}: structure must be a Structure, have a method learn(counts), or be "
                f"None, got {self.structure!r}"
            )

    def _why_not_streamed(self) -> str:
        if self.structure is None and self.structure_score == "cll":
            return "structure_score='cll' reads every row for each candidate; take 'acll'"
        return ""

    def _find_structure(self, counts: TrainingCounts) -> Structure:
        found = self.structure
        if found is None:
            found = HillClimb(
                score=self.structure_score,
                max_parents=self.max_parents,
                class_is_parent=self.class_is_parent,
            )
        if not isinstance(found, Structure):
            found = found.learn(counts)
            if not isinstance(found, Structure):
                raise TypeError(
                    f"{self._owner}: structure.learn must return a Structure, got {found!r}"
                )
        n_columns = len(counts.n_states)
        if found.n_features != n_columns:
            raise ValueError(
                f"{self._owner}: structure must have {n_columns} columns, one for each column of "
                f"the encoded table, got {found.n_features}"
            )
        return found
