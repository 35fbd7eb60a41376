from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from augury.encode import (
    code_known_classes,
    declares_classes,
    encode_target,
    require_two_classes,
)


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (["b", "a", "b"], ["a", "b"], [1, 0, 1]),
        (np.array([3, -1, 3]), [-1, 3], [1, 0, 1]),
        (np.array([300_000, 5, 5]), [5, 300_000], [1, 0, 0]),
        (np.array([2**63, 5], dtype=np.uint64), [5, 2**63], [1, 0]),
        (np.array([1.0, 0.0]), [0.0, 1.0], [1, 0]),
        ([True, False], [False, True], [1, 0]),
        (pd.Series(["b", "a"]), ["a", "b"], [1, 0]),
        (pd.Series([2, 1], dtype="Int64"), [1, 2], [1, 0]),
        (pd.Series(["b", "a"], dtype=object), ["a", "b"], [1, 0]),
    ],
)
def test_labels_of_every_kind(y, classes, codes):
    found, coded = encode_target("Model", y)
    assert found.tolist() == classes
    assert coded.tolist() == codes
    assert coded.dtype == np.int32


def test_declared_classes_are_kept_and_sorted():
    y = pd.Categorical(["good", "bad"], categories=["good", "ugly", "bad"])
    for target in (y, pd.Series(y)):
        classes, codes = encode_target("Model", target)
        assert classes.tolist() == ["bad", "good", "ugly"]
        assert codes.tolist() == [1, 0]


@pytest.mark.parametrize(
    "y",
    [
        [0.0, np.nan],
        ["a", None],
        pd.Series(["a", np.nan]),
        pd.Series([1, None], dtype="Int64"),
        pd.Categorical(["a", None]),
        np.array(["a", np.nan], dtype=object),
    ],
)
def test_a_missing_label_raises_with_its_row(y):
    with pytest.raises(ValueError, match="Model: y must not have missing values, got one in row 1"):
        encode_target("Model", y)


def test_other_bad_targets():
    with pytest.raises(ValueError, match="got infinity in row 0"):
        encode_target("Model", [np.inf, 1.0])
    with pytest.raises(ValueError, match="Unknown label type"):
        encode_target("Model", [0.5, 1.5])
    with pytest.raises(TypeError, match=r"labels of one type, got a mix of \['int', 'str'\]"):
        encode_target("Model", np.array(["a", 1], dtype=object))
    with pytest.raises(ValueError, match="2 labels for 3 rows"):
        encode_target("Model", [0, 1], 3)
    with pytest.raises(ValueError, match="got one class: 'a'"):
        require_two_classes("Model", np.array(["a"]))
    with pytest.raises(ValueError, match="requires y to be passed"):
        encode_target("Model", None)


def test_known_classes():
    classes = np.array(["a", "b", "c"])
    assert code_known_classes("Model", ["c", "a"], classes, 2).tolist() == [2, 0]
    declared = pd.Categorical(["c"], categories=["z", "c"])
    assert code_known_classes("Model", declared, classes, 1).tolist() == [2]
    with pytest.raises(ValueError, match=r"one of the classes \['a', 'b', 'c'\], got 'd'"):
        code_known_classes("Model", ["d"], classes, 1)


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (pl.Series([2, 1]), [1, 2], [1, 0]),
        (pl.Series(["b", "a"]), ["a", "b"], [1, 0]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["a", "b"], [1, 0]),
        (pl.Series(["b", "b"], dtype=pl.Enum(["b", "z", "a"])), ["a", "b", "z"], [1, 1]),
        (pl.Series([True, False]), [False, True], [1, 0]),
        (pa.array(["b", "a"]), ["a", "b"], [1, 0]),
        (pa.chunked_array([["b"], ["a"]]), ["a", "b"], [1, 0]),
        (pa.array(["b", "a"]).dictionary_encode(), ["a", "b"], [1, 0]),
        (pa.array([2, 1]), [1, 2], [1, 0]),
        (np.array([5, 7, 5], dtype=">i2"), [5, 7], [0, 1, 0]),
        (np.array([5.0, 7.0], dtype=">f8"), [5, 7], [0, 1]),
        (np.array([np.str_("b"), "a"], dtype=object), ["a", "b"], [1, 0]),
        (np.array([2, np.int64(1)], dtype=object), [1, 2], [1, 0]),
        (np.array([np.True_, False], dtype=object), [False, True], [1, 0]),
        (pd.CategoricalIndex(["b", "a"]), ["a", "b"], [1, 0]),
        (pd.Categorical([2, 1], categories=[3, 2, 1]), [1, 2, 3], [1, 0]),
    ],
)
def test_labels_of_every_library(y, classes, codes):
    found, coded = encode_target("Model", y)
    assert found.tolist() == classes
    assert coded.tolist() == codes
    assert found.dtype.isnative


@pytest.mark.parametrize(
    "y",
    [
        ["p", float("nan"), "q"],
        pl.Series([1, None, 2]),
        pl.Series(["a", None], dtype=pl.Enum(["a"])),
        pa.array(["a", None]),
        np.array([1, Decimal("NaN")], dtype=object),
    ],
)
def test_a_missing_label_is_no_class(y):
    with pytest.raises(ValueError, match="must not have missing values, got one in row 1"):
        encode_target("Model", y)


def test_labels_of_several_types():
    for mixed in (["a", 1], ("a", 1.5), pd.Categorical([2, "a"])):
        with pytest.raises(TypeError, match=r"Model: y must be labels of one type, got a mix of"):
            encode_target("Model", mixed)
    day = date(2020, 1, 1)
    for strange in ([day], pl.Series([day]), pd.to_datetime([day]), [Decimal(1)], [b"a", "a"]):
        with pytest.raises(TypeError, match=r"Model: y must be text.* in row 0.*into text"):
            encode_target("Model", strange)
    with pytest.raises(ValueError, match=r"Model: y must be one label for each row"):
        encode_target("Model", [[1], [2, 3]])


def test_which_targets_declare_classes():
    assert declares_classes(pd.Series(["a"], dtype="category"))
    assert declares_classes(pl.Series(["a"], dtype=pl.Enum(["a", "b"])))
    for y in (["a"], pd.Series(["a"]), pl.Series(["a"]), pa.array(["a"]).dictionary_encode()):
        assert not declares_classes(y)
