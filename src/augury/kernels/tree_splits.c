/* Splits of a decision tree: gains of all columns at the rows of a node, division of its rows,
   and the errors expected of leaves.

   `index` are the rows of the node; `weight`, if given, has their weights in the same order.
   Numbers are given by rank: `ranks` are codes whose states are the distinct numbers of a column
   in ascending order, and the code after the last state means a missing number.
   `memo[x]` is x log2 x for counts; weights need no memo. */

#include "_native.h"

/* WEKA's `Utils.SMALL`: numbers whose difference is smaller are equal. */
static const double SMALL = 1e-6;

static double times_log(double x) { return x < SMALL ? 0.0 : x * log2(x); }

static inline double term(double x, const double *memo)
{
    return memo ? memo[(idx)x] : times_log(x);
}

/* The rows of a node, and room for one column of it. */
typedef struct {
    const int64_t *index;
    const double *weight; /* or NULL: each row counts as 1 */
    const double *memo;   /* NULL for weights */
    int32_t *y;           /* classes in the order of index */
    idx n, q;
    double whole, minimum;
} Node;

static double weight_of(const Node *node, idx i) { return node->weight ? node->weight[i] : 1.0; }

/* Σ_c term(counts[c]) */
static double sum_of_terms(const double *counts, const Node *node)
{
    double sum = 0;
    for (idx c = 0; c < node->q; c++) sum += term(counts[c], node->memo);
    return sum;
}

/* Gain in bits for each row; `total` of the `whole` rows have a known value. */
static double gain_of(double bits, double total, double whole)
{
    bits = total / whole * bits;
    if (fabs(bits) < SMALL) bits = 0;
    return bits / (total > SMALL ? total : SMALL);
}

/* Gain ratio, from Σ n_b log2 n_b over the branches. */
static double ratio_of(double gain, double bag_terms, double total, const Node *node)
{
    double own = times_log(node->whole) - times_log(node->whole - total) - bag_terms;
    return fabs(own) < SMALL ? 0.0 : gain * node->whole / own;
}

/* Rows of `out`, which has a column for each column of the table. */
enum { GAIN, RATIO, USABLE, BELOW, ABOVE, N_FACTS };

/* ---- splits with a branch for each state ------------------------------------------------- */

#define DEFINE_COUNT(C)                                                                        \
    static int count_##C(const void *column, const Node *node, idx n_states, double *table)    \
    {                                                                                          \
        const C *codes = column;                                                               \
        for (idx i = 0; i < node->n; i++) {                                                    \
            idx code = codes[node->index[i]];                                                  \
            if (code > n_states) return 0;                                                     \
            table[code * node->q + node->y[i]] += weight_of(node, i);                          \
        }                                                                                      \
        return 1;                                                                              \
    }
EACH_CODE(DEFINE_COUNT)

static void state_gain(const Node *node, const double *table, idx n_states, double *prior,
                       double *out, idx stride)
{
    idx q = node->q, enough = 0;
    double total = 0, bag_terms = 0, after = 0;
    memset(prior, 0, sizeof(double) * (size_t)q);
    for (idx b = 0; b < n_states; b++, table += q) {
        double bag = 0;
        for (idx c = 0; c < q; c++) {
            bag += table[c];
            prior[c] += table[c];
        }
        double bag_term = term(bag, node->memo);
        total += bag;
        bag_terms += bag_term;
        after += bag_term - sum_of_terms(table, node);
        enough += bag > node->minimum - SMALL;
    }
    double before = term(total, node->memo) - sum_of_terms(prior, node);
    double gain = gain_of(before - after, total, node->whole);
    out[GAIN * stride] = gain;
    out[RATIO * stride] = ratio_of(gain, bag_terms, total, node);
    out[USABLE * stride] = enough >= 2;
    out[BELOW * stride] = out[ABOVE * stride] = NAN;
}

/* ---- splits at a threshold --------------------------------------------------------------- */

