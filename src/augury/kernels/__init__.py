"""Compiled kernels behind functions over NumPy arrays.

Each C file has a Python file of the same name, whose functions prepare the arguments and divide
the rows among threads; `cuts.py` also serves `cuts_by_class.c` and `merge.c`, `random_trees.py`
serves `random_tree_leaves.c`, and `tree_boosting.py` serves `boosted_tree_values.c`. The kernels
release the GIL, so plain threads run in parallel, and no OpenMP runtime has to survive a fork.
docs/kernels.md gives the reasons for C.
"""

from augury.kernels.arguments import native
from augury.kernels.bins import BinGrid, count_bins, find_intervals, make_grid
from augury.kernels.class_values import add_log_factors, count_class_values
from augury.kernels.cuts import mdl_cuts, mdl_cuts_by_class
from augury.kernels.delimited import ScannedRows, scan_rows
from augury.kernels.filled_cells import acll_of_cells, fill_cells
from augury.kernels.information import pair_information
from augury.kernels.integers import code_integers, codes_present, shift_integers
from augury.kernels.likelihood import log_likelihoods
from augury.kernels.logistic import logistic_loss
from augury.kernels.pair_models import add_log_shares, log_mean_over_parents
from augury.kernels.pairs import add_pair_factors, count_pairs, pair_bytes
from augury.kernels.random_trees import (
    GrownTree,
    add_leaf_shares,
    grow_random_tree,
    smooth_leaves,
)
from augury.kernels.slot_sums import add_to_slots
from augury.kernels.slots import slot_offsets
from augury.kernels.tree_boosting import (
    BoostingRules,
    CodedRows,
    GrownTrees,
    add_tree_values,
    boost_trees,
)
from augury.kernels.tree_rows import divide_rows, expected_errors
from augury.kernels.tree_splits import NodeRows, state_gains, threshold_gains
from augury.kernels.value_kinds import KindScanner, ScannedBlock
from augury.kernels.without_row import pair_shares_without

__all__ = [
    "BinGrid",
    "BoostingRules",
    "CodedRows",
    "GrownTree",
    "GrownTrees",
    "KindScanner",
    "NodeRows",
    "ScannedBlock",
    "ScannedRows",
    "acll_of_cells",
    "add_leaf_shares",
    "add_log_factors",
    "add_log_shares",
    "add_pair_factors",
    "add_to_slots",
    "add_tree_values",
    "boost_trees",
    "code_integers",
    "codes_present",
    "count_bins",
    "count_class_values",
    "count_pairs",
    "divide_rows",
    "expected_errors",
    "fill_cells",
    "find_intervals",
    "grow_random_tree",
    "log_likelihoods",
    "log_mean_over_parents",
    "logistic_loss",
    "make_grid",
    "mdl_cuts",
    "mdl_cuts_by_class",
    "native",
    "pair_bytes",
    "pair_information",
    "pair_shares_without",
    "scan_rows",
    "shift_integers",
    "slot_offsets",
    "smooth_leaves",
    "state_gains",
    "threshold_gains",
]
