"""A generative model of some columns, and a discriminative model of the others."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.attribution import Attribution
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.explained_classifier import attribute
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import PartialScores, partial_scores
from augury.discriminative import LogisticRegression
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.columns import column_names
from augury.encode.requested_columns import RequestedColumns, requested_columns
from augury.fitted_state import (
    check_codes_of_classes,
    check_flags,
    check_logs,
    check_reads,
    require,
)
from augury.foreign import Classifier, Labels, Table
from augury.generative import NaiveBayes
from augury.hybrid.inner_models.fitting import fit_to_codes
from augury.hybrid.inner_models.tables import shared_frame, take_columns
from augury.registration import register_model
from augury.structure.model_flow import FlowNode, ModelFlow
from augury.validation import check_table, is_estimator

# Stopping tolerance of the regression, whose probabilities are multiplied by likelihoods.
_TOLERANCE = 1e-7


@register_model()
class SplitClassifier(DrawsStructure, LogScoreClassifier):
    """Split classifier: a generative model of some columns, a discriminative one of the others.

    p(c | x) ∝ p(c | x_D) p(x_G | c): the class probabilities of the discriminative model, given
    its columns D, are the class prior of the generative model of the columns G. The product is
    exact if the two groups of columns are independent given the class.

    D is a parameter of this class; the subclasses choose D from the training rows.

    Parameters
    ----------
    discriminative_columns : list of names, indices or booleans
        D; all other columns are in G.
    generative : generative classifier with `log_prior_`, or None
        None is `NaiveBayes()`.
    discriminative : classifier with `predict_proba`, or None
        None is `LogisticRegression(tol=1e-7)`.
    categorical_features : "from_dtype", "all", or a list of indices, names or booleans
        Which columns of numbers are labels; passed on to both models.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    generative_columns_, discriminative_columns_ : lists of the columns' names
    generative_, discriminative_ : the fitted models, None for one without columns

    Notes
    -----
    With all columns in G it is the generative model, prior included; with all columns in D it is
    the discriminative model. Rubinstein and Hastie (1997) propose that the generative model gets
    the columns that satisfy its assumptions. They leave open how these are found: see
    `IndependenceSplit`.

    Memory in bytes (see `augury.memory`): fit takes `n (d + 9 m + 44) + 16 q s + 100 s`, and
    the model keeps `16 q s + 100 s`. A regression of some columns adds the memory of
    `LogisticRegression` for these.

    References
    ----------
    Y. D. Rubinstein, T. Hastie (1997): Discriminative vs informative learning. KDD 1997, 49-53.

    Examples
    --------
    Two of three rows with sun are "out". The wind "a" has, by Laplace's rule, probability 4/5 in
    "out" and 1/5 in "in". The odds of "out" are therefore 2/1 · 4/1.

    >>> import pandas as pd
    >>> from augury.discriminative import LogisticRegression
    >>> from augury.hybrid import SplitClassifier
    >>> X = pd.DataFrame({"sky": ["sun"] * 3 + ["rain"] * 3, "wind": list("aabbba")})
    >>> y = ["out", "out", "in", "in", "in", "out"]
    >>> model = SplitClassifier(["sky"], discriminative=LogisticRegression(C=1e9)).fit(X, y)
    >>> model.discriminative_columns_, model.generative_columns_
    (['sky'], ['wind'])
    >>> model.predict_proba(X[:1]).round(3)  # 1/9 and 8/9
    array([[0.111, 0.889]])
    """

    def __init__(
        self,
        discriminative_columns: Sequence[Any] = (),
        generative: Classifier | None = None,
        discriminative: Classifier | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.discriminative_columns = discriminative_columns
        self.generative = generative
        self.discriminative = discriminative
        self.categorical_features = categorical_features
        self.class_weight = class_weight

    # ---- methods that a subclass may replace ------------------------------------------

    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""
        for name, wants in (
            ("generative", "predict_joint_log_proba"),
            ("discriminative", "predict_proba"),
        ):
            model = getattr(self, name)
            if model is not None and not (is_estimator(model) and hasattr(model, wants)):
                raise TypeError(
                    f"{self._owner}: {name} must be a classifier with {wants}, or None, got "
                    f"{model!r}"
                )

    def _make_generative(self) -> Any:
        return NaiveBayes() if self.generative is None else self.generative

    def _make_discriminative(self) -> Any:
        if self.discriminative is not None:
            return self.discriminative
        return LogisticRegression(tol=_TOLERANCE)

    def _choose_columns(self, X: Table, codes: Array, weight: Array | None) -> Array:
        """Return for each column whether it is in D."""
        wanted = self.discriminative_columns
        # The words that categorical_features accepts are not allowed.
        if isinstance(wanted, str) or not isinstance(wanted, Iterable):
            raise TypeError(
                f"{self._owner}: discriminative_columns must be a list of columns, got {wanted!r}"
            )
        return requested_columns(
            self._owner, wanted, column_names(X), parameter="discriminative_columns"
        )

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Split the columns, and fit both models.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing if both models accept
            missing values.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row, a number of rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight)
        X = self._shared(X)
        names = column_names(X)
        self._is_label = requested_columns(self._owner, self.categorical_features, names)
        self._in_d = self._choose_columns(X, codes, weight)
        self.discriminative_columns_: list[str] = [names[j] for j in np.flatnonzero(self._in_d)]
        self.generative_columns_: list[str] = [names[j] for j in np.flatnonzero(~self._in_d)]
        self.generative_: Any = self._fit_part(
            self._make_generative(), ~self._in_d, X, codes, weight
        )
        self.discriminative_: Any = self._fit_part(
            self._make_discriminative(), self._in_d, X, codes, weight
        )
        if self.generative_ is not None and not hasattr(self.generative_, "log_prior_"):
            raise TypeError(
                f"{self._owner}: generative must be a model whose prior can be replaced (with "
                f"log_prior_), got {self.generative_!r}"
            )
        return self

    def _shared(self, X: Table) -> Table:
        """Return a table whose columns are read once for both models and the choice of D."""
        return shared_frame(X, self._make_generative(), self._make_discriminative())

    def _fit_part(
        self, model: Any, columns: Array, X: Table, codes: Array, weight: Array | None
    ) -> Any:
        """Fit a clone to some columns and to classes 0, 1, …; return None without columns."""
        if not columns.any():
            return None
        model = clone(model)
        # Indices of columns in the whole table differ from those in its part.
        if self._is_label.any() and "categorical_features" in model.get_params(deep=False):
            model.set_params(categorical_features=self._is_label[columns].tolist())
        part = take_columns(X, columns)
        return fit_to_codes(model, part, codes, len(self.classes_), weight, self._owner)

    def _encode(self, X: Table, codes: Array, weight: Array | None) -> CategoricalTable:
        """Return all columns as categories, as naive Bayes reads them."""
        reader = self._make_generative()
        encoder = TableEncoder(
            categorical_features=self._is_label.tolist(),
            missing=getattr(reader, "missing", "state"),
            discretizer=getattr(reader, "discretizer", None) or "mdl",
            n_jobs=getattr(reader, "n_jobs", None),
        )
        return encoder.learn_and_encode(X, codes, weight, self._owner)

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_columns, n_classes = self.n_features_in_, len(self.classes_)
        in_d = check_flags(self, "_in_d", n_columns)
        check_flags(self, "_is_label", n_columns)
        for name, template, columns in (
            ("generative_", self._make_generative(), ~in_d),
            ("discriminative_", self._make_discriminative(), in_d),
        ):
            part = getattr(self, name)
            require((part is not None) == columns.any(), self, name, "present if it has columns")
            if part is not None:
                require(type(part) is type(template), self, name, "as the parameters say")
                check_codes_of_classes(self, name, part, n_classes)
                names = getattr(self, "feature_names_in_", None)
                own = None if names is None else names[columns]
                check_reads(self, name, part, int(columns.sum()), own)
        if self.generative_ is not None:
            codes = np.asarray(self.generative_.classes_)
            fits = np.array_equal(codes, np.arange(n_classes))
            require(fits, self, "generative_", "a model of all classes")
            check_logs(self.generative_, "log_prior_", n_classes)

    def _predict_log_scores(self, X: Table) -> Array:
        """Return log p(c | x) up to a constant of each row."""
        check_is_fitted(self)
        X = self._shared(check_table(self, X, reset=False))
        if self.discriminative_ is None:
            return self._log_joint(X)
        part = take_columns(X, self._in_d)
        scores = np.full((X.shape[0], len(self.classes_)), -np.inf)
        known = np.asarray(self.discriminative_.classes_, dtype=np.intp)
        scores[:, known] = _log_proba(self.discriminative_, part)
        if self.generative_ is not None:
            scores += self._log_joint(X) - self.generative_.log_prior_
        return scores

    def _log_joint(self, X: Table) -> Array:
        part = take_columns(X, ~self._in_d)
        return np.asarray(self.generative_.predict_joint_log_proba(part))

    # ---- explaining -------------------------------------------------------------------

    def _attribute(
        self, X: Table, weights: Array, n_permutations: int | None, terms: Array | None = None
    ) -> Attribution:
        """Return the sum of the attributions of both models."""
        if (np.isneginf(self._predict_log_scores(X)) & (weights != 0)).any():
            return super()._attribute(X, weights, n_permutations)
        found = Attribution.of_nothing(*X.shape).plus_prior(-weights @ self._replaced_prior)
        for model, columns in self._parts():
            classes = np.asarray(model.classes_, dtype=np.intp)
            part = attribute(model, take_columns(X, columns), weights[:, classes], n_permutations)
            found += part.among(columns, X.shape[1])
        return found

    def _partial_scores(self, X: Table) -> PartialScores:
        parts = [
            (partial_scores(model, take_columns(X, columns)), model, columns)
            for model, columns in self._parts()
        ]

        def score(rows: IntegerArray, known: BoolArray) -> Array:
            total = np.tile(-self._replaced_prior, (len(rows), 1))
            for part, model, columns in parts:
                own = np.full(total.shape, -np.inf)
                own[:, np.asarray(model.classes_, dtype=np.intp)] = part(rows, known[:, columns])
                total += own
            return total

        return score

    def _drawing(self) -> Drawing:
        groups = {
            id(self.generative_): self.generative_columns_,
            id(self.discriminative_): self.discriminative_columns_,
        }
        columns = [FlowNode("columns", tuple(groups[id(model)])) for model, _ in self._parts()]
        models = [
            FlowNode("model", (type(model).__name__,), (own,))
            for (model, _), own in zip(self._parts(), columns, strict=True)
        ]
        last = FlowNode("class", ("class",), tuple(models))
        return ModelFlow((*columns, *models, last), "Columns split between two models")

    def _parts(self) -> list[tuple[Any, Array]]:
        """Return the models that have columns, and the indices of these."""
        parts = ((self.generative_, ~self._in_d), (self.discriminative_, self._in_d))
        return [(model, np.flatnonzero(own)) for model, own in parts if model is not None]

    @property
    def _replaced_prior(self) -> Array:
        """The prior of the generative model that the discriminative model replaces."""
        if self.generative_ is None or self.discriminative_ is None:
            return np.zeros(len(self.classes_))
        return np.asarray(self.generative_.log_prior_)


def _log_proba(model: Any, X: Table) -> Array:
    if hasattr(model, "predict_log_proba"):
        return np.asarray(model.predict_log_proba(X))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(model.predict_proba(X)))
