/* Predictions of models in which every column stands beside all others. */

#include <float.h>

#include "_native.h"

/* Rows whose slots are found at once. */
enum { ROWS = 64 };

/* slots[r, j] = offset[j] + code of column j in row start + r; 0 if a code is out of range. */
#define DEFINE_TO_SLOTS(C)                                                                     \
    static int to_slots_##C(const void *codes, idx n, idx d, idx start, idx rows,              \
                            const int64_t *offset, int64_t *slots)                             \
    {                                                                                          \
        for (idx j = 0; j < d; j++) {                                                          \
            const C *p = (const C *)codes + j * n + start;                                     \
            for (idx r = 0; r < rows; r++) {                                                   \
                if ((int64_t)p[r] >= offset[j + 1] - offset[j]) return 0;                      \
                slots[r * d + j] = offset[j] + (int64_t)p[r];                                  \
            }                                                                                  \
        }                                                                                      \
        return 1;                                                                              \
    }
EACH_CODE(DEFINE_TO_SLOTS)

/* out[c] = sum over the columns i != j of from[slot of i, c], in the order of the columns. */
static void sum_beside(const double *from, const int64_t *slots, idx d, idx j, idx q, double *out)
{
    if (q == 2) {
        double first = 0, second = 0;
        for (idx i = 0; i < d; i++)
            if (i != j) {
                first += from[slots[i] * 2];
                second += from[slots[i] * 2 + 1];
            }
        out[0] = first;
        out[1] = second;
        return;
    }
    for (idx c = 0; c < q; c++) out[c] = 0;
    for (idx i = 0; i < d; i++)
        if (i != j)
            for (idx c = 0; c < q; c++) out[c] += from[slots[i] * q + c];
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

/* Of one row: the log of the mean over the counted columns j of
   exp(table[slot of j, c] + sum over i != j of blocks[slot of j, slot of i, c]); -inf if none. */
static void mean_of_row(const PairArguments *a, const int64_t *slots, double *terms, double *out)
{
    idx q = a->q, n_terms = 0;
    const unsigned char *counted = a->flags->buf;
    for (idx j = 0; j < a->d; j++) {
        if (!counted[slots[j]]) continue;
        double *term = terms + n_terms++ * q;
        const double *own = (const double *)a->table->buf + slots[j] * q;
        sum_beside((const double *)a->blocks->buf + slots[j] * a->n_slots * q, slots, a->d, j, q, term);
        for (idx c = 0; c < q; c++) term[c] += own[c];
    }
    for (idx c = 0; c < q; c++) {
        double most = -INFINITY, sum = 0;
        for (idx k = 0; k < n_terms; k++) most = terms[k * q + c] > most ? terms[k * q + c] : most;
        for (idx k = 0; k < n_terms; k++) sum += exp(terms[k * q + c] - most);
        out[c] = n_terms ? most + log(sum) - log((double)n_terms) : -INFINITY;
    }
}

/* Of one row: out[c] += sum over the columns j of log f, at least the smallest normal number;
   f is the sum over i != j of blocks[slot of j, slot of i, c] if the column is flagged, else
   table[slot of j, c], and 1 if the column is left out. */
static void add_logs_of_row(const PairArguments *a, const int64_t *slots, double *sums, double *out)
{
    idx q = a->q;
    const unsigned char *flagged = a->flags->buf;
    const int64_t *offset = a->offsets->buf;
    for (idx j = 0; j < a->d; j++) {
        if (slots[j] == offset[j + 1] - 1) continue; /* left out */
        const double *factor = (const double *)a->table->buf + slots[j] * q;
        if (flagged[j]) {
            sum_beside((const double *)a->blocks->buf + slots[j] * a->n_slots * q, slots, a->d, j, q, sums);
            factor = sums;
        }
        for (idx c = 0; c < q; c++) out[c] += log(factor[c] < DBL_MIN ? DBL_MIN : factor[c]);
    }
}

typedef void (*RowFunction)(const PairArguments *, const int64_t *, double *, double *);

static PyObject *over_pair_rows(PyObject *args, const char *name, int by_slot, RowFunction work)
{
    PairArguments a;
    if (!hold_pair_arguments(&a, args, name, by_slot)) return release(&a.held, NULL);
    idx n = a.codes->shape[0], size = a.codes->itemsize;
    int64_t *slots = malloc(sizeof(int64_t) * ROWS * (size_t)(a.d + 1));
    double *terms = malloc(sizeof(double) * (size_t)(a.d + 1) * (size_t)(a.q + 1));
    int fits = 1;
    if (!slots || !terms)
        PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        for (idx b = a.start; b < a.stop && fits; b += ROWS) {
            idx rows = a.stop - b < ROWS ? a.stop - b : ROWS;
            fits = PICK_CODE(to_slots, size)(a.codes->buf, n, a.d, b, rows, a.offsets->buf, slots);
            for (idx r = 0; r < rows && fits; r++)
                work(&a, slots + r * a.d, terms, (double *)a.out->buf + (b + r) * a.q);
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
    return over_pair_rows(args, "log_mean_over_parents", 1, mean_of_row);
}

/* add_log_shares(codes, blocks, alone, has_parents, offsets, out, start, stop) */
PyObject *add_log_shares(PyObject *self, PyObject *args)
{
    return over_pair_rows(args, "add_log_shares", 0, add_logs_of_row);
}
