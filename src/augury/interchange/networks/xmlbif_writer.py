"""Networks as XMLBIF 0.3 text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from augury.interchange.networks.described_network import DescribedNetwork, note_lines
from augury.interchange.networks.note_words import distinct
from augury.interchange.networks.word_names import is_plain, renaming_note, words


def xmlbif_text(described: DescribedNetwork) -> str:
    """Return a network in XMLBIF 0.3, the notes as properties.

    A name stays as it is if XML keeps it. Otherwise it becomes a word as in BIF, and the property
    `augury_names` has the name. There is no document type declaration: pyAgrum cannot read one.
    """
    return "\n".join(_lines(described)) + "\n"


def _lines(described: DescribedNetwork) -> Iterator[str]:
    nodes = described.network.nodes
    names = _kept_or_words([node.name for node in nodes])
    states = [_kept_or_words(node.states) for node in nodes]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<BIF VERSION="0.3">'
    yield "<NETWORK>"
    yield _element("NAME", _kept_or_words([described.network.name])[0])
    yield from (_element("PROPERTY", line) for line in note_lines(described.notes))
    for k, node in enumerate(nodes):
        notes = renaming_note(node.name, node.states, names[k], states[k])
        notes |= described.node_notes[k]
        yield '<VARIABLE TYPE="nature">'
        yield _element("NAME", names[k])
        yield from (_element("OUTCOME", state) for state in states[k])
        yield from (_element("PROPERTY", line) for line in note_lines(notes))
        yield "</VARIABLE>"
    for k, node in enumerate(nodes):
        yield "<DEFINITION>"
        yield _element("FOR", names[k])
        yield from (_element("GIVEN", names[p]) for p in node.parents)
        yield "<TABLE>"
        for row in node.table.reshape(-1, len(node.states)).tolist():
            yield " ".join(map(repr, row))
        yield "</TABLE>"
        yield "</DEFINITION>"
    yield "</NETWORK>"
    yield "</BIF>"


def _kept_or_words(names: Sequence[str]) -> tuple[str, ...]:
    """Return distinct names: those that XML keeps, and words for the others."""
    return distinct((name if is_plain(name) else words([name])[0] for name in names), "_")


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text, quote=False)}</{tag}>"


__all__ = ["xmlbif_text"]
