"""Text files, plain or compressed, in UTF-8, UTF-16 or an older encoding."""

import codecs
import gzip
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

from augury.data.errors import DataError
from augury.data.formats.encodings import guess_encoding

# A table takes up to 40 times the bytes of its text in memory, so that a compressed file of a
# few kilobytes could take gigabytes. Compression shrinks tables of real measurements to a
# twentieth, and very sparse tables to a hundredth.
_MAX_TEXT = 1 << 30
_MAX_GROWTH = 100
_HARMLESS_TEXT = 32 << 20

_PIECE = 1 << 20
_MARK_BYTES = 16  # longer than any of the following marks
_MAX_LINE = 1 << 24  # a file of longer lines is read whole
# First bytes of files that are not text, the name of the format, and advice.
_OTHER_FORMATS = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unpack it, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Office file, such as .xls", "save the sheet as CSV"),
    (b"PAR1", "a Parquet file", "let its name end in .parquet"),
    (b"\x1f\x8b", "compressed with gzip", "let its name end in .gz"),
    (b"BZh", "compressed with bzip2", "unpack it"),
    (b"\xfd7zXZ\0", "compressed with xz", "unpack it"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it"),
    (b"%PDF-", "a PDF file", "export the table as CSV"),
    (b"SQLite format 3\0", "an SQLite database", "export the table as CSV"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # must precede UTF-16, whose mark is a prefix of it
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class WholeTextError(Exception):
    """A text that cannot be read in pieces, or not without a message; `read_utf8` reads it."""


def read_text(path: Path, max_size: float | None = None) -> str:
    r"""Read a whole text file, unpacking `.gz`, with `\n` at the end of each line.

    See `read_utf8`.
    """
    return read_utf8(path, max_size).decode()


def read_utf8(path: Path, max_size: float | None = None) -> bytes:
    r"""Read a whole text file as UTF-8, unpacking `.gz`, with `\n` at the end of each line.

    The encoding is that of the byte order mark, or UTF-8. A file that is not UTF-8 is read as
    GB18030, Windows-1252 or Latin-1, the encodings of older collections and spreadsheets.

    Parameters
    ----------
    path : Path
        The file.
    max_size : float or None
        Maximum number of bytes of text. With None a plain file may have any size. A compressed
        file may grow to 100 times its size, or to 32 MiB if that is more, but to at most 1 GiB.

    Raises
    ------
    DataError
        If the file is not a text file, is empty, or is larger than allowed. At most the limit is
        unpacked.

    Warns
    -----
    DataWarning
        If the encoding is not certain.
    """
    require_file(path)
    try:
        raw = _read_packed(path, max_size) if is_packed(path) else _read_plain(path, max_size)
    except OSError as error:
        raise DataError.at(path, None, f"cannot be read ({error.strerror or error})") from error
    text = _to_utf8(raw, path)
    del raw
    refuse_null_bytes(text, path)
    if _is_blank(text):
        raise DataError.at(path, None, "the file is empty")
    return with_plain_ends(text)


def read_plain_lines(path: Path, max_size: float | None = None) -> Iterator[bytes]:
    r"""Yield the lines of a plain text file in UTF-8, about a megabyte at a time.

    Joined, the pieces are what `read_utf8` returns; it takes `max_size` too.

    Raises
    ------
    DataError
        If the path is not a regular file, or the file is larger than allowed.
    WholeTextError
        If the file is compressed, has a byte order mark or lines that end with `\r`, is not
        text in UTF-8, or cannot be read.
    """
    require_file(path)
    if is_packed(path):
        raise WholeTextError
    _check_plain_size(path, max_size)
    rest, is_first = b"", True
    try:
        with path.open("rb", buffering=0) as file:
            while read := file.read(_PIECE):
                text = rest + read
                end = text.rfind(b"\n") + 1
                piece, rest = text[:end], text[end:]
                if len(rest) > _MAX_LINE or (is_first and _is_marked(text)):
                    raise WholeTextError
                is_first = False
                if piece:
                    yield _plain_utf8(piece)
    except OSError as error:
        raise WholeTextError from error
    if rest:
        yield _plain_utf8(rest)


def _plain_utf8(piece: bytes) -> bytes:
    if b"\0" in piece or b"\r" in piece or not _is_utf8(piece):
        raise WholeTextError
    return piece


def _is_marked(text: bytes) -> bool:
    """Return whether a text begins with a byte order mark, or as a file of another format."""
    return text.startswith(tuple(start for start, *_ in (*_OTHER_FORMATS, *_MARKS)))


def is_packed(path: Path) -> bool:
    """Return whether the name ends as that of a compressed file."""
    return path.suffix.lower() == ".gz"


def require_file(path: Path) -> None:
    """Raise unless the path is a regular file: pipes and devices may never end."""
    if path.is_dir():
        raise DataError.at(path, None, "is a folder, not a file")
    if not path.is_file():
        raise DataError.at(path, None, "is not a regular file", advice="copy its content to a file")


def check_size(path: Path, size: float, max_size: float | None, what: str) -> None:
    """Raise if `size` is more than `max_size`, by default 1 GiB."""
    limit = _MAX_TEXT if max_size is None else max_size
    if size > limit:
        raise DataError.at(
            path,
            None,
            f"{what} takes {format_size(size)}, more than the limit of {format_size(limit)}",
            advice="if the size is correct, raise the limit with {max_size}",
        )


def _check_plain_size(path: Path, max_size: float | None) -> None:
    check_size(path, path.stat().st_size, math.inf if max_size is None else max_size, "the file")


def _read_plain(path: Path, max_size: float | None) -> bytes:
    _check_plain_size(path, max_size)
    return path.read_bytes()


def _read_packed(path: Path, max_size: float | None) -> bytes:
    limit = min(_MAX_TEXT, max_growth(path)) if max_size is None else max_size
    return b"".join(unpack(path, limit))


def max_growth(path: Path) -> int:
    """Return the number of bytes to which a compressed file may grow: 100 times its size."""
    return max(_HARMLESS_TEXT, _MAX_GROWTH * path.stat().st_size)


def unpack(path: Path, limit: float) -> Iterator[bytes]:
    """Yield the content of a `.gz` file in pieces.

    Raises
    ------
    DataError
        If the file cannot be unpacked, or grows to more than `limit` bytes.
    """
    total = 0
    try:
        with gzip.open(path) as file:
            while piece := file.read(_PIECE):
                total += len(piece)
                if total > limit:
                    raise DataError.at(
                        path,
                        None,
                        f"{format_size(path.stat().st_size)} of compressed data grow to more than "
                        f"{format_size(limit)}, the limit for this file",
                        advice="if the file is what you expect, raise the limit with {max_size}",
                    )
                yield piece
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError.at(path, None, f"is not a readable gzip file ({error})") from error


def marked_encoding(start: bytes, path: Path) -> str | None:
    """Return the encoding of the byte order mark at the start of a file, or None.

    Raises
    ------
    DataError
        If the first bytes are those of another format, such as a zip archive.
    """
    for mark, what, advice in _OTHER_FORMATS:
        if start.startswith(mark):
            raise DataError.at(path, None, f"is {what}, not a text file", advice=advice)
    return next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None)


def not_encoded(path: Path, encoding: str, error: UnicodeDecodeError) -> DataError:
    """Return the error for a file that does not follow its byte order mark."""
    return DataError.at(path, None, f"begins as {encoding.upper()}, but is not ({error.reason})")


def refuse_null_bytes(text: bytes, path: Path) -> None:
    """Raise a `DataError` if the text has null bytes."""
    if b"\0" in text:
        raise DataError.at(
            path, None, "is not a text file (it has null bytes)", advice="save it as CSV in UTF-8"
        )


def with_plain_ends(text: bytes) -> bytes:
    r"""Return a text with `\n` at the end of each line."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text


def _to_utf8(raw: bytes, path: Path) -> bytes:
    marked = marked_encoding(raw[:_MARK_BYTES], path)
    if marked not in (None, "utf-8-sig"):
        try:
            return raw.decode(marked).encode()
        except UnicodeDecodeError as error:
            raise not_encoded(path, marked, error) from error
    if _is_utf8(raw):
        return raw.removeprefix(codecs.BOM_UTF8)
    guess = guess_encoding(raw[start : start + _PIECE] for start in range(0, len(raw), _PIECE))
    guess.warn(path)
    return raw.decode(guess.encoding).encode()


def _is_utf8(raw: bytes) -> bool:
    """Return whether the bytes are UTF-8; they are decoded in pieces, which are not kept."""
    if raw.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(raw), _PIECE):
            decoder.decode(raw[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _is_blank(text: bytes) -> bool:
    head = text[:_PIECE].decode(errors="ignore")  # may end within a character
    return not head.strip() and not text.decode().strip()


def format_size(size: float) -> str:
    """Return a number of bytes as text for users.

    >>> format_size(77850), format_size(32 << 20), format_size(3.2e9)
    ('76 KiB', '32 MiB', '3 GiB')
    """
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1000:
            return f"{size:.2g} {unit}" if size < 10 else f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.2g} GiB" if size < 10 else f"{size:.0f} GiB"


__all__ = [
    "WholeTextError",
    "check_size",
    "format_size",
    "is_packed",
    "marked_encoding",
    "max_growth",
    "not_encoded",
    "read_plain_lines",
    "read_text",
    "read_utf8",
    "refuse_null_bytes",
    "require_file",
    "unpack",
    "with_plain_ends",
]
