/* Counts of class and values of all pairs of columns, and look-ups given one column. */

#include "_native.h"

/* Columns with few states are merged into groups. The code of a group determines one state
   of each member, so that one histogram of two groups holds the counts of all pairs between
   their members. One increment replaces four if the columns have five states, and
   twenty-five if they have two. The size of a group is limited, since a histogram must fit
   the first-level cache. */

enum {
    NEAR_CELLS = 4096,   /* a histogram of two lanes in the first-level cache */
    FAR_CELLS = 1 << 16, /* a larger histogram is slower than the table itself */
    MEMBERS = 12,        /* columns of two states: 2^12 = 4096 */
};

typedef struct {
    idx first, n_members, size;    /* columns first … first + n_members - 1 */
    idx slots[MEMBERS];            /* number of slots of each member */
    uint16_t *code, *code_with_class; /* of each row; NULL if the group is too large */
} Group;

typedef struct {
    const char *codes;
    idx size, n, d, q, start, stop;
    const int64_t *n_states;
    int64_t *offset; /* first state of each column in the table */
    const int32_t *y;
    const double *w;
    double *out;
    void *histogram;
} Pairs;

static inline uint32_t code_at(const Pairs *t, idx row, idx column)
{
    const char *p = t->codes + (column * t->n + row) * t->size;
    return t->size == 1 ? *(const uint8_t *)p : t->size == 2 ? *(const uint16_t *)p : *(const uint32_t *)p;
}

/* The class counts of state a of column i beside state b of column j. */
static inline double *cell(const Pairs *t, idx i, idx a, idx j, idx b)
{
    return t->out + ((t->offset[i] + a) * t->offset[t->d] + t->offset[j] + b) * t->q;
}

static idx slots_of(const Pairs *t, idx column)
{
    const char *p = t->codes + (column * t->n + t->start) * t->size;
    uint32_t states = (uint32_t)t->n_states[column];
    /* The slot of "left out" is needed only if it occurs. */
    return states && PICK_CODE(largest, t->size)(p, t->stop - t->start, states - 1) ? states : (idx)states + 1;
}

static idx make_groups(const Pairs *t, Group *groups)
{
    idx rows = t->stop - t->start, n_groups = 0;
    /* A histogram of few rows is not worthwhile. */
    double cells = rows < NEAR_CELLS ? 1 : NEAR_CELLS;
    idx largest = (idx)sqrt(cells / (double)t->q);
    for (idx j = 0; j < t->d; j++) {
        idx slots = slots_of(t, j);
        Group *last = n_groups ? groups + n_groups - 1 : NULL;
        if (last && last->n_members < MEMBERS && last->size * slots <= largest) {
            last->slots[last->n_members++] = slots;
            last->size *= slots;
        } else {
            groups[n_groups++] = (Group){.first = j, .n_members = 1, .size = slots, .slots = {slots}};
        }
    }
    return n_groups;
}

static int code_group(const Pairs *t, Group *g)
{
    idx rows = t->stop - t->start;
    if (g->size * t->q > FAR_CELLS || rows < NEAR_CELLS) return 0;
    g->code = malloc(sizeof(uint16_t) * (size_t)rows);
    g->code_with_class = malloc(sizeof(uint16_t) * (size_t)rows);
    if (!g->code || !g->code_with_class) return -1;
    memset(g->code, 0, sizeof(uint16_t) * (size_t)rows);
    for (idx m = 0; m < g->n_members; m++)
        for (idx i = 0; i < rows; i++)
            g->code[i] = (uint16_t)(g->code[i] * g->slots[m] + code_at(t, t->start + i, g->first + m));
    for (idx i = 0; i < rows; i++)
        g->code_with_class[i] = (uint16_t)(g->code[i] * t->q + t->y[t->start + i]);
    return 0;
}

/* The state of each member in the code of a group. */
static void split_code(const Group *g, idx code, idx *states)
{
    for (idx m = g->n_members - 1; m >= 0; m--) {
        states[m] = code % g->slots[m];
        code /= g->slots[m];
    }
}

