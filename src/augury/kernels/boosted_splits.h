/* Histograms of boosted trees, and the best split of a node. */

#ifndef AUGURY_BOOSTED_SPLITS_H
#define AUGURY_BOOSTED_SPLITS_H

#include "boosted_trees.h"

/* Sum of the gradients (high 32 bits, signed) and of the hessians (low 32 bits) of rows as whole
   numbers. They are scaled such that the sum over all rows fits. Sums and differences are exact,
   so they do not depend on the order of the rows. */
typedef uint64_t Sum;

static inline Sum pack_sum(int64_t gradient, uint32_t hessian)
{
    return ((uint64_t)gradient << 32) + hessian;
}

typedef struct {
    double gradient, hessian;
} Pair;

/* A leaf that may be split: its rows, its histogram and its best split. */
typedef struct {
    idx first, stop, out_first, out_stop;
    int32_t node, slot; /* slot of its histogram; -1: the leaf is not split */
    Sum sum;
    double gain; /* of the best split; 0: there is none */
    int32_t column, cut;
    int gaps_go_left;
    uint32_t bits[BITS_WORDS]; /* of a split of labels: the codes that go left */
} Leaf;

typedef struct {
    double ratio;
    Sum sum;
    int32_t code;
} State;

typedef struct {
    const uint8_t *codes; /* row by row; the code after the last state is a missing value */
    const int64_t *offset;
    const uint8_t *is_label;
    idx n, d;
    int32_t *chosen; /* columns of this tree */
    idx n_chosen;
    double l2, label_l2, label_smoothing, min_hessian;
    Pair unit; /* value of one whole number */
    Sum *of_row, *histograms;
    int32_t *rows, *scratch;
    State states[MAX_CODES + 1];
    Leaf *leaves;
    idx n_leaves;
} Booster;

static inline Pair value_of(const Booster *b, Sum sum)
{
    int64_t high = (int64_t)(sum >> 32);
    high -= high > INT32_MAX ? (int64_t)1 << 32 : 0;
    return (Pair){(double)high * b->unit.gradient, (double)(sum & UINT32_MAX) * b->unit.hessian};
}

static inline Sum *histogram_of(const Booster *b, int32_t slot)
{
    return b->histograms + slot * b->offset[b->d];
}

static inline void fill_histogram(const Booster *b, const Leaf *leaf)
{
    Sum *histogram = histogram_of(b, leaf->slot);
    memset(histogram, 0, sizeof(Sum) * (size_t)b->offset[b->d]);
    const int64_t *offset = b->offset;
    idx d = b->d;
    for (idx i = leaf->first; i < leaf->stop; i++) {
        const uint8_t *code = b->codes + (idx)b->rows[i] * d;
        Sum sum = b->of_row[b->rows[i]];
        if (b->n_chosen == d)
            for (idx j = 0; j < d; j++) histogram[offset[j] + code[j]] += sum;
        else
            for (idx k = 0; k < b->n_chosen; k++) {
                idx j = b->chosen[k];
                histogram[offset[j] + code[j]] += sum;
            }
    }
}

/* ---- the best split ------------------------------------------------------------------------ */

/* Return G²/(H + l2) of both sides of a split, or -1 if a side is too light. */
static inline double score_of(const Booster *b, Sum left, Pair all, double l2)
{
    Pair l = value_of(b, left);
    double h = all.hessian - l.hessian, g = all.gradient - l.gradient;
    if (l.hessian < b->min_hessian || h < b->min_hessian) return -1;
    return l.gradient * l.gradient / (l.hessian + l2) + g * g / (h + l2);
}

/* Without missing values in the node, later ones go to the heavier side. */
static inline int heavier_is_left(Sum left, Sum all)
{
    return 2 * (left & UINT32_MAX) >= (all & UINT32_MAX);
}

