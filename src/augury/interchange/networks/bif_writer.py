"""Networks as BIF text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from augury.interchange.networks.described_network import DescribedNetwork, note_lines
from augury.interchange.networks.word_names import renaming_note, words


def bif_text(described: DescribedNetwork) -> str:
    """Return a network in BIF, the notes as properties.

    Names of nodes and states become words of ASCII letters, digits and `_`. The property
    `augury_names` has the names of a node and of its states if they are no such words.
    """
    return "\n".join(_lines(described)) + "\n"


def _lines(described: DescribedNetwork) -> Iterator[str]:
    nodes = described.network.nodes
    names = words([node.name for node in nodes])
    states = [words(node.states, may_begin_with_digit=True) for node in nodes]
    (name,) = words([described.network.name])
    yield f"network {name} {{"
    yield from (f"  property {line};" for line in note_lines(described.notes))
    yield "}"
    for k, node in enumerate(nodes):
        notes = renaming_note(node.name, node.states, names[k], states[k])
        notes |= described.node_notes[k]
        yield f"variable {names[k]} {{"
        yield f"  type discrete [ {len(node.states)} ] {{ {', '.join(states[k])} }};"
        yield from (f"  property {line};" for line in note_lines(notes))
        yield "}"
    for k, node in enumerate(nodes):
        given = ", ".join(names[p] for p in node.parents)
        yield f"probability ( {names[k]}{' | ' if given else ''}{given} ) {{"
        rows = node.table.reshape(-1, len(node.states)).tolist()
        if not node.parents:
            yield f"  table {', '.join(map(repr, rows[0]))};"
        else:
            for parents, row in zip(product(*(states[p] for p in node.parents)), rows, strict=True):
                yield f"  ({', '.join(parents)}) {', '.join(map(repr, row))};"
        yield "}"


__all__ = ["bif_text"]
