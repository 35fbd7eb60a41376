/* A column divided by class, and merging of sorted parts, one for each class, with their labels. */

#include "cuts.h"

/* Merge the adjacent runs a … b-1 and b … end-1; of equal values those of the first run come
   first. No branch of the loop depends on the values: it would be mispredicted half of the
   time. */
static void merge_two(Run from, idx a, idx b, idx end, Run to)
{
    idx i = a, j = b, k = a;
    while (i < b && j < end) {
        idx is_first = from.values[i] <= from.values[j];
        idx next = j ^ ((i ^ j) & -is_first); /* is_first ? i : j */
        to.values[k] = from.values[next];
        to.labels[k] = from.labels[next];
        i += is_first;
        j += 1 - is_first;
        k++;
    }
    idx rest = i < b ? i : j, n = i < b ? b - i : end - j;
    memcpy(to.values + k, from.values + rest, sizeof(double) * (size_t)n);
    memcpy(to.labels + k, from.labels + rest, sizeof(int32_t) * (size_t)n);
}

Run merge_all(Run from, Run to, int64_t *starts, idx n_runs)
{
    while (n_runs > 1) {
        idx merged = 0;
        for (idx r = 0; r < n_runs; r += 2, merged++) {
            idx a = starts[r], b = starts[r + 1], end = r + 1 < n_runs ? starts[r + 2] : b;
            merge_two(from, a, b, end, to);
            starts[merged] = a;
            starts[merged + 1] = end;
        }
        n_runs = merged;
        Run swapped = from;
        from = to;
        to = swapped;
    }
    return from;
}

/* divide_by_class(values, y, out, ends): write the values that are not NaN class by class.
   Those of class c end at ends[c]; values may have any stride. */
PyObject *divide_by_class(PyObject *self, PyObject *args)
{
    PyObject *values_object, *y_object, *out_object, *ends_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOO", &values_object, &y_object, &out_object, &ends_object))
        return NULL;
    Py_buffer *values = hold(&held, values_object, PyBUF_STRIDED_RO, 1, FLOAT64, "values");
    Py_buffer *y = hold_labels(&held, y_object), *out = hold_out(&held, out_object, 1);
    Py_buffer *ends = hold(&held, ends_object, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, 1, INT64, "ends");
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = values->shape[0], q = ends->shape[0], step = values->strides[0];
    if (y->shape[0] != n || out->shape[0] != n || q < 1 || !labels_fit(y->buf, 0, n, q))
        return fail(&held, "divide_by_class: shapes or labels do not fit");
    Py_BEGIN_ALLOW_THREADS
    const int32_t *labels = y->buf;
    const char *column = values->buf;
    int64_t *next = ends->buf, total = 0;
    double *to = out->buf;
    memset(next, 0, sizeof(int64_t) * (size_t)q);
    for (idx i = 0; i < n; i++) {
        double value = *(const double *)(column + i * step);
        next[labels[i]] += value == value;
    }
    for (idx c = 0; c < q; c++) {
        int64_t count = next[c];
        next[c] = total;
        total += count;
    }
    for (idx i = 0; i < n; i++) {
        double value = *(const double *)(column + i * step);
        if (value == value) to[next[labels[i]]++] = value;
    }
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}
