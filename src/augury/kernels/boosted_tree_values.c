/* Sums of the values of the leaves of boosted trees. */

#include "boosted_trees.h"
#include "wide_loops.h"

typedef struct {
    const uint8_t *codes;
    const BoostedNode *nodes;
    const uint32_t *bits;
    const int64_t *roots;
    const float *values;
    double *out;
    idx n, d, k, n_trees, n_bits, n_values;
} Trees;

/* Rows that go down a tree together, so that the memory of one is read while others wait. */
enum { TOGETHER = 8 };

static inline int code_goes_left(const Trees *t, uint32_t code, int32_t test)
{
    int32_t value = test & (SPLITS_LABELS - 1);
    if (code == GAP) return (test & GAPS_GO_LEFT) != 0;
    if (!(test & SPLITS_LABELS)) return (int32_t)code <= value;
    return (int)(t->bits[value * BITS_WORDS + (int32_t)(code / 32)] >> code % 32 & 1);
}

static inline void add_group(const Trees *t, idx tree, const uint8_t *block, idx m, double *out)
{
    const BoostedNode *nodes = t->nodes + t->roots[tree];
    int32_t at[TOGETHER] = {0};
    for (int is_moving = 1; is_moving;) {
        is_moving = 0;
        for (idx i = 0; i < m; i++) {
            BoostedNode node = nodes[at[i]];
            if (node.column < 0) continue;
            uint32_t code = block[i * t->d + node.column];
            int left = (int32_t)code <= (node.test & (SPLITS_LABELS - 1));
            if (node.test & SPLITS_LABELS || code == GAP)
                left = code_goes_left(t, code, node.test);
            at[i] = node.left + !left;
            is_moving = 1;
        }
    }
    for (idx i = 0; i < m; i++) out[i * t->k + tree % t->k] += t->values[nodes[at[i]].left];
}

/* Whether all nodes are those of trees: children follow their parents within the tree. */
static int nodes_fit(const Trees *t)
{
    for (idx tree = 0; tree < t->n_trees; tree++) {
        const BoostedNode *nodes = t->nodes + t->roots[tree];
        idx size = t->roots[tree + 1] - t->roots[tree];
        for (idx i = 0; i < size; i++) {
            BoostedNode node = nodes[i];
            if (node.column < 0) {
                if (node.left < 0 || node.left >= t->n_values) return 0;
            } else if (node.column >= t->d || node.left <= i || node.left >= size - 1 || node.test < 0)
                return 0;
            else if (node.test & SPLITS_LABELS && (node.test & (SPLITS_LABELS - 1)) >= t->n_bits)
                return 0;
        }
    }
    return 1;
}

/* ---- many rows in a small tree --------------------------------------------------------------

   All splits are tested for all rows, without branches (QuickScorer, Lucchese et al. 2015). A row
   has a bit for each leaf that it may reach, from left to right. A split that sends it right takes
   the bits of the leaves on the left side away. The lowest bit that remains is that of its leaf. */

enum { MAX_LEAVES = 32, MAX_NODES = 2 * MAX_LEAVES - 1, FEWEST_ROWS = 32 };

/* The splits of a tree, and the values of its leaves by `place_of` of their bits. */
typedef struct {
    int32_t column[MAX_NODES], test[MAX_NODES];
    uint32_t mask[MAX_NODES]; /* the leaves that a row may reach if it goes right */
    double value[MAX_LEAVES];
    int n_splits;
} SmallTree;

/* Number the 32 powers of two, in some order (a de Bruijn sequence). */
static inline uint32_t place_of(uint32_t bit)
{
    return (bit * 0x077cb531U) >> 27;
}

/* Return whether the tree is small; if so, write it. */
static int read_small(const Trees *t, idx tree, SmallTree *small)
{
    const BoostedNode *nodes = t->nodes + t->roots[tree];
    idx size = t->roots[tree + 1] - t->roots[tree];
    int32_t n_leaves[MAX_NODES], first[MAX_NODES];
    uint8_t is_reached[MAX_NODES] = {1};
    if (size > MAX_NODES) return 0;
    for (idx i = size - 1; i >= 0; i--) { /* children follow their parents */
        int32_t left = nodes[i].left;
        n_leaves[i] = nodes[i].column < 0 ? 1 : n_leaves[left] + n_leaves[left + 1];
        if (n_leaves[i] > MAX_LEAVES) return 0;
    }
    small->n_splits = 0;
    first[0] = 0;
    for (idx i = 0; i < size; i++) {
        if (!is_reached[i]) continue;
        if (nodes[i].column < 0) {
            small->value[place_of((uint32_t)1 << first[i])] = t->values[nodes[i].left];
            continue;
        }
        int32_t left = nodes[i].left;
        is_reached[left] = is_reached[left + 1] = 1;
        first[left] = first[i], first[left + 1] = first[i] + n_leaves[left];
        int k = small->n_splits++;
        small->column[k] = nodes[i].column, small->test[k] = nodes[i].test;
        small->mask[k] = ~((((uint32_t)1 << n_leaves[left]) - 1) << first[i]);
    }
    return 1;
}

WIDE_WHERE_POSSIBLE static void pass_numbers(const uint8_t *code, idx m, int32_t test,
                                             uint32_t mask, uint32_t *leaves)
{
    uint32_t cut = (uint32_t)test & (SPLITS_LABELS - 1), last = test & GAPS_GO_LEFT ? GAP - 1 : GAP;
    for (idx i = 0; i < m; i++) {
        uint32_t goes_right = (code[i] > cut) & (code[i] <= last);
        leaves[i] &= mask | (goes_right - 1);
    }
}

