"""The scan in C agrees with Python's csv module, and changes nothing of what is read."""

import csv
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.data import DataError, read_table
from augury.data.formats import delimited, delimited_shape
from augury.data.formats import text as text_files
from augury.data.formats.delimited import read_delimited
from augury.kernels import scan_rows

# Pieces of text that matter to a reader of CSV.
PIECES = ["a", "n", "07", "1234567890123456789", "-1", ".5", "é", " ", "\t", ",", '"', '""', "\n"]


def csv_rows(text: str) -> list[tuple[int, list[str]]] | None:
    """Return line and values of each row that is not blank; None if a quote is not closed."""
    written = text.split("\n")
    lines = [line + "\n" for line in written]
    reader = csv.reader([*lines, "\0"], skipinitialspace=True)
    found, line = [], 1
    for row in reader:
        if row == ["\0"]:
            return found
        if row and row[-1].endswith("\0"):
            return None
        if written[line - 1].strip(" \t"):
            found.append((line, row))
        line = reader.line_num + 1
    return None


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.integers(1, 4))
def test_rows_are_those_of_python(text, n_columns):
    expected = csv_rows(text)
    found = scan_rows(text.encode(), ",", n_columns, start=0, line=1, max_field=100)
    if expected is None or any(len(row) != n_columns for _, row in expected):
        assert found is None
        return
    assert found.lines.tolist() == [line for line, _ in expected]
    columns = list(zip(*(row for _, row in expected), strict=True)) or [()] * n_columns
    for j, values in enumerate(columns):
        stripped = [value.strip() for value in values]
        is_code = [text.isdecimal() and len(text) > 1 and text[0] == "0" for text in stripped]
        assert found.has_code[j] >= any(is_code)
        is_long = [text.lstrip("-").isdecimal() and len(text) > 17 for text in stripped]
        assert found.has_long_integer[j] >= any(is_long)
        n_words = sum(text[:1] in ("a", "b") for text in stripped)
        assert found.n_words[j] <= n_words


def read(path):
    """Return the messages of the reader, and the frame and the lines of its table."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            table = read_delimited(path)
        except DataError as error:
            return str(error), None, None
    return [str(each.message) for each in caught], table.frame, table.lines


def assert_equal(found, expected):
    assert found[0] == expected[0]
    if expected[1] is not None:
        pd.testing.assert_frame_equal(found[1], expected[1])
        np.testing.assert_array_equal(found[2], expected[2])


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_files_are_read_alike_with_and_without_the_scan(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("scan") / "table.csv"
    path.write_text("first,second\n" + text, encoding="utf-8", newline="")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited_shape, "scan_rows", lambda *_, **__: None)
        slow = read(path)
    assert_equal(read(path), slow)


@pytest.mark.parametrize(
    "strange",
    ["7.5", "", "x", "True", "9007199254740993", "18446744073709551615", "99999999999999999999"],
)
@pytest.mark.parametrize("place", [0, 30_000, 59_999])
def test_types_of_a_long_column_are_those_of_the_whole(tmp_path, strange, place):
    """pandas finds the types of a long column in pieces of some thousand rows."""
    n_rows, n_columns = 60_000, 30
    values = np.arange(n_rows).astype(str).astype(object)
    values[place] = strange
    other = ",1" * (n_columns - 1)
    path = tmp_path / "long.csv"
    names = ",".join(f"x{j}" for j in range(n_columns))
    path.write_text("\n".join([names, *(f"{value}{other}" for value in values)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pd, "read_csv", _whole(pd.read_csv))
        expected = _read_quietly(path)
    pd.testing.assert_frame_equal(_read_quietly(path), expected)


def _whole(read_csv):
    return lambda *args, **options: read_csv(*args, **(options | {"low_memory": False}))


def _read_quietly(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_delimited(path).frame


def test_lines_after_quoted_breaks_and_blank_lines(tmp_path):
    path = tmp_path / "quoted.csv"
    path.write_text('a,class\n"x\ny",1\n\n  \nz,\n')
    with pytest.warns(match="first in line 6"):
        read_table(path)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(1, 30))
def test_files_are_read_alike_in_pieces_of_any_size(tmp_path_factory, text, n_bytes):
    path = tmp_path_factory.mktemp("pieces") / "table.csv"
    path.write_text("first,second\n" + text, encoding="utf-8", newline="")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_scan", lambda *_: None)
        whole = read(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "_PIECE", n_bytes)
        assert_equal(read(path), whole)


def test_pieces_join_to_the_whole_text(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    text = "a,b\n" + "".join(f"{k},x{'é' * (k % 9)}\n" for k in range(500)) + "last,line"
    path.write_text(text, encoding="utf-8", newline="")
    monkeypatch.setattr(text_files, "_PIECE", 64)
    pieces = list(text_files.read_plain_lines(path))
    assert len(pieces) > 50
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])
    assert b"".join(pieces) == text_files.read_utf8(path)


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbfa,b\n1,2\n", b"a,b\r\n1,2\r\n", b"a,b\n\xff,2\n", b"a,b\n\0,2\n", b"PAR1"],
)
def test_other_texts_are_not_read_in_pieces(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(text_files.WholeTextError):
        list(text_files.read_plain_lines(path))


def test_long_lines_are_not_read_in_pieces(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    path.write_text("x" * 1000)
    monkeypatch.setattr(text_files, "_PIECE", 64)
    monkeypatch.setattr(text_files, "_MAX_LINE", 256)
    with pytest.raises(text_files.WholeTextError):
        list(text_files.read_plain_lines(path))


@pytest.mark.parametrize("change", ["a,b\n1,2\n3,4\n5,6\n", "a,b\n1,2\n3,4,5\n", ""])
def test_a_file_that_changes_while_it_is_read(tmp_path, monkeypatch, change):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    scan = delimited._scan

    def scan_and_write(*arguments):
        found = scan(*arguments)
        path.write_text(change)
        return found

    monkeypatch.setattr(delimited, "_scan", scan_and_write)
    with pytest.raises(DataError, match=r"table\.csv: was changed while it was read"):
        read_delimited(path)
