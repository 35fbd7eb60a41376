/* Histograms of boosted trees, and the best split of a node. */

#ifndef AUGURY_BOOSTED_SPLITS_H
#define AUGURY_BOOSTED_SPLITS_H

#include "boosted_trees.h"
#include "wide_loops.h"

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
    Sum sum, left_sum; /* of its rows, and of those that its best split sends left */
    double gain;       /* of the best split; 0: there is none */
    int32_t column, cut;
    int gaps_go_left;
    uint32_t bits[BITS_WORDS]; /* of a split of labels: the codes that go left */
} Leaf;

typedef struct {
    double ratio;
    Sum sum;
    int32_t code;
} State;

/* A column of a tree, and its first place in a histogram. */
typedef struct {
    int32_t column, start;
} Chosen;

typedef struct {
    const uint8_t *codes; /* row by row; the code after the last state is a missing value */
    const int64_t *offset;
    const uint8_t *is_label;
    idx n, d;
    Chosen *chosen; /* columns of this tree */
    idx n_chosen, n_bins; /* n_bins: places of a histogram of these columns */
    double l2, label_l2, label_smoothing, min_hessian;
    Pair unit; /* value of one whole number */
    Sum *of_row, *histograms;
    int32_t *rows, *scratch;
    State states[MAX_CODES + 1];
    Sum sides[2 * MAX_CODES + 1];     /* sums of the left sides of splits of a column, */
    double gain_of[2 * MAX_CODES + 1]; /* their gains, */
    int32_t code_of[2 * MAX_CODES + 1]; /* and their largest codes on the left */
    Leaf *leaves;
    idx n_leaves;
} Booster;

/* Conversions to double by the bits of 2^52 + x are exact, and compilers vectorise them. */
static inline double low_bits_of(Sum sum)
{
    uint64_t bits = (sum & UINT32_MAX) | 0x4330000000000000ULL;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value - 0x1p52;
}

static inline double high_bits_of(Sum sum)
{
    uint64_t bits = ((sum >> 32) ^ 0x80000000ULL) | 0x4330000000000000ULL;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value - (0x1p52 + 0x1p31);
}

static inline Pair value_of(const Booster *b, Sum sum)
{
    return (Pair){high_bits_of(sum) * b->unit.gradient, low_bits_of(sum) * b->unit.hessian};
}

static inline Sum *histogram_of(const Booster *b, int32_t slot)
{
    return b->histograms + slot * b->offset[b->d];
}

static inline void fill_histogram(const Booster *b, const Leaf *leaf)
{
    Sum *histogram = histogram_of(b, leaf->slot);
    memset(histogram, 0, sizeof(Sum) * (size_t)b->n_bins);
    for (idx i = leaf->first; i < leaf->stop; i++) {
        const uint8_t *code = b->codes + (idx)b->rows[i] * b->d;
        Sum sum = b->of_row[b->rows[i]];
        for (idx k = 0; k < b->n_chosen; k++)
            histogram[b->chosen[k].start + code[b->chosen[k].column]] += sum;
    }
}

WIDE_WHERE_POSSIBLE static void subtract(Sum *from, const Sum *part, idx n)
{
    for (idx k = 0; k < n; k++) from[k] -= part[k];
}

/* ---- the best split ------------------------------------------------------------------------ */

/* Write G²/(H + l2) of both sides of n splits minus that of the parent; a split with a side that
   is too light has a number below 0. */
WIDE_WHERE_POSSIBLE static void gains_of(const Booster *b, const Sum *left, idx n, Pair all,
                                         double parent, double l2, double *gain)
{
    double min_hessian = b->min_hessian;
    Pair unit = b->unit;
    for (idx i = 0; i < n; i++) {
        double l_g = high_bits_of(left[i]) * unit.gradient, g = all.gradient - l_g;
        double l_h = low_bits_of(left[i]) * unit.hessian, h = all.hessian - l_h;
        double score = l_g * l_g / (l_h + l2) + g * g / (h + l2);
        gain[i] = ((l_h < min_hessian) | (h < min_hessian) ? -1 : score) - parent;
    }
}

