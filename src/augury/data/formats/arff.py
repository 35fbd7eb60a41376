"""Reader of ARFF, the format of WEKA: a header that declares every column, then rows.

Nominal attributes become pandas categories with *all* declared labels in the declared order,
including those that no row has: smoothing counts them. Numeric attributes become float64, strings
`str`, dates datetime64.

A bare `?` is a missing value; a quoted `'?'` is the label `?`. This is WEKA's rule, and the
difference between the sets anneal and anneal.ORIG.
"""

import re
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from augury.arrays import Array, FloatArray, IntegerArray
from augury.data.dataset import RawTable
from augury.data.errors import DataError, excerpt, shorten
from augury.data.formats.arff_header import (
    QUOTED,
    Attribute,
    Header,
    parse_header,
    split_values,
    unquote,
)
from augury.data.formats.text import read_text
from augury.text_table import count_text

Row = list[str | None]

_ENTRY = re.compile(rf"\s*+([0-9]++)[ \t]++({QUOTED}|[^,'\"\s][^,]*+)\s*+(?:,|$)")
_INDEX_DIGITS = 9
# Number of rows that are split at once: a compromise between speed and memory.
_CHUNK = 20_000
_COMMENT = re.compile(r"(?<=[\s,])%")

# The numbers that `Double.valueOf` accepts in WEKA, without Java's hexadecimals and suffixes f
# and d. NaN is a missing value in WEKA. Python's `float` accepts more: 1_000, nan, inf and all
# digits of Unicode.
_NUMBER = re.compile(r"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|Infinity|NaN)")
_PLAIN_NUMBER = frozenset("0123456789.eE+-?")


def read_arff(path: Path, max_size: float | None = None) -> RawTable:
    """Read an ARFF file, dense or sparse, plain or gzip; `max_size` is that of `read_text`.

    Raises
    ------
    DataError
        If a header line cannot be read, a row has too few or too many values, a label is not
        declared, or a number, date or quote cannot be read. The message names the file and the
        line.
    """
    lines = read_text(path, max_size).split("\n")
    header = parse_header(lines, path)
    # An array, since a list would take as much memory as short rows.
    numbers = np.fromiter(
        (
            place + 1
            for place in range(header.n_lines, len(lines))
            if (start := lines[place].lstrip()[:1]) and start != "%"
        ),
        dtype=np.int64,
    )
    if not len(numbers):
        raise DataError.at(path, header.n_lines, "there are no rows after @data")
    body = [lines[number - 1] for number in numbers]
    del lines
    frame = _read_plain_rows(body, header)
    if frame is not None:
        return RawTable(frame, header.relation, numbers)
    rows, weights = _split_rows(body, numbers, header, path)
    frame = _convert_columns(rows, numbers, header, path)
    return RawTable(frame, header.relation, numbers, weights)


def _read_plain_rows(body: list[str], header: Header) -> pd.DataFrame | None:
    """Read rows without quoting or escapes by a fast method, or return None.

    It splits many lines at once, which is about five times as fast as reading each value. It
    handles neither escapes nor line numbers. If it cannot read the rows, the slow method reads
    them, and raises the errors.
    """
    attributes = header.attributes
    if any(a.kind in ("string", "date") for a in attributes):
        return None
    if any(mark in label for a in attributes for label in a.labels for mark in "'\",\\"):
        return None
    places = [_places(a) for a in attributes]
    parts: list[list[Array]] = [[] for _ in attributes]
    for start in range(0, len(body), _CHUNK):
        columns = _split_plain(body[start : start + _CHUNK], len(attributes))
        if columns is None:
            return None
        for column, place, part in zip(columns, places, parts, strict=True):
            try:
                part.append(_read_plain_column(column, place))
            except (KeyError, ValueError):
                return None
    return pd.DataFrame(
        {
            a.name: _categorical(np.concatenate(part), a.labels)
            if a.labels
            else np.concatenate(part)
            for a, part in zip(attributes, parts, strict=True)
        },
        copy=False,
    )


