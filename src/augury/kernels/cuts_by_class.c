/* Cut points by minimum description length of a column without weights, whose values are sorted
   within each class. Candidates that cannot be the best are left out, a block at a time.

   A position is the number of rows of each class on its left. Some positions, the grid, are
   found first; two neighbours enclose a block. With l_c and r_c rows of class c on the left and
   on the right, L and R in all, the best cut has the largest

       F = sum_c (g(l_c) + g(r_c)) - (g(L) + g(R)),   g(x) = x ln x.

   g is convex, so that g(L) + g(N - L) is at least its tangent at the middle M of a block, whose
   slope is s = ln(M / (N - M)). So F is at most a sum over the classes of
   g(l_c) + g(r_c) - s l_c, and a constant. Each of these terms is convex, and at most the larger
   of its values at the two ends of the block. A block is merged and scanned if this bound reaches
   F of the best position of the grid. */

#include "cuts.h"

enum { FEW_ROWS = 1 << 8 }; /* parts of fewer rows are merged and searched row by row */

/* F and its bounds are sums of terms below N ln N; their rounding errors are smaller shares. */
static const double MARGIN = 1e-11;

typedef struct {
    const double *values;   /* class by class, each class sorted */
    const int64_t *starts;  /* of each class, and the end */
    const int64_t *grid;    /* (position, class): rows of the class on the left */
    const int64_t *on_left; /* of each position, rows on the left */
    idx n_positions;
    Run rows, spare; /* room for all rows, and one number */
    int64_t *cut;    /* a position */
    int64_t *ends;   /* of the runs that are merged: one more than classes */
    double *terms;   /* g(l_c) + g(r_c) by class, at the two ends of a block */
    double *bounds;  /* of each block of a part */
    Column column;
} Divided;

/* The rows between two positions. */
typedef struct {
    const int64_t *from, *to;
    idx on_left;     /* rows before `from` */
    idx first, stop; /* the positions of the grid that lie inside */
    double total;
} Part;

static const int64_t *position(const Divided *d, const Part *p, idx e)
{
    idx q = d->column.q;
    return e < p->first ? p->from : e < p->stop ? d->grid + e * q : p->to;
}

/* Merge the rows between two positions; returns their number. */
static idx merge_rows(Divided *d, const int64_t *from, const int64_t *to)
{
    idx n = 0, n_runs = 0;
    int64_t *ends = d->ends;
    ends[0] = 0;
    for (idx c = 0; c < d->column.q; c++) {
        idx rows = to[c] - from[c];
        if (!rows) continue;
        memcpy(d->rows.values + n, d->values + d->starts[c] + from[c], sizeof(double) * (size_t)rows);
        for (idx i = 0; i < rows; i++) d->rows.labels[n + i] = (int32_t)c;
        n += rows;
        ends[++n_runs] = n;
    }
    Run sorted = merge_all(d->rows, d->spare, ends, n_runs);
    d->column.values = sorted.values;
    d->column.y = sorted.labels;
    return n;
}

/* Whether all rows between two positions have one value. */
static int is_one_value(const Divided *d, const int64_t *from, const int64_t *to)
{
    double low = INFINITY, high = -INFINITY;
    for (idx c = 0; c < d->column.q; c++) {
        const double *own = d->values + d->starts[c];
        if (from[c] == to[c]) continue;
        if (own[from[c]] < low) low = own[from[c]];
        if (own[to[c] - 1] > high) high = own[to[c] - 1];
    }
    return low == high;
}

