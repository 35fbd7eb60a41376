"""The description of a model, written without skops.

skops imports all estimators of scikit-learn, and writes an object again for each reference to it.
`describe` writes the same bytes as `augury.persist.payload` makes of the description by skops, for
the types that `augury.persist.building` creates.
"""

import io
import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any
from zipfile import ZipFile, ZipInfo

import numpy as np
from sklearn.utils import Bunch

from augury.arrays import Array
from augury.persist.inspection import PROTOCOL, SCHEMA
from augury.persist.trusted_types import SKLEARN_TYPES, find_type, named_type

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # equal models give equal bytes
REFERENCE = {"__class__": None, "__module__": None, "__loader__": "CachedNode"}
_PLAIN_TYPES = (str, int, float, bool, np.bool_, np.integer, np.floating, np.str_)

Node = dict[str, Any]


class UnknownObjectError(TypeError):
    """An object that only skops can describe, or none."""


def describe(model: Any, skops_version: str) -> bytes:
    """Return a model as bytes, with each object once.

    Raises
    ------
    UnknownObjectError
        If the model holds an object of another type than those of `Builder`, or holds itself.
    """
    describer = _Describer()
    schema = describer.node(model) | {"protocol": PROTOCOL, "_skops_version": skops_version}
    payload = io.BytesIO()
    with ZipFile(payload, "w") as archive:
        for number, array in enumerate(describer.arrays):
            buffer = io.BytesIO()
            np.save(buffer, array, allow_pickle=False)
            archive.writestr(ZipInfo(f"{number}.npy", LONG_AGO), buffer.getbuffer())
        archive.writestr(ZipInfo(SCHEMA, LONG_AGO), json.dumps(schema, separators=(",", ":")))
    return payload.getvalue()


class _Describer:
    """Describes objects, and numbers them in the order in which they occur.

    Attributes
    ----------
    arrays : the arrays, in the order of their files
    """

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # an object that is no more could give its address to another
        self._above: set[int] = set()
        self._names: dict[type, tuple[str, str]] = {}
        self._writers: dict[type, Callable[[Any, Node], Node]] = {
            dict: self._dict,
            Bunch: self._dict,
            list: partial(self._items, loader="ListNode"),
            tuple: partial(self._items, loader="TupleNode"),
            set: partial(self._items, loader="SetNode"),
            slice: self._slice,
            np.ndarray: self._array,
            np.random.RandomState: self._random_state,
        }

    def node(self, thing: Any) -> Node:
        """Return the node of an object, or a reference if it has occurred before."""
        kind = type(thing)
        if thing is None or kind in (str, int, float, bool):
            return _JSON | {"content": json.dumps(thing), "is_json": True}
        if isinstance(thing, type):
            return _type_node(thing)
        address = id(thing)
        if address in self._numbers:
            if address in self._above:
                raise UnknownObjectError(f"a {kind.__name__} that holds itself")
            return REFERENCE | {"__id__": self._numbers[address]}
        self._numbers[address] = len(self._numbers) + 1
        self._kept.append(thing)
        self._above.add(address)
        node = self._writer(thing)(thing, {"__id__": self._numbers[address]})
        self._above.discard(address)
        return node

    def _writer(self, thing: Any) -> Callable[[Any, Node], Node]:
        kind = type(thing)
        if kind in self._writers:
            return self._writers[kind]
        if isinstance(thing, np.generic):
            return self._array
        if not isinstance(thing, dict | list | tuple | set | np.ndarray) and _is_own(kind):
            return self._object
        raise UnknownObjectError(f"a {kind.__name__}")

    def _head(self, thing: Any, loader: str) -> Node:
        kind = type(thing)
        if kind not in self._names:
            self._names[kind] = _name_of(kind)
        module, name = self._names[kind]
        return {"__class__": name, "__module__": module, "__loader__": loader}

    def _dict(self, thing: dict[Any, Any], node: Node) -> Node:
        if any(type(key) not in (str, int) for key in thing):
            raise UnknownObjectError("a dict whose keys are neither text nor integers")
        node["key_types"] = self.node([type(key) for key in thing])
        content = {str(key): self.node(value) for key, value in thing.items()}
        if len(content) != len(thing):
            raise UnknownObjectError("a dict with keys that are the same as text")
        return node | self._head(thing, "DictNode") | {"content": content}

    def _items(self, thing: Any, node: Node, *, loader: str) -> Node:
        content = [self.node(item) for item in thing]
        return node | self._head(thing, loader) | {"content": content}

    def _slice(self, thing: slice, node: Node) -> Node:
        content = {"start": thing.start, "stop": thing.stop, "step": thing.step}
        if any(type(part) not in (int, type(None)) for part in content.values()):
            raise UnknownObjectError("a slice of what is no number")
        return node | self._head(thing, "SliceNode") | {"content": content}

    def _array(self, thing: Array | np.generic, node: Node) -> Node:
        node |= self._head(thing, "NdArrayNode")
        if thing.dtype == object:
            node["content"] = [self.node(item) for item in self._keep(thing.tolist())]
            return node | {"type": "json", "shape": self.node(thing.shape)}
        if thing.dtype.hasobject:
            raise UnknownObjectError("an array with objects")
        self.arrays.append(thing)
        return node | {"type": "numpy", "file": f"{len(self.arrays) - 1}.npy"}

    def _random_state(self, thing: np.random.RandomState, node: Node) -> Node:
        content = self.node(thing.get_state(legacy=False))
        return node | self._head(thing, "RandomStateNode") | {"content": content}

    def _object(self, thing: Any, node: Node) -> Node:
        made_by, *rest = thing.__reduce__()
        if made_by is type(thing) and not any(part is not None for part in rest[1:]):
            raise UnknownObjectError(f"a {type(thing).__name__} that its class has to create")
        content = self.node(thing.__getstate__())
        return node | self._head(thing, "ObjectNode") | {"content": content}

    def _keep(self, items: Any) -> list[Any]:
        if not isinstance(items, list):
            raise UnknownObjectError("an array of objects without dimensions")
        self._kept.append(items)
        return items


_JSON = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode"}


@cache
def _type_node(kind: type) -> Node:
    """Return the node of a type, which is not changed: a dict has one for each of its keys."""
    if not issubclass(kind, _PLAIN_TYPES) or kind.__module__ not in ("builtins", "numpy"):
        raise UnknownObjectError(f"the type {kind.__name__}")
    return {
        "__class__": kind.__name__,
        "__module__": kind.__module__,
        "__loader__": "TypeNode",
    }


def _name_of(kind: type) -> tuple[str, str]:
    """Return module and name of a type; types of augury have the names of `named_type`."""
    name = named_type({"__module__": kind.__module__, "__class__": kind.__name__})
    if find_type(name) is None:
        return kind.__module__, kind.__name__
    module, _, short = name.rpartition(".")
    return module, short


def _is_own(kind: type) -> bool:
    """Return whether objects of a type are those of augury, or of the list of scikit-learn's."""
    module, name = _name_of(kind)
    path = f"{module}.{name}"
    if path.startswith("sklearn."):
        return path.removeprefix("sklearn.") in SKLEARN_TYPES or find_type(path) is kind
    return path.startswith("augury.") and find_type(path) is kind


__all__ = ["LONG_AGO", "REFERENCE", "UnknownObjectError", "describe"]
