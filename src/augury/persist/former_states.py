"""Attributes of objects in files of earlier versions, translated for this version.

Parameters are translated by `augury.renamed_parameters`, for files and for stores. Fitted
attributes are only in files; their changes are listed here.
"""

from collections.abc import Callable
from typing import Any

from augury.renamed_parameters import current_parameters

State = dict[str, Any]


def current_state(path: str, state: State) -> State:
    """Return the attributes of an object of an earlier version under their present names.

    Parameters
    ----------
    path : str
        Present name of the class, as `named_type` returns it.
    state : dict
        Attributes of the object.

    Examples
    --------
    >>> current_state("augury.generative.HiddenNaiveBayes",
    ...               {"smoothing": "laplace", "_smoothing": "laplace"})
    {'alpha': 1.0, '_alpha': 1.0}
    """
    state = current_parameters(path, state)
    translate = _TRANSLATIONS.get(path)
    return state if translate is None else translate(state)


def _hidden_naive_bayes(state: State) -> State:
    # 0.1: `_smoothing` was "m-estimate" or "laplace".
    if "_smoothing" in state:
        smoothing = state.pop("_smoothing")
        state["_alpha"] = 1.0 if smoothing == "laplace" else smoothing
    return state


def _averaged_one_dependence(state: State) -> State:
    # 0.1: the pseudo-count was always 1.
    return {**state, "_alpha": 1.0} if "statistics_" in state else state


_TRANSLATIONS: dict[str, Callable[[State], State]] = {
    "augury.generative.AveragedOneDependence": _averaged_one_dependence,
    "augury.generative.HiddenNaiveBayes": _hidden_naive_bayes,
}

__all__ = ["current_state"]
