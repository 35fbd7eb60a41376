/* Counts of class and value, and look-ups of log factors by code. */

#include "slots.h"
#include "wide_loops.h"

/* The rows are counted in four histograms in turn. Adjacent rows often fall into the same
   cell, and an increment would wait for the previous store to this cell. */
enum { LANES = 4, LANE_CELLS = 1 << 14 };

#define DEFINE_COUNT(C)                                                                        \
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
    }
EACH_CODE(DEFINE_COUNT)

/* Look-ups of one or four columns: a row of `out` is read and written once. The order of its sum
   is that of the columns. All numbers of some classes are read before one is written, so that
   several of them may be added at once. */
#define ADD_CLASSES(SOME)                                                                      \
    {                                                                                          \
        double sums[SOME];                                                                     \
        for (idx u = 0; u < SOME; u++)                                                         \
            sums[u] = (((out[c + u] + a[c + u]) + b[c + u]) + d[c + u]) + e[c + u];            \
        for (idx u = 0; u < SOME; u++) out[c + u] = sums[u];                                   \
    }
#define ADD_FOUR(Q)                                                                            \
    for (idx i = 0; i < n; i++, out += Q) {                                                    \
        const double *a = t0 + (idx)p0[i] * Q, *b = t1 + (idx)p1[i] * Q;                       \
        const double *d = t2 + (idx)p2[i] * Q, *e = t3 + (idx)p3[i] * Q;                       \
        idx c = 0;                                                                             \
        ADD_CLASSES(Q)                                                                         \
    }
#define DEFINE_LOOK_UP(C)                                                                      \
    WIDE_WHERE_POSSIBLE static void look_up_##C(const void *codes, idx stride, idx k, const int64_t *offset, idx n, \
                            idx q, double *table, double *out)                                  \
    {                                                                                          \
        const C *p0 = codes;                                                                   \
        const double *t0 = table + offset[0] * q;                                              \
        if (k == 1) {                                                                          \
            for (idx i = 0; i < n; i++, out += q) {                                            \
                const double *a = t0 + (idx)p0[i] * q;                                         \
                for (idx c = 0; c < q; c++) out[c] += a[c];                                    \
            }                                                                                  \
            return;                                                                            \
        }                                                                                      \
        const C *p1 = p0 + stride, *p2 = p1 + stride, *p3 = p2 + stride;                       \
        const double *t1 = table + offset[1] * q, *t2 = table + offset[2] * q,                 \
                     *t3 = table + offset[3] * q;                                              \
        if (q == 1) ADD_FOUR(1)                                                                \
        else if (q == 2) ADD_FOUR(2)                                                           \
        else if (q == 3) ADD_FOUR(3)                                                           \
        else if (q == 4) ADD_FOUR(4)                                                           \
        else                                                                                   \
            for (idx i = 0; i < n; i++, out += q) {                                            \
                const double *a = t0 + (idx)p0[i] * q, *b = t1 + (idx)p1[i] * q;               \
                const double *d = t2 + (idx)p2[i] * q, *e = t3 + (idx)p3[i] * q;               \
                idx c = 0;                                                                     \
                for (; c + 8 <= q; c += 8) ADD_CLASSES(8)                                      \
                if (c + 4 <= q) {                                                              \
                    ADD_CLASSES(4)                                                             \
                    c += 4;                                                                    \
                }                                                                              \
                for (; c < q; c++) ADD_CLASSES(1)                                              \
            }                                                                                  \
    }
EACH_CODE(DEFINE_LOOK_UP)

/* Add the counts of one column in the rows start … stop-1 to out (slot, class). */
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

PyObject *count_class_values(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *y_object, *w_object, *offsets_object, *out_object;
    idx q, start, stop;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOnOnn", &codes_object, &y_object, &w_object, &offsets_object,
                          &q, &out_object, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, codes_object);
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *offsets = hold_offsets(&held, offsets_object);
    Py_buffer *out = hold_out(&held, out_object, 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1];
    const int64_t *offset = offsets->buf;
    if (!rows_fit(start, stop, n)) return fail(&held, "rows out of range");
    if (y->shape[0] != n || (w->buf && w->shape[0] != n) || offsets->shape[0] != d + 1 ||
        !offsets_fit(offset, d) || out->shape[1] != q || out->shape[0] != offset[d] ||
        !labels_fit(y->buf, start, stop, q))
        return fail(&held, "count_class_values: shapes, offsets or labels do not fit");
    int bad = 0;
    uint32_t *lanes = malloc(sizeof(uint32_t) * LANES * LANE_CELLS);
    if (!lanes) return release(&held, PyErr_NoMemory());
    Py_BEGIN_ALLOW_THREADS
    for (idx j = 0; j < d && !bad; j++)
        bad = count_column((const char *)codes->buf + j * n * codes->itemsize, codes->itemsize,
                           (uint32_t)(offset[j + 1] - offset[j] - 1), y->buf, w->buf, start, stop,
                           q, (double *)out->buf + offset[j] * q, lanes);
    Py_END_ALLOW_THREADS
    free(lanes);
    if (bad) PyErr_SetString(PyExc_ValueError, "count_class_values: a code is out of range");
    return release(&held, Py_None);
}

/* add_log_factors(codes, table, offsets, out, start, stop)
   out[i, c] += sum over columns j of table[offsets[j] + codes[i, j], c]. */
PyObject *add_log_factors(PyObject *self, PyObject *args)
{
    SlotArguments a;
    if (!hold_slot_arguments(&a, args, "table")) return release(&a.held, NULL);
    if (!slot_shapes_fit(&a, a.given, a.out))
        return fail(&a.held, "add_log_factors: shapes or offsets do not fit");
    int fits;
    Py_BEGIN_ALLOW_THREADS
    fits = over_slots(&a, a.given->buf, a.out->buf, 4, PICK_CODE(look_up, a.codes->itemsize));
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_log_factors: a code is out of range");
    return release(&a.held, Py_None);
}