/* Without missing values in the node, later ones go to the heavier side. */
static inline int heavier_is_left(Sum left, Sum all)
{
    return 2 * (left & UINT32_MAX) >= (all & UINT32_MAX);
}

/* Both sides of a split are known at each code that the node has, without and with missing values
   on the left side. */
static inline void split_numbers(Booster *b, Leaf *leaf, Chosen at, Pair all, double parent)
{
    const Sum *bin = histogram_of(b, leaf->slot) + at.start;
    int32_t n_codes = (int32_t)(b->offset[at.column + 1] - b->offset[at.column] - 1);
    Sum gaps = bin[n_codes], left = 0;
    idx n = 0;
    for (int32_t code = 0; code < n_codes; code++) {
        left += bin[code];
        b->sides[n] = left;
        b->code_of[n] = code;
        n += bin[code] != 0;
    }
    for (idx i = n - 1; gaps && i >= 0; i--) {
        b->sides[2 * i + 1] = b->sides[i] + gaps, b->sides[2 * i] = b->sides[i];
        b->code_of[2 * i + 1] = b->code_of[2 * i] = b->code_of[i];
    }
    n *= gaps ? 2 : 1;
    gains_of(b, b->sides, n, all, parent, b->l2, b->gain_of);
    for (idx i = 0; i < n; i++) {
        if (!(b->gain_of[i] > leaf->gain)) continue;
        leaf->gain = b->gain_of[i], leaf->left_sum = b->sides[i];
        leaf->column = at.column, leaf->cut = b->code_of[i];
        leaf->gaps_go_left = gaps ? (int)(i % 2) : heavier_is_left(b->sides[i], leaf->sum);
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
static inline void split_labels(Booster *b, Leaf *leaf, Chosen at, Pair all, double parent)
{
    const Sum *bin = histogram_of(b, leaf->slot) + at.start;
    idx n_codes = b->offset[at.column + 1] - b->offset[at.column] - 1, n = 0, best = -1;
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
    Sum left = 0;
    for (idx i = 0; i + 1 < n; i++) b->sides[i] = left += states[i].sum;
    gains_of(b, b->sides, n - 1, all, parent, l2, b->gain_of);
    for (idx i = 0; i + 1 < n; i++) {
        if (!(b->gain_of[i] > leaf->gain)) continue;
        leaf->gain = b->gain_of[i], leaf->left_sum = b->sides[i], leaf->column = at.column;
        best = i;
    }
    if (best < 0) return;
    memset(leaf->bits, 0, sizeof leaf->bits);
    leaf->gaps_go_left = bin[n_codes] ? 0 : heavier_is_left(leaf->left_sum, leaf->sum);
    for (idx i = 0; i <= best; i++) {
        int32_t code = states[i].code;
        if (code == n_codes)
            leaf->gaps_go_left = 1;
        else
            leaf->bits[code / 32] |= (uint32_t)1 << code % 32;
    }
}

/* Move the cut into the middle of the codes between its sides that the node does not have. */
static inline void center_cut(const Booster *b, Leaf *leaf, idx start)
{
    const Sum *bin = histogram_of(b, leaf->slot) + start;
    int32_t n_codes = (int32_t)(b->offset[leaf->column + 1] - b->offset[leaf->column] - 1);
    int32_t next = leaf->cut + 1;
    while (next < n_codes && bin[next] == 0) next++;
    if (next < n_codes) leaf->cut = (leaf->cut + next - 1) / 2;
}

static inline void find_split(Booster *b, Leaf *leaf)
{
    Pair all = value_of(b, leaf->sum);
    double parent = all.gradient * all.gradient / (all.hessian + b->l2);
    idx start = -1; /* of the best column of numbers */
    leaf->gain = 0;
    if (all.hessian < 2 * b->min_hessian) return;
    for (idx k = 0; k < b->n_chosen; k++) {
        Chosen at = b->chosen[k];
        double before = leaf->gain;
        if (b->is_label[at.column])
            split_labels(b, leaf, at, all, parent);
        else
            split_numbers(b, leaf, at, all, parent);
        if (leaf->gain > before) start = b->is_label[at.column] ? -1 : at.start;
    }
    if (start >= 0) center_cut(b, leaf, start);
}

#endif
