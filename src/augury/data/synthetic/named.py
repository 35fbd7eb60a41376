"""Synthetic data sets by name, such as `synthetic:waveform?n_samples=5000&random_state=1`."""

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from urllib.parse import parse_qsl

from augury.data.catalogue import SYNTHETIC_PREFIX
from augury.data.dataset import Dataset
from augury.data.errors import DataError, suggest
from augury.data.synthetic.concepts import make_corral, make_m_of_n, make_monks
from augury.data.synthetic.many_labels import make_many_labels
from augury.data.synthetic.waveform import make_waveform

_MAKERS: dict[str, Callable[..., Dataset]] = {
    "corral": make_corral,
    "m-of-n": make_m_of_n,
    "many-labels": make_many_labels,
    "monks": make_monks,
    "waveform": make_waveform,
}


def load_synthetic(name: str) -> Dataset:
    """Generate the data set that a name describes.

    Parameters
    ----------
    name : str
        `synthetic:` and one of corral, m-of-n, many-labels, monks and waveform; then perhaps
        `?` and the parameters of the function, joined by `&`. `random_state` is 0 unless it is
        given, so that a name always means the same rows.

    Raises
    ------
    DataError
        If there is no such data set or parameter, or a value is wrong.

    Examples
    --------
    >>> load_synthetic("synthetic:waveform?n_samples=300&n_noise=19").X.shape
    (300, 40)
    >>> load_synthetic("synthetic:monks?problem=3").source
    'make_monks(problem=3, n_samples=None, noise=0.0, random_state=0)'
    """
    kind, _, query = name.removeprefix(SYNTHETIC_PREFIX).partition("?")
    make = _MAKERS.get(kind)
    if make is None:
        raise DataError(
            f"there is no synthetic data set named {kind!r}{suggest(kind, _MAKERS)}",
            advice=f"the names are {', '.join(_MAKERS)}",
        )
    known = signature(make).parameters
    arguments: dict[str, int | float] = {"random_state": 0}
    for key, text in parse_qsl(query, keep_blank_values=True):
        if key not in known:
            raise DataError(
                f"{name}: {kind} has no parameter {key!r}{suggest(key, known)}",
                advice=f"the parameters are {', '.join(known)}",
            )
        arguments[key] = _read_number(name, key, text)
    try:
        dataset = make(**arguments)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name}: {error}") from error
    return replace(dataset, name=name, target_rule="catalogue")


def _read_number(name: str, key: str, text: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise DataError(f"{name}: {key} must be a number, got {text!r}")


__all__ = ["load_synthetic"]
