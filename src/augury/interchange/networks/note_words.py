"""Texts, labels and numbers as words of notes, which every format and program keeps."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from numbers import Integral, Real
from urllib.parse import quote, unquote

import numpy as np

from augury.arrays import FloatArray
from augury.encode import INFREQUENT, MISSING
from augury.errors import NetworkExportError, NetworkFileError

_SPECIAL = {"missing": MISSING, "infrequent": INFREQUENT}


def text_word(text: str) -> str:
    """Return a text with all but letters, digits and `_.-~` as %XX of its UTF-8 bytes.

    >>> text_word("a b;é"), word_text("a%20b%3B%C3%A9")
    ('a%20b%3B%C3%A9', 'a b;é')
    """
    return quote(text, safe="", errors="surrogatepass") or "%"


def word_text(word: str) -> str:
    """Return the text that `text_word` has made a word of."""
    try:
        return "" if word == "%" else unquote(word, errors="surrogatepass")
    except UnicodeDecodeError:
        raise NetworkFileError(f"{word!r:.80} is not a text as augury writes it") from None


def label_word(label: Hashable) -> str:
    """Return a label with its type as a word.

    >>> [label_word(label) for label in ("a b", 3, 2.5, True)]
    ['text:a%20b', 'int:3', 'float:2.5', 'bool:True']
    """
    for name, state in _SPECIAL.items():
        if label is state:
            return name
    if isinstance(label, str):
        return f"text:{text_word(str(label))}"
    if isinstance(label, bool | np.bool_):
        return f"bool:{bool(label)}"
    if isinstance(label, Integral):
        return f"int:{int(label)}"
    if isinstance(label, float | np.floating):
        return f"float:{float(label)!r}"
    if isinstance(label, Decimal):
        return f"decimal:{label}"
    if isinstance(label, bytes):
        return f"bytes:{label.hex()}"
    raise NetworkExportError(
        f"the label {label!r:.80} is of type {type(label).__name__}, which no network file can "
        "hold: use text or numbers"
    )


def word_label(word: str) -> Hashable:
    """Return the label that `label_word` has made a word of."""
    if word in _SPECIAL:
        return _SPECIAL[word]
    kind, _, text = word.partition(":")
    try:
        match kind:
            case "text":
                return word_text(text)
            case "bool":
                return {"True": True, "False": False}[text]
            case "int":
                return int(text)
            case "float":
                return float(text)
            case "decimal":
                return Decimal(text)
            case "bytes":
                return bytes.fromhex(text)
    except (ValueError, KeyError, InvalidOperation):
        pass
    raise NetworkFileError(f"{word!r:.80} is not a label as augury writes it")


def state_name(label: Hashable) -> str:
    """Return the name of the state of a label, in a network."""
    if isinstance(label, Real) and not isinstance(label, bool | np.bool_):
        return f"{float(label)!r}" if isinstance(label, np.floating) else f"{label}"
    return repr(label).strip("<>") if label in _SPECIAL.values() else str(label)


def state_names(labels: Iterable[Hashable]) -> tuple[str, ...]:
    """Return distinct names of states: 1 and "1" are two labels of the same text.

    >>> state_names([1, "1", "a", MISSING])
    ('1', '1 2', 'a', 'missing')
    """
    return distinct(state_name(label) for label in labels)


def distinct(names: Iterable[str], joint: str = " ") -> tuple[str, ...]:
    """Return names, each followed by a number if an earlier one is equal."""
    found: dict[str, None] = {}
    next_number: dict[str, int] = {}
    for name in names:
        free = name
        while free in found:
            number = next_number.get(name, 2)
            next_number[name] = number + 1
            free = f"{name}{joint}{number}"
        found[free] = None
    return tuple(found)


def number_words(numbers: Sequence[float] | FloatArray) -> str:
    """Return numbers as words, each the shortest text of the same float64."""
    return " ".join(map(repr, np.asarray(numbers, dtype=np.float64).ravel().tolist()))


def words_numbers(text: str) -> FloatArray:
    """Return the numbers that `number_words` has written."""
    try:
        return np.array([float(word) for word in text.split()], dtype=np.float64)
    except ValueError:
        raise NetworkFileError(f"{text!r:.80} are not numbers as augury writes them") from None


__all__ = [
    "distinct",
    "label_word",
    "number_words",
    "state_names",
    "text_word",
    "word_label",
    "word_text",
    "words_numbers",
]
