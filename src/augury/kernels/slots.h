/* Arguments and loop of the kernels over slots: `add_log_factors` and `add_to_slots`.

   Both take (codes, given, offsets, out, start, stop). One of the tables `given` and `out`
   has a row for each slot, the other a row for each row of `codes`. */

#ifndef AUGURY_SLOTS_H
#define AUGURY_SLOTS_H

#include "_native.h"

typedef struct {
    Buffers held;
    Py_buffer *codes, *given, *offsets, *out;
    idx q, start, stop;
} SlotArguments;

/* Get the arguments; returns 0 if an error is set. */
static inline int hold_slot_arguments(SlotArguments *a, PyObject *args, const char *name_of_given)
{
    PyObject *codes, *given, *offsets, *out;
    a->held.n = 0;
    if (!PyArg_ParseTuple(args, "OOOOnn", &codes, &given, &offsets, &out, &a->start, &a->stop))
        return 0;
    a->codes = hold_codes(&a->held, codes);
    a->given = hold_floats(&a->held, given, 2, name_of_given);
    a->offsets = hold_offsets(&a->held, offsets);
    a->out = hold_out(&a->held, out, 2);
    if (PyErr_Occurred()) return 0;
    a->q = a->given->shape[1];
    if (rows_fit(a->start, a->stop, a->codes->shape[0])) return 1;
    PyErr_SetString(PyExc_ValueError, "rows out of range");
    return 0;
}

static inline int slot_shapes_fit(const SlotArguments *a, const Py_buffer *by_slot,
                                  const Py_buffer *by_row)
{
    idx d = a->codes->shape[1];
    return a->offsets->shape[0] == d + 1 && offsets_fit(a->offsets->buf, d) &&
           by_slot->shape[0] == ((const int64_t *)a->offsets->buf)[d] &&
           by_row->shape[0] == a->codes->shape[0] && a->out->shape[1] == a->q;
}

/* Works on k columns of a block of rows. The next column of codes is `stride` codes away;
   `offset` has the first slots of the columns, and `by_row` points to the first row. */
typedef void (*SlotLoop)(const void *codes, idx stride, idx k, const int64_t *offset, idx rows,
                         idx q, double *by_slot, double *by_row);

/* Call `loop` for the columns of each block of rows, `at_once` together and the last ones one by
   one; returns 0 if a code is out of range. */
static inline int over_slots(const SlotArguments *a, double *by_slot, double *by_row, idx at_once,
                             SlotLoop loop)
{
    const int64_t *offset = a->offsets->buf;
    idx n = a->codes->shape[0], d = a->codes->shape[1], size = a->codes->itemsize;
    for (idx b = a->start; b < a->stop; b += BLOCK) {
        idx rows = a->stop - b < BLOCK ? a->stop - b : BLOCK;
        for (idx j = 0, k; j < d; j += k) {
            k = d - j < at_once ? 1 : at_once;
            const char *columns = (const char *)a->codes->buf + (j * n + b) * size;
            for (idx i = 0; i < k; i++) {
                uint32_t limit = (uint32_t)(offset[j + i + 1] - offset[j + i] - 1);
                if (!PICK_CODE(largest, size)(columns + i * n * size, rows, limit)) return 0;
            }
            loop(columns, n, k, offset + j, rows, a->q, by_slot, by_row + b * a->q);
        }
    }
    return 1;
}

#endif
