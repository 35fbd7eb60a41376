"""A model as bytes, in the format of skops with each object written once."""

import io
import json
from collections.abc import Collection
from types import ModuleType
from typing import Any
from zipfile import ZipFile, ZipInfo

from augury.data.errors import shorten
from augury.optional import MissingExtraError, import_extra
from augury.persist.building import Builder
from augury.persist.describing import LONG_AGO, REFERENCE, UnknownObjectError, describe
from augury.persist.inspection import (
    SCHEMA,
    Description,
    ForbiddenError,
    ForbiddenTypesError,
    inspect_payload,
    is_node,
)
from augury.persist.state_checks import check_state
from augury.persist.trusted_types import find_type, named_type

# The version of skops whose format `describe` writes. It is a constant, so that equal models give
# equal bytes on every machine, whichever skops is installed, if any.
_FORMAT_VERSION = "0.16.0"

# Errors for objects that cannot be described: generators, closures, …
_NOT_SAVED = (TypeError, ValueError, AttributeError, RecursionError, NotImplementedError)


def dump_model(
    model: Any, also_trusted: Collection[str] = (), max_bytes: float = float("inf")
) -> bytes:
    """Return a model as bytes for `rebuild_model`, or raise `ForbiddenError`.

    What `rebuild_model` would refuse, for these types and this memory, is refused here too.
    """
    try:
        payload = describe(model, _FORMAT_VERSION)
    except _NOT_SAVED as error:  # skops describes more types, and says what cannot be saved
        known = isinstance(error, UnknownObjectError)
        held = error if known else "parts that augury cannot describe"
        skops_io = _skops_io(f"saving a model that holds {held}")
        return _dump_by_skops(model, also_trusted, max_bytes, skops_io)
    inspect_payload(payload, also_trusted, max_bytes)
    return payload


def _skops_io(purpose: str) -> ModuleType:
    """Import skops, which only models with parts of other packages need.

    The import takes a second, since skops imports all of scikit-learn.
    """
    return import_extra("skops.io", extra="skops", purpose=purpose)


def _dump_by_skops(
    model: Any, also_trusted: Collection[str], max_bytes: float, skops_io: ModuleType
) -> bytes:
    """Return the same for a model that holds types which only skops describes, or none."""
    try:
        payload = _tidy(skops_io.dumps(model))
    except _NOT_SAVED as error:
        raise ForbiddenError(f"something that cannot be saved ({error})") from error
    description = inspect_payload(payload, also_trusted, max_bytes)
    untrusted = set(skops_io.get_untrusted_types(data=payload)) - set(description.names)
    if untrusted:
        raise ForbiddenTypesError(untrusted)
    return payload


def rebuild_model(
    payload: bytes, also_trusted: Collection[str] = (), max_bytes: float = float("inf")
) -> Any:
    """Return the model of bytes that `dump_model` returned.

    Parameters
    ----------
    payload : the bytes
    also_trusted : further types, which the user trusts
    max_bytes : memory that the payload and all its objects may take

    Raises
    ------
    ForbiddenError
        If the payload contains something that no model of augury has.
    MissingExtraError
        If it contains types that only skops can create, and skops is not installed.
    """
    try:
        description = inspect_payload(payload, also_trusted, max_bytes)
    except ForbiddenError:
        raise
    except Exception as error:  # a hostile description can cause any error
        raise ForbiddenError(f"a description that cannot be read ({error!r:.200})") from error
    try:
        model = _build(payload, description)
        check_state(model)
    except (ForbiddenError, MissingExtraError):
        raise
    except Exception as error:  # so can the attributes of a model
        raise ForbiddenError(
            f"a {description.root} that cannot be made ({error!r:.200})"
        ) from error
    if not hasattr(type(model), "predict"):
        raise ForbiddenError(f"a {type(model).__name__}, which predicts nothing")
    return model


