"""The catalogue: all models that have a name.

It has the model classes of augury, a few models of other libraries, and models of third parties.
A third party registers a model by the decorator `augury.registration.register_model`. The module
with the decorator must be imported. A package names the module, or the class in it, in its
pyproject.toml, and augury imports it when a name is looked up:

    [project.entry-points."augury.models"]
    waode = "my_package.weighted_aode"
"""

import importlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import getdoc

from augury.errors import UnknownNameError
from augury.models.other_models import OTHER_MODELS
from augury.registration import (
    FAMILIES,
    ModelEntry,
    RegistrationError,
    register_model,
    registered_classes,
    registered_models,
)

GROUP = "augury.models"
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
    _load_entry_points()
    found = _unique(_entries())
    return {
        entry.name: entry
        for entry in sorted(
            found.values(), key=lambda entry: (FAMILIES.index(entry.family), entry.name)
        )
    }


def find_model(name: str) -> ModelEntry | None:
    """Return the entry of a name; None if there is none.

    Entry points are loaded only if no model that is imported already has the name. A broken
    package of a third party cannot prevent the use of other models.
    """
    load_own_models()
    if not (found := _named(name)):
        _load_entry_points()
        found = _named(name)
    return found.get(name)


def is_registered_path(path: str) -> bool:
    """Return whether a registered model has this import path.

    >>> is_registered_path("augury.hybrid.AugmentedClassifier.as_published")
    True
    """
    load_own_models()
    return any(entry.path == path for entry in registered_models())


@cache
def load_own_models() -> None:
    """Import all model classes of augury, which registers them."""
    for folder in _OWN_FOLDERS:
        module = importlib.import_module(folder)
        for name in module.__all__:
            getattr(module, name)


@cache
def _load_entry_points() -> None:
    for point in entry_points(group=GROUP):
        _load_entry_point(point)


def _load_entry_point(point: EntryPoint) -> None:
    """Import what an entry point names; a class without a decorator gets the point's name."""
    package = f"of package {point.dist.name} " if point.dist is not None else ""
    where = f"entry point {point.name!r} {package}in the group {GROUP}"
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:  # anything that a module does when it is imported
        raise UnknownNameError(
            f"{where}: {point.value} cannot be imported: {type(error).__name__}: {error}. Fix or "
            "uninstall the package"
        ) from error
    if isinstance(loaded, type) and loaded not in registered_classes():
        description = (getdoc(loaded) or "").partition("\n")[0]
        try:
            register_model(point.name, description)(loaded)
        except RegistrationError as error:
            raise UnknownNameError(f"{where}: {error}") from error


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


__all__ = ["GROUP", "find_model", "is_registered_path", "known_models", "load_own_models"]
