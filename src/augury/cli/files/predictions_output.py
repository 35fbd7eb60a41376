"""Where `augury predict` writes: a file, a folder, a device, or standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

_ENDINGS = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow"}


@dataclass(frozen=True)
class PredictionsOutput:
    """The value of --output.

    Attributes
    ----------
    text : as it was given; None for standard output
    path : the file or folder; None for standard output
    form : "csv", "parquet", "arrow" or "folder", see `augury.scale.predict`
    """

    text: str | None
    path: Path | None
    form: str

    @classmethod
    def of(cls, output: str | None) -> "PredictionsOutput":
        """Read the value of --output.

        >>> [PredictionsOutput.of(text).form for text in ("a.txt", "a.parquet", "new/", None)]
        ['csv', 'parquet', 'folder', 'csv']
        """
        if output is None:
            return cls(None, None, "csv")
        path = expand_home(output)
        if output.endswith(("/", os.sep)) or path.is_dir():
            return cls(output, path, "folder")
        return cls(output, path, _ENDINGS.get(path.suffix.lower(), "csv"))

    @contextmanager
    def open(self) -> Iterator[Path | IO[bytes]]:
        """Yield the path, or a stream if it has no temporary name: a device, standard output.

        Errors of the output name --output.
        """
        if self.path is None:
            yield sys.stdout.buffer
            return
        try:
            if self.form != "folder" and self.path.exists() and not self.path.is_file():
                with self.path.open("wb") as stream:
                    yield stream
            else:
                yield self.path
        except OSError as error:
            if error.filename is None or not self._holds(Path(os.fsdecode(error.filename))):
                raise
            raise UserError(
                f"--output is {self.text!r}, which cannot be written: {error.strerror}"
            ) from error

    def _holds(self, file: Path) -> bool:
        """Return whether a file belongs to the output, or is the folder of the output."""
        assert self.path is not None
        whole = self.path.resolve()
        return file == self.path.parent or whole in (file.resolve(), *file.resolve().parents)


__all__ = ["PredictionsOutput"]
