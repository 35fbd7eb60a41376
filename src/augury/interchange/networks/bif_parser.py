"""Parser of BIF, the interchange format of Cozman.

The text is read once from its beginning to its end, token by token; a word is never read twice.
"""

from __future__ import annotations

import re
from array import array

from augury.errors import NetworkFileError
from augury.interchange.networks.declared_network import (
    MAX_STATES,
    NUMBER,
    DeclaredNetwork,
    DeclaredTable,
    DeclaredVariable,
)
from augury.interchange.networks.described_network import read_note

# White space and commas separate words. A comment may stand where white space may.
_SPACE = re.compile(r"[\s,]*")
_TOKEN = re.compile(r'[{}()\[\];|]|"[^"\n]*"|[^\s,{}()\[\];|"]+')
_END = ""


class BifParser:
    """Parser of one text.

    Parameters
    ----------
    text : the text
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0  # after the current word
        self._start = 0  # of the current word
        self._declared = DeclaredNetwork(lambda place: text.count("\n", 0, place) + 1)

    def parse(self) -> DeclaredNetwork:
        """Return what the text declares, or raise `NetworkFileError` with a number of a line."""
        self._expect("network")
        self._declared.name = self._name("a name of the network")
        self._expect("{")
        while (word := self._next()) != "}":
            if word != "property":
                raise self._unexpected(word, "property or }")
            self._property(self._declared.notes)
        while (word := self._next()) != _END:
            if word == "variable":
                self._variable()
            elif word == "probability":
                self._probability()
            else:
                raise self._unexpected(word, "variable or probability")
        return self._declared

    # ---- tokens -----------------------------------------------------------------------

    def _next(self) -> str:
        """Return the next word; an empty text at the end of the file."""
        self._skip_space()
        if self._start == len(self._text):
            return _END
        word = _TOKEN.match(self._text, self._start)
        if word is None:
            raise self._fail('a text that begins with " does not end in its line')
        self._at = word.end()
        return word.group()

    def _skip_space(self) -> None:
        """Set `_start` to the next character that is neither white space nor in a comment."""
        while True:
            space = _SPACE.match(self._text, self._at)
            assert space is not None  # it matches the empty text
            self._start = self._at = space.end()
            mark = self._text[self._start : self._start + 2]
            if mark not in ("//", "/*"):
                return
            ending = "\n" if mark == "//" else "*/"
            end = self._text.find(ending, self._start + 2)
            if end < 0 and mark == "/*":
                raise self._fail("a comment does not end")
            self._at = len(self._text) if end < 0 else end + len(ending)

    def _expect(self, wanted: str) -> None:
        word = self._next()
        if word != wanted:
            raise self._unexpected(word, wanted)

    def _name(self, what: str) -> str:
        return self._as_name(self._next(), what)

    def _as_name(self, word: str, what: str) -> str:
        if word == _END or word in "{}()[];|":
            raise self._unexpected(word, what)
        name = word[1:-1] if word[0] == '"' else word
        return self._declared.check_name(name, self._start)

    def _numbers(self) -> tuple[array[float], int]:
        """Return the numbers up to a semicolon, and where they begin."""
        numbers, place = array("d"), self._at
        while (word := self._next()) != ";":
            if not NUMBER.fullmatch(word):
                raise self._unexpected(word, "a number or ;")
            numbers.append(float(word))
        return numbers, place

    def _fail(self, message: str) -> NetworkFileError:
        return self._declared.fail(self._start, message)

    def _unexpected(self, word: str, wanted: str) -> NetworkFileError:
        got = f"{word!r:.40}" if word else "the end of the file"
        return self._fail(f"expected {wanted}, got {got}")

    # ---- blocks -----------------------------------------------------------------------

    def _property(self, notes: dict[str, str]) -> None:
        """Read a property up to its semicolon; those of other programs are not kept."""
        end = self._text.find(";", self._at)
        if end < 0:
            raise self._fail("a property does not end with ;")
        text = self._text[self._at : end].strip().strip('"')
        self._at = end + 1
        note = read_note(text)
        if note is None:
            return
        if note[0] in notes:
            raise self._fail(f"the property augury_{note[0]:.40} is there twice")
        notes[note[0]] = note[1]

    def _variable(self) -> None:
        place = self._start
        variable = DeclaredVariable(self._name("the name of a variable"), place)
        self._expect("{")
        while (word := self._next()) != "}":
            if word == "property":
                self._property(variable.notes)
            elif word == "type" and not variable.states:
                self._type(variable)
            else:
                raise self._unexpected(word, "type, property or }")
        self._declared.add_variable(variable)

    def _type(self, variable: DeclaredVariable) -> None:
        self._expect("discrete")
        self._expect("[")
        number = self._next()
        if not (number.isascii() and number.isdigit()):
            raise self._unexpected(number, "a number of states")
        if len(number) > len(str(MAX_STATES)) or int(number) > MAX_STATES:
            raise self._fail(
                f"variable {variable.name!r:.80} declares {number:.20} states, and at most "
                f"{MAX_STATES:,} are allowed"
            )
        self._expect("]")
        self._expect("{")
        while (word := self._next()) != "}" and len(variable.states) <= int(number):
            variable.states.append(self._as_name(word, "a state or }"))
        if len(variable.states) != int(number):
            has = "more" if len(variable.states) > int(number) else f"{len(variable.states)}"
            raise self._fail(
                f"variable {variable.name!r:.80} declares {int(number)} states and has {has}"
            )
        self._expect(";")

    def _probability(self) -> None:
        place = self._start
        self._expect("(")
        table = DeclaredTable(self._name("the name of a variable"), [], place, child_first=True)
        while (word := self._next()) != ")":
            if word != "|" or table.parents:
                table.parents.append(self._as_name(word, "the name of a parent or )"))
        self._expect("{")
        while (word := self._next()) != "}":
            if word == "(":
                self._row(table)
            elif word == "default" and table.default is None:
                table.default = self._numbers()
            elif word == "table" and table.numbers is None:
                table.numbers = self._numbers()
            elif word == "property":
                self._property({})
            else:
                raise self._unexpected(word, "a row, table, default, property or }")
        if table.numbers is not None and (table.rows or table.default is not None):
            raise self._fail(f"the table of {table.name!r:.80} has rows besides the whole table")
        self._declared.add_table(table)

    def _row(self, table: DeclaredTable) -> None:
        place, states = self._start, list[str]()
        while (word := self._next()) != ")":
            states.append(self._as_name(word, "a state of a parent or )"))
        key = tuple(states)
        if key in table.rows:
            raise self._declared.fail(
                place,
                f"{table.name!r:.80} has a second row for ({', '.join(key):.80})",
            )
        numbers, _ = self._numbers()
        table.rows[key] = numbers, place


__all__ = ["BifParser"]
