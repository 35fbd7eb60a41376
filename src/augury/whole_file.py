"""Atomic writing of files."""

from pathlib import Path
from secrets import token_hex


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all; if writing fails, an existing file is unchanged.

    Text is written in UTF-8.

    Raises
    ------
    OSError
        If the file cannot be written; the error names the file.
    """
    path = path.resolve()  # replace the target of a link, not the link
    temporary = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # An error during writing names no file, or the temporary file.
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


__all__ = ["write_whole"]