/* Update the best cut by the candidates of the block before position e, its end included. */
static void scan_block(Divided *d, const Part *p, idx e, Cut *best)
{
    Column *k = &d->column;
    const int64_t *from = position(d, p, e - 1), *to = position(d, p, e);
    int is_last = e == p->stop;
    if (is_one_value(d, from, to)) { /* its end is the only candidate */
        if (is_last) return;
        for (idx c = 0; c < k->q; c++) {
            k->left[c] = (double)(to[c] - p->from[c]);
            k->right[c] = k->prior[c] - k->left[c];
        }
        compare_cut(k, e, best);
        return;
    }
    idx n = merge_rows(d, from, to);
    for (idx c = 0; c < k->q; c++) {
        k->left[c] = (double)(from[c] - p->from[c]);
        k->right[c] = k->prior[c] - k->left[c];
    }
    ((double *)k->values)[n] = INFINITY; /* the next block has larger values */
    scan(k, 0, is_last ? n - 1 : n, best);
}

/* Write g(l_c) + g(r_c) of each class at a position of a part. Return their sum. */
static double terms_at(const Divided *d, const Part *p, const int64_t *here, double *terms)
{
    const double *memo = d->column.memo, *prior = d->column.prior;
    double sum = 0;
    for (idx c = 0; c < d->column.q; c++) {
        idx l = here[c] - p->from[c];
        terms[c] = memo[l] + memo[(idx)prior[c] - l];
        sum += terms[c];
    }
    return sum;
}

/* The largest F that a candidate between two positions may have. */
static double bound_of_block(const Divided *d, const Part *p, const int64_t *from,
                             const int64_t *to, idx middle, const double *before, const double *after)
{
    const double *memo = d->column.memo;
    idx rest = (idx)p->total - middle;
    if (!middle || !rest) return INFINITY;
    double slope = memo[middle] / (double)middle - memo[rest] / (double)rest;
    double sum = slope * (double)middle - memo[middle] - memo[rest];
    for (idx c = 0; c < d->column.q; c++) {
        double a = before[c] - slope * (double)(from[c] - p->from[c]);
        double b = after[c] - slope * (double)(to[c] - p->from[c]);
        sum += a > b ? a : b;
    }
    return sum;
}

/* Write the bounds of all blocks of a part; return the largest of them. `least` becomes the
   largest F of a position of the grid. */
static double bound_blocks(Divided *d, const Part *p, double *least)
{
    const double *memo = d->column.memo;
    double *before = d->terms, *after = d->terms + d->column.q, most = -INFINITY;
    const int64_t *from = p->from;
    idx total = (idx)p->total, left = 0;
    terms_at(d, p, from, before);
    *least = -INFINITY;
    for (idx e = p->first; e <= p->stop; e++) {
        const int64_t *to = position(d, p, e);
        idx next = e < p->stop ? d->on_left[e] - p->on_left : total;
        double value = terms_at(d, p, to, after) - memo[next] - memo[total - next];
        double bound = bound_of_block(d, p, from, to, (left + next) / 2, before, after);
        if (e < p->stop && value > *least) *least = value;
        if (bound > most) most = bound;
        d->bounds[e - p->first] = bound;
        double *swapped = before;
        before = after;
        after = swapped;
        from = to;
        left = next;
    }
    return most;
}

/* Whether no candidate with an F up to `most` can be accepted. Its gain is at most
   H - e with e = -F / (N ln 2), and k_left H_left + k_right H_right is at least e 2^e and at
   least 2 e: a side of entropy H > 0 has at least max(2, 2^H) classes, both x 2^x and 2 x are
   convex, and e is at most a mean of the two entropies. */
static int is_rejected(const Divided *d, const Part *p, double prior_entropy, double most)
{
    double least_entropy = -most / (p->total * LN2);
    if (!(least_entropy > 0)) return 0;
    double sides = least_entropy * (least_entropy < 1 ? 2 : exp2(least_entropy));
    double needed = description_length(d->column.prior, prior_entropy, p->total, d->column.q) + sides;
    return prior_entropy - least_entropy + 1e-9 < needed / p->total;
}

