"""Statistics → which column depends on which."""

from augury.structure.k_dependence import k_dependence
from augury.structure.structure import Structure
from augury.structure.tree import maximum_spanning_tree

__all__ = ["Structure", "k_dependence", "maximum_spanning_tree"]
