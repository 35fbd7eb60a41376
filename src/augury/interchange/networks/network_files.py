"""Files of networks: their bytes, within limits."""

from __future__ import annotations

import os
from pathlib import Path

from augury.errors import NetworkFileError
from augury.memory import RefusedTableError, require_bytes

# Largest file that is read.
MAX_BYTES = 1 << 30
# Memory for each byte of a file: the text, and the numbers and names in it.
_BYTES_FOR_EACH = 40


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file that is not too large.

    Raises
    ------
    NetworkFileError
        If the file is larger than 1 GiB, or than the available memory allows.
    OSError
        If the file cannot be read.
    """
    file = Path(path)
    with file.open("rb") as opened:
        size = os.fstat(opened.fileno()).st_size  # 0 of a pipe
        if size > MAX_BYTES:
            raise NetworkFileError(
                f"{file}: has {size:,} bytes, and files of networks of at most {MAX_BYTES:,} bytes "
                "are read"
            )
        try:
            require_bytes(_BYTES_FOR_EACH * size, f"the contents of {file}")
        except RefusedTableError as error:
            raise NetworkFileError(f"{file}: {error}") from error
        content = opened.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise NetworkFileError(f"{file}: has more than {MAX_BYTES:,} bytes, which are not read")
    return content


def as_text(content: bytes, source: str) -> str:
    """Return bytes as text in UTF-8, or raise `NetworkFileError`."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise NetworkFileError(
            f"{source}, line {line}: is not text in UTF-8 (byte {content[error.start]:#04x})"
        ) from None


def with_path(path: str | os.PathLike[str], error: NetworkFileError) -> NetworkFileError:
    """Return the same error with the path of the file."""
    message = str(error)
    if message.startswith(str(path)):
        return error
    return NetworkFileError(f"{path}{', ' if message.startswith('line ') else ': '}{message}")


__all__ = ["as_text", "read_bytes", "with_path"]
