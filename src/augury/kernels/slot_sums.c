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
    Py_buffer codes, values, offsets, out;
    if (!PyArg_ParseTuple(args, "OOOOnn", &codes_object, &values_object, &offsets_object,
                          &out_object, &start, &stop))
        return NULL;
    if (get_buffer(codes_object, &codes, PyBUF_F_CONTIGUOUS, 2, CODE, "codes") < 0) return NULL;
    if (get_buffer(values_object, &values, PyBUF_C_CONTIGUOUS, 2, FLOAT64, "values") < 0)
        goto release_codes;
    if (get_buffer(offsets_object, &offsets, PyBUF_C_CONTIGUOUS, 1, INT64, "offsets") < 0)
        goto release_values;
    if (get_buffer(out_object, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 2, FLOAT64, "out") < 0)
        goto release_offsets;
    idx n = codes.shape[0], d = codes.shape[1], q = values.shape[1], size = codes.itemsize;
    const int64_t *offset = offsets.buf;
    if (check_rows(start, stop, n) < 0) goto release_out;
    if (values.shape[0] != n || out.shape[1] != q || offsets.shape[0] != d + 1 ||
        !offsets_fit(offset, d) || out.shape[0] != offset[d]) {
        PyErr_SetString(PyExc_ValueError, "add_to_slots: shapes or offsets do not fit");
        goto release_out;
    }
    int fits = 1;
    Py_BEGIN_ALLOW_THREADS
    for (idx b = start; b < stop && fits; b += BLOCK) {
        idx rows = stop - b < BLOCK ? stop - b : BLOCK;
        for (idx j = 0; j < d && fits; j++) {
            const char *column = (const char *)codes.buf + (j * n + b) * size;
            fits = PICK_CODE(largest, size)(column, rows, (uint32_t)(offset[j + 1] - offset[j] - 1));
            if (fits)
                PICK_CODE(add, size)(column, rows, q, (const double *)values.buf + b * q,
                                     (double *)out.buf + offset[j] * q);
        }
    }
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_to_slots: a code is out of range");
release_out:
    PyBuffer_Release(&out);
release_offsets:
    PyBuffer_Release(&offsets);
release_values:
    PyBuffer_Release(&values);
release_codes:
    PyBuffer_Release(&codes);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}
