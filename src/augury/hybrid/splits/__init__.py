"""Search for the split of the columns between two models."""