/* Add the class counts of one cell to all pairs of columns between two groups or, if a is b,
   within one group, including each column with itself. */
static void add_cell(const Pairs *t, const Group *a, const Group *b, const idx *in_a,
                     const idx *in_b, const double *counts)
{
    for (idx m = 0; m < a->n_members; m++)
        for (idx k = a == b ? m : 0; k < b->n_members; k++) {
            idx i = a->first + m, j = b->first + k;
            if (in_a[m] == t->n_states[i] || in_b[k] == t->n_states[j]) continue; /* left out */
            double *there = cell(t, i, in_a[m], j, in_b[k]), *back = cell(t, j, in_b[k], i, in_a[m]);
            for (idx c = 0; c < t->q; c++) {
                there[c] += counts[c];
                if (i != j) back[c] += counts[c];
            }
        }
}

/* Add the counts of a histogram to the table. */
static void add_histogram(const Pairs *t, const Group *a, const Group *b, idx lanes, idx cells)
{
    idx q = t->q, in_a[MEMBERS], in_b[MEMBERS];
    idx per_a = a == b ? 1 : b->size;
    double *counts = (double *)t->histogram + (t->w ? cells : lanes * cells / 2 + 1);
    for (idx x = 0; x < a->size; x++) {
        split_code(a, x, in_a);
        for (idx z = 0; z < per_a; z++) {
            idx at = (x * per_a + z) * q;
            double any = 0;
            for (idx c = 0; c < q; c++) {
                if (t->w)
                    counts[c] = ((const double *)t->histogram)[at + c];
                else {
                    const uint32_t *h = t->histogram;
                    counts[c] = (double)h[at + c] + (lanes == 2 ? h[cells + at + c] : 0);
                }
                any += counts[c];
            }
            if (any == 0) continue;
            if (a != b) split_code(b, z, in_b);
            add_cell(t, a, b, in_a, a == b ? in_a : in_b, counts);
        }
    }
}

/* Count all pairs between two groups, or within one, by a histogram of codes and class. */
static void count_groups(const Pairs *t, const Group *a, const Group *b)
{
    idx rows = t->stop - t->start, q = t->q;
    idx stride = b->size * q, cells = a == b ? stride : a->size * stride;
    idx lanes = cells <= NEAR_CELLS ? 2 : 1;
    const uint16_t *with_class = b->code_with_class;
    if (t->w) {
        double *h = t->histogram;
        const double *w = t->w + t->start;
        memset(h, 0, sizeof(double) * (size_t)cells);
        if (a == b)
            for (idx i = 0; i < rows; i++) h[with_class[i]] += w[i];
        else
            for (idx i = 0; i < rows; i++) h[a->code[i] * stride + with_class[i]] += w[i];
    } else {
        /* Two lanes: adjacent rows often fall into the same cell, and an increment would
           wait for the previous store to this cell. */
        uint32_t *h = t->histogram, *odd = h + (lanes == 2 ? cells : 0);
        memset(h, 0, sizeof(uint32_t) * (size_t)(lanes * cells));
        idx i = 0;
        if (a == b) {
            for (; i + 2 <= rows; i += 2) {
                h[with_class[i]]++;
                odd[with_class[i + 1]]++;
            }
            if (i < rows) h[with_class[i]]++;
        } else {
            const uint16_t *code = a->code;
            for (; i + 2 <= rows; i += 2) {
                h[code[i] * stride + with_class[i]]++;
                odd[code[i + 1] * stride + with_class[i + 1]]++;
            }
            if (i < rows) h[code[i] * stride + with_class[i]]++;
        }
    }
    add_histogram(t, a, b, lanes, cells);
}

/* Count two columns row by row in the table: for many states or few rows. */
static void count_directly(const Pairs *t, idx i, idx j)
{
    uint32_t left_out_i = (uint32_t)t->n_states[i], left_out_j = (uint32_t)t->n_states[j];
    for (idx row = t->start; row < t->stop; row++) {
        uint32_t a = code_at(t, row, i), b = code_at(t, row, j);
        if (a == left_out_i || b == left_out_j) continue;
        double w = t->w ? t->w[row] : 1.0;
        cell(t, i, a, j, b)[t->y[row]] += w;
        if (i != j) cell(t, j, b, i, a)[t->y[row]] += w;
    }
}

