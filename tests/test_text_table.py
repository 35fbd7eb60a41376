import pytest

from augury.text_table import align_columns


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
