/* Rows and errors of the nodes of a decision tree. */

#include "_native.h"

/* ---- division of the rows of a node among its branches ----------------------------------- */

#define DEFINE_BRANCHES(C)                                                                     \
    static int branches_##C(const void *column, const int64_t *index, idx n, int64_t cut,      \
                            idx n_states, uint32_t *branch)                                    \
    {                                                                                          \
        const C *codes = column;                                                               \
        for (idx i = 0; i < n; i++) {                                                          \
            uint32_t code = codes[index[i]];                                                   \
            if ((idx)code > n_states) return 0;                                                \
            branch[i] = cut < 0 ? code : (idx)code == n_states ? 2 : (int64_t)code > cut;      \
        }                                                                                      \
        return 1;                                                                              \
    }
EACH_CODE(DEFINE_BRANCHES)

/* Replace the branch of each row by its place after a stable sort; write the end of each
   branch. */
static void places_by_branch(uint32_t *branch, idx n, int64_t *ends, idx n_branches)
{
    memset(ends, 0, sizeof(int64_t) * (size_t)n_branches);
    for (idx i = 0; i < n; i++)
        if ((idx)branch[i] + 1 < n_branches) ends[branch[i] + 1]++;
    for (idx b = 1; b < n_branches; b++) ends[b] += ends[b - 1]; /* the starts */
    for (idx i = 0; i < n; i++) branch[i] = (uint32_t)ends[branch[i]]++;
}

/* Move each number of 8 bytes to its place. */
static void move(void *numbers, const uint32_t *place, idx n, uint64_t *scratch)
{
    const uint64_t *from = numbers;
    for (idx i = 0; i < n; i++) scratch[place[i]] = from[i];
    memcpy(numbers, scratch, sizeof(uint64_t) * (size_t)n);
}

/* divide_rows(codes, column, n_states, cut, y, index, weight or None, table, ends)
   Sort index and weight by the branch of the rows, and write the weight of each branch and
   class, and the end of each branch. The branch is the code if cut < 0. Otherwise it is 0 for
   codes up to cut and 1 for larger ones. The last branch of `table` and `ends` has the rows
   with a missing value. */
PyObject *divide_rows(PyObject *self, PyObject *args)
{
    PyObject *o[6];
    idx column, n_states, cut;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OnnnOOOOO", o, &column, &n_states, &cut, o + 1, o + 2, o + 3,
                          o + 4, o + 5))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *codes = hold_codes(&held, o[0]);
    Py_buffer *y = hold_labels(&held, o[1]);
    Py_buffer *index = hold(&held, o[2], writable, 1, INT64, "index");
    Py_buffer *weight = hold_optional(&held, o[3], writable, 1, FLOAT64, "weight");
    Py_buffer *table = hold(&held, o[4], writable, 2, FLOAT64, "table");
    Py_buffer *ends = hold(&held, o[5], writable, 1, INT64, "ends");
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], q = table->shape[1];
    idx n_here = index->shape[0], n_branches = (cut < 0 ? n_states : 2) + 1;
    if (column < 0 || column >= codes->shape[1] || n_states < 0 || n_states > UINT32_MAX ||
        ends->shape[0] != n_branches || table->shape[0] != n_branches || y->shape[0] != n ||
        n_here > UINT32_MAX || (weight->buf && weight->shape[0] != n_here))
        return fail(&held, "divide_rows: shapes do not fit");
    int64_t *rows = index->buf;
    const double *weights = weight->buf;
    const int32_t *classes = y->buf;
    for (idx i = 0; i < n_here; i++)
        if (rows[i] < 0 || rows[i] >= n || classes[rows[i]] < 0 || classes[rows[i]] >= q)
            return fail(&held, "divide_rows: rows or labels do not fit");
    uint64_t *scratch = malloc(sizeof(uint64_t) * (size_t)(n_here + 1));
    uint32_t *branch = malloc(sizeof(uint32_t) * (size_t)(n_here + 1));
    int fits = 1;
    if (scratch && branch) {
        Py_BEGIN_ALLOW_THREADS
        const char *start = (const char *)codes->buf + column * n * codes->itemsize;
        fits = PICK_CODE(branches, codes->itemsize)(start, rows, n_here, cut, n_states, branch);
        if (fits) {
            double *sums = table->buf;
            memset(sums, 0, sizeof(double) * (size_t)(n_branches * q));
            for (idx i = 0; i < n_here; i++)
                sums[(idx)branch[i] * q + classes[rows[i]]] += weights ? weights[i] : 1.0;
            places_by_branch(branch, n_here, ends->buf, n_branches);
            move(rows, branch, n_here, scratch);
            if (weights) move(weight->buf, branch, n_here, scratch);
        }
        Py_END_ALLOW_THREADS
    } else
        PyErr_NoMemory();
    free(scratch);
    free(branch);
    if (!fits) PyErr_SetString(PyExc_ValueError, "divide_rows: a code is out of range");
    return release(&held, Py_None);
}

/* ---- errors ------------------------------------------------------------------------------ */

static double added_errors(double n, double errors, double confidence, double z)
{
    double at_least_one = errors > 1 ? errors : 1, limit;
    if (at_least_one + 0.5 >= n) {
        limit = n > at_least_one ? n - at_least_one : 0;
    } else {
        double f = (at_least_one + 0.5) / n;
        double root = sqrt(f / n - f * f / n + z * z / (4 * n * n));
        limit = n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n) - at_least_one;
    }
    if (errors >= 1) return limit;
    double none = n * (1 - pow(confidence, 1 / n));
    return none + errors * (limit - none);
}

/* expected_errors(table, confidence, z, out)
   out[i]: the errors expected of a leaf with the class weights table[i]; z is the quantile
   1 - confidence of the normal distribution. */
PyObject *expected_errors(PyObject *self, PyObject *args)
{
    PyObject *table_object, *out_object;
    double confidence, z;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OddO", &table_object, &confidence, &z, &out_object)) return NULL;
    Py_buffer *table = hold_floats(&held, table_object, 2, "table");
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    if (out->shape[0] != table->shape[0])
        return fail(&held, "expected_errors: shapes do not fit");
    idx q = table->shape[1];
    const double *weights = table->buf;
    double *expected = out->buf;
    for (idx i = 0; i < out->shape[0]; i++, weights += q) {
        double total = 0, most = 0;
        for (idx c = 0; c < q; c++) {
            total += weights[c];
            if (weights[c] > most) most = weights[c];
        }
        double errors = total - most;
        expected[i] = total < 1e-6 ? 0 : errors + added_errors(total, errors, confidence, z);
    }
    return release(&held, Py_None);
}
