"""Look through a model's description before any of it is made.

skops describes a model as a tree of nodes in `schema.json`, which names types and how to
make them (`__loader__`), and puts arrays beside it. It refuses types that are not
trusted; here less is allowed, and first: loaders that call what a file names are not,
types only where they belong, no references that multiply, arrays of the size they say.
"""

import io
import json
import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from augury.persist.trusted_types import BUNCH, trusted_types

SCHEMA = "schema.json"
# Which loaders there are and what they read depends on it: look at all below before
# another is added.
PROTOCOL = 2
# skops goes through an object once for every place that refers to it.
MAX_NODES = 10_000_000
MAX_ARRAYS = 1_000_000

_ARRAY_NAME = re.compile(r"\d+\.npy")
_NUMPY_VALUES = re.compile(r"numpy\.(ndarray|bool_?|str_|u?int(8|16|32|64)|float(16|32|64))")
_MARKS = ("__loader__", "__id__")
_KEYS = {"builtins.str", "builtins.int", "builtins.float"}


class ForbiddenError(ValueError):
    """Something in the description that no model of augury has."""


class ForbiddenTypesError(ForbiddenError):
    """Types that are not trusted."""

    def __init__(self, names: Collection[str]) -> None:
        super().__init__(f"types that are not trusted: {', '.join(sorted(names))}")
        self.names = sorted(names)


def _is_object(name: str) -> bool:
    # Of scikit-learn, skops trusts the estimators and not the rest.
    return name in trusted_types() or name.startswith("sklearn.")


# What each loader may make. Not here: all that call a function or a constructor by name.
_LOADERS: dict[str, Callable[[str], object]] = {
    "ObjectNode": _is_object,
    "DictNode": {"builtins.dict", BUNCH}.__contains__,
    "ListNode": {"builtins.list"}.__contains__,
    "TupleNode": {"builtins.tuple"}.__contains__,
    "SetNode": {"builtins.set"}.__contains__,
    "JsonNode": {"builtins.str"}.__contains__,
    "TypeNode": re.compile(r"(builtins|numpy)\.\w+").fullmatch,
    "NdArrayNode": _NUMPY_VALUES.fullmatch,
    "RandomStateNode": {"numpy.random.mtrand.RandomState"}.__contains__,
    "SliceNode": {"builtins.slice"}.__contains__,
    # Universal functions of NumPy and SciPy, of which skops has a list.
    "FunctionNode": re.compile(r"(numpy|scipy)\.[\w.]+").fullmatch,
}


@dataclass
class Inspection:
    """One look through a description.

    Parameters
    ----------
    arrays : names of the arrays beside the description
    also_trusted : further types, which the user trusts however they are made

    Attributes
    ----------
    names : the types that were met
    forbidden : those of them that are not trusted
    """

    arrays: Collection[str]
    also_trusted: Collection[str] = ()
    names: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    _n_nodes: dict[int, int] = field(default_factory=dict)
    _above: set[int] = field(default_factory=set)

    def visit(self, node: Any) -> int:
        """Look at a node and all below; return how many that are, repeated ones repeated."""
        loader, known = node["__loader__"], node.get("__id__")
        if loader == "CachedNode":
            return self._visit_reference(known)
        if known is not None:
            if type(known) is not int or known in self._n_nodes or known in self._above:
                raise ForbiddenError(f"the number {known!r:.40} of an object, which is not its own")
            self._above.add(known)
        self._check_type(node, loader)
        n_nodes = 1 + sum(self.visit(child) for child in children_of(node))
        if n_nodes > MAX_NODES:
            raise ForbiddenError("references that multiply without end")
        if known is not None:
            self._above.discard(known)
            self._n_nodes[known] = n_nodes
        return n_nodes

    def _visit_reference(self, known: Any) -> int:
        if known not in self._n_nodes:
            raise ForbiddenError("a reference to an object that is not complete before it")
        return self._n_nodes[known]

    def _check_type(self, node: Any, loader: Any) -> None:
        name = f"{node['__module__']}.{node['__class__']}"
        self.names.add(name)
        if name in self.also_trusted:
            return
        allows = _LOADERS.get(loader)
        if allows is None or not allows(name):
            # A trusted type may come as an object of it, and not be called.
            self.forbidden.add(name if name not in trusted_types() else f"{name} by {loader}")
        if loader == "DictNode":
            for key in node["key_types"]["content"]:
                key_type = f"{key['__module__']}.{key['__class__']}"
                if key["__loader__"] != "TypeNode" or key_type not in _KEYS:
                    raise ForbiddenError("a dict whose keys are neither text nor numbers")
        if loader == "NdArrayNode" and node["type"] == "numpy" and node["file"] not in self.arrays:
            raise ForbiddenError(f"an array {node['file']!r:.40} that is not there")


