"""Predictions of rows that are read in pieces, and the files that they are written to."""
