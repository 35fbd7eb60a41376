/* Class probabilities of the leaves of randomised trees, and of rows. */

#include "leaves_by_bits.h"
#include "random_trees.h"

/* ---- probabilities of leaves ------------------------------------------------------------- */

/* The probabilities of a node: p(c) = value of c, if it is listed, + rest × prior of c. */
typedef struct {
    int32_t label;
    double value;
} Entry;
typedef struct {
    Entry *entries;
    idx n;
    double rest;
} List;

typedef struct {
    const Node *nodes;
    idx k, n_rows, n_leaves, q, n_listed;
    const int32_t *labels;
    const double *weight, *prior;
    double s;
    int is_dense; /* all classes are listed */
    idx *size, *start;
    int32_t *depth, *slot_of;
    Entry *entries;
    List *of_depth;
    idx n_depths;
} Smoother;

/* Find rows and depth of each node; return whether the nodes are a tree of these rows. */
static int place_nodes(Smoother *s)
{
    s->n_depths = 1;
    for (idx i = s->k - 1; i >= 0; i--) {
        const Node *node = s->nodes + i;
        if (node->column < 0) {
            if (node->test < 0 || node->right < 0 || node->right >= s->n_leaves) return 0;
            s->size[i] = node->test;
        } else {
            if (node->right <= i + 1 || node->right >= s->k) return 0;
            s->size[i] = s->size[i + 1] + s->size[node->right];
        }
        if (s->size[i] > s->n_rows) return 0;
        s->start[i] = -1;
    }
    s->start[0] = s->depth[0] = 0;
    for (idx i = 0; i < s->k; i++) {
        const Node *node = s->nodes + i;
        if (s->start[i] < 0 || s->start[i] + s->size[i] > s->n_rows) return 0;
        if (s->depth[i] + 1 > s->n_depths) s->n_depths = s->depth[i] + 1;
        if (node->column < 0) continue;
        s->start[i + 1] = s->start[i];
        s->start[node->right] = s->start[i] + s->size[i + 1];
        s->depth[i + 1] = s->depth[node->right] = s->depth[i] + 1;
    }
    return s->size[0] == s->n_rows;
}

static int larger_first(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return x->label < y->label ? -1 : x->label > y->label;
}

/* p(c | node) = (weight of c + s p(c | parent)) / (weight + s) */
static void smooth_node(Smoother *s, idx i, const List *parent, List *here)
{
    double weight = 0;
    idx stop = s->start[i] + s->size[i];
    for (idx r = s->start[i]; r < stop; r++) weight += s->weight[r];
    double by = 1 / (weight + s->s), keep = s->s * by;
    Entry *entries = here->entries;
    here->n = parent->n;
    here->rest = parent->rest * keep;
    for (idx e = 0; e < parent->n; e++) {
        entries[e] = (Entry){parent->entries[e].label, parent->entries[e].value * keep};
        s->slot_of[entries[e].label] = (int32_t)e;
    }
    for (idx r = s->start[i]; r < stop; r++) {
        int32_t label = s->labels[r];
        if (s->slot_of[label] < 0) {
            s->slot_of[label] = (int32_t)here->n;
            entries[here->n++] = (Entry){label, 0};
        }
        entries[s->slot_of[label]].value += s->weight[r] * by;
    }
    if (s->is_dense) return;
    for (idx e = 0; e < here->n; e++) s->slot_of[entries[e].label] = -1;
    if (here->n <= s->n_listed) return;
    qsort(entries, (size_t)here->n, sizeof(Entry), larger_first);
    for (idx e = s->n_listed; e < here->n; e++) here->rest += entries[e].value;
    here->n = s->n_listed;
}

