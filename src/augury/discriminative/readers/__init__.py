"""How the columns of a table pass to a model that computes with numbers."""
