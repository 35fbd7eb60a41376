"""Text files as UTF-8 on disk, whatever their encoding and compression, read in blocks."""

import codecs
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from augury.data.errors import DataError
from augury.data.formats.encodings import guess_encoding
from augury.data.formats.text import (
    is_packed,
    marked_encoding,
    max_growth,
    not_encoded,
    refuse_null_bytes,
    require_file,
    unpack,
    with_plain_ends,
)
from augury.scale.sources.files import FileState
from augury.scale.sources.temporary_folder import disk_error

_PIECE = 1 << 20


@dataclass(frozen=True)
class Utf8File:
    """A text file in UTF-8.

    Attributes
    ----------
    path : Path
        The file of the user, for messages.
    file : FileState
        The file to read: the same, or a temporary one.
    start : int
        The number of bytes of the byte order mark.
    """

    path: Path
    file: FileState
    start: int

    def read(self, start: int, end: int) -> bytes:
        r"""Return the text between two places of the file, with `\n` at the end of each line."""
        with self.file.path.open("rb") as file:
            file.seek(start)
            return with_plain_ends(file.read(end - start))


def as_utf8(path: Path, new_file: Callable[[], Path], max_size: float | None) -> Utf8File:
    """Return a text file as UTF-8, by the rules of `augury.data.formats.text.read_utf8`.

    A compressed file, and a file in another encoding, is written to a temporary file.

    Parameters
    ----------
    path : Path
    new_file : function that returns the path of a new temporary file
    max_size : float or None
        Maximum number of bytes to which a compressed file may grow; None allows 100 times its
        size, or 32 MiB if that is more.

    Raises
    ------
    DataError
        If it is not a text file, or grows to more than is allowed.
    """
    require_file(path)
    plain = path
    try:
        if is_packed(path):
            plain = new_file()
            limit = max_growth(path) if max_size is None else max_size
            _write(plain, unpack(path, limit))
        encoding = _find_encoding(plain, path)
        if not encoding.startswith("utf-8"):
            decoded = new_file()
            _write(decoded, _decode(plain, encoding, path))
            if plain != path:
                plain.unlink()
            plain = decoded
    except OSError as error:
        raise DataError.at(path, None, f"cannot be read ({error.strerror or error})") from error
    start = len(codecs.BOM_UTF8) if encoding == "utf-8-sig" else 0
    return Utf8File(path, FileState.of(plain), start)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        for piece in pieces:
            try:
                file.write(piece)
            except OSError as error:
                raise disk_error(path, error) from error


def _find_encoding(plain: Path, path: Path) -> str:
    """Return the encoding of a file; the whole file decides whether it is UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    marked = None
    is_utf8 = True
    for number, piece in enumerate(_pieces(plain)):
        if number == 0:
            marked = marked_encoding(piece, path)
            if marked not in (None, "utf-8-sig"):
                return marked
        refuse_null_bytes(piece, path)
        if is_utf8:
            is_utf8 = _continues(decoder, piece)
    if is_utf8 and _continues(decoder, b"", final=True):
        return marked or "utf-8"
    guess = guess_encoding(_pieces(plain))
    guess.warn(path)
    return guess.encoding


def _continues(decoder: codecs.IncrementalDecoder, piece: bytes, *, final: bool = False) -> bool:
    """Return whether the bytes are UTF-8, after those that the decoder has seen."""
    if piece.isascii() and not final and not decoder.getstate()[0]:
        return True
    try:
        decoder.decode(piece, final)
    except UnicodeDecodeError:
        return False
    return True


def _decode(plain: Path, encoding: str, path: Path) -> Iterator[bytes]:
    """Yield the content of a file in UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for piece in _pieces(plain):
            text = decoder.decode(piece).encode()
            refuse_null_bytes(text, path)
            yield text
        yield decoder.decode(b"", final=True).encode()
    except UnicodeDecodeError as error:
        raise not_encoded(path, encoding, error) from error


def raw_length(raw: bytes, length: int) -> int:
    r"""Return the number of bytes of which `with_plain_ends` makes this many.

    The place is behind the end of a line, or at the end of the bytes.

    >>> raw_length(b"a\r\nb\r\nc", 4)
    6
    """
    found = length
    while (longer := length + raw.count(b"\r\n", 0, found)) > found:
        found = longer
    return found + (raw[found - 1 : found + 1] == b"\r\n")


__all__ = ["Utf8File", "as_utf8", "raw_length"]
