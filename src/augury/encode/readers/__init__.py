"""Readers of the columns of pandas, polars, pyarrow and NumPy tables."""
