"""A damaged file is either read or raises a DataError."""

import warnings
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augury.compatibility import TEXT_DTYPE
from augury.data import DataError, DataWarning, read_table
from augury.data.table import read_raw

ARFF = """@relation 'my toys'
@attribute born date "yyyy-MM-dd'T'HH:mm"
@attribute text string
@attribute 'the size' {x,'y z',"q",don't}
@attribute legs integer [0,9]
@attribute class {u,v}
@data
'2001-01-01T10:10','foo bar',don't,3,u % a remark
{0 '2001-02-03T00:00', 1 'x', 2 q, 4 v}, {3}
'2002-01-01T01:01',?,'y z',NaN,v,{2.5}
"""
CSV = """id,flag,size,class
18446744073709551615,True,"a, b",u

-2,?,"two
lines",v
\t
3,False,1.5,u
"""
PIECES = [
    *"'\"{}%,;|\\?@\t\n \r\v\f\x1c\x85\xa0\u2028\u0663.-+eE09_",
    "''", '""', "@data", "{1 2}", "{", "}", "NaN", "Infinity", "nan", "True", "9" * 25, "9" * 5000,
    "yyyy", "date", "@attribute x numeric\n", " " * 500,
]  # fmt: skip
# Position, number of characters removed, and characters inserted.
DAMAGE = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(0, 12), st.sampled_from(["", *PIECES])),
    min_size=1,
    max_size=5,
)


def damage(text: str, places: list[tuple[int, int, str]]) -> str:
    for place, length, piece in places:
        start = place % (len(text) + 1)
        text = text[:start] + piece + text[start + length :]
    return text


@pytest.mark.parametrize(
    ("whole", "name"),
    [(ARFF, "f.arff"), (CSV, "f.csv"), (CSV.replace(",", ";"), "f.csv"),
     (CSV.replace(",", "\t"), "f.tsv")],
)  # fmt: skip
@settings(max_examples=max(200, settings.default.max_examples))
@given(places=DAMAGE)
def test_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    whole: str,
    name: str,
    places: list[tuple[int, int, str]],
) -> None:
    path = Path(tmp_path_factory.getbasetemp(), name)
    path.write_text(damage(whole, places), encoding="utf-8", newline="")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        try:
            table = read_raw(path)
        except DataError as error:
            assert str(error).startswith(str(path))  # noqa: PT017
            return
        assert table.lines is not None
        assert len(table.lines) == len(table.frame)
        assert pd.api.types.is_object_dtype(TEXT_DTYPE) or object not in table.frame.dtypes.tolist()
        with suppress(DataError):
            read_table(path)
