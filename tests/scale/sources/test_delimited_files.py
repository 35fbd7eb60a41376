"""CSV and TSV files are read in ranges as `read_delimited` reads them whole."""

import gzip
import warnings

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from source_frames import joined

from augury.data import DataError, StrayTextWarning
from augury.data.formats.delimited import read_delimited
from augury.scale.sources import open_source
from tests.versions import PANDAS_3

BIG, UNSIGNED, LARGEST = "99999999999999999999", "18446744073709551615", "9223372036854775807"


def whole_and_streamed(path, partition_bytes, header=None):
    """Return frame or error, read whole and in ranges."""
    results = []
    for streamed in (False, True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                if streamed:
                    source = open_source(path, partition_bytes=partition_bytes, header=header)
                    frame = joined(source)
                    assert source.n_rows == len(frame)
                    assert source.columns == tuple(frame.columns)
                else:
                    frame = read_delimited(
                        path, "\t" if path.suffix == ".tsv" else None, header=header
                    ).frame
            except DataError as error:
                results.append(str(error))
            else:
                results.append(frame)
    return results


def assert_alike(path, partition_bytes, header=None):
    whole, streamed = whole_and_streamed(path, partition_bytes, header)
    if isinstance(whole, str) or isinstance(streamed, str):
        assert isinstance(whole, str), streamed
        assert isinstance(streamed, str), whole
        assert streamed == whole
    else:
        pd.testing.assert_frame_equal(streamed, whole, check_exact=True)


COLUMNS = [
    ["1", "2", "3"],
    ["1", "", "3"],
    ["", "?", "NA"],
    ["", "", "7"],
    ["1.5", "2", "3"],
    ["1", "2", "3.5"],
    ["1e5", "2", "-.5e-3"],
    ["a", "b", "c"],
    ["1", "2", "c"],
    ["a", "2", "3"],
    ["True", "False", "true"],
    ["True", "", "FALSE"],
    ["True", "1", "False"],
    ["1", "True", "2"],
    ["007", "123", "45"],
    ["7", "123", "045"],
    ["007", "-5", "45"],
    ["007", "+5", "45"],
    ["007", "1.5", "45"],
    ["007", "", "45"],
    ["007", "x", "45"],
    ["00" + LARGEST, "1", "2"],
    [BIG, "1", "2"],
    ["1", "2", BIG],
    [BIG, "1.5", "2"],
    ["1.5", BIG, "2"],
    [BIG, "", "2"],
    ["", BIG, "2"],
    [BIG, "x", ""],
    [UNSIGNED, "1", "2"],
    ["1", UNSIGNED, "2"],
    ["1", UNSIGNED, "-2"],
    ["-1", "", UNSIGNED],
    [UNSIGNED, "", "1"],
    [UNSIGNED, "1.5", "1"],
    ["+" + UNSIGNED, "1", "2"],
    [LARGEST, "-9223372036854775808", "5"],
    ["1", "-9223372036854775809", "5"],
    ["9007199254740993", "1.5", ""],
    ["9007199254740993", "1", ""],
    ["inf", "-inf", "1"],
    ["Infinity", "INF", ""],
    ["NaN", "nan", "NAN"],
    [" 1", "2 ", " 3 "],
    ["\t1", "2\t", "3"],
    ["'1'", '"2"', '"3"'],
    ['" 4 "', '"5 "', '"6"'],
    ['"a ""quoted"" b"', "x", ""],
    ['"1"2', "3", "4"],
    ["1\xa0", "2", "3"],
    ["007\xa0", "008", "9"],
    ["1,5", "2,25", "3"],
    ["1,234", "2,345", "3"],
    ["0,125", "1,234", "3"],
    ["1.234", "2.345", "3"],
    ["1.234,5", "2.345", "3"],
    ["1.234.567", "2", ""],
    ["1.5", "1,5", "2"],
    [",5", "1,", "1,5e3"],
    ["2015-01-01", "2015-01-02", ""],
    ["1-2", "3", "4"],
    ["1e999", "1e", "2"],
    ["--5", "-", "+"],
    ["None", "null", "n/a"],
    ["none", "x", "N/A"],
    ["ï", "ñ", "中文"],
]


def write_columns(path, columns, delimiter):
    quoted = [
        [f'"{value}"' if delimiter in value and '"' not in value else value for value in column]
        for column in columns
    ]
    lines = [delimiter.join(f"c{j}" for j in range(len(columns)))]
    lines += [delimiter.join(row) for row in zip(*quoted, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")


@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.parametrize("partition_bytes", [1, 300, 1 << 20])
def test_types_are_those_of_the_whole(tmp_path, delimiter, partition_bytes):
    path = tmp_path / "a.csv"
    for column in COLUMNS:
        write_columns(path, [column, ["x", "y", "z"]], delimiter)
        assert_alike(path, partition_bytes)
    write_columns(path, COLUMNS, delimiter)
    assert_alike(path, partition_bytes)


# pandas before 3 reads the least integer of 64 bits as a gap where the column has gaps too.
LEAST = set() if PANDAS_3 else {"-9223372036854775808"}
VALUES = st.sampled_from(sorted({value for column in COLUMNS for value in column} - LEAST))


@given(
    st.lists(st.lists(VALUES, min_size=4, max_size=4), min_size=2, max_size=2),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([1, 20, 60]),
)
def test_types_of_any_values_are_those_of_the_whole(
    tmp_path_factory, columns, delimiter, partition_bytes
):
    path = tmp_path_factory.mktemp("any") / "a.csv"
    write_columns(path, [*columns, ["x", "y", "z", "x"]], delimiter)
    if delimiter == "\t" and any("\t" in value for column in columns for value in column):
        return
    assert_alike(path, partition_bytes)


PIECES = ["a", "n", "07", "1234567890123456789", "-1", ".5", "é", " ", ",", '"', '""', "\n", "\r\n"]


@given(
    st.lists(st.sampled_from([*PIECES, "\r", ",", "\n"]), max_size=40).map("".join),
    st.sampled_from([1, 7, 1000]),
    st.sampled_from([None, False]),
)
def test_rows_of_any_text_are_those_of_the_whole(tmp_path_factory, text, partition_bytes, header):
    path = tmp_path_factory.mktemp("any") / "a.csv"
    path.write_bytes(("first,second\n" + text).encode())
    assert_alike(path, partition_bytes, header)


@pytest.mark.parametrize("partition_bytes", [1, 10, 1 << 20])
@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1,2\n3,4",
        b"a,b\r\n1,2\r\n3,\r\n",
        b"a,b\r1,2\r3,4\r",
        b'a,b\r\n"x\r\ny",2\r\n"\r",4\r\n',
        b"\n\n  \na,b\n\n1,2\n \n\n3,4\n\n",
        b'a,b\n"line\nbreak, and ""quotes""",2\n"\n\n",4\n',
        b"\xef\xbb\xbfa,b\n1,2\n",
        b"\xef\xbb\xbfa,b\n1,\xe9\n",
        "a,b\n1,ä\n2,ö\n".encode(),
        "a,b\n1,ä\n2,ö\n".encode("cp1252"),
        b"a,b\n1,\x81\n",
        "a,b\n1,ä\n2,中\n".encode("utf-16"),
        "a,b\n1,ä\n".encode("utf-32"),
        b"sep=;\na;b\n1,5;2\n2,25;3\n",
        b"sep=|\r\na|b\r\n1|2\r\n",
        "a,b\n\ufeffx,1\n\ufeffy,2\n".encode(),
        b'a,b\n1,2\n3,4\n5,"6\n',
        b"a,b\n1,2\n3\n",
        b"a,b\n1,2\n3,4,5\n6,7\n",
        b"a,a\n1,2\n",
        b"a,\n1,2\n",
        b"1,2\n3,4\n",
        b"a,b\n",
        b"",
        b"   \n\n",
        b"a,b\n1,\0\n",
        b"PK\x03\x04abc",
        b'a,"b\n1,2\n',
        b"a,b\n" + b"x" * 140_000 + b",1\n",
        b"a,b\n" + "é".encode() * 100_000 + b",1\nx,2\n",
        b'a,b\n1,2\n"' + b"x" * 140_000 + b",1\n",
    ],
)
def test_files_are_read_or_refused_alike(tmp_path, content, partition_bytes):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    assert_alike(path, partition_bytes)
    packed = tmp_path / "a.csv.gz"
    packed.write_bytes(gzip.compress(content))
    assert_alike(packed, partition_bytes)


def test_tabs_and_headerless_files(tmp_path):
    (tmp_path / "a.tsv").write_text("a\tb,c\n1\tx\n2\t\n")
    assert_alike(tmp_path / "a.tsv", 1)
    (tmp_path / "b.csv").write_text("\n1,x\n2,y\n")
    assert_alike(tmp_path / "b.csv", 1, header=False)
    assert_alike(tmp_path / "b.csv", 1, header=True)


def test_columns_and_rows_asked_for(tmp_path):
    (tmp_path / "a.csv").write_text("a,b,c\n" + "".join(f"{i},x{i},{i / 4}\n" for i in range(10)))
    [partition] = open_source(tmp_path / "a.csv").partitions
    frames = list(partition.frames(["c", "a"], max_rows=4))
    assert [len(frame) for frame in frames] == [4, 4, 2]
    assert frames[1].columns.tolist() == ["c", "a"]
    assert frames[1]["a"].tolist() == [4, 5, 6, 7]
    assert [frame.shape for frame in partition.frames([], max_rows=8)] == [(8, 0), (2, 0)]
    with pytest.raises(DataError, match="there is no column 'd'"):
        partition.frames(["d"])


def test_several_files_have_the_types_of_all_rows(tmp_path):
    (tmp_path / "1.csv").write_text("a,b\n1,x\n2,y\n")
    (tmp_path / "2.csv").write_text("b,a\nz,2.5\n")
    (tmp_path / "3.csv").write_text("a,b\n")
    with gzip.open(tmp_path / "4.csv.gz", "wt") as file:
        file.write("a,b\n,7\n")
    frame = joined(open_source(tmp_path))
    expected = pd.DataFrame({"a": [1, 2, 2.5, None], "b": ["x", "y", "z", "7"]})
    pd.testing.assert_frame_equal(frame, expected.astype({"b": "str"}))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("a,c\n1,2\n", r"2\.csv: there is no column 'b', which .*1\.csv has"),
        ("a,b,c\n1,2,3\n", r"2\.csv: there is a column 'c', which .*1\.csv does not have"),
        ("a;b\n1;2\n", r"2\.csv: the values are separated by ';', but by ',' in .*1\.csv"),
        ("a,b\n1\n", r"2\.csv, line 2: expected 2 values"),
    ],
)
def test_another_layout_is_an_error(tmp_path, other, message):
    (tmp_path / "1.csv").write_text("a,b\n1,x\n")
    (tmp_path / "2.csv").write_text(other)
    with pytest.raises(DataError, match=message):
        open_source(tmp_path)


