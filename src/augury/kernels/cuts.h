/* What the search of rows (`cuts.c`) and that of columns divided by class (`cuts_by_class.c`)
   have in common. */

#ifndef AUGURY_CUTS_H
#define AUGURY_CUTS_H

#include "_native.h"

static const double LN2 = 0.69314718055994530942;

/* x ln x as in WEKA's ContingencyTables.lnFunc. Natural logarithms and the order of the
   additions of `entropy` and `split_entropy` are also WEKA's: rounding decides between equally
   good cuts. */
static inline double x_ln_x(double x) { return x < 1e-6 ? 0.0 : x * log(x); }

/* Sorted rows, and numbers of rows by class. */
typedef struct {
    const double *values, *weights; /* weights may be NULL */
    const int32_t *y;
    const double *memo; /* x ln x of integers, if there are no weights */
    idx q;
    double *left, *right, *best_left, *best_right, *prior;
    double *saved; /* left and right */
} Column;

typedef struct {
    idx row; /* the last row of the left side, or -1 */
    double entropy;
} Cut;

/* Give the column its arrays by class; returns the memory to free, or NULL. */
double *allocate_classes(Column *k);

double entropy(const double *counts, idx q);

/* Update the best cut by the current left and right, which are those after a row. */
void compare_cut(Column *k, idx row, Cut *best);

/* Update the best cut by the candidates first … stop-1; left and right are those before. */
void scan(Column *k, idx first, idx stop, Cut *best);

/* log2(N - 1) + log2(3^n - 2) - n H, for n classes that are present in N rows. The gain of an
   accepted cut, times N, is above this + k_left H_left + k_right H_right. */
double description_length(const double *prior, double prior_entropy, double total, idx q);

/* Whether a cut of rows with the class counts `prior` is accepted. */
int is_accepted(const Column *k, double prior_entropy, double total, Cut best);

double midpoint(double a, double b);

/* Find the cuts of the rows 0 … n-1 and of the parts that they divide. Returns the number of
   cuts, which are written to out unsorted, or -1 if there is no memory. */
idx find_cuts(Column *k, idx n, double *out);

/* Sorted numbers with their labels. */
typedef struct {
    double *values;
    int32_t *labels;
} Run;

/* Merge adjacent runs of `from` until one is left; return the buffer that holds it. Run r has
   the rows starts[r] … starts[r + 1] - 1. Both buffers and starts are overwritten. */
Run merge_all(Run from, Run to, int64_t *starts, idx n_runs);

#endif
