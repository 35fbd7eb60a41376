/* The extension module. The conventions of its kernels are in _native.h. */

#include "_native.h"

static PyMethodDef methods[] = {
    {"integer_ranges", integer_ranges, METH_VARARGS, "Widen lo and hi to each column's range."},
    {"mark_present", mark_present, METH_VARARGS, "Mark codes that occur; last: other values."},
    {"shift_integers", shift_integers, METH_VARARGS, "Write value - lo, or the width if outside."},
    {"count_class_values", count_class_values, METH_VARARGS, "Add class × value counts to out."},
    {"add_log_factors", add_log_factors, METH_VARARGS, "Add the factors of each row to out."},
    {"count_pairs", count_pairs, METH_VARARGS, "Add class × value × value counts to out."},
    {"add_pair_factors", add_pair_factors, METH_VARARGS, "Add factors given the code of one column."},
    {"add_pair_shares_without", add_pair_shares_without, METH_VARARGS,
     "Add estimates given each other column, without each row."},
    {"log_mean_over_parents", log_mean_over_parents, METH_VARARGS,
     "Write the log of the mean over the parents of each row."},
    {"add_log_shares", add_log_shares, METH_VARARGS, "Add the logs of sums over other columns."},
    {"fill_cells", fill_cells, METH_VARARGS, "Add the counts of filled cells to out."},
    {"add_acll", add_acll, METH_VARARGS, "Add the aCLL of filled cells by family."},
    {"pair_information", pair_information, METH_VARARGS, "Write I(A_i; A_j | C) of all pairs."},
    {"log_likelihoods", log_likelihoods, METH_VARARGS, "Write the log likelihood of each table."},
    {"add_to_slots", add_to_slots, METH_VARARGS, "Add the numbers of each row to its slots."},
    {"logistic_loss", logistic_loss, METH_VARARGS, "Add the gradient to out, return the loss."},
    {"divide_by_class", divide_by_class, METH_VARARGS, "Write numbers class by class, without NaN."},
    {"x_ln_x_table", x_ln_x_table, METH_VARARGS, "Write x ln x of 0, 1, 2, …."},
    {"mdl_cuts", mdl_cuts, METH_VARARGS, "Fayyad and Irani's cut points of one sorted column."},
    {"find_intervals", find_intervals, METH_VARARGS, "Count the cut points below numbers."},
    {"count_bins", count_bins, METH_VARARGS, "Add class × bin weights, widen the bins' ranges."},
    {"mdl_cuts_by_class", mdl_cuts_by_class, METH_VARARGS, "The same of values sorted by class."},
    {"state_gains", state_gains, METH_VARARGS, "Write gains of splits on states at a node."},
    {"threshold_gains", threshold_gains, METH_VARARGS, "Write gains of the best thresholds."},
    {"divide_rows", divide_rows, METH_VARARGS, "Sort the rows of a node by branch."},
    {"expected_errors", expected_errors, METH_VARARGS, "Write the errors expected of leaves."},
    {"grow_random_tree", grow_random_tree, METH_VARARGS, "Grow an extremely randomised tree."},
    {"smooth_leaves", smooth_leaves, METH_VARARGS, "Write the class probabilities of leaves."},
    {"add_leaf_shares", add_leaf_shares, METH_VARARGS, "Add the probabilities of rows' leaves."},
    {"boost_trees", boost_trees, METH_VARARGS, "Grow the trees of some rounds of boosting."},
    {"add_tree_values", add_tree_values, METH_VARARGS, "Add the values of rows in boosted trees."},
    {"scan_rows", scan_rows, METH_VARARGS, "Find the rows of delimited text."},
    {"scan_kinds", scan_kinds, METH_VARARGS, "Find the kinds of values in delimited text."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_native", "Compiled kernels; call them through augury.kernels.", 0,
    methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&module); }
