"""Models built from a name and a description."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from augury.errors import UnknownNameError
from augury.models.catalogue import find_model, is_registered_path, known_models
from augury.models.model_classes import check_classifies, find_model_class, find_object
from augury.models.parameter_names import check_parameters
from augury.models.preprocessed_classifier import PreprocessedClassifier
from augury.registration import ModelEntry


def build_model(
    name: str,
    description: Mapping[str, Any] | None = None,
    *,
    seed: int | None = 0,
    key: str | None = None,
) -> Any:
    """Return an unfitted classifier.

    Parameters
    ----------
    name : str
        A name of the catalogue, or any other if the description has a class.
    description : mapping, default=None
        Parameters, and under "class" a name of the catalogue or the import path of a
        classifier's class. A parameter that is itself a mapping with a class is built too;
        its class may be that of any estimator. Classifiers that are not augury's are put
        behind a `PreprocessedClassifier`, unless "preprocess" is false.
    seed : int or None, default=0
        For every `random_state` that is not given; see `seed_model`.
    key : str, default=None
        Where the description was given, for messages; by default the name.

    Raises
    ------
    UnknownNameError
        If there is no such model, package, class or parameter, or the class is no
        classifier. All classes are checked before one of them is called.

    Examples
    --------
    >>> build_model("nb", {"alpha": 0.5})
    NaiveBayes(alpha=0.5)
    >>> build_model("mine", {"class": "sklearn.tree.DecisionTreeClassifier", "max_depth": 2})
    PreprocessedClassifier(estimator=DecisionTreeClassifier(max_depth=2,
                                                            random_state=0))
    """
    model = _find(name if key is None else key, name, description or {}, nested=False).build()
    return seed_model(model, seed)


def seed_model(model: Any, seed: int | None) -> Any:
    """Set every `random_state` that is None, those of models inside the model included.

    >>> from augury.ensemble import BoostedNaiveBayes
    >>> seed_model(BoostedNaiveBayes(), 7).random_state
    7
    """
    unset = {
        name: seed
        for name, value in model.get_params(deep=True).items()
        if name.rpartition("__")[2] == "random_state" and value is None
    }
    if seed is not None and unset:
        model.set_params(**unset)
    return model


@dataclass(frozen=True, slots=True)
class _Part:
    """A model that was found and checked, and is not built yet."""

    key: str
    path: str
    make: Callable[..., Any]
    parameters: Mapping[str, Any]
    preprocess: bool
    nested: bool

    def build(self) -> Any:
        given = {
            name: value.build() if isinstance(value, _Part) else value
            for name, value in self.parameters.items()
        }
        try:
            model = self.make(**given)
        except (TypeError, ValueError) as error:
            raise UnknownNameError(
                f"{self.key}: {self.path} does not take these parameters: {error}"
            ) from error
        if not self.nested:
            check_classifies(self.key, model)
        if not self.preprocess or (self.nested and not hasattr(model, "predict")):
            return model
        return PreprocessedClassifier(model)


def _find(key: str, name: str, description: Mapping[str, Any], *, nested: bool) -> _Part:
    """Find a model and those in its parameters; nothing is called before all are found."""
    given = dict(description)
    wanted, preprocess = str(given.pop("class", name)), given.pop("preprocess", True)
    entry = None if "." in wanted else _find_entry(wanted)
    path = entry.path if entry is not None else wanted
    make: Callable[..., Any]
    if entry is not None:
        make = entry.make or find_object(key, path)
    elif is_registered_path(path):  # may also be a function that returns a model
        make = find_object(key, path)
    else:
        make = find_model_class(key, path, nested=nested)
    parameters = {**(entry.parameters if entry is not None else {}), **given}
    check_parameters(key, make, parameters)
    return _Part(
        key,
        path,
        make,
        {name: _find_inner(f"{key}.{name}", name, value) for name, value in parameters.items()},
        preprocess is not False and not _reads_tables(path, entry),
        nested,
    )


def _find_entry(name: str) -> ModelEntry:
    entry = find_model(name)
    if entry is None:
        known = known_models()
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise UnknownNameError(f"there is no model named {name!r}; {hint}")
    return entry


def _reads_tables(path: str, entry: ModelEntry | None) -> bool:
    """Return whether a model reads any table: augury's models and those derived from them do."""
    make = None if entry is None else entry.make
    kind = getattr(make, "__self__", make)
    bases = kind.__mro__ if isinstance(kind, type) else ()
    return path.startswith("augury.") or any(
        base.__module__.startswith("augury.") for base in bases
    )


def _find_inner(key: str, name: str, value: Any) -> Any:
    if isinstance(value, Mapping) and "class" in value:
        return _find(key, name, value, nested=True)
    return value


__all__ = ["build_model", "seed_model"]
