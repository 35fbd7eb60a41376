"""Search for the columns that each of two models gets."""
