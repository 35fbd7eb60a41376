"""Text columns that hold numbers, dates or truth values."""
