"""Numbers become intervals."""
