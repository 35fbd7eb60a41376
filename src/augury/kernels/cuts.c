/* Cut points by minimum description length: the search of all candidates of sorted rows. */

#include "cuts.h"

/* x ln x: looked up for integer counts, otherwise computed; the numbers are the same. */
static inline double looked_up_x_ln_x(double x, const double *memo)
{
    return memo ? memo[(idx)x] : x_ln_x(x);
}

double entropy(const double *counts, idx q)
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

double midpoint(double a, double b)
{
    double sum = a + b;
    return isinf(sum) ? a / 2.0 + b / 2.0 : sum / 2.0;
}

double *allocate_classes(Column *k)
{
    idx q = k->q;
    double *s = malloc(sizeof(double) * 7 * (size_t)q);
    if (!s) return NULL;
    k->left = s;
    k->right = s + q;
    k->best_left = s + 2 * q;
    k->best_right = s + 3 * q;
    k->prior = s + 4 * q;
    k->saved = s + 5 * q;
    return s;
}

enum { FEW_CLASSES = 8 }; /* with more classes, few candidates are evaluated by all classes */

/* sum_c (g(l_c) + g(r_c)) - g(L) - g(R) with g(x) = x ln x, changed row by row: a row changes
   the numbers of one class only. The best cut has the largest value. */
typedef struct {
    double of_classes, on_left, on_right;
} Running;

static Running start_running(const Column *k)
{
    Running sum = {0, 0, 0};
    for (idx c = 0; c < k->q; c++) {
        sum.of_classes += looked_up_x_ln_x(k->left[c], k->memo) + looked_up_x_ln_x(k->right[c], k->memo);
        sum.on_left += k->left[c];
        sum.on_right += k->right[c];
    }
    return sum;
}

static double move_row(const Column *k, Running *sum, double w, double left, double right)
{
    const double *memo = k->memo;
    sum->of_classes += looked_up_x_ln_x(left + w, memo) - looked_up_x_ln_x(left, memo);
    sum->of_classes += looked_up_x_ln_x(right - w, memo) - looked_up_x_ln_x(right, memo);
    sum->on_left += w;
    sum->on_right -= w;
    return sum->of_classes - looked_up_x_ln_x(sum->on_left, memo) -
           looked_up_x_ln_x(sum->on_right, memo);
}

/* The smallest running value of a candidate that may be the best of first … stop-1. Rounding
   errors add up over the rows. left and right are unchanged. */
static double least_running(Column *k, idx first, idx stop)
{
    Running sum = start_running(k);
    double most = -INFINITY, size = fabs(x_ln_x(sum.on_left + sum.on_right)) + 1.0;
    for (idx i = first; i < stop; i++) {
        double w = k->weights ? k->weights[i] : 1.0;
        double *left = k->left + k->y[i], *right = k->right + k->y[i];
        double value = move_row(k, &sum, w, *left, *right);
        *left += w;
        *right -= w;
        if (k->values[i] < k->values[i + 1] && value > most) most = value;
    }
    return most - 1e-15 * (double)(stop - first + 2 * k->q) * size;
}

void compare_cut(Column *k, idx row, Cut *best)
{
    size_t bytes = sizeof(double) * (size_t)k->q;
    double e = split_entropy(k->left, k->right, k->q, k->memo);
    if (e < best->entropy) {
        *best = (Cut){row, e};
        memcpy(k->best_left, k->left, bytes);
        memcpy(k->best_right, k->right, bytes);
    }
}

