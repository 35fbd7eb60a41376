"""Base class of the classifiers that split the log odds of a row into contributions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, IntegerArray
from augury.bases.attribution import Attribution
from augury.bases.partial_scores import (
    PartialScores,
    floor_scores,
    input_names,
    log_scores,
    missing_value_scores,
    partial_scores,
    predicted_scores,
)
from augury.bases.shapley import attribute_by_shapley
from augury.foreign import Table
from augury.validation import check_integer, is_pandas

if TYPE_CHECKING:
    import pandas as pd


class ExplainedClassifier:
    """Base class of the classifiers that explain their log odds.

    `explain` splits the log odds of a row into contributions of its columns. By default these
    are Shapley values of the game in which the columns outside of a coalition are left out. A
    subclass may write

    - `_score_terms`, if the scores are sums over the columns: the terms;
    - `_partial_scores`: the scores of rows of which some columns are left out, in the model's own
      way; by default the values of these columns are missing;
    - `_attribute`, if the model consists of other models: the sum of their attributions;
    - `_used_columns`: the columns that the model uses, if it does not use all.
    """

    classes_: Array
    n_features_in_: int
    # Returns X as a table with the model's columns, or raises: a method of `TableClassifier`.
    _check_explained: Callable[[Table], Table]

    def explain(
        self,
        X: Table,
        positive: Hashable = None,
        negative: Hashable = None,
        *,
        n_permutations: int | None = None,
    ) -> pd.DataFrame:
        """Return the contributions of the columns to the log odds of each row.

        The contributions of a row and its `prior` sum to
        log p(positive | x) - log p(negative | x). Those above zero favour the positive class,
        those below zero the negative class.

        Parameters
        ----------
        X : rows, as in `predict`
        positive, negative : two classes, or None
            If both are None, the second of two classes against the first; with more
            classes, the most probable class of each row against the next. If one is None,
            the other one against the most probable of the remaining classes.
        n_permutations : even number >= 4, or None
            Permutations for Shapley values. All subsets of the columns are taken instead if
            they are no more than these permutations need. None is 128, and fewer for more than
            100 columns. A model whose log odds are a sum needs no permutations.

        Returns
        -------
        DataFrame
            One row for each row of X; the columns are `prior`, the log odds if every column is
            left out, and the columns of X. `attrs["method"]` is "terms" (the log odds are a
            sum over the columns), "shapley" (exact Shapley values) or "sampled" (Shapley values
            of sampled permutations). `attrs["largest_standard_error"]` is 0 for the first two. A
            notebook shows the first rows as bars.

        Notes
        -----
        docs/explain.md has the formulas, and what "left out" means for each class. A model
        without probabilities (`LinearSVM`) splits the difference of the decision values. A
        probability of zero counts as the smallest normal number, 2e-308.
        """
        return self.explain_with_errors(X, positive, negative, n_permutations=n_permutations)[0]

    def explain_with_errors(
        self,
        X: Table,
        positive: Hashable = None,
        negative: Hashable = None,
        *,
        n_permutations: int | None = None,
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return what `explain` returns, and the standard errors of the contributions.

        The standard errors are 0, unless permutations were sampled. The sum over the columns is
        exact in either case.
        """
        import pandas as pd

        from augury.bases.explanation import Explanation

        check_is_fitted(self)
        if n_permutations is not None:
            owner = f"{type(self).__name__}.explain"
            # Two pairs are the least from which an error can be estimated.
            if check_integer(owner, "n_permutations", n_permutations, at_least=4) % 2:
                raise ValueError(
                    f"{owner}: n_permutations must be an even integer >= 4, got {n_permutations!r}"
                )
        given, index = X, X.index if is_pandas(X) else None
        X = self._check_explained(X)
        terms = self._score_terms(X)
        scores = self._explained_scores(X) if terms is None else terms.sum(axis=1)
        weights = self._pair_weights(floor_scores(scores), positive, negative)
        found = self._attribute(X, weights, n_permutations, terms)
        names = ["prior", *input_names(X)]
        parts = np.column_stack([found.prior, found.contributions])
        errors = np.sqrt(np.column_stack([np.zeros(len(parts)), found.variance]))
        pairs = self.classes_[np.column_stack([weights.argmax(axis=1), weights.argmin(axis=1)])]
        explained = Explanation(parts, names, index, pairs, given)
        # Plain values: pandas compares the attributes of frames that it joins.
        explained.attrs = {
            "method": found.method,
            "largest_standard_error": float(errors.max(initial=0.0)),
        }
        return explained, pd.DataFrame(errors, columns=names, index=index)

    # ---- methods that a subclass may replace ------------------------------------------

    def _explained_scores(self, X: Table) -> Array:
        """Return log p(c | x) up to a constant of each row; -inf for a probability of zero."""
        return predicted_scores(self, X)

    def _score_terms(self, X: Table) -> Array | None:
        """Return the terms of the scores, or None if the scores are not sums over the columns.

        The shape is (n_samples, 1 + n_features, n_classes). The first term is the score without
        columns, and -inf for a class of probability zero; the others are finite.
        """
        return None

    def _partial_scores(self, X: Table) -> PartialScores:
        """Return a function for the scores of rows of which some columns are left out."""
        return missing_value_scores(self._explained_scores, X)

    def _used_columns(self) -> IntegerArray:
        """Return the indices of the columns that can have an effect."""
        return np.arange(self.n_features_in_)

    def _attribute(
        self, X: Table, weights: Array, n_permutations: int | None, terms: Array | None = None
    ) -> Attribution:
        """Return the attribution of Σ_c w_c score_c of checked rows, where Σ_c w_c = 0.

        `terms` are those of `_score_terms`, if they are known.
        """
        if terms is None:
            terms = self._score_terms(X)
        if terms is not None:
            infinite = np.isneginf(terms[:, 0])
            if not (infinite & (weights != 0)).any():
                if infinite.any():
                    terms = np.where(infinite[:, None], 0.0, terms)
                return Attribution.of_terms(terms, weights)
        return attribute_by_shapley(
            self._partial_scores(X),
            floor_scores(self._explained_scores(X)),
            weights,
            X.shape[1],
            self._used_columns(),
            n_permutations,
        )

    # ---- the two classes --------------------------------------------------------------

    def _pair_weights(self, scores: Array, positive: Hashable, negative: Hashable) -> Array:
        """Return weights that are 1 for the positive class of each row, -1 for the negative."""
        if positive is None and negative is None and len(self.classes_) == 2:
            positive, negative = self.classes_[1], self.classes_[0]
        ranked = np.argsort(-scores, axis=1, kind="stable")
        over = under = ranked[:, 0]
        if positive is not None:
            over = np.full(len(scores), self._class_index("positive", positive))
        if negative is not None:
            under = np.full(len(scores), self._class_index("negative", negative))
        if positive is not None and negative is not None and (over == under).any():
            raise ValueError(
                f"{type(self).__name__}.explain: positive and negative must be two classes, got "
                f"{positive!r} for both"
            )
        # If one of the two is None: the most probable class that is not the other.
        if negative is None:
            under = np.where(ranked[:, 0] == over, ranked[:, 1], ranked[:, 0])
        elif positive is None:
            over = np.where(ranked[:, 0] == under, ranked[:, 1], ranked[:, 0])
        rows = np.arange(len(scores))
        weights = np.zeros(scores.shape)
        weights[rows, over] += 1.0
        weights[rows, under] -= 1.0
        return weights

    def _class_index(self, parameter: str, label: Hashable) -> int:
        found = np.flatnonzero(self.classes_ == label)
        if len(found) != 1:
            raise ValueError(
                f"{type(self).__name__}.explain: {parameter} must be one of the classes "
                f"{self.classes_.tolist()}, got {label!r}"
            )
        return int(found[0])


def attribute(
    model: Any, X: Table, weights: Array, n_permutations: int | None = None
) -> Attribution:
    """Return the attribution of Σ_c w_c score_c of rows, by any classifier.

    The values of columns that are left out are missing, if the model is not one of augury.
    """
    if isinstance(model, ExplainedClassifier):
        return model._attribute(model._check_explained(X), weights, n_permutations)
    return attribute_by_shapley(
        partial_scores(model, X),
        floor_scores(log_scores(model, X)),
        weights,
        X.shape[1],
        np.arange(X.shape[1]),
        n_permutations,
    )


__all__ = ["ExplainedClassifier", "attribute"]