def test_warnings_are_those_of_the_whole(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "".join(f"{i},{i}\n" for i in range(30)) + "oops,3\n")
    with pytest.warns(StrayTextWarning) as whole:
        read_delimited(path)
    with pytest.warns(StrayTextWarning) as streamed:
        open_source(path, partition_bytes=16)
    assert str(streamed[0].message) == str(whole[0].message)
    assert "line 32: column 'a' has 'oops' among 30 numbers" in str(streamed[0].message)
    path.write_text("5.1,setosa\n4.9,setosa\n6.3,other\n")
    with pytest.warns(match="the first line looks like a row of data"):
        open_source(path)
    path.write_text("a,b\n" + f"{BIG},1\n" * 3)
    with pytest.warns(match=f"line 2: column 'a' has integers of more than 64 bits, as '{BIG}'"):
        open_source(path)


def test_packed_file_is_limited_and_truncated_one_named(tmp_path):
    path = tmp_path / "a.csv.gz"
    content = gzip.compress(b"a,b\n" + b"1,2\n" * 100_000)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"a\.csv\.gz: .* grow to more than 9\.8 KiB"):
        open_source(path, max_size=10_000)
    path.write_bytes(content[:-20])
    with pytest.raises(DataError, match=r"a\.csv\.gz: is not a readable gzip file"):
        open_source(path)


def test_temporary_files_are_removed_with_the_source(tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress("a,b\n1,é\n".encode("latin-1")))
    source = open_source(tmp_path / "a.csv.gz", folder=folder)
    assert len(list(folder.rglob("*.csv"))) == 1
    assert next(source.partitions[0].frames())["b"].tolist() == ["é"]
    del source
    assert list(folder.iterdir()) == []


def test_changed_file_is_an_error(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    source = open_source(path)
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DataError, match=r"a\.csv: the file was changed"):
        next(source.partitions[0].frames())
