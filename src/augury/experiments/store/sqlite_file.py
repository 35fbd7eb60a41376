"""The SQLite file of a store: opening it for writing or reading, and its errors."""

import shutil
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

from augury.errors import StoreError

_PATIENCE = 60.0  # seconds that a writer waits for another writer

_UNWRITABLE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH,
}
_NO_ROOM = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}


class StoreFile:
    """A connection to a file of results.

    Attributes
    ----------
    connection : sqlite3.Connection
        Shared by all threads of the process; `StoredResults` protects it by a lock.
    """

    def __init__(self, connection: sqlite3.Connection, copy: TemporaryDirectory[str] | None = None):
        self.connection = connection
        self._copy = copy
        connection.text_factory = _read_text

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()
        if self._copy is not None:
            self._copy.cleanup()


def open_for_writing(file: Path | None) -> StoreFile:
    """Open a file that several processes may write to, or create it; None means memory."""
    connection = _connect(":memory:" if file is None else str(file))
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return StoreFile(connection)


def open_for_reading(file: Path) -> StoreFile:
    """Open a file that other processes may write to, or that is read-only.

    A store is in WAL mode, in which readers need a shared-memory file beside it. If that file
    cannot be created, as in a read-only archive or on a full disk, the store is opened as
    immutable. If it has rows in a write-ahead log, a copy of both files is opened.
    """
    try:
        return _probe(_connect(str(file)))
    except sqlite3.OperationalError as error:
        if primary_code(error) not in _UNWRITABLE | _NO_ROOM:
            raise
    address = file.resolve().as_uri() + "?mode=ro"
    try:  # a run of another user has created the shared memory
        return _probe(_connect(address))
    except sqlite3.OperationalError:  # there is none; the next ways do without
        pass
    log = file.with_name(file.name + "-wal")
    if not (log.is_file() and log.stat().st_size):
        return _probe(_connect(address + "&immutable=1"))
    copy = TemporaryDirectory(prefix="augury-")
    try:
        for part in (file, log):
            # Without permissions: the copy of a read-only file must be writable.
            shutil.copyfile(part, Path(copy.name) / part.name)
        return _probe(_connect(str(Path(copy.name) / file.name)), copy)
    except BaseException:
        copy.cleanup()
        raise


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(
        address,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=False,
        uri=address.startswith("file:"),
    )


def _probe(
    connection: sqlite3.Connection, copy: TemporaryDirectory[str] | None = None
) -> StoreFile:
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return StoreFile(connection, copy)


def _read_text(content: bytes) -> str | bytes:
    """Return text, or bytes if it is not valid UTF-8; the check of the row reports them."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def primary_code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary result code; an extended code has more bits."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def explain_error(file: Path | None, error: sqlite3.Error) -> StoreError:
    """Return an error whose message names the file and says what to do."""
    code = primary_code(error)
    if code in _NO_ROOM:
        return StoreError(
            f"{file} cannot be read or written: {error}; the rows written before are kept. Free "
            "some space, or raise the limit on file sizes, and run the same command again"
        )
    if code in _UNWRITABLE:
        return StoreError(f"{file} cannot be opened or written: {error}")
    if code in _DAMAGED:
        return StoreError(
            f"{file} is damaged, or not a store: {error}; restore it from a copy, or use another "
            "folder"
        )
    if code == sqlite3.SQLITE_BUSY:
        return StoreError(f"{file} is locked by another process: {error}")
    return StoreError(f"{file}: {error}")


__all__ = ["StoreFile", "explain_error", "open_for_reading", "open_for_writing", "primary_code"]
