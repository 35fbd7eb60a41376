/* Growth of extremely randomised trees (Geurts, Ernst and Wehenkel, 2006). */

#include "random_splits.h"

static inline uint32_t code_of(const Tree *t, idx column, int32_t row)
{
    idx at = column * t->n + row;
    return t->size == 1 ? widen(((const uint8_t *)t->codes)[at], 1) : ((const uint16_t *)t->codes)[at];
}

/* Move the rows that go left before the others, in their order; return the ends of both parts. */
#define DEFINE_DIVIDE(NAME, TYPE, ROWS, SCRATCH)                                               \
    static idx NAME(Tree *t, idx first, idx stop, const Node *node)                            \
    {                                                                                          \
        TYPE *rows = t->ROWS, *others = t->SCRATCH;                                            \
        idx to = first, n_others = 0;                                                          \
        for (idx i = first; i < stop; i++) {                                                   \
            int left = goes_left(code_of(t, node->column, rows[i].row), node->test);           \
            TYPE one = rows[i];                                                                \
            rows[to] = one;                                                                    \
            others[n_others] = one;                                                            \
            to += left;                                                                        \
            n_others += !left;                                                                 \
        }                                                                                      \
        memcpy(rows + to, others, sizeof(TYPE) * (size_t)n_others);                            \
        return to;                                                                             \
    }
DEFINE_DIVIDE(divide_items, Item, items, item_scratch)
DEFINE_DIVIDE(divide_outside, Outside, outside, outside_scratch)

static void grow(Tree *t, idx n_items, idx n_outside)
{
    Task todo[MAX_DEPTH + 2];
    int n_todo = 1;
    todo[0] = (Task){0, n_items, 0, n_outside, -1, 0};
    while (n_todo > 0) {
        Task task = todo[--n_todo];
        int32_t id = (int32_t)t->n_nodes++;
        Node *node = t->nodes + id;
        double weight;
        if (task.parent >= 0) t->nodes[task.parent].right = id;
        idx k = weigh_classes(t, &task, &weight);
        smooth_paths(t, &task, weight);
        for (idx c = 0; c < k; c++) t->slot_of[t->present[c]] = -1;
        if (k < 2 || weight < 2 * t->min_leaf || task.depth == MAX_DEPTH ||
            !find_split(t, &task, k, weight, node)) {
            for (idx i = task.out_first; i < task.out_stop; i++)
                t->leaf[t->outside[i].place] = (int32_t)t->n_leaves;
            *node = (Node){-1, (int32_t)(task.stop - task.first), (int32_t)t->n_leaves++};
            continue;
        }
        idx middle = divide_items(t, task.first, task.stop, node);
        idx out_middle = divide_outside(t, task.out_first, task.out_stop, node);
        todo[n_todo++] =
            (Task){middle, task.stop, out_middle, task.out_stop, id, task.depth + 1};
        todo[n_todo++] =
            (Task){task.first, middle, task.out_first, out_middle, -1, task.depth + 1};
    }
}

/* ---- arguments --------------------------------------------------------------------------- */

static int allocate(Tree *t, idx n_items, idx n_outside)
{
    size_t m = (size_t)n_items + 1, o = (size_t)n_outside + 1, q = (size_t)t->q;
    t->items = malloc(sizeof(Item) * m);
    t->item_scratch = malloc(sizeof(Item) * m);
    t->outside = malloc(sizeof(Outside) * o);
    t->outside_scratch = malloc(sizeof(Outside) * o);
    t->row = malloc(sizeof(int32_t) * m);
    t->slot = malloc(sizeof(int32_t) * m);
    t->weight = malloc(sizeof(double) * m);
    t->at = malloc(sizeof(uint16_t) * m);
    t->slot_of = malloc(sizeof(int32_t) * q);
    t->present = malloc(sizeof(int32_t) * q);
    t->total = malloc(sizeof(double) * q);
    t->left = malloc(sizeof(double) * q);
    t->sums = malloc(sizeof(double) * MAX_SUMS);
    t->bucket_of = malloc(sizeof(uint16_t) * (GAP + 1));
    t->labels = malloc(sizeof(uint16_t) * (GAP + 1));
    t->columns = malloc(sizeof(idx) * (size_t)t->d);
    return t->items && t->item_scratch && t->outside && t->outside_scratch && t->row && t->slot &&
           t->weight && t->at && t->slot_of && t->present && t->total && t->left && t->sums &&
           t->bucket_of && t->labels && t->columns;
}

