/* Kernels over plain buffers: they see numbers, never data frames or models.

   Conventions
   - `codes` is (n_samples, n_features), unsigned (1, 2 or 4 bytes), column by
     column in memory; code n_states[j] (one past the last state) means "left out".
   - Column j owns the slots offsets[j] … offsets[j] + n_states[j]; a table of
     slots is row-major (slot, class), so that one code names q adjacent numbers.
   - Every kernel works on the rows start … stop-1 and releases the GIL: threads
     split the rows, and what they collect adds.
   - Out-of-range input is refused before anything is written. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef Py_ssize_t idx;

/* Rows that one pass handles, so that a block of every column stays in cache. */
enum { BLOCK = 2048 };

/* Rows that one pass over a strided matrix handles: a tile must fit the first cache. */
enum { TILE = 32 };

static int get_buffer(PyObject *object, Py_buffer *view, int flags, idx ndim, idx itemsize,
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

static int is_signed(const Py_buffer *view)
{
    const char *f = view->format ? view->format : "B";
    while (*f == '<' || *f == '=' || *f == '@' || *f == '|') f++;
    return *f >= 'a' && *f <= 'z';
}

static int check_rows(idx start, idx stop, idx n)
{
    if (start < 0 || stop > n || start > stop) {
        PyErr_SetString(PyExc_ValueError, "rows out of range");
        return -1;
    }
    return 0;
}

#define EACH_INTEGER(DO)                                                                       \
    DO(int8_t) DO(int16_t) DO(int32_t) DO(int64_t) DO(uint8_t) DO(uint16_t) DO(uint32_t)

/* ---- integers to codes ------------------------------------------------------------- */

/* Each column's range and, where `out` is given, its values truncated to a byte: for
   small non-negative integers, the usual case, these are the codes already. */
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

/* Pick the function for a buffer's integer type; NULL for a type that is not served. */
#define PICK(NAME, view)                                                                       \
    ((view)->itemsize == 1   ? (is_signed(view) ? NAME##_int8_t : NAME##_uint8_t)              \
     : (view)->itemsize == 2 ? (is_signed(view) ? NAME##_int16_t : NAME##_uint16_t)            \
     : (view)->itemsize == 4 ? (is_signed(view) ? NAME##_int32_t : NAME##_uint32_t)            \
     : is_signed(view)       ? NAME##_int64_t                                                  \
                             : NULL)

static PyObject *integer_ranges(PyObject *self, PyObject *args)
{
    PyObject *x_object, *lo_object, *hi_object, *out_object;
    idx start, stop;
    Py_buffer x, lo, hi, out = {0};
    if (!PyArg_ParseTuple(args, "OOOOnn", &x_object, &lo_object, &hi_object, &out_object, &start,
                          &stop))
        return NULL;
    if (get_buffer(x_object, &x, PyBUF_STRIDES, 2, 0, "x") < 0) return NULL;
    if (get_buffer(lo_object, &lo, PyBUF_CONTIG, 1, 8, "lo") < 0) goto release_x;
    if (get_buffer(hi_object, &hi, PyBUF_CONTIG, 1, 8, "hi") < 0) goto release_lo;
    if (out_object != Py_None &&
        get_buffer(out_object, &out, PyBUF_F_CONTIGUOUS | PyBUF_WRITABLE, 2, 1, "out") < 0)
        goto release_hi;
    if (check_rows(start, stop, x.shape[0]) < 0) goto release_out;
    if (lo.shape[0] != x.shape[1] || hi.shape[0] != x.shape[1] || PICK(ranges, &x) == NULL ||
        (out.buf && (out.shape[0] != x.shape[0] || out.shape[1] != x.shape[1]))) {
        PyErr_SetString(PyExc_ValueError, "integer_ranges: shapes or types do not fit");
        goto release_out;
    }
    Py_BEGIN_ALLOW_THREADS
    PICK(ranges, &x)(x.buf, x.shape[1], x.strides[0], x.strides[1], start, stop, lo.buf, hi.buf,
                     out.buf, x.shape[0]);
    Py_END_ALLOW_THREADS
release_out:
    if (out_object != Py_None) PyBuffer_Release(&out);
release_hi:
    PyBuffer_Release(&hi);
release_lo:
    PyBuffer_Release(&lo);
release_x:
    PyBuffer_Release(&x);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* Two cases of one loop: a value below lo wraps round to a large unsigned number. */
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

static PyObject *shift_integers(PyObject *self, PyObject *args)
{
    PyObject *x_object, *lo_object, *widths_object, *out_object;
    idx start, stop;
    Py_buffer x, lo, widths, out;
    if (!PyArg_ParseTuple(args, "OOOOnn", &x_object, &lo_object, &widths_object, &out_object,
                          &start, &stop))
        return NULL;
    if (get_buffer(x_object, &x, PyBUF_STRIDES, 2, 0, "x") < 0) return NULL;
    if (get_buffer(lo_object, &lo, PyBUF_C_CONTIGUOUS, 1, 8, "lo") < 0) goto release_x;
    if (get_buffer(widths_object, &widths, PyBUF_C_CONTIGUOUS, 1, 8, "widths") < 0)
        goto release_lo;
    if (get_buffer(out_object, &out, PyBUF_F_CONTIGUOUS | PyBUF_WRITABLE, 2, 0, "out") < 0)
        goto release_widths;
    if (check_rows(start, stop, x.shape[0]) < 0) goto release_out;
    if (out.shape[0] != x.shape[0] || out.shape[1] != x.shape[1] ||
        lo.shape[0] != x.shape[1] || widths.shape[0] != x.shape[1] || out.itemsize > 2 ||
        PICK(shift, &x) == NULL) {
        PyErr_SetString(PyExc_ValueError, "shift_integers: shapes or types do not fit");
        goto release_out;
    }
    Py_BEGIN_ALLOW_THREADS
    PICK(shift, &x)(x.buf, x.shape[1], x.strides[0], x.strides[1], start, stop, lo.buf,
                    widths.buf, out.buf, out.shape[0], out.itemsize);
    Py_END_ALLOW_THREADS
release_out:
    PyBuffer_Release(&out);
release_widths:
    PyBuffer_Release(&widths);
release_lo:
    PyBuffer_Release(&lo);
release_x:
    PyBuffer_Release(&x);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
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

static PyObject *mark_present(PyObject *self, PyObject *args)
{
    PyObject *x_object, *seen_object;
    Py_buffer x, seen;
    if (!PyArg_ParseTuple(args, "OO", &x_object, &seen_object)) return NULL;
    if (get_buffer(x_object, &x, PyBUF_STRIDES, 1, 0, "codes") < 0) return NULL;
    if (get_buffer(seen_object, &seen, PyBUF_CONTIG, 1, 1, "seen") < 0) goto release_x;
    if (PICK(present, &x) == NULL || seen.shape[0] < 1)
        PyErr_SetString(PyExc_ValueError, "mark_present: shapes or types do not fit");
    else {
        Py_BEGIN_ALLOW_THREADS
        PICK(present, &x)(x.buf, x.shape[0], x.strides[0], seen.buf, seen.shape[0] - 1);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&seen);
release_x:
    PyBuffer_Release(&x);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* ---- counting ---------------------------------------------------------------------- */

#define EACH_CODE(DO) DO(uint8_t) DO(uint16_t) DO(uint32_t)

/* Four partial histograms, row by row in turn: neighbouring rows often fall into the
   same cell, and one histogram would wait for its own last store. */
enum { LANES = 4, LANE_CELLS = 1 << 14 };

#define DEFINE_COUNT(C)                                                                        \
    static int largest_##C(const void *codes, idx n, uint32_t limit)                           \
    {                                                                                          \
        const C *p = codes;                                                                    \
        C high = 0;                                                                            \
        for (idx i = 0; i < n; i++) high = p[i] > high ? p[i] : high;                          \
        return (uint32_t)high <= limit;                                                        \
    }                                                                                          \
    static void count_##C(const void *codes, const int32_t *y, idx n, idx q, uint32_t *lanes,  \
                          idx cells)                                                           \
    {                                                                                          \
        const C *p = codes;                                                                    \
        uint32_t *l0 = lanes, *l1 = lanes + cells, *l2 = l1 + cells, *l3 = l2 + cells;         \
        idx i = 0;                                                                             \
        for (; i + 4 <= n; i += 4) {                                                           \
            l0[(idx)p[i] * q + y[i]]++;                                                        \
            l1[(idx)p[i + 1] * q + y[i + 1]]++;                                                \
            l2[(idx)p[i + 2] * q + y[i + 2]]++;                                                \
            l3[(idx)p[i + 3] * q + y[i + 3]]++;                                                \
        }                                                                                      \
        for (; i < n; i++) l0[(idx)p[i] * q + y[i]]++;                                         \
    }                                                                                          \
    static void add_##C(const void *codes, const int32_t *y, const double *w, idx n, idx q,    \
                        double *out)                                                           \
    {                                                                                          \
        const C *p = codes;                                                                    \
        if (w)                                                                                 \
            for (idx i = 0; i < n; i++) out[(idx)p[i] * q + y[i]] += w[i];                     \
        else                                                                                   \
            for (idx i = 0; i < n; i++) out[(idx)p[i] * q + y[i]] += 1.0;                      \
    }                                                                                          \
    static void look_up_##C(const void *codes, idx n, idx q, const double *table, double *out) \
    {                                                                                          \
        const C *p = codes;                                                                    \
        if (q == 2)                                                                            \
            for (idx i = 0; i < n; i++, out += 2) {                                            \
                const double *t = table + (idx)p[i] * 2;                                       \
                out[0] += t[0];                                                                \
                out[1] += t[1];                                                                \
            }                                                                                  \
        else if (q == 3)                                                                       \
            for (idx i = 0; i < n; i++, out += 3) {                                            \
                const double *t = table + (idx)p[i] * 3;                                       \
                out[0] += t[0];                                                                \
                out[1] += t[1];                                                                \
                out[2] += t[2];                                                                \
            }                                                                                  \
        else                                                                                   \
            for (idx i = 0; i < n; i++, out += q) {                                            \
                const double *t = table + (idx)p[i] * q;                                       \
                for (idx c = 0; c < q; c++) out[c] += t[c];                                    \
            }                                                                                  \
    }
EACH_CODE(DEFINE_COUNT)

#define PICK_CODE(NAME, size) ((size) == 1 ? NAME##_uint8_t : (size) == 2 ? NAME##_uint16_t : NAME##_uint32_t)

static int labels_fit(const int32_t *y, idx start, idx stop, idx q)
{
    int32_t low = 0, high = 0;
    for (idx i = start; i < stop; i++) {
        low = y[i] < low ? y[i] : low;
        high = y[i] > high ? y[i] : high;
    }
    return low >= 0 && high < q;
}

/* One column's histogram of the rows start … stop-1, added to out (slot, class). */
static int count_column(const char *codes, idx size, uint32_t n_states, const int32_t *y,
                        const double *w, idx start, idx stop, idx q, double *out,
                        uint32_t *lanes)
{
    idx cells = ((idx)n_states + 1) * q;
    if (!PICK_CODE(largest, size)(codes + start * size, stop - start, n_states)) return -1;
    if (w || cells > LANE_CELLS) {
        PICK_CODE(add, size)(codes + start * size, y + start, w ? w + start : NULL, stop - start, q, out);
        return 0;
    }
    for (idx b = start; b < stop; b += 1 << 30) { /* a lane counts to 2^32 - 1 */
        idx e = stop - b > 1 << 30 ? b + (1 << 30) : stop;
        memset(lanes, 0, sizeof(uint32_t) * LANES * (size_t)cells);
        PICK_CODE(count, size)(codes + b * size, y + b, e - b, q, lanes, cells);
        for (idx c = 0; c < cells; c++)
            out[c] += (double)lanes[c] + lanes[cells + c] + lanes[2 * cells + c] + lanes[3 * cells + c];
    }
    return 0;
}

static PyObject *count_class_values(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *y_object, *w_object, *offsets_object, *out_object;
    idx q, start, stop;
    Py_buffer codes, y, w = {0}, offsets, out;
    if (!PyArg_ParseTuple(args, "OOOOnOnn", &codes_object, &y_object, &w_object, &offsets_object,
                          &q, &out_object, &start, &stop))
        return NULL;
    if (get_buffer(codes_object, &codes, PyBUF_F_CONTIGUOUS, 2, 0, "codes") < 0) return NULL;
    if (get_buffer(y_object, &y, PyBUF_C_CONTIGUOUS, 1, 4, "y") < 0) goto release_codes;
    if (w_object != Py_None && get_buffer(w_object, &w, PyBUF_C_CONTIGUOUS, 1, 8, "weight") < 0)
        goto release_y;
    if (get_buffer(offsets_object, &offsets, PyBUF_C_CONTIGUOUS, 1, 8, "offsets") < 0)
        goto release_w;
    if (get_buffer(out_object, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 2, 8, "out") < 0)
        goto release_offsets;
    idx n = codes.shape[0], d = codes.shape[1];
    const int64_t *offset = offsets.buf;
    if (check_rows(start, stop, n) < 0) goto release_out;
    if (y.shape[0] != n || (w.buf && w.shape[0] != n) || offsets.shape[0] != d + 1 ||
        out.shape[1] != q || out.shape[0] != offset[d] || codes.itemsize > 4 ||
        !labels_fit(y.buf, start, stop, q)) {
        PyErr_SetString(PyExc_ValueError, "count_class_values: shapes, types or labels do not fit");
        goto release_out;
    }
    int bad = 0;
    uint32_t *lanes = malloc(sizeof(uint32_t) * LANES * LANE_CELLS);
    if (!lanes) {
        PyErr_NoMemory();
        goto release_out;
    }
    Py_BEGIN_ALLOW_THREADS
    for (idx j = 0; j < d && !bad; j++)
        bad = count_column((const char *)codes.buf + j * n * codes.itemsize, codes.itemsize,
                           (uint32_t)(offset[j + 1] - offset[j] - 1), y.buf, w.buf, start, stop,
                           q, (double *)out.buf + offset[j] * q, lanes);
    Py_END_ALLOW_THREADS
    free(lanes);
    if (bad) PyErr_SetString(PyExc_ValueError, "count_class_values: a code is out of range");
release_out:
    PyBuffer_Release(&out);
release_offsets:
    PyBuffer_Release(&offsets);
release_w:
    if (w_object != Py_None) PyBuffer_Release(&w);
release_y:
    PyBuffer_Release(&y);
release_codes:
    PyBuffer_Release(&codes);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* out[i, c] += sum over columns of table[offsets[j] + codes[i, j], c] */
static PyObject *add_log_factors(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *table_object, *offsets_object, *out_object;
    idx start, stop;
    Py_buffer codes, table, offsets, out;
    if (!PyArg_ParseTuple(args, "OOOOnn", &codes_object, &table_object, &offsets_object,
                          &out_object, &start, &stop))
        return NULL;
    if (get_buffer(codes_object, &codes, PyBUF_F_CONTIGUOUS, 2, 0, "codes") < 0) return NULL;
    if (get_buffer(table_object, &table, PyBUF_C_CONTIGUOUS, 2, 8, "table") < 0) goto release_codes;
    if (get_buffer(offsets_object, &offsets, PyBUF_C_CONTIGUOUS, 1, 8, "offsets") < 0)
        goto release_table;
    if (get_buffer(out_object, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 2, 8, "out") < 0)
        goto release_offsets;
    idx n = codes.shape[0], d = codes.shape[1], q = table.shape[1], size = codes.itemsize;
    const int64_t *offset = offsets.buf;
    if (check_rows(start, stop, n) < 0) goto release_out;
    if (out.shape[0] != n || out.shape[1] != q || offsets.shape[0] != d + 1 || size > 4 ||
        table.shape[0] != offset[d]) {
        PyErr_SetString(PyExc_ValueError, "add_log_factors: shapes or types do not fit");
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
                PICK_CODE(look_up, size)(column, rows, q, (const double *)table.buf + offset[j] * q,
                                         (double *)out.buf + b * q);
        }
    }
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_log_factors: a code is out of range");
release_out:
    PyBuffer_Release(&out);
release_offsets:
    PyBuffer_Release(&offsets);
release_table:
    PyBuffer_Release(&table);
release_codes:
    PyBuffer_Release(&codes);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* ---- cut points by minimum description length -------------------------------------- */

/* x ln x as WEKA's ContingencyTables.lnFunc. Natural logarithms and the order of the
   additions below are WEKA's too: between equally good cuts, rounding decides. */
static double x_ln_x(double x) { return x < 1e-6 ? 0.0 : x * log(x); }

/* Whole counts are looked up, anything else is computed: the numbers are the same. */
static inline double weighed(double x, const double *memo)
{
    return memo ? memo[(idx)x] : x_ln_x(x);
}

static const double LN2 = 0.69314718055994530942;

static double entropy(const double *counts, idx q)
{
    double value = 0, sum = 0;
    for (idx c = 0; c < q; c++) {
        value -= x_ln_x(counts[c]);
        sum += counts[c];
    }
    return sum < 1e-6 ? 0.0 : (value + x_ln_x(sum)) / (sum * LN2);
}

static double split_entropy(const double *left, const double *right, idx q, const double *memo)
{
    double value = 0, total = 0;
    const double *sides[2] = {left, right};
    for (int s = 0; s < 2; s++) {
        double sum = 0;
        for (idx c = 0; c < q; c++) {
            value += weighed(sides[s][c], memo);
            sum += sides[s][c];
        }
        value -= weighed(sum, memo);
        total += sum;
    }
    return total < 1e-6 ? 0.0 : -value / (total * LN2);
}

static double classes_present(const double *counts, idx q)
{
    idx k = 0;
    for (idx c = 0; c < q; c++) k += counts[c] > 1e-6;
    return (double)k;
}

typedef struct {
    const double *values, *weights, *memo;
    const int32_t *y;
    idx q;
    double *left, *right, *best_left, *best_right, *prior;
} Column;

/* The best cut of rows first … stop-1: the last row of its left side, or -1 for none. */
static idx accepted_cut(Column *k, idx first, idx stop)
{
    idx q = k->q, best = -1;
    size_t bytes = sizeof(double) * (size_t)q;
    double total = 0;
    memset(k->left, 0, bytes);
    memset(k->right, 0, bytes);
    for (idx i = first; i < stop; i++) {
        double w = k->weights ? k->weights[i] : 1.0;
        k->right[k->y[i]] += w;
        total += w;
    }
    memcpy(k->prior, k->right, bytes);
    double prior_entropy = entropy(k->prior, q), best_entropy = prior_entropy;
    for (idx i = first; i < stop - 1; i++) {
        double w = k->weights ? k->weights[i] : 1.0;
        k->left[k->y[i]] += w;
        k->right[k->y[i]] -= w;
        if (k->values[i] < k->values[i + 1]) {
            double e = split_entropy(k->left, k->right, q, k->memo);
            if (e < best_entropy) {
                best_entropy = e;
                best = i;
                memcpy(k->best_left, k->left, bytes);
                memcpy(k->best_right, k->right, bytes);
            }
        }
    }
    double gain = prior_entropy - best_entropy;
    if (best < 0 || gain <= 0 || total <= 1) return -1;
    double n = classes_present(k->prior, q);
    double delta = log(pow(3, n) - 2) / LN2 -
                   (n * prior_entropy - classes_present(k->best_right, q) * entropy(k->best_right, q) -
                    classes_present(k->best_left, q) * entropy(k->best_left, q));
    return gain > (log(total - 1) / LN2 + delta) / total ? best : -1;
}

/* Recursion with a stack of our own (its depth is bounded by the rows, not by C's
   stack). Returns the number of cuts written to out, unsorted; -1: out of memory. */
static idx find_cuts(Column *k, idx n, double *out)
{
    idx capacity = 64, depth = 0, found = 0;
    idx *stack = malloc(sizeof(idx) * 2 * (size_t)capacity);
    if (!stack) return -1;
    stack[0] = 0;
    stack[1] = n;
    depth = 1;
    while (depth) {
        depth--;
        idx first = stack[2 * depth], stop = stack[2 * depth + 1];
        if (stop - first < 2) continue;
        idx cut = accepted_cut(k, first, stop);
        if (cut < 0) continue;
        out[found++] = (k->values[cut] + k->values[cut + 1]) / 2.0;
        if (depth + 2 > capacity) {
            capacity *= 2;
            idx *larger = realloc(stack, sizeof(idx) * 2 * (size_t)capacity);
            if (!larger) {
                free(stack);
                return -1;
            }
            stack = larger;
        }
        idx halves[4] = {first, cut + 1, cut + 1, stop};
        memcpy(stack + 2 * depth, halves, sizeof halves);
        depth += 2;
    }
    free(stack);
    return found;
}

/* mdl_cuts(values, y, weight or None, q, out) -> number of cuts; values sorted. */
static PyObject *mdl_cuts(PyObject *self, PyObject *args)
{
    PyObject *values_object, *y_object, *w_object, *out_object;
    idx q, found = -1;
    Py_buffer values, y, w = {0}, out;
    if (!PyArg_ParseTuple(args, "OOOnO", &values_object, &y_object, &w_object, &q, &out_object))
        return NULL;
    if (get_buffer(values_object, &values, PyBUF_C_CONTIGUOUS, 1, 8, "values") < 0) return NULL;
    if (get_buffer(y_object, &y, PyBUF_C_CONTIGUOUS, 1, 4, "y") < 0) goto release_values;
    if (w_object != Py_None && get_buffer(w_object, &w, PyBUF_C_CONTIGUOUS, 1, 8, "weight") < 0)
        goto release_y;
    if (get_buffer(out_object, &out, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 1, 8, "out") < 0)
        goto release_w;
    idx n = values.shape[0];
    if (y.shape[0] != n || (w.buf && w.shape[0] != n) || out.shape[0] < n ||
        !labels_fit(y.buf, 0, n, q)) {
        PyErr_SetString(PyExc_ValueError, "mdl_cuts: shapes, types or labels do not fit");
        goto release_out;
    }
    double *scratch = malloc(sizeof(double) * 5 * (size_t)(q > 0 ? q : 1));
    double *memo = w.buf ? NULL : malloc(sizeof(double) * ((size_t)n + 1));
    if (scratch && (memo || w.buf)) {
        Column column = {values.buf, w.buf, memo, y.buf, q, scratch, scratch + q, scratch + 2 * q,
                         scratch + 3 * q, scratch + 4 * q};
        Py_BEGIN_ALLOW_THREADS
        if (memo)
            for (idx i = 0; i <= n; i++) memo[i] = x_ln_x((double)i);
        found = find_cuts(&column, n, out.buf);
        Py_END_ALLOW_THREADS
    }
    free(scratch);
    free(memo);
    if (found < 0) PyErr_NoMemory();
release_out:
    PyBuffer_Release(&out);
release_w:
    if (w_object != Py_None) PyBuffer_Release(&w);
release_y:
    PyBuffer_Release(&y);
release_values:
    PyBuffer_Release(&values);
    return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(found);
}

static PyMethodDef methods[] = {
    {"integer_ranges", integer_ranges, METH_VARARGS, "Widen lo and hi to each column's range."},
    {"mark_present", mark_present, METH_VARARGS, "Mark the codes that occur; the last: others."},
    {"shift_integers", shift_integers, METH_VARARGS, "Write value - lo, or the width if outside."},
    {"count_class_values", count_class_values, METH_VARARGS, "Add class × value counts to out."},
    {"add_log_factors", add_log_factors, METH_VARARGS, "Add each row's looked-up factors to out."},
    {"mdl_cuts", mdl_cuts, METH_VARARGS, "Fayyad and Irani's cut points of one sorted column."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_native", "Compiled kernels; call them through augury.kernels.", 0,
    methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&module); }