def _build(payload: bytes, description: Description) -> Any:
    with ZipFile(io.BytesIO(payload)) as archive:
        if not description.foreign:
            return Builder(archive).build(description.schema)
    # Only skops can create these types, which the user trusts.
    skops_io = _skops_io(f"loading a model that holds {shorten(sorted(description.names))}")
    modules = {name: find_type(name) for name in description.names}
    trusted = [name if kind is None else _module_path(kind) for name, kind in modules.items()]
    try:
        return skops_io.loads(_with_module_paths(payload, description.schema), trusted=trusted)
    except skops_io.exceptions.UntrustedTypesFoundException as error:
        found = str(error).partition("\n")[0].rpartition(": ")[2].strip(".")
        raise ForbiddenError(f"types that are not trusted: {found}") from error


def _module_path(kind: type) -> str:
    return f"{kind.__module__}.{kind.__name__}"


def _with_module_paths(payload: bytes, schema: dict[str, Any]) -> bytes:
    """Return the payload with the modules of augury's classes, from which skops imports them."""

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(part) for part in value]
        if not isinstance(value, dict):
            return value
        found = {key: renamed(part) for key, part in value.items()}
        if isinstance(value.get("__module__"), str) and is_node(value):
            kind = find_type(named_type(value))
            if kind is not None:
                found |= {"__module__": kind.__module__, "__class__": kind.__name__}
        return found

    out = io.BytesIO()
    with ZipFile(io.BytesIO(payload)) as archive, ZipFile(out, "w") as copy:
        for member in archive.infolist():
            content = archive.read(member)
            if member.filename == SCHEMA:
                content = json.dumps(renamed(schema)).encode()
            copy.writestr(ZipInfo(member.filename, LONG_AGO), content)
    return out.getvalue()


def _tidy(payload: bytes) -> bytes:
    """Return the bytes of skops with each object once, and with numbers instead of addresses.

    skops writes an object again for each reference to it: each member of an ensemble would
    have a copy of the encoder that they share. Objects are numbered in the order in which they
    occur, so that equal models give equal bytes. Classes have the names of `named_type`.
    """
    with ZipFile(io.BytesIO(payload)) as archive:
        schema = json.loads(archive.read(SCHEMA), object_pairs_hook=_distinct)
        numbering = _Numbering()
        numbered = numbering.node(schema)
        tidied = io.BytesIO()
        with ZipFile(tidied, "w") as out:
            for old, new in numbering.files.items():
                out.writestr(ZipInfo(new, LONG_AGO), archive.read(old))
            text = json.dumps(numbered, separators=(",", ":"))
            out.writestr(ZipInfo(SCHEMA, LONG_AGO), text)
    return tidied.getvalue()


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a dict with keys that are the same as text, such as 1 and '1'")
    return content


class _Numbering:
    """Numbers objects and arrays in the order in which they occur."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.files: dict[str, str] = {}

    def node(self, node: dict[str, Any]) -> dict[str, Any]:
        """Return a node with new numbers, or a reference if it has occurred before."""
        address = node["__id__"]
        small = node["__loader__"] in ("JsonNode", "TypeNode")  # not worth a reference
        if not small and address in self.numbers:
            return REFERENCE | {"__id__": self.numbers[address]}
        numbered: dict[str, Any] = {}
        if not small:
            numbered["__id__"] = self.numbers[address] = len(self.numbers) + 1
        # Keys come first, as in `children_of` and in skops.
        for name in sorted(node, key=lambda name: name != "key_types"):
            if name == "file":
                numbered[name] = self.files.setdefault(node[name], f"{len(self.files)}.npy")
            elif name != "__id__":
                numbered[name] = self._value(node[name])
        if find_type(name := named_type(node)) is not None:
            numbered["__module__"], _, numbered["__class__"] = name.rpartition(".")
        return numbered

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict):
            if is_node(value):
                return self.node(value)
            return {key: self._value(part) for key, part in value.items()}
        return [self._value(part) for part in value] if isinstance(value, list) else value
