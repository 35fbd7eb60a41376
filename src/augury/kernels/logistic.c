/* The loss of logistic regression and its gradient, one block of rows at a time: scores,
   probabilities and residuals of a block stay in cache. */

#include "_native.h"
#include "wide_loops.h"

/* Bytes of the scores of a block: half of the first-level cache; the rest is for the table. */
enum { SCORE_BYTES = 1 << 14 };

typedef struct {
    const char *codes;
    idx size, n, d, n_numbers;
    const int64_t *offset;
    const double *numbers, *table, *weight;
    const int32_t *y;
    int reference;
    double *gradient, *score, *largest;
    double *by_class; /* scores of numbers, then residuals: the rows of each class adjacent */
} Problem;

/* Look-ups of one or four columns: a row of scores is read and written once. */
#define DEFINE_SLOTS(C)                                                                        \
    INLINE void look_up_##C(const char *codes, idx stride, idx n, idx k, idx q,                \
                            const double *table, const int64_t *offset, double *out)           \
    {                                                                                          \
        const C *p0 = (const C *)codes, *p1 = p0 + stride, *p2 = p1 + stride, *p3 = p2 + stride; \
        const double *t0 = table + offset[0] * q, *t1, *t2, *t3;                               \
        if (k == 1) {                                                                          \
            for (idx i = 0; i < n; i++, out += q) {                                            \
                const double *a = t0 + (idx)p0[i] * q;                                         \
                for (idx c = 0; c < q; c++) out[c] += a[c];                                    \
            }                                                                                  \
            return;                                                                            \
        }                                                                                      \
        t1 = table + offset[1] * q, t2 = table + offset[2] * q, t3 = table + offset[3] * q;    \
        for (idx i = 0; i < n; i++, out += q) {                                                \
            const double *a0 = t0 + (idx)p0[i] * q, *a1 = t1 + (idx)p1[i] * q;                 \
            const double *a2 = t2 + (idx)p2[i] * q, *a3 = t3 + (idx)p3[i] * q;                 \
            for (idx c = 0; c < q; c++) out[c] += (a0[c] + a1[c]) + (a2[c] + a3[c]);           \
        }                                                                                      \
    }                                                                                          \
    INLINE void add_##C(const char *codes, idx n, idx q, const double *restrict values,        \
                        double *restrict out)                                                  \
    {                                                                                          \
        const C *p = (const C *)codes;                                                         \
        for (idx i = 0; i < n; i++, values += q) {                                             \
            double *t = out + (idx)p[i] * q;                                                   \
            for (idx c = 0; c < q; c++) t[c] += values[c];                                     \
        }                                                                                      \
    }
EACH_CODE(DEFINE_SLOTS)

#define WITH_CODE(NAME, size, ...)                                                             \
    do {                                                                                       \
        if ((size) == 1) NAME##_uint8_t(__VA_ARGS__);                                          \
        else if ((size) == 2) NAME##_uint16_t(__VA_ARGS__);                                    \
        else NAME##_uint32_t(__VA_ARGS__);                                                     \
    } while (0)

/* Replace numbers <= 0 by their exponentials. */
WIDE_WHERE_POSSIBLE static void exps_of_negatives(double *x, idx n)
{
    for (idx i = 0; i < n; i++) x[i] = exp_of_negative(x[i] < lowest ? lowest : x[i]);
}

/* Add one or four columns of numbers, each times its slope. */
WIDE_WHERE_POSSIBLE
static void add_products(const double *restrict z, idx stride, idx n, idx k,
                         const double *restrict slopes, idx step, double *restrict out)
{
    double s0 = slopes[0];
    if (k == 1) {
        for (idx i = 0; i < n; i++) out[i] += z[i] * s0;
        return;
    }
    double s1 = slopes[step], s2 = slopes[2 * step], s3 = slopes[3 * step];
    const double *z1 = z + stride, *z2 = z1 + stride, *z3 = z2 + stride;
    for (idx i = 0; i < n; i++) out[i] += (z[i] * s0 + z1[i] * s1) + (z2[i] * s2 + z3[i] * s3);
}

enum { LANES = 16 };

/* Sum of products in LANES parts: every machine adds in the same order. */
WIDE_WHERE_POSSIBLE
static double sum_of_products(const double *restrict a, const double *restrict b, idx n)
{
    double lanes[LANES] = {0};
    idx i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) lanes[k] += a[i + k] * b[i + k];
    for (int k = 0; i < n; i++, k++) lanes[k] += a[i] * b[i];
    for (int width = LANES / 2; width; width /= 2)
        for (int k = 0; k < width; k++) lanes[k] += lanes[k + width];
    return lanes[0];
}

