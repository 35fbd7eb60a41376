/* Declarations and argument handling of the kernels, which work on plain buffers.

   Conventions
   - `codes` is (n_samples, n_features), unsigned (1, 2 or 4 bytes), column by
     column in memory; code n_states[j] (one past the last state) means "left out".
   - Column j owns the slots offsets[j] … offsets[j] + n_states[j]; a table of
     slots is row-major (slot, class), so that one code selects q adjacent numbers.
   - Every kernel works on the rows start … stop-1 and releases the GIL: threads
     divide the rows, and their results are added.
   - Arguments that do not fit raise a ValueError, and no kernel accesses memory outside
     the buffers. Shapes, types, offsets and labels are checked before anything is
     written. Codes are checked one block at a time, just before they are used: after "a
     code is out of range" `out` may hold a part of the sum and must be discarded. */

#ifndef AUGURY_NATIVE_H
#define AUGURY_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef Py_ssize_t idx;

/* Number of rows in a block: a block of every column stays in cache. */
enum { BLOCK = 2048 };

/* Types of a buffer, always in native byte order. */
typedef enum { FLOAT64, INT32, INT64, BYTE, NARROW_CODE, CODE, INTEGER, FLOAT32 } Kind;

static inline const char *kind_name(Kind kind)
{
    static const char *const names[] = {"float64", "int32", "int64", "uint8", "uint8 or uint16",
                                        "uint8, uint16 or uint32", "integers", "float32"};
    return names[kind];
}

/* The character of the struct format, or 0 if the format is not one character. */
static inline char type_character(const Py_buffer *view)
{
    const char *f = view->format ? view->format : "B";
    if (*f == '@') f++;
    return f[0] && !f[1] ? f[0] : 0;
}

static inline int is_signed(const Py_buffer *view)
{
    char f = type_character(view);
    return f >= 'a' && f <= 'z';
}

static inline int is_of_kind(const Py_buffer *view, Kind kind)
{
    char f = type_character(view);
    idx size = view->itemsize;
    int whole = f && strchr("bBhHiIlLqQ", f) != NULL;
    int sized = size == 1 || size == 2 || size == 4;
    switch (kind) {
    case FLOAT64: return f == 'd' && size == 8;
    case INT32: return whole && is_signed(view) && size == 4;
    case INT64: return whole && is_signed(view) && size == 8;
    case BYTE: return whole && !is_signed(view) && size == 1;
    case NARROW_CODE: return whole && !is_signed(view) && sized && size <= 2;
    case CODE: return whole && !is_signed(view) && sized;
    case INTEGER: return whole && (sized || size == 8);
    case FLOAT32: return f == 'f' && size == 4;
    }
    return 0;
}

static inline int is_aligned(const Py_buffer *view)
{
    if ((uintptr_t)view->buf % (size_t)view->itemsize) return 0;
    for (int k = 0; view->strides && k < view->ndim; k++)
        if (view->shape[k] > 1 && view->strides[k] % view->itemsize) return 0;
    return 1;
}

/* The buffers that a kernel holds until it returns. */
enum { MAX_BUFFERS = 13 };
typedef struct {
    Py_buffer views[MAX_BUFFERS];
    int n;
} Buffers;

/* Get the buffer of an argument. After an error no further buffer is taken, so that a
   kernel gets all its buffers and then checks for an error once. */
static inline Py_buffer *hold(Buffers *held, PyObject *object, int flags, idx ndim, Kind kind,
                              const char *name)
{
    if (PyErr_Occurred()) return NULL;
    Py_buffer *view = &held->views[held->n];
    if (PyObject_GetBuffer(object, view, flags | PyBUF_FORMAT) < 0) return NULL;
    held->n++;
    if (view->ndim != ndim || !is_of_kind(view, kind) || !is_aligned(view)) {
        PyErr_Format(PyExc_ValueError,
                     "%s must be %s, aligned and in native byte order, of %zd dimension(s), got "
                     "format %s and %d dimension(s)",
                     name, kind_name(kind), ndim, view->format ? view->format : "B", view->ndim);
        return NULL;
    }
    return view;
}

/* The same for an argument that may be None; the buf of its view is then NULL. */
static inline Py_buffer *hold_optional(Buffers *held, PyObject *object, int flags, idx ndim,
                                       Kind kind, const char *name)
{
    static Py_buffer none;
    return object == Py_None ? &none : hold(held, object, flags, ndim, kind, name);
}