def _places(attribute: Attribute) -> dict[str, int]:
    """Return the code of each label, for all its spellings: bare or in quotes."""
    if attribute.kind == "numeric":
        return {}
    place = {
        quote + label + quote: i for i, label in enumerate(attribute.labels) for quote in "'\""
    }
    # A bare empty value is an error, and a bare ? is missing even if `?` is a label.
    place |= {label: i for i, label in enumerate(attribute.labels) if label}
    return place | {"?": -1}


def _split_plain(lines: list[str], n_columns: int) -> list[list[str]] | None:
    text = "\n".join(lines)
    if any(mark in text for mark in "\\{%\t"):
        return None
    if not all(line.count(",") == n_columns - 1 for line in lines):
        return None
    values = text.replace("\n", ",").split(",")
    if " ," in text or ", " in text or any(line[0] == " " or line[-1] == " " for line in lines):
        values = [value.strip() for value in values]
    return [values[i::n_columns] for i in range(n_columns)]


def _read_plain_column(values: list[str], place: dict[str, int]) -> Array:
    if place:
        return np.fromiter(map(place.__getitem__, values), dtype=np.int64, count=len(values))
    if not _PLAIN_NUMBER.issuperset("".join(values)):
        raise ValueError
    if "?" in values:
        values = ["nan" if value == "?" else value for value in values]
    return np.fromiter(map(float, values), dtype=np.float64, count=len(values))


def _categorical(codes: ArrayLike, labels: tuple[str, ...]) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, categories=pd.Index(labels, dtype="str"))


def _split_rows(
    body: list[str], numbers: IntegerArray, header: Header, path: Path
) -> tuple[list[Row], FloatArray | None]:
    rows: list[Row] = []
    weights: list[float] = []
    weighted = False
    for number, line in zip(numbers.tolist(), body, strict=True):
        try:
            values, weight = _split_row(line, header.attributes)
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        rows.append(values)
        weights.append(1.0 if weight is None else weight)
        weighted = weighted or weight is not None
    return rows, np.array(weights) if weighted else None


def _split_row(line: str, attributes: tuple[Attribute, ...]) -> tuple[Row, float | None]:
    line, weight = _split_weight(_strip_comment(line.strip()))
    if line.startswith("{"):
        return _split_sparse(line, attributes), weight
    values = split_values(line, len(attributes))
    if len(values) != len(attributes):
        expected = count_text(len(attributes), "value")
        raise DataError(f"expected {expected}, one for each attribute, found {len(values)}")
    return [
        _bare(value, quoted, a) for (value, quoted), a in zip(values, attributes, strict=True)
    ], weight


def _strip_comment(line: str) -> str:
    if "%" not in line:
        return line
    # A comment begins after a blank or a comma, since 50% may be an unquoted label. No quote
    # follows it, since that may be the end of a value that contains a %.
    unquoted = max(line.rfind("'"), line.rfind('"')) + 1
    comment = _COMMENT.search(line, unquoted)
    return line[: comment.start()].rstrip().rstrip(",") if comment else line


def _split_weight(line: str) -> tuple[str, float | None]:
    """Split the weight, `{5}` after a comma or a blank, from the end of a row."""
    before, brace, inside = line.rpartition("{")
    text = inside[:-1].strip()
    is_weight = (
        brace
        and inside.endswith("}")
        and text
        and not any(mark in text for mark in "},'\"")
        and (before.endswith(",") or before != before.rstrip())
    )
    if not is_weight:
        return line, None
    return before.rstrip().removesuffix(",").rstrip(), _read_weight(text)


def _bare(value: str, quoted: bool, attribute: Attribute) -> str | None:
    if quoted:
        return value
    if not value:
        raise DataError(f"column {attribute.name!r}: no value; a missing value is written as ?")
    return None if value == "?" else value


