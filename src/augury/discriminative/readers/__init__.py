"""Reading of tables as matrices of numbers."""
