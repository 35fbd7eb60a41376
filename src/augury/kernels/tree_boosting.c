/* Gradient boosting of small trees on the logistic or softmax loss (Friedman 2001; histograms and
   growth by leaves as in LightGBM, Ke et al. 2017). */

#include "boosted_gradients.h"

typedef struct {
    Booster b;
    Gradients g;
    double *scores, *gains; /* scores: (class, row) */
    idx k, n_inside, n_outside, max_leaves, max_features; /* k: trees of a round */
    double rate;
    uint64_t state;
    BoostedNode *nodes;
    float *values;
    uint32_t *bits;
    int64_t *ends;
    idx n_nodes, n_values, n_bits;
} Boosting;

/* ---- growth -------------------------------------------------------------------------------- */

static inline int leaf_sends_left(const Leaf *leaf, int is_label, int32_t code, int32_t gap)
{
    if (code == gap) return leaf->gaps_go_left;
    return is_label ? (int)(leaf->bits[code / 32] >> code % 32 & 1) : code <= leaf->cut;
}

/* Move the rows that go left before the others, in their order; return the ends of both parts. */
static idx divide(Booster *b, idx first, idx stop, const Leaf *leaf)
{
    idx to = first, n_others = 0, j = leaf->column, d = b->d;
    int32_t gap = (int32_t)(b->offset[j + 1] - b->offset[j] - 1);
    uint8_t left_of[256];
    for (int32_t code = 0; code <= gap; code++)
        left_of[code] = (uint8_t)leaf_sends_left(leaf, b->is_label[j], code, gap);
    for (idx i = first; i < stop; i++) {
        int32_t row = b->rows[i];
        int left = left_of[b->codes[row * d + j]];
        b->rows[to] = row;
        b->scratch[n_others] = row;
        to += left;
        n_others += !left;
    }
    memcpy(b->rows + to, b->scratch, sizeof(int32_t) * (size_t)n_others);
    return to;
}

/* Write the node of a leaf's split, and replace the leaf by its two sides. */
static void split_leaf(Boosting *t, idx at, idx root)
{
    Booster *b = &t->b;
    Leaf leaf = b->leaves[at], left = leaf, right = leaf;
    BoostedNode *node = t->nodes + root + leaf.node;
    *node = (BoostedNode){leaf.column, leaf.cut, (int32_t)(t->n_nodes - root)};
    if (b->is_label[leaf.column]) {
        uint32_t *bits = t->bits + t->n_bits * BITS_WORDS;
        memcpy(bits, leaf.bits, sizeof leaf.bits);
        node->test = SPLITS_LABELS | (int32_t)t->n_bits++;
    }
    if (leaf.gaps_go_left) node->test |= GAPS_GO_LEFT;
    t->gains[leaf.column] += leaf.gain;
    left.node = node->left, right.node = node->left + 1;
    t->n_nodes += 2;
    right.first = left.stop = divide(b, leaf.first, leaf.stop, &leaf);
    right.out_first = left.out_stop = divide(b, leaf.out_first, leaf.out_stop, &leaf);
    int left_is_smaller = left.stop - left.first <= right.stop - right.first;
    Leaf *smaller = left_is_smaller ? &left : &right, *larger = left_is_smaller ? &right : &left;
    left.sum = leaf.left_sum, right.sum = leaf.sum - leaf.left_sum;
    left.gain = right.gain = 0;
    if (b->n_leaves + 1 < t->max_leaves) {
        smaller->slot = (int32_t)b->n_leaves;
        fill_histogram(b, smaller);
        subtract(histogram_of(b, larger->slot), histogram_of(b, smaller->slot), b->n_bins);
        find_split(b, &left);
        find_split(b, &right);
    }
    b->leaves[at] = left;
    b->leaves[b->n_leaves++] = right;
}