static int count_all(Pairs *t)
{
    int failed = 0;
    idx n_groups = 0;
    Group *groups = calloc((size_t)t->d, sizeof(Group));
    /* Doubles or two lanes of counters, and the class counts of one cell. */
    t->histogram = malloc(sizeof(double) * ((size_t)FAR_CELLS + (size_t)t->q + 2));
    t->offset = malloc(sizeof(int64_t) * ((size_t)t->d + 1));
    if (!groups || !t->histogram || !t->offset) failed = -1;
    if (!failed) {
        t->offset[0] = 0;
        for (idx j = 0; j < t->d; j++) t->offset[j + 1] = t->offset[j] + t->n_states[j];
        n_groups = make_groups(t, groups);
    }
    for (idx g = 0; g < n_groups && !failed; g++) failed = code_group(t, groups + g);
    for (idx g = 0; g < n_groups && !failed; g++)
        for (idx k = g; k < n_groups; k++) {
            Group *a = groups + g, *b = groups + k;
            idx cells = g == k ? a->size * t->q : a->size * b->size * t->q;
            if (a->code && b->code && cells <= FAR_CELLS && cells <= t->stop - t->start)
                count_groups(t, a, b);
            else
                for (idx m = 0; m < a->n_members; m++)
                    for (idx l = g == k ? m : 0; l < b->n_members; l++)
                        count_directly(t, a->first + m, b->first + l);
        }
    for (idx g = 0; g < n_groups; g++) {
        free(groups[g].code);
        free(groups[g].code_with_class);
    }
    free(groups);
    free(t->histogram);
    free(t->offset);
    return failed;
}

static int codes_fit(const Py_buffer *codes, const int64_t *n_states, idx start, idx stop)
{
    for (idx j = 0; j < codes->shape[1]; j++) {
        const char *p = (const char *)codes->buf + (j * codes->shape[0] + start) * codes->itemsize;
        if (!PICK_CODE(largest, codes->itemsize)(p, stop - start, (uint32_t)n_states[j])) return 0;
    }
    return 1;
}

/* The number of all states, or -1 if the number of a column is negative or too large. */
static idx total_states(const Py_buffer *n_states)
{
    idx total = 0;
    for (idx j = 0; j < n_states->shape[0]; j++) {
        int64_t states = ((const int64_t *)n_states->buf)[j];
        if (states < 0 || states > UINT32_MAX) return -1;
        total += (idx)states;
    }
    return total;
}

/* count_pairs(codes, y, weight or None, n_states, n_classes, out, start, stop)
   out[state of i, state of j, class], in both orders; a column with itself has its own counts. */
PyObject *count_pairs(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *y_object, *w_object, *states_object, *out_object;
    idx q, start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOnOnn", &codes_object, &y_object, &w_object, &states_object, &q,
                          &out_object, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, codes_object);
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *states = hold_integers(&held, states_object, "n_states");
    Py_buffer *out = hold_out(&held, out_object, 3);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1], total = total_states(states);
    if (!rows_fit(start, stop, n)) return fail(&held, "rows out of range");
    if (y->shape[0] != n || (w->buf && w->shape[0] != n) || states->shape[0] != d || total < 0 || q < 1 ||
        n > UINT32_MAX || out->shape[0] != total || out->shape[1] != total || out->shape[2] != q ||
        !labels_fit(y->buf, start, stop, q) || !codes_fit(codes, states->buf, start, stop))
        return fail(&held, "count_pairs: shapes, codes or labels do not fit");
    Pairs pairs = {.codes = codes->buf, .size = codes->itemsize, .n = n, .d = d, .q = q,
                   .start = start, .stop = stop, .n_states = states->buf, .y = y->buf, .w = w->buf,
                   .out = out->buf};
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = d && stop > start ? count_all(&pairs) : 0;
    Py_END_ALLOW_THREADS
    if (failed) PyErr_NoMemory();
    return release(&held, Py_None);
}

