"""Normal densities: of single columns, and of all columns together."""
