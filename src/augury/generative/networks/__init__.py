"""Bayesian networks that are given with their tables, and inference in them."""
