"""Conversion of frozen dataclasses to JSON and back, by the types of their fields.

The types of fields are scalars, `Json`, dataclasses, tuples, mappings with text as keys, and
unions of these with None. A key of the JSON object is the name of the field; a field whose name
is a Python keyword ends in an underscore, which the key omits (`class_` becomes `class`). The
keys of a field with the metadata `INLINE` are keys of the enclosing object.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from augury.foreign import Json

T = TypeVar("T")

# Metadata of a field whose keys are keys of the enclosing object.
INLINE: Mapping[str, bool] = {"inline": True}

_SCALARS = (bool, int, float, str)
_WORDS_OR_INTEGERS = (str, int)
_LISTS = (tuple, list)


class JsonFieldError(ValueError):
    """A JSON value that does not have the type of its field."""


def to_json(value: object) -> Json:
    """Return a dataclass, or a value of one of its fields, as plain JSON.

    NaN and infinity become None, because JSON has no such numbers.

    Examples
    --------
    >>> to_json({"p": (0.5, float("nan"))})
    {'p': [0.5, None]}
    """
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, _WORDS_OR_INTEGERS):
        return value
    if isinstance(value, _LISTS):  # faster than the check of an abstract class
        return [to_json(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): to_json(part) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [to_json(part) for part in value]
    if is_dataclass(value):
        return fields_to_json(value)
    raise TypeError(f"JSON cannot hold a value of type {type(value).__name__}")


def fields_to_json(value: Any) -> dict[str, Json]:
    """Return a dataclass as a JSON object."""
    content: dict[str, Json] = {}
    for each in fields(value):
        part = getattr(value, each.name)
        if each.metadata.get("inline"):
            content |= fields_to_json(part)
        else:
            content[_key(each)] = to_json(part)
    return content


def from_json(kind: type[T], content: object, name: str) -> T:
    """Return the dataclass that a JSON object describes.

    Parameters
    ----------
    kind : dataclass
        Type of the result.
    content : object
        What `to_json` returned, or what a JSON file contains. Unknown keys are ignored. An
        absent or null key takes the default of its field, if the field has one.
    name : str
        Name of the object in error messages.

    Raises
    ------
    JsonFieldError
        If a key without a default is absent, or a value has another type.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Cell:
    ...     mean: float
    ...     std: float | None = None
    >>> from_json(Cell, {"mean": 85}, "cell")
    Cell(mean=85.0, std=None)
    >>> from_json(Cell, {"mean": "high"}, "cell")
    Traceback (most recent call last):
    augury.json_fields.JsonFieldError: cell.mean must be a number, got 'high'
    """
    if not isinstance(content, Mapping):
        raise JsonFieldError(f"{name} must be a JSON object, got {_shown(content)}")
    make: Any = kind
    values = {}
    for each in fields(make):
        key = _key(each)
        if each.metadata.get("inline"):
            values[each.name] = from_json(_as_class(each.type), content, name)
        elif (part := content.get(key)) is not None or not _has_default(each):
            if key not in content:
                raise JsonFieldError(f"{name} must have the key {key!r}, which is absent")
            values[each.name] = _read(each.type, part, f"{name}.{key}")
    made: T = make(**values)
    return made


def _read(hint: object, value: object, place: str) -> object:
    """Return a JSON value as a field of this type holds it."""
    if type(value) is hint and hint in _SCALARS:  # most values
        return value
    if hint == Json:
        return value
    origin, arguments = _parts_of(hint)
    if origin in (UnionType, Union):
        return _read_union(arguments, value, place)
    if origin is tuple:
        return _read_tuple(arguments, value, place)
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise JsonFieldError(f"{place} must be a JSON object, got {_shown(value)}")
        return {str(key): _read(arguments[1], part, place) for key, part in value.items()}
    if hint in _SCALARS:
        return _read_scalar((hint,), value, place)
    return from_json(_as_class(hint), value, place)


@cache
def _parts_of(hint: Any) -> tuple[object, tuple[object, ...]]:
    """Return origin and arguments of the type of a field; classes have few of them."""
    return get_origin(hint), get_args(hint)


def _read_union(members: tuple[object, ...], value: object, place: str) -> object:
    if value is None and NoneType in members:
        return None
    others = tuple(member for member in members if member is not NoneType)
    if len(others) == 1:
        return _read(others[0], value, place)
    return _read_scalar(others, value, place)


def _read_tuple(arguments: tuple[object, ...], value: object, place: str) -> object:
    if not isinstance(value, list | tuple):
        raise JsonFieldError(f"{place} must be a list, got {_shown(value)}")
    if arguments[-1] is Ellipsis:
        if arguments[0] in _SCALARS and all(type(part) is arguments[0] for part in value):
            return tuple(value)
        return tuple(_read(arguments[0], part, place) for part in value)
    if len(value) != len(arguments):
        raise JsonFieldError(f"{place} must have {len(arguments)} values, got {len(value)}")
    return tuple(_read(hint, part, place) for hint, part in zip(arguments, value, strict=True))


def _read_scalar(kinds: tuple[object, ...], value: object, place: str) -> object:
    if type(value) in kinds:
        return value
    if float in kinds and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    wanted = " or ".join(word for kind, word in words.items() if kind in kinds)
    raise JsonFieldError(f"{place} must be {wanted}, got {_shown(value)}")


def _as_class(hint: object) -> type[object]:
    if isinstance(hint, type) and is_dataclass(hint):
        return hint
    raise TypeError(f"fields of type {hint!r} cannot be read from JSON")


def _has_default(each: "Field[Any]") -> bool:
    return each.default is not MISSING or each.default_factory is not MISSING


def _key(each: "Field[Any]") -> str:
    return each.name.rstrip("_")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


__all__ = ["INLINE", "JsonFieldError", "fields_to_json", "from_json", "to_json"]
