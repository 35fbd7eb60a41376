"""Files from spreadsheets and mail: encodings, headers, codes, sizes."""

import gzip
import math
import os
from pathlib import Path

import pytest

from augury.data import DataError, DataWarning, read_table
from augury.data.formats.text import read_text
from augury.data.table import is_path
from augury.scale.sources import open_source

TOYS = "size,kind\né1,u\né2,v\n"


def write(folder: Path, raw: bytes | str, name: str = "toys.csv") -> Path:
    path = folder / name
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return path


# One short Chinese name is enough.
@pytest.mark.parametrize("text", ["城市,年龄\n", "性别,x\n", "年,1\n"])
def test_short_chinese_texts(tmp_path: Path, text: str) -> None:
    with pytest.warns(DataWarning, match="GB18030"):
        assert read_text(write(tmp_path, text.encode("gbk"))) == text


CHINESE = "城市,收入（元）,是否流失\n北京,12,是\n上海,7,否\n鑫城,3,是\n"


@pytest.mark.parametrize("encoding", ["gb2312", "gbk", "gb18030"])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_chinese_spreadsheets(tmp_path: Path, encoding: str, suffix: str) -> None:
    file = tmp_path / f"a{suffix}"
    raw = CHINESE.encode(encoding)
    file.write_bytes(gzip.compress(raw) if suffix.endswith(".gz") else raw)
    with pytest.warns(DataWarning, match=r"read as GB18030 \(Chinese\); if names or labels look"):
        assert read_text(file) == CHINESE
    with pytest.warns(DataWarning, match="GB18030"):
        source = open_source(file)
    assert next(source.partitions[0].frames())["城市"].tolist() == ["北京", "上海", "鑫城"]


@pytest.mark.parametrize(
    "text", ["Größe,ß°C\n", "AÇÃO,São\n", "m²,5 µg,½\n", "«été»,naïve\n", "Ærø,Ålesund\n",
             "U (W/m²·K),Ort\n", "m³·s,y\n", "20 ±°,½¼\n"]
)  # fmt: skip
def test_western_text_is_not_chinese(tmp_path: Path, text: str) -> None:
    assert read_text(write(tmp_path, text.encode("cp1252"))) == text


@pytest.mark.parametrize(
    ("text", "encoding"), [("Привет,мир\n", "cp1251"), ("日本語,列\n", "shift_jis"),
                           ("台灣中文,x\n", "big5"), ("名字,x\n北京,1\n\xff", "gbk-cut")]
)  # fmt: skip
def test_another_encoding_is_doubted(tmp_path: Path, text: str, encoding: str) -> None:
    raw = text[:-1].encode("gbk") + b"\xff" if encoding == "gbk-cut" else text.encode(encoding)
    with pytest.warns(DataWarning, match="is not UTF-8, and is read as"):
        read_text(write(tmp_path, raw))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"]
)
def test_encodings(tmp_path: Path, encoding: str) -> None:
    toys = read_table(write(tmp_path, TOYS.encode(encoding)))
    assert toys.X["size"].tolist() == ["é1", "é2"]


def test_the_euro_of_windows(tmp_path: Path) -> None:
    assert read_text(write(tmp_path, b"a,b\n5 \x80,u\n")) == "a,b\n5 €,u\n"
    with pytest.warns(DataWarning, match="read as Latin-1"):  # \x81 is no character of Windows
        assert read_text(write(tmp_path, b"a,b\n5 \x81\xff,u\n")) == "a,b\n5 \x81ÿ,u\n"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"PK\x03\x04more", "a zip archive or an Excel workbook, not a text file"),
        (b"\xd0\xcf\x11\xe0", "an old Office file"),
        (b"PAR1", "a Parquet file, not a text file; let its name end in .parquet"),
        (
            gzip.compress(b"a,b", mtime=0),
            "compressed with gzip, not a text file; let its name end in .gz",
        ),
        (b"a\0b\0\n\0", r"is not a text file \(it has null bytes\); save it as CSV in UTF-8"),
        (b"\xff\xfea", "begins as UTF-16, but is not"),
        (b"a,b\n" + b"x" * 140_000 + b",u\n", "line 2: a value has more than 131072 characters"),
    ],
)
def test_what_is_no_table(tmp_path: Path, raw: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_table(write(tmp_path, raw))


def test_pipes_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="is not a regular file"):
        read_table(tmp_path / "pipe.csv")


def test_the_note_of_excel(tmp_path: Path) -> None:
    toys = read_table(write(tmp_path, "sep=;\na;b\n1;u\n2;v\n"))
    assert toys.X["a"].tolist() == [1, 2]
    with pytest.raises(DataError, match="line 4: expected 2 values"):
        read_table(write(tmp_path, "sep=;\na;b\n1;u\n2\n"))


def test_codes_keep_their_zeros(tmp_path: Path) -> None:
    toys = read_table(write(tmp_path, 'zip,n,c\n02139,0,u\n"10001",10,v\n?,0.5,u\n'))
    assert toys.X["zip"].tolist()[:2] == ["02139", "10001"]
    assert toys.X["zip"].isna().tolist() == [False, False, True]
    assert toys.X["n"].tolist() == [0, 10, 0.5]
    dates = read_table(write(tmp_path, "d,n,c\n2024-01-02,1,u\n2024-01-03,2,v\n"))
    assert dates.X["n"].tolist() == [1, 2]


def test_decimal_commas_are_read_where_they_are_plain(tmp_path: Path) -> None:
    path = write(tmp_path, "a;b;c\n1,5;1.234;u\n2;12.500;v\n")
    with pytest.warns(DataWarning, match=r"column 'b': '1\.234' is read as 1234, since other"):
        toys = read_table(path)
    assert toys.X["a"].tolist() == [1.5, 2]
    assert toys.X["b"].tolist() == [1234, 12500]
    open_ones = read_table(write(tmp_path, "a;c\n1,234;u\n2,345;v\n"))
    assert open_ones.X["a"].tolist() == ["1,234", "2,345"], "TidyColumns decides and reports"


def test_headers(tmp_path: Path) -> None:
    path = write(tmp_path, "1,2\n3,4\n")
    assert list(read_table(path, header=True).X) == ["1"]
    toys = read_table(path, header=False)
    assert (list(toys.X), toys.target, toys.X["column1"].tolist()) == (
        ["column1"],
        "column2",
        [1, 3],
    )
    blank = write(tmp_path, "\n\n1,2\n\n3,4\n5\n")
    with pytest.raises(DataError, match="line 6: expected 2 values"):
        read_table(blank, header=False)
    with pytest.warns(DataWarning, match="header=False reads it as a row"):
        read_table(write(tmp_path, "p,x,s\ne,x,y\np,x,s\n"))


def test_sizes(tmp_path: Path) -> None:
    path = write(tmp_path, gzip.compress(TOYS.encode()), "toys.csv.gz")
    with pytest.raises(DataError, match=r"grow to more than 5 bytes, .* limit with max_size="):
        read_table(path, max_size=5)
    assert len(read_table(path, max_size=math.inf).X) == 2
    with pytest.raises(DataError, match="the file takes 22 bytes, more than the limit of 5 bytes"):
        read_table(write(tmp_path, TOYS), max_size=5)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DataError, match="is not a readable gzip file"):
        read_table(path)


def test_missing_target_is_checked(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="missing_target must be one of 'drop', 'error', got 'no'"):
        read_table(write(tmp_path, TOYS), missing_target="no")


def test_names_of_data_sets_are_no_paths() -> None:
    from augury.data.catalogue import CATALOGUE

    assert not any(is_path(name) for name in CATALOGUE)
