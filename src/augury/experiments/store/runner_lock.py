"""Locks that show whether a process that claimed folds is still alive.

Each runner holds a lock on a file of its own. The operating system releases the lock when the
process ends, for whatever reason. So a lock that can be acquired is that of a dead runner.
"""

import sys
import uuid
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class RunnerLock:
    """The lock of one runner, in a folder that all runners of a store share.

    Attributes
    ----------
    name : str
        Unique name of the runner.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.name: str = uuid.uuid4().hex
        folder.mkdir(parents=True, exist_ok=True)
        self._file = self._path(self.name).open("wb")
        _try_lock(self._file)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.lock"

    def is_alive(self, name: str) -> bool:
        """Return whether another runner, or this one, holds its lock."""
        if name == self.name:
            return True
        try:
            with self._path(name).open("r+b") as file:
                _try_lock(file)
        except FileNotFoundError:  # the runner has released it
            return False
        except OSError:  # another process holds it
            return True
        return False

    def release(self) -> None:
        """Release the lock and remove its file."""
        self._file.close()
        self._path(self.name).unlink(missing_ok=True)


__all__ = ["RunnerLock"]
