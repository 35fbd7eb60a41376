"""Names of nodes and states as words that every reader of BIF accepts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from augury.errors import NetworkFileError
from augury.interchange.networks.described_network import Notes
from augury.interchange.networks.note_words import distinct, text_word, word_text

_OTHERS = re.compile(r"[^A-Za-z0-9_]")
_RESERVED = frozenset("network variable probability property type discrete default table".split())


def words(names: Sequence[str], *, may_begin_with_digit: bool = False) -> tuple[str, ...]:
    """Return distinct words of letters, digits and `_`, one for each name.

    >>> words(["age", "body mass", "body-mass", "4th", "table"])
    ('age', 'body_mass', 'body_mass_2', '_4th', 'table_')
    """
    found = []
    for name in names:
        word = _OTHERS.sub("_", name) or "_"
        if word[0].isdigit() and not may_begin_with_digit:
            word = f"_{word}"
        found.append(f"{word}_" if word.lower() in _RESERVED else word)
    return distinct(found, "_")


def renaming_note(
    name: str, states: Sequence[str], written: str, written_states: Sequence[str]
) -> dict[str, str]:
    """Return the note that keeps the names of a node and of its states, if others are written."""
    if list(states) != list(written_states):
        return {"names": " ".join(map(text_word, (name, *states)))}
    return {} if name == written else {"names": text_word(name)}


def kept_names(name: str, states: Sequence[str], notes: Notes) -> tuple[str, tuple[str, ...]]:
    """Return the names of a node and of its states before they became words."""
    if "names" not in notes:
        return name, tuple(states)
    kept = [word_text(word) for word in notes["names"].split()]
    if len(kept) == 1:
        return kept[0], tuple(states)
    if len(kept) != 1 + len(states):
        raise NetworkFileError(
            f"augury_names of {name!r:.80} must have {1 + len(states)} names, those of the node "
            f"and of its states, got {len(kept)}: remove the properties augury_… if the node was "
            "changed"
        )
    return kept[0], tuple(kept[1:])


def is_plain(text: str) -> bool:
    """Return whether XML and its readers keep a text as it is.

    They do not keep control characters, and white space at the ends or in a row.

    >>> is_plain("body mass (kg)"), is_plain(" mass"), is_plain("a  b")
    (True, False, False)
    """
    return bool(text) and text.isprintable() and " ".join(text.split()) == text


__all__ = ["is_plain", "kept_names", "renaming_note", "words"]
