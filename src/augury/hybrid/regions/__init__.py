"""Regions of a table: groups of columns of counts, or columns of text."""
