"""The registry of models: classes, and the names under which the command line knows them.

`register_model` stands above each model class. Everything that needs a list of models (the
catalogue, the command line, the estimator checks, the tests of saved models) reads it from here.

Models of other packages register themselves in the same way when their module is imported. A
package names the module, or the class in it, in its pyproject.toml, and augury imports it when
a model is looked up that is not known yet:

    [project.entry-points."augury.models"]
    waode = "my_package.weighted_aode"
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import getdoc
from typing import Any, TypeVar

from augury.errors import UnknownNameError

GROUP = "augury.models"
FAMILIES = ("generative", "discriminative", "hybrid", "ensemble", "other")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

ModelClass = TypeVar("ModelClass", bound=type)


class RegistrationError(ValueError):
    """A model that cannot be registered; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model with a name.

    Attributes
    ----------
    name : str
        The name, as in `augury fit --model`.
    family : {"generative", "discriminative", "hybrid", "ensemble", "other"}
        The kind of model.
    description : str
        One line.
    path : str
        Import path of the class, or of a function that returns the model.
    parameters : mapping
        Parameters that differ from the defaults. A mapping with a "class" is a model in itself.
    make : callable or None
        The registered class, or a class method of it. None: imported from `path` when needed.
    """

    name: str
    family: str
    description: str
    path: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    make: Callable[..., Any] | None = field(default=None, repr=False)


_classes: dict[str, type] = {}
# By name and path: a class that is defined again, as in a notebook, replaces the former one.
_entries: dict[tuple[str, str], ModelEntry] = {}


def register_model(
    name: str | None = None,
    description: str = "",
    *,
    parameters: Mapping[str, Any] | None = None,
    factory: str | None = None,
    family: str | None = None,
) -> Callable[[ModelClass], ModelClass]:
    """Register the class below as a model.

    A class may have several names: write one decorator for each.

    Parameters
    ----------
    name : str, default=None
        The name in the command line and in experiments: lower-case letters, digits and
        hyphens. A class without a name is checked and saved like the others, but not listed.
    description : str
        One line, for `augury models`.
    parameters : mapping, default=None
        Parameters that differ from the defaults of the class.
    factory : str, default=None
        A class method that returns the model and takes `parameters`; by default the class
        itself is called.
    family : {"generative", "discriminative", "hybrid", "ensemble", "other"}, default=None
        By default the family of augury's folder that contains the class or its nearest base;
        "other" if there is none.

    Raises
    ------
    RegistrationError
        If the name is malformed or there is no such family. Two models of the same name are
        reported when the catalogue is read, whichever of them is imported first.

    Examples
    --------
    A file of another package has

    >>> from augury.generative import AveragedOneDependence
    >>> class WeightedAODE(AveragedOneDependence):
    ...     pass

    with `@register_model("waode", "Weighted AODE")` above the class. A name has no spaces:

    >>> register_model("weighted aode", "Weighted AODE")(WeightedAODE)
    Traceback (most recent call last):
    augury.registration.RegistrationError: WeightedAODE: name must be lower-case letters, digits \
and hyphens, got 'weighted aode'
    """

    def register(model_class: ModelClass) -> ModelClass:
        if name is not None:
            entry = ModelEntry(
                _checked_name(model_class, name),
                _checked_family(model_class, family),
                description,
                _join(public_path(model_class), factory),
                dict(parameters or {}),
                model_class if factory is None else getattr(model_class, factory),
            )
            _entries[entry.name, entry.path] = entry
        _classes[f"{model_class.__module__}.{model_class.__qualname__}"] = model_class
        return model_class

    return register


def registered_classes() -> tuple[type, ...]:
    """Return all classes that were registered so far, each once."""
    return tuple(_classes.values())


def registered_models() -> tuple[ModelEntry, ...]:
    """Return the entries that were registered so far; names may occur twice."""
    return tuple(_entries.values())


@cache
def load_entry_points() -> None:
    """Import the models of installed packages, which registers them.

    Raises
    ------
    UnknownNameError
        If an entry point cannot be loaded.
    """
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


def public_path(model_class: type) -> str:
    """Return the import path of a class; a class of augury is offered by its folder.

    >>> from augury.generative.naive_bayes import NaiveBayes
    >>> public_path(NaiveBayes)
    'augury.generative.NaiveBayes'
    """
    parts = model_class.__module__.split(".")
    if parts[0] == "augury":
        parts = parts[:2]
    return ".".join([*parts, model_class.__qualname__])


def _checked_family(model_class: type, family: str | None) -> str:
    if family is not None and family not in FAMILIES:
        raise RegistrationError(
            f"{model_class.__name__}: family must be one of {', '.join(FAMILIES)}, got {family!r}"
        )
    return family or family_of(model_class)


def family_of(model_class: type) -> str:
    """Return the family of the folder that contains a class or its nearest base.

    >>> family_of(dict)
    'other'
    """
    for kind in model_class.__mro__:
        package, _, rest = kind.__module__.partition(".")
        folder = rest.partition(".")[0]
        if package == "augury" and folder in FAMILIES:
            return folder
    return "other"


def _checked_name(model_class: type, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise RegistrationError(
            f"{model_class.__name__}: name must be lower-case letters, digits and hyphens, got "
            f"{name!r}"
        )
    return name


def _join(path: str, factory: str | None) -> str:
    return path if factory is None else f"{path}.{factory}"


__all__ = [
    "FAMILIES",
    "GROUP",
    "ModelEntry",
    "RegistrationError",
    "family_of",
    "load_entry_points",
    "public_path",
    "register_model",
    "registered_classes",
    "registered_models",
]
