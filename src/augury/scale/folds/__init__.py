"""Cross-validation of several models, in few passes over a source."""
