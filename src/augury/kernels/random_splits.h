/* The best of some random splits of a node of a randomised tree. */

#ifndef AUGURY_RANDOM_SPLITS_H
#define AUGURY_RANDOM_SPLITS_H

#include "random_trees.h"

/* MAX_SUMS: numbers in the table of buckets and classes. */
enum { MAX_DEPTH = 200, MAX_CUTS = 64, MAX_GRID = 16, MAX_SUMS = 1 << 16 };

/* A training row in the bag of the tree, and a row out of it. */
typedef struct {
    int32_t row, label;
    double weight;
} Item;
typedef struct {
    int32_t row, label, place;
} Outside;

/* Rows of a node that is still to be split. */
typedef struct {
    idx first, stop, out_first, out_stop;
    int32_t parent; /* of a right child; -1 otherwise */
    int depth;
} Task;

typedef struct {
    const void *codes;
    idx size, n, d, q; /* size: bytes of a code */
    const uint8_t *is_label;
    const double *grid;
    idx n_grid, max_features, n_cuts;
    double min_leaf;
    uint64_t state; /* of the random numbers */
    Item *items, *item_scratch;
    Outside *outside, *outside_scratch;
    double *path;  /* (row out of the bag, grid): probability of its class at its node */
    int32_t *leaf; /* of each row out of the bag */
    /* Of the node's rows: row, class numbered within the node, weight, code of a column. */
    int32_t *row, *slot;
    double *weight;
    uint16_t *at;
    int32_t *slot_of, *present; /* that number of each class, or -1; class of each number */
    double *total, *left;       /* weight of each class of the node, and of those that go left */
    double *sums;               /* (bucket, class): weights of intervals or labels of a column */
    uint16_t *bucket_of, *labels; /* bucket of each label, or GAP; label of each bucket */
    idx *columns;
    double *importance;
    Node *nodes;
    idx n_nodes, n_leaves;
} Tree;

/* ---- random numbers: splitmix64 ---------------------------------------------------------- */

static inline uint64_t draw(Tree *t)
{
    t->state += 0x9e3779b97f4a7c15ULL;
    return mix_bits(t->state);
}

static inline idx draw_below(Tree *t, idx n)
{
    return (idx)(((draw(t) >> 32) * (uint64_t)n) >> 32);
}

/* ---- classes of a node ------------------------------------------------------------------- */

/* Number the classes of the node's rows, weigh them, and return their number. */
static inline idx weigh_classes(Tree *t, const Task *task, double *weight)
{
    idx k = 0;
    for (idx i = task->first; i < task->stop; i++) {
        int32_t label = t->items[i].label, slot = t->slot_of[label];
        if (slot < 0) {
            slot = t->slot_of[label] = (int32_t)k;
            t->present[k] = label;
            t->total[k++] = 0;
        }
        t->row[i - task->first] = t->items[i].row;
        t->slot[i - task->first] = slot;
        t->weight[i - task->first] = t->items[i].weight;
        t->total[slot] += t->items[i].weight;
    }
    *weight = 0;
    for (idx c = 0; c < k; c++) *weight += t->total[c];
    return k;
}

/* p(class | node) = (weight of the class + s p(class | parent)) / (weight + s), for each s. */
static inline void smooth_paths(Tree *t, const Task *task, double weight)
{
    double by[MAX_GRID];
    for (idx g = 0; g < t->n_grid; g++) by[g] = 1 / (weight + t->grid[g]);
    for (idx i = task->out_first; i < task->out_stop; i++) {
        int32_t slot = t->slot_of[t->outside[i].label];
        double count = slot < 0 ? 0 : t->total[slot];
        double *p = t->path + (idx)t->outside[i].place * t->n_grid;
        for (idx g = 0; g < t->n_grid; g++) p[g] = (count + t->grid[g] * p[g]) * by[g];
    }
}

/* ---- candidate splits -------------------------------------------------------------------- */

typedef struct {
    uint32_t low, high; /* smallest and largest code of the node's rows */
    int has_gaps, is_constant;
    idx n_labels; /* different labels */
} Range;

#define DEFINE_GATHER(C)                                                                       \
    static void gather_##C(Tree *t, const Task *task, idx column)                              \
    {                                                                                          \
        const C *codes = (const C *)t->codes + column * t->n;                                  \
        idx m = task->stop - task->first;                                                      \
        for (idx i = 0; i < m; i++) t->at[i] = (uint16_t)widen(codes[t->row[i]], sizeof(C));   \
    }
