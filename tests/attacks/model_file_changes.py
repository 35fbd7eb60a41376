"""Structured changes of a model file, with checksums that are right.

A `Payload` is a good file taken apart: the description (nodes of skops), the arrays, and the
metadata. A change is a function of a payload and a random generator; it says what it did.
"""

import copy
import io
import json
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

SCHEMA, MANIFEST, METADATA, MODEL = (
    "schema.json",
    "manifest.json",
    "metadata.json",
    "model.skops",
)
JSON_TEXTS = [
    *("NaN", "Infinity", "-Infinity", "1e308", "-1e308", "1e-320", "0", "-1", "1", "2", "0.5"),
    *(str(2**31), str(2**63), str(-(2**63)), str(10**40), "255", "1000000", "-0.0"),
    *("null", "true", "false", '""', '"x"', '"cv"', '"state"', '"ignore"', '"replace"', "[]"),
    *('"none"', '"onehot"', '"hard"', '"soft"', '"gaussian"', '"interval"', '"proba"'),
]
NUMBERS = [np.nan, np.inf, -np.inf, 1e308, -1e308, 1e200, 1e-320, 0.0, -1.0, 1.0, 1e6, -745.0]
INTEGERS = [0, -1, 1, 2, 3, 127, 255, 2**31 - 1, -(2**31), 2**62, -(2**63)]
DTYPES = ["<f8", "<f4", "<f2", "<i8", "<i4", "<i1", "|u1", "<u4", "<u8", "|b1", "<U3", ">f8", ">i8"]


@dataclass
class Payload:
    """A good model file taken apart."""

    schema: dict[str, Any]
    arrays: dict[str, Any]
    metadata: dict[str, Any]
    manifest: dict[str, Any]
    text: str = ""

    @classmethod
    def read(cls, path: Path) -> "Payload":
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        with zipfile.ZipFile(io.BytesIO(members[MODEL])) as inner:
            arrays = {
                name: np.load(io.BytesIO(inner.read(name)))
                for name in inner.namelist()
                if name != SCHEMA
            }
            text = inner.read(SCHEMA).decode()
        _WRITTEN.clear()
        _WRITTEN.update({id(array): (array, npy(array)) for array in arrays.values()})
        metadata, manifest = json.loads(members[METADATA]), json.loads(members[MANIFEST])
        return cls(json.loads(text), arrays, metadata, manifest, text)

    def copy(self) -> "Payload":
        """Return a copy whose nodes may be changed; arrays are replaced, never changed."""
        return Payload(
            json.loads(self.text),  # sooner than a deep copy
            dict(self.arrays),
            copy.deepcopy(self.metadata),
            self.manifest,
        )

    def to_bytes(self) -> bytes:
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as archive:
            for name, array in self.arrays.items():
                archive.writestr(name, array if isinstance(array, bytes) else npy(array))
            archive.writestr(SCHEMA, json.dumps(self.schema))
        return pack(inner.getvalue(), json.dumps(self.metadata).encode(), self.manifest)


_WRITTEN: dict[int, tuple[Any, bytes]] = {}


def npy(array: Any) -> bytes:
    """Return an array as bytes; those of arrays that nobody has changed are kept."""
    if id(array) in _WRITTEN:
        return _WRITTEN[id(array)][1]
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asanyarray(array), version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def pack(model: bytes, metadata: bytes, manifest: dict[str, Any]) -> bytes:
    """Return a model file of these members, with their checksums."""
    sums = {METADATA: sha256(metadata).hexdigest(), MODEL: sha256(model).hexdigest()}
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr(MANIFEST, json.dumps(manifest | {"sha256": sums}))
        archive.writestr(METADATA, metadata)
        archive.writestr(MODEL, model)
    return outer.getvalue()


# ---- finding places ------------------------------------------------------------------


