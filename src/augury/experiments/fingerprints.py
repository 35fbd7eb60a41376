"""Checksums of data, and descriptions of models and splitters, which a store compares."""

import hashlib
import inspect
import json

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from augury.data import Dataset
from augury.evaluate import GrowingSamples
from augury.foreign import Estimator, Json, Splitter
from augury.registration import public_path


def checksum(dataset: Dataset) -> str:
    """Return a hash of the values, the column names, the declared labels and the weights."""
    digest = hashlib.sha256()
    columns = [*dataset.X.items(), (dataset.target, dataset.y)]
    if dataset.sample_weight is not None:
        columns.append(("weight", dataset.sample_weight))
    for name, column in columns:
        digest.update(f"{name}\0{column.dtype}\0".encode())
        if isinstance(column.dtype, pd.CategoricalDtype):
            digest.update("\0".join(map(str, column.cat.categories)).encode())
        values = pd.Series(column).reset_index(drop=True)
        digest.update(pd.util.hash_pandas_object(values, index=False).to_numpy().tobytes())
    return digest.hexdigest()


def describe_model(model: Estimator) -> dict[str, Json]:
    """Return a model's class and all its parameters, as values of JSON.

    >>> from augury.generative import HiddenNaiveBayes
    >>> describe_model(HiddenNaiveBayes())["class"]
    'augury.generative.HiddenNaiveBayes'
    """
    described: dict[str, Json] = {"class": public_path(type(model))}
    parameters = model.get_params(deep=False)
    return described | {name: _describe(value) for name, value in sorted(parameters.items())}


def describe_splitter(splitter: Splitter) -> dict[str, Json]:
    """Return a splitter's class and its parameters, without those that only add folds.

    A store takes more runs of the same folds, and more training sizes of the same samples, but no
    other folds.

    >>> describe_splitter(GrowingSamples([10, 30]))
    {'class': 'augury.evaluate.GrowingSamples', 'random_state': 0, 'test_share': 0.3}
    """
    adding = {"n_repeats", "sizes"} if isinstance(splitter, GrowingSamples) else {"n_repeats"}
    described: dict[str, Json] = {"class": public_path(type(splitter))}
    for name, value in sorted(vars(splitter).items()):
        if name not in adding:
            described[name] = _describe(value)
    return described


def _describe(value: object) -> Json:
    if isinstance(value, BaseEstimator):
        return describe_model(value)
    if isinstance(value, dict):
        return {str(key): _describe(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_describe(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        plain: Json = value.tolist()
        return plain
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if inspect.isclass(value) or inspect.isroutine(value):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


def as_json(description: Json) -> str:
    """Return JSON text that is equal for equal descriptions."""
    return json.dumps(description, sort_keys=True, ensure_ascii=False)


__all__ = ["as_json", "checksum", "describe_model", "describe_splitter"]
