/* Intervals of numbers; class × bin weights of a column, and the range of each bin's numbers. */

#include "_native.h"
#include "wide_loops.h"

/* Numbers that are searched for together, without branches. */
enum { TOGETHER = 16 };

/* Count the cut points below each of m numbers: they are at[i] … at[i] + left at any time. */
INLINE void count_below(const double *cuts, idx n_cuts, const double *x, idx m, int64_t *at)
{
    for (idx i = 0; i < m; i++) at[i] = 0;
    for (idx left = n_cuts; left > 0;) {
        idx half = (left + 1) / 2;
        for (idx i = 0; i < m; i++) at[i] += !(x[i] <= cuts[at[i] + half - 1]) ? half : 0;
        left -= half;
    }
}

WIDE_WHERE_POSSIBLE static void find_all(const double *cuts, idx n_cuts, const double *x, idx n,
                                         int64_t *out)
{
    idx i = 0;
    for (; i + TOGETHER <= n; i += TOGETHER) {
        int64_t at[TOGETHER];
        count_below(cuts, n_cuts, x + i, TOGETHER, at);
        memcpy(out + i, at, sizeof at);
    }
    count_below(cuts, n_cuts, x + i, n - i, out + i);
}

/* find_intervals(values, cuts, out)
   out[i] is the number of cut points below values[i]; all are below NaN. */
PyObject *find_intervals(PyObject *self, PyObject *args)
{
    PyObject *values_object, *cuts_object, *out_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOO", &values_object, &cuts_object, &out_object)) return NULL;
    Py_buffer *values = hold_floats(&held, values_object, 1, "values");
    Py_buffer *cuts = hold_floats(&held, cuts_object, 1, "cuts");
    Py_buffer *out = hold(&held, out_object, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 1, INT64, "out");
    if (PyErr_Occurred()) return release(&held, NULL);
    if (out->shape[0] != values->shape[0])
        return fail(&held, "find_intervals: shapes do not fit");
    Py_BEGIN_ALLOW_THREADS
    find_all(cuts->buf, cuts->shape[0], values->buf, values->shape[0], out->buf);
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}

/* Bin i holds the numbers above edges[i - 1] and up to edges[i]; the last bin those above all
   edges. A grid of cells of equal width limits the search: cell(x) never decreases as x grows, so
   that the edges of lower cells are smaller than x, and those of higher cells larger. The width is
   one of numbers, or one of their bits read as integers, which is nearly one of logarithms. */
typedef struct {
    const double *edges;
    const int64_t *starts; /* number of edges in lower cells, for each cell and one more */
    idx n_edges, n_cells;
    int by_bits;
    double low, scale;
} Grid;

/* The bits of a number as an integer of the same order. */
static inline double order_of_bits(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)(bits < 0 ? bits ^ INT64_MAX : bits);
}

static inline idx find_bin(const Grid *g, double x)
{
    double at = ((g->by_bits ? order_of_bits(x) : x) - g->low) * g->scale;
    idx cell = at > 0 ? (at < (double)g->n_cells ? (idx)at : g->n_cells - 1) : 0;
    idx first = g->starts[cell], stop = g->starts[cell + 1];
    while (first < stop) {
        idx middle = first + (stop - first) / 2;
        if (g->edges[middle] < x)
            first = middle + 1;
        else
            stop = middle;
    }
    return first;
}

static int starts_fit(const int64_t *starts, idx n_cells, idx n_edges)
{
    if (starts[0] != 0 || starts[n_cells] != n_edges) return 0;
    for (idx k = 0; k < n_cells; k++)
        if (starts[k] > starts[k + 1]) return 0;
    return 1;
}

/* count_bins(values, y, weight or None, edges, starts, by_bits, low, scale, counts, range, missing)
   counts (bin, class) and missing (class) are added to; range (bin, 2) is widened. NaN is missing;
   rows of weight zero have no effect. */
PyObject *count_bins(PyObject *self, PyObject *args)
{
    PyObject *values_object, *y_object, *w_object, *edges_object, *starts_object;
    PyObject *counts_object, *range_object, *missing_object;
    Grid grid;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOpddOOO", &values_object, &y_object, &w_object, &edges_object,
                          &starts_object, &grid.by_bits, &grid.low, &grid.scale, &counts_object, &range_object,
                          &missing_object))
        return NULL;
    Py_buffer *values = hold_floats(&held, values_object, 1, "values");
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *edges = hold_floats(&held, edges_object, 1, "edges");
    Py_buffer *starts = hold_integers(&held, starts_object, "starts");
    Py_buffer *counts = hold_out(&held, counts_object, 2);
    Py_buffer *range = hold_out(&held, range_object, 2);
    Py_buffer *missing = hold_out(&held, missing_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = values->shape[0], q = counts->shape[1];
    grid.n_edges = edges->shape[0];
    grid.n_cells = starts->shape[0] - 1;
    grid.edges = edges->buf;
    grid.starts = starts->buf;
    if (y->shape[0] != n || (w->buf && w->shape[0] != n) || grid.n_cells < 1 ||
        counts->shape[0] != grid.n_edges + 1 || range->shape[0] != grid.n_edges + 1 ||
        range->shape[1] != 2 || missing->shape[0] != q || q > INT32_MAX ||
        !labels_fit(y->buf, 0, n, q) || !starts_fit(grid.starts, grid.n_cells, grid.n_edges))
        return fail(&held, "count_bins: shapes, labels or starts do not fit");
    const double *x = values->buf, *weight = w->buf;
    const int32_t *label = y->buf;
    double *count = counts->buf, *ends = range->buf, *gaps = missing->buf;
    Py_BEGIN_ALLOW_THREADS
    for (idx i = 0; i < n; i++) {
        double one = weight ? weight[i] : 1.0;
        if (one == 0) continue;
        if (x[i] != x[i]) {
            gaps[label[i]] += one;
            continue;
        }
        idx bin = find_bin(&grid, x[i]);
        double *end = ends + 2 * bin;
        count[bin * q + label[i]] += one;
        if (x[i] < end[0]) end[0] = x[i];
        if (x[i] > end[1]) end[1] = x[i];
    }
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}
