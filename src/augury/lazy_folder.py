"""Packages whose model classes are found in the files of their folder and imported when used."""

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Mapping
from functools import cached_property
from importlib.machinery import ModuleSpec
from typing import Any

# A class with `@register_model(…)` above it, at the left margin of a file.
_REGISTERED = re.compile(r"^@register_model\b(?:[\s\S](?!^class ))*?\n^class (\w+)", re.MULTILINE)


class LazyFolder:
    """The classes that a package offers; the module of a class is imported when it is needed.

    A file of the folder with a registered model class needs no line in `__init__.py`: the
    source of each file is searched for `@register_model`.

    Parameters
    ----------
    package : name of the package
    also : further names of the package, each with the module that has it
        Names that no decorator marks: base classes and transformers. The module is relative to
        the package.

    Examples
    --------
    >>> folder = LazyFolder("augury.ensemble")
    >>> folder.names[:2]
    ['BaggedNetworks', 'BoostedNaiveBayes']
    >>> folder.load("BaggedNetworks").__module__
    'augury.ensemble.bagged_networks'
    """

    def __init__(self, package: str, also: Mapping[str, str] | None = None) -> None:
        self._package = package
        self._also = dict(also or {})

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Name → the module that has it."""
        homes = {name: f"{self._package}.{module}" for name, module in self._also.items()}
        for file in _files(self._package):
            module = f"{self._package}.{file.name}"
            homes |= dict.fromkeys(_model_names(module), module)
        return homes

    @property
    def names(self) -> list[str]:
        """The sorted names of the classes that the package offers."""
        return sorted(self._homes)

    def load(self, name: str) -> Any:
        """Return the attribute `name` of the package, for its `__getattr__`."""
        if name == "__all__":
            return self.names
        if name.startswith("_") or name not in self._homes:
            raise AttributeError(f"module {self._package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(self._homes[name]), name)
        setattr(sys.modules[self._package], name, found)  # the next access is a plain one
        return found

    def listing(self) -> list[str]:
        """Return the names of the package, for its `__dir__`."""
        return sorted({*vars(sys.modules[self._package]), *self._homes})


def modules_that_register(package: str, name: str) -> list[str]:
    """Return the modules of a package whose source gives a model this name.

    The modules are not imported. A module without source is not found.

    Examples
    --------
    >>> import augury.generative
    >>> modules_that_register("augury.generative", "kernel-nb")
    ['augury.generative.naive_bayes']
    """
    gives_name = re.compile(rf'^@register_model\(\s*"{re.escape(name)}"', re.MULTILINE)
    modules = (f"{package}.{file.name}" for file in _files(package))
    return [
        module
        for module in modules
        if gives_name.search(_source(importlib.util.find_spec(module)) or "")
    ]


def _files(package: str) -> list[pkgutil.ModuleInfo]:
    """Return the modules of a package, without the packages in it."""
    found = pkgutil.iter_modules(sys.modules[package].__path__)
    return [file for file in found if not file.ispkg]


def _model_names(module: str) -> list[str]:
    """Return the names of the model classes of a module, which is not imported."""
    source = _source(importlib.util.find_spec(module))
    if source is not None:
        return _REGISTERED.findall(source)
    imported = importlib.import_module(module)  # installed without sources
    return [
        name
        for name, thing in vars(imported).items()
        if isinstance(thing, type) and thing.__module__ == module and not name.startswith("_")
    ]


def _source(spec: ModuleSpec | None) -> str | None:
    get_source = getattr(spec and spec.loader, "get_source", None)
    return get_source(spec.name) if get_source is not None and spec is not None else None


__all__ = ["LazyFolder", "modules_that_register"]