WIDE_WHERE_POSSIBLE static void pass_labels(const uint8_t *code, idx m, const uint32_t *bits,
                                            int gaps_go_left, uint32_t mask, uint32_t *leaves)
{
    uint32_t left[BITS_WORDS], last = (uint32_t)1 << GAP % 32;
    memcpy(left, bits, sizeof left);
    left[GAP / 32] = gaps_go_left ? left[GAP / 32] | last : left[GAP / 32] & ~last;
    for (idx i = 0; i < m; i++)
        leaves[i] &= mask | (0 - (left[code[i] / 32] >> code[i] % 32 & 1));
}

static void add_small(const Trees *t, const SmallTree *small, idx first, idx m, uint32_t *leaves,
                      double *out)
{
    memset(leaves, 255, sizeof(uint32_t) * (size_t)m);
    for (int s = 0; s < small->n_splits; s++) {
        const uint8_t *code = t->codes + small->column[s] * t->n + first;
        int32_t test = small->test[s];
        if (test & SPLITS_LABELS)
            pass_labels(code, m, t->bits + (test & (SPLITS_LABELS - 1)) * BITS_WORDS,
                        (test & GAPS_GO_LEFT) != 0, small->mask[s], leaves);
        else
            pass_numbers(code, m, test, small->mask[s], leaves);
    }
    for (idx i = 0; i < m; i++)
        out[i * t->k] += small->value[place_of(leaves[i] & (0 - leaves[i]))];
}

/* ---- all trees ------------------------------------------------------------------------------ */

static void add_block(const Trees *t, idx first, idx m, uint8_t *block, uint32_t *leaves)
{
    SmallTree small;
    for (idx j = 0; j < t->d; j++) {
        const uint8_t *from = t->codes + j * t->n + first;
        for (idx i = 0; i < m; i++) block[i * t->d + j] = from[i];
    }
    for (idx tree = 0; tree < t->n_trees; tree++) {
        idx i = 0;
        double *out = t->out + first * t->k;
        if (m >= FEWEST_ROWS && read_small(t, tree, &small)) {
            add_small(t, &small, first, m, leaves, out + tree % t->k);
            continue;
        }
        for (; i + TOGETHER <= m; i += TOGETHER)
            add_group(t, tree, block + i * t->d, TOGETHER, out + i * t->k);
        if (i < m) add_group(t, tree, block + i * t->d, m - i, out + i * t->k);
    }
}

/* add_tree_values(codes, nodes, bits, roots, values, out, start, stop)
   Add the value of the leaf of each row in tree i to column i mod k of out (row, k). Tree i has
   the nodes roots[i] … roots[i + 1] - 1. A code of 255 is a missing value. */
PyObject *add_tree_values(PyObject *self, PyObject *args)
{
    PyObject *o[6];
    idx start, stop;
    Trees t = {0};
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOnn", o, o + 1, o + 2, o + 3, o + 4, o + 5, &start, &stop))
        return NULL;
    Py_buffer *codes = hold(&held, o[0], PyBUF_F_CONTIGUOUS, 2, BYTE, "codes");
    Py_buffer *nodes = hold(&held, o[1], PyBUF_C_CONTIGUOUS, 2, INT32, "nodes");
    Py_buffer *bits = hold(&held, o[2], PyBUF_C_CONTIGUOUS, 2, INT32, "bits");
    Py_buffer *roots = hold_integers(&held, o[3], "roots");
    Py_buffer *values = hold(&held, o[4], PyBUF_C_CONTIGUOUS, 1, FLOAT32, "values");
    Py_buffer *out = hold_out(&held, o[5], 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    t.codes = codes->buf, t.n = codes->shape[0], t.d = codes->shape[1];
    t.nodes = nodes->buf, t.bits = bits->buf, t.n_bits = bits->shape[0];
    t.roots = roots->buf, t.n_trees = roots->shape[0] - 1;
    t.values = values->buf, t.n_values = values->shape[0], t.out = out->buf, t.k = out->shape[1];
    int fits = rows_fit(start, stop, t.n) && t.d >= 1 && nodes->shape[1] == 3 && t.n_trees >= 0 &&
               bits->shape[1] == BITS_WORDS && out->shape[0] == t.n && t.k >= 1 &&
               nodes->shape[0] <= INT32_MAX && t.n_bits <= INT32_MAX / BITS_WORDS;
    for (idx i = 0; fits && i < t.n_trees; i++)
        fits = t.roots[i] >= 0 && t.roots[i] < t.roots[i + 1] && t.roots[i + 1] <= nodes->shape[0];
    if (!fits || !nodes_fit(&t)) return fail(&held, "add_tree_values: shapes or nodes do not fit");
    idx step = (1 << 17) / (t.d + 8 * t.k);
    step = step < 64 ? 64 : step > BLOCK ? BLOCK : step;
    uint8_t *block = malloc((size_t)(step * t.d));
    uint32_t *leaves = malloc(sizeof(uint32_t) * (size_t)step);
    if (block && leaves) {
        Py_BEGIN_ALLOW_THREADS
        for (idx first = start; first < stop; first += step)
            add_block(&t, first, stop - first < step ? stop - first : step, block, leaves);
        Py_END_ALLOW_THREADS
    } else
        PyErr_NoMemory();
    free(block), free(leaves);
    return release(&held, Py_None);
}
