"""Write a text file: all of it, or nothing."""

from pathlib import Path
from secrets import token_hex


def write_whole(path: Path, text: str) -> None:
    """Replace a file by a complete one; on a full disk the old one stays.

    Raises
    ------
    OSError
        If it cannot be written; the error names the file.
    """
    path = path.resolve()  # what a link points to is replaced, not the link
    temporary = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # An error in the middle of writing names no file, or the temporary one.
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


__all__ = ["write_whole"]
