"""Summaries of columns that add over blocks of rows, and what is learned from them."""
