"""Columns of pandas, polars, pyarrow and NumPy tables."""
