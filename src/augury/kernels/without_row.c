/* Estimates of each training row from the counts of all other rows. */

#include "_native.h"

/* A difference that is a smaller share of its operands is a rounding error. */
#define ROUNDING (64 * 2.220446049250313e-16)

/* The count without a row of this weight; NaN if the count is smaller than the weight. */
static inline double take_away(double count, double weight)
{
    double left = count - weight, rounding = ROUNDING * (count + weight);
    return left > rounding ? left : left >= -rounding ? 0.0 : NAN;
}

typedef struct {
    idx rows, q, n_states;     /* rows of the block; classes; states of the child */
    idx state_offset, slot_offset, states; /* of the parent */
    const int32_t *y;
    const double *w, *alone;
    const double *const *from; /* of each row, the counts of its state of the child */
    const double *totals;
    double added, share;
    double *out;
} Parent;

/* out += share p(child | parent, own class), without the row. */
#define DEFINE_ADD_PARENT(C)                                                                   \
    static void add_parent_##C(const Parent *t, const void *codes)                             \
    {                                                                                          \
        const C *p = codes;                                                                    \
        double all_added = t->added * (double)t->n_states;                                     \
        for (idx i = 0; i < t->rows; i++) {                                                    \
            double given = t->alone[i];                                                        \
            if (t->from[i] && (idx)p[i] < t->states) {                                         \
                double count = t->from[i][(t->state_offset + (idx)p[i]) * t->q];               \
                double total = t->totals[(t->slot_offset + (idx)p[i]) * t->q + t->y[i]];       \
                double below = take_away(total, t->w[i]) + all_added;                          \
                double above = take_away(count, t->w[i]) + t->added;                           \
                given = below <= 0 ? 1.0 / (double)t->n_states : above / below;                \
            }                                                                                  \
            t->out[i] += t->share * given;                                                     \
        }                                                                                      \
    }
EACH_CODE(DEFINE_ADD_PARENT)

#define DEFINE_POINT(C)                                                                        \
    static void point_##C(const void *codes, idx rows, idx states, const double *counts,       \
                          idx width, const int32_t *y, const double **from)                    \
    {                                                                                          \
        const C *p = codes;                                                                    \
        for (idx i = 0; i < rows; i++)                                                         \
            from[i] = (idx)p[i] < states ? counts + (idx)p[i] * width + y[i] : NULL;           \
    }
EACH_CODE(DEFINE_POINT)

/* add_pair_shares_without(codes, column, y, weight, counts, totals, shares, alone, added,
                           offsets, out, start, stop)
   out[row] += sum over columns j of shares[j] p(x_column | x_j, y), estimated without the row.
   counts is (state of `column`, state of any column, class); totals is (slot, class). */
PyObject *add_pair_shares_without(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *y_object, *w_object, *counts_object, *totals_object, *shares_object;
    PyObject *alone_object, *offsets_object, *out_object;
    idx column, start, stop;
    double added;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OnOOOOOOdOOnn", &codes_object, &column, &y_object, &w_object,
                          &counts_object, &totals_object, &shares_object, &alone_object, &added,
                          &offsets_object, &out_object, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, codes_object), *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_floats(&held, w_object, 1, "weight");
    Py_buffer *counts = hold_floats(&held, counts_object, 3, "counts");
    Py_buffer *totals = hold_floats(&held, totals_object, 2, "totals");
    Py_buffer *shares = hold_floats(&held, shares_object, 1, "shares");
    Py_buffer *alone = hold_floats(&held, alone_object, 1, "alone");
    Py_buffer *offsets = hold_offsets(&held, offsets_object);
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1], q = counts->shape[2], size = codes->itemsize;
    const int64_t *offset = offsets->buf;
    if (!rows_fit(start, stop, n)) return fail(&held, "rows out of range");
    if (column < 0 || column >= d || y->shape[0] != n || w->shape[0] != n ||
        alone->shape[0] != n || out->shape[0] != n || shares->shape[0] != d ||
        offsets->shape[0] != d + 1 || !offsets_fit(offset, d) ||
        counts->shape[0] != offset[column + 1] - offset[column] - 1 ||
        counts->shape[1] != offset[d] - d || totals->shape[0] != offset[d] ||
        totals->shape[1] != q || !labels_fit(y->buf, start, stop, q))
        return fail(&held, "add_pair_shares_without: shapes, offsets or labels do not fit");
    idx n_states = counts->shape[0];
    const double *share = shares->buf;
    int fits = 1;
    Py_BEGIN_ALLOW_THREADS
    const double *from[BLOCK];
    for (idx b = start; b < stop && fits; b += BLOCK) {
        idx rows = stop - b < BLOCK ? stop - b : BLOCK;
        const char *own = (const char *)codes->buf + (column * n + b) * size;
        const int32_t *labels = (const int32_t *)y->buf + b;
        fits = PICK_CODE(largest, size)(own, rows, (uint32_t)n_states);
        if (fits)
            PICK_CODE(point, size)(own, rows, n_states, counts->buf, counts->shape[1] * q, labels,
                                   from);
        for (idx j = 0; j < d && fits; j++) {
            if (share[j] == 0) continue;
            const char *other = (const char *)codes->buf + (j * n + b) * size;
            Parent parent = {.rows = rows, .q = q, .n_states = n_states,
                             .state_offset = offset[j] - j, .slot_offset = offset[j],
                             .states = offset[j + 1] - offset[j] - 1, .y = labels,
                             .w = (const double *)w->buf + b, .alone = (const double *)alone->buf + b,
                             .from = from, .totals = totals->buf, .added = added,
                             .share = share[j], .out = (double *)out->buf + b};
            fits = PICK_CODE(largest, size)(other, rows, (uint32_t)parent.states);
            if (fits) PICK_CODE(add_parent, size)(&parent, other);
        }
    }
    Py_END_ALLOW_THREADS
    if (!fits) PyErr_SetString(PyExc_ValueError, "add_pair_shares_without: a code is out of range");
    return release(&held, Py_None);
}
