"""Numbers in text, as people and spreadsheets write them: $1,234.50, 12.3%, (1 234,5), -.

A text column holds numbers if at least 99 % of its values are numbers in *one* notation. The usual
words for a missing value are not counted. Codes are not numbers: digits with leading zeros, more
than 15 digits, and groups of digits as in telephone numbers.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

# Words and marks that mean a missing value in a column of numbers, in upper or lower case.
MISSING_WORDS = frozenset(
    {
        "", "-", "--", "---", "–", "—", ".", "..", "...", "?", "na", "n/a", "n.a.", "n.a", "#n/a",
        "#na", "<na>", "nan", "null", "none", "nil", "missing", "unknown", "not available",
        "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!",
    }
)  # fmt: skip
_MIN_SHARE = 0.99
# From this share on, the reason says why the column is not read as numbers.
_MIN_SHARE_REPORTED = 0.9
_MAX_DIGITS = 15  # the digits that a float64 keeps
_MIN_PHONE_DIGITS = 7
_N_TRIED = 200
# A text is taken apart when the notation is learned, for the reason, and when rows are read.
_N_REMEMBERED = 1 << 14
_MAX_WORDS_SHOWN = 3

# The decimal mark and the mark between groups of digits, by an example. If several notations fit
# all values of a column, the first is taken.
_NOTATIONS = {
    "1234.5": (".", ""),
    "1,234.5": (".", ","),
    "1 234.5": (".", " "),
    "1'234.5": (".", "'"),
    "1234,5": (",", ""),
    "1.234,5": (",", "."),
    "1 234,5": (",", " "),
    "1'234,5": (",", "'"),
}
PLAIN = "1234.5"
_GROUPS = {",": "commas", ".": "dots", " ": "blanks", "'": "apostrophes"}

_CODES = (
    "USD EUR GBP JPY CNY CHF CAD AUD NZD SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY ILS INR "
    "PKR BDT LKR IDR MYR SGD THB VND PHP KRW TWD HKD BRL MXN ARS CLP COP PEN ZAR NGN KES GHS EGP "
    "MAD TND SAR AED QAR KWD kr zł Kč Ft Rs лв руб"
).split()
_CURRENCY = rf"(?:[A-Z]{{1,3}})?[$¢£¤¥฿\u20a0-\u20cf＄￡￥]|(?:{'|'.join(_CODES)})\.?"
_SHAPE = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+])?\s*(?P<before>{_CURRENCY})?\s*(?P<inner>[-+])?\s*"
    r"(?P<body>[0-9](?:[0-9.,' ]*[0-9])?\.?|[.,][0-9]+)(?P<power>e[-+]?[0-9]{1,3})?"
    rf"\s*(?P<after>%|{_CURRENCY})?\s*(?P<close>\))?",
    re.IGNORECASE,
)
_NO_CENTS = re.compile(r"(?<=[0-9])[.,][-–—]{1,2}(?=[^0-9]*$)")  # 99.- and 99,–
_BLANKS = str.maketrans(
    {"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2007": " ", "\t": " ", "\u2212": "-",
     "\u2019": "'", "\uff05": "%", "\ufeff": ""}
)  # fmt: skip


def _body_pattern(decimal: str, group: str) -> re.Pattern[str]:
    mark = re.escape(decimal)
    whole = "[0-9]+"
    if group:
        between = re.escape(group)
        whole = rf"(?:[1-9][0-9]{{0,2}}(?:{between}[0-9]{{3}})+|[0-9]+)"
        if group == ",":  # 12,34,567, as in India
            whole = rf"(?:[1-9][0-9]?(?:,[0-9]{{2}})+,[0-9]{{3}}|{whole})"
    return re.compile(rf"{whole}(?:{mark}[0-9]*)?|{mark}[0-9]+")


_BODIES = {name: _body_pattern(*marks) for name, marks in _NOTATIONS.items()}
_NO_DIGIT = re.compile("[^0-9]")
_ONE_COMMA = re.compile(r"[0-9]+,[0-9]{3}|[0-9]+")
_ONE_DOT = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}|[0-9]+")


class _Piece(NamedTuple):
    """Parts of a text: sign, digits with their marks, power of ten, and unit."""

    negative: bool
    body: str
    power: str
    unit: str
    plus: bool


@dataclass(frozen=True)
class NumberFormat:
    """Notation of the numbers of a column.

    Attributes
    ----------
    code : str
        The notation by an example, `|`, and the unit: `1,234.5|$`, `1234.5|%`, `1234.5|`. It is
        an argument of `parse_number`.
    notes : tuple of str
        Remarks for the user: how the numbers are written, and which values are missing.
    """

    code: str
    notes: tuple[str, ...] = ()


@dataclass
class _Found:
    pieces: dict[str, _Piece] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)


def learn_format(counts: Mapping[str, int]) -> NumberFormat | str:
    """Return the notation of a column, or the reason why it does not hold numbers.

    Parameters
    ----------
    counts : mapping from text to number of rows

    Returns
    -------
    NumberFormat or str
        The reason is empty if the column clearly holds labels.

    Examples
    --------
    >>> learn_format({"$1,234.50": 1, "($7)": 1, "-": 2}).code
    '1,234.5|$'
    >>> learn_format({"02139": 1, "10001": 1})
    'digits with leading zeros are codes'
    >>> learn_format({"red": 1, "blue": 1})
    ''
    """
    tried = list(counts)[:_N_TRIED]
    n_other = sum(_take_apart(text) is None and not is_missing_word(text) for text in tried)
    if 2 * n_other > len(tried):
        return ""
    found = _sort(counts)
    if not found.pieces:
        return ""
    if reason := _why_codes(found.pieces):
        return reason
    notation = _choose_notation(found.pieces, counts)
    pattern = _BODIES[notation]
    strays = [text for text, piece in found.pieces.items() if not pattern.fullmatch(piece.body)]
    strays += found.strays
    unread = set(strays)
    numbers = {text: piece for text, piece in found.pieces.items() if text not in unread}
    n_strays, n_numbers = (sum(counts[text] for text in texts) for texts in (strays, numbers))
    share = n_numbers / (n_numbers + n_strays)
    if share < _MIN_SHARE:
        if share < _MIN_SHARE_REPORTED:
            return ""
        return f"{n_numbers} of {n_numbers + n_strays} are numbers, but {strays[0]!r} is not"
    units = Counter(piece.unit for piece in numbers.values() if piece.unit)
    if len(units) > 1:
        return f"numbers with several units ({', '.join(sorted(units))})"
    unit = next(iter(units), "")
    if unit == "%" and any(
        not piece.unit and _value(piece, notation) for piece in numbers.values()
    ):
        return "some numbers are percent, others are not"
    notes = _describe(notation, unit, numbers, found, counts)
    if strays:
        notes.append(
            f"values that are not numbers, such as {strays[0]!r}, read as missing, "
            f"{n_strays} values"
        )
    return NumberFormat(f"{notation}|{unit}", tuple(notes))


def parse_number(text: str, code: str) -> float | None:
    """Return the number that a text holds: NaN if it is missing, None if it is not a number.

    Examples
    --------
    >>> parse_number("(1.234,50 €)", "1.234,5|€"), parse_number("1.234,50 $", "1.234,5|€")
    (-1234.5, None)
    >>> parse_number("n/a", "1234.5|")
    nan
    """
    if is_missing_word(text):
        return float("nan")
    piece = _take_apart(text)
    notation, _, unit = code.partition("|")
    if piece is None or notation not in _BODIES or piece.unit not in ("", unit):
        return None
    return _value(piece, notation) if _BODIES[notation].fullmatch(piece.body) else None


def is_missing_word(text: str) -> bool:
    """Return whether a text means a missing value in a column of numbers."""
    if text[-1:].isdecimal():
        return False  # no word ends in a digit
    return text.translate(_BLANKS).strip().lower() in MISSING_WORDS


@lru_cache(_N_REMEMBERED)
def _take_apart(text: str) -> _Piece | None:
    match = _SHAPE.fullmatch(_NO_CENTS.sub("", text.translate(_BLANKS).strip()))
    if match is None:
        return None
    signs = [match[name] for name in ("open", "sign", "inner") if match[name]]
    units = [match[name] for name in ("before", "after") if match[name]]
    if len(signs) > 1 or len(units) > 1 or bool(match["open"]) != bool(match["close"]):
        return None
    sign, unit = "".join(signs), "".join(units).rstrip(".").upper()
    return _Piece(sign in ("-", "("), match["body"], match["power"] or "", unit, sign == "+")


def _sort(counts: Mapping[str, int]) -> _Found:
    found = _Found()
    for text in counts:
        piece = _take_apart(text)
        if is_missing_word(text):
            found.missing.append(text)
        elif piece is None:
            found.strays.append(text)
        else:
            found.pieces[text] = piece
    return found


def _why_codes(pieces: Mapping[str, _Piece]) -> str:
    pieces = {
        text: piece
        for text, piece in pieces.items()
        if any(pattern.fullmatch(piece.body) for pattern in _BODIES.values())
    }
    if not pieces:
        return ""
    bodies = [piece.body for piece in pieces.values()]
    if any(len(body) > 1 and body[0] == "0" and body[1] in "0123456789" for body in bodies):
        return "digits with leading zeros are codes"
    lengths = {len(_NO_DIGIT.sub("", body.partition(".")[0])) for body in bodies}
    if max(lengths) > _MAX_DIGITS and not any(piece.power for piece in pieces.values()):
        return f"numbers of more than {_MAX_DIGITS} digits are codes"
    spaced = [" " in body for body in bodies]
    if any(spaced) and any(piece.plus for piece in pieces.values()):
        return "digits like telephone numbers are codes"
    if all(piece.plus for piece in pieces.values()) and min(lengths) >= _MIN_PHONE_DIGITS:
        return "digits like telephone numbers are codes"
    if all(spaced) and len(bodies) > 1 and len(lengths) == 1 and min(lengths) >= _MIN_PHONE_DIGITS:
        return "digits like telephone numbers are codes"
    return ""


def _choose_notation(pieces: Mapping[str, _Piece], counts: Mapping[str, int]) -> str:
    def n_read(name: str) -> int:
        pattern = _BODIES[name]
        return sum(counts[text] for text, piece in pieces.items() if pattern.fullmatch(piece.body))

    best = max(_NOTATIONS, key=n_read)  # ties: the first
    if best == PLAIN and any(piece.unit not in ("", "%") for piece in pieces.values()):
        # Prices rarely have three decimals: the dot in 1.234 € separates thousands.
        bodies = [piece.body for piece in pieces.values()]
        if any("." in body for body in bodies) and all(map(_ONE_DOT.fullmatch, bodies)):
            return "1.234,5"
    return best


def _value(piece: _Piece, notation: str) -> float:
    decimal, group = _NOTATIONS[notation]
    digits = piece.body.replace(group, "") if group else piece.body
    number = float(digits.replace(decimal, ".") + piece.power)
    return -number if piece.negative else number


def _describe(
    notation: str,
    unit: str,
    numbers: Mapping[str, _Piece],
    found: _Found,
    counts: Mapping[str, int],
) -> list[str]:
    """Return remarks: how the numbers are written, and which values are missing."""
    ways: list[str] = []
    if unit:
        ways.append("as percent" if unit == "%" else f"as currency ({unit})")
    bodies = [piece.body for piece in numbers.values()]
    decimal, group = _NOTATIONS[notation]
    if group and any(group in body for body in bodies):
        ways.append(f"with {_GROUPS[group]} between thousands")
    if decimal == "," and any("," in body for body in bodies):
        ways.append("with decimal commas")
    notes = [f"numbers written {', '.join(ways)}" if ways else "numbers in text"]
    open_mark = _open_mark(notation, bodies)
    if open_mark:
        text, piece = next((t, p) for t, p in numbers.items() if open_mark in p.body)
        notes.append(f"{text!r} is read as {_value(piece, notation):.15g}")
    if found.missing:
        notes.append(describe_missing({text: counts[text] for text in found.missing}))
    return notes


def describe_missing(counts: Mapping[str, int]) -> str:
    """Return a remark about the texts read as missing, the most frequent first.

    >>> describe_missing({"n/a": 2, "-": 10})
    "'-', 'n/a' read as missing, 12 values"
    """
    words = sorted(counts, key=lambda text: -counts[text])
    shown = ", ".join(map(repr, words[:_MAX_WORDS_SHOWN]))
    more = ", …" if len(words) > _MAX_WORDS_SHOWN else ""
    return f"{shown}{more} read as missing, {sum(counts.values())} values"


def _open_mark(notation: str, bodies: list[str]) -> str:
    """Return the mark that is ambiguous in every value, or an empty string."""
    if notation == "1,234.5" and all(map(_ONE_COMMA.fullmatch, bodies)):
        return ","
    if notation in (PLAIN, "1.234,5") and all(map(_ONE_DOT.fullmatch, bodies)):
        return "." if any("." in body for body in bodies) else ""
    return ""


__all__ = [
    "MISSING_WORDS",
    "PLAIN",
    "NumberFormat",
    "describe_missing",
    "is_missing_word",
    "learn_format",
    "parse_number",
]
