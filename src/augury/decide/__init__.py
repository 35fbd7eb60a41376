"""Decisions from class probabilities: by costs, or by a threshold that is tuned for a measure.

- `CostClassifier`: the class of the least expected cost
- `ThresholdClassifier`: one of two classes, above a threshold that is tuned on held-out rows

Both wrap any classifier with probabilities, and leave the probabilities as they are.
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.decide.cost_classifier import CostClassifier as CostClassifier
    from augury.decide.threshold_classifier import ThresholdClassifier as ThresholdClassifier

_folder = LazyFolder(
    __name__,
    also={
        "CostClassifier": "cost_classifier",
        "ThresholdClassifier": "threshold_classifier",
    },
)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
