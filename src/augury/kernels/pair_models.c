/* Predictions of models in which every column stands beside all others. */

#include <float.h>

#include "_native.h"

/* Rows whose slots are found at once, and rows that are summed at once. */
enum { ROWS = 64, FOUR = 4 };

/* slots[r, j] = q (offset[j] + code of column j in row start + r); 0 if a code is out of range. */
#define DEFINE_TO_SLOTS(C)                                                                     \
    static int to_slots_##C(const void *codes, idx n, idx d, idx start, idx rows,              \
                            idx q, const int64_t *offset, int64_t *slots)                      \
    {                                                                                          \
        for (idx j = 0; j < d; j++) {                                                          \
            const C *p = (const C *)codes + j * n + start;                                     \
            for (idx r = 0; r < rows; r++) {                                                   \
                if ((int64_t)p[r] >= offset[j + 1] - offset[j]) return 0;                      \
                slots[r * d + j] = q * (offset[j] + (int64_t)p[r]);                            \
            }                                                                                  \
        }                                                                                      \
        return 1;                                                                              \
    }
EACH_CODE(DEFINE_TO_SLOTS)

/* out[r, c] = sum over the columns i != j of from[r][slot of i in row r, c], in the order of the
   columns. The sums of several rows are independent, so that they need not wait for each other;
   `slots` has d numbers for each row, times q. */
#define SUM_OF_FOUR(Q)                                                                         \
    do {                                                                                       \
        double sums[FOUR][Q] = {{0}};                                                          \
        for (idx i = 0; i < d; i++) {                                                          \
            if (i == j) continue;                                                              \
            for (idx r = 0; r < FOUR; r++)                                                     \
                for (idx c = 0; c < Q; c++) sums[r][c] += from[r][slots[r * d + i] + c];       \
        }                                                                                      \
        memcpy(out, sums, sizeof sums);                                                        \
    } while (0)

static void sum_beside(const double *const *from, const int64_t *slots, idx rows, idx d, idx j,
                       idx q, double *out)
{
    if (rows == FOUR && q == 2) {
        SUM_OF_FOUR(2);
        return;
    }
    if (rows == FOUR && q == 3) {
        SUM_OF_FOUR(3);
        return;
    }
    memset(out, 0, sizeof(double) * (size_t)(rows * q));
    for (idx i = 0; i < d; i++) {
        if (i == j) continue;
        for (idx r = 0; r < rows; r++)
            for (idx c = 0; c < q; c++) out[r * q + c] += from[r][slots[r * d + i] + c];
    }
}

typedef struct {
    Buffers held;
    Py_buffer *codes, *blocks, *table, *flags, *offsets, *out;
    idx start, stop, d, q, n_slots;
} PairArguments;

/* The arguments (codes, blocks, table, flags, offsets, out, start, stop) of both kernels; flags
   has one byte for each slot or each column. */
static int hold_pair_arguments(PairArguments *a, PyObject *args, const char *name, int by_slot)
{
    PyObject *codes, *blocks, *table, *flags, *offsets, *out;
    a->held.n = 0;
    if (!PyArg_ParseTuple(args, "OOOOOOnn", &codes, &blocks, &table, &flags, &offsets, &out,
                          &a->start, &a->stop))
        return 0;
    a->codes = hold_codes(&a->held, codes);
    a->blocks = hold_floats(&a->held, blocks, 3, "blocks");
    a->table = hold_floats(&a->held, table, 2, "table");
    a->flags = hold(&a->held, flags, PyBUF_C_CONTIGUOUS, 1, BYTE, "flags");
    a->offsets = hold_offsets(&a->held, offsets);
    a->out = hold_out(&a->held, out, 2);
    if (PyErr_Occurred()) return 0;
    idx n = a->codes->shape[0];
    a->d = a->codes->shape[1];
    a->q = a->out->shape[1];
    const int64_t *offset = a->offsets->buf;
    if (a->offsets->shape[0] != a->d + 1 || !offsets_fit(offset, a->d) ||
        !rows_fit(a->start, a->stop, n) || a->out->shape[0] != n) {
        PyErr_Format(PyExc_ValueError, "%s: rows or offsets do not fit", name);
        return 0;
    }
    a->n_slots = offset[a->d];
    if (a->blocks->shape[0] != a->n_slots || a->blocks->shape[1] != a->n_slots ||
        a->blocks->shape[2] != a->q || a->table->shape[0] != a->n_slots ||
        a->table->shape[1] != a->q || a->flags->shape[0] != (by_slot ? a->n_slots : a->d)) {
        PyErr_Format(PyExc_ValueError, "%s: shapes do not fit", name);
        return 0;
    }
    return 1;
}

