"""The measure of the learning curve: the chosen one, if it can be computed from predictions."""

from augury.arrays import Array, FloatArray
from augury.evaluate.losses import accuracy, log_loss
from augury.summary.contents.verdict import Verdict
from augury.summary.table.learning_rows import LearningMeasure


def find_learning_measure(verdict: Verdict) -> LearningMeasure:
    """Return the measure of the learning curve."""
    if verdict.measure == "log_loss":
        return LearningMeasure("log loss", False, False, _log_loss)
    return LearningMeasure("accuracy", True, True, _accuracy)


def _accuracy(true: Array, predicted: Array, _: FloatArray | None) -> float:
    return float(accuracy(true, predicted))


def _log_loss(true: Array, _: Array, probabilities: FloatArray | None) -> float:
    assert probabilities is not None  # the measure was chosen for models with probabilities
    return float(log_loss(true, probabilities))


__all__ = ["find_learning_measure"]
