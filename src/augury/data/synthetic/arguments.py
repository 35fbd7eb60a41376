"""Checks and records of the arguments of functions that generate data."""

from numbers import Integral

import numpy as np

from augury.validation import check_number

RandomState = int | np.random.Generator | None


def check_random_state(owner: str, random_state: object) -> np.random.Generator:
    """Return the given generator, or a new one with an integer or a random seed (None)."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    message = (
        f"{owner}: random_state must be None, an integer >= 0 or a numpy.random.Generator, "
        f"got {random_state!r}"
    )
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, bool | np.bool_) or not isinstance(random_state, Integral):
        raise TypeError(message)
    if random_state < 0:
        raise ValueError(message)
    return np.random.default_rng(int(random_state))


def check_share(owner: str, name: str, value: object) -> float:
    """Return `value` as a float if it is a number between 0 and 1."""
    share = check_number(owner, name, value, at_least=0.0)
    if share > 1.0:
        raise ValueError(f"{owner}: {name} must be a number between 0 and 1, got {value!r}")
    return share


def describe_call(owner: str, **arguments: object) -> str:
    """Return a function call as text, for `Dataset.source`.

    Examples
    --------
    >>> describe_call("make_monks", problem=3, random_state=np.random.default_rng())
    'make_monks(problem=3, random_state=Generator)'
    """
    shown = (
        f"{name}={'Generator' if isinstance(value, np.random.Generator) else repr(value)}"
        for name, value in arguments.items()
    )
    return f"{owner}({', '.join(shown)})"
