"""Attributes of objects in files of earlier versions, translated for this version.

Parameters are translated by `augury.renamed_parameters`, for files and for stores. Fitted
attributes are only in files; their changes are listed here.
"""

from collections.abc import Callable
from typing import Any

from augury.encode.merged_intervals import places_of_cuts
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


def has_former_attributes(path: str, state: State) -> bool:
    """Return whether an object has all parameters of this version, and attributes of another."""
    return not _FORMER_ATTRIBUTES.get(path, frozenset()).isdisjoint(state)


def _hidden_naive_bayes(state: State) -> State:
    # 0.1: `_smoothing` was "m-estimate" or "laplace".
    if "_smoothing" in state:
        smoothing = state.pop("_smoothing")
        state["_alpha"] = 1.0 if smoothing == "laplace" else smoothing
    return state


def _averaged_one_dependence(state: State) -> State:
    # 0.1: the pseudo-count was always 1.
    return {**state, "_alpha": 1.0} if "statistics_" in state else state


def _random_cut_ensemble(state: State) -> State:
    # Before the release of 0.2: each member had plans of all columns, and `_merges` had the codes.
    if "_merges" not in state:
        return state
    state = {name: value for name, value in state.items() if name != "_merges"}
    cuts = [member.encoder_.cut_points_ for member in state["estimators_"]]
    return {**state, "_kept_cuts": [places_of_cuts(state["encoder_"], each) for each in cuts]}


_TRANSLATIONS: dict[str, Callable[[State], State]] = {
    "augury.generative.AveragedOneDependence": _averaged_one_dependence,
    "augury.ensemble.RandomCutEnsemble": _random_cut_ensemble,
    "augury.generative.HiddenNaiveBayes": _hidden_naive_bayes,
}

_FORMER_ATTRIBUTES = {"augury.ensemble.RandomCutEnsemble": frozenset({"_merges"})}

__all__ = ["current_state", "has_former_attributes"]