/* Find the accepted cut of a part: best_left has the rows of each class on its left. */
static int cut_part(Divided *d, const Part *p)
{
    Column *k = &d->column;
    for (idx c = 0; c < k->q; c++) k->prior[c] = (double)(p->to[c] - p->from[c]);
    double prior_entropy = entropy(k->prior, k->q), least;
    double most = bound_blocks(d, p, &least);
    if (is_rejected(d, p, prior_entropy, most)) return 0;
    Cut cut = {-1, prior_entropy};
    least -= (MARGIN + 1e-15 * (double)k->q) * x_ln_x(p->total);
    for (idx e = p->first; e <= p->stop; e++)
        if (d->bounds[e - p->first] >= least) scan_block(d, p, e, &cut);
    return is_accepted(k, prior_entropy, p->total, cut);
}

/* The mean of the values on both sides of a position. */
static double value_at(const Divided *d, const Part *p, const int64_t *here)
{
    double low = -INFINITY, high = INFINITY;
    for (idx c = 0; c < d->column.q; c++) {
        const double *own = d->values + d->starts[c];
        if (here[c] > p->from[c] && own[here[c] - 1] > low) low = own[here[c] - 1];
        if (here[c] < p->to[c] && own[here[c]] < high) high = own[here[c]];
    }
    return midpoint(low, high);
}

static int64_t sum_of(const int64_t *counts, idx q)
{
    int64_t sum = 0;
    for (idx c = 0; c < q; c++) sum += counts[c];
    return sum;
}

/* The first position of the grid with at least so many rows on its left. */
static idx first_position(const Divided *d, idx on_left)
{
    idx low = 0, high = d->n_positions;
    while (low < high) {
        idx middle = (low + high) / 2;
        if (d->on_left[middle] < on_left) low = middle + 1;
        else high = middle;
    }
    return low;
}

static Part part_between(const Divided *d, const int64_t *from, const int64_t *to)
{
    idx q = d->column.q, before = sum_of(from, q), end = sum_of(to, q);
    return (Part){.from = from, .to = to, .on_left = before, .total = (double)(end - before),
                  .first = first_position(d, before + 1), .stop = first_position(d, end)};
}

/* Parts that wait: the positions of both ends of each. */
typedef struct {
    int64_t *ends;
    idx depth, capacity;
} Stack;

static int push(Stack *stack, const int64_t *from, const int64_t *to, idx q)
{
    size_t bytes = sizeof(int64_t) * (size_t)q;
    if (stack->depth == stack->capacity) {
        idx capacity = 2 * stack->capacity + 16;
        int64_t *larger = realloc(stack->ends, 2 * bytes * (size_t)capacity);
        if (!larger) return 0;
        stack->ends = larger;
        stack->capacity = capacity;
    }
    int64_t *top = stack->ends + 2 * q * stack->depth++;
    memcpy(top, from, bytes);
    memcpy(top + q, to, bytes);
    return 1;
}

/* Cut a part and push its halves. Returns the number of cuts, or -1 if there is no memory. */
static idx search_part(Divided *d, const Part *p, Stack *stack, double *out)
{
    idx q = d->column.q;
    if (p->total <= FEW_ROWS) {
        idx n = merge_rows(d, p->from, p->to);
        return find_cuts(&d->column, n, out);
    }
    if (!cut_part(d, p)) return 0;
    for (idx c = 0; c < q; c++) d->cut[c] = p->from[c] + (int64_t)d->column.best_left[c];
    out[0] = value_at(d, p, d->cut);
    return push(stack, p->from, d->cut, q) && push(stack, d->cut, p->to, q) ? 1 : -1;
}

/* Find all cuts. `here` has room for two positions. */
static idx search_all(Divided *d, int64_t *here, double *out)
{
    idx q = d->column.q, found = 0;
    Stack stack = {NULL, 0, 0};
    memset(here, 0, sizeof(int64_t) * (size_t)q);
    for (idx c = 0; c < q; c++) here[q + c] = d->starts[c + 1] - d->starts[c];
    int more = push(&stack, here, here + q, q);
    while (more && stack.depth) {
        memcpy(here, stack.ends + 2 * q * --stack.depth, sizeof(int64_t) * 2 * (size_t)q);
        Part part = part_between(d, here, here + q);
        idx cuts = search_part(d, &part, &stack, out + found);
        more = cuts >= 0;
        found += cuts;
    }
    free(stack.ends);
    return more ? found : -1;
}

