"""Inspection of the description of a model before an object is created.

skops describes a model as a tree of nodes in `schema.json`. A node names a type and the way to
create it (`__loader__`). Arrays are separate members. The inspection allows less than skops: no
loader that calls a function which a file names, types only with their own loaders, arrays that
have the size they state, each named once, and no more memory than the limit over all references.
"""

import io
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from augury.persist.arrays import ArrayError, ArrayHeader, ArrayTypeError, read_header
from augury.persist.json_text import JsonTextError, LongJsonTextError, parse_json_text
from augury.persist.trusted_types import BUNCH, find_type, is_trusted, named_type

SCHEMA = "schema.json"
# The loaders and what they read depend on it. Review this module before another is added.
PROTOCOL = 2
# Number of nodes; a node counts once for every reference to it.
MAX_NODES = 10_000_000
MAX_DEPTH = 150
# Memory that zipfile keeps for each member.
_MEMBER_BYTES = 1 << 10

_ARRAY_NAME = re.compile(r"\d{1,9}\.npy")
_NUMPY_VALUES = re.compile(r"numpy\.(ndarray|bool_?|str_|u?int(8|16|32|64)|float(16|32|64))")
_CONTAINERS = (dict, list)
_KEYS = {"builtins.str", "builtins.int", "builtins.float"}


class ForbiddenError(ValueError):
    """The description contains something that no model of augury has."""


class TooLargeError(ForbiddenError):
    """The objects of the description would take more memory than `max_bytes`."""


class ForbiddenTypesError(ForbiddenError):
    """The description names types that are not trusted."""

    def __init__(self, names: Collection[str]) -> None:
        super().__init__(f"types that are not trusted: {', '.join(sorted(names))}")
        self.names: list[str] = sorted(names)


@dataclass(frozen=True)
class Description:
    """The description in a payload that has passed the inspection.

    Parameters
    ----------
    schema : the tree of nodes
    root : name of the type at its top
    names : all types in it that need trust
    foreign : whether it has loaders that only skops knows, of types the user trusts
    """

    schema: dict[str, Any]
    root: str
    names: list[str]
    foreign: bool


# Types that each loader may create. Loaders that call a function or a constructor by name are
# left out.
_LOADERS: dict[str, Callable[[str], object]] = {
    "ObjectNode": is_trusted,
    "DictNode": {"builtins.dict", BUNCH}.__contains__,
    "ListNode": {"builtins.list"}.__contains__,
    "TupleNode": {"builtins.tuple"}.__contains__,
    "SetNode": {"builtins.set"}.__contains__,
    "JsonNode": {"builtins.str"}.__contains__,
    "TypeNode": re.compile(r"builtins\.(str|int|float|bool|list|tuple|set)|numpy\.\w+").fullmatch,
    "NdArrayNode": _NUMPY_VALUES.fullmatch,
    "RandomStateNode": {"numpy.random.mtrand.RandomState"}.__contains__,
    "SliceNode": {"builtins.slice"}.__contains__,
    # Universal functions of NumPy and SciPy; skops has a list of them.
    "FunctionNode": re.compile(r"(numpy|scipy)\.[\w.]+").fullmatch,
}


