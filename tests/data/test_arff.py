import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from augury.data import DataError, read_table
from augury.data.formats import arff
from augury.data.formats.arff_header import split_values

HEADER = """% a comment
@RELATION 'my toys'

@Attribute size {small, 'very large', "it's"}
@attribute\tweight\tREAL
@ATTRIBUTE legs INTEGER [0,9]  % nobody checks the range
@attribute 'the class' { yes , no , never }
@DATA
"""


def write(tmp_path: Path, rows: str, header: str = HEADER, name: str = "toys.arff") -> Path:
    path = tmp_path / name
    path.write_text(header + rows, encoding="utf-8")
    return path


def test_declared_labels_and_their_order_are_kept(tmp_path):
    toys = read_table(write(tmp_path, "small,1.5,4,no\n'very large',?,0,yes\n?,-2e3,?,no\n"))
    assert toys.name == "my toys"
    assert toys.target == "the class"
    assert list(toys.X) == ["size", "weight", "legs"]
    assert list(toys.X["size"].cat.categories) == ["small", "very large", "it's"]
    assert toys.X["size"].cat.codes.tolist() == [0, 1, -1]
    assert toys.X["weight"].dtype == np.float64
    np.testing.assert_array_equal(toys.X["weight"], [1.5, np.nan, -2000])
    np.testing.assert_array_equal(toys.X["legs"], [4, 0, np.nan])
    assert toys.classes == ["yes", "no", "never"]
    assert toys.y.tolist() == ["no", "yes", "no"]