enum { FEW_KEYS = 40 };

/* Sort keys by their upper 32 bits, which are at most `largest`; equal ones keep their order.
   Returns the sorted array, which is one of the two. */
static uint64_t *sort_keys(uint64_t *keys, uint64_t *other, idx n, uint32_t largest)
{
    if (n <= FEW_KEYS) {
        for (idx i = 1; i < n; i++) {
            uint64_t key = keys[i];
            idx at = i;
            for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
            keys[at] = key;
        }
        return keys;
    }
    for (int shift = 32; shift < 64 && largest >> (shift - 32); shift += 8) {
        idx starts[257] = {0};
        for (idx i = 0; i < n; i++) starts[(keys[i] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++) starts[d + 1] += starts[d];
        for (idx i = 0; i < n; i++) other[starts[keys[i] >> shift & 255]++] = keys[i];
        uint64_t *swap = keys;
        keys = other;
        other = swap;
    }
    return keys;
}

typedef struct {
    const double *values;  /* distinct numbers of the column */
    double min_difference; /* of two numbers that a cut separates */
    const uint64_t *keys;  /* rank << 32 | position in the node, sorted; without missing numbers */
    idx n;
    double *prior, *left;  /* by class */
} Sorted;

static double cut_gain(const Node *node, const Sorted *s, double before, double left, double total)
{
    double terms_left = 0, terms_right = 0;
    for (idx c = 0; c < node->q; c++) {
        terms_left += term(s->left[c], node->memo);
        terms_right += term(s->prior[c] - s->left[c], node->memo);
    }
    double after = term(left, node->memo) - terms_left;
    after += term(total - left, node->memo) - terms_right;
    return gain_of(before - after, total, node->whole);
}

/* The first cut that is better by more than SMALL than all before. The choice among n cuts
   costs log2(n) bits. */
static void threshold_gain(const Node *node, const Sorted *s, double *out, idx stride)
{
    double total = 0, left = 0, best = 0, best_left = 0, first_gain = 0, n_cuts = 0;
    idx at = -1;
    memset(s->prior, 0, sizeof(double) * (size_t)node->q);
    memset(s->left, 0, sizeof(double) * (size_t)node->q);
    for (idx k = 0; k < s->n; k++) {
        idx i = (idx)(s->keys[k] & UINT32_MAX);
        double w = weight_of(node, i);
        total += w;
        s->prior[node->y[i]] += w;
    }
    /* For minimum > 25 C4.5 and J48 require less than the minimum, which is not intended. */
    double least = 0.1 * total / (double)node->q, most = node->minimum > 25 ? node->minimum : 25;
    least = least < node->minimum ? node->minimum : least > most ? most : least;
    double before = term(total, node->memo) - sum_of_terms(s->prior, node);
    for (idx k = 0; k + 1 < s->n; k++) {
        idx i = (idx)(s->keys[k] & UINT32_MAX);
        double w = weight_of(node, i);
        left += w;
        s->left[node->y[i]] += w;
        uint64_t here = s->keys[k] >> 32, next = s->keys[k + 1] >> 32;
        if (here == next || left <= least - SMALL || total - left <= least - SMALL ||
            !(s->values[here] + s->min_difference < s->values[next]))
            continue;
        double gain = cut_gain(node, s, before, left, total);
        n_cuts++;
        if (at < 0) {
            first_gain = gain;
            best_left = left;
            at = k;
        }
        if (gain - best > SMALL) {
            best = gain;
            best_left = left;
            at = k;
        }
    }
    for (int fact = 0; fact < N_FACTS; fact++) out[fact * stride] = 0;
    if (at < 0) return;
    double gain = best > SMALL ? best : first_gain > SMALL ? first_gain : 0.0;
    gain -= log2(n_cuts) / node->whole;
    double bag_terms = term(best_left, node->memo) + term(total - best_left, node->memo);
    out[GAIN * stride] = gain;
    out[RATIO * stride] = ratio_of(gain, bag_terms, total, node);
    out[USABLE * stride] = gain >= SMALL;
    out[BELOW * stride] = s->values[s->keys[at] >> 32];
    out[ABOVE * stride] = s->values[s->keys[at + 1] >> 32];
}

/* The keys of the known numbers of a column; -1 if a rank is out of range. */
static idx make_keys(const uint32_t *ranks, const Node *node, idx n_values, uint64_t *keys)
{
    idx n = 0;
    for (idx i = 0; i < node->n; i++) {
        idx rank = ranks[node->index[i]];
        if (rank > n_values) return -1;
        keys[n] = (uint64_t)rank << 32 | (uint64_t)i;
        n += rank < n_values;
    }
    return n;
}

/* ---- arguments --------------------------------------------------------------------------- */

/* Classes of the rows of the node in their order, or NULL if a row or a class is out of range. */
static int32_t *node_classes(const int64_t *index, idx n, const Py_buffer *y, idx q)
{
    int32_t *found = malloc(sizeof(int32_t) * (size_t)(n ? n : 1));
    const int32_t *classes = y->buf;
    for (idx i = 0; found && i < n; i++) {
        int64_t row = index[i];
        if (row < 0 || row >= y->shape[0] || classes[row] < 0 || classes[row] >= q) {
            free(found);
            return NULL;
        }
        found[i] = classes[row];
    }
    return found;
}

/* Whether the arguments that all gains share fit; fills the node. */
static int node_fits(Node *node, const Py_buffer *index, const Py_buffer *weight,
                     const Py_buffer *memo, const Py_buffer *y, idx n_rows)
{
    node->index = index->buf;
    node->n = index->shape[0];
    node->weight = weight->buf;
    node->memo = weight->buf ? NULL : memo->buf;
    if (weight->buf ? weight->shape[0] != node->n : !memo->buf || memo->shape[0] <= node->n)
        return 0;
    if (y->shape[0] != n_rows || node->q < 1 || node->q > INT32_MAX || node->n > UINT32_MAX)
        return 0;
    node->y = node_classes(node->index, node->n, y, node->q);
    return node->y != NULL;
}

static int out_fits(const Py_buffer *out, idx d)
{
    return out->shape[0] == N_FACTS && out->shape[1] == d;
}

/* state_gains(codes, offsets, y, index, weight or None, memo or None, q, whole, minimum, out,
               start, stop)
   The gains of splits on the states of the columns start … stop-1. */
PyObject *state_gains(PyObject *self, PyObject *args)
{
    PyObject *o[7];
    Node node;
    idx start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOnddOnn", o, o + 1, o + 2, o + 3, o + 4, o + 5, &node.q,
                          &node.whole, &node.minimum, o + 6, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, o[0]);
    Py_buffer *offsets = hold_offsets(&held, o[1]);
    Py_buffer *y = hold_labels(&held, o[2]);
    Py_buffer *index = hold_integers(&held, o[3], "index");
    Py_buffer *weight = hold_weight(&held, o[4]);
    Py_buffer *memo = hold_optional(&held, o[5], PyBUF_C_CONTIGUOUS, 1, FLOAT64, "memo");
    Py_buffer *out = hold_out(&held, o[6], 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1], widest = 0;
    const int64_t *offset = offsets->buf;
    if (offsets->shape[0] != d + 1 || !offsets_fit(offset, d) || !rows_fit(start, stop, d) ||
        !out_fits(out, d) || !node_fits(&node, index, weight, memo, y, n))
        return fail(&held, "state_gains: shapes, rows or labels do not fit");
    for (idx j = start; j < stop; j++)
        if (offset[j + 1] - offset[j] > widest) widest = offset[j + 1] - offset[j];
    int fits = 1;
    double *table = NULL;
    if (widest + 1 <= PY_SSIZE_T_MAX / 8 / node.q)
        table = malloc(sizeof(double) * (size_t)((widest + 1) * node.q));
    if (table) {
        Py_BEGIN_ALLOW_THREADS
        int (*count)(const void *, const Node *, idx, double *) =
            PICK_CODE(count, codes->itemsize);
        for (idx j = start; j < stop && fits; j++) {
            idx n_states = offset[j + 1] - offset[j] - 1;
            memset(table, 0, sizeof(double) * (size_t)((n_states + 1) * node.q));
            fits = count((const char *)codes->buf + j * n * codes->itemsize, &node, n_states, table);
            if (fits)
                state_gain(&node, table, n_states, table + widest * node.q, (double *)out->buf + j,
                           d);
        }
        Py_END_ALLOW_THREADS
    } else
        PyErr_NoMemory();
    free(table);
    free(node.y);
    if (!fits) PyErr_SetString(PyExc_ValueError, "state_gains: a code is out of range");
    return release(&held, Py_None);
}