@dataclass
class Inspection:
    """One pass over a description.

    Parameters
    ----------
    arrays : headers of the arrays beside the description, by name
    max_bytes : memory that the arrays may take, counted once for every reference
    also_trusted : further types, which the user trusts however they are made

    Attributes
    ----------
    names : the types that were found
    forbidden : those of them that are not trusted
    foreign : whether types that the user trusts need loaders that only skops has
    unusual : an array of values that only such types have; empty if there is none
    """

    arrays: dict[str, ArrayHeader | ArrayTypeError]
    max_bytes: float
    also_trusted: Collection[str] = ()
    names: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    foreign: bool = False
    unusual: str = ""
    _sizes: dict[int, "Size"] = field(default_factory=dict)
    _above: set[int] = field(default_factory=set)
    _used: set[str] = field(default_factory=set)

    def visit(self, node: Any, depth: int = 0) -> "Size":
        """Inspect a node and all nodes below; return their size, with every repetition."""
        if depth > MAX_DEPTH:
            raise ForbiddenError(f"objects in objects, more than {MAX_DEPTH} deep")
        loader, known = node["__loader__"], node.get("__id__")
        if loader == "CachedNode":
            return self._visit_reference(known)
        if known is not None:
            if type(known) is not int or known in self._sizes or known in self._above:
                raise ForbiddenError(f"the number {known!r:.40} of an object, which is not its own")
            self._above.add(known)
        self._check_type(node, loader)
        n_nodes, n_bytes = 1, self._own_bytes(node)
        for child in children_of(node):
            below = self.visit(child, depth + 1)
            n_nodes, n_bytes = n_nodes + below.n_nodes, n_bytes + below.n_bytes
            if n_nodes > MAX_NODES:
                raise ForbiddenError("references that multiply without end")
            if n_bytes > self.max_bytes:
                raise TooLargeError(
                    f"arrays that take more than {self.max_bytes:,} bytes, those with several "
                    "references counted for each (max_bytes)"
                )
        size = Size(n_nodes, n_bytes)
        if known is not None:
            self._above.discard(known)
            self._sizes[known] = size
        return size

    def _visit_reference(self, known: Any) -> "Size":
        if type(known) is not int or known not in self._sizes:
            raise ForbiddenError("a reference to an object that is not complete before it")
        return self._sizes[known]

    def _check_type(self, node: Any, loader: Any) -> None:
        name = named_type(node)
        self.names.add(name)
        allows = _LOADERS.get(loader)
        if name in self.also_trusted:
            self.foreign = self.foreign or (loader != "ObjectNode" and allows is None)
            return
        if allows is None or not allows(name):
            # An object of a trusted type may be created; the type may not be called.
            self.forbidden.add(name if find_type(name) is None else f"{name} by {loader}")
        if loader == "DictNode":
            for key in node["key_types"]["content"]:
                key_type = f"{key['__module__']}.{key['__class__']}"
                if key["__loader__"] != "TypeNode" or key_type not in _KEYS:
                    raise ForbiddenError("a dict whose keys are neither text nor numbers")
        if loader == "RandomStateNode":
            check_random_state(node, self.arrays)

    def _own_bytes(self, node: Any) -> int:
        name = node.get("file")
        if name is None:
            return 0
        if name not in self.arrays:
            raise ForbiddenError(f"an array {name!r:.40} that is not there")
        if name in self._used:
            raise ForbiddenError(f"an array {name} that is named more than once")
        self._used.add(name)
        header = self.arrays[name]
        if isinstance(header, ArrayTypeError):
            self.unusual = f"an array {name} {header}"
            return 0
        return header.claimed_bytes


class Size(NamedTuple):
    """Number of nodes of a description, and number of bytes of their arrays."""

    n_nodes: int
    n_bytes: int


def check_random_state(node: Any, arrays: dict[str, ArrayHeader | ArrayTypeError]) -> None:
    """Raise unless a `RandomState` has a state that NumPy can have; NumPy looks at none of it."""
    content = node["content"]["content"]
    state = content["state"]["content"]
    key, position = arrays.get(state["key"].get("file")), state["pos"].get("content")
    whole = isinstance(position, str) and re.fullmatch(r"\d{1,3}", position)
    if (
        set(content) != {"bit_generator", "state", "has_gauss", "gauss"}
        or set(state) != {"key", "pos"}
        or content["bit_generator"]["content"] != '"MT19937"'
        or not isinstance(key, ArrayHeader)
        or (key.shape, key.dtype.kind, key.dtype.itemsize) != ((_STATE_WORDS,), "u", 4)
        or not whole
        or int(position) > _STATE_WORDS
        or content["has_gauss"]["content"] not in ("0", "1")
    ):
        raise ForbiddenError("a RandomState whose state no generator has")


_STATE_WORDS = 624  # of the Mersenne Twister


def children_of(node: Any) -> list[Any]:
    """Return the nodes right below a node, in the order in which skops reads them.

    Examples
    --------
    >>> leaf = {"__loader__": "JsonNode", "content": "1"}
    >>> len(children_of({"__loader__": "ListNode", "content": [leaf, leaf]}))
    2
    """
    found: list[Any] = []
    # The types of a dict's keys are read before what the dict holds.
    if "key_types" in node:
        _add_nodes(node["key_types"], found)
    for name, value in node.items():
        if isinstance(value, _CONTAINERS) and name != "key_types":
            _add_nodes(value, found)
    return found


