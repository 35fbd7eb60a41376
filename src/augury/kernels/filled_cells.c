/* Filled cells of families that differ in one parent, and their score aCLL. */

#include "_native.h"
#include "wide_loops.h"

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

/* Logarithms of k + shift for k = 0, 1, …, computed when they are first asked for. Counts are
   mostly small integers. */
enum { KNOWN_LOGS = 1 << 12 };
typedef struct {
    double shift, values[KNOWN_LOGS];
} Logs;

static void forget_logs(Logs *logs, double shift)
{
    logs->shift = shift;
    for (idx k = 0; k < KNOWN_LOGS; k++) logs->values[k] = NAN;
}

static inline double log_of(Logs *logs, double count)
{
    if (!(count >= 0 && count < KNOWN_LOGS)) return log(count + logs->shift);
    int k = (int)count;
    if ((double)k != count) return log(count + logs->shift);
    if (isnan(logs->values[k])) logs->values[k] = log(count + logs->shift);
    return logs->values[k];
}

typedef struct {
    idx q, n_cells, next_class, next_cell;
    const double *counts; /* of cell k and class c at k next_cell + c next_class */
    const unsigned char *present;
    double own_weight, other_weight;
    Logs *of_counts, *of_totals;
    double *log_totals, *log_shares;
} CellScores;

/* The aCLL of the cells start … stop-1 of one configuration; their counts are added to `known`. */
INLINE double score_configuration(CellScores *t, idx start, idx stop, idx q, double *known)
{
    for (idx c = 0; c < q; c++) {
        double total = 0;
        for (idx k = start; k < stop; k++) total += t->counts[k * t->next_cell + c * t->next_class];
        *known += total;
        /* A total of 0 without pseudo-counts has no shares. */
        t->log_totals[c] = total + t->of_totals->shift > 0 ? log_of(t->of_totals, total) : 0.0;
    }
    double score = 0;
    for (idx k = start; k < stop; k++) {
        const double *counts = t->counts + k * t->next_cell;
        double of_all = 0;
        for (idx c = 0; c < q; c++) {
            t->log_shares[c] = log_of(t->of_counts, counts[c * t->next_class]) - t->log_totals[c];
            if (t->present[c]) of_all += t->log_shares[c];
        }
        for (idx c = 0; c < q; c++) {
            double own = t->log_shares[c];
            score += counts[c * t->next_class] * (t->own_weight * own + t->other_weight * (of_all - own));
        }
    }
    return score;
}

/* add_acll(counts, starts, family, present, s, s_of_totals, own_weight, other_weight, scores, known)
   scores[family] += sum over its cells and classes of
   N (own_weight log share + other_weight sum of the log shares of the other present classes),
   share = (N + s) / (N of the configuration + s_of_totals); known[family] += N. */
PyObject *add_acll(PyObject *self, PyObject *args)
{
    PyObject *counts_object, *starts_object, *family_object, *present_object, *scores_object,
        *known_object;
    double s, s_of_totals;
    CellScores t;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOddddOO", &counts_object, &starts_object, &family_object,
                          &present_object, &s, &s_of_totals, &t.own_weight, &t.other_weight,
                          &scores_object, &known_object))
        return NULL;
    Py_buffer *counts = hold(&held, counts_object, PyBUF_STRIDES, 2, FLOAT64, "counts");
    Py_buffer *starts = hold_integers(&held, starts_object, "starts");
    Py_buffer *family = hold_integers(&held, family_object, "family");
    Py_buffer *present = hold(&held, present_object, PyBUF_C_CONTIGUOUS, 1, BYTE, "present");
    Py_buffer *scores = hold_out(&held, scores_object, 1);
    Py_buffer *known = hold_out(&held, known_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = starts->shape[0], n_families = scores->shape[0];
    const int64_t *start = starts->buf, *of = family->buf;
    t.q = counts->shape[0], t.n_cells = counts->shape[1], t.counts = counts->buf;
    t.next_class = counts->strides[0] / (idx)sizeof(double), t.present = present->buf;
    t.next_cell = counts->strides[1] / (idx)sizeof(double);
    int fits = present->shape[0] == t.q &&
               family->shape[0] == n && known->shape[0] == n_families &&
               (n ? start[0] == 0 : t.n_cells == 0);
    for (idx i = 0; i < n && fits; i++) {
        idx end = i + 1 < n ? start[i + 1] : t.n_cells;
        fits = start[i] <= end && end <= t.n_cells && of[i] >= 0 && of[i] < n_families;
    }
    if (!fits) return fail(&held, "add_acll: shapes, starts or families do not fit");
    t.of_counts = malloc(sizeof(Logs)), t.of_totals = malloc(sizeof(Logs));
    t.log_totals = malloc(sizeof(double) * (size_t)(t.q + 1));
    t.log_shares = malloc(sizeof(double) * (size_t)(t.q + 1));
    if (!t.of_counts || !t.of_totals || !t.log_totals || !t.log_shares)
        PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        forget_logs(t.of_counts, s);
        forget_logs(t.of_totals, s_of_totals);
        for (idx i = 0; i < n; i++) {
            idx end = i + 1 < n ? start[i + 1] : t.n_cells;
            double *so_far = (double *)known->buf + of[i];
            ((double *)scores->buf)[of[i]] +=
                t.q == 2 ? score_configuration(&t, start[i], end, 2, so_far)
                         : score_configuration(&t, start[i], end, t.q, so_far);
        }
        Py_END_ALLOW_THREADS
    }
    free(t.of_counts);
    free(t.of_totals);
    free(t.log_totals);
    free(t.log_shares);
    return release(&held, Py_None);
}