static void write_leaf(const Smoother *s, const List *list, idx leaf, float *values,
                       int32_t *classes, float *rest)
{
    for (idx e = 0; e < s->n_listed; e++) {
        Entry entry = e < list->n ? list->entries[e] : (Entry){0, 0};
        double whole = s->is_dense ? list->rest * s->prior[entry.label] : 0;
        values[leaf * s->n_listed + e] = (float)(entry.value + whole);
        if (classes) classes[leaf * s->n_listed + e] = entry.label;
    }
    if (rest) rest[leaf] = (float)list->rest;
}

/* Smooth all nodes from the root; `all` has the entries of each depth and above the root. */
static void smooth_tree(Smoother *s, Entry *all, float *values, int32_t *classes, float *rest)
{
    idx capacity = s->n_listed + (s->is_dense ? 0 : s->q);
    for (idx j = 0; j <= s->n_depths; j++) s->of_depth[j] = (List){all + j * capacity, 0, 1};
    for (idx c = 0; c < s->q; c++) s->slot_of[c] = -1;
    for (idx c = 0; s->is_dense && c < s->q; c++)
        s->of_depth[0].entries[s->of_depth[0].n++] = (Entry){(int32_t)c, 0};
    for (idx i = 0; i < s->k; i++) {
        List *here = s->of_depth + s->depth[i] + 1;
        smooth_node(s, i, here - 1, here);
        if (s->nodes[i].column < 0) write_leaf(s, here, s->nodes[i].right, values, classes, rest);
    }
}

/* smooth_leaves(nodes, labels, weight, prior, s, values, classes or None, rest or None)
   nodes, labels and weight are as grow_random_tree writes them. values (leaf, class) has the
   probabilities. With classes and rest, values (leaf, entry) has the largest of them; the classes
   of these entries are in classes, and the remaining probability of the leaf is in rest. */
PyObject *smooth_leaves(PyObject *self, PyObject *args)
{
    PyObject *o[7];
    Smoother s = {0};
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOdOOO", o, o + 1, o + 2, o + 3, &s.s, o + 4, o + 5, o + 6))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *nodes = hold(&held, o[0], PyBUF_C_CONTIGUOUS, 2, INT32, "nodes");
    Py_buffer *labels = hold(&held, o[1], PyBUF_C_CONTIGUOUS, 1, INT32, "labels");
    Py_buffer *weight = hold_floats(&held, o[2], 1, "weight");
    Py_buffer *prior = hold_floats(&held, o[3], 1, "prior");
    Py_buffer *values = hold(&held, o[4], writable, 2, FLOAT32, "values");
    Py_buffer *classes = hold_optional(&held, o[5], writable, 2, INT32, "classes");
    Py_buffer *rest = hold_optional(&held, o[6], writable, 1, FLOAT32, "rest");
    if (PyErr_Occurred()) return release(&held, NULL);
    s.nodes = nodes->buf, s.k = nodes->shape[0], s.n_rows = labels->shape[0];
    s.n_leaves = values->shape[0], s.n_listed = values->shape[1], s.q = prior->shape[0];
    s.labels = labels->buf, s.weight = weight->buf, s.prior = prior->buf;
    s.is_dense = classes->buf == NULL;
    int fits = nodes->shape[1] == 3 && s.k >= 1 && weight->shape[0] == s.n_rows && s.s > 0 &&
               s.n_listed >= 1 && s.q <= INT32_MAX && s.k <= INT32_MAX &&
               labels_fit(s.labels, 0, s.n_rows, s.q);
    if (s.is_dense)
        fits = fits && rest->buf == NULL && s.n_listed == s.q;
    else
        fits = fits && rest->buf && rest->shape[0] == s.n_leaves && s.n_listed <= s.q &&
               classes->shape[0] == s.n_leaves && classes->shape[1] == s.n_listed;
    if (!fits) return fail(&held, "smooth_leaves: shapes, labels or s do not fit");
    s.size = malloc(sizeof(idx) * (size_t)s.k);
    s.start = malloc(sizeof(idx) * (size_t)s.k);
    s.depth = malloc(sizeof(int32_t) * (size_t)s.k);
    s.slot_of = malloc(sizeof(int32_t) * (size_t)s.q);
    Entry *entries = NULL;
    int is_tree = 1;
    if (s.size && s.start && s.depth && s.slot_of && (is_tree = place_nodes(&s))) {
        size_t capacity = (size_t)(s.n_listed + (s.is_dense ? 0 : s.q));
        entries = malloc(sizeof(Entry) * capacity * (size_t)(s.n_depths + 1));
        s.of_depth = malloc(sizeof(List) * (size_t)(s.n_depths + 1));
        if (entries && s.of_depth) {
            Py_BEGIN_ALLOW_THREADS
            smooth_tree(&s, entries, values->buf, classes->buf, rest->buf);
            Py_END_ALLOW_THREADS
        }
    }
    if (!is_tree)
        PyErr_SetString(PyExc_ValueError, "smooth_leaves: nodes must be a tree of the rows");
    else if (!entries || !s.of_depth)
        PyErr_NoMemory();
    free(s.size), free(s.start), free(s.depth), free(s.slot_of), free(entries), free(s.of_depth);
    return release(&held, Py_None);
}