static uint64_t draw(Boosting *t)
{
    uint64_t z = t->state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Choose the columns of a tree, each set with the same probability, in their order. */
static void choose_columns(Boosting *t)
{
    Booster *b = &t->b;
    b->n_chosen = b->n_bins = 0;
    for (idx j = 0; j < b->d; j++) {
        idx wanted = t->max_features - b->n_chosen;
        if (wanted < b->d - j && (idx)(draw(t) >> 33) % (b->d - j) >= wanted) continue;
        b->chosen[b->n_chosen++] = (Chosen){(int32_t)j, (int32_t)b->n_bins};
        b->n_bins += b->offset[j + 1] - b->offset[j];
    }
}

/* Write the histogram and the sums of all rows, and find the first split. */
static void start_tree(Boosting *t, idx u)
{
    Booster *b = &t->b;
    choose_columns(t);
    if (t->g.shared)
        copy_shared(b, &t->g, u);
    else
        fill_histogram(b, b->leaves);
    idx first = b->chosen[0].column; /* each row has one code of it */
    for (idx code = 0; code < b->offset[first + 1] - b->offset[first]; code++)
        b->leaves[0].sum += b->histograms[code];
    find_split(b, b->leaves);
}

/* Grow the tree of class c, which is class u of its group. */
static void grow_tree(Boosting *t, idx c, idx u, int has_gradients)
{
    Booster *b = &t->b;
    idx root = t->n_nodes++;
    double *scores = t->scores + c * b->n;
    b->n_leaves = 1;
    b->leaves[0] = (Leaf){.stop = t->n_inside, .out_first = t->n_inside,
                          .out_stop = t->n_inside + t->n_outside};
    if (has_gradients) start_tree(t, u);
    while (b->n_leaves < t->max_leaves) {
        idx best = 0;
        for (idx i = 1; i < b->n_leaves; i++)
            if (b->leaves[i].gain > b->leaves[best].gain) best = i;
        if (!(b->leaves[best].gain > 0)) break;
        split_leaf(t, best, root);
    }
    for (idx i = 0; i < b->n_leaves; i++) {
        const Leaf *leaf = b->leaves + i;
        Pair all = has_gradients ? value_of(b, leaf->sum) : (Pair){0, 0};
        double step = has_gradients ? -t->rate * all.gradient / (all.hessian + b->l2) : 0;
        float value = (float)step;
        t->nodes[root + leaf->node] = (BoostedNode){-1, 0, (int32_t)t->n_values};
        t->values[t->n_values++] = value;
        for (idx r = leaf->first; r < leaf->stop; r++) scores[b->rows[r]] += value;
        for (idx r = leaf->out_first; r < leaf->out_stop; r++) scores[b->rows[r]] += value;
    }
    *t->ends++ = t->n_nodes;
}

/* Grow the trees of some classes, which form a group. */
static void grow_group(Boosting *t, const int32_t *rows, idx first, idx some)
{
    Booster *b = &t->b;
    Sum *of_rows = b->of_row;
    Pair unit[MAX_GROUP] = {{0, 0}};
    write_sums(&t->g, first, some, of_rows, b->n, unit);
    if (t->g.shared) fill_shared(b, &t->g);
    for (idx u = 0; u < some; u++) {
        memcpy(b->rows, rows, sizeof(int32_t) * (size_t)(t->n_inside + t->n_outside));
        b->of_row = of_rows + u * b->n;
        b->unit = unit[u];
        grow_tree(t, first + u, u, has_derivatives(&t->g, first + u));
    }
    b->of_row = of_rows;
}

static void boost(Boosting *t, const int32_t *rows, idx n_rounds)
{
    for (idx round = 0; round < n_rounds; round++) {
        write_proba(&t->g, t->scores, t->b.n);
        for (idx c = 0; c < t->k; c += t->g.group)
            grow_group(t, rows, c, t->k - c < t->g.group ? t->k - c : t->g.group);
    }
}

/* Copy a table of n × k numbers to one of k × n. */
static void transpose(const double *from, idx n, idx k, double *to)
{
    for (idx first = 0; first < n; first += 16)
        for (idx c = 0; c < k; c++)
            for (idx i = first; i < n && i < first + 16; i++) to[c * n + i] = from[i * k + c];
}

/* ---- arguments ----------------------------------------------------------------------------- */

/* Get the memory, and the scores by class. */
static int allocate(Boosting *t, const int32_t *y, const double *weight, double *scores)
{
    Booster *b = &t->b;
    size_t n = (size_t)b->n + 1, all = (size_t)(t->n_inside + t->n_outside) + 1;
    t->g.n = t->n_inside, t->g.k = t->k;
    if (!allocate_gradients(&t->g, b, y, weight)) return 0;
    b->of_row = malloc(sizeof(Sum) * n * (size_t)t->g.group);
    b->rows = malloc(sizeof(int32_t) * all);
    b->scratch = malloc(sizeof(int32_t) * all);
    b->chosen = malloc(sizeof(Chosen) * (size_t)b->d);
    b->leaves = malloc(sizeof(Leaf) * (size_t)t->max_leaves);
    b->histograms = malloc(sizeof(Sum) * (size_t)(t->max_leaves * b->offset[b->d]));
    t->scores = t->k == 1 ? scores : malloc(sizeof(double) * n * (size_t)t->k);
    return b->of_row && b->rows && b->scratch && b->chosen && b->leaves && b->histograms &&
           t->scores;
}

static void free_all(Boosting *t)
{
    void *all[] = {t->b.of_row, t->b.rows, t->b.scratch, t->b.chosen, t->b.leaves,
                   t->b.histograms, t->k == 1 ? NULL : t->scores};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    free_gradients(&t->g);
}

static int offsets_of_bytes_fit(const int64_t *offset, idx d)
{
    if (!offsets_fit(offset, d)) return 0;
    for (idx j = 0; j < d; j++)
        if (offset[j + 1] - offset[j] > MAX_CODES + 1) return 0;
    return 1;
}

static int codes_fit(const uint8_t *codes, idx n, idx d, const int64_t *offset)
{
    for (idx i = 0; i < n; i++)
        for (idx j = 0; j < d; j++)
            if (codes[i * d + j] >= offset[j + 1] - offset[j]) return 0;
    return 1;
}

static int rows_are_in(const int32_t *rows, idx m, idx n)
{
    for (idx i = 0; i < m; i++)
        if (rows[i] < 0 || rows[i] >= n) return 0;
    return 1;
}

static int weights_fit(const double *weight, idx n)
{
    for (idx i = 0; i < n; i++)
        if (!(weight[i] > 0 && weight[i] < 1e300)) return 0;
    return 1;
}

/* boost_trees(codes, offsets, is_label, y, weight, rows, n_inside, scores, n_rounds, max_leaves,
               max_features, learning_rate, l2, label_l2, label_smoothing, min_hessian, seed,
               nodes, values, bits, ends, gains) -> (n_nodes, n_values, n_bits)
   The first n_inside of the rows are learned from; the others go down the trees with them. scores
   (row, 1 or class) are those before the first round and then those after the last. ends are the
   numbers of nodes up to each tree. The gains of the columns are added to gains. */
PyObject *boost_trees(PyObject *self, PyObject *args)
{
    PyObject *o[12], *result = NULL;
    unsigned long long seed;
    Boosting t = {0};
    Booster *b = &t.b;
    Buffers held = {.n = 0};
    idx n_rounds;
    if (!PyArg_ParseTuple(args, "OOOOOOnOnnndddddKOOOO" "O", o, o + 1, o + 2, o + 3, o + 4, o + 5,
                          &t.n_inside, o + 6, &n_rounds, &t.max_leaves, &t.max_features, &t.rate,
                          &b->l2, &b->label_l2, &b->label_smoothing, &b->min_hessian, &seed, o + 7,
                          o + 8, o + 9, o + 10, o + 11))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *codes = hold(&held, o[0], PyBUF_C_CONTIGUOUS, 2, BYTE, "codes");
    Py_buffer *offsets = hold_offsets(&held, o[1]);
    Py_buffer *is_label = hold(&held, o[2], PyBUF_C_CONTIGUOUS, 1, BYTE, "is_label");
    Py_buffer *y = hold_labels(&held, o[3]);
    Py_buffer *weight = hold_floats(&held, o[4], 1, "weight");
    Py_buffer *rows = hold(&held, o[5], PyBUF_C_CONTIGUOUS, 1, INT32, "rows");
    Py_buffer *scores = hold(&held, o[6], writable, 2, FLOAT64, "scores");
    Py_buffer *nodes = hold(&held, o[7], writable, 2, INT32, "nodes");
    Py_buffer *values = hold(&held, o[8], writable, 1, FLOAT32, "values");
    Py_buffer *bits = hold(&held, o[9], writable, 2, INT32, "bits");
    Py_buffer *ends = hold(&held, o[10], writable, 1, INT64, "ends");
    Py_buffer *gains = hold(&held, o[11], writable, 1, FLOAT64, "gains");
    if (PyErr_Occurred()) return release(&held, NULL);
    b->codes = codes->buf, b->n = codes->shape[0], b->d = codes->shape[1];
    b->offset = offsets->buf, b->is_label = is_label->buf;
    t.k = scores->shape[1], t.g.rows = rows->buf;
    t.nodes = nodes->buf, t.values = values->buf, t.bits = bits->buf, t.ends = ends->buf;
    t.gains = gains->buf, t.state = seed, t.n_outside = rows->shape[0] - t.n_inside;
    idx n_trees = ends->shape[0];
    if (b->n > INT32_MAX / 4 || b->d < 1 || b->d > INT32_MAX / 512 || t.k < 1 || t.k == 2 ||
        t.k > INT32_MAX || offsets->shape[0] != b->d + 1 || is_label->shape[0] != b->d ||
        y->shape[0] != b->n || weight->shape[0] != b->n || scores->shape[0] != b->n ||
        t.n_inside < 0 || t.n_outside < 0 || rows->shape[0] > b->n || n_rounds < 0 ||
        t.max_leaves < 2 || t.max_leaves > 4096 || t.max_features < 1 ||
        t.max_features > b->d || n_rounds > 1 << 20 || n_trees != n_rounds * t.k ||
        n_trees > (1 << 28) / t.max_leaves || nodes->shape[0] < n_trees * (2 * t.max_leaves - 1) ||
        nodes->shape[1] != 3 || values->shape[0] < n_trees * t.max_leaves ||
        bits->shape[0] < n_trees * (t.max_leaves - 1) || bits->shape[1] != BITS_WORDS ||
        gains->shape[0] != b->d || !(t.rate > 0) || !(b->l2 >= 0) || !(b->label_l2 >= 0) ||
        !(b->label_smoothing > 0) || !(b->min_hessian > 0))
        return fail(&held, "boost_trees: shapes or parameters do not fit");
    if (!offsets_of_bytes_fit(b->offset, b->d) || !codes_fit(b->codes, b->n, b->d, b->offset) ||
        !labels_fit(y->buf, 0, b->n, t.k == 1 ? 2 : t.k) ||
        !rows_are_in(rows->buf, rows->shape[0], b->n) || !weights_fit(weight->buf, b->n))
        return fail(&held, "boost_trees: offsets, codes, labels, rows or weights do not fit");
    if (allocate(&t, y->buf, weight->buf, scores->buf)) {
        Py_BEGIN_ALLOW_THREADS
        if (t.k > 1) transpose(scores->buf, b->n, t.k, t.scores);
        boost(&t, rows->buf, n_rounds);
        if (t.k > 1) transpose(t.scores, t.k, b->n, scores->buf);
        Py_END_ALLOW_THREADS
        result = Py_BuildValue("nnn", t.n_nodes, t.n_values, t.n_bits);
    } else
        PyErr_NoMemory();
    free_all(&t);
    return release(&held, result);
}
