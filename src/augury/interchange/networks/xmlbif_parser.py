"""Parser of XMLBIF 0.3, the format of WEKA.

The XML is read by expat. Declarations of entities, and document types in other files, are refused:
no entity is expanded, and no other file is read. Only the elements of XMLBIF are allowed where
XMLBIF has them, so that elements are at most five deep.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from xml.parsers import expat  # without entities, see above

from augury.errors import NetworkFileError
from augury.interchange.networks.declared_network import (
    NUMBER,
    DeclaredNetwork,
    DeclaredTable,
    DeclaredVariable,
)
from augury.interchange.networks.described_network import read_note

# The elements that each element may have.
_ALLOWED = {
    "": {"BIF"},
    "BIF": {"NETWORK"},
    "NETWORK": {"NAME", "PROPERTY", "VARIABLE", "DEFINITION", "PROBABILITY"},
    "VARIABLE": {"NAME", "OUTCOME", "VALUE", "PROPERTY"},
    "DEFINITION": {"FOR", "GIVEN", "TABLE", "PROPERTY"},
    "PROBABILITY": {"FOR", "GIVEN", "TABLE", "PROPERTY"},
}


class XmlbifParser:
    """Parser of one document.

    Parameters
    ----------
    content : the bytes of the document
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._path: list[str] = [""]
        self._text: list[str] = []
        self._declared = DeclaredNetwork(lambda line: max(line, 1))
        self._variable = DeclaredVariable("", 0)
        self._table = DeclaredTable("", [], 0)
        self._has_network = False

    def parse(self) -> DeclaredNetwork:
        """Return what the document declares, or raise `NetworkFileError` with a line."""
        self._expat = expat.ParserCreate()
        self._expat.StartDoctypeDeclHandler = self._begin_document_type
        self._expat.EntityDeclHandler = self._refuse_entity
        self._expat.SkippedEntityHandler = self._refuse_unknown_entity
        self._expat.StartElementHandler = self._begin
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text.append
        try:
            self._expat.Parse(self._content, True)
        except expat.ExpatError as error:
            raise NetworkFileError(f"line {error.lineno}: is not XML: {error}") from None
        except (LookupError, UnicodeError, ValueError) as error:
            if isinstance(error, NetworkFileError):
                raise
            # An encoding that Python does not know.
            raise self._fail(f"is not XML: {error}") from None
        finally:
            del self._expat  # its handlers refer to this object
        return self._declared

    @property
    def _line(self) -> int:
        return self._expat.CurrentLineNumber

    def _fail(self, message: str) -> NetworkFileError:
        return self._declared.fail(self._line, message)

    def _begin_document_type(
        self, name: str, system_id: str | None, public_id: str | None, has_internal_subset: bool
    ) -> None:
        if system_id is not None or public_id is not None:
            raise self._fail(
                "the document type is in another file, which is not read: remove the <!DOCTYPE …>"
            )

    def _refuse_entity(self, name: str, *_: object) -> None:
        raise self._fail(f"declares the entity {name!r:.40}: entities are refused")

    def _refuse_unknown_entity(self, name: str, _: object) -> None:
        raise self._fail(f"has the entity {name!r:.40}: entities are refused")

    # ---- elements ---------------------------------------------------------------------

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        inside = self._path[-1]
        if tag not in _ALLOWED.get(inside, ()):
            where = f" in <{inside}>" if inside else ""
            raise self._fail(f"<{tag:.40}> is not an element of XMLBIF{where}")
        if tag == "NETWORK":
            if self._has_network:
                raise self._fail("there is a second <NETWORK>")
            self._has_network = True
        elif tag == "VARIABLE":
            kind = attributes.get("TYPE", "nature")
            if kind not in ("nature", "discrete"):
                raise self._fail(
                    f"a variable of type {kind!r:.40} is no node of a Bayesian network"
                )
            self._variable = DeclaredVariable("", self._line)
        elif tag in ("DEFINITION", "PROBABILITY"):
            self._table = DeclaredTable("", [], self._line)
        if self._path[-1] in _ALLOWED and "".join(self._text).strip():
            raise self._fail(f"text stands between the elements of <{inside}>")
        self._path.append(tag)
        self._text.clear()

    def _end(self, tag: str) -> None:
        self._path.pop()
        text = "".join(self._text).strip()
        self._text.clear()
        inside = self._path[-1]
        if tag in _ALLOWED:
            if text:
                raise self._fail(f"text stands between the elements of <{tag}>")
            self._end_block(tag)
        elif tag == "PROPERTY":
            self._add_note(inside, text)
        elif tag == "TABLE":
            if self._table.numbers is not None:
                raise self._fail("there is a second <TABLE>")
            self._table.numbers = self._numbers(text), self._line
        else:
            self._add_name(inside, tag, self._declared.check_name(text, self._line))

    def _end_block(self, tag: str) -> None:
        if tag == "VARIABLE":
            if not self._variable.name:
                raise self._fail("a variable has no <NAME>")
            self._declared.add_variable(self._variable)
        elif tag in ("DEFINITION", "PROBABILITY"):
            if not self._table.name or self._table.numbers is None:
                raise self._fail(f"a <{tag}> has no <{'TABLE' if self._table.name else 'FOR'}>")
            self._declared.add_table(self._table)

    def _add_name(self, inside: str, tag: str, text: str) -> None:
        if not text:
            raise self._fail(f"a <{tag}> of <{inside}> is empty")
        if tag in ("OUTCOME", "VALUE"):
            self._variable.states.append(text)
        elif tag == "GIVEN":
            self._table.parents.append(text)
        elif inside == "NETWORK":
            self._declared.name = text
        else:  # <NAME> of a variable or <FOR> of a table
            named = self._variable if tag == "NAME" else self._table
            if named.name:
                raise self._fail(f"there is a second <{tag}> in <{inside}>")
            named.name = text

    def _add_note(self, inside: str, text: str) -> None:
        note = read_note(text)
        if note is None or inside not in ("NETWORK", "VARIABLE"):
            return
        notes = self._declared.notes if inside == "NETWORK" else self._variable.notes
        if note[0] in notes:
            raise self._fail(f"the property augury_{note[0]:.40} is there twice")
        notes[note[0]] = note[1]

    def _numbers(self, text: str) -> array[float]:
        numbers = array("d")
        for word in text.split():
            if not NUMBER.fullmatch(word):
                raise self._fail(f"expected a number in <TABLE>, got {word!r:.40}")
            numbers.append(float(word))
        return numbers


__all__ = ["XmlbifParser"]
