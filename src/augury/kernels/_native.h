/* Kernels over plain buffers: they see numbers, never data frames or models.

   Conventions
   - `codes` is (n_samples, n_features), unsigned (1, 2 or 4 bytes), column by
     column in memory; code n_states[j] (one past the last state) means "left out".
   - Column j owns the slots offsets[j] … offsets[j] + n_states[j]; a table of
     slots is row-major (slot, class), so that one code names q adjacent numbers.
   - Every kernel works on the rows start … stop-1 and releases the GIL: threads
     split the rows, and what they collect adds.
   - Out-of-range input is refused before anything is written. */

#ifndef AUGURY_NATIVE_H
#define AUGURY_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef Py_ssize_t idx;

/* Rows that one pass handles, so that a block of every column stays in cache. */
enum { BLOCK = 2048 };

static inline int get_buffer(PyObject *object, Py_buffer *view, int flags, idx ndim, idx itemsize,
                      const char *name)
{
    if (PyObject_GetBuffer(object, view, flags | PyBUF_FORMAT) < 0) return -1;
    if (view->ndim != ndim || (itemsize && view->itemsize != itemsize)) {
        PyErr_Format(PyExc_ValueError, "%s: expected %zd dimension(s) of %zd-byte items", name,
                     ndim, itemsize);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

static inline int is_signed(const Py_buffer *view)
{
    const char *f = view->format ? view->format : "B";
    while (*f == '<' || *f == '=' || *f == '@' || *f == '|') f++;
    return *f >= 'a' && *f <= 'z';
}

static inline int check_rows(idx start, idx stop, idx n)
{
    if (start < 0 || stop > n || start > stop) {
        PyErr_SetString(PyExc_ValueError, "rows out of range");
        return -1;
    }
    return 0;
}

#define EACH_CODE(DO) DO(uint8_t) DO(uint16_t) DO(uint32_t)

/* Pick the function for codes of this many bytes. */
#define PICK_CODE(NAME, size)                                                               \
    ((size) == 1 ? NAME##_uint8_t : (size) == 2 ? NAME##_uint16_t : NAME##_uint32_t)

/* Whether no code of a column is larger than `limit`. */
#define DEFINE_LARGEST(C)                                                                      \
    static inline int largest_##C(const void *codes, idx n, uint32_t limit)                    \
    {                                                                                          \
        const C *p = codes;                                                                    \
        C high = 0;                                                                            \
        for (idx i = 0; i < n; i++) high = p[i] > high ? p[i] : high;                          \
        return (uint32_t)high <= limit;                                                        \
    }
EACH_CODE(DEFINE_LARGEST)

static inline int labels_fit(const int32_t *y, idx start, idx stop, idx q)
{
    int32_t low = 0, high = 0;
    for (idx i = start; i < stop; i++) {
        low = y[i] < low ? y[i] : low;
        high = y[i] > high ? y[i] : high;
    }
    return low >= 0 && high < q;
}

PyObject *integer_ranges(PyObject *, PyObject *);
PyObject *mark_present(PyObject *, PyObject *);
PyObject *shift_integers(PyObject *, PyObject *);
PyObject *count_class_values(PyObject *, PyObject *);
PyObject *add_log_factors(PyObject *, PyObject *);
PyObject *count_pairs(PyObject *, PyObject *);
PyObject *add_pair_factors(PyObject *, PyObject *);
PyObject *mdl_cuts(PyObject *, PyObject *);

#endif
