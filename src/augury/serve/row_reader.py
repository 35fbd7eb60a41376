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

    def split_columns(
        self, columns: dict[str, Any], place: Place, problems: list[Problem]
    ) -> list[dict[str, Any]]:
        """Return the rows of arrays by column; problems of the arrays are added to the list."""
        lengths = {}
        for name, values in columns.items():
            if isinstance(values, list):
                lengths[name] = len(values)
            else:
                message = (
                    f"must be an array with a value for each row, got {describe_value(values)}"
                )
                problems.append(Problem((*place, name), message, "list_type"))
        if len(set(lengths.values())) > 1:
            first, n_rows = next(iter(lengths.items()))
            other = next(name for name, length in lengths.items() if length != n_rows)
            message = (
                f"must have {n_rows} values as {shorten(first)!r} has, got {lengths[other]} values"
            )
            problems.append(Problem((*place, other), message, "length_mismatch"))
        if problems:
            return []
        names = list(columns)
        return [
            dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)
        ]

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
        for name in unknown[:MAX_LISTED]:
            yield Problem((*place, shorten(name)), self._why_unknown(name), "extra_forbidden")

    def _why_unknown(self, name: str) -> str:
        close = get_close_matches(shorten(name), list(self._all), n=1)
        hint = f"did you mean {close[0]!r}?" if close else "GET /schema lists the columns"
        return f"column {shorten(name)!r} is not one of the model's; {hint}"


__all__ = ["Row", "RowReader"]
