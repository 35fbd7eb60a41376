"""Base class of the hybrids of regions."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.attribution import Attribution
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import floor_scores
from augury.fitted_state import (
    LARGEST_COUNT,
    LARGEST_LOG,
    check_float_array,
    check_floats,
    check_part,
    check_present_classes,
    check_reads,
    require,
)
from augury.foreign import Labels, Matrix, Table
from augury.generative import MultinomialNaiveBayes
from augury.hybrid.inner_models.fitting import declared_codes
from augury.hybrid.regions.region_loss import RegionLoss, find_weights, region_scores
from augury.hybrid.regions.region_reader import RegionReader
from augury.validation import check_choice, check_integer, check_number, check_table, is_pandas

if TYPE_CHECKING:
    import pandas as pd

WEIGHTS = ("shared", "by_class")

# Limit of the weights of regions in a file; they are near 1.
_LARGEST_WEIGHT = 1e6


class RegionClassifier(LogScoreClassifier):
    """Base class of the models that weight the log likelihoods of a naive Bayes of each region.

    p(c | x) ∝ exp(Σ_r λ_r s_r log p_r(x_r | c) + μ_c), where p_r is the multinomial naive Bayes of
    region r, and s_r a power of the mean length of the region divided by the length in the row. λ
    and μ are learned from leave-one-out estimates of p_r.
    """

    models_: dict[str, MultinomialNaiveBayes]
    region_weights_: Array

    alpha: float
    C: float
    weights: str = "shared"
    length_power: float = 0.0
    regions: Any
    vectorizer: Any
    max_iter: int
    tol: float

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # With few columns multinomial naive Bayes depends on their ratio only.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        check_number(self._owner, "alpha", self.alpha, at_least=0)
        check_number(self._owner, "C", self.C, above=0)
        check_choice(self._owner, "weights", self.weights, WEIGHTS)
        check_number(self._owner, "length_power", self.length_power, at_least=0)
        check_integer(self._owner, "max_iter", self.max_iter, at_least=1)
        check_number(self._owner, "tol", self.tol, above=0)

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate a naive Bayes of each region, then the weights of the regions.

        Parameters
        ----------
        X : counts, dense or sparse, or a data frame; or text, with a `vectorizer`
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them; their probability is 0.
        sample_weight : weight of each row, a number of rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight, accept_sparse=True)
        self._reader = RegionReader(self.regions, self.vectorizer)
        tables = self._reader.learn_and_split(X, self._owner)
        self.region_names_: list[str] = self._reader.names
        self.vectorizers_: dict[str, Any] = self._reader.vectorizers
        self._present = np.flatnonzero(np.bincount(codes, minlength=len(self.classes_)))
        self.models_ = {
            name: self._fit_region(name, table, codes, weight)
            for name, table in zip(self.region_names_, tables, strict=True)
        }
        target = declared_codes(codes, len(self.classes_))
        left_out = [
            model.leave_one_out_events(table, target, weight)
            for model, table in zip(self.models_.values(), tables, strict=True)
        ]
        log_likelihoods = [likelihood for likelihood, _ in left_out]
        n_events = np.column_stack([number for _, number in left_out])
        self._learn_scale(n_events, weight)
        self._fit_weights(self._scaled(log_likelihoods, n_events), tables, codes, weight)
        return self

    def _fit_region(
        self, name: str, table: Matrix, codes: Array, weight: Array | None
    ) -> MultinomialNaiveBayes:
        # μ contains the class shares, so the models of the regions have uniform priors.
        uniform = np.full(len(self.classes_), 1.0 / len(self.classes_))
        model = MultinomialNaiveBayes(alpha=self.alpha, priors=uniform)
        try:
            return model.fit(table, declared_codes(codes, len(self.classes_)), sample_weight=weight)
        except ValueError as error:
            raise ValueError(f"{self._owner}: region {name!r}: {error}") from error

    def _learn_scale(self, n_events: Array, weight: Array | None) -> None:
        """Compute the mean number of events of each region over the rows that have events."""
        rows = (n_events > 0) * (1.0 if weight is None else weight[:, None])
        total = np.maximum(rows.sum(axis=0), np.finfo(float).tiny)
        mean = (rows * n_events).sum(axis=0) / total
        self.mean_lengths_: Array = np.where(mean > 0, mean, 1.0)

    def _fit_weights(
        self,
        log_likelihoods: Array,
        tables: list[Matrix],
        codes: Array,
        weight: Array | None,
    ) -> None:
        present = self._present
        place = np.searchsorted(present, codes)
        loss = RegionLoss(
            log_likelihoods[:, :, present],
            place,
            weight,
            self.C,
            by_class=self.weights == "by_class",
        )
        n_rows = float(len(codes) if weight is None else weight.sum())
        found = find_weights(loss, tolerance=self.tol * n_rows, max_iter=self.max_iter)
        self._warn_unless_converged(found.n_iter, found.gradient_size / n_rows)
        self.n_iter_: int = found.n_iter
        self.intercept_: Array = np.full(len(self.classes_), -np.inf)
        self.intercept_[present] = found.intercepts
        if self.weights == "shared":
            self.region_weights_ = found.weights[:, 0].copy()
        else:
            self.region_weights_ = np.ones((len(found.weights), len(self.classes_)))
            self.region_weights_[:, present] = found.weights

    def _warn_unless_converged(self, n_iter: int, gradient: float) -> None:
        # A search that ends before max_iter is limited by rounding; more steps do not help.
        if gradient > self.tol and n_iter >= self.max_iter:
            warnings.warn(
                f"{self._owner}: the weights were still moving after {n_iter} steps (gradient "
                f"{gradient:.2g} > tol): raise max_iter",
                ConvergenceWarning,
                stacklevel=4,
            )

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        reader, n_classes = check_part(self, "_reader", RegionReader), len(self.classes_)
        reader._check_fitted_state()
        names = reader.names
        require(self.region_names_ == names, self, "region_names_", "those of its reader")
        fits = isinstance(self.models_, dict) and list(self.models_) == names
        require(fits, self, "models_", "one for each region")
        known = getattr(self, "feature_names_in_", None)
        for name, columns in reader._columns.items():
            fits = columns.min() >= 0 and columns.max() < self.n_features_in_
            require(fits, self, "_reader", "one of its columns")
            model = self.models_[name]
            fits = isinstance(model, MultinomialNaiveBayes) and np.array_equal(
                model.classes_, np.arange(n_classes)
            )
            require(fits, self, "models_", "models of all classes")
            if not reader.vectorizers:
                own = None if known is None else known[columns]
                check_reads(self, "models_", model, len(columns), own)
        present = check_present_classes(self, "_present", n_classes)
        absent = np.setdiff1d(np.arange(n_classes), present)
        check_float_array(self, "intercept_", self.intercept_[present], len(present),
                          low=-LARGEST_LOG, high=LARGEST_LOG)  # fmt: skip
        fits = self.intercept_.shape == (n_classes,) and np.isneginf(self.intercept_[absent]).all()
        require(fits, self, "intercept_", "-inf for classes without rows")
        shape = (len(names),) if self.weights == "shared" else (len(names), n_classes)
        check_floats(self, "region_weights_", *shape, low=-_LARGEST_WEIGHT, high=_LARGEST_WEIGHT)
        lengths = check_floats(self, "mean_lengths_", len(names), low=0, high=LARGEST_COUNT)
        with np.errstate(over="ignore"):
            fits = (lengths > 0).all() and (lengths**self.length_power < LARGEST_COUNT).all()
        require(fits, self, "mean_lengths_", "positive, and so that their powers are finite")

    def _count_events(self, tables: list[Matrix]) -> Array:
        models = self.models_.values()
        return np.column_stack(
            [model.count_events(table) for model, table in zip(models, tables, strict=True)]
        )

    def _scaled(self, log_likelihoods: list[Array], n_events: Array) -> Array:
        # Relative to the mean length, so that λ = 1 is naive Bayes for every power.
        ratio = np.divide(
            self.mean_lengths_, n_events, out=np.zeros_like(n_events), where=n_events > 0
        )
        scaled: Array = np.stack(log_likelihoods, axis=1) * (ratio**self.length_power)[:, :, None]
        return scaled

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self)
        return self._scores_of(
            self._reader.split(check_table(self, X, reset=False, accept_sparse=True))
        )

    def _scores_of(self, tables: list[Matrix]) -> Array:
        log_likelihoods = [
            model.predict_joint_log_proba(table) - model.log_prior_
            for model, table in zip(self.models_.values(), tables, strict=True)
        ]
        weights = self.region_weights_.reshape(len(log_likelihoods), -1)
        return region_scores(
            self._scaled(log_likelihoods, self._count_events(tables)), weights, self.intercept_
        )

    # ---- explaining -------------------------------------------------------------------

    def explain_words(
        self, X: Table, positive: Hashable = None, negative: Hashable = None
    ) -> pd.DataFrame:
        """Return the contributions of the words of each region to the log odds of each row.

        The columns are `prior` and `title=goal` for the word "goal" of the region "title"; the
        others are as in `explain`. Pass few rows at a time: there is a column for each word.
        """
        import pandas as pd

        check_is_fitted(self)
        index = X.index if is_pandas(X) else None
        prior, regions = self._region_terms(self._reader.split(self._check_explained(X)))
        terms = np.concatenate([prior[:, None], *regions], axis=1)
        weights = self._pair_weights(floor_scores(terms.sum(axis=1)), positive, negative)
        self._require_rows_of(weights)
        terms[np.isneginf(terms)] = 0.0  # of classes without rows
        found = Attribution.of_terms(terms, weights)
        names = [
            f"{region}={word}"
            for region, model in self.models_.items()
            for word in self._words(region, model)
        ]
        parts = np.column_stack([found.prior, found.contributions])
        return pd.DataFrame(parts, columns=["prior", *names], index=index)

    def _require_rows_of(self, weights: Array) -> None:
        absent = np.delete(np.arange(len(self.classes_)), self._present)
        asked = absent[(weights[:, absent] != 0).any(axis=0)]
        if len(asked):
            raise ValueError(
                f"{self._owner}.explain_words: class {self.classes_[asked[0]]!r} has no training "
                "rows: its log odds are infinite and no sum over words"
            )

    def _words(self, region: str, model: MultinomialNaiveBayes) -> list[str]:
        vectorizer = self._reader.vectorizers.get(region)
        if vectorizer is not None and hasattr(vectorizer, "get_feature_names_out"):
            return [str(word) for word in vectorizer.get_feature_names_out()]
        return [str(name) for name in model.encoder_.features]

    def _region_terms(self, tables: list[Matrix]) -> tuple[Array, list[Array]]:
        """Return μ of each row, and the terms of the features of each region.

        The factor s_r of a row depends on the length of its region, which is taken as given.
        """
        n_samples = tables[0].shape[0]
        powers = self._scaled([np.ones((n_samples, 1))] * len(tables), self._count_events(tables))
        weights = self.region_weights_.reshape(len(tables), -1)
        terms = [
            model._log_terms(model._read(model._check_explained(table)))[1][:, 1:]
            * (powers[:, r] * weights[r])[:, None, :]
            for r, (model, table) in enumerate(zip(self.models_.values(), tables, strict=True))
        ]
        return np.tile(self.intercept_, (n_samples, 1)), terms

    def _score_terms(self, X: Table) -> Array:
        prior, regions = self._region_terms(self._reader.split(X))
        terms = np.zeros((len(prior), 1 + X.shape[1], len(self.classes_)))
        terms[:, 0] = prior
        for (name, columns), part in zip(self._reader._columns.items(), regions, strict=True):
            if self._reader.vectorizers:  # a column of text is a region
                terms[:, 1 + columns[0]] += part.sum(axis=1)
                continue
            source = self.models_[name].encoder_.source_columns()
            for k, j in enumerate(columns[source].tolist()):
                terms[:, 1 + j] += part[:, k]
        return terms
