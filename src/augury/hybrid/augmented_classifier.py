"""Class probabilities of one model as features of another."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.attribution import Attribution
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.partial_scores import PartialScores, log_scores
from augury.bases.table_classifier import ROWS_TO_PREDICT, TableClassifier
from augury.discriminative import LogisticRegression
from augury.discriminative.readers.matrix_reader import ENCODINGS
from augury.fitted_state import check_codes_of_classes, check_part, check_reads, require
from augury.foreign import Classifier, Labels, Table
from augury.hybrid.generative_features import FOLDS_OF_AUTO, GenerativeFeatures
from augury.hybrid.inner_models.fitting import fit_to_codes
from augury.hybrid.inner_models.tables import as_frame, shared_table, with_fitted_names
from augury.hybrid.meta_features.class_probabilities import Folds, predict_declared_proba
from augury.hybrid.meta_features.explained_hybrid import chained_attribution, hybrid_scores
from augury.hybrid.meta_features.original_column_cuts import OriginalColumnCuts
from augury.hybrid.meta_features.published_hybrids import PUBLISHED, published_parts
from augury.memory import columns_named, require_bytes
from augury.predict_once import has_predict_with_proba
from augury.registration import register_model
from augury.structure.model_flow import FlowNode, ModelFlow
from augury.validation import check_table, is_estimator

# Tables of the size of the meta-features that are in memory during a fit.
_TABLES_OF_META_FEATURES = 4


def _decides_by_probabilities(model: Any) -> bool:
    return hasattr(model._last, "predict_proba")


def _decides_once(model: Any) -> bool:
    return has_predict_with_proba(model._last)


@register_model(
    "hybrid",
    "Logistic regression on one-hot columns plus HNB log odds",
    parameters={"estimator": {"class": "hnb"}},
)
class AugmentedClassifier(DrawsStructure, TableClassifier):
    """Augmented classifier (NB-LR and others): class probabilities of one model as meta-features.

    `estimator` is fitted to the rows. Its p(c | x) of all classes, or their log odds, are
    appended to the columns of each row. `final_estimator` is fitted to all these columns and
    predicts the class.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or None
        None is `NaiveBayes()`.
    final_estimator : classifier or None
        None is a `LogisticRegression` whose continuous columns are both cut into intervals and
        standardised. Meta-features are standardised only.
    output, encoding, scaling, cv : see `GenerativeFeatures`
        What is appended, how the original columns are passed on, how the meta-features are
        scaled, and which rows the meta-features of a training row are estimated from. With
        "as_is" the final model gets a data frame. Indicators are a sparse matrix if the final
        model reads one, and an array otherwise.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows for the final model; see
        docs/weights.md. With it, cv="auto" is 5.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    features_ : the fitted `GenerativeFeatures`
    estimator_, final_estimator_ : the fitted models
    augmented_names_ : list of the names of the appended columns

    Notes
    -----
    `AugmentedClassifier.as_published("nb-lr")` is the NB-LR of Zhang, Jiang and Zhang (2022),
    which gives LIBLINEAR the integer index of each label as a number. The defaults differ: they
    are the best of docs/results/augmentation.md, where no preprocessing sees a test row.
    `AugmentedClassifier(HiddenNaiveBayes())` had the lowest log loss there; its fit takes d²
    instead of d steps for a row of d columns.

    With q classes there are q meta-features, so a final regression takes q² steps for a row. A
    table on which a part takes more than ten minutes (for each 100,000 rows), or more memory than
    there is, is refused before it is read.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + 26 m + 60 q + 60) + 16 s² + 320 q
    s`, and the model keeps `32 q s + 270 s`. With `estimator=HiddenNaiveBayes()` fit takes `n
    (3 d + 26 m + 60 q + 60) + 16 s² + 8 q s² + 8 q (s + d + m)²`, and the model keeps `8 q s² +
    8 q (s + d + m)² + 270 s`.

    References
    ----------
    W. Zhang, L. Jiang, H. Zhang (2022): A feature augmentation-based method for constructing
    generative-discriminative hybrid models (in Chinese). Scientia Sinica Informationis 52.

    Examples
    --------
    >>> from augury.hybrid import AugmentedClassifier
    >>> X = [["sun", "dry"], ["sun", "wet"], ["rain", "wet"], ["rain", "dry"]]
    >>> y = ["out", "out", "in", "in"]
    >>> model = AugmentedClassifier(encoding="none").fit(X, y)
    >>> model.augmented_names_
    ['log_odds(out)']
    >>> model.predict(X).tolist()
    ['out', 'out', 'in', 'in']
    """

    def __init__(
        self,
        estimator: Classifier | None = None,
        final_estimator: Classifier | None = None,
        output: str = "log_odds",
        encoding: str = "as_is",
        scaling: str | None = None,
        cv: Folds = "auto",
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.estimator = estimator
        self.final_estimator = final_estimator
        self.output = output
        self.encoding = encoding
        self.scaling = scaling
        self.cv = cv
        self.class_weight = class_weight

    @classmethod
    def as_published(cls, name: str) -> Self:
        """Return a hybrid of Zhang, Jiang and Zhang (2022) as it was computed.

        Columns must be labels, or be cut into intervals beforehand: the final model gets
        numbers as numbers.

        Parameters
        ----------
        name : {"nb-lr", "hnb-lr", "lr-lr", "nb-nb", "lr-nb"}

        Examples
        --------
        >>> AugmentedClassifier.as_published("nb-nb").final_estimator
        NaiveBayes(continuous='interval', missing='replace')
        """
        return cls(**published_parts(f"{cls.__name__}.as_published", name))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._accepts_sparse
        return tags

    @property
    def _last(self) -> Classifier:
        return LogisticRegression() if self.final_estimator is None else self.final_estimator

    @property
    def _accepts_sparse(self) -> bool:
        """Whether every model that gets the original columns reads a sparse matrix."""
        last = self.encoding == "none" or (
            is_estimator(self._last) and get_tags(self._last).input_tags.sparse
        )
        return bool(last and self._make_features()._accepts_sparse)

    def _make_features(self) -> GenerativeFeatures:
        # Leaving out one row changes the log odds by an amount that depends on its class. Weights
        # of classes can make this amount large in the unit of the final model.
        is_auto = isinstance(self.cv, str) and self.cv == "auto"
        cv = FOLDS_OF_AUTO if is_auto and self.class_weight is not None else self.cv
        return GenerativeFeatures(self.estimator, self.output, self.encoding, self.scaling, cv)

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the first model, compute the meta-features, and fit the final model.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing if both models accept missing
            values. A sparse matrix is accepted if the models read one.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row, a number of rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        features = self._make_features()
        features.check_parameters(self._owner)
        if not (is_estimator(self._last) and hasattr(self._last, "predict")):
            raise TypeError(
                f"{self._owner}: final_estimator must be a classifier with predict, or None, got "
                f"{self.final_estimator!r}"
            )
        # A cv of row indices counts all rows, those of weight zero too.
        X, codes, weight = self._check_training(
            X,
            y,
            sample_weight,
            keep_rows=True,
            weigh_classes=False,
            accept_sparse=self._accepts_sparse,
        )
        X = self._shared(X)
        with columns_named(self._owner, []):
            self._fit_models(features, X, codes, weight)
        return self

    def _fit_models(
        self, features: GenerativeFeatures, X: Table, codes: Array, weight: Array | None
    ) -> None:
        meta_features = features.learn(
            X,
            codes,
            self.classes_,
            weight,
            self._owner,
            sparse_indicators=get_tags(self._last).input_tags.sparse,
        )
        self.features_ = features
        last = self._last
        if self.final_estimator is None:
            last.set_params(discretizer=OriginalColumnCuts(len(features.augmented_names_)))
        self.final_estimator_: Any = fit_to_codes(
            last,
            features.join(as_frame(X), meta_features),
            codes,
            len(self.classes_),
            self._weigh_classes(self.classes_, codes, weight),
            self._owner,
        )

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        """Raise if the first model of all rows, the meta-features or the final model cost too much.

        The first model predicts all training rows, for their meta-features.
        """
        n_features = 1 if n_classes == 2 and self.output == "log_odds" else n_classes
        require_bytes(
            8 * _TABLES_OF_META_FEATURES * n_rows * n_features,
            f"{n_features:,} meta-features of {n_rows:,} rows",
            owner=self._owner,
            advice="merge rare classes, or take a model without meta-features, such as "
            "LogisticRegression or NaiveBayes",
        )
        passed = 0 if self.encoding == "none" else n_columns
        parts = ((self._make_features()._first, n_columns), (self._last, passed + n_features))
        with columns_named(self._owner, []):
            for model, width in parts:
                if isinstance(model, TableClassifier):
                    model._require_size(n_rows, width, n_classes, n_predicted=n_rows)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_classes, n_columns = len(self.classes_), self.n_features_in_
        features = check_part(self, "features_", GenerativeFeatures)
        parameters = ("output", "encoding", "scaling")
        fits = all(getattr(features, name) == getattr(self, name) for name in parameters)
        fits = fits and type(features._first) is type(self._make_features()._first)
        require(fits, self, "features_", "made with its parameters")
        require(len(features.classes_) == n_classes, self, "features_", "of its classes")
        names = getattr(self, "feature_names_in_", None)
        check_reads(self, "features_", features.estimator_, n_columns, names)
        passed = n_columns if self.encoding == "as_is" else 0
        if features._reader is not None:
            check_reads(self, "features_", features._reader.encoder, n_columns, names)
            passed = len(features._reader.names)
        last = self.final_estimator_
        fits = type(last) is type(self._last) and hasattr(last, "classes_")
        require(fits, self, "final_estimator_", "a fitted copy of final_estimator")
        check_codes_of_classes(self, "final_estimator_", last, n_classes)
        n_last = passed + len(features.augmented_names_)
        known = getattr(last, "feature_names_in_", features.augmented_names_)
        check_reads(self, "final_estimator_", last, n_last)
        fits = list(known)[-len(features.augmented_names_) :] == features.augmented_names_
        require(fits, self, "final_estimator_", "a model of these columns")
        if self.encoding == "as_is" and names is not None and len(known) == n_last:
            require(list(known)[:passed] == list(names), self, "final_estimator_", "of its names")

    @property
    def estimator_(self) -> Any:
        """The first model, fitted to all rows."""
        return self.features_.estimator_

    @property
    def augmented_names_(self) -> list[str]:
        """The names of the appended columns."""
        return self.features_.augmented_names_

    # ---- predicting -------------------------------------------------------------------

    def _augmented(self, X: Table) -> Table:
        check_is_fitted(self)
        X = self._shared(self._check_explained(X))
        return self.features_.join(as_frame(X), self.features_.compute(X))

    def _check_explained(self, X: Table) -> Table:
        X = check_table(self, X, reset=False, accept_sparse=self._accepts_sparse)
        return with_fitted_names(self, X)

    def _shared(self, X: Table) -> Table:
        """Return a table whose columns are read once for all models that get them."""
        first = self._make_features()._first
        reads_matrix = self.encoding in ENCODINGS  # then the final model gets no table
        return shared_table(X, first) if reads_matrix else shared_table(X, first, self._last)

    # ---- explaining -------------------------------------------------------------------

    def _explained_scores(self, X: Table) -> Array:
        augmented = self._augmented(X)
        scores = np.full((augmented.shape[0], len(self.classes_)), -np.inf)
        codes = np.asarray(self.final_estimator_.classes_, dtype=np.intp)
        scores[:, codes] = log_scores(self.final_estimator_, augmented)
        return scores

    def _partial_scores(self, X: Table) -> PartialScores:
        return hybrid_scores(self.features_, self.final_estimator_, X, self._shared(X))

    def _attribute(
        self, X: Table, weights: Array, n_permutations: int | None, terms: Array | None = None
    ) -> Attribution:
        shared = self._shared(X)
        augmented = self.features_.join(as_frame(shared), self.features_.compute(shared))
        chained = chained_attribution(
            self.features_, self.final_estimator_, shared, augmented, weights, n_permutations
        )
        return super()._attribute(X, weights, n_permutations) if chained is None else chained

    def _drawing(self) -> Drawing:
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{j}" for j in range(self.n_features_in_)]
        columns = FlowNode("columns", tuple(map(str, names)))
        inner = FlowNode("model", (type(self.estimator_).__name__,), (columns,))
        meta = FlowNode("meta-features", tuple(self.augmented_names_), (inner,))
        inputs = (meta,) if self.encoding == "none" else (columns, meta)
        final = FlowNode("model", (type(self.final_estimator_).__name__,), inputs)
        last = FlowNode("class", ("class",), (final,))
        return ModelFlow((columns, inner, meta, final, last), "A model with meta-features")

    # ---- classes ----------------------------------------------------------------------

    @available_if(_decides_by_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Table) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        augmented = self._augmented(X)
        return predict_declared_proba(self.final_estimator_, augmented, len(self.classes_))

    def predict(self, X: Table) -> Array:
        """Return the class of each row that the final model predicts."""
        augmented = self._augmented(X)
        best = np.asarray(self.final_estimator_.predict(augmented), dtype=np.intp)
        predicted: Array = self.classes_[best]
        return predicted

    @available_if(_decides_once)  # type: ignore[untyped-decorator]
    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        augmented = self._augmented(X)
        codes, known = self.final_estimator_.predict_with_proba(augmented)
        predicted: Array = self.classes_[np.asarray(codes, dtype=np.intp)]
        proba = np.zeros((augmented.shape[0], len(self.classes_)))
        proba[:, np.asarray(self.final_estimator_.classes_, dtype=np.intp)] = known
        return predicted, proba


for _name in PUBLISHED:
    register_model(
        _name,
        f"{_name.upper()} of Zhang, Jiang and Zhang, exactly as published in 2022",
        factory="as_published",
        parameters={"name": _name},
    )(AugmentedClassifier)
