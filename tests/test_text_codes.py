"""Codes of texts equal those of pandas, and are found once for each Arrow array."""

import gc

import numpy as np
import pandas as pd
import pytest

from augury import text_codes as module
from augury.compatibility import TEXT_DTYPE
from augury.text_codes import text_codes

pytest.importorskip("pyarrow")
needs_pandas_3 = pytest.mark.skipif(
    pd.api.types.is_object_dtype(TEXT_DTYPE),
    reason="pandas before 3 keeps texts as objects, not in Arrow",
)


def column(n_rows=2000, n_labels=300):
    codes = np.random.default_rng(0).integers(-1, n_labels, n_rows)
    return pd.Series([None if code < 0 else f"label {code}" for code in codes], dtype="str")


@pytest.mark.parametrize("n_rows", [3, 2000])
@pytest.mark.parametrize("dtype", ["str", "string", "string[python]", "category", "object"])
def test_codes_are_those_of_pandas(n_rows, dtype):
    texts = column(n_rows).astype(dtype)
    codes, labels = pd.factorize(texts)
    found = text_codes(texts)
    np.testing.assert_array_equal(found.codes, codes)
    assert found.texts.tolist() == [str(label) for label in labels]


def test_codes_are_as_short_as_possible():
    assert text_codes(column(n_labels=127)).codes.dtype == np.int8
    assert text_codes(column(n_labels=300)).codes.dtype == np.int16
    many = pd.Series([f"label {k}" for k in range((1 << 15) + 1)])
    assert text_codes(many).codes.dtype == np.int32
    assert text_codes(many).codes[-1] == 1 << 15


@needs_pandas_3
def test_codes_are_found_once_for_a_column_of_a_frame():
    frame = pd.DataFrame({"a": column(), "b": 1.0})
    found = text_codes(frame["a"])
    assert text_codes(frame["a"]) is found
    assert text_codes(pd.DataFrame({"a": frame["a"]}, copy=False).iloc[:, 0]) is found


def test_changed_columns_have_other_codes():
    frame = pd.DataFrame({"a": column()})
    text_codes(frame["a"])
    frame.loc[0, "a"] = "new"
    assert text_codes(frame["a"]).texts.iloc[0] == "new"


@needs_pandas_3
def test_codes_are_forgotten_with_the_column():
    gc.collect()
    before = len(module._known)
    texts = column()
    text_codes(texts)
    assert len(module._known) == before + 1
    del texts
    gc.collect()
    assert len(module._known) == before