/* Write the positions that have the values up to each of the ascending `splitters` on their left. */
static void fill_grid(const Divided *d, const double *splitters, int64_t *grid, int64_t *on_left)
{
    idx q = d->column.q;
    memset(on_left, 0, sizeof(int64_t) * (size_t)d->n_positions);
    for (idx c = 0; c < q; c++) {
        const double *own = d->values + d->starts[c];
        idx n = d->starts[c + 1] - d->starts[c], i = 0;
        for (idx e = 0; e < d->n_positions; e++) {
            while (i < n && own[i] <= splitters[e]) i++;
            grid[e * q + c] = i;
            on_left[e] += i;
        }
    }
}

static idx search_with_grid(Divided *d, const double *splitters, double *out)
{
    size_t q = (size_t)d->column.q, rows = (size_t)d->starts[q] + 1, e = (size_t)d->n_positions;
    double *classes = allocate_classes(&d->column);
    double *floats = malloc(sizeof(double) * (2 * rows + 2 * q + e + 1));
    int32_t *labels = malloc(sizeof(int32_t) * 2 * rows);
    int64_t *counts = malloc(sizeof(int64_t) * (e * (q + 1) + 4 * q + 1));
    idx found = -1;
    if (classes && floats && labels && counts) {
        int64_t *grid = counts, *on_left = grid + e * q, *here = on_left + e;
        d->rows = (Run){floats, labels};
        d->spare = (Run){floats + rows, labels + rows};
        d->terms = floats + 2 * rows;
        d->bounds = d->terms + 2 * q;
        d->grid = grid;
        d->on_left = on_left;
        d->cut = here + 2 * q;
        d->ends = d->cut + q;
        fill_grid(d, splitters, grid, on_left);
        found = search_all(d, here, out);
    }
    free(classes);
    free(floats);
    free(labels);
    free(counts);
    return found;
}

/* mdl_cuts_by_class(values, starts, splitters, memo, out) -> number of cuts. The values of class
   c are sorted and have the rows starts[c] … starts[c + 1] - 1. Blocks end at the splitters,
   which are ascending. memo is the x_ln_x_table of all counts. */
PyObject *mdl_cuts_by_class(PyObject *self, PyObject *args)
{
    PyObject *values_object, *starts_object, *splitters_object, *memo_object, *out_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOO", &values_object, &starts_object, &splitters_object,
                          &memo_object, &out_object))
        return NULL;
    Py_buffer *values = hold_floats(&held, values_object, 1, "values");
    Py_buffer *starts = hold_integers(&held, starts_object, "starts");
    Py_buffer *splitters = hold_floats(&held, splitters_object, 1, "splitters");
    Py_buffer *memo = hold_floats(&held, memo_object, 1, "memo");
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = values->shape[0], q = starts->shape[0] - 1, found;
    const int64_t *given = starts->buf;
    int fits = q >= 1 && q <= INT32_MAX && out->shape[0] >= n && given[0] == 0 && given[q] == n;
    for (idx c = 0; fits && c < q; c++) fits = given[c] <= given[c + 1];
    if (!fits) return fail(&held, "mdl_cuts_by_class: shapes or starts do not fit");
    if (memo->shape[0] <= n) return fail(&held, "mdl_cuts_by_class: memo must hold every count");
    Divided divided = {.values = values->buf, .starts = given, .n_positions = splitters->shape[0],
                       .column = {.memo = memo->buf, .q = q}};
    Py_BEGIN_ALLOW_THREADS
    found = search_with_grid(&divided, splitters->buf, out->buf);
    Py_END_ALLOW_THREADS
    return release(&held, found < 0 ? PyErr_NoMemory() : PyLong_FromSsize_t(found));
}
