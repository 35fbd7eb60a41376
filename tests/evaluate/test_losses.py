import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from augury.evaluate import accuracy, brier_score, log_loss
from tests.versions import needs_scikit_learn

CODES = [0, 2, 1]
PROBABILITIES = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [0.0, 1.0, 0.0]]


def test_by_hand() -> None:
    assert accuracy([0, 2, 1, 1], [0, 2, 1, 0]) == 0.75
    assert log_loss(CODES, PROBABILITIES) == pytest.approx((math.log(2) + math.log(4)) / 3)
    # (1/4 + 1/16 + 1/16) + (1/4 + 1/16 + 9/16) + 0
    assert brier_score(CODES, PROBABILITIES) == pytest.approx((3 / 8 + 7 / 8) / 3)


def test_a_weight_counts_like_repeated_rows() -> None:
    weight = [3, 0, 1]
    assert accuracy([0, 2, 1], [0, 1, 0], weight) == accuracy([0, 0, 0, 1], [0, 0, 0, 0]) == 0.75
    codes = np.repeat(CODES, weight)
    probabilities = np.repeat(PROBABILITIES, weight, axis=0)
    for loss in (log_loss, brier_score):
        assert loss(CODES, PROBABILITIES, weight) == pytest.approx(loss(codes, probabilities))
        with pytest.raises(ValueError, match=f"^{loss.__name__}: sample_weight must not be zero"):
            loss(CODES, PROBABILITIES, [0, 0, 0])


def test_extremes() -> None:
    right, wrong = [[1.0, 0.0]], [[0.0, 1.0]]
    assert (log_loss([0], right), brier_score([0], right)) == (0.0, 0.0)
    assert math.copysign(1.0, log_loss([0], right)) == 1.0
    assert (log_loss([0], wrong), brier_score([0], wrong)) == (52 * math.log(2), 2.0)


@needs_scikit_learn("1.7", "brier_score_loss takes two classes")
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_equal_to_scikit_learn(n_classes: int) -> None:
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, n_classes - 1, 50)  # the last class is declared, but empty
    probabilities = rng.dirichlet(np.full(n_classes, 0.3), 50)
    labels = range(n_classes)
    predicted = probabilities.argmax(axis=1)
    assert accuracy(codes, predicted) == metrics.accuracy_score(codes, predicted)
    assert log_loss(codes, probabilities) == pytest.approx(
        metrics.log_loss(codes, probabilities, labels=labels), rel=1e-12
    )
    assert brier_score(codes, probabilities) == pytest.approx(
        metrics.brier_score_loss(codes, probabilities, labels=labels, scale_by_half=False),
        rel=1e-12,
    )


@pytest.mark.parametrize("loss", [log_loss, brier_score])
@pytest.mark.parametrize(
    ("codes", "probabilities", "message"),
    [
        ([0], [[0.5, 0.6]], r"sum to 1, got \[0.5 0.6\] in row 0"),
        ([0, 0], [[1.0, 0.0], [np.nan, 1.0]], "in row 1"),
        ([0], [[1.5, -0.5]], "non-negative"),
        ([2], [[0.5, 0.5]], "codes must be integers in 0, …, 1"),
        ([-1], [[0.5, 0.5]], "codes must be integers"),
        ([0.0], [[0.5, 0.5]], "codes must be integers"),
        ([0, 1], [[0.5, 0.5]], r"one row for each code, got shapes \(1, 2\) and \(2,\)"),
        ([0, 1], [0.5, 0.5], "one row for each code"),
        (np.empty(0, dtype=int), np.empty((0, 2)), "at least one row"),
    ],
)
def test_errors(
    loss: Callable[[Any, Any], float], codes: Any, probabilities: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{loss.__name__}: .*{message}"):
        loss(codes, probabilities)


def test_accuracy_of_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="two columns of one length"):
        accuracy([0, 1], [0])
    with pytest.raises(ValueError, match="at least one row"):
        accuracy([], [])