static inline Py_buffer *hold_floats(Buffers *held, PyObject *object, idx ndim, const char *name)
{
    return hold(held, object, PyBUF_C_CONTIGUOUS, ndim, FLOAT64, name);
}

static inline Py_buffer *hold_integers(Buffers *held, PyObject *object, const char *name)
{
    return hold(held, object, PyBUF_C_CONTIGUOUS, 1, INT64, name);
}

/* The table of float64 that a kernel adds to or writes. */
static inline Py_buffer *hold_out(Buffers *held, PyObject *object, idx ndim)
{
    return hold(held, object, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, ndim, FLOAT64, "out");
}

static inline Py_buffer *hold_codes(Buffers *held, PyObject *object)
{
    return hold(held, object, PyBUF_F_CONTIGUOUS, 2, CODE, "codes");
}

static inline Py_buffer *hold_labels(Buffers *held, PyObject *object)
{
    return hold(held, object, PyBUF_C_CONTIGUOUS, 1, INT32, "y");
}

static inline Py_buffer *hold_weight(Buffers *held, PyObject *object)
{
    return hold_optional(held, object, PyBUF_C_CONTIGUOUS, 1, FLOAT64, "weight");
}

static inline Py_buffer *hold_offsets(Buffers *held, PyObject *object)
{
    return hold_integers(held, object, "offsets");
}

/* Release all buffers; return the result of a kernel, or NULL if an error is set. */
static inline PyObject *release(Buffers *held, PyObject *result)
{
    while (held->n > 0) PyBuffer_Release(&held->views[--held->n]);
    if (PyErr_Occurred()) return NULL;
    if (result == Py_None) Py_INCREF(result);
    return result;
}

static inline PyObject *fail(Buffers *held, const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return release(held, NULL);
}

static inline int rows_fit(idx start, idx stop, idx n)
{
    return start >= 0 && start <= stop && stop <= n;
}

/* Whether d columns own the slots 0 … offset[d] - 1, each at least 1 and at most 2^32. */
static inline int offsets_fit(const int64_t *offset, idx d)
{
    if (offset[0] != 0) return 0;
    for (idx j = 0; j < d; j++)
        if (offset[j + 1] <= offset[j] || offset[j + 1] - offset[j] - 1 > UINT32_MAX) return 0;
    return 1;
}

#define EACH_CODE(DO) DO(uint8_t) DO(uint16_t) DO(uint32_t)

/* The function for codes of this many bytes. */
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
PyObject *add_pair_shares_without(PyObject *, PyObject *);
PyObject *fill_cells(PyObject *, PyObject *);
PyObject *add_acll(PyObject *, PyObject *);
PyObject *log_mean_over_parents(PyObject *, PyObject *);
PyObject *add_log_shares(PyObject *, PyObject *);
PyObject *pair_information(PyObject *, PyObject *);
PyObject *log_likelihoods(PyObject *, PyObject *);
PyObject *add_to_slots(PyObject *, PyObject *);
PyObject *logistic_loss(PyObject *, PyObject *);
PyObject *divide_by_class(PyObject *, PyObject *);
PyObject *x_ln_x_table(PyObject *, PyObject *);
PyObject *mdl_cuts(PyObject *, PyObject *);
PyObject *count_bins(PyObject *, PyObject *);
PyObject *find_intervals(PyObject *, PyObject *);
PyObject *mdl_cuts_by_class(PyObject *, PyObject *);
PyObject *state_gains(PyObject *, PyObject *);
PyObject *threshold_gains(PyObject *, PyObject *);
PyObject *divide_rows(PyObject *, PyObject *);
PyObject *expected_errors(PyObject *, PyObject *);
PyObject *grow_random_tree(PyObject *, PyObject *);
PyObject *smooth_leaves(PyObject *, PyObject *);
PyObject *add_leaf_shares(PyObject *, PyObject *);
PyObject *boost_trees(PyObject *, PyObject *);
PyObject *add_tree_values(PyObject *, PyObject *);
PyObject *scan_rows(PyObject *, PyObject *);
PyObject *scan_kinds(PyObject *, PyObject *);

#endif
