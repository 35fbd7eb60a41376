/* Filled cells of families that differ in one parent. */

#include "_native.h"

typedef struct {
    idx n, q, capacity, n_cells, n_configurations;
    const int64_t *others, *own;
    const int32_t *y;
    const double *weight;
    double *counts; /* (class, cell) */
    int64_t *starts, *family;
} Cells;

/* Append the cells of one candidate: the rows, which are sorted by the other parents and the own
   state, are sorted by its code, stably. `ends` has n_states + 2 numbers, `order` has n. Return
   0 if a code is out of range. */
#define DEFINE_FILL(C)                                                                         \
    static int fill_##C(const void *codes, int64_t n_states, idx candidate, Cells *t,          \
                        int64_t *ends, int64_t *order)                                         \
    {                                                                                          \
        const C *p = codes;                                                                    \
        memset(ends, 0, sizeof(int64_t) * (size_t)(n_states + 2));                             \
        for (idx r = 0; r < t->n; r++) {                                                       \
            if ((int64_t)p[r] > n_states) return 0;                                            \
            ends[(int64_t)p[r] + 1]++;                                                         \
        }                                                                                      \
        for (int64_t k = 0; k < n_states; k++) ends[k + 1] += ends[k];                         \
        idx known = ends[n_states];                                                            \
        for (idx r = 0; r < t->n; r++)                                                         \
            if ((int64_t)p[r] < n_states) order[ends[(int64_t)p[r]]++] = r;                    \
        int64_t before = -1;                                                                   \
        for (idx k = 0; k < known; k++) {                                                      \
            int64_t r = order[k];                                                              \
            int is_new = before < 0 || p[r] != p[before] || t->others[r] != t->others[before]; \
            if (is_new) {                                                                      \
                t->starts[t->n_configurations] = t->n_cells;                                   \
                t->family[t->n_configurations++] = candidate;                                  \
            }                                                                                  \
            if (is_new || t->own[r] != t->own[before]) t->n_cells++;                           \
            t->counts[t->y[r] * t->capacity + t->n_cells - 1] += t->weight ? t->weight[r] : 1.0; \
            before = r;                                                                        \
        }                                                                                      \
        return 1;                                                                              \
    }
EACH_CODE(DEFINE_FILL)

/* fill_cells(codes, n_states, others, own, y, weight, counts, starts, family) -> (cells,
   configurations): counts (class, cell) must be 0, with room for a cell of each row and
   candidate. */
PyObject *fill_cells(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *states_object, *others_object, *own_object, *y_object, *w_object,
        *counts_object, *starts_object, *family_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOOOO", &codes_object, &states_object, &others_object,
                          &own_object, &y_object, &w_object, &counts_object, &starts_object,
                          &family_object))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *codes = hold_codes(&held, codes_object);
    Py_buffer *states = hold_integers(&held, states_object, "n_states");
    Py_buffer *others = hold_integers(&held, others_object, "others");
    Py_buffer *own = hold_integers(&held, own_object, "own");
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *counts = hold_out(&held, counts_object, 2);
    Py_buffer *starts = hold(&held, starts_object, writable, 1, INT64, "starts");
    Py_buffer *family = hold(&held, family_object, writable, 1, INT64, "family");
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], m = codes->shape[1], capacity = counts->shape[1];
    const int64_t *n_states = states->buf;
    int64_t most = 0;
    for (idx j = 0; j < states->shape[0]; j++) {
        if (n_states[j] < 0 || n_states[j] > UINT32_MAX) return fail(&held, "fill_cells: n_states do not fit");
        most = n_states[j] > most ? n_states[j] : most;
    }
    if (states->shape[0] != m || others->shape[0] != n || own->shape[0] != n || y->shape[0] != n ||
        (w->buf && w->shape[0] != n) || capacity < n * m || starts->shape[0] < n * m ||
        family->shape[0] < n * m || !labels_fit(y->buf, 0, n, counts->shape[0]))
        return fail(&held, "fill_cells: shapes or labels do not fit");
    Cells t = {n, counts->shape[0], capacity, 0, 0, others->buf, own->buf, y->buf, w->buf,
               counts->buf, starts->buf, family->buf};
    int64_t *ends = malloc(sizeof(int64_t) * (size_t)(most + 2));
    int64_t *order = malloc(sizeof(int64_t) * (size_t)(n + 1));
    int fits = 1;
    if (!ends || !order)
        PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        for (idx j = 0; j < m && fits; j++)
            fits = PICK_CODE(fill, codes->itemsize)((const char *)codes->buf + j * n * codes->itemsize,
                                                    n_states[j], j, &t, ends, order);
        Py_END_ALLOW_THREADS
    }
    free(ends);
    free(order);
    if (!fits) PyErr_SetString(PyExc_ValueError, "fill_cells: a code is out of range");
    if (PyErr_Occurred()) return release(&held, NULL);
    PyObject *found = Py_BuildValue("nn", t.n_cells, t.n_configurations);
    return release(&held, found);
}
