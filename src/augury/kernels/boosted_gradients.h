/* Gradients and hessians of the logistic or softmax loss, as whole numbers, and the sums of them
   over all rows that several trees of a round share. */

#ifndef AUGURY_BOOSTED_GRADIENTS_H
#define AUGURY_BOOSTED_GRADIENTS_H

#include "boosted_splits.h"
#include "wide_loops.h"

enum {
    ROWS_AT_ONCE = 128,     /* rows whose probabilities of some classes stay in the nearest cache */
    MAX_GROUP = 8,          /* classes whose sums are adjacent in memory: those of a cache line */
    SHARED_BYTES = 1 << 20, /* of the sums of a group: larger ones do not stay in cache */
};

/* The rows that are learned from, in their order, and the loss of each class. Arrays of classes
   and rows have the rows of a class adjacent. */
typedef struct {
    idx n, k, group;     /* rows, trees of a round, and classes of a group */
    const int32_t *rows; /* their numbers among all rows */
    int32_t *y;
    double *weight, total;
    double *proba;         /* (class, row) */
    double *sum_g, *sum_h; /* of each class: sums of |gradient| and hessian */
    Sum *by_row;           /* (row, class of the group), of the classes of a group */
    Sum *shared;           /* (code of all columns, class of the group); NULL: not shared */
} Gradients;

/* ---- probabilities ------------------------------------------------------------------------- */

/* Replace the log odds of m rows by p(second class). */
WIDE_WHERE_POSSIBLE static void logistic_of(double *p, idx m)
{
    for (idx i = 0; i < m; i++) {
        double a = p[i] < 0 ? p[i] : -p[i];
        double e = exp_of_negative(a < lowest ? lowest : a);
        p[i] = (p[i] < 0 ? e : 1) / (1 + e);
    }
}

/* Replace the scores of k classes by probabilities, of m rows of a table of n. */
WIDE_WHERE_POSSIBLE static void softmax_of(double *p, idx n, idx k, idx m)
{
    double high[ROWS_AT_ONCE], sum[ROWS_AT_ONCE];
    for (idx i = 0; i < m; i++) high[i] = p[i], sum[i] = 0;
    for (idx c = 1; c < k; c++)
        for (idx i = 0; i < m; i++) high[i] = p[c * n + i] > high[i] ? p[c * n + i] : high[i];
    for (idx c = 0; c < k; c++)
        for (idx i = 0; i < m; i++) {
            double a = p[c * n + i] - high[i];
            p[c * n + i] = exp_of_negative(a < lowest ? lowest : a);
            sum[i] += p[c * n + i];
        }
    for (idx c = 0; c < k; c++)
        for (idx i = 0; i < m; i++) p[c * n + i] /= sum[i];
}

/* ---- gradients ----------------------------------------------------------------------------- */

/* Write gradient and hessian of a class of m rows. */
WIDE_WHERE_POSSIBLE static void derivatives_of(const double *p, const int32_t *y,
                                               const double *weight, int32_t own, double factor,
                                               idx m, double *g, double *h)
{
    for (idx i = 0; i < m; i++) {
        g[i] = weight[i] * (y[i] == own ? p[i] - 1 : p[i]);
        h[i] = weight[i] * factor * p[i] * (1 - p[i]);
    }
}

static void write_derivatives(const Gradients *t, idx c, idx first, idx m, double *g, double *h)
{
    derivatives_of(t->proba + c * t->n + first, t->y + first, t->weight + first,
                   t->k == 1 ? 1 : (int32_t)c, t->k == 1 ? 1 : t->k / (t->k - 1.0), m, g, h);
}

/* Add |gradient| and hessian of m rows in the order of the rows. The sums of four classes are
   independent of each other, so that none waits for the previous addition of another. */
static void add_derivatives(Gradients *t, idx first, idx m)
{
    double g[4][ROWS_AT_ONCE] = {{0}}, h[4][ROWS_AT_ONCE] = {{0}}, sum_g[4] = {0}, sum_h[4] = {0};
    for (idx c = 0; c < t->k; c += 4) {
        idx some = t->k - c < 4 ? t->k - c : 4;
        for (idx u = 0; u < some; u++) {
            write_derivatives(t, c + u, first, m, g[u], h[u]);
            sum_g[u] = t->sum_g[c + u], sum_h[u] = t->sum_h[c + u];
        }
        for (idx i = 0; i < m; i++)
            for (idx u = 0; u < 4; u++) sum_g[u] += fabs(g[u][i]), sum_h[u] += h[u][i];
        for (idx u = 0; u < some; u++) t->sum_g[c + u] = sum_g[u], t->sum_h[c + u] = sum_h[u];
    }
}

/* Write the probabilities of all rows, and the sums of their derivatives. */
static void write_proba(Gradients *t, const double *scores, idx n_scores)
{
    for (idx c = 0; c < t->k; c++) t->sum_g[c] = t->sum_h[c] = 0;
    for (idx first = 0; first < t->n; first += ROWS_AT_ONCE) {
        idx m = t->n - first < ROWS_AT_ONCE ? t->n - first : ROWS_AT_ONCE;
        for (idx c = 0; c < t->k; c++)
            for (idx i = 0; i < m; i++)
                t->proba[c * t->n + first + i] = scores[c * n_scores + t->rows[first + i]];
        if (t->k == 1)
            logistic_of(t->proba + first, m);
        else
            softmax_of(t->proba + first, t->n, t->k, m);
        add_derivatives(t, first, m);
    }
}

