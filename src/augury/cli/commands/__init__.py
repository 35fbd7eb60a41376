"""The commands of `augury`: one module each, which holds the command under its own name."""