INLINE void score_rows(const Problem *m, idx b, idx rows, idx q)
{
    const double *slopes = m->table + m->offset[m->d] * q, *bias = slopes + m->n_numbers * q;
    double *score = m->score;
    for (idx i = 0; i < rows; i++)
        for (idx c = 0; c < q; c++) score[i * q + c] = bias[c];
    for (idx j = 0, k; j < m->d; j += k) {
        k = m->d - j >= 4 ? 4 : 1;
        WITH_CODE(look_up, m->size, m->codes + (j * m->n + b) * m->size, m->n, rows, k, q, m->table,
                  m->offset + j, score);
    }
    if (!m->n_numbers) return;
    memset(m->by_class, 0, sizeof(double) * (size_t)(rows * q));
    for (idx j = 0, k; j < m->n_numbers; j += k) {
        k = m->n_numbers - j >= 4 ? 4 : 1;
        const double *z = m->numbers + j * m->n + b;
        for (idx c = 0; c < q; c++)
            add_products(z, m->n, rows, k, slopes + j * q + c, q, m->by_class + c * rows);
    }
    for (idx c = 0; c < q; c++)
        for (idx i = 0; i < rows; i++) score[i * q + c] += m->by_class[c * rows + i];
}

/* Add w log(total) to the loss. Without weights the totals, each from 1 to the number of classes,
   are multiplied, and the logarithm of the product is added when it is large. */
INLINE void add_log(const Problem *m, double w, double total, double *product, double *loss)
{
    if (m->weight) {
        *loss += w * log(total);
        return;
    }
    *product *= total;
    if (*product > 0x1p900) {
        *loss += log(*product);
        *product = 1;
    }
}

/* Replace scores by weighted residuals: the probability, minus one for the true class. */
INLINE double residuals(const Problem *m, idx b, idx rows, idx q)
{
    double loss = 0, *score = m->score, *largest = m->largest;
    const int32_t *y = m->y + b;
    for (idx i = 0; i < rows; i++) {
        double *s = score + i * q, high = m->reference ? 0.0 : s[0];
        for (idx c = 0; c < q; c++) high = s[c] > high ? s[c] : high;
        double own = y[i] < q ? s[y[i]] : 0.0;
        loss -= (m->weight ? m->weight[b + i] : 1.0) * (own - high);
        for (idx c = 0; c < q; c++) s[c] -= high;
        largest[i] = -high;
    }
    exps_of_negatives(score, rows * q);
    if (m->reference) exps_of_negatives(largest, rows);
    double product = 1;
    for (idx i = 0; i < rows; i++) {
        double *s = score + i * q, total = m->reference ? largest[i] : 0.0;
        double w = m->weight ? m->weight[b + i] : 1.0;
        for (idx c = 0; c < q; c++) total += s[c];
        add_log(m, w, total, &product, &loss);
        double share = w / total;
        for (idx c = 0; c < q; c++) s[c] *= share;
        if (y[i] < q) s[y[i]] -= w;
    }
    return loss + log(product);
}

/* The same for two classes, the second being the reference: one of the two exponentials is 1. */
INLINE double residuals_of_two(const Problem *m, idx b, idx rows)
{
    double loss = 0, product = 1, *score = m->score, *smaller = m->largest;
    const int32_t *y = m->y + b;
    for (idx i = 0; i < rows; i++) {
        double s = score[i], high = s > 0.0 ? s : 0.0;
        loss -= (m->weight ? m->weight[b + i] : 1.0) * ((y[i] ? 0.0 : s) - high);
        smaller[i] = -fabs(s);
    }
    exps_of_negatives(smaller, rows);
    for (idx i = 0; i < rows; i++) {
        double w = m->weight ? m->weight[b + i] : 1.0, total = 1.0 + smaller[i];
        add_log(m, w, total, &product, &loss);
        score[i] = (score[i] > 0.0 ? 1.0 : smaller[i]) * (w / total) - (y[i] ? 0.0 : w);
    }
    return loss + log(product);
}

INLINE void add_rows(const Problem *m, idx b, idx rows, idx q)
{
    double *slopes = m->gradient + m->offset[m->d] * q, *bias = slopes + m->n_numbers * q;
    const double *score = m->score;
    for (idx j = 0; j < m->d; j++)
        WITH_CODE(add, m->size, m->codes + (j * m->n + b) * m->size, rows, q, score,
                  m->gradient + m->offset[j] * q);
    for (idx i = 0; i < rows; i++)
        for (idx c = 0; c < q; c++) bias[c] += score[i * q + c];
    if (!m->n_numbers) return;
    for (idx c = 0; c < q; c++)
        for (idx i = 0; i < rows; i++) m->by_class[c * rows + i] = score[i * q + c];
    for (idx j = 0; j < m->n_numbers; j++)
        for (idx c = 0; c < q; c++)
            slopes[j * q + c] +=
                sum_of_products(m->numbers + j * m->n + b, m->by_class + c * rows, rows);
}

