"""Statistics that consist of several counts, one file for each model."""