/* sums[r, c] = sum over i != j of blocks[slot of j, slot of i, c] for each row r. */
static void sum_blocks(const PairArguments *a, const int64_t *slots, idx rows, idx j, double *sums)
{
    const double *from[FOUR];
    for (idx r = 0; r < rows; r++) from[r] = (const double *)a->blocks->buf + slots[r * a->d + j] * a->n_slots;
    sum_beside(from, slots, rows, a->d, j, a->q, sums);
}

static double log_mean_exp(const double *terms, idx n, idx step)
{
    double most = -INFINITY, sum = 0;
    for (idx k = 0; k < n; k++) most = terms[k * step] > most ? terms[k * step] : most;
    for (idx k = 0; k < n; k++) sum += exp(terms[k * step] - most);
    return n ? most + log(sum) - log((double)n) : -INFINITY;
}

/* Of each row: the log of the mean over the counted columns j of
   exp(table[slot of j, c] + sum over i != j of blocks[slot of j, slot of i, c]); -inf if none.
   `terms` has room for (d + 1) numbers of each row and class. */
static void means_of_rows(const PairArguments *a, const int64_t *slots, idx rows, double *terms, double *out)
{
    idx q = a->q, d = a->d, n_terms[FOUR] = {0};
    const unsigned char *counted = a->flags->buf;
    double *sums = terms + FOUR * d * q;
    for (idx j = 0; j < d; j++) {
        sum_blocks(a, slots, rows, j, sums);
        for (idx r = 0; r < rows; r++) {
            idx slot = slots[r * d + j];
            if (!counted[slot / q]) continue;
            double *term = terms + (r * d + n_terms[r]++) * q;
            for (idx c = 0; c < q; c++) term[c] = sums[r * q + c] + ((const double *)a->table->buf)[slot + c];
        }
    }
    for (idx r = 0; r < rows; r++)
        for (idx c = 0; c < q; c++) out[r * q + c] = log_mean_exp(terms + r * d * q + c, n_terms[r], q);
}

/* Of each row: out[c] += sum over the columns j of log f, at least the smallest normal number;
   f is the sum over i != j of blocks[slot of j, slot of i, c] if the column is flagged, else
   table[slot of j, c], and 1 if the column is left out. */
static void add_logs_of_rows(const PairArguments *a, const int64_t *slots, idx rows, double *sums, double *out)
{
    idx q = a->q, d = a->d;
    const unsigned char *flagged = a->flags->buf;
    const int64_t *offset = a->offsets->buf;
    for (idx j = 0; j < d; j++) {
        if (flagged[j]) sum_blocks(a, slots, rows, j, sums);
        for (idx r = 0; r < rows; r++) {
            idx slot = slots[r * d + j];
            if (slot == q * (offset[j + 1] - 1)) continue; /* left out */
            const double *factor = flagged[j] ? sums + r * q : (const double *)a->table->buf + slot;
            for (idx c = 0; c < q; c++) out[r * q + c] += log(factor[c] < DBL_MIN ? DBL_MIN : factor[c]);
        }
    }
}

typedef void (*RowFunction)(const PairArguments *, const int64_t *, idx, double *, double *);

static PyObject *over_pair_rows(PyObject *args, const char *name, int by_slot, RowFunction work)
{
    PairArguments a;
    if (!hold_pair_arguments(&a, args, name, by_slot)) return release(&a.held, NULL);
    idx n = a.codes->shape[0], size = a.codes->itemsize;
    int64_t *slots = malloc(sizeof(int64_t) * ROWS * (size_t)(a.d + 1));
    double *terms = malloc(sizeof(double) * FOUR * (size_t)(a.d + 1) * (size_t)(a.q + 1));
    int fits = 1;
    if (!slots || !terms)
        PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        for (idx b = a.start; b < a.stop && fits; b += ROWS) {
            idx rows = a.stop - b < ROWS ? a.stop - b : ROWS;
            fits = PICK_CODE(to_slots, size)(a.codes->buf, n, a.d, b, rows, a.q, a.offsets->buf, slots);
            for (idx r = 0; r < rows && fits; r += FOUR)
                work(&a, slots + r * a.d, rows - r < FOUR ? rows - r : FOUR, terms,
                     (double *)a.out->buf + (b + r) * a.q);
        }
        Py_END_ALLOW_THREADS
    }
    free(slots);
    free(terms);
    if (!fits) PyErr_Format(PyExc_ValueError, "%s: a code is out of range", name);
    return release(&a.held, Py_None);
}

/* log_mean_over_parents(codes, blocks, parents, counted, offsets, out, start, stop) */
PyObject *log_mean_over_parents(PyObject *self, PyObject *args)
{
    return over_pair_rows(args, "log_mean_over_parents", 1, means_of_rows);
}

/* add_log_shares(codes, blocks, alone, has_parents, offsets, out, start, stop) */
PyObject *add_log_shares(PyObject *self, PyObject *args)
{
    return over_pair_rows(args, "add_log_shares", 0, add_logs_of_rows);
}
