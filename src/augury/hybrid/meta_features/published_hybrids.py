"""Parameters of the hybrids of Zhang, Jiang and Zhang (2022)."""

from collections.abc import Callable
from typing import Any

from augury.discriminative import LiblinearLogisticRegression
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.validation import check_choice


def nb() -> NaiveBayes:
    """Return Eqs. (3)-(5), Laplace throughout.

    The published protocol replaces missing values beforehand. In the honest protocol the model
    replaces them itself, inside the fold.
    """
    return NaiveBayes(alpha=1.0, missing="replace")


def hnb() -> HiddenNaiveBayes:
    """Return HNB with Laplace's rule, unlike the m-estimates of the class that WEKA ships."""
    return HiddenNaiveBayes(alpha=1.0, missing="replace")


def lr() -> LiblinearLogisticRegression:
    """Return LIBLINEAR's regression on the integer index of each value, one class against all."""
    return LiblinearLogisticRegression.as_published()


def _then_lr(first: Any) -> dict[str, Any]:
    """Return Algorithms 1 and 2: class probabilities, scaled to [0, 1], beside the columns."""
    return {
        "estimator": first,
        "final_estimator": lr().set_params(discretizer=None),
        "output": "proba",
        "encoding": "as_is",
        "scaling": "range",
        "cv": None,
    }


def _then_nb(first: Any) -> dict[str, Any]:
    """Return class probabilities as numbers for WEKA's naive Bayes, beside the columns."""
    return {
        "estimator": first,
        "final_estimator": NaiveBayes(continuous="interval", missing="replace"),
        "output": "proba",
        "encoding": "as_is",
        "scaling": None,
        "cv": None,
    }


PUBLISHED: dict[str, Callable[[], dict[str, Any]]] = {
    "nb-lr": lambda: _then_lr(nb()),
    "hnb-lr": lambda: _then_lr(hnb()),
    "lr-lr": lambda: _then_lr(lr()),
    "nb-nb": lambda: _then_nb(nb()),
    "lr-nb": lambda: _then_nb(lr()),
}


def published_parts(owner: str, name: str) -> dict[str, Any]:
    """Return the parameters of the `AugmentedClassifier` of this name in the paper.

    >>> published_parts("as_published", "lr-nb")["final_estimator"].continuous
    'interval'
    """
    check_choice(owner, "name", name, tuple(PUBLISHED))
    return PUBLISHED[name]()
