"""Naive Bayes with a logistic regression on greedily chosen columns as its prior."""

from typing import Self

import numpy as np

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.discriminative import LiblinearLogisticRegression
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.foreign import Table
from augury.generative import NaiveBayes
from augury.generative.bases.blas_threads import with_n_jobs
from augury.hybrid.inner_models.inner_naive_bayes import require_discretizer
from augury.hybrid.split_classifier import SplitClassifier
from augury.hybrid.splits.greedy_split import GreedySplit
from augury.memory import columns_named, require_bytes
from augury.registration import register_model
from augury.time_limit import require_time
from augury.validation import check_choice, check_number, check_threads

# Stopping tolerance of the final regression; a smaller one may be below rounding.
_TOLERANCE = 1e-6
# Passes over all columns of a search that moves one of them. A regression of a class takes as long
# as the scores of so many rows.
_FEWEST_PASSES = 2
_ROWS_OF_REGRESSION = 40_000
_NS_OF_ROW = 5.0


@register_model(
    "hbayes-nb", "Naive Bayes and logistic regression on disjoint columns (Kang and Tian)"
)
class HBayesNB(SplitClassifier):
    """HBayes-NB (Kang and Tian): columns move from naive Bayes to logistic regression greedily.

    p(c | x) ∝ p(c | x_D) Π_{j not in D} p(x_j | c). D starts empty. The column that raises the
    accuracy on the training rows most moves to D, until no column raises it.

    Parameters
    ----------
    alpha : float > 0
        Pseudo-count of each state in naive Bayes.
    C : float > 0
        Inverse strength of the penalty of the regression, see `LiblinearLogisticRegression`.
    encoding : {"onehot", "ordinal"}
        How a column becomes terms of the regression: an indicator for each state, or the
        index of the state as one number.
    categorical_features, missing, discretizer, n_jobs : see `TableEncoder`
        Both models read categories; discretizer must not be None.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    generative_columns_, discriminative_columns_ : lists of the columns' names
    moved_ : list of the columns' names, in the order in which they moved
    accuracies_ : list of the accuracy on the training rows, before and after each move
    generative_ : the fitted `NaiveBayes`, or None
    discriminative_ : the fitted `LiblinearLogisticRegression`, or None

    Notes
    -----
    `HBayesNB.as_published()` is the column HBayes-NB of Zhang, Jiang and Zhang (2022) as far as
    their paper describes it: the index of a state as a number, no missing values. The paper does
    not state which rows the accuracy is measured on, nor which of two equally good columns
    moves. The training rows and the first column are closest to the printed numbers
    (docs/results/hybrid-2022.md).

    Their search takes 3875 seconds on splice. Here the factors of naive Bayes are counted once.
    The regression of a candidate reads combinations of values instead of rows, and starts at the
    coefficients of the previous one (`GreedySplit`). A table on which two passes over the columns,
    2 d q (n + 40,000) steps of 5 ns, take more than ten minutes (for each 100,000 rows) is
    refused before it is read.

    Memory in bytes (see `augury.memory`): fit takes `n (d + 9 m + 60 + 24 b) + 100 s`, and the
    model keeps `16 q s + 100 s`.

    References
    ----------
    C. Kang, J. Tian (2006): A hybrid generative/discriminative Bayesian classifier. FLAIRS 19,
    562-567.

    Examples
    --------
    The second column repeats the first, which is correct in 8 of 10 rows; the third is correct
    in 9. Naive Bayes counts the copies twice: their odds (9/3)² = 9 exceed the 10/2 = 5 of the
    third column. With a strongly penalised regression on one of them the odds are 1.03 · 3.

    >>> from augury.hybrid import HBayesNB
    >>> no = [*["xxx"] * 7, *["yyx"] * 2, "xxy"]
    >>> yes = [*["yyy"] * 7, *["xxy"] * 2, "yyx"]
    >>> X, y = [list(row) for row in no + yes], ["no"] * 10 + ["yes"] * 10
    >>> model = HBayesNB(C=0.01).fit(X, y)
    >>> model.moved_, model.accuracies_
    (['x0'], [0.8, 0.9])
    """

    def __init__(
        self,
        alpha: float = 1.0,
        C: float = 1.0,
        encoding: str = "onehot",
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.C = C
        self.encoding = encoding
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    @classmethod
    def as_published(cls) -> Self:
        """Return the model that Zhang, Jiang and Zhang (2022) probably ran."""
        return cls(encoding="ordinal", missing="replace")

    def _check_parameters(self) -> None:
        check_number(self._owner, "alpha", self.alpha, above=0)
        check_number(self._owner, "C", self.C, above=0)
        check_choice(self._owner, "encoding", self.encoding, ("onehot", "ordinal"))
        require_discretizer(self._owner, self.discretizer)

    def _n_threads(self) -> int:
        return check_threads(self._owner, self.n_jobs)

    def _make_generative(self) -> NaiveBayes:
        return NaiveBayes(
            alpha=self.alpha,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )

    def _make_discriminative(self) -> LiblinearLogisticRegression:
        return LiblinearLogisticRegression(
            C=self.C,
            encoding=self.encoding,
            scaling=None,
            tol=_TOLERANCE,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        advice = "use fewer columns, merge rare classes, or take LogisticRegression or NaiveBayes"
        require_bytes(
            16 * n_rows * n_classes,
            f"the scores of {n_rows:,} rows in {n_classes:,} classes",
            owner=self._owner,
            advice=advice,
        )
        n_regressions = _FEWEST_PASSES * n_columns * (n_classes if n_classes > 2 else 1)
        require_time(
            n_regressions * (n_rows + _ROWS_OF_REGRESSION),
            _NS_OF_ROW,
            f"{n_regressions:,} regressions, one for each column and class in "
            f"{_FEWEST_PASSES} passes of the search,",
            n_rows=n_rows,
            owner=self._owner,
            advice=advice,
        )

    @with_n_jobs
    def _choose_columns(self, X: Table, codes: Array, weight: Array | None) -> Array:
        table = self._encode(X, codes, weight)
        with columns_named(self._owner, table.names):
            search = GreedySplit(
                table,
                codes,
                weight,
                len(self.classes_),
                alpha=self.alpha,
                C=self.C,
                one_hot=self.encoding == "onehot",
            )
        self.moved_: list[str] = [table.names[j] for j in search.moved]
        self.accuracies_: list[float] = search.accuracies
        in_d = np.zeros(len(table.names), dtype=bool)
        in_d[search.moved] = True
        return in_d