/* Whether the derivatives of a class are not all zero. */
static int has_derivatives(const Gradients *t, idx c)
{
    return t->sum_g[c] > 1e-12 * t->total && t->sum_h[c] > 1e-12 * t->total;
}

/* Write the derivatives of some classes as whole numbers: of_row (class of the group, row of all
   n_rows) and by_row. Each row is rounded by at most 1/2, so the sums of all rows fit. */
static void write_sums(Gradients *t, idx first_class, idx some, Sum *of_row, idx n_rows, Pair *unit)
{
    double g[ROWS_AT_ONCE], h[ROWS_AT_ONCE];
    for (idx first = 0; first < t->n; first += ROWS_AT_ONCE) {
        idx m = t->n - first < ROWS_AT_ONCE ? t->n - first : ROWS_AT_ONCE;
        for (idx u = 0; u < some; u++) {
            idx c = first_class + u;
            if (!has_derivatives(t, c)) continue;
            double scale_g = ((double)INT32_MAX - (double)t->n) / t->sum_g[c];
            double scale_h = ((double)UINT32_MAX - (double)t->n) / t->sum_h[c];
            unit[u] = (Pair){1 / scale_g, 1 / scale_h};
            write_derivatives(t, c, first, m, g, h);
            for (idx i = 0; i < m; i++) {
                double whole = g[i] * scale_g;
                Sum sum = pack_sum((int64_t)(whole < 0 ? whole - 0.5 : whole + 0.5),
                                   (uint32_t)(h[i] * scale_h + 0.5));
                of_row[u * n_rows + t->rows[first + i]] = sum;
                if (t->shared) t->by_row[(first + i) * t->group + u] = sum;
            }
        }
    }
}

/* ---- sums over all rows -------------------------------------------------------------------- */

/* Add the sums of a group of classes to the codes of each row: one addition of a wide register
   for each code, instead of one for each class. */
#define DEFINE_ADD_SHARED(GROUP)                                                               \
    WIDE_WHERE_POSSIBLE static void add_shared_##GROUP(const Booster *b, const Gradients *t)   \
    {                                                                                          \
        for (idx i = 0; i < t->n; i++) {                                                       \
            const uint8_t *code = b->codes + (idx)t->rows[i] * b->d;                           \
            const Sum *of_row = t->by_row + i * GROUP;                                         \
            for (idx j = 0; j < b->d; j++) {                                                   \
                Sum *sums = t->shared + (b->offset[j] + code[j]) * GROUP;                      \
                for (idx u = 0; u < GROUP; u++) sums[u] += of_row[u];                          \
            }                                                                                  \
        }                                                                                      \
    }
DEFINE_ADD_SHARED(4)
DEFINE_ADD_SHARED(8)

static void fill_shared(const Booster *b, const Gradients *t)
{
    memset(t->shared, 0, sizeof(Sum) * (size_t)(b->offset[b->d] * t->group));
    if (t->group == 4)
        add_shared_4(b, t);
    else
        add_shared_8(b, t);
}

/* Write the histogram of all rows of a class of the group. */
static void copy_shared(const Booster *b, const Gradients *t, idx u)
{
    for (idx k = 0; k < b->n_chosen; k++) {
        Chosen at = b->chosen[k];
        const Sum *from = t->shared + b->offset[at.column] * t->group + u;
        idx n_codes = b->offset[at.column + 1] - b->offset[at.column];
        for (idx code = 0; code < n_codes; code++)
            b->histograms[at.start + code] = from[code * t->group];
    }
}

/* ---- memory -------------------------------------------------------------------------------- */

static int allocate_gradients(Gradients *t, const Booster *b, const int32_t *y,
                              const double *weight)
{
    size_t m = (size_t)t->n + 1, k = (size_t)t->k;
    t->group = t->k == 1 ? 1 : t->k <= 4 ? 4 : MAX_GROUP;
    t->y = malloc(sizeof(int32_t) * m);
    t->weight = malloc(sizeof(double) * m);
    t->proba = malloc(sizeof(double) * m * k);
    t->sum_g = malloc(sizeof(double) * k);
    t->sum_h = malloc(sizeof(double) * k);
    if (!(t->y && t->weight && t->proba && t->sum_g && t->sum_h)) return 0;
    for (idx i = 0; i < t->n; i++) {
        t->y[i] = y[t->rows[i]], t->weight[i] = weight[t->rows[i]];
        t->total += t->weight[i];
    }
    size_t shared = sizeof(Sum) * (size_t)(b->offset[b->d] * t->group);
    if (t->k == 1 || shared > SHARED_BYTES) return 1;
    t->by_row = calloc(m * (size_t)t->group, sizeof(Sum));
    t->shared = malloc(shared);
    return t->by_row && t->shared;
}

static void free_gradients(Gradients *t)
{
    free(t->y), free(t->weight), free(t->proba), free(t->sum_g), free(t->sum_h);
    free(t->by_row), free(t->shared);
}

#endif
