/* Sums of rows of numbers by the slots of their codes: the transpose of the look-ups. */

#include "slots.h"
#include "wide_loops.h"

/* Add some classes of a row of values to a slot: all are read before one is written, so that several
   of them may be added at once. */
#define ADD_CLASSES(SLOT, SOME)                                                                \
    {                                                                                          \
        double sums[SOME];                                                                     \
        for (idx u = 0; u < SOME; u++) sums[u] = (SLOT)[c + u] + values[c + u];                \
        for (idx u = 0; u < SOME; u++) (SLOT)[c + u] = sums[u];                                \
    }
#define ADD_TO_FOUR(SOME)                                                                      \
    {                                                                                          \
        ADD_CLASSES(a, SOME) ADD_CLASSES(b, SOME) ADD_CLASSES(d, SOME) ADD_CLASSES(e, SOME)    \
    }
#define ADD_ROWS(Q)                                                                            \
    for (idx i = 0; i < n; i++, values += Q) {                                                 \
        double *a = t0 + (idx)p0[i] * Q, *b = t1 + (idx)p1[i] * Q;                             \
        double *d = t2 + (idx)p2[i] * Q, *e = t3 + (idx)p3[i] * Q;                             \
        idx c = 0;                                                                             \
        for (; c + 8 <= Q; c += 8) ADD_TO_FOUR(8)                                              \
        if (c + 4 <= Q) {                                                                      \
            ADD_TO_FOUR(4)                                                                     \
            c += 4;                                                                            \
        }                                                                                      \
        if (c + 2 <= Q) {                                                                      \
            ADD_TO_FOUR(2)                                                                     \
            c += 2;                                                                            \
        }                                                                                      \
        if (c < Q) ADD_TO_FOUR(1)                                                              \
    }

/* One or four columns. Adjacent rows often add to the same slot and wait for each other; the four
   slots of a row do not. */
#define DEFINE_ADD(C)                                                                          \
    WIDE_WHERE_POSSIBLE static void add_##C(const void *codes, idx stride, idx k, const int64_t *offset, idx n,    \
                        idx q, double *out, double *values)                                    \
    {                                                                                          \
        const C *p0 = codes;                                                                   \
        double *t0 = out + offset[0] * q;                                                      \
        if (k == 1) {                                                                          \
            for (idx i = 0; i < n; i++, values += q) {                                         \
                double *a = t0 + (idx)p0[i] * q;                                               \
                for (idx c = 0; c < q; c++) a[c] += values[c];                                 \
            }                                                                                  \
            return;                                                                            \
        }                                                                                      \
        const C *p1 = p0 + stride, *p2 = p1 + stride, *p3 = p2 + stride;                       \
        double *t1 = out + offset[1] * q, *t2 = out + offset[2] * q, *t3 = out + offset[3] * q; \
        if (q == 1)                                                                            \
            ADD_ROWS(1)                                                                        \
        else if (q == 2)                                                                       \
            ADD_ROWS(2)                                                                        \
        else if (q == 3)                                                                       \
            ADD_ROWS(3)                                                                        \
        else if (q == 4)                                                                       \
            ADD_ROWS(4)                                                                        \
        else                                                                                   \
            ADD_ROWS(q)                                                                        \
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
    fits = over_slots(&a, a.out->buf, a.given->buf, 4, PICK_CODE(add, a.codes->itemsize));
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_to_slots: a code is out of range");
    return release(&a.held, Py_None);
}
