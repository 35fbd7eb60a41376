"""Values that `TidyColumns` cannot read, counted in all rows and reported once."""

import warnings

import pandas as pd

from augury.encode import TidyColumns
from augury.encode.text_columns.read_column import read_column
from augury.encode.tidy_columns import ColumnDecision, UnreadValuesWarning, values_lost
from augury.scale.summaries.column_survey import ColumnSurvey
from augury.scale.summaries.table_survey import TableSurvey


def warn_of_unread(tidy: TidyColumns, raw: TableSurvey, tidied: TableSurvey) -> None:
    """Warn once for each column that has values which are not read.

    Parameters
    ----------
    tidy : fitted TidyColumns
    raw : survey of the columns as they are
    tidied : survey of the columns as they are read
    """
    for decision, code in zip(tidy.decisions_, tidy.formats_, strict=True):
        column = raw.columns[decision.name]
        if decision.treatment == "dropped" or column.labels is None:
            continue
        unread = _unread(column, tidied.columns[decision.name], decision, code)
        if unread is not None:
            warnings.warn(unread, stacklevel=5)


def _unread(
    column: ColumnSurvey, read: ColumnSurvey, decision: ColumnDecision, code: str
) -> UnreadValuesWarning | None:
    counts = column.texts or column.labels
    assert counts is not None
    if counts.is_exact:
        labels = pd.Series(list(counts.rows), dtype=object)
        n_rows = pd.Series(list(counts.rows.values()), dtype="int64")
        lost = values_lost(labels, read_column(labels, decision.treatment, code), decision)
        n_lost = int(n_rows[lost.index].sum())
        example = f"such as {lost.iloc[0]!r}, " if n_lost else ""
    else:  # words for missing values cannot be told from others
        n_lost, example = read.n_missing - column.n_missing, ""
    if not n_lost:
        return None
    return UnreadValuesWarning.of(decision, n_lost, column.n_rows, example)


__all__ = ["warn_of_unread"]
