/* Sums of rows of numbers by the slots of their codes: the transpose of the look-ups. */

#include "slots.h"

#define DEFINE_ADD(C)                                                                          \
    static void add_##C(const void *codes, idx stride, idx k, const int64_t *offset, idx n,    \
                        idx q, double *out, double *values)                                    \
    {                                                                                          \
        const C *p = codes;                                                                    \
        out += offset[0] * q;                                                                  \
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
    SlotArguments a;
    if (!hold_slot_arguments(&a, args, "values")) return release(&a.held, NULL);
    if (!slot_shapes_fit(&a, a.out, a.given))
        return fail(&a.held, "add_to_slots: shapes or offsets do not fit");
    int fits;
    Py_BEGIN_ALLOW_THREADS
    fits = over_slots(&a, a.out->buf, a.given->buf, 1, PICK_CODE(add, a.codes->itemsize));
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_to_slots: a code is out of range");
    return release(&a.held, Py_None);
}
