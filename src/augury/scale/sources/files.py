"""Files of a source: paths, globs and folders, and their state between passes."""

import glob
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from augury.data.errors import DataError, first_repeated
from augury.data.formats.text import is_packed, require_file
from augury.data.table import absent

PARQUET, ARROW, TEXT = "Parquet", "Arrow", "CSV or TSV"
_FORMATS = {
    **dict.fromkeys((".parquet", ".pq"), PARQUET),
    **dict.fromkeys((".arrow", ".arrows", ".feather", ".ipc"), ARROW),
    **dict.fromkeys((".csv", ".txt", ".tsv", ".tab"), TEXT),
}
_READ = ".parquet, .pq, .arrow, .feather, .ipc, and .csv, .tsv, .tab and .txt, each also with .gz"

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@dataclass(frozen=True)
class FileState:
    """A file, its size and the time of its last change when the source was opened."""

    path: Path
    size: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> "FileState":
        """Return the present state of a file."""
        about = path.stat()
        return cls(path, about.st_size, about.st_mtime_ns)

    def require_unchanged(self) -> None:
        """Raise a `DataError` if the file is gone or is not as it was."""
        try:
            now = FileState.of(self.path)
        except FileNotFoundError as error:
            raise DataError(f"{self.path}: the file was removed while it was in use") from error
        if now != self:
            raise DataError(
                f"{self.path}: the file was changed while it was in use; start again when it is "
                "complete"
            )


def find_files(source: Paths) -> tuple[list[Path], str]:
    """Return the files that a path, a glob, a folder or a list of them names, and their format.

    The files of a glob or folder are sorted by their paths. A folder is searched with all its
    folders; hidden files and names that begin with `_` (such as `_SUCCESS`) are left out.

    Raises
    ------
    FileNotFoundError
        If a path does not exist.
    DataError
        If there is no file, a file has another ending, a file is named twice, or the files have
        several formats.
    """
    given = [source] if isinstance(source, str | os.PathLike) else list(source)
    if not given:
        raise DataError("open_source: the list of paths is empty")
    found = [file for each in given for file in _expand(os.fspath(each))]
    if (repeated := first_repeated(os.path.realpath(file) for file in found)) is not None:
        raise DataError(f"{repeated}: the file is named twice")
    formats = {format_of(file): file for file in reversed(found)}
    if len(formats) > 1:
        (kind, file), (other, other_file) = list(formats.items())[:2]
        raise DataError(
            f"{other_file} is a {other} file and {file} is a {kind} file: choose files of one "
            f"format, such as '{other_file.parent / ('*' + other_file.suffix)}'"
        )
    return found, next(iter(formats))


def format_of(path: Path) -> str:
    """Return the format that the ending of a file means."""
    ending = Path(path.stem).suffix if is_packed(path) else path.suffix
    kind = _FORMATS.get(ending.lower())
    if kind is None or (is_packed(path) and kind != TEXT):
        hint = ""
        if ending.lower() == ".arff":
            hint = "; read an ARFF file whole with augury.data.read_table"
        raise DataError(
            f"{path}: unknown ending {path.suffix!r}; rows are streamed from {_READ}{hint}"
        )
    return kind


def is_hive_folder(folder: Path) -> bool:
    """Return whether files lie in folders such as `year=2024`, whose names are values."""
    return any(
        "=" in part
        for file in folder.rglob("*")
        if file.is_file()
        for part in file.relative_to(folder).parts[:-1]
    )


def _expand(text: str) -> list[Path]:
    path = Path(text).expanduser()
    if path.is_dir():
        return _files_in(path)
    if path.exists():
        require_file(path)
        return [path]
    if not glob.has_magic(text):
        raise FileNotFoundError(absent(path))
    found = glob.glob(str(path), recursive=True)  # noqa: PTH207 - the pattern may be absolute
    matches = sorted(Path(match) for match in found)
    files = [
        file for match in matches for file in (_files_in(match) if match.is_dir() else [match])
    ]
    if not files:
        raise DataError(
            f"{text}: no file matches this pattern (the current folder is {Path.cwd()})"
        )
    for file in files:
        require_file(file)
    return files


def _files_in(folder: Path) -> list[Path]:
    files = [
        file
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and not any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
    ]
    if not files:
        raise DataError(f"{folder}: the folder has no files")
    try:
        for file in files:
            format_of(file)
    except DataError as error:
        raise DataError(
            f"{error.message}; choose the files of the folder by a pattern, such as "
            f"'{folder / '*.parquet'}'"
        ) from error
    return files


__all__ = [
    "ARROW",
    "PARQUET",
    "TEXT",
    "FileState",
    "Paths",
    "find_files",
    "format_of",
    "is_hive_folder",
]
