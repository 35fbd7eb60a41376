"""Checks of the objects of a loaded model before it is used.

Each class of augury checks its own attributes (`_check_fitted_state`). This module has the checks
of all objects, and those of estimators of scikit-learn that would pass values of a file to code
that does not check them.
"""

from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import OneHotEncoder

from augury.fitted_state import require

# As tuples, since `walk` visits hundreds of thousands of objects: a union is made at each use.
_LEAVES = (str, int, float, type, NoneType)
_COLLECTIONS = (list, tuple, set)
# Largest allowed number of threads or processes.
MAX_JOBS = 1024


def check_state(model: Any) -> None:
    """Raise unless every object of a model has attributes that `fit` can give it."""
    for part in walk(model):
        _check_jobs(part)
        for kind, check in _CHECKS.items():
            if isinstance(part, kind):
                check(part)
        if hasattr(part, "_check_fitted_state") and is_fitted(part):
            part._check_fitted_state()


def walk(model: Any) -> Iterator[Any]:
    """Yield all objects of a model that have attributes, each once."""
    waiting, seen = [model], set()
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, _LEAVES) or id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, dict):
            waiting.extend(thing.values())
        elif isinstance(thing, _COLLECTIONS):
            waiting.extend(thing)
        elif isinstance(thing, np.ndarray):
            waiting.extend(thing.ravel().tolist() if thing.dtype == object else ())
        elif attributes := attributes_of(thing):
            yield thing
            waiting.extend(attributes.values())


def attributes_of(thing: Any) -> dict[str, Any]:
    """Return the attributes of an object, those in slots included."""
    slots = getattr(type(thing), "__slots__", ())
    found = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return found | getattr(thing, "__dict__", {})


def is_fitted(part: Any) -> bool:
    """Return whether an object has attributes other than parameters."""
    if not isinstance(part, BaseEstimator):
        return True
    return bool(set(vars(part)) - set(part.get_params(deep=False)))


def _check_jobs(part: Any) -> None:
    n_jobs = attributes_of(part).get("n_jobs")
    fits = n_jobs is None or (type(n_jobs) is int and 0 < abs(n_jobs) <= MAX_JOBS)
    require(fits, part, "n_jobs", f"None or a whole number up to {MAX_JOBS}")


def _check_one_hot(encoder: Any) -> None:
    """Raise unless the columns of a `OneHotEncoder` are as many as its categories.

    It builds a sparse matrix from them, and SciPy uses the indices without a check.
    """
    if not hasattr(encoder, "categories_"):
        return
    sizes = []
    for categories in encoder.categories_:
        fits = isinstance(categories, np.ndarray) and categories.ndim == 1
        require(fits, encoder, "categories_", "arrays")
        sizes.append(len(categories))
    grouped = getattr(encoder, "_infrequent_enabled", False)
    require(grouped is False, encoder, "min_frequency and max_categories", "None")
    dropped = encoder.drop_idx_
    if dropped is not None:
        own = zip(dropped.tolist(), encoder._drop_idx_after_grouping.tolist(), sizes, strict=True)
        for k, (drop, again, n) in enumerate(own):
            fits = drop is None or (type(drop) is int and 0 <= drop < n)
            require(fits and again == drop, encoder, "drop_idx_", "categories")
            sizes[k] -= drop is not None
    require(list(encoder._n_features_outs) == sizes, encoder, "_n_features_outs", str(sizes))


def _check_vocabulary(vectorizer: Any) -> None:
    """Raise unless each word of a `CountVectorizer` has a column of its own."""
    if not hasattr(vectorizer, "vocabulary_"):
        return
    vocabulary = vectorizer.vocabulary_
    fits = isinstance(vocabulary, dict) and all(
        isinstance(word, str) and isinstance(k, int | np.integer) for word, k in vocabulary.items()
    )
    require(fits, vectorizer, "vocabulary_", "a dict from words to columns")
    fits = sorted(map(int, vocabulary.values())) == list(range(len(vocabulary)))
    require(fits, vectorizer, "vocabulary_", "a column for each word")


_CHECKS: dict[type, Callable[[Any], None]] = {
    OneHotEncoder: _check_one_hot,
    CountVectorizer: _check_vocabulary,
}
