"""Names of parameters, checked before a model is made."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from augury.data.errors import suggest
from augury.errors import UnknownParameterError


def check_parameters(name: str, make: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that a class or function does not take.

    Raises
    ------
    UnknownParameterError
        With the parameter that was probably meant, and all that there are.

    Examples
    --------
    >>> from augury.generative import HiddenNaiveBayes
    >>> check_parameters("hnb", HiddenNaiveBayes, {"prior": [0.5, 0.5]})
    Traceback (most recent call last):
    ...
    augury.errors.UnknownParameterError: hnb has no parameter 'prior'; did you mean
    'priors'? Its parameters are alpha, priors, categorical_features, missing, discretizer,
    n_jobs, class_weight
    """
    try:
        taken = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # some functions of compiled code do not say
        return
    if any(each.kind is each.VAR_KEYWORD for each in taken):
        return
    known = [each.name for each in taken if each.kind is not each.POSITIONAL_ONLY]
    for given in parameters:
        if given not in known:
            near = suggest(given, known) or ";"
            listed = f"{'I' if near.endswith('?') else 'i'}ts parameters are {', '.join(known)}"
            raise UnknownParameterError(f"{name} has no parameter {given!r}{near} {listed}")


__all__ = ["check_parameters"]
