"""Rows of a request: checked cell by cell, with all problems by name of the column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from augury.serve.cells import Cell, CellError
from augury.serve.input_columns import LABELS, InputColumn
from augury.serve.problems import MAX_LISTED, Place, Problem, describe_value, shorten

Row = list[Cell]  # a value for each column that the model reads


class RowReader:
    """Reads rows of JSON as the columns of a model.

    Parameters
    ----------
    columns : sequence of InputColumn
    """

    def __init__(self, columns: Sequence[InputColumn]) -> None:
        self.columns = tuple(columns)
        self.read_columns = tuple(column for column in columns if column.is_read)
        self._checks = tuple((column.name, column.check) for column in self.read_columns)
        self._all = {column.name: column for column in columns}
        self._known = tuple(
            (k, column.known)
            for k, column in enumerate(self.read_columns)
            if column.kind == LABELS and column.known is not None
        )

    def read(self, row: Any, place: Place, problems: list[Problem]) -> Row | None:
        """Return the values of a row; None if it has problems, which are added to the list."""
        cells: Row = []
        if isinstance(row, dict):
            try:
                cells = [check(row[name]) for name, check in self._checks]
                if len(row) == len(cells):
                    return cells
            except (CellError, KeyError):
                pass  # all problems of the row are searched below
        before = len(problems)
        problems.extend(self._problems_of(row, place))
        return cells if len(problems) == before else None

    def unseen(self, cells: Row) -> dict[str, Cell]:
        """Return the labels of a row that no training row has, by column."""
        return {
            self.read_columns[k].name: cells[k]
            for k, known in self._known
            if cells[k] not in known and cells[k] is not None
        }

    def _problems_of(self, row: Any, place: Place) -> Iterator[Problem]:
        if not isinstance(row, dict):
            message = f"must be an object with a value for each column, got {describe_value(row)}"
            yield Problem(place, message, "dict_type")
            return
        for column in self.columns:
            if column.name not in row:
                if column.is_read:
                    message = f"column {column.name!r} is missing; a missing value is null"
                    yield Problem((*place, column.name), message, "missing")
                continue
            try:
                column.check(row[column.name])
            except CellError as error:
                message = f"column {column.name!r} {error}"
                yield Problem((*place, column.name), message, error.kind)
        unknown = [name for name in row if name not in self._all]
        for k, name in enumerate(unknown[:MAX_LISTED]):
            # The search for a similar name takes milliseconds if there are many columns.
            similar = get_close_matches(shorten(name), list(self._all), n=1) if k == 0 else []
            hint = f"did you mean {similar[0]!r}?" if similar else "GET /schema lists the columns"
            message = f"column {shorten(name)!r} is not one of the model's; {hint}"
            yield Problem((*place, shorten(name)), message, "extra_forbidden")


__all__ = ["Row", "RowReader"]
