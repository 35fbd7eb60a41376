import pytest

from augury.text_table import align_columns, shorten_text, text_cells


def test_alignment() -> None:
    rows = [["xyz", "1", "p"], ["u", "234", "qr"]]
    assert align_columns(["a", "bb", "c"], rows, left=(0, 2)) == (
        "a     bb  c\n"
        "---  ---  --\n"
        "xyz    1  p\n"
        "u    234  qr"
    )  # fmt: skip


def test_no_rows() -> None:
    assert align_columns(["set", "n"], []) == "set  n\n---  -"


def test_a_row_of_another_length() -> None:
    with pytest.raises(ValueError, match="zip"):
        align_columns(["a", "b"], [["only one"]])


def test_wide_characters_take_two_cells() -> None:
    text = align_columns(["name", "rows"], [["体重", "7"], ["length", "12"]])
    assert text.splitlines() == ["name    rows", "------  ----", "体重       7", "length    12"]


def test_long_texts_keep_both_ends() -> None:
    assert shorten_text("length", 6) == "length"
    assert shorten_text("a\nb  c", 6) == "a b c"
    shown = shorten_text("体重" * 20 + " in kg", 15)
    assert shown.startswith("体重")
    assert shown.endswith(" kg")
    assert text_cells(shown) <= 15