static inline void split_numbers(const Booster *b, Leaf *leaf, idx column, Pair all, double parent)
{
    const Sum *bin = histogram_of(b, leaf->slot) + b->offset[column];
    idx n_codes = b->offset[column + 1] - b->offset[column] - 1;
    Sum gaps = bin[n_codes], left = 0;
    for (idx code = 0; code < n_codes; code++) {
        if (bin[code] == 0) continue;
        left += bin[code];
        if (left == leaf->sum) break;
        for (int with_gaps = 0; with_gaps <= (gaps != 0); with_gaps++) {
            Sum side = left + (with_gaps ? gaps : 0);
            double gain = score_of(b, side, all, b->l2) - parent;
            if (gain <= leaf->gain) continue;
            leaf->gain = gain, leaf->column = (int32_t)column, leaf->cut = (int32_t)code;
            leaf->gaps_go_left = gaps ? with_gaps : heavier_is_left(side, leaf->sum);
        }
    }
}

static inline int comes_before(State a, State b)
{
    return a.ratio < b.ratio || (a.ratio == b.ratio && a.code < b.code);
}

static inline void sort_states(State *states, idx n)
{
    static const idx gaps[] = {57, 23, 10, 4, 1};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++)
        for (idx i = gaps[k]; i < n; i++) {
            State one = states[i];
            idx j = i;
            for (; j >= gaps[k] && comes_before(one, states[j - gaps[k]]); j -= gaps[k])
                states[j] = states[j - gaps[k]];
            states[j] = one;
        }
}

/* Labels are sorted by gradient / (hessian + smoothing); the missing value is one of them. */
static inline void split_labels(Booster *b, Leaf *leaf, idx column, Pair all, double parent)
{
    const Sum *bin = histogram_of(b, leaf->slot) + b->offset[column];
    idx n_codes = b->offset[column + 1] - b->offset[column] - 1, n = 0, best = -1;
    State *states = b->states;
    for (idx code = 0; code <= n_codes; code++) {
        if (bin[code] == 0) continue;
        Pair value = value_of(b, bin[code]);
        states[n++] = (State){value.gradient / (value.hessian + b->label_smoothing), bin[code],
                              (int32_t)code};
    }
    if (n < 2) return;
    sort_states(states, n);
    double l2 = n > FEW_STATES ? b->l2 + b->label_l2 : b->l2;
    Sum left = 0, best_left = 0;
    for (idx i = 0; i + 1 < n; i++) {
        left += states[i].sum;
        double gain = score_of(b, left, all, l2) - parent;
        if (gain <= leaf->gain) continue;
        leaf->gain = gain, leaf->column = (int32_t)column;
        best = i, best_left = left;
    }
    if (best < 0) return;
    memset(leaf->bits, 0, sizeof leaf->bits);
    leaf->gaps_go_left = bin[n_codes] ? 0 : heavier_is_left(best_left, leaf->sum);
    for (idx i = 0; i <= best; i++) {
        int32_t code = states[i].code;
        if (code == n_codes)
            leaf->gaps_go_left = 1;
        else
            leaf->bits[code / 32] |= (uint32_t)1 << code % 32;
    }
}

/* Move the cut into the middle of the codes between its sides that the node does not have. */
static inline void center_cut(const Booster *b, Leaf *leaf)
{
    const Sum *bin = histogram_of(b, leaf->slot) + b->offset[leaf->column];
    int32_t n_codes = (int32_t)(b->offset[leaf->column + 1] - b->offset[leaf->column] - 1);
    int32_t next = leaf->cut + 1;
    while (next < n_codes && bin[next] == 0) next++;
    if (next < n_codes) leaf->cut = (leaf->cut + next - 1) / 2;
}

static inline void find_split(Booster *b, Leaf *leaf)
{
    Pair all = value_of(b, leaf->sum);
    double parent = all.gradient * all.gradient / (all.hessian + b->l2);
    leaf->gain = 0;
    if (all.hessian < 2 * b->min_hessian) return;
    for (idx k = 0; k < b->n_chosen; k++) {
        idx j = b->chosen[k];
        if (b->is_label[j])
            split_labels(b, leaf, j, all, parent);
        else
            split_numbers(b, leaf, j, all, parent);
    }
    if (leaf->gain > 0 && !b->is_label[leaf->column]) center_cut(b, leaf);
}

#endif
