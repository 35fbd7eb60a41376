"""Models of p(c | x)."""

from augury.discriminative.c45_tree import C45Tree

__all__ = ["C45Tree"]