/* ---- look-ups ------------------------------------------------------------------------ */

#define DEFINE_LOOK_UP(C)                                                                      \
    static void look_up_##C(const void *codes, const double *const *from, idx n, idx q,        \
                            idx offset, double *out)                                           \
    {                                                                                          \
        const C *p = codes;                                                                    \
        if (q == 2)                                                                            \
            for (idx i = 0; i < n; i++, out += 2) {                                            \
                const double *t = from[i] + (offset + (idx)p[i]) * 2;                          \
                out[0] += t[0];                                                                \
                out[1] += t[1];                                                                \
            }                                                                                  \
        else if (q == 3)                                                                       \
            for (idx i = 0; i < n; i++, out += 3) {                                            \
                const double *t = from[i] + (offset + (idx)p[i]) * 3;                          \
                out[0] += t[0];                                                                \
                out[1] += t[1];                                                                \
                out[2] += t[2];                                                                \
            }                                                                                  \
        else                                                                                   \
            for (idx i = 0; i < n; i++, out += q) {                                            \
                const double *t = from[i] + (offset + (idx)p[i]) * q;                          \
                for (idx c = 0; c < q; c++) out[c] += t[c];                                    \
            }                                                                                  \
    }
EACH_CODE(DEFINE_LOOK_UP)

static idx code_of(const Py_buffer *codes, idx row, idx column)
{
    const char *p = (const char *)codes->buf + (column * codes->shape[0] + row) * codes->itemsize;
    return codes->itemsize == 1   ? *(const uint8_t *)p
           : codes->itemsize == 2 ? *(const uint16_t *)p
                                  : (idx) * (const uint32_t *)p;
}

/* add_pair_factors(codes, column, block, offsets, out, start, stop)
   out[row, c] += sum over columns j of block[code of `column`, offsets[j] + code of j, c] */
PyObject *add_pair_factors(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *block_object, *offsets_object, *out_object;
    idx column, start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OnOOOnn", &codes_object, &column, &block_object, &offsets_object,
                          &out_object, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, codes_object);
    Py_buffer *block = hold_floats(&held, block_object, 3, "block");
    Py_buffer *offsets = hold_offsets(&held, offsets_object);
    Py_buffer *out = hold_out(&held, out_object, 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1], q = block->shape[2], size = codes->itemsize;
    const int64_t *offset = offsets->buf;
    if (!rows_fit(start, stop, n)) return fail(&held, "rows out of range");
    if (column < 0 || column >= d || out->shape[0] != n || out->shape[1] != q ||
        offsets->shape[0] != d + 1 || !offsets_fit(offset, d) || block->shape[1] != offset[d] ||
        block->shape[0] != offset[column + 1] - offset[column])
        return fail(&held, "add_pair_factors: shapes or offsets do not fit");
    int fits = 1;
    idx width = block->shape[1] * q;
    Py_BEGIN_ALLOW_THREADS
    const double *from[BLOCK];
    for (idx b = start; b < stop && fits; b += BLOCK) {
        idx rows = stop - b < BLOCK ? stop - b : BLOCK;
        const char *own = (const char *)codes->buf + (column * n + b) * size;
        fits = PICK_CODE(largest, size)(own, rows, (uint32_t)(block->shape[0] - 1));
        for (idx i = 0; i < rows && fits; i++)
            from[i] = (const double *)block->buf + code_of(codes, b + i, column) * width;
        for (idx j = 0; j < d && fits; j++) {
            const char *other = (const char *)codes->buf + (j * n + b) * size;
            if (j == column) continue;
            fits = PICK_CODE(largest, size)(other, rows, (uint32_t)(offset[j + 1] - offset[j] - 1));
            if (fits)
                PICK_CODE(look_up, size)(other, from, rows, q, offset[j], (double *)out->buf + b * q);
        }
    }
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_pair_factors: a code is out of range");
    return release(&held, Py_None);
}
