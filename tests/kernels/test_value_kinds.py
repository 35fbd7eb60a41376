"""Kinds of values in delimited text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.kernels import KindScanner, _native
from augury.kernels.value_kinds import (
    BOOLEAN,
    LONG_KINDS,
    MISSING,
    N_KINDS,
    NUMBER_KINDS,
    ODD,
    TEXT,
)

WORDS = frozenset({"", "NA", "nan", "?", "-1.#IND"}), frozenset({"True", "false"})


def scanner(delimiter=",", columns=("a", "b")):
    return KindScanner(delimiter, list(columns), *WORDS)


def kind_of(value):
    block = scanner("|").scan(f"{value}|x\n".encode(), is_last=True, line=1, max_field=1000)
    [kind] = np.flatnonzero(block.counts[0])
    return int(kind)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (MISSING, ["", "  ", "NA", '"NA"', " NA", "?", "-1.#IND", '""', "\tnan"]),
        (BOOLEAN, ["True", '"false"', " True"]),
        (TEXT, ["x", "NA ", '"True "', "2015-01-01", "1-2", "--1", "1,2,3", "1.2.3", "中文", "$5"]),
        (TEXT, ["-", "+", '" "', 'a "b"', "none", "1x", "é5é x", "information", "5 6"]),
        (ODD, ["inf", "-Inf", "NAN", "+infinity", "1,", ",5", "1e", "1e1234", '"1"2', '\t"1"']),
        (ODD, ["5\xa0", "é5", "1,5e3", "e5"[::-1], "1.234.567.890.123.456.789"]),
    ],
)
def test_words_and_odd_values(kind, values):
    assert {value: kind_of(value) for value in values} == dict.fromkeys(values, kind)


GROUPS = [
    ["0", "7", "123456789012345678"],
    ["07", "00", "012345678901234567"],
    ["+7", "+07"],
    ["-7", "-0"],
    ["1234567890123456789", "9223372036854775807"],
    ["9223372036854775808", "18446744073709551615"],
    ["18446744073709551616", "99999999999999999999999"],
    ["-9223372036854775808"],
    ["-9223372036854775809"],
    ["0000000000000000001"],
    ["1.5", ".5", "5.", "-0.25", "+1234.567", "0.123"],
    ["1.234", "-123.456"],
    ["1e5", "-12E+3"],
    ["1.5e5", ".5e-300"],
    ["1,5", "0,125", "1234,567"],
    ["1,234", "-12,345"],
    ["1.234.567", "-1.234.567"],
    ["1.234,5", "1.234.567,89"],
]


def test_numbers_of_one_form_have_one_kind():
    kinds = [{kind_of(value) for value in group} for group in GROUPS]
    assert all(len(found) == 1 for found in kinds)
    assert len(set.union(*kinds)) == len(GROUPS)
    padded = [{kind_of(f"{value} ") for value in group} for group in GROUPS]
    assert all(len(found) == 1 for found in padded)
    assert len(set.union(*kinds, *padded)) == 2 * len(GROUPS)
    assert [min(found) in NUMBER_KINDS for found in kinds] == [True] * 14 + [False] * 4
    assert [min(found) in LONG_KINDS for found in kinds] == [False] * 4 + [True] * 6 + [False] * 8


def test_incomplete_rows_are_left_for_the_next_block():
    text = b'1,2\n\n"x\ny",3\n4,"5'
    for n_bytes in range(len(text) + 1):
        block = scanner().scan(text[:n_bytes] or b"\n", is_last=False, line=1, max_field=100)
        ends = [end for end in (0, 4, 5, 13) if end <= n_bytes]
        assert block.end == (ends[-1] if n_bytes else 1)
    assert block.n_rows == 2
    assert block.next_line == 5
    assert [example.line for example in block.examples] == [1, 1, 3]
    assert scanner().scan(text, is_last=True, line=1, max_field=100) is None
    assert scanner().scan(text + b'"', is_last=True, line=1, max_field=100).n_rows == 3


def test_first_value_equal_to_the_name_is_an_example():
    block = scanner().scan(b"1,2\na,x\n3,b\na,b\n", is_last=True, line=1, max_field=100)
    named = [example for example in block.examples if example.kind == N_KINDS]
    assert [(example.column, example.line) for example in named] == [(0, 2), (1, 3)]


def test_all_odd_values_are_examples():
    text = b"inf,1\n" * 10_000
    block = scanner().scan(text, is_last=True, line=1, max_field=100)
    assert block.n_rows == 10_000
    odd = [example for example in block.examples if example.kind == ODD]
    assert [example.line for example in odd] == list(range(1, 10_001))
    assert {example.text for example in odd} == {b"inf"}


PIECES = ["a", "NA", "07", "-1", ".5", "é", " ", "\t", ",", '"', '""', "\n"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.integers(0, 30))
def test_rows_of_two_blocks_are_those_of_the_whole(text, cut):
    content = text.encode()
    whole = scanner().scan(content or b"\n", is_last=True, line=1, max_field=100)
    first = scanner().scan(content[:cut] or b"\n", is_last=False, line=1, max_field=100)
    if whole is None or not content[:cut]:
        return
    assert first is not None
    rest = scanner().scan(
        content, is_last=True, line=first.next_line, max_field=100, start=first.end
    )
    assert first.n_rows + rest.n_rows == whole.n_rows
    assert rest.next_line == whole.next_line
    np.testing.assert_array_equal(first.counts + rest.counts, whole.counts)


def arguments(**changed):
    given = {
        "text": np.frombuffer(b"1,2\n", dtype=np.uint8),
        "delimiter": ord(","),
        "is_last": True,
        "start": 0,
        "line": 1,
        "max_field": 100,
        "words": np.frombuffer(b"\x02\x00NA", dtype=np.uint8),
        "names": np.frombuffer(b"ab", dtype=np.uint8),
        "name_ends": np.array([1, 2]),
        "marks": np.zeros(2, dtype=np.uint8),
        "counts": np.zeros((2, N_KINDS), dtype=np.int64),
        "firsts": np.full((2, N_KINDS + 1, 3), -1),
        "odd": np.zeros((4, 4), dtype=np.int64),
    }
    return (given | changed).values()


@pytest.mark.parametrize(
    "changed",
    [
        {"start": -1},
        {"start": 5},
        {"delimiter": 200},
        {"delimiter": ord("\n")},
        {"words": np.frombuffer(b"\x05\x00NA", dtype=np.uint8)},
        {"words": np.frombuffer(b"\x02\x63NA", dtype=np.uint8)},
        {"words": np.frombuffer(b"\x00\x00", dtype=np.uint8)},
        {"name_ends": np.array([1, 3])},
        {"name_ends": np.array([2, 1])},
        {"name_ends": np.array([1])},
        {"marks": np.zeros(3, dtype=np.uint8)},
        {"counts": np.zeros((2, N_KINDS - 1), dtype=np.int64)},
        {"firsts": np.full((2, N_KINDS, 3), -1)},
        {"odd": np.zeros((1, 4), dtype=np.int64)},
        {"odd": np.zeros((4, 3), dtype=np.int64)},
    ],
)
def test_arguments_that_do_not_fit_are_refused(changed):
    assert _native.scan_kinds(*arguments()) == (1, 4, 2, 0)
    with pytest.raises(ValueError, match="do not fit"):
        _native.scan_kinds(*arguments(**changed))
