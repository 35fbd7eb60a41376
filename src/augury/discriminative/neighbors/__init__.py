"""Distances between rows, and the neighbours of a row."""
