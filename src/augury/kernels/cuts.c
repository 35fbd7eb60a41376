/* Cut points by minimum description length. */

#include "_native.h"

/* x ln x as in WEKA's ContingencyTables.lnFunc. Natural logarithms and the order of the
   additions below are also WEKA's: rounding decides between equally good cuts. */
static double x_ln_x(double x) { return x < 1e-6 ? 0.0 : x * log(x); }

/* x ln x: looked up for integer counts, otherwise computed; the numbers are the same. */
static inline double looked_up_x_ln_x(double x, const double *memo)
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
            value += looked_up_x_ln_x(sides[s][c], memo);
            sum += sides[s][c];
        }
        value -= looked_up_x_ln_x(sum, memo);
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

/* ln(3^n - 2). Above 646 classes 3^n overflows, and the 2 is negligible. */
static double log_subsets(double n)
{
    double power = pow(3, n);
    return isinf(power) ? n * log(3) : log(power - 2);
}

static double midpoint(double a, double b)
{
    double sum = a + b;
    return isinf(sum) ? a / 2.0 + b / 2.0 : sum / 2.0;
}

typedef struct {
    const double *values, *weights, *memo;
    const int32_t *y;
    idx q;
    double *left, *right, *best_left, *best_right, *prior;
} Column;

/* The accepted cut of the rows first … stop-1: the last row of its left side, or -1. */
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
    /* Below two rows log(N - 1) tends to -infinity, and any gain would be accepted. */
    if (best < 0 || gain <= 0 || total < 2) return -1;
    double n = classes_present(k->prior, q);
    double delta = log_subsets(n) / LN2 -
                   (n * prior_entropy - classes_present(k->best_right, q) * entropy(k->best_right, q) -
                    classes_present(k->best_left, q) * entropy(k->best_left, q));
    return gain > (log(total - 1) / LN2 + delta) / total ? best : -1;
}

/* Recursion with an explicit stack: its depth may reach the number of rows. Returns the
   number of cuts, which are written to out unsorted, or -1 if there is no memory. */
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
        out[found++] = midpoint(k->values[cut], k->values[cut + 1]);
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
PyObject *mdl_cuts(PyObject *self, PyObject *args)
{
    PyObject *values_object, *y_object, *w_object, *out_object;
    idx q, found = -1;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOnO", &values_object, &y_object, &w_object, &q, &out_object))
        return NULL;
    Py_buffer *values = hold_floats(&held, values_object, 1, "values");
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = values->shape[0];
    if (y->shape[0] != n || (w->buf && w->shape[0] != n) || out->shape[0] < n ||
        q > INT32_MAX || !labels_fit(y->buf, 0, n, q))
        return fail(&held, "mdl_cuts: shapes or labels do not fit");
    double *scratch = malloc(sizeof(double) * 5 * (size_t)q);
    double *memo = w->buf ? NULL : malloc(sizeof(double) * ((size_t)n + 1));
    if (scratch && (memo || w->buf)) {
        Column column = {values->buf, w->buf, memo, y->buf, q, scratch, scratch + q, scratch + 2 * q,
                         scratch + 3 * q, scratch + 4 * q};
        Py_BEGIN_ALLOW_THREADS
        if (memo)
            for (idx i = 0; i <= n; i++) memo[i] = x_ln_x((double)i);
        found = find_cuts(&column, n, out->buf);
        Py_END_ALLOW_THREADS
    }
    free(scratch);
    free(memo);
    return release(&held, found < 0 ? PyErr_NoMemory() : PyLong_FromSsize_t(found));
}

