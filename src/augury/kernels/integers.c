/* Integers become codes: ranges, subtraction, presence. */

#include "_native.h"

/* Number of rows in a tile of a strided matrix: a tile fits the first-level cache. */
enum { TILE = 32 };

#define EACH_INTEGER(DO)                                                                       \
    DO(int8_t) DO(int16_t) DO(int32_t) DO(int64_t) DO(uint8_t) DO(uint16_t) DO(uint32_t)

/* The range of each column and, if `out` is given, its values truncated to a byte. For
   small non-negative integers, the usual case, these are the codes. */
#define DEFINE_RANGES(T)                                                                       \
    static void ranges_##T(const char *x, idx cols, idx rs, idx cs, idx start, idx stop,       \
                           int64_t *lo, int64_t *hi, uint8_t *out, idx out_rows)               \
    {                                                                                          \
        for (idx b = start; b < stop; b += TILE) {                                             \
            idx e = b + TILE < stop ? b + TILE : stop;                                         \
            for (idx j = 0; j < cols; j++) {                                                   \
                const char *p = x + b * rs + j * cs;                                           \
                uint8_t *to = out ? out + j * out_rows : NULL;                                 \
                T low = *(const T *)p, high = low;                                             \
                for (idx i = b; i < e; i++, p += rs) {                                         \
                    T v = *(const T *)p;                                                       \
                    low = v < low ? v : low;                                                   \
                    high = v > high ? v : high;                                                \
                    if (to) to[i] = (uint8_t)v;                                                \
                }                                                                              \
                if ((int64_t)low < lo[j]) lo[j] = (int64_t)low;                                \
                if ((int64_t)high > hi[j]) hi[j] = (int64_t)high;                              \
            }                                                                                  \
        }                                                                                      \
    }
EACH_INTEGER(DEFINE_RANGES)

/* The function for the integer type of a buffer; NULL if the type is not supported. */
#define PICK(NAME, view)                                                                       \
    ((view)->itemsize == 1   ? (is_signed(view) ? NAME##_int8_t : NAME##_uint8_t)              \
     : (view)->itemsize == 2 ? (is_signed(view) ? NAME##_int16_t : NAME##_uint16_t)            \
     : (view)->itemsize == 4 ? (is_signed(view) ? NAME##_int32_t : NAME##_uint32_t)            \
     : is_signed(view)       ? NAME##_int64_t                                                  \
                             : NULL)

PyObject *integer_ranges(PyObject *self, PyObject *args)
{
    PyObject *x_object, *lo_object, *hi_object, *out_object;
    idx start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOnn", &x_object, &lo_object, &hi_object, &out_object, &start,
                          &stop))
        return NULL;
    Py_buffer *x = hold(&held, x_object, PyBUF_STRIDES, 2, INTEGER, "x");
    Py_buffer *lo = hold(&held, lo_object, PyBUF_CONTIG, 1, INT64, "lo");
    Py_buffer *hi = hold(&held, hi_object, PyBUF_CONTIG, 1, INT64, "hi");
    Py_buffer *out = hold_optional(&held, out_object, PyBUF_F_CONTIGUOUS | PyBUF_WRITABLE, 2, BYTE, "out");
    if (PyErr_Occurred()) return release(&held, NULL);
    if (!rows_fit(start, stop, x->shape[0])) return fail(&held, "rows out of range");
    if (lo->shape[0] != x->shape[1] || hi->shape[0] != x->shape[1] || PICK(ranges, x) == NULL ||
        (out->buf && (out->shape[0] != x->shape[0] || out->shape[1] != x->shape[1])))
        return fail(&held, "integer_ranges: shapes or types do not fit");
    Py_BEGIN_ALLOW_THREADS
    PICK(ranges, x)(x->buf, x->shape[1], x->strides[0], x->strides[1], start, stop, lo->buf, hi->buf,
                     out->buf, x->shape[0]);
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}

/* The loop of shift for one type of codes. A value below lo wraps to a large unsigned number. */
#define SHIFT_LOOP(C)                                                                          \
    for (idx j = 0; j < cols; j++) {                                                           \
        const char *p = x + b * rs + j * cs;                                                   \
        C *to = (C *)out + j * out_rows;                                                       \
        uint64_t width = (uint64_t)widths[j];                                                  \
        uint64_t low = (uint64_t)lo[j];                                                        \
        for (idx i = b; i < e; i++, p += rs) {                                                 \
            uint64_t code = (uint64_t)(int64_t) * (const TYPE *)p - low;                       \
            to[i] = (C)(code < width ? code : width);                                          \
        }                                                                                      \
    }

#define DEFINE_SHIFT(T)                                                                        \
    static void shift_##T(const char *x, idx cols, idx rs, idx cs, idx start, idx stop,        \
                          const int64_t *lo, const int64_t *widths, void *out, idx out_rows,   \
                          idx code_size)                                                       \
    {                                                                                          \
        typedef T TYPE;                                                                        \
        for (idx b = start; b < stop; b += TILE ) {                                            \
            idx e = b + TILE < stop ? b + TILE : stop;                                         \
            if (code_size == 1) {                                                              \
                SHIFT_LOOP(uint8_t)                                                            \
            } else {                                                                           \
                SHIFT_LOOP(uint16_t)                                                           \
            }                                                                                  \
        }                                                                                      \
    }
