"""The encoding of a text that is not UTF-8 and has no byte order mark."""

import codecs
import re
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from augury.data.errors import DataWarning

# Bytes that Windows-1252 does not define.
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_MAX_CHARACTERS = 100_000  # that are looked at
# First bytes of GB2312: full-width punctuation, and the 3,755 characters of level 1, which make up
# almost all of a Chinese text. The accented small letters of Windows-1252 lie above them.
_PUNCTUATION = range(0xA1, 0xA4)
_FREQUENT = range(0xB0, 0xD8)
_MIN_CHINESE = 0.8
# Windows-1252 has symbols below: a text such as m²·K has only these.
_FIRST_LETTER = 0xC0
_LONG_RUN = 3  # accented letters of western languages rarely follow each other


@dataclass(frozen=True, slots=True)
class Guess:
    """The encoding that the bytes of a text suggest.

    Attributes
    ----------
    encoding : str
        GB18030 (its parts GB2312 and GBK are older Chinese encodings), Windows-1252, or Latin-1 if
        a byte has no meaning in Windows-1252.
    is_doubtful : bool
        Whether another encoding is about as likely.
    """

    encoding: str
    is_doubtful: bool

    def warn(self, path: Path) -> None:
        """Warn if names and labels may be garbled."""
        if not self.is_doubtful:
            return
        name = {"gb18030": "GB18030 (Chinese)", "cp1252": "Windows-1252 (western languages)"}
        message = f"{path}: is not UTF-8, and is read as {name.get(self.encoding, 'Latin-1')}"
        advice = "if names or labels look wrong, save it as UTF-8"
        warnings.warn(DataWarning(message, advice=advice), stacklevel=6)


def guess_encoding(pieces: Iterable[bytes]) -> Guess:
    """Return the encoding of a text that is not UTF-8.

    It is GB18030 if all bytes follow its rules, at least 80 % of the characters other than ASCII
    are frequent Chinese ones or punctuation, and not all bytes are symbols in Windows-1252.

    Examples
    --------
    >>> guess_encoding(["城市,年龄".encode("gbk")])
    Guess(encoding='gb18030', is_doubtful=True)
    >>> guess_encoding(["Größe,Höhe".encode("cp1252")])
    Guess(encoding='cp1252', is_doubtful=False)
    """
    decoder = codecs.getincrementaldecoder("gb18030")()
    characters: Counter[str] = Counter()
    is_windows = follows_chinese = True
    n_left, n_high, n_in_runs = _MAX_CHARACTERS, 0, 0
    for piece in pieces:
        is_windows = is_windows and not _UNDEFINED.search(piece)
        for run in _HIGH_BYTES.findall(piece):
            n_high += len(run)
            n_in_runs += len(run) if len(run) >= _LONG_RUN else 0
        if follows_chinese:
            try:
                found = _NOT_ASCII.findall(decoder.decode(piece))[:n_left]
            except UnicodeDecodeError:
                follows_chinese = False
            else:
                characters.update(found)
                n_left -= len(found)
    if follows_chinese and not decoder.getstate()[0] and _is_chinese(characters):
        return Guess("gb18030", is_doubtful=True)
    return Guess(
        "cp1252" if is_windows else "latin-1", is_doubtful=not is_windows or 4 * n_in_runs > n_high
    )


def _is_chinese(characters: Counter[str]) -> bool:
    firsts: Counter[int] = Counter()
    has_letters = False
    for character, count in characters.items():
        raw = character.encode("gb2312", "replace")
        firsts[raw[0]] += count
        has_letters |= raw[0] in _FREQUENT and max(raw) >= _FIRST_LETTER
    n_known = sum(firsts[first] for first in (*_FREQUENT, *_PUNCTUATION))
    return has_letters and n_known >= _MIN_CHINESE * firsts.total()


__all__ = ["Guess", "guess_encoding"]
