"""A folder of temporary files that exists as long as its object."""

import os
import shutil
import tempfile
import weakref
from pathlib import Path

from augury.data.errors import DataError


class TemporaryFolder:
    """A new folder, which is removed with its files when this object is no longer used.

    Parameters
    ----------
    parent : Path or None
        The folder in which it is made; None chooses the system's folder of temporary files.

    Attributes
    ----------
    path : Path
    """

    path: Path

    def __init__(self, parent: Path | None) -> None:
        try:
            self.path = Path(tempfile.mkdtemp(prefix="augury-", dir=parent))
        except OSError as error:
            raise DataError(
                f"{parent or tempfile.gettempdir()}: no folder of temporary files can be made "
                f"({error.strerror}); choose a folder with folder="
            ) from error
        self._remove = weakref.finalize(self, _remove, self.path, os.getpid())

    def remove(self) -> None:
        """Remove the folder and its files now."""
        self._remove()

    def __reduce__(self) -> tuple[type[Path], tuple[str]]:
        # Another process must not remove the folder: it receives the path only.
        return Path, (str(self.path),)


def _remove(path: Path, process: int) -> None:
    if os.getpid() == process:  # not in a process that was forked
        shutil.rmtree(path, ignore_errors=True)


def disk_error(path: Path, error: OSError) -> DataError:
    """Return the error for a temporary file that cannot be written."""
    return DataError(
        f"{path}: the temporary file cannot be written ({error.strerror or error}); choose a "
        "folder with more room with folder="
    )


__all__ = ["TemporaryFolder", "disk_error"]
