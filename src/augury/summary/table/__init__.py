"""Computation of the summary of one table: the recommended model in detail."""

from augury.summary.table.summarize_table import TableInputs, summarize_table

__all__ = ["TableInputs", "summarize_table"]
