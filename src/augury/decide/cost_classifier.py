"""Decisions of least expected cost."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray, IntegerArray
from augury.decide.cost_matrix import Costs, as_lists, cost_matrix, from_lists, least_cost
from augury.decide.decision_classifier import DecisionClassifier
from augury.decide.held_out_rows import predict_held_out
from augury.encode import code_known_classes
from augury.fitted_state import check_floats, check_real
from augury.foreign import Classifier, Labels, Table
from augury.validation import check_flag, check_sample_weight


class CostClassifier(DecisionClassifier):
    r"""Classifier that decides for the class of the least expected cost.

    .. math:: \hat c(x) = \arg\min_j \sum_c p(c | x)\, cost_{jc}

    The probabilities are those of the wrapped classifier. For two classes this is a threshold: the
    second class is predicted if its probability is at least
    (cost₁₀ - cost₀₀) / (cost₁₀ - cost₀₀ + cost₀₁ - cost₁₁).

    Parameters
    ----------
    estimator : classifier with predict_proba, or None
        None is `NaiveBayes()`. The better its probabilities are calibrated, the lower the cost.
    costs : dict {predicted: {true: cost}}, array of shape (n_classes, n_classes), or None
        Cost of each prediction (row) where a class is true (column), in the order of `classes_`.
        In a dict, correct predictions cost 0 unless they are given. Costs may be negative:
        benefits. None: every wrong prediction costs 1.
    estimate : bool, default=False
        Whether the cost of new rows is estimated from held-out predictions, which takes five more
        fits, or one to a table of 20,000 rows or more.

    Attributes
    ----------
    estimator_ : the fitted classifier
    classes_ : array of shape (n_classes,)
    costs_ : array of shape (n_classes, n_classes)
        Predicted × true.
    mean_cost_ : float or None
        Mean cost of held-out rows; None unless `estimate`.
    constant_cost_ : float or None
        Mean cost of the same rows if the cheapest class is always predicted; None unless
        `estimate`.

    References
    ----------
    C. Elkan (2001): The foundations of cost-sensitive learning. Proceedings of the 17th
    International Joint Conference on Artificial Intelligence, 973-978.

    Examples
    --------
    To miss a "yes" costs ten times as much as a false alarm. p(yes | sun) = 5/14 is enough.

    >>> from augury.decide import CostClassifier
    >>> from augury.generative import NaiveBayes
    >>> X, y = [["sun"], ["sun"], ["sun"], ["rain"]], ["no", "no", "yes", "no"]
    >>> costs = {"no": {"yes": 10}, "yes": {"no": 1}}
    >>> model = CostClassifier(NaiveBayes(), costs).fit(X, y)
    >>> model.predict([["sun"]]).item(), NaiveBayes().fit(X, y).predict([["sun"]]).item()
    ('yes', 'no')
    >>> model.expected_cost([["sun"]]).round(3).item()  # 9/14 · 1
    0.643
    """

    def __init__(
        self,
        estimator: Classifier | None = None,
        costs: Costs = None,
        *,
        estimate: bool = False,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.estimate = estimate

    # A file holds costs as pairs: the keys of its dicts are text or whole numbers.

    def __getstate__(self) -> Any:
        return {**super().__getstate__(), "costs": as_lists(self.costs)}

    def __setstate__(self, state: Any) -> None:
        costs = state.get("costs")
        if isinstance(costs, list) and costs and isinstance(costs[0], tuple):
            state = {**state, "costs": from_lists(costs)}
        super().__setstate__(state)

    def _check_parameters(self) -> None:
        check_flag(self._owner, "estimate", self.estimate)

    def _learn(
        self, X: Table, classes: Array, codes: IntegerArray, sample_weight: ArrayLike | None
    ) -> None:
        self.costs_ = cost_matrix(self._owner, self.costs, classes.tolist())
        self.mean_cost_ = self.constant_cost_ = None
        if not self.estimate:
            return
        held = predict_held_out(self._owner, self._inner, X, classes, codes, sample_weight)
        decided = least_cost(held.probabilities, self.costs_)
        self.mean_cost_ = float(np.average(self.costs_[decided, held.codes], weights=held.weight))
        of_class = np.bincount(held.codes, held.weight, len(classes))
        self.constant_cost_ = float((self.costs_ @ of_class).min() / of_class.sum())

    def _decide(self, probabilities: FloatArray) -> IntegerArray:
        return least_cost(probabilities, self.costs_)

    def expected_cost(self, X: Table) -> FloatArray:
        """Return Σ_c p(c | x) cost of the decision for each row."""
        check_is_fitted(self)
        return np.asarray((self.predict_proba(X) @ self.costs_.T).min(axis=1))

    def mean_cost(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> float:
        """Return the mean cost of the decisions for rows whose classes are known."""
        predicted = self._decide(self.predict_proba(X))
        true = code_known_classes(self._owner, y, self.classes_, len(predicted))
        weight = check_sample_weight(self._owner, sample_weight, len(true))
        return float(np.average(self.costs_[predicted, true], weights=weight))

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_classes = len(self.classes_)
        check_floats(self, "costs_", n_classes, n_classes)
        for name in ("mean_cost_", "constant_cost_"):
            if getattr(self, name) is not None:
                check_real(self, name)


__all__ = ["CostClassifier"]