@pytest.mark.parametrize(
    "row",
    [
        '"it\'s",1,2,no',
        "'it\\'s',1,2,no",
        "  'it\\'s' , 1 , 2 , no  ",
        "'it\\'s'\t1\t2\tno",
        "'it\\'s',\t1,\t2,\tno",
        "'it\\'s' 1 2 no",
        "'it\\'s',1,2,no % a remark",
        "{0 'it\\'s', 1 1, 2 2, 3 no}",
        '{ 0 "it\'s",1 1,2\t2,3 no }',
    ],
)
def test_ways_to_write_a_row(tmp_path, row):
    toys = read_table(write(tmp_path, row + "\n"))
    assert [*toys.X.iloc[0], toys.y.iloc[0]] == ["it's", 1, 2, "no"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines_blank_lines_and_comments(tmp_path, newline):
    rows = "\n\nsmall,1,2,no\n   \n% nothing\n  % nothing\nsmall,3,4,yes\n\n"
    path = tmp_path / "toys.arff"
    path.write_bytes((HEADER + rows).replace("\n", newline).encode())
    assert read_table(path).X["weight"].tolist() == [1, 3]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("zipped", [False, True])
def test_encodings_and_gzip(tmp_path, encoding, zipped):
    raw = "@relation r\n@attribute größe {groß,klein}\n@attribute c {a,b}\n@data\ngroß,a\n"
    path = tmp_path / ("r.arff.gz" if zipped else "r.arff")
    encoded = raw.encode(encoding)
    path.write_bytes(gzip.compress(encoded) if zipped else encoded)
    assert read_table(path).X["größe"].tolist() == ["groß"]


def test_question_mark_is_missing_only_without_quotes(tmp_path):
    header = "@relation r\n@attribute a {'?',x}\n@attribute c {u,v}\n@data\n"
    column = read_table(write(tmp_path, "'?',u\n?,u\nx,v\n\"?\",v\n", header)).X["a"]
    assert column.cat.codes.tolist() == [0, -1, 1, 0]


def test_labels_that_look_like_numbers_stay_apart(tmp_path):
    header = "@relation r\n@attribute a {1,1.0,01}\n@attribute c {u,v}\n@data\n"
    assert read_table(write(tmp_path, "01,u\n1,u\n1.0,v\n", header)).X["a"].tolist() == [
        "01",
        "1",
        "1.0",
    ]


def test_blanks_inside_quotes_belong_to_the_label(tmp_path):
    header = "@relation r\n@attribute a {' x',x}\n@attribute c {u,v}\n@data\n"
    assert read_table(write(tmp_path, "' x',u\n x ,v\n", header)).X["a"].tolist() == [" x", "x"]


def test_percent_and_comma_inside_values(tmp_path):
    header = "@relation r\n@attribute a {50%, 'x, y', 'a % b'}\n@attribute c {u,v}\n@data\n"
    rows = "50%,u\n'x, y',u\n'a % b',v\n"
    assert read_table(write(tmp_path, rows, header)).X["a"].tolist() == ["50%", "x, y", "a % b"]


def test_sparse_rows_leave_out_zero_and_the_first_label(tmp_path):
    toys = read_table(write(tmp_path, "{}\n{1 5, 3 never}\n{2 ?}\n"))
    assert toys.X["size"].tolist() == ["small"] * 3
    assert toys.X["weight"].tolist() == [0, 5, 0]
    assert toys.X["legs"].isna().tolist() == [False, False, True]
    assert toys.y.tolist() == ["yes", "never", "yes"]


def test_sparse_value_with_comma_and_digits(tmp_path):
    header = "@relation r\n@attribute a {x,'p,3 q'}\n@attribute c {u,v}\n@data\n"
    toys = read_table(write(tmp_path, "{0 'p,3 q',1 v}\n", header))
    assert [toys.X["a"][0], toys.y[0]] == ["p,3 q", "v"]


def test_instance_weights_are_kept(tmp_path):
    toys = read_table(write(tmp_path, "small,1,2,no,{5}\n{1 3}, {0.5}\nsmall,1,2,no\n"))
    assert toys.sample_weight.tolist() == [5, 0.5, 1]
    assert read_table(write(tmp_path, "small,1,2,no\n")).sample_weight is None


def test_strings_and_dates(tmp_path):
    header = (
        "@relation r\n@attribute t string\n@attribute d date\n"
        "@attribute e date 'dd.MM.yyyy'\n@attribute c {u,v}\n@data\n"
    )
    rows = "'a ''b'"
    with pytest.raises(DataError, match=r"line 7: unexpected text after a quoted value"):
        read_table(write(tmp_path, rows, header))
    rows = "'two words','2001-02-03T04:05:06',31.12.1999,u\n?,?,?,v\n"
    toys = read_table(write(tmp_path, rows, header))
    assert pd.api.types.is_string_dtype(toys.X["t"].dtype)
    assert toys.X["t"][0] == "two words"
    assert toys.X["d"][0] == pd.Timestamp("2001-02-03 04:05:06")
    assert toys.X["e"][0] == pd.Timestamp("1999-12-31")
    assert toys.X.iloc[1].isna().all()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "small,1,2,no\nsmall,1,2\n",
            "line 10: expected 4 values, one for each attribute, found 3",
        ),
        ("small,1,2,no\n\nsmall,1,2,no,9\n", "line 11: expected 4 values.*, found 5"),
        ("small,1,2,no\nsmall,1,2,maybe\n", "line 10: column 'the class': unknown label 'maybe'"),
        ("huge,1,2,no\n", "declared are 'small', 'very large', \"it's\""),
        ("small,1,2,no\nsmall,one,2,no\n", "line 10: column 'weight': expected a number, found"),
        ("small,1_0,2,no\n", "line 9: column 'weight': expected a number, found '1_0'"),
        ("small,'?',2,no\n", "found '\\?' \\(a missing value is written as \\? without quotes"),
        ("small,,2,no\n", "line 9: column 'weight': no value; a missing value is written as"),
        ("small,1,x,no\nhuge,1,2,no\n", "line 9: column 'legs'"),
        ("'small,1,2,no\n", "line 9: a quote is opened but not closed"),
        ("{4 yes}\n", "line 9: sparse index 4 is more than 3"),
        ("{1 2, 1 3}\n", "line 9: the indices of a sparse row must increase"),
        ("{one 2}\n", "line 9: expected 'index value'"),
        ("{1 2\n", "line 9: a sparse row has no closing brace"),
        ("small,1,2,no,{x}\n", "line 9: the instance weight '{x}' is not a number"),
        ("small,1,2,no,{1_0}\n", "line 9: the instance weight '{1_0}' is not a number"),
        ("small,1,2,no,{-1}\n", "line 9: the instance weight '{-1}' is not a finite number >= 0"),
        ("small,1,2,no,{NaN}\n", "line 9: the instance weight '{NaN}' is not a finite number"),
        ("{" + "9" * 5000 + " yes}\n", "line 9: a sparse index has 5000 digits"),
        ("{٣ yes}\n", "line 9: expected 'index value' in a sparse row, found '٣ yes'"),
        # Python reads these as numbers, WEKA does not.
        ("small,nan,2,no\n", "line 9: column 'weight': expected a number, found 'nan'"),
        ("small,inf,2,no\n", "line 9: column 'weight': expected a number, found 'inf'"),
        ("small,-infinity,2,no\n", "expected a number, found '-infinity'"),
        ("small,٣,2,no\n", "line 9: column 'weight': expected a number, found '٣'"),
        ("small,1e,2,no\n", "expected a number, found '1e'"),
        ("small," + "x" * 500 + ",2,no\n", f"found '{'x' * 40}…'$"),
        ("", "line 8: there are no rows after @data"),
        ("small,1,2,?\n", "target 'the class' is missing in all 1 rows; choose another"),
    ],
)
def test_bad_rows_name_file_and_line(tmp_path, rows, message):
    with pytest.raises(DataError, match=message) as caught:
        read_table(write(tmp_path, rows))
    assert "toys.arff" in str(caught.value)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ("hello\n", "line 1: expected @relation, @attribute or @data, found 'hello'"),
        ("@relation r\n@attribute a real\n", "the file ends before @data"),
        ("@relation r\n@data\n1\n", "line 2: no @attribute is declared"),
        ("@relation r\n@attribute a rael\n@data\n", "line 2: column 'a': expected a type"),
        ("@relation r\n@attribute a\n@data\n", "line 2: column 'a': expected a type .*nothing"),
        ("@relation r\n@attribute a relational\n", "line 2: column 'a': expected a type"),
        ("@relation r\n@attribute a {x,y\n@data\n", "line 2: column 'a': the list of labels has"),
        ("@relation r\n@attribute a {}\n@data\n", "line 2: column 'a': the list of labels is emp"),
        ("@relation r\n@attribute a {x,,y}\n", "line 2: column 'a': an empty label"),
        ("@relation r\n@attribute a {x,x}\n", "line 2: column 'a': label 'x' is declared twice"),
        ("@relation r\n@attribute a real {2}\n", "line 2: column 'a': unexpected text after"),
        ("@relation r\n@attribute a date 'EEE'\n", "line 2: column 'a': date format 'EEE' has"),
        (
            "@relation r\n@attribute a real\n@attribute a real\n@data\n",
            "line 3: column 'a' is decl",
        ),
        (
            "@relation r\n@attribute a date 'yyyy-yy'\n",
            "line 2: .* 'yyyy-yy' has 'y' in two places",
        ),
        ("@relation r\n@attribute a date yyyy'T\n", "line 2: .* has a quote that is not closed"),
        ("@relation r\n@attribute a date \"'%d'\"\n", "line 2: .* has no part of a date"),
        ("@relation r\n@attribute a date ''\n", "line 2: .* date format '' has no part of a date"),
        ("@relation r\n@attribute a {u,v}\n@data\nu\n", "a target and at least one other column"),
    ],
)
def test_bad_headers_name_file_and_line(tmp_path, header, message):
    with pytest.raises(DataError, match=message) as caught:
        read_table(write(tmp_path, "", header))
    assert "toys.arff" in str(caught.value)