DEFINE_GATHER(uint8_t)
DEFINE_GATHER(uint16_t)

/* Number the different labels of the node; small ones are found as bits of one number. */
static inline void number_labels(Tree *t, idx m, Range *r)
{
    if (r->high < 64) {
        uint64_t seen = 0;
        for (idx i = 0; i < m; i++) seen |= (uint64_t)(t->at[i] != GAP) << (t->at[i] & 63);
        for (uint32_t code = r->low; code <= r->high; code++) {
            if (!(seen >> code & 1)) continue;
            t->bucket_of[code] = (uint16_t)r->n_labels;
            t->labels[r->n_labels++] = (uint16_t)code;
        }
        return;
    }
    for (idx i = 0; i < m; i++) {
        uint32_t code = t->at[i];
        if (code == GAP || t->bucket_of[code] != GAP) continue;
        t->bucket_of[code] = (uint16_t)r->n_labels;
        t->labels[r->n_labels++] = (uint16_t)code;
    }
}

static inline Range find_range(Tree *t, const Task *task, idx column)
{
    Range r = {GAP, 0, 0, 0, 0};
    idx m = task->stop - task->first;
    if (t->size == 1)
        gather_uint8_t(t, task, column);
    else
        gather_uint16_t(t, task, column);
    /* One more than a missing value is 0, so that it is not the largest code. */
    uint16_t low = GAP, above = 0, largest = 0;
    for (idx i = 0; i < m; i++) {
        uint16_t code = t->at[i], next = (uint16_t)(code + 1);
        low = code < low ? code : low;
        above = next > above ? next : above;
        largest = code > largest ? code : largest;
    }
    r.low = low;
    r.high = above ? above - 1u : 0;
    r.has_gaps = largest == GAP;
    r.is_constant = above == 0 || (r.low == r.high && !r.has_gaps);
    if (!r.is_constant && t->is_label[column]) number_labels(t, m, &r);
    return r;
}

static inline void forget_labels(Tree *t, const Range *r)
{
    for (idx i = 0; i < r->n_labels; i++) t->bucket_of[t->labels[i]] = GAP;
}

/* The flags of a split of labels: those of a node whose labels are all small have a bit each. */
static inline int32_t label_flags(const Range *r)
{
    return r->high < N_BITS ? SPLITS_LABELS | HAS_BITS : SPLITS_LABELS;
}

/* Draw bits or a seed that divide the labels of the node; return whether some were found. */
static inline int draw_sides(Tree *t, const Range *r, int32_t *test)
{
    idx n_labels = r->n_labels;
    int32_t flags = label_flags(r);
    for (int attempt = 0; attempt < 64; attempt++) {
        *test = flags | (int32_t)(draw(t) >> (64 - (flags & HAS_BITS ? N_BITS : SEED_BITS)));
        int first = goes_left(t->labels[0], *test);
        for (idx i = 1; i < n_labels; i++)
            if (goes_left(t->labels[i], *test) != first) return 1;
    }
    return 0;
}

static inline void sort_cuts(int32_t *cut, idx n)
{
    for (idx i = 1; i < n; i++)
        for (idx j = i; j > 0 && cut[j - 1] > cut[j]; j--) {
            int32_t larger = cut[j - 1];
            cut[j - 1] = cut[j];
            cut[j] = larger;
        }
}

/* Write the tests of random splits of a column, those of numbers sorted; return their number. */
static inline idx draw_tests(Tree *t, idx column, const Range *r, int32_t *test)
{
    int is_label = t->is_label[column];
    if (r->low == r->high) { /* missing values against the others */
        test[0] = is_label ? label_flags(r) : (int32_t)r->high;
        if (!goes_left(r->high, test[0])) test[0] |= GAPS_GO_LEFT;
        return 1;
    }
    idx width = is_label ? (r->n_labels > 2 ? t->n_cuts : 1) : (idx)(r->high - r->low);
    idx n_tests = width < t->n_cuts ? width : t->n_cuts, found = 0;
    for (idx k = 0; k < n_tests; k++) {
        if (!is_label)
            test[found] = (int32_t)(r->low + (width == n_tests ? k : draw_below(t, width)));
        else if (!draw_sides(t, r, test + found))
            continue;
        found++;
    }
    if (!is_label) sort_cuts(test, found);
    for (idx k = 0; r->has_gaps && k < found; k++)
        if (draw(t) >> 63) test[k] |= GAPS_GO_LEFT;
    return found;
}

