"""Decisions between two classes by a threshold that is tuned for a measure."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array, FloatArray, IntegerArray
from augury.decide.decision_classifier import DecisionClassifier
from augury.decide.held_out_rows import predict_held_out
from augury.decide.threshold_tuning import MEASURES, decide_by_threshold, tune_threshold
from augury.evaluate.measure_choice import rare_class
from augury.evaluate.threshold_counts import ThresholdCounts
from augury.fitted_state import check_real, check_whole, require
from augury.foreign import Classifier, Table
from augury.validation import check_choice, check_number, check_sample_weight


class ThresholdClassifier(DecisionClassifier):
    """Classifier of two classes with a threshold that is tuned for a measure.

    The positive class is predicted if its probability is at least the threshold. The threshold is
    the best one for held-out predictions of the training rows: of five folds, or, from 20,000
    distinct rows on, of a quarter of the rows. The wrapped classifier is then fitted to all rows.
    scikit-learn's `TunedThresholdClassifierCV` follows the same idea; this class needs no scorer,
    can be saved without pickle, and takes the middle between two neighbouring probabilities.

    Parameters
    ----------
    estimator : classifier with predict_proba, or None
        None is `NaiveBayes()`.
    measure : {"balanced_accuracy", "f1", "accuracy", "recall"}, default="balanced_accuracy"
        What is maximised. "f1" and "recall" are those of the positive class.
    positive : label or None
        The positive class, or its text; None takes the rarer one.
    precision : float, default=0.0
        The least precision of the positive class. Thresholds whose precision is lower are not
        taken, unless no threshold has it; then the one with the highest precision is taken.
        `measure="recall"` needs a precision above 0: otherwise all rows would be positive.
    threshold : float or None
        A threshold from 0 to 1, which is taken as it is: then no rows are held out, and `measure`
        and `precision` are not used. None tunes it.

    Attributes
    ----------
    estimator_ : the fitted classifier
    classes_ : array of shape (2,)
    threshold_ : float
        From 0 to 1; infinite if the positive class is best never predicted.
    positive_ : int
        Index of the positive class in `classes_`.
    value_ : float or None
        The measure of the held-out predictions with the threshold; None if it was given.
    value_of_half_ : float or None
        The measure of the held-out predictions with a threshold of 0.5; None if it was given.

    Examples
    --------
    >>> from augury.decide import ThresholdClassifier
    >>> from augury.generative import NaiveBayes
    >>> X = [["sun"]] * 60 + [["rain"]] * 40
    >>> y = (["no"] * 5 + ["yes"]) * 10 + (["no"] * 2 + ["yes"] * 2) * 10
    >>> model = ThresholdClassifier(NaiveBayes()).fit(X, y)
    >>> 1 / 6 < model.threshold_ < 1 / 2
    True
    >>> model.predict([["sun"], ["rain"]]).tolist()
    ['no', 'yes']
    """

    def __init__(
        self,
        estimator: Classifier | None = None,
        measure: str = "balanced_accuracy",
        *,
        positive: Hashable = None,
        precision: float = 0.0,
        threshold: float | None = None,
    ) -> None:
        self.estimator = estimator
        self.measure = measure
        self.positive = positive
        self.precision = precision
        self.threshold = threshold

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _check_parameters(self) -> None:
        check_choice(self._owner, "measure", self.measure, MEASURES)
        least = self._check_share("precision", self.precision)
        if self.threshold is not None:
            self._check_share("threshold", self.threshold)
        if self.measure == "recall" and not least:
            raise ValueError(
                f"{self._owner}: precision must be above 0 for measure='recall', got "
                f"{self.precision!r}: without it all rows would be positive"
            )

    def _check_share(self, name: str, value: Any) -> float:
        share = check_number(self._owner, name, value, at_least=0.0)
        if share > 1.0:
            raise ValueError(f"{self._owner}: {name} must be a number from 0 to 1, got {value!r}")
        return share

    def _learn(
        self, X: Table, classes: Array, codes: IntegerArray, sample_weight: ArrayLike | None
    ) -> None:
        if len(classes) != 2:
            raise ValueError(
                f"{self._owner}: Only binary classification is supported: y must have two classes, "
                f"got {len(classes)}: take CostClassifier"
            )
        self.positive_ = self._positive_code(classes, codes, sample_weight)
        self.value_ = self.value_of_half_ = None
        if self.threshold is not None:
            self.threshold_ = float(self.threshold)
            return
        held = predict_held_out(self._owner, self._inner, X, classes, codes, sample_weight)
        score = held.probabilities[:, self.positive_]
        counts = ThresholdCounts.collect(held.codes == self.positive_, score, held.weight)
        tuned = tune_threshold(counts, self.measure, self.precision)
        self.threshold_ = tuned.threshold
        self.value_, self.value_of_half_ = tuned.value, tuned.value_of_half

    def _positive_code(
        self, classes: Array, codes: IntegerArray, sample_weight: ArrayLike | None
    ) -> int:
        if self.positive is None:
            weight = check_sample_weight(self._owner, sample_weight, len(codes))
            return rare_class(np.bincount(codes, weight, 2))
        labels = classes.tolist()
        texts = [str(label) for label in labels]
        if isinstance(self.positive, str) and self.positive in texts:
            return texts.index(self.positive)
        if self.positive not in labels:
            raise ValueError(
                f"{self._owner}: positive must be one of the classes {labels}, or None, got "
                f"{self.positive!r}"
            )
        return int(labels.index(self.positive))

    def _decide(self, probabilities: FloatArray) -> IntegerArray:
        return decide_by_threshold(probabilities, self.positive_, self.threshold_)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        require(len(self.classes_) == 2, self, "classes_", "two labels")
        check_whole(self, "positive_", high=1)
        fits = isinstance(self.threshold_, float) and self.threshold_ >= 0
        require(fits, self, "threshold_", "a number >= 0")
        for name in ("value_", "value_of_half_"):
            if getattr(self, name) is not None:
                check_real(self, name)


__all__ = ["MEASURES", "ThresholdClassifier"]