/* threshold_gains(ranks, offsets, values, min_difference, y, index, weight or None,
                   memo or None, q, whole, minimum, out, start, stop)
   The best thresholds of the columns start … stop-1. Column j has its distinct numbers at
   values[offsets[j]] …, followed by one unused number for its missing ones. */
PyObject *threshold_gains(PyObject *self, PyObject *args)
{
    PyObject *o[9];
    Node node;
    idx start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOOOnddOnn", o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6,
                          o + 7, &node.q, &node.whole, &node.minimum, o + 8, &start, &stop))
        return NULL;
    Py_buffer *ranks = hold_codes(&held, o[0]);
    Py_buffer *offsets = hold_offsets(&held, o[1]);
    Py_buffer *values = hold_floats(&held, o[2], 1, "values");
    Py_buffer *difference = hold_floats(&held, o[3], 1, "min_difference");
    Py_buffer *y = hold_labels(&held, o[4]);
    Py_buffer *index = hold_integers(&held, o[5], "index");
    Py_buffer *weight = hold_weight(&held, o[6]);
    Py_buffer *memo = hold_optional(&held, o[7], PyBUF_C_CONTIGUOUS, 1, FLOAT64, "memo");
    Py_buffer *out = hold_out(&held, o[8], 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = ranks->shape[0], d = ranks->shape[1];
    const int64_t *offset = offsets->buf;
    if (ranks->itemsize != 4 || offsets->shape[0] != d + 1 || !offsets_fit(offset, d) ||
        values->shape[0] != offset[d] || difference->shape[0] != d || !rows_fit(start, stop, d) ||
        !out_fits(out, d) || !node_fits(&node, index, weight, memo, y, n))
        return fail(&held, "threshold_gains: shapes, rows or labels do not fit");
    int fits = 1;
    uint64_t *keys = malloc(sizeof(uint64_t) * 2 * (size_t)(node.n + 1));
    double *scratch = malloc(sizeof(double) * 2 * (size_t)node.q);
    if (keys && scratch) {
        Py_BEGIN_ALLOW_THREADS
        for (idx j = start; j < stop && fits; j++) {
            idx n_values = offset[j + 1] - offset[j] - 1;
            idx known = make_keys((const uint32_t *)ranks->buf + j * n, &node, n_values, keys);
            fits = known >= 0;
            if (!fits) break;
            Sorted sorted = {.values = (const double *)values->buf + offset[j],
                             .min_difference = ((const double *)difference->buf)[j],
                             .n = known, .prior = scratch, .left = scratch + node.q};
            sorted.keys = sort_keys(keys, keys + node.n + 1, known, (uint32_t)n_values);
            threshold_gain(&node, &sorted, (double *)out->buf + j, d);
        }
        Py_END_ALLOW_THREADS
    } else
        PyErr_NoMemory();
    free(keys);
    free(scratch);
    free(node.y);
    if (!fits) PyErr_SetString(PyExc_ValueError, "threshold_gains: a rank is out of range");
    return release(&held, Py_None);
}
