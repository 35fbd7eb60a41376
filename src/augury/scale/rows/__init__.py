"""Blocks of rows that are read from a source when they are needed, and who computes their sums."""