/* Add the gradient of a block of rows; return its loss. Only loops over many rows have versions for
   wide registers. Few scores of a row gain nothing from them: AVX2 would gather looked-up rows,
   which is slower, and the versions of all loops for all numbers of classes take 150 kB. */
INLINE double block_of(const Problem *m, idx b, idx rows, idx q)
{
    score_rows(m, b, rows, q);
    double loss = q == 1 && m->reference ? residuals_of_two(m, b, rows) : residuals(m, b, rows, q);
    add_rows(m, b, rows, q);
    return loss;
}

static double block_of_any(const Problem *m, idx b, idx rows, idx q)
{
    switch (q) { /* loops over few classes are unrolled */
    case 1: return block_of(m, b, rows, 1);
    case 2: return block_of(m, b, rows, 2);
    case 3: return block_of(m, b, rows, 3);
    case 4: return block_of(m, b, rows, 4);
    default: return block_of(m, b, rows, q);
    }
}

static int codes_fit(const Problem *m, idx b, idx rows)
{
    for (idx j = 0; j < m->d; j++) {
        uint32_t limit = (uint32_t)(m->offset[j + 1] - m->offset[j] - 1);
        if (!PICK_CODE(largest, m->size)(m->codes + (j * m->n + b) * m->size, rows, limit)) return 0;
    }
    return 1;
}

/* Add the loss of the rows start … stop-1 to `loss`. Returns whether their codes fit, or -1 if
   there is no memory. */
static int add_loss(Problem *m, idx start, idx stop, idx q, double *loss)
{
    idx block = SCORE_BYTES / (idx)sizeof(double) / q;
    block = block < 16 ? 16 : block;
    m->score = malloc(sizeof(double) * (size_t)(block * (2 * q + 1)));
    if (!m->score) return -1;
    m->largest = m->score + block * q;
    m->by_class = m->largest + block;
    int fits = 1;
    for (idx b = start; b < stop && fits; b += block) {
        idx rows = stop - b < block ? stop - b : block;
        fits = codes_fit(m, b, rows);
        if (fits) *loss += block_of_any(m, b, rows, q);
    }
    free(m->score);
    return fits;
}

/* logistic_loss(codes, offsets, numbers, table, y, weight, reference, out, start, stop)
   `numbers` are column by column in memory.
   `table` and `out` have a row for each slot, each number and the intercept, and a column for
   each class. With `reference` there is one more class, whose scores are zero. Adds to `out`
   the gradient of sum w_i (log sum_c exp s_ic - s_iy), and returns this sum. */
PyObject *logistic_loss(PyObject *self, PyObject *args)
{
    PyObject *codes_object, *offsets_object, *numbers_object, *table_object, *y_object, *w_object,
        *out_object, *result = NULL;
    idx start, stop;
    int reference;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OOOOOOpOnn", &codes_object, &offsets_object, &numbers_object,
                          &table_object, &y_object, &w_object, &reference, &out_object, &start, &stop))
        return NULL;
    Py_buffer *codes = hold_codes(&held, codes_object);
    Py_buffer *offsets = hold_offsets(&held, offsets_object);
    Py_buffer *numbers = hold(&held, numbers_object, PyBUF_F_CONTIGUOUS, 2, FLOAT64, "numbers");
    Py_buffer *table = hold_floats(&held, table_object, 2, "table");
    Py_buffer *y = hold_labels(&held, y_object);
    Py_buffer *w = hold_weight(&held, w_object);
    Py_buffer *out = hold_out(&held, out_object, 2);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = codes->shape[0], d = codes->shape[1], q = table->shape[1];
    const int64_t *offset = offsets->buf;
    if (!rows_fit(start, stop, n)) return fail(&held, "rows out of range");
    if (y->shape[0] != n || (w->buf && w->shape[0] != n) || numbers->shape[0] != n ||
        offsets->shape[0] != d + 1 || !offsets_fit(offset, d) || q < 1 || out->shape[1] != q ||
        table->shape[0] != offset[d] + numbers->shape[1] + 1 || out->shape[0] != table->shape[0] ||
        !labels_fit(y->buf, start, stop, q + reference))
        return fail(&held, "logistic_loss: shapes, offsets or labels do not fit");
    Problem problem = {.codes = codes->buf, .size = codes->itemsize, .n = n, .d = d,
                       .n_numbers = numbers->shape[1], .offset = offset, .numbers = numbers->buf,
                       .table = table->buf, .weight = w->buf, .y = y->buf, .reference = reference,
                       .gradient = out->buf};
    double loss = 0;
    int fits;
    Py_BEGIN_ALLOW_THREADS
    fits = add_loss(&problem, start, stop, q, &loss);
    Py_END_ALLOW_THREADS
    if (fits < 0) PyErr_NoMemory();
    else if (!fits) PyErr_SetString(PyExc_ValueError, "logistic_loss: a code is out of range");
    else result = PyFloat_FromDouble(loss);
    return release(&held, result);
}
