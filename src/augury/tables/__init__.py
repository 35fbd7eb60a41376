"""A user's tables: opening them by path or name, and notes on columns and classes."""

from augury.tables.open_table import open_table, open_table_with_numbers, open_tidy_table
from augury.tables.review import review_columns, review_target

__all__ = [
    "open_table",
    "open_table_with_numbers",
    "open_tidy_table",
    "review_columns",
    "review_target",
]
