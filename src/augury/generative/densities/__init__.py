"""Densities: normal ones of single columns and of all columns together, kernels of columns."""