/* ---- probabilities of rows --------------------------------------------------------------- */

typedef struct {
    const Node *nodes;
    const int64_t *roots;
    idx n_trees, n_nodes, n_leaves, n_listed, n, d, size, q;
    const void *codes;
    const float *values, *rest;
    const int32_t *classes;
    const double *share, *prior;
    double *out;
} Forest;

/* Rows that go down a tree together, so that the memory of one is read while others wait. */
enum { TOGETHER = 4 };

/* Write the leaf of each row; return whether the nodes are a tree. */
#define DEFINE_FIND_LEAVES(C)                                                                  \
    static inline int find_group_##C(const Node *nodes, idx k, const C *row, idx d, idx m,     \
                                     int32_t *leaf)                                            \
    {                                                                                          \
        int32_t at[TOGETHER] = {0};                                                            \
        for (int is_moving = 1; is_moving;) {                                                  \
            is_moving = 0;                                                                     \
            for (idx i = 0; i < m; i++) {                                                      \
                Node node = nodes[at[i]];                                                      \
                if (node.column < 0) continue;                                                 \
                int32_t next = at[i] + 1, right = node.right;                                  \
                if (node.column >= d || right <= next || right >= k) return 0;                 \
                uint32_t code = widen(row[i * d + node.column], sizeof(C));                    \
                int left = code <= ((uint32_t)node.test & (HAS_BITS - 1));                     \
                left = node.test & HAS_BITS ? bit_of(code, node.test) : left;                  \
                if ((node.test & (SPLITS_LABELS | HAS_BITS)) == SPLITS_LABELS || code == GAP)  \
                    left = goes_left(code, node.test);                                         \
                at[i] = right ^ ((right ^ next) & -left);                                      \
                is_moving = 1;                                                                 \
            }                                                                                  \
        }                                                                                      \
        for (idx i = 0; i < m; i++) leaf[i] = nodes[at[i]].right;                              \
        return 1;                                                                              \
    }                                                                                          \
    static void transpose_##C(const Forest *f, idx first, idx m, void *block)                  \
    {                                                                                          \
        C *to = block;                                                                         \
        for (idx j = 0; j < f->d; j++) {                                                       \
            const C *from = (const C *)f->codes + j * f->n + first;                            \
            for (idx i = 0; i < m; i++) to[i * f->d + j] = from[i];                            \
        }                                                                                      \
    }                                                                                          \
    static int find_leaves_##C(const Forest *f, idx tree, const void *block, idx m,            \
                               int32_t *leaf)                                                  \
    {                                                                                          \
        const Node *nodes = f->nodes + f->roots[tree];                                         \
        idx k = f->roots[tree + 1] - f->roots[tree];                                           \
        idx i = 0;                                                                             \
        for (; i + TOGETHER <= m; i += TOGETHER)                                               \
            if (!find_group_##C(nodes, k, (const C *)block + i * f->d, f->d, TOGETHER, leaf + i)) \
                return 0;                                                                      \
        if (i < m && !find_group_##C(nodes, k, (const C *)block + i * f->d, f->d, m - i, leaf + i)) \
            return 0;                                                                          \
        for (i = 0; i < m; i++)                                                                \
            if (leaf[i] < 0 || leaf[i] >= f->n_leaves) return 0;                               \
        return 1;                                                                              \
    }
DEFINE_FIND_LEAVES(uint8_t)
DEFINE_FIND_LEAVES(uint16_t)

/* What a block of rows needs. */
typedef struct {
    void *rows;
    int32_t *leaf;
    double *rest;
    uint8_t *largest; /* code of each column that is not missing */
    LeafBits *bits;
} Block;

WIDE_WHERE_POSSIBLE static uint8_t largest_code(const uint8_t *code, idx m)
{
    uint8_t largest = 0;
    for (idx i = 0; i < m; i++) {
        uint8_t here = code[i] == LAST_BYTE ? 0 : code[i];
        largest = here > largest ? here : largest;
    }
    return largest;
}

static int find_leaves(const Forest *f, idx tree, idx first, idx m, const Block *block)
{
    const Node *nodes = f->nodes + f->roots[tree];
    idx k = f->roots[tree + 1] - f->roots[tree];
    if (f->size == 2) return find_leaves_uint16_t(f, tree, block->rows, m, block->leaf);
    int is_worth_it = m >= STRIP && 2 * k <= 3 * m; /* the splits of few rows take longer to read */
    if (!is_worth_it || !read_splits(block->bits, nodes, k, f->d, f->n_leaves))
        return find_leaves_uint8_t(f, tree, block->rows, m, block->leaf);
    for (idx i = 0; i < m; i += STRIP) {
        idx from = i + STRIP <= m ? i : m - STRIP; /* the last strip may repeat some rows */
        const uint8_t *codes = (const uint8_t *)f->codes + first + from;
        find_leaves_by_bits(block->bits, codes, f->n, block->largest, block->leaf + from);
    }
    return 1;
}

static void add_listed(const Forest *f, idx leaf, double share, double *out, double *rest)
{
    const float *values = f->values + leaf * f->n_listed;
    const int32_t *classes = f->classes + leaf * f->n_listed;
    for (idx e = 0; e < f->n_listed; e++)
        if (classes[e] >= 0 && classes[e] < f->q) out[classes[e]] += share * values[e];
    *rest += share * f->rest[leaf];
}

static int add_block(const Forest *f, idx first, idx m, const Block *block)
{
    int32_t *leaf = block->leaf;
    double *rest = block->rest;
    if (f->size == 1)
        transpose_uint8_t(f, first, m, block->rows);
    else
        transpose_uint16_t(f, first, m, block->rows);
    for (idx j = 0; f->size == 1 && j < f->d; j++)
        block->largest[j] = largest_code((const uint8_t *)f->codes + j * f->n + first, m);
    memset(rest, 0, sizeof(double) * (size_t)m);
    for (idx tree = 0; tree < f->n_trees; tree++) {
        if (!find_leaves(f, tree, first, m, block)) return 0;
        for (idx i = 0; i < m; i++) {
            double share = f->share ? f->share[first + i] : 1, *out = f->out + (first + i) * f->q;
            const float *values = f->values + leaf[i] * f->n_listed;
            if (f->classes)
                add_listed(f, leaf[i], share, out, rest + i);
            else
                for (idx c = 0; c < f->q; c++) out[c] += share * values[c];
        }
    }
    for (idx i = 0; f->classes && i < m; i++)
        for (idx c = 0; c < f->q; c++) f->out[(first + i) * f->q + c] += rest[i] * f->prior[c];
    return 1;
}

static int roots_fit(const int64_t *roots, idx n_trees, idx n_nodes)
{
    for (idx i = 0; i < n_trees; i++)
        if (roots[i] < 0 || roots[i] >= roots[i + 1] || roots[i + 1] > n_nodes) return 0;
    return 1;
}

/* add_leaf_shares(codes, nodes, roots, values, classes or None, rest or None, prior,
                   share or None, out, start, stop)
   Add the probabilities of the leaf of each row in each tree to out (row, class), times the share
   of the row. Tree i has the nodes roots[i] … roots[i + 1] - 1. */
PyObject *add_leaf_shares(PyObject *self, PyObject *args)
{
    PyObject *o[9];
    idx start, stop;
    Forest f = {0};
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOOOOnn", o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6, o + 7,
                          o + 8, &start, &stop))
        return NULL;
    Py_buffer *codes = hold(&held, o[0], PyBUF_F_CONTIGUOUS, 2, NARROW_CODE, "codes");
    Py_buffer *nodes = hold(&held, o[1], PyBUF_C_CONTIGUOUS, 2, INT32, "nodes");
    Py_buffer *roots = hold_integers(&held, o[2], "roots");
    Py_buffer *values = hold(&held, o[3], PyBUF_C_CONTIGUOUS, 2, FLOAT32, "values");
    Py_buffer *classes = hold_optional(&held, o[4], PyBUF_C_CONTIGUOUS, 2, INT32, "classes");
    Py_buffer *rest = hold_optional(&held, o[5], PyBUF_C_CONTIGUOUS, 1, FLOAT32, "rest");
    Py_buffer *prior = hold_floats(&held, o[6], 1, "prior");
    Py_buffer *share = hold_optional(&held, o[7], PyBUF_C_CONTIGUOUS, 1, FLOAT64, "share");
    Py_buffer *out = hold_out(&held, o[8], 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    f.codes = codes->buf, f.size = codes->itemsize, f.n = codes->shape[0], f.d = codes->shape[1];
    f.nodes = nodes->buf, f.n_nodes = nodes->shape[0];
    f.roots = roots->buf, f.n_trees = roots->shape[0] - 1;
    f.values = values->buf, f.n_leaves = values->shape[0], f.n_listed = values->shape[1];
    f.classes = classes->buf, f.rest = rest->buf, f.prior = prior->buf, f.share = share->buf;
    f.out = out->buf, f.q = out->shape[1];
    if (!rows_fit(start, stop, f.n) || nodes->shape[1] != 3 || f.n_trees < 0 || f.d < 1 ||
        out->shape[0] != f.n || prior->shape[0] != f.q || (f.share && share->shape[0] != f.n) ||
        (f.classes ? !f.rest || rest->shape[0] != f.n_leaves ||
                         classes->shape[0] != f.n_leaves || classes->shape[1] != f.n_listed
                   : f.rest || f.n_listed != f.q) ||
        f.n_nodes > INT32_MAX || !roots_fit(f.roots, f.n_trees, f.n_nodes))
        return fail(&held, "add_leaf_shares: shapes or roots do not fit");
    idx step = (1 << 18) / (f.d * f.size);
    step = step < 16 ? 16 : step > BLOCK ? BLOCK : step;
    Block block = {
        malloc((size_t)(step * f.d * f.size)),    malloc(sizeof(int32_t) * (size_t)step),
        malloc(sizeof(double) * (size_t)step),    malloc((size_t)f.d),
        malloc(sizeof(LeafBits)),
    };
    int fits = 1;
    if (block.rows && block.leaf && block.rest && block.largest && block.bits) {
        Py_BEGIN_ALLOW_THREADS
        for (idx first = start; fits && first < stop; first += step)
            fits = add_block(&f, first, stop - first < step ? stop - first : step, &block);
        Py_END_ALLOW_THREADS
    } else
        PyErr_NoMemory();
    free(block.rows), free(block.leaf), free(block.rest), free(block.largest), free(block.bits);
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_leaf_shares: nodes must be trees");
    return release(&held, Py_None);
}
