"""Conclusions of a paper, as printed and as they follow from our folds."""
