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
    idx q, n;
    double *left, *right, *best_left, *best_right, *prior; /* by class */
    double *before, *at, *gains;      /* by class */
    double *saved;                    /* left and right */
    idx grid;                         /* rows between two entries of counts_before */
    const int64_t *counts_before;     /* (entry, class), or NULL: every row is a candidate */
} Column;

typedef struct {
    idx row; /* the last row of the left side, or -1 */
    double entropy;
} Cut;

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

/* Update the best cut by the candidates first … stop-1; left and right are those before. */
static void scan(Column *k, idx first, idx stop, Cut *best)
{
    idx q = k->q;
    size_t bytes = sizeof(double) * (size_t)q;
    Running sum = {0, 0, 0};
    double least = 0;
    int few = q <= FEW_CLASSES;
    if (!few) {
        memcpy(k->saved, k->left, 2 * bytes); /* right follows left */
        least = least_running(k, first, stop);
        memcpy(k->left, k->saved, 2 * bytes);
        sum = start_running(k);
    }
    for (idx i = first; i < stop; i++) {
        double w = k->weights ? k->weights[i] : 1.0;
        double value = few ? 0 : move_row(k, &sum, w, k->left[k->y[i]], k->right[k->y[i]]);
        k->left[k->y[i]] += w;
        k->right[k->y[i]] -= w;
        if (k->values[i] < k->values[i + 1] && (few || value >= least)) {
            double e = split_entropy(k->left, k->right, q, k->memo);
            if (e < best->entropy) {
                *best = (Cut){i, e};
                memcpy(k->best_left, k->left, bytes);
                memcpy(k->best_right, k->right, bytes);
            }
        }
    }
}

/* ---- candidates that cannot be the best are left out ------------------------------------

   With l_c and r_c rows of class c on the left and on the right, L and R in all, the best cut
   has the largest value = sum_c (g(l_c) + g(r_c)) - (g(L) + g(R)) with the convex g(x) = x ln x.
   Among the cuts between two positions each l_c lies between its numbers there, so each convex
   term is at most the larger of its two ends, and g(L) + g(R) is at least its smallest value.
   This bound of a block is computed from the counts before each position of a grid. */

enum {
    MANY_ROWS = 1 << 16, /* columns of more rows have a grid */
    FEW_ROWS = 1 << 10,  /* parts of fewer rows are scanned directly */
};

/* Rows of each class before a row. */
static void count_before(const Column *k, idx row, double *counts)
{
    idx entry = row / k->grid;
    const int64_t *known = k->counts_before + entry * k->q;
    for (idx c = 0; c < k->q; c++) counts[c] = (double)known[c];
    for (idx i = entry * k->grid; i < row; i++) counts[k->y[i]]++;
}

/* The classes' terms and the total at a position: gains[c] = g(l_c) + g(r_c). */
static double terms_at(Column *k, idx row)
{
    double on_left = 0;
    count_before(k, row, k->at);
    for (idx c = 0; c < k->q; c++) {
        double l = k->at[c] - k->before[c];
        k->gains[c] = k->memo[(idx)l] + k->memo[(idx)(k->prior[c] - l)];
        on_left += l;
    }
    return on_left;
}

/* The end of the block that begins at a row: the next position of the grid. */
static idx block_end(const Column *k, idx row, idx stop)
{
    idx next = (row / k->grid + 1) * k->grid;
    return next < stop ? next : stop;
}