def _read_weight(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise DataError(f"the instance weight {excerpt(f'{{{text}}}')} is not a number")
    weight = float(text)
    if not (np.isfinite(weight) and weight >= 0):
        raise DataError(f"the instance weight {excerpt(f'{{{text}}}')} is not a finite number >= 0")
    return weight


def _split_sparse(line: str, attributes: tuple[Attribute, ...]) -> Row:
    """Read `{1 x, 3 y}`: columns that are not listed hold 0 or the first declared label."""
    if not line.endswith("}"):
        raise DataError("a sparse row has no closing brace")
    row: Row = [a.labels[0] if a.labels else "0" for a in attributes]
    given: list[int] = []
    text, position = line[1:-1].strip(), 0
    while position < len(text):
        entry = _ENTRY.match(text, position)
        if entry is None:
            raise DataError(
                f"expected 'index value' in a sparse row, found {excerpt(text[position:])}"
            )
        place = _read_index(entry[1])
        if place >= len(attributes):
            raise DataError(f"sparse index {place} is more than {len(attributes) - 1}, the last")
        given.append(place)
        row[place] = _bare(*unquote(entry[2].rstrip()), attributes[place])
        position = entry.end()
    if any(later <= earlier for earlier, later in pairwise(given)):
        raise DataError("the indices of a sparse row must increase")
    present = set(given)
    for place, attribute in enumerate(attributes):
        if attribute.kind in ("string", "date") and place not in present:
            raise DataError(
                f"column {attribute.name!r}: a sparse row cannot leave out a {attribute.kind}"
            )
    return row


def _read_index(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    # int() raises an error for thousands of digits, and no file has that many columns.
    if len(digits) > _INDEX_DIGITS:
        raise DataError(f"a sparse index has {len(digits)} digits")
    return int(digits)


def _convert_columns(
    rows: list[Row], numbers: IntegerArray, header: Header, path: Path
) -> pd.DataFrame:
    columns: dict[str, FloatArray | pd.Series | pd.Categorical] = {}
    failures: list[tuple[int, str]] = []
    for attribute, values in zip(header.attributes, zip(*rows, strict=True), strict=True):
        try:
            columns[attribute.name] = _convert(values, attribute)
        except _BadValueError as bad:
            failures.append((int(numbers[bad.row]), f"column {attribute.name!r}: {bad}"))
    if failures:
        line, message = min(failures)
        raise DataError.at(path, line, message)
    return pd.DataFrame(columns, copy=False)


class _BadValueError(Exception):
    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row


def _convert(
    values: tuple[str | None, ...], attribute: Attribute
) -> FloatArray | pd.Series | pd.Categorical:
    if attribute.kind == "nominal":
        return _convert_nominal(values, attribute.labels)
    if attribute.kind == "numeric":
        return _convert_numeric(values)
    if attribute.kind == "string":
        return pd.Series(values, dtype="str")
    dates: list[datetime | None] = []
    for row, value in enumerate(values):
        try:
            dates.append(None if value is None else datetime.strptime(value, attribute.date_format))
        except ValueError:
            expected = datetime(2001, 12, 31, 23, 59, 58).strftime(attribute.date_format)
            message = f"expected a date like {expected}, found {excerpt(str(value))}"
            raise _BadValueError(row, message) from None
    return pd.to_datetime(pd.Series(dates, dtype="datetime64[us]"))


def _convert_nominal(values: tuple[str | None, ...], labels: tuple[str, ...]) -> pd.Categorical:
    place: dict[str | None, int] = {label: code for code, label in enumerate(labels)}
    place[None] = -1
    codes = [place.get(value, -2) for value in values]
    if -2 in codes:
        row = codes.index(-2)
        raise _BadValueError(
            row, f"unknown label {excerpt(str(values[row]))}; declared are {shorten([*labels])}"
        )
    return _categorical(codes, labels)


def _convert_numeric(values: tuple[str | None, ...]) -> FloatArray:
    numbers = np.empty(len(values))
    for row, value in enumerate(values):
        if value is None:
            numbers[row] = np.nan
        elif _NUMBER.fullmatch(value):
            numbers[row] = float(value)
        else:
            hint = " (a missing value is written as ? without quotes)" if value == "?" else ""
            raise _BadValueError(row, f"expected a number, found {excerpt(value)}{hint}")
    return numbers
