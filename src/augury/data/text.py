"""Text files as they are found: zipped or not, UTF-8 or older."""

import gzip
import zlib
from pathlib import Path

from augury.data.errors import DataError


def read_text(path: Path) -> str:
    r"""Read a whole text file, unzipping `.gz`, with `\n` at the end of each line.

    UTF-8 with or without a byte order mark; a file that is not UTF-8 is taken
    for Latin-1, in which older collections were written.
    """
    if path.is_dir():
        raise DataError.at(path, None, "is a folder, not a file")
    raw = path.read_bytes()
    if path.suffix.lower() == ".gz":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError.at(path, None, f"is not a readable gzip file ({error})") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    if "\0" in text:
        raise DataError.at(path, None, "is not a text file in UTF-8 or Latin-1 (it has null bytes)")
    if not text.strip():
        raise DataError.at(path, None, "the file is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")