void scan(Column *k, idx first, idx stop, Cut *best)
{
    Running sum = {0, 0, 0};
    double least = 0;
    int few = k->q <= FEW_CLASSES;
    if (!few) {
        size_t bytes = sizeof(double) * 2 * (size_t)k->q;
        memcpy(k->saved, k->left, bytes); /* right follows left */
        least = least_running(k, first, stop);
        memcpy(k->left, k->saved, bytes);
        sum = start_running(k);
    }
    for (idx i = first; i < stop; i++) {
        double w = k->weights ? k->weights[i] : 1.0;
        double value = few ? 0 : move_row(k, &sum, w, k->left[k->y[i]], k->right[k->y[i]]);
        k->left[k->y[i]] += w;
        k->right[k->y[i]] -= w;
        if (k->values[i] < k->values[i + 1] && (few || value >= least)) compare_cut(k, i, best);
    }
}

double description_length(const double *prior, double prior_entropy, double total, idx q)
{
    double n = classes_present(prior, q);
    return log(total - 1) / LN2 + log_subsets(n) / LN2 - n * prior_entropy;
}

int is_accepted(const Column *k, double prior_entropy, double total, Cut best)
{
    idx q = k->q;
    double gain = prior_entropy - best.entropy;
    /* Below two rows log(N - 1) tends to -infinity, and any gain would be accepted. */
    if (best.row < 0 || gain <= 0 || total < 2) return 0;
    double n = classes_present(k->prior, q);
    double delta = log_subsets(n) / LN2 -
                   (n * prior_entropy - classes_present(k->best_right, q) * entropy(k->best_right, q) -
                    classes_present(k->best_left, q) * entropy(k->best_left, q));
    return gain > (log(total - 1) / LN2 + delta) / total;
}

/* The accepted cut of the rows first … stop-1: the last row of its left side, or -1. */
static idx accepted_cut(Column *k, idx first, idx stop)
{
    idx q = k->q;
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
    double prior_entropy = entropy(k->prior, q);
    Cut cut = {-1, prior_entropy};
    scan(k, first, stop - 1, &cut);
    return is_accepted(k, prior_entropy, total, cut) ? cut.row : -1;
}

/* Recursion with an explicit stack: its depth may reach the number of rows. */
idx find_cuts(Column *k, idx n, double *out)
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

/* x_ln_x_table(out): out[i] = i ln i */
PyObject *x_ln_x_table(PyObject *self, PyObject *args)
{
    PyObject *out_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "O", &out_object)) return NULL;
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    Py_BEGIN_ALLOW_THREADS
    double *table = out->buf;
    for (idx i = 0; i < out->shape[0]; i++) table[i] = x_ln_x((double)i);
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}

/* mdl_cuts(values, y, weight or None, q, memo or None, out) -> number of cuts; values sorted.
   memo is the x_ln_x_table of all counts; a column without weights needs it. */
PyObject *mdl_cuts(PyObject *self, PyObject *args)
{
    PyObject *values_object, *y_object, *w_object, *memo_object, *out_object;
    idx q, found = -1;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOnOO", &values_object, &y_object, &w_object, &q, &memo_object,
                          &out_object))
        return NULL;
    Py_buffer *values = hold_floats(&held, values_object, 1, "values");
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *memo = hold_optional(&held, memo_object, PyBUF_C_CONTIGUOUS, 1, FLOAT64, "memo");
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = values->shape[0];
    if (!w->buf && (!memo->buf || memo->shape[0] <= n))
        return fail(&held, "mdl_cuts: memo must hold every count");
    if (y->shape[0] != n || (w->buf && w->shape[0] != n) || out->shape[0] < n ||
        q > INT32_MAX || !labels_fit(y->buf, 0, n, q))
        return fail(&held, "mdl_cuts: shapes or labels do not fit");
    Column column = {.values = values->buf, .weights = w->buf, .y = y->buf, .q = q,
                     .memo = w->buf ? NULL : memo->buf};
    double *classes = allocate_classes(&column);
    if (classes) {
        Py_BEGIN_ALLOW_THREADS
        found = find_cuts(&column, n, out->buf);
        Py_END_ALLOW_THREADS
    }
    free(classes);
    return release(&held, found < 0 ? PyErr_NoMemory() : PyLong_FromSsize_t(found));
}