/* Sum the weights of (bucket, class). A bucket of numbers is the number of cuts below the code;
   labels have a bucket each. Missing values are in the last bucket. */
static inline void fill_buckets(Tree *t, idx m, idx k, int is_label, const int32_t *test, idx n_buckets)
{
    uint32_t cut[MAX_CUTS];
    idx n_cuts = n_buckets - 1;
    memset(t->sums, 0, sizeof(double) * (size_t)((n_buckets + 1) * k));
    if (is_label) {
        t->bucket_of[GAP] = (uint16_t)n_buckets;
        for (idx i = 0; i < m; i++)
            t->sums[(idx)t->bucket_of[t->at[i]] * k + t->slot[i]] += t->weight[i];
        t->bucket_of[GAP] = GAP;
        return;
    }
    for (idx c = 0; c < n_cuts; c++) cut[c] = (uint32_t)test[c] & (HAS_BITS - 1);
    for (idx i = 0; i < m; i++) {
        uint32_t code = t->at[i];
        idx bucket = code == GAP; /* a gap is above all cuts, and then in the last bucket */
        for (idx c = 0; c < n_cuts; c++) bucket += code > cut[c];
        t->sums[bucket * k + t->slot[i]] += t->weight[i];
    }
}

/* Add the class weights of the rows that go left to t->left. */
static inline void add_left(Tree *t, idx m, idx k, const Range *r, int32_t test, idx n_buckets, idx place)
{
    memset(t->left, 0, sizeof(double) * (size_t)k);
    if (n_buckets == 0) { /* too many buckets for a table */
        for (idx i = 0; i < m; i++)
            if (goes_left(t->at[i], test)) t->left[t->slot[i]] += t->weight[i];
        return;
    }
    idx n_left = r->n_labels ? n_buckets : place + 1;
    for (idx b = 0; b <= n_buckets; b++) {
        int is_left = b == n_buckets ? (test & GAPS_GO_LEFT) != 0
                                     : b < n_left && (!r->n_labels || goes_left(t->labels[b], test));
        for (idx c = 0; is_left && c < k; c++) t->left[c] += t->sums[b * k + c];
    }
}

/* Return Σ_c w_c² / w of the two sides of a split, or -1 if a side is below min_leaf. */
static inline double purity_of(const Tree *t, idx k, double *n_left)
{
    double n_right = 0, l2 = 0, r2 = 0;
    *n_left = 0;
    for (idx c = 0; c < k; c++) {
        double left = t->left[c], right = t->total[c] - left;
        *n_left += left;
        n_right += right;
        l2 += left * left;
        r2 += right * right;
    }
    if (*n_left < t->min_leaf || n_right < t->min_leaf) return -1;
    return l2 / *n_left + r2 / n_right;
}

/* Find the best of the random splits of a node; return whether there is one. */
static inline int find_split(Tree *t, const Task *task, idx k, double weight, Node *node)
{
    int32_t test[MAX_CUTS];
    idx tried = 0, m = task->stop - task->first;
    double best = -1, best_left = 0, parent = 0;
    int has_gaps = 0;
    for (idx left = t->d; left > 0 && tried < t->max_features;) {
        idx p = draw_below(t, left--), column = t->columns[p];
        t->columns[p] = t->columns[left];
        t->columns[left] = column;
        Range r = find_range(t, task, column);
        if (r.is_constant) continue;
        tried++;
        idx n_tests = draw_tests(t, column, &r, test);
        int is_label = t->is_label[column];
        idx n_buckets = is_label ? r.n_labels : n_tests + 1;
        if (n_buckets >= MAX_SUMS / k)
            n_buckets = 0;
        else
            fill_buckets(t, m, k, is_label, test, n_buckets);
        for (idx i = 0; i < n_tests; i++) {
            add_left(t, m, k, &r, test[i], n_buckets, i);
            double n_left, purity = purity_of(t, k, &n_left);
            if (purity <= best) continue;
            best = purity;
            best_left = n_left;
            has_gaps = r.has_gaps;
            node->column = (int32_t)column;
            node->test = test[i];
        }
        forget_labels(t, &r);
    }
    if (best < 0) return 0;
    for (idx c = 0; c < k; c++) parent += t->total[c] * t->total[c];
    t->importance[node->column] += best - parent / weight;
    /* Without missing values here, later ones go to a side by its share of the rows. */
    if (!has_gaps && (double)(draw(t) >> 11) / 9007199254740992.0 * weight < best_left)
        node->test |= GAPS_GO_LEFT;
    return 1;
}

#endif