# A pattern with backtracking would take exponential time on these.
@pytest.mark.parametrize(
    "labels",
    [
        ",".join(f"don't{i}" for i in range(40)),
        "a'b'" * 40,
        'a"b"' * 40,
        "'a',b'" * 40,
        " '" * 10_001,
    ],
)
def test_labels_without_closing_brace(tmp_path, labels):
    header = f"@relation r\n@attribute a {{{labels}\n@attribute c {{u,v}}\n@data\n"
    with pytest.raises(DataError, match="line 2: column 'a': the list of labels has no closing"):
        read_table(write(tmp_path, "", header))


def test_an_apostrophe_inside_a_word_is_a_letter(tmp_path):
    header = "@relation r\n@attribute a {don't, 'a}b', won't}\n@attribute c {u,v}\n@data\n"
    column = read_table(write(tmp_path, "won't,u\n'a}b',v\n", header)).X["a"]
    assert column.cat.categories.tolist() == ["don't", "a}b", "won't"]
    assert column.tolist() == ["won't", "a}b"]


BLANKS = " " * 200_000


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (f"small,1,2,no{BLANKS}}}", "column 'the class': unknown label 'no {38}…'"),
        (f"small,1,2,no,{{{BLANKS}x}}", "the instance weight '{x}' is not a number"),
        (f"{{1 2{BLANKS}x'}}", "column 'weight': expected a number, found '2 {39}…'"),
        (f"{{1{BLANKS}'}}", "expected 'index value' in a sparse row"),
        ("small,1,2,no" + " %" * 100_000 + "'", "column 'the class': unknown label"),
    ],
)
def test_long_damaged_rows(tmp_path, row, message):
    """A scan from every blank to the end would take minutes."""
    with pytest.raises(DataError, match="line 9: " + message):
        read_table(write(tmp_path, row + "\n"))


