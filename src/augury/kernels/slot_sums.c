/* Sums of rows of numbers by the slots that their codes name: the look-ups turned round. */

#include "_native.h"

#define DEFINE_ADD(C)                                                                          \
    static void add_##C(const void *codes, idx n, idx q, const double *values, double *out)    \
    {                                                                                          \
        const C *p = codes;                                                                    \
        if (q == 1)                                                                            \
            for (idx i = 0; i < n; i++) out[p[i]] += values[i];                                \
        else if (q == 2)                                                                       \
            for (idx i = 0; i < n; i++, values += 2) {                                         \
                double *t = out + (idx)p[i] * 2;                                               \
                t[0] += values[0];                                                             \
                t[1] += values[1];                                                             \
            }                                                                                  \
        else if (q == 3)                                                                       \
            for (idx i = 0; i < n; i++, values += 3) {                                         \
                double *t = out + (idx)p[i] * 3;                                               \
                t[0] += values[0];                                                             \
                t[1] += values[1];                                                             \
                t[2] += values[2];                                                             \
            }                                                                                  \
        else                                                                                   \
            for (idx i = 0; i < n; i++, values += q) {                                         \
                double *t = out + (idx)p[i] * q;                                               \
                for (idx c = 0; c < q; c++) t[c] += values[c];                                 \
            }                                                                                  \
    }
EACH_CODE(DEFINE_ADD)

/* add_to_slots(codes, values, offsets, out, start, stop)
   out[offsets[j] + codes[i, j], c] += values[i, c] for all rows i and columns j. */
PyObject *add_to_slots(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *values_object, *offsets_object, *out_object;
    idx start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOnn", &codes_object, &values_object, &offsets_object,
                          &out_object, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, codes_object);
    Py_buffer *values = hold(&held, values_object, PyBUF_C_CONTIGUOUS, 2, FLOAT64, "values");
    Py_buffer *offsets = hold_offsets(&held, offsets_object);
    Py_buffer *out = hold(&held, out_object, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 2, FLOAT64, "out");
    if (PyErr_Occurred()) return let_go(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1], q = values->shape[1], size = codes->itemsize;
    const int64_t *offset = offsets->buf;
    if (!rows_fit(start, stop, n)) return refuse(&held, "rows out of range");
    if (values->shape[0] != n || out->shape[1] != q || offsets->shape[0] != d + 1 ||
        !offsets_fit(offset, d) || out->shape[0] != offset[d])
        return refuse(&held, "add_to_slots: shapes or offsets do not fit");
    int fits = 1;
    Py_BEGIN_ALLOW_THREADS
    for (idx b = start; b < stop && fits; b += BLOCK) {
        idx rows = stop - b < BLOCK ? stop - b : BLOCK;
        for (idx j = 0; j < d && fits; j++) {
            const char *column = (const char *)codes->buf + (j * n + b) * size;
            fits = PICK_CODE(largest, size)(column, rows, (uint32_t)(offset[j + 1] - offset[j] - 1));
            if (fits)
                PICK_CODE(add, size)(column, rows, q, (const double *)values->buf + b * q,
                                     (double *)out->buf + offset[j] * q);
        }
    }
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_to_slots: a code is out of range");
    return let_go(&held, Py_None);
}