def nodes(schema: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return all nodes of a description, with their places, parents before their children."""
    found: list[tuple[str, dict[str, Any]]] = []
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("__loader__"), str):
                found.append((path, value))
            below: Any = value.items()
        else:
            below = enumerate(value)
        waiting += [
            (f"{path}/{name}", part)
            for name, part in below
            # The types of keys are as many as the keys and of little interest.
            if isinstance(part, dict | list) and name != "key_types"
        ]
    return found


def some(payload: Payload, random: Random, *loaders: str) -> tuple[str, dict[str, Any]] | None:
    found = [
        (path, node)
        for path, node in nodes(payload.schema)
        if not loaders or node["__loader__"] in loaders
    ]
    return random.choice(found) if found else None


def without_ids(node: Any) -> Any:
    """Return a copy of a node that may stand elsewhere."""
    if isinstance(node, dict):
        return {name: without_ids(part) for name, part in node.items() if name != "__id__"}
    return [without_ids(part) for part in node] if isinstance(node, list) else node


def replace(node: dict[str, Any], other: dict[str, Any]) -> None:
    node.clear()
    node.update(other)


# ---- the changes ---------------------------------------------------------------------


def change_value(payload: Payload, random: Random) -> str:
    place = some(payload, random, "JsonNode")
    if place is None:
        return "nothing"
    path, node = place
    node["content"] = random.choice(JSON_TEXTS)
    return f"{path} = {node['content']}"


def exchange_values(payload: Payload, random: Random) -> str:
    one, two = some(payload, random, "JsonNode"), some(payload, random, "JsonNode")
    if one is None or two is None:
        return "nothing"
    one[1]["content"], two[1]["content"] = two[1]["content"], one[1]["content"]
    return f"{one[0]} <-> {two[0]}"


def change_element(payload: Payload, random: Random) -> str:
    name = random.choice(sorted(payload.arrays))
    array = np.array(payload.arrays[name])
    if array.size == 0:
        payload.arrays[name] = np.zeros((1,) * max(array.ndim, 1))
        return f"{name} gets an element"
    at = random.randrange(array.size)
    value = random.choice(NUMBERS if array.dtype.kind == "f" else INTEGERS)
    flat = array.reshape(-1)
    if array.dtype.kind == "f":
        flat[at] = value
    elif array.dtype.kind in "iu":
        flat[at] = np.array(value).astype(array.dtype)
    elif array.dtype.kind == "b":
        flat[at] = ~flat[at]
    else:
        flat[at] = flat[random.randrange(array.size)]
    payload.arrays[name] = flat.reshape(array.shape)
    return f"{name}[{at}] = {value}"


def fill_array(payload: Payload, random: Random) -> str:
    name = random.choice(sorted(payload.arrays))
    array = payload.arrays[name]
    kind = array.dtype.kind
    value: Any = random.choice(NUMBERS if kind == "f" else INTEGERS)
    if kind in "fiub":
        payload.arrays[name] = np.full(array.shape, value).astype(array.dtype)
    else:
        payload.arrays[name] = np.full(array.shape, "x", dtype=array.dtype)
    return f"{name} is all {value}"


def reshape_array(payload: Payload, random: Random) -> str:
    name = random.choice(sorted(payload.arrays))
    array = np.asarray(payload.arrays[name])
    ways = {
        "flat": lambda: array.reshape(-1),
        "transposed": lambda: array.T,
        "one axis more": lambda: array[None],
        "cut": lambda: array.reshape(-1)[:-1] if array.ndim < 2 else array[:-1],
        "narrower": lambda: array[..., :-1] if array.ndim else array,
        "longer": lambda: np.concatenate([np.atleast_1d(array)] * 2),
        "empty": lambda: np.atleast_1d(array)[:0],
        "wide and empty": lambda: np.empty((0, 10**12), dtype=array.dtype),
        "a number": lambda: array.reshape(-1)[:1].reshape(()) if array.size else array,
        "reversed": lambda: np.atleast_1d(array)[::-1],
        "shuffled": lambda: np.array(random.sample(array.reshape(-1).tolist(), array.size),
                                     dtype=array.dtype).reshape(array.shape),
        "column by column": lambda: np.asfortranarray(array),
    }  # fmt: skip
    way = random.choice(sorted(ways))
    payload.arrays[name] = np.ascontiguousarray(ways[way]()) if way != "a number" else ways[way]()
    return f"{name} {way}"


def change_dtype(payload: Payload, random: Random) -> str:
    name, dtype = random.choice(sorted(payload.arrays)), random.choice(DTYPES)
    array = payload.arrays[name]
    with np.errstate(all="ignore"):
        try:
            payload.arrays[name] = array.astype(dtype)
        except ValueError:
            payload.arrays[name] = np.zeros(array.shape, dtype)
    return f"{name} as {dtype}"


def change_bytes(payload: Payload, random: Random) -> str:
    """Change some bytes of an array's values or of its header."""
    name = random.choice(sorted(payload.arrays))
    content = bytearray(npy(payload.arrays[name]))
    at = [random.randrange(len(content)) for _ in range(random.choice([1, 1, 4, 16]))]
    for k in at:
        content[k] = random.randrange(256)
    payload.arrays[name] = bytes(content)
    return f"bytes {at} of {name}"


def swap_arrays(payload: Payload, random: Random) -> str:
    names = sorted(payload.arrays)
    one, two = random.choice(names), random.choice(names)
    arrays = payload.arrays
    arrays[one], arrays[two] = arrays[two], arrays[one]
    return f"{one} <-> {two}"


def name_array_again(payload: Payload, random: Random) -> str:
    place = some(payload, random, "NdArrayNode")
    if place is None or "file" not in place[1]:
        return "nothing"
    place[1]["file"] = random.choice([*sorted(payload.arrays), "99999.npy", SCHEMA])
    return f"{place[0]} is {place[1]['file']}"


def drop_key(payload: Payload, random: Random) -> str:
    place = some(payload, random, "DictNode")
    if place is None or not place[1]["content"]:
        return "nothing"
    path, node = place
    key = random.choice(list(node["content"]))
    at = list(node["content"]).index(key)
    del node["content"][key]
    types = node["key_types"].get("content")
    if types and random.random() < 0.9:
        del types[at]
    return f"{path} without {key}"


def swap_keys(payload: Payload, random: Random) -> str:
    place = some(payload, random, "DictNode")
    if place is None or not place[1]["content"]:
        return "nothing"
    content = place[1]["content"]
    one, two = random.choice(list(content)), random.choice(list(content))
    content[one], content[two] = content[two], content[one]
    return f"{place[0]}: {one} <-> {two}"


def copy_key(payload: Payload, random: Random) -> str:
    place = some(payload, random, "DictNode")
    if place is None or not place[1]["content"]:
        return "nothing"
    path, node = place
    content = node["content"]
    key = random.choice(list(content))
    names = ["predict", "_log_joint", "predict_proba", "__class__", "extra_", "n_jobs", "encode"]
    other = random.choice([*list(content), *names])
    if other not in content:
        types = node["key_types"].get("content")
        if types:
            types.append(without_ids(types[0]))
    content[other] = without_ids(content[key])
    return f"{path}: {other} = {key}"


def change_list(payload: Payload, random: Random) -> str:
    place = some(payload, random, "ListNode", "TupleNode", "SetNode", "NdArrayNode")
    if place is None or not place[1].get("content"):
        return "nothing"
    path, node = place
    content = node["content"]
    way = random.choice(["drop", "double", "reverse", "shuffle", "empty"])
    if way == "drop":
        del content[random.randrange(len(content))]
    elif way == "double":
        content.append(without_ids(random.choice(content)))
    elif way == "empty":
        content.clear()
    elif way == "reverse":
        content.reverse()
    else:
        random.shuffle(content)
    return f"{path}: {way}"


def refer(payload: Payload, random: Random) -> str:
    known = [node["__id__"] for _, node in nodes(payload.schema) if "__id__" in node]
    place = some(payload, random)
    if place is None or not known or place[0] == "":
        return "nothing"
    number = random.choice(known)
    replace(
        place[1],
        {"__class__": None, "__module__": None, "__loader__": "CachedNode", "__id__": number},
    )
    return f"{place[0]} -> {number}"


def copy_node(payload: Payload, random: Random) -> str:
    one, two = some(payload, random), some(payload, random)
    if one is None or two is None or one[0] == "":
        return "nothing"
    replace(one[1], without_ids(two[1]))
    return f"{one[0]} = {two[0]}"


def change_type(payload: Payload, random: Random) -> str:
    place = some(payload, random, "ObjectNode")
    if place is None:
        return "nothing"
    name = random.choice(trusted_names())
    module, _, last = name.rpartition(".")
    place[1]["__module__"], place[1]["__class__"] = module, last
    return f"{place[0]} is a {name}"


def change_loader(payload: Payload, random: Random) -> str:
    place = some(payload, random)
    if place is None:
        return "nothing"
    place[1]["__loader__"] = random.choice(
        ["ObjectNode", "DictNode", "ListNode", "TupleNode", "SetNode", "JsonNode", "NdArrayNode"]
    )
    return f"{place[0]} by {place[1]['__loader__']}"


def change_metadata(payload: Payload, random: Random) -> str:
    metadata, columns = payload.metadata, payload.metadata["columns"]
    way = random.choice(["kind", "name", "order", "fewer", "classes", "named", "model", "rows"])
    if way == "kind":
        random.choice(columns)["kind"] = random.choice(["labels", "numbers", "others", None])
    elif way == "name":
        random.choice(columns)["name"] = random.choice(["", "x", columns[0]["name"]])
    elif way == "order":
        random.shuffle(columns)
    elif way == "fewer":
        columns.pop()
    elif way == "classes":
        metadata["classes"] = random.choice([[], metadata["classes"][::-1], ["x", "y"], [1]])
    elif way == "named":
        metadata["named"] = not metadata["named"]
    elif way == "model":
        metadata["model"] = "NaiveBayes"
    else:
        metadata["n_rows"] = random.choice([None, -1, 10**30])
    return f"metadata: {way}"


def trusted_names() -> list[str]:
    from augury.persist.trusted_types import SKLEARN_TYPES, trusted_types

    return [*sorted(trusted_types()), *(f"sklearn.{name}" for name in sorted(SKLEARN_TYPES))]


# How often each is made, beside the others.
CHANGES = {
    change_value: 6,
    exchange_values: 3,
    change_element: 6,
    fill_array: 5,
    reshape_array: 5,
    change_dtype: 4,
    change_bytes: 4,
    swap_arrays: 2,
    name_array_again: 1,
    drop_key: 4,
    swap_keys: 4,
    copy_key: 2,
    change_list: 4,
    refer: 2,
    copy_node: 3,
    change_type: 2,
    change_loader: 1,
    change_metadata: 2,
}


def change(payload: Payload, random: Random) -> str:
    """Change a payload once, sometimes more often; return what was done."""
    done = []
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        (way,) = random.choices(list(CHANGES), weights=list(CHANGES.values()))
        if way is not change_bytes and any(isinstance(a, bytes) for a in payload.arrays.values()):
            break
        if not payload.arrays:
            continue
        try:
            done.append(f"{way.__name__}: {way(payload, random)}")
        except (AttributeError, IndexError, KeyError, TypeError):
            # An earlier change has left nothing that this one could change.
            done.append(f"{way.__name__}: nothing")
    return "; ".join(done)