def test_numbers_are_those_of_weka(tmp_path):
    rows = "".join(
        f"small,{number},1,no\n"
        for number in ("NaN", "Infinity", "-Infinity", "+1.", ".5", "1E+2", "1e999", "?")
    )
    weight = read_table(write(tmp_path, rows)).X["weight"]
    np.testing.assert_array_equal(
        weight, [np.nan, np.inf, -np.inf, 1, 0.5, 100, np.inf, np.nan]
    )  # fmt: skip


def test_braces_inside_a_quoted_sparse_value_are_no_weight(tmp_path):
    header = "@relation r\n@attribute a {x,'p {5'}\n@attribute c {u,v}\n@data\n"
    toys = read_table(write(tmp_path, "{0 'p {5'}\n", header))
    assert toys.X["a"].tolist() == ["p {5"]
    assert toys.sample_weight is None


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("'%d' yyyy-MM-dd", "%d 2001-02-03"),
        ("yyyy%MM%dd", "2001%02%03"),
        ("yyyy 'o''clock' MM dd", "2001 o'clock 02 03"),
        ("''yy MM dd", "'01 02 03"),
    ],
)
def test_texts_in_date_formats(tmp_path, pattern, value):
    header = f'@relation r\n@attribute d date "{pattern}"\n@attribute c {{u,v}}\n@data\n'
    days = read_table(write(tmp_path, f'"{value}",u\n', header)).X["d"]
    assert days[0] == pd.Timestamp("2001-02-03")


def test_bad_dates_and_sparse_strings(tmp_path):
    header = "@relation r\n@attribute d date yyyy-MM-dd\n@attribute c {u,v}\n@data\n"
    with pytest.raises(DataError, match="line 6: column 'd': expected a date like 2001-12-31, fou"):
        read_table(write(tmp_path, "2001-01-01,u\nyesterday,u\n", header))
    with pytest.raises(DataError, match="line 5: column 'd': a sparse row cannot leave out a date"):
        read_table(write(tmp_path, "{1 v}\n", header))


def test_plain_and_careful_ways_agree_over_chunks(tmp_path, monkeypatch):
    rows = "".join(f"{['small', ' ?', chr(39) + 'very large' + chr(39)][i % 3]},{i / 7!r},?,no\n"
                   for i in range(50))  # fmt: skip
    path = write(tmp_path, rows)
    monkeypatch.setattr(arff, "_CHUNK", 7)
    plain = arff.read_arff(path)
    monkeypatch.setattr(arff, "_read_plain_rows", lambda *_: None)
    careful = arff.read_arff(path)
    pd.testing.assert_frame_equal(plain.frame, careful.frame)
    assert plain.frame["weight"].tolist() == [i / 7 for i in range(50)]
    assert plain.lines.tolist() == careful.lines.tolist() == list(range(9, 59))


def test_one_column_values_may_have_blanks():
    assert split_values("two words", 1) == [("two words", False)]


def test_split_values():
    assert split_values("a b , 'c d'") == [("a b", False), ("c d", True)]
    assert split_values("a 'c d'") == [("a", False), ("c d", True)]
    assert split_values("'a\\nb'", 1) == [("a\nb", True)]
    assert split_values("don't, do") == [("don't", False), ("do", False)]
