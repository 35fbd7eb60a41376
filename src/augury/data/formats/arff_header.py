"""The header of an ARFF file: the relation and its declared attributes."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from augury.data.errors import DataError, excerpt, first_repeated

Kind = Literal["nominal", "numeric", "string", "date"]

# A quoted value with backslash escapes. Each repetition here and below matches in one way only or
# is possessive. Otherwise a damaged line of some hundred characters could take exponential time.
QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NAME = re.compile(rf"\s*({QUOTED}|[^\s{{]+)\s*")
_KEYWORD = re.compile(r"\s*@(\w+)\s*(.*)", re.DOTALL)
_NUMERIC = re.compile(r"(numeric|real|integer)\b\s*(\[[^]]*\])?\s*", re.IGNORECASE)
_STRING = re.compile(r"string\b\s*", re.IGNORECASE)
_DATE = re.compile(rf"date\b\s*({QUOTED}|[^\s%]\S*)?\s*", re.IGNORECASE)
# A quote opens at the beginning of a value. Inside a word, as in don't, it is a letter.
_LABELS = re.compile(rf"\{{((?:[^}}'\"]|(?<=[\s,{{])(?:{QUOTED})|(?<![\s,{{])['\"])*+)\}}\s*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}

# WEKA's default for a date attribute without a format.
_ISO_DATE = "yyyy-MM-dd'T'HH:mm:ss"
_DATE_LETTERS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MM": "%m",
    "MMM": "%b",
    "dd": "%d",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%f",
}
# Text in quotes, in which two quotes mean one; a run of one letter; any other character.
_DATE_PIECE = re.compile(r"''|'((?:[^']|'')++)'|([A-Za-z])\2*|.", re.DOTALL)


@dataclass(frozen=True)
class Attribute:
    """One declared column: its name, kind, and labels or date format."""

    name: str
    kind: Kind
    labels: tuple[str, ...] = ()
    date_format: str = ""


@dataclass(frozen=True)
class Header:
    """The name of the relation, its attributes, and the number of lines before the data."""

    relation: str
    attributes: tuple[Attribute, ...]
    n_lines: int


def unquote(token: str) -> tuple[str, bool]:
    r"""Return the value of a token, and whether it was quoted.

    Examples
    --------
    >>> unquote("'it\\'s'")
    ("it's", True)
    >>> unquote("?")
    ('?', False)
    """
    if len(token) < 2 or token[0] not in "'\"" or token[-1] != token[0]:
        return token, False
    inner = token[1:-1]
    if "\\" in inner:
        inner = re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), inner, flags=re.DOTALL)
    return inner, True


_VALUE = re.compile(rf"[ \t]*+(?:({QUOTED})|((?!['\"])[^,\t]*))[ \t]*(,|\t|$)")
_WORD = re.compile(rf"{QUOTED}|[^\s,'\"][^\s,]*")
_WORDS = re.compile(rf"(?:(?:{_WORD.pattern})(?: +|$))+")


def split_values(text: str, n_expected: int | None = None) -> list[tuple[str, bool]]:
    """Split `a, 'b c', ?` into values, and say of each whether it was quoted.

    Commas and tabs are separators. Blanks are separators only if there are neither commas nor
    tabs and more than one value is expected: `a b c` is three values in WEKA, but an unquoted
    `no checking` between commas is one value.

    Raises
    ------
    DataError
        If a quote is not closed, or not followed by a separator.
    """
    text = text.strip()
    if n_expected != 1 and " " in text and _WORDS.fullmatch(text):
        return [unquote(word) for word in _WORD.findall(text)]
    values: list[tuple[str, bool]] = []
    position = 0
    while True:
        match = _VALUE.match(text, position)
        if match is None:
            rest = text[position:].lstrip()
            if re.match(QUOTED, rest):
                raise DataError(f"unexpected text after a quoted value: {excerpt(rest)}")
            raise DataError(f"a quote is opened but not closed: {excerpt(rest)}")
        quoted, bare, separator = match.groups()
        values.append((bare.rstrip(), False) if quoted is None else unquote(quoted))
        if not separator:
            return values
        position = match.end()


def parse_header(lines: list[str], path: Path) -> Header:
    """Read everything up to and including `@data`."""
    relation = ""
    attributes: dict[str, Attribute] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        match = _KEYWORD.match(line)
        keyword = match[1].lower() if match else ""
        try:
            if match is None or keyword not in ("relation", "attribute", "data"):
                raise DataError(
                    f"expected @relation, @attribute or @data, found {excerpt(line.strip())}"
                )
            if keyword == "relation":
                name = _NAME.match(match[2])
                relation = unquote(name[1])[0] if name else ""
            elif keyword == "attribute":
                attribute = _parse_attribute(match[2])
                if attribute.name in attributes:
                    raise DataError(f"column {attribute.name!r} is declared twice")
                attributes[attribute.name] = attribute
            elif not attributes:
                raise DataError("no @attribute is declared before @data")
        except DataError as error:
            raise DataError.at(path, number, str(error)) from None
        if keyword == "data":
            return Header(relation, tuple(attributes.values()), number)
    raise DataError.at(path, len(lines), "the file ends before @data")


def _parse_attribute(text: str) -> Attribute:
    match = _NAME.match(text)
    if match is None:
        raise DataError("@attribute without a name")
    name, _ = unquote(match[1])
    declared = text[match.end() :]
    attribute, end = _parse_kind(name, declared)
    rest = declared[end:].strip()
    if rest and not rest.startswith("%"):
        raise DataError(f"column {name!r}: unexpected text after its type: {excerpt(rest)}")
    return attribute


def _parse_kind(name: str, declared: str) -> tuple[Attribute, int]:
    if declared.startswith("{"):
        if match := _LABELS.match(declared):
            return Attribute(name, "nominal", labels=_parse_labels(name, match[1])), match.end()
        raise DataError(f"column {name!r}: the list of labels has no closing brace on its line")
    # The range of `integer [0,9]` is not enforced, as in WEKA.
    if match := _NUMERIC.match(declared):
        return Attribute(name, "numeric"), match.end()
    if match := _STRING.match(declared):
        return Attribute(name, "string"), match.end()
    if match := _DATE.match(declared):
        pattern = unquote(match[1])[0] if match[1] else _ISO_DATE
        return Attribute(name, "date", date_format=_translate_date(name, pattern)), match.end()
    found = declared.strip().split()[:1]
    raise DataError(
        f"column {name!r}: expected a type (numeric, real, integer, string, date or "
        f"{{label, …}}), found {found[0] if found else 'nothing'!r}"
    )


def _parse_labels(name: str, text: str) -> tuple[str, ...]:
    if not text.strip():
        raise DataError(f"column {name!r}: the list of labels is empty")
    values = split_values(text)
    if ("", False) in values:
        raise DataError(f"column {name!r}: an empty label between two commas")
    labels = tuple(label for label, _ in values)
    if (label := first_repeated(labels)) is not None:
        raise DataError(f"column {name!r}: label {label!r} is declared twice")
    return labels


def _translate_date(name: str, pattern: str) -> str:
    """Translate Java's `yyyy-MM-dd` to Python's `%Y-%m-%d`."""
    problem = f"column {name!r}: date format {excerpt(pattern)}"
    result = ""
    fields: set[str] = set()
    for piece in _DATE_PIECE.finditer(pattern):
        text, quoted, letter = piece[0], piece[1], piece[2]
        if letter is not None:
            if text not in _DATE_LETTERS:
                raise DataError(
                    f"{problem} has {excerpt(text)}, which augury cannot read; declare it as "
                    f"string and convert it yourself"
                )
            if letter in fields:
                raise DataError(f"{problem} has {letter!r} in two places")
            fields.add(letter)
            result += _DATE_LETTERS[text]
        elif text == "'":
            raise DataError(f"{problem} has a quote that is not closed")
        else:
            literal = "'" if text == "''" else (quoted or text).replace("''", "'")
            result += literal.replace("%", "%%")
    if not fields:
        raise DataError(f"{problem} has no part of a date")
    return result
