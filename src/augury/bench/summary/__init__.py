"""All that a report shows, computed from a store: plain numbers and text, as JSON can hold them."""

from augury.bench.summary.summarize import summarize_store, write_summary

__all__ = ["summarize_store", "write_summary"]
