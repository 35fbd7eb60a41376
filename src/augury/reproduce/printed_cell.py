"""Printed cells of a paper, read from the CSV file beside its module."""

import csv
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One cell of a table: mean and standard deviation, with the digits as printed.

    Attributes
    ----------
    table : str
        Number of the table in the paper.
    dataset, model : str
        Row and column, as printed.
    mean, std : Decimal
        Percent in a table of accuracy, seconds in a table of training times.
    mark : str
        "better" or "worse" than the table's first column by the paper's test, or "".
    """

    table: str
    dataset: str
    model: str
    mean: Decimal
    std: Decimal
    mark: str


def read_cells(module_file: str | Path, *tables: str) -> tuple[PrintedCell, ...]:
    """Read printed cells from the CSV file beside the module of a paper.

    Parameters
    ----------
    module_file : path
        `__file__` of the module. The CSV file has the same name and the ending .csv. It has a
        column for each field of `PrintedCell`.
    *tables : str
        Numbers of the tables to read; by default all tables.
    """
    text = Path(module_file).with_suffix(".csv").read_text(encoding="utf-8")
    return tuple(
        PrintedCell(
            table=row["table"],
            dataset=row["dataset"],
            model=row["model"],
            mean=Decimal(row["mean"]),
            std=Decimal(row["std"]),
            mark=row["mark"],
        )
        for row in csv.DictReader(text.splitlines())
        if not tables or row["table"] in tables
    )


__all__ = ["PrintedCell", "read_cells"]
