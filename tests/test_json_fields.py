import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from augury.foreign import Json
from augury.json_fields import INLINE, JsonFieldError, fields_to_json, from_json, to_json


@dataclass(frozen=True, slots=True)
class Inner:
    values: tuple[float | None, ...] = ()
    pair: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Outer:
    class_: str
    inner: Inner = field(metadata=INLINE)
    by_name: Mapping[str, Inner] = field(default_factory=dict)
    free: Json = None
    label: bool | int | str = ""


OUTER = Outer(
    class_="a.B",
    inner=Inner((0.5, None), (3, "x")),
    by_name={"one": Inner((1.0,))},
    free={"any": [1, "text", None]},
    label=True,
)


def test_an_object_is_read_as_it_was_written() -> None:
    content = fields_to_json(OUTER)
    assert content["class"] == "a.B", "the underscore is not part of the key"
    assert content["values"] == [0.5, None], "keys of an inline field are keys of the object"
    assert from_json(Outer, json.loads(json.dumps(content)), "outer") == OUTER


def test_absent_and_null_keys_take_the_default() -> None:
    for content in ({"class": "c"}, {"class": "c", "by_name": None, "values": None}):
        assert from_json(Outer, content, "outer") == Outer("c", Inner())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], r"^outer must be a JSON object, got \[\]$"),
        ({}, "^outer must have the key 'class', which is absent$"),
        ({"class": None}, "^outer.class must be text, got None$"),
        ({"class": "c", "values": 1}, "^outer.values must be a list, got 1$"),
        ({"class": "c", "values": [True]}, "^outer.values must be a number, got True$"),
        ({"class": "c", "pair": [1]}, "^outer.pair must have 2 values, got 1$"),
        ({"class": "c", "pair": [1.5, ""]}, "^outer.pair must be a whole number, got 1.5$"),
        ({"class": "c", "by_name": {"one": 1}}, "^outer.by_name must be a JSON object, got 1$"),
        ({"class": "c", "label": 1.5}, "^outer.label must be true or false or a whole number or"),
    ],
)
def test_values_of_another_type_are_refused(content: object, message: str) -> None:
    with pytest.raises(JsonFieldError, match=message):
        from_json(Outer, content, "outer")


def test_values_that_json_cannot_hold_are_refused() -> None:
    with pytest.raises(TypeError, match="JSON cannot hold a value of type complex"):
        to_json([1j])
