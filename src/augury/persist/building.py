"""Create the objects of a description that has passed the inspection.

The result is that of skops, without the use of skops: no function that a file names is called,
each array is read once, and an object takes no more memory than itself.
"""

import importlib
import json
import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import signature
from types import FunctionType, MethodType
from typing import Any
from zipfile import ZipFile

import numpy as np
from sklearn.utils import Bunch

from augury.arrays import Array
from augury.encode import INFREQUENT, MISSING
from augury.persist.arrays import read_array
from augury.persist.former_states import current_state, has_former_attributes
from augury.persist.trusted_types import BUNCH, find_type, named_type

_KEY_TYPES: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "float": float}
_BUILTIN_TYPES = {kind.__name__: kind for kind in (str, int, float, bool, list, tuple, set)}
_SCALARS = (str, int, float, bool, type(None))


class Builder:
    """Creates the objects of one description.

    Parameters
    ----------
    archive : the payload, from which the arrays are read
    """

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._made: dict[int, Any] = {}
        self._makers = {
            "ObjectNode": self._object,
            "DictNode": self._dict,
            "ListNode": lambda node: self._items(node),
            "TupleNode": lambda node: tuple(self._items(node)),
            "SetNode": lambda node: set(self._items(node)),
            "JsonNode": _scalar,
            "TypeNode": _type,
            "NdArrayNode": self._array,
            "RandomStateNode": self._random_state,
            "SliceNode": _slice,
            "FunctionNode": _universal_function,
        }

    def build(self, node: dict[str, Any]) -> Any:
        """Return the object of a node; a reference returns the object that was created before."""
        if node["__loader__"] == "CachedNode":
            return self._made[node["__id__"]]
        known = node.get("__id__")
        made = self._makers[node["__loader__"]](node)
        if known is not None:
            self._made[known] = made
        return made

    def _items(self, node: dict[str, Any]) -> list[Any]:
        return [self.build(item) for item in node["content"]]

    def _dict(self, node: dict[str, Any]) -> dict[Any, Any]:
        types = [_KEY_TYPES[key["__class__"]] for key in node["key_types"]["content"]]
        content = {
            make_key(key): self.build(value)
            for make_key, (key, value) in zip(types, node["content"].items(), strict=True)
        }
        if len(content) != len(types):
            raise ValueError("a dict with two keys that are the same")
        return Bunch(**content) if named_type(node) == BUNCH else content

    def _object(self, node: dict[str, Any]) -> Any:
        cls = _class(node)
        content = node.get("content")
        state = None if content is None else self.build(content)
        made = cls.__new__(cls)
        if state is None:
            return made
        if made is MISSING or made is INFREQUENT:  # there is only one, and it has no attributes
            kind = "a missing value" if made is MISSING else "the state of infrequent labels"
            raise TypeError(f"{kind} with attributes")
        if isinstance(state, list):  # the fields of a dataclass with slots
            if not is_dataclass(cls) or len(fields(cls)) != len(state):
                raise TypeError(f"a {cls.__name__} with other attributes than its own")
        elif isinstance(state, dict):
            name = named_type(node)
            if not _parameters(cls) <= state.keys() or has_former_attributes(name, state):
                state = current_state(name, state)
            _check_names(cls, state)
        else:
            raise TypeError(f"a {cls.__name__} whose state is no dict")
        if hasattr(made, "__setstate__"):
            made.__setstate__(state)
        else:
            made.__dict__.update(state)
        return made

    def _array(self, node: dict[str, Any]) -> Any:
        if node["type"] == "json":
            return _object_array(self._items(node), self.build(node["shape"]))
        with self._archive.open(node["file"]) as file:
            array = read_array(file, self._archive.getinfo(node["file"]).file_size)
        if node["__class__"] == "ndarray":
            return array
        kind = getattr(np, node["__class__"])
        if array.shape != () or not issubclass(array.dtype.type, kind):
            raise TypeError(f"a {node['__class__']} that is none")
        return array[()]

    def _random_state(self, node: dict[str, Any]) -> np.random.RandomState:
        state = self.build(node["content"])
        key = state["state"]["key"]
        # A state of zeros yields zeros only; drawing by rejection would never end.
        if not (key[1:].any() or key[0] >> 31) or not np.isfinite(state["gauss"]):
            raise ValueError("a RandomState whose state no generator has")
        made = np.random.RandomState(0)
        made.set_state(state)
        return made


def _class(node: dict[str, Any]) -> Any:
    """Return the class that a node names; the inspection has allowed it."""
    name = named_type(node)
    found: object = find_type(name)
    if found is None:  # of scikit-learn, or trusted by the user
        found = getattr(importlib.import_module(node["__module__"]), node["__class__"])
    if not isinstance(found, type):
        raise TypeError(f"{name}, which is no class")
    return found


@cache
def _parameters(cls: Any) -> frozenset[str]:
    return frozenset(signature(cls.__init__).parameters) - {"self"}


def _check_names(cls: type, state: dict[Any, Any]) -> None:
    """Raise if an attribute would hide a method; a parameter may be named like one."""
    parameters = _parameters(cls)
    for name in state:
        if not isinstance(name, str) or name.startswith("__"):
            raise TypeError(f"a {cls.__name__} with the attribute {name!r:.40}")
        hidden = getattr(cls, name, None)
        if name not in parameters and isinstance(hidden, FunctionType | MethodType | property):
            raise TypeError(f"a {cls.__name__} with {name!r:.40} in the place of its own")


def _scalar(node: dict[str, Any]) -> Any:
    value = json.loads(node["content"])
    if not isinstance(value, _SCALARS):
        raise TypeError("a value that is neither text nor a number")
    return value


def _type(node: dict[str, Any]) -> type:
    if node["__module__"] == "builtins":
        return _BUILTIN_TYPES[node["__class__"]]
    kind = getattr(np, node["__class__"])
    plain = (np.bool_, np.integer, np.float16, np.float32, np.float64, np.str_)
    if not (isinstance(kind, type) and issubclass(kind, plain)):
        raise TypeError(f"{node['__class__']}, which is no type of numbers")
    return kind


def _slice(node: dict[str, Any]) -> slice:
    parts = [node["content"][name] for name in ("start", "stop", "step")]
    if not all(part is None or type(part) is int for part in parts):
        raise TypeError("a slice of what is no number")
    return slice(*parts)


def _universal_function(node: dict[str, Any]) -> np.ufunc:
    home = "numpy" if node["__module__"].startswith("numpy") else "scipy.special"
    function = getattr(importlib.import_module(home), node["__class__"])
    if not isinstance(function, np.ufunc):
        raise TypeError(f"{node['__class__']}, which is no universal function")
    return function


def _object_array(items: list[Any], shape: Any) -> Array:
    """Return an array of Python objects, given as lists in lists."""
    if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
        raise TypeError("an array whose shape is none")
    flat = items
    for inner in shape[1:]:
        if any(type(row) is not list or len(row) != inner for row in flat):
            raise ValueError("an array that has not the shape it says")
        flat = [item for row in flat for item in row]
    if not shape or len(items) != shape[0] or len(flat) != math.prod(shape):
        raise ValueError("an array that has not the shape it says")
    array = np.empty(len(flat), dtype=object)
    for k, item in enumerate(flat):  # item by item: an item may be a list
        array[k] = item
    return array.reshape(shape)
