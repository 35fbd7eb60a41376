/* Sums of the values of the leaves of boosted trees. */

#include "boosted_trees.h"

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

static void add_block(const Trees *t, idx first, idx m, uint8_t *block)
{
    for (idx j = 0; j < t->d; j++) {
        const uint8_t *from = t->codes + j * t->n + first;
        for (idx i = 0; i < m; i++) block[i * t->d + j] = from[i];
    }
    for (idx tree = 0; tree < t->n_trees; tree++) {
        idx i = 0;
        double *out = t->out + first * t->k;
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
    idx step = (1 << 17) / t.d;
    step = step < 16 ? 16 : step > BLOCK ? BLOCK : step;
    uint8_t *block = malloc((size_t)(step * t.d));
    if (block) {
        Py_BEGIN_ALLOW_THREADS
        for (idx first = start; first < stop; first += step)
            add_block(&t, first, stop - first < step ? stop - first : step, block);
        Py_END_ALLOW_THREADS
    } else
        PyErr_NoMemory();
    free(block);
    return release(&held, Py_None);
}