def _add_nodes(value: Any, found: list[Any]) -> None:
    if isinstance(value, dict):
        if is_node(value):
            found.append(value)
            return
        value = value.values()
    elif not isinstance(value, list):
        return
    for part in value:
        _add_nodes(part, found)


def is_node(value: dict[str, Any]) -> bool:
    """Return whether skops reads a dict as a node, and not as the content of a dict.

    The content of a dict may have the same keys, but their values are nodes.

    >>> is_node({"__loader__": "JsonNode", "content": "1"}), is_node({"__id__": 7})
    (True, True)
    >>> is_node({"__id__": {"__loader__": "JsonNode", "content": "1"}})
    False
    """
    # Written out: it is called for each node, and `any` with a generator takes five times as long.
    return ("__loader__" in value and not isinstance(value["__loader__"], dict)) or (
        "__id__" in value and not isinstance(value["__id__"], dict)
    )


def inspect_payload(
    payload: bytes, also_trusted: Collection[str] = (), max_bytes: float = float("inf")
) -> Description:
    """Return the description in a payload; no object is created.

    Parameters
    ----------
    payload : the archive that skops wrote
    also_trusted : further types, which the user trusts
    max_bytes : memory that the payload and all its objects may take

    Raises
    ------
    ForbiddenError
        If the payload contains something that no model of augury has, or too much of it.
    """
    # Each member has this mark in the archive's directory, which zipfile reads as a whole.
    left = max_bytes - len(payload) - _MEMBER_BYTES * payload.count(b"PK\x01\x02")
    if left < 0:
        raise TooLargeError(f"more than fits into {max_bytes:,} bytes of memory (max_bytes)")
    with ZipFile(io.BytesIO(payload)) as archive:
        members = {member.filename: member for member in archive.infolist()}
        if SCHEMA not in members or len(members) != len(archive.infolist()):
            raise ForbiddenError(f"no {SCHEMA}, or members of the same name")
        _check_sizes(list(members.values()), len(payload))
        schema, needed = _read_schema(archive.read(SCHEMA), left)
        arrays = {
            name: _read_array_header(archive, member)
            for name, member in members.items()
            if name != SCHEMA
        }
    if schema.get("protocol") != PROTOCOL:
        raise ForbiddenError(
            f"protocol {schema.get('protocol')!r:.40} of skops, and augury knows {PROTOCOL}"
        )
    inspection = Inspection(arrays, left - needed, also_trusted)
    inspection.visit(schema)
    if inspection.forbidden:
        raise ForbiddenTypesError(inspection.forbidden)
    if inspection.unusual and not inspection.foreign:
        raise ForbiddenError(inspection.unusual)
    return Description(
        schema,
        root=named_type(schema),
        names=[n for n in inspection.names if n in also_trusted or find_type(n) is not None],
        foreign=inspection.foreign,
    )


def _read_schema(text: bytes, max_bytes: float) -> tuple[dict[str, Any], int]:
    """Return the description, and an upper bound of its memory."""
    try:
        schema, needed = parse_json_text(text, max_bytes)
    except LongJsonTextError as error:
        raise TooLargeError(f"a description that is too large ({error}; max_bytes)") from error
    except JsonTextError as error:
        raise ForbiddenError(f"a description that cannot be read ({error})") from error
    if not isinstance(schema, dict):
        raise ForbiddenError("a description that is not a JSON object")
    return schema, needed


def _check_sizes(members: list[ZipInfo], n_bytes: int) -> None:
    if any(member.compress_type != ZIP_STORED or member.flag_bits & 1 for member in members):
        raise ForbiddenError("members that are compressed once more")
    if sum(member.file_size for member in members) > n_bytes:
        raise ForbiddenError("members that overlap")


def _read_array_header(archive: ZipFile, member: ZipInfo) -> ArrayHeader | ArrayTypeError:
    """Return type and shape of an array that has the size it states.

    If the values are not plain, the error is returned: it is not known yet whether a trusted
    type needs them.
    """
    name = member.filename
    if not _ARRAY_NAME.fullmatch(name):
        raise ForbiddenError(f"a member {name!r:.40}, which is no array")
    try:
        with archive.open(member) as file:
            return read_header(file, member.file_size)
    except ArrayTypeError as error:
        return error
    except ArrayError as error:
        raise ForbiddenError(f"an array {name} {error}") from error
