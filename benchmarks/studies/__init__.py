"""Studies behind the choices of defaults and the tables of docs/results."""