/* The best cut of the rows first … stop-1, as a scan of all candidates finds it. */
static int scan_promising(Column *k, idx first, idx stop, double total, Cut *best)
{
    idx q = k->q, n_blocks = 0;
    for (idx a = first; a < stop; a = block_end(k, a, stop)) n_blocks++;
    double *bounds = malloc(sizeof(double) * (size_t)(n_blocks + q));
    if (!bounds) return -1;
    double *previous = bounds + n_blocks, least = -INFINITY, margin = 1e-11 * x_ln_x(total);
    count_before(k, first, k->before);
    double left = terms_at(k, first);
    idx b = 0;
    for (idx a = first; a < stop; b++) {
        memcpy(previous, k->gains, sizeof(double) * (size_t)q);
        idx end = block_end(k, a, stop);
        double next = terms_at(k, end), most = 0, value = 0;
        for (idx c = 0; c < q; c++) {
            most += previous[c] > k->gains[c] ? previous[c] : k->gains[c];
            value += k->gains[c];
        }
        double middle = total / 2 < left ? left : total / 2 > next ? next : total / 2;
        bounds[b] = most - x_ln_x(middle) - x_ln_x(total - middle);
        value -= k->memo[(idx)next] + k->memo[(idx)(total - next)];
        if (end < stop && k->values[end - 1] < k->values[end] && value > least) least = value;
        left = next;
        a = end;
    }
    b = 0;
    for (idx a = first; a < stop; b++) {
        idx end = block_end(k, a, stop);
        if (bounds[b] >= least - margin) {
            count_before(k, a, k->left);
            for (idx c = 0; c < q; c++) {
                k->left[c] -= k->before[c];
                k->right[c] = k->prior[c] - k->left[c];
            }
            scan(k, a, end < stop ? end : stop - 1, best);
        }
        a = end;
    }
    free(bounds);
    return 0;
}

/* The accepted cut of the rows first … stop-1: the last row of its left side, -1 if there is
   none, or -2 if there is no memory. */
static idx accepted_cut(Column *k, idx first, idx stop)
{
    idx q = k->q;
    size_t bytes = sizeof(double) * (size_t)q;
    double total = 0;
    memset(k->left, 0, bytes);
    memset(k->right, 0, bytes);
    int by_blocks = k->counts_before && stop - first > FEW_ROWS;
    if (by_blocks) {
        count_before(k, first, k->left);
        count_before(k, stop, k->right);
        for (idx c = 0; c < q; c++) k->right[c] -= k->left[c];
        total = (double)(stop - first);
    } else {
        for (idx i = first; i < stop; i++) {
            double w = k->weights ? k->weights[i] : 1.0;
            k->right[k->y[i]] += w;
            total += w;
        }
    }
    memcpy(k->prior, k->right, bytes);
    double prior_entropy = entropy(k->prior, q);
    Cut cut = {-1, prior_entropy};
    if (!by_blocks)
        scan(k, first, stop - 1, &cut);
    else if (scan_promising(k, first, stop, total, &cut) < 0)
        return -2;
    idx best = cut.row;
    double gain = prior_entropy - cut.entropy;
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
        if (cut == -1) continue;
        if (cut < 0) {
            free(stack);
            return -1;
        }
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

static void fill_grid(const Column *k, int64_t *counts)
{
    memset(counts, 0, sizeof(int64_t) * (size_t)k->q);
    for (idx entry = 1; entry <= k->n / k->grid; entry++) {
        int64_t *here = counts + entry * k->q;
        memcpy(here, here - k->q, sizeof(int64_t) * (size_t)k->q);
        for (idx i = (entry - 1) * k->grid; i < entry * k->grid; i++) here[k->y[i]]++;
    }
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
    int with_grid = !w->buf && n > MANY_ROWS;
    idx grid = q > 64 ? q : 64;
    double *scratch = malloc(sizeof(double) * 10 * (size_t)q);
    int64_t *counts = with_grid ? malloc(sizeof(int64_t) * (size_t)(n / grid + 1) * (size_t)q) : NULL;
    if (scratch && (counts || !with_grid)) {
        double *s = scratch;
        Column column = {.values = values->buf, .weights = w->buf, .memo = w->buf ? NULL : memo->buf, .y = y->buf, .q = q,
                         .n = n, .left = s, .right = s + q, .best_left = s + 2 * q,
                         .best_right = s + 3 * q, .prior = s + 4 * q, .before = s + 5 * q,
                         .at = s + 6 * q, .gains = s + 7 * q, .saved = s + 8 * q, .grid = grid, .counts_before = counts};
        Py_BEGIN_ALLOW_THREADS
        if (counts) fill_grid(&column, counts);
        found = find_cuts(&column, n, out->buf);
        Py_END_ALLOW_THREADS
    }
    free(scratch);
    free(counts);
    return release(&held, found < 0 ? PyErr_NoMemory() : PyLong_FromSsize_t(found));
}

