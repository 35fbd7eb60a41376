"""Fits of models to rows that are read from a source."""