static void free_all(Tree *t)
{
    void *all[] = {t->items, t->item_scratch, t->outside, t->outside_scratch, t->row,
                   t->slot, t->weight, t->at, t->slot_of, t->present, t->total, t->left, t->sums,
                   t->bucket_of, t->labels, t->columns};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static int rows_are_in(const int32_t *rows, idx m, idx n)
{
    for (idx i = 0; i < m; i++)
        if (rows[i] < 0 || rows[i] >= n) return 0;
    return 1;
}

/* grow_random_tree(codes, is_label, y, rows, weight, outside, grid, prior, seed, max_features,
                    n_cuts, min_leaf, nodes, labels, path, leaf, importance) -> (n_nodes, n_leaves)
   rows are those in the bag, with their weights; outside are rows out of the bag. nodes has
   2 len(rows) - 1 rows. labels and weight are overwritten by the classes and weights of the rows
   in the order of the leaves. path (row of outside, grid) is the probability of the row's class
   in its leaf for each number of the grid, and leaf is the number of the leaf; prior are the
   probabilities above the root. The gains of the columns are added to importance. */
PyObject *grow_random_tree(PyObject *self, PyObject *args)
{
    PyObject *o[13], *result = NULL;
    unsigned long long seed;
    Tree t = {0};
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOOOKnndOOOOO", o, o + 1, o + 2, o + 3, o + 4, o + 5, o + 6,
                          o + 7, &seed, &t.max_features, &t.n_cuts, &t.min_leaf, o + 8, o + 9,
                          o + 10, o + 11, o + 12))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *codes = hold(&held, o[0], PyBUF_F_CONTIGUOUS, 2, NARROW_CODE, "codes");
    Py_buffer *is_label = hold(&held, o[1], PyBUF_C_CONTIGUOUS, 1, BYTE, "is_label");
    Py_buffer *y = hold_labels(&held, o[2]);
    Py_buffer *rows = hold(&held, o[3], PyBUF_C_CONTIGUOUS, 1, INT32, "rows");
    Py_buffer *weight = hold(&held, o[4], writable, 1, FLOAT64, "weight");
    Py_buffer *outside = hold(&held, o[5], PyBUF_C_CONTIGUOUS, 1, INT32, "outside");
    Py_buffer *grid = hold_floats(&held, o[6], 1, "grid");
    Py_buffer *prior = hold_floats(&held, o[7], 1, "prior");
    Py_buffer *nodes = hold(&held, o[8], writable, 2, INT32, "nodes");
    Py_buffer *labels = hold(&held, o[9], writable, 1, INT32, "labels");
    Py_buffer *path = hold(&held, o[10], writable, 2, FLOAT64, "path");
    Py_buffer *leaf = hold(&held, o[11], writable, 1, INT32, "leaf");
    Py_buffer *importance = hold(&held, o[12], writable, 1, FLOAT64, "importance");
    if (PyErr_Occurred()) return release(&held, NULL);
    idx m = rows->shape[0], n_outside = outside->shape[0];
    t.codes = codes->buf, t.size = codes->itemsize, t.n = codes->shape[0], t.d = codes->shape[1];
    t.q = prior->shape[0], t.is_label = is_label->buf, t.state = seed;
    t.grid = grid->buf, t.n_grid = grid->shape[0], t.path = path->buf;
    t.nodes = nodes->buf, t.leaf = leaf->buf, t.importance = importance->buf;
    if (m < 1 || m > INT32_MAX / 2 || t.n > INT32_MAX || t.d < 1 || t.d > INT32_MAX || t.q < 1 ||
        t.q > INT32_MAX || is_label->shape[0] != t.d || y->shape[0] != t.n ||
        weight->shape[0] != m || labels->shape[0] != m || nodes->shape[0] < 2 * m - 1 ||
        nodes->shape[1] != 3 || t.n_grid > MAX_GRID || path->shape[0] != n_outside ||
        path->shape[1] != t.n_grid || leaf->shape[0] != n_outside || importance->shape[0] != t.d || t.n_cuts < 1 ||
        t.n_cuts > MAX_CUTS || t.max_features < 1 || !(t.min_leaf > 0))
        return fail(&held, "grow_random_tree: shapes or parameters do not fit");
    const int32_t *row = rows->buf, *out_row = outside->buf, *label = y->buf;
    double *w = weight->buf;
    if (!labels_fit(label, 0, t.n, t.q) || !rows_are_in(row, m, t.n) ||
        !rows_are_in(out_row, n_outside, t.n))
        return fail(&held, "grow_random_tree: rows or labels do not fit");
    for (idx i = 0; i < m; i++)
        if (!(w[i] > 0)) return fail(&held, "grow_random_tree: weights must be above 0");
    if (allocate(&t, m, n_outside)) {
        Py_BEGIN_ALLOW_THREADS
        for (idx i = 0; i < m; i++) t.items[i] = (Item){row[i], label[row[i]], w[i]};
        for (idx i = 0; i < n_outside; i++) {
            t.outside[i] = (Outside){out_row[i], label[out_row[i]], (int32_t)i};
            for (idx g = 0; g < t.n_grid; g++)
                t.path[i * t.n_grid + g] = ((const double *)prior->buf)[label[out_row[i]]];
        }
        for (idx c = 0; c < t.q; c++) t.slot_of[c] = -1;
        memset(t.bucket_of, 255, sizeof(uint16_t) * (GAP + 1));
        for (idx j = 0; j < t.d; j++) t.columns[j] = j;
        grow(&t, m, n_outside);
        for (idx i = 0; i < m; i++) {
            ((int32_t *)labels->buf)[i] = t.items[i].label;
            w[i] = t.items[i].weight;
        }
        Py_END_ALLOW_THREADS
        result = Py_BuildValue("nn", t.n_nodes, t.n_leaves);
    } else
        PyErr_NoMemory();
    free_all(&t);
    return release(&held, result);
}