def children_of(node: Any) -> list[Any]:
    """Return the nodes right below a node, in the order in which skops reads them.

    Examples
    --------
    >>> leaf = {"__loader__": "JsonNode", "content": "1"}
    >>> len(children_of({"__loader__": "ListNode", "content": [leaf, leaf]}))
    2
    """
    # The types of a dict's keys are read before what the dict holds.
    ordered = sorted(node, key=lambda name: name != "key_types")
    return [child for name in ordered for child in _nodes_in(node[name])]


def _nodes_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value] if is_node(value) else [n for v in value.values() for n in _nodes_in(v)]
    return [n for v in value for n in _nodes_in(v)] if isinstance(value, list) else []


def is_node(value: dict[str, Any]) -> bool:
    """Return whether skops would take that for a node, and not for what a dict holds.

    A dict may have the same keys, but holds nodes under them.

    >>> is_node({"__loader__": "JsonNode", "content": "1"}), is_node({"__id__": 7})
    (True, True)
    >>> is_node({"__id__": {"__loader__": "JsonNode", "content": "1"}})
    False
    """
    return any(key in value and not isinstance(value[key], dict) for key in _MARKS)


def inspect_payload(payload: bytes, also_trusted: Collection[str] = ()) -> tuple[str, list[str]]:
    """Return the type of what a payload describes, and all types in it that need trust.

    Raises
    ------
    ForbiddenError
        If there is anything that a model of augury does not have.
    """
    # Each member has this mark in the archive's list, which zipfile reads whole.
    if payload.count(b"PK\x01\x02") > MAX_ARRAYS:
        raise ForbiddenError("too many arrays")
    with ZipFile(io.BytesIO(payload)) as archive:
        members = archive.infolist()
        arrays = {member.filename for member in members if member.filename != SCHEMA}
        if len(arrays) != len(members) - 1:
            raise ForbiddenError(f"no {SCHEMA}, or members of the same name")
        _check_sizes(members, len(payload))
        for name in arrays:
            _check_array(name, archive.read(name))
        schema = json.loads(archive.read(SCHEMA))
    if schema.get("protocol") != PROTOCOL:
        raise ForbiddenError(
            f"protocol {schema.get('protocol')!r:.40} of skops, and augury knows {PROTOCOL}"
        )
    inspection = Inspection(arrays, also_trusted)
    inspection.visit(schema)
    if inspection.forbidden:
        raise ForbiddenTypesError(inspection.forbidden)
    ours = [n for n in inspection.names if n in trusted_types() or n in also_trusted]
    return f"{schema['__module__']}.{schema['__class__']}", ours


def _check_sizes(members: list[ZipInfo], n_bytes: int) -> None:
    if any(member.compress_type != ZIP_STORED or member.flag_bits & 1 for member in members):
        raise ForbiddenError("members that are compressed once more")
    if sum(member.file_size for member in members) > n_bytes:
        raise ForbiddenError("members that overlap")


def _check_array(name: str, content: bytes) -> None:
    """Raise unless it is an array of plain values that has the size it says it has."""
    if not _ARRAY_NAME.fullmatch(name):
        raise ForbiddenError(f"a member {name!r:.40}, which is no array")
    file = io.BytesIO(content)
    if np.lib.format.read_magic(file) == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    else:
        raise ForbiddenError(f"an array {name} of an unknown version")
    if dtype.hasobject:
        raise ForbiddenError(f"an array {name} of objects, which only a pickle could hold")
    if math.prod(shape) * dtype.itemsize != len(content) - file.tell():
        raise ForbiddenError(f"an array {name} that has not the size it says")
