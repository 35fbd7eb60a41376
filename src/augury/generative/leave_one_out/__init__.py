"""Counts and moments without one row, for class probabilities of training rows.

A model derives from `LeavesOneOut` and computes `_log_joint_without` with the functions of
`counts`, `moments`, `pair_counts` and `family_counts`.
"""

from augury.generative.bases.leaves_one_out import LeavesOneOut

__all__ = ["LeavesOneOut"]
