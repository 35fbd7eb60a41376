/* Conditional mutual information of all pairs of columns, from their counts. */

#include "_native.h"

typedef struct {
    const double *table; /* (state, state, class), as count_pairs fills it */
    const int64_t *offset;
    idx total, q;
    double negligible;
    double *margins; /* counts of (a, c), of (b, c) and of c */
} Counts;

/* sum p(a, b, c) log2( p(a, b, c) p(c) / (p(a, c) p(b, c)) ) over rows with both values.
   The ratio is computed from products of counts, which are exact: independent columns have
   exactly zero information. */
static double information(const Counts *t, idx i, idx j)
{
    idx q = t->q, n_a = t->offset[i + 1] - t->offset[i], n_b = t->offset[j + 1] - t->offset[j];
    double *of_a = t->margins, *of_b = of_a + n_a * q, *of_class = of_b + n_b * q, n = 0, bits = 0;
    memset(t->margins, 0, sizeof(double) * (size_t)((n_a + n_b + 1) * q));
    for (idx a = 0; a < n_a; a++)
        for (idx b = 0; b < n_b; b++) {
            const double *counts = t->table + ((t->offset[i] + a) * t->total + t->offset[j] + b) * q;
            for (idx c = 0; c < q; c++) {
                of_a[a * q + c] += counts[c];
                of_b[b * q + c] += counts[c];
            }
        }
    for (idx a = 0; a < n_a; a++)
        for (idx c = 0; c < q; c++) {
            of_class[c] += of_a[a * q + c];
            n += of_a[a * q + c];
        }
    double least = t->negligible * n * n;
    for (idx a = 0; a < n_a; a++)
        for (idx b = 0; b < n_b; b++) {
            const double *counts = t->table + ((t->offset[i] + a) * t->total + t->offset[j] + b) * q;
            for (idx c = 0; c < q; c++) {
                double above = counts[c] * of_class[c], below = of_a[a * q + c] * of_b[b * q + c];
                if (above > 0 && below > 0 && above >= least && below >= least && above != below)
                    bits += counts[c] / n * log2(above / below);
            }
        }
    return bits;
}

static int states_fit(const Py_buffer *states, idx total, int64_t *offset, int64_t *most)
{
    const int64_t *n_states = states->buf;
    offset[0] = *most = 0;
    for (idx j = 0; j < states->shape[0]; j++) {
        if (n_states[j] < 0 || n_states[j] > total) return 0;
        offset[j + 1] = offset[j] + n_states[j];
        if (offset[j + 1] > total) return 0;
        *most = n_states[j] > *most ? n_states[j] : *most;
    }
    return offset[states->shape[0]] == total;
}

/* pair_information(table, n_states, negligible, out): out (column, column) in bits. */
PyObject *pair_information(PyObject *self, PyObject *args)
{
    PyObject *table_object, *states_object, *out_object;
    double negligible;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOdO", &table_object, &states_object, &negligible, &out_object))
        return NULL;
    Py_buffer *table = hold_floats(&held, table_object, 3, "table");
    Py_buffer *states = hold_integers(&held, states_object, "n_states");
    Py_buffer *out = hold_out(&held, out_object, 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx d = states->shape[0], total = table->shape[0], q = table->shape[2];
    int64_t most = 0;
    int64_t *offset = malloc(sizeof(int64_t) * ((size_t)d + 1));
    double *margins = NULL;
    if (!offset)
        PyErr_NoMemory();
    else if (table->shape[1] != total || out->shape[0] != d || out->shape[1] != d ||
             !states_fit(states, total, offset, &most))
        PyErr_SetString(PyExc_ValueError, "pair_information: shapes do not fit");
    else if (!(margins = malloc(sizeof(double) * (size_t)(2 * most + 1) * (size_t)(q + 1))))
        PyErr_NoMemory();
    else {
        Counts counts = {table->buf, offset, total, q, negligible, margins};
        Py_BEGIN_ALLOW_THREADS
        double *bits = out->buf;
        for (idx i = 0; i < d; i++) {
            bits[i * d + i] = 0;
            for (idx j = i + 1; j < d; j++) bits[i * d + j] = bits[j * d + i] = information(&counts, i, j);
        }
        Py_END_ALLOW_THREADS
    }
    free(offset);
    free(margins);
    return release(&held, Py_None);
}
