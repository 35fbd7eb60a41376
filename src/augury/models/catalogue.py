"""The catalogue: all models that have a name.

It has the model classes of augury, a few models of other libraries, and the models that other
packages have registered; see `augury.registration`.
"""

import importlib
from collections.abc import Iterable
from functools import cache

from augury.errors import UnknownNameError
from augury.lazy_folder import modules_that_register
from augury.models.other_models import OTHER_MODELS
from augury.registration import (
    FAMILIES,
    ModelEntry,
    family_of,
    load_entry_points,
    registered_classes,
    registered_models,
)

_OWN_FOLDERS = tuple(f"augury.{family}" for family in FAMILIES if family != "other")


def known_models() -> dict[str, ModelEntry]:
    """Return all entries of the catalogue by name, sorted by family and name.

    Raises
    ------
    UnknownNameError
        If an entry point cannot be loaded, or two models have the same name.

    Examples
    --------
    >>> known_models()["hnb"].path
    'augury.generative.HiddenNaiveBayes'
    """
    load_own_models()
    load_entry_points()
    found = _unique(_entries())
    return {
        entry.name: entry
        for entry in sorted(
            found.values(), key=lambda entry: (FAMILIES.index(entry.family), entry.name)
        )
    }


def find_model(name: str) -> ModelEntry | None:
    """Return the entry of a name; None if there is none.

    Only the file of the model is imported if its source shows the name, which is faster than
    to import all models. Entry points are loaded only if no model of augury has the name: a
    broken package of a third party cannot prevent the use of other models.
    """
    _load_own_model(name)
    for load_more in (load_own_models, load_entry_points):
        if found := _named(name):
            return found[name]
        load_more()
    return _named(name).get(name)


def is_registered_path(path: str) -> bool:
    """Return whether a registered model has this import path.

    >>> is_registered_path("augury.hybrid.AugmentedClassifier.as_published")
    True
    """
    load_own_models()
    return any(entry.path == path for entry in registered_models())


def model_classes(family: str | None = None) -> list[type]:
    """Return all registered model classes, of all families or of one, sorted by name.

    Classes without a name in the catalogue and classes of other packages are included. The
    estimator checks and the tests of saved models run over this list.

    >>> "BaggedNetworks" in [model_class.__name__ for model_class in model_classes("ensemble")]
    True
    """
    load_own_models()
    load_entry_points()
    found = [kind for kind in registered_classes() if family in (None, family_of(kind))]
    return sorted(found, key=lambda kind: kind.__name__)


def _load_own_model(name: str) -> None:
    """Import the files of augury that register a model under this name."""
    for folder in _OWN_FOLDERS:
        importlib.import_module(folder)
        for module in modules_that_register(folder, name):
            importlib.import_module(module)


@cache
def load_own_models() -> None:
    """Import all model classes of augury, which registers them."""
    for folder in _OWN_FOLDERS:
        module = importlib.import_module(folder)
        for name in module.__all__:
            getattr(module, name)


def _entries() -> Iterable[ModelEntry]:
    return (*registered_models(), *OTHER_MODELS)


def _named(name: str) -> dict[str, ModelEntry]:
    return _unique(entry for entry in _entries() if entry.name == name)


def _unique(entries: Iterable[ModelEntry]) -> dict[str, ModelEntry]:
    found: dict[str, ModelEntry] = {}
    for entry in entries:
        if entry.name in found:
            paths = " and ".join(sorted((found[entry.name].path, entry.path)))
            raise UnknownNameError(
                f"two models have the name {entry.name!r}: {paths}. Rename or uninstall one of them"
            )
        found[entry.name] = entry
    return found


__all__ = [
    "find_model",
    "is_registered_path",
    "known_models",
    "load_own_models",
    "model_classes",
]
