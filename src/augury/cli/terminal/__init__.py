"""Options, output, error messages and signals, shared by the commands."""
