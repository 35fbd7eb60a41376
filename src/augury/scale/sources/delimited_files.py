"""CSV and TSV files, read in ranges of lines with the types that the whole table has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from augury.data.errors import DataError
from augury.data.formats.delimited_shape import no_rows
from augury.data.formats.text import is_packed
from augury.scale.sources.delimited_scan import Head, RowRange, read_head, scan_rows_of
from augury.scale.sources.delimited_types import ColumnTypes, TypeLearner
from augury.scale.sources.source import Partition, check_same_columns, cut_rows
from augury.scale.sources.temporary_folder import TemporaryFolder
from augury.scale.sources.text_files import Utf8File, as_utf8

_BYTE_ORDER_MARK = "\ufeff".encode()


@dataclass(frozen=True, kw_only=True, eq=False)
class DelimitedPartition(Partition):
    """Consecutive lines of a CSV or TSV file."""

    text: Utf8File
    head: Head
    rows: RowRange
    types: ColumnTypes

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        self.text.file.require_unchanged()
        content = self.text.read(self.rows.start, self.rows.end)
        if content.startswith(_BYTE_ORDER_MARK):
            content = b"\n" + content  # pandas would leave the mark out
        stored = columns or [self.columns[0]]  # a table without columns still has rows
        try:
            frame = self.types.read(content, self.head.delimiter, self.head.columns, stored)
        except (ValueError, pd.errors.ParserError) as error:
            raise DataError(f"{self.name}: cannot be read ({error})") from error
        del content
        yield from cut_rows(frame[columns], max_rows)
        self.text.file.require_unchanged()


def open_delimited(
    paths: Sequence[Path],
    *,
    header: bool | None,
    folder: Path | None,
    partition_bytes: int,
    max_size: float | None,
) -> tuple[list[Partition], TemporaryFolder | None]:
    """Return the partitions of CSV or TSV files, and the folder of their temporary files if any.

    All lines are scanned once, which proves that every row has a value for each column, and learns
    the types. Compressed files and files in other encodings than UTF-8 are written to temporary
    files.

    Raises
    ------
    DataError
        If a file cannot be read or has other columns or another delimiter than the first, if a row
        has too few or too many values, or if there are no rows. The message names file and line.
    """
    temporary: TemporaryFolder | None = None
    n_files = 0

    def new_file() -> Path:
        nonlocal temporary, n_files
        temporary = temporary or TemporaryFolder(folder)
        n_files += 1
        return temporary.path / f"{n_files}.csv"

    learner: TypeLearner | None = None
    first: Head | None = None
    found: list[tuple[Utf8File, Head, RowRange]] = []
    for path in paths:
        text = as_utf8(path, new_file, max_size)
        head = read_head(text, "\t" if _is_tabbed(path) else None, header)
        if first is None or learner is None:
            first, learner = head, TypeLearner(head.columns, head.delimiter)
        check_same_columns(head.columns, str(path), first.columns, str(paths[0]))
        if head.delimiter != first.delimiter:
            raise DataError(
                f"{path}: the values are separated by {head.delimiter!r}, but by "
                f"{first.delimiter!r} in {paths[0]}; write all files with one delimiter"
            )
        scanner = learner.scanner(head.columns)
        for rows, block in scan_rows_of(text, head, scanner, partition_bytes):
            learner.add(block, head.columns, path)
            found.append((text, head, rows))
    if not found or learner is None or first is None:
        raise no_rows(paths[0])
    types = learner.learn(paths[0], header)
    partitions: list[Partition] = [
        DelimitedPartition(
            name=f"{text.path}, lines {rows.first_line} to {rows.last_line}",
            columns=tuple(first.columns),
            n_rows=rows.n_rows,
            n_bytes=rows.end - rows.start,
            text=text,
            head=head,
            rows=rows,
            types=types,
        )
        for text, head, rows in found
    ]
    return partitions, temporary


def _is_tabbed(path: Path) -> bool:
    ending = Path(path.stem).suffix if is_packed(path) else path.suffix
    return ending.lower() in (".tsv", ".tab")


__all__ = ["DelimitedPartition", "open_delimited"]