EACH_INTEGER(DEFINE_SHIFT)

/* Whether the code of values outside the range, the width, fits into this many bytes. */
static int widths_fit(const Py_buffer *widths, idx code_size)
{
    const int64_t *width = widths->buf;
    for (idx j = 0; j < widths->shape[0]; j++)
        if (width[j] < 0 || width[j] > (code_size == 1 ? UINT8_MAX : UINT16_MAX)) return 0;
    return 1;
}

PyObject *shift_integers(PyObject *self, PyObject *args)
{
    PyObject *x_object, *lo_object, *widths_object, *out_object;
    idx start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOnn", &x_object, &lo_object, &widths_object, &out_object,
                          &start, &stop))
        return NULL;
    Py_buffer *x = hold(&held, x_object, PyBUF_STRIDES, 2, INTEGER, "x");
    Py_buffer *lo = hold_integers(&held, lo_object, "lo");
    Py_buffer *widths = hold_integers(&held, widths_object, "widths");
    Py_buffer *out = hold(&held, out_object, PyBUF_F_CONTIGUOUS | PyBUF_WRITABLE, 2, NARROW_CODE, "out");
    if (PyErr_Occurred()) return release(&held, NULL);
    if (!rows_fit(start, stop, x->shape[0])) return fail(&held, "rows out of range");
    if (out->shape[0] != x->shape[0] || out->shape[1] != x->shape[1] ||
        lo->shape[0] != x->shape[1] || widths->shape[0] != x->shape[1] || PICK(shift, x) == NULL ||
        !widths_fit(widths, out->itemsize))
        return fail(&held, "shift_integers: shapes or types do not fit");
    Py_BEGIN_ALLOW_THREADS
    PICK(shift, x)(x->buf, x->shape[1], x->strides[0], x->strides[1], start, stop, lo->buf,
                    widths->buf, out->buf, out->shape[0], out->itemsize);
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}

/* seen[k] = 1 if a row has code k; seen[n] if one has a code outside 0 … n-1. */
#define DEFINE_PRESENT(T)                                                                      \
    static void present_##T(const char *x, idx rows, idx rs, uint8_t *seen, idx n)             \
    {                                                                                          \
        for (idx b = 0; b < rows; b += BLOCK) {                                                \
            idx e = b + BLOCK < rows ? b + BLOCK : rows, found = 0;                            \
            const char *p = x + b * rs;                                                        \
            for (idx i = b; i < e; i++, p += rs) {                                             \
                uint64_t code = (uint64_t)(int64_t) * (const T *)p;                            \
                seen[code < (uint64_t)n ? code : (uint64_t)n] = 1;                             \
            }                                                                                  \
            for (idx k = 0; k <= n && n < BLOCK; k++) found += seen[k];                        \
            if (found == n + 1) return;                                                        \
        }                                                                                      \
    }
EACH_INTEGER(DEFINE_PRESENT)

PyObject *mark_present(PyObject *self, PyObject *args)
{
    PyObject *x_object, *seen_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OO", &x_object, &seen_object)) return NULL;
    Py_buffer *x = hold(&held, x_object, PyBUF_STRIDES, 1, INTEGER, "codes");
    Py_buffer *seen = hold(&held, seen_object, PyBUF_CONTIG, 1, BYTE, "seen");
    if (PyErr_Occurred()) return release(&held, NULL);
    if (PICK(present, x) == NULL || seen->shape[0] < 1)
        PyErr_SetString(PyExc_ValueError, "mark_present: shapes or types do not fit");
    else {
        Py_BEGIN_ALLOW_THREADS
        PICK(present, x)(x->buf, x->shape[0], x->strides[0], seen->buf, seen->shape[0] - 1);
        Py_END_ALLOW_THREADS
    }
    return release(&held, Py_None);
}

