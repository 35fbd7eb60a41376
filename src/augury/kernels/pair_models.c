/* Predictions of models in which every column stands beside all others.

   Both kernels need, for each row and column j, the sum over the other columns i of the numbers
   blocks[slot of j, slot of i]. Rows are taken a block at a time and ordered by their state of
   column j, so that the numbers beside one state stay in the first-level cache. Columns are
   grouped in twos. If many rows have the state, the sums of the numbers of each two columns are
   computed once for all their pairs of states, and a row looks up one sum for each group. A sum
   of a row always adds the sums of its groups, so that the result does not depend on the other
   rows. */

#include <float.h>

#include "_native.h"
#include "wide_loops.h"

/* The sums of a block of rows take at most SUM_BYTES unless they are those of one row; the sums
   of pairs of states beside one state take at most GROUP_BYTES. */
enum { MAX_ROWS = 1024, SUM_BYTES = 1 << 20, GROUP_BYTES = 1 << 16 };

/* A sum of at most so many classes is in registers. */
enum { MOST_LANES = 8 };

/* The first number that begins a line of the cache: four numbers are then in one line. */
enum { LINE = 64 };
#define ON_LINE(numbers) ((double *)(((uintptr_t)(numbers) + LINE - 1) / LINE * LINE))

typedef struct {
    Buffers held;
    Py_buffer *codes, *blocks, *table, *flags, *offsets, *out;
    idx start, stop, d, q, n_slots;
} PairArguments;

/* The arguments (codes, blocks, table, flags, offsets, out, start, stop) of both kernels; flags
   has one byte for each slot or each column. */
static int hold_pair_arguments(PairArguments *a, PyObject *args, const char *name, int by_slot)
{
    PyObject *codes, *blocks, *table, *flags, *offsets, *out;
    a->held.n = 0;
    if (!PyArg_ParseTuple(args, "OOOOOOnn", &codes, &blocks, &table, &flags, &offsets, &out,
                          &a->start, &a->stop))
        return 0;
    a->codes = hold_codes(&a->held, codes);
    a->blocks = hold_floats(&a->held, blocks, 3, "blocks");
    a->table = hold_floats(&a->held, table, 2, "table");
    a->flags = hold(&a->held, flags, PyBUF_C_CONTIGUOUS, 1, BYTE, "flags");
    a->offsets = hold_offsets(&a->held, offsets);
    a->out = hold_out(&a->held, out, 2);
    if (PyErr_Occurred()) return 0;
    idx n = a->codes->shape[0];
    a->d = a->codes->shape[1];
    a->q = a->out->shape[1];
    const int64_t *offset = a->offsets->buf;
    if (a->offsets->shape[0] != a->d + 1 || !offsets_fit(offset, a->d) ||
        !rows_fit(a->start, a->stop, n) || a->out->shape[0] != n) {
        PyErr_Format(PyExc_ValueError, "%s: rows or offsets do not fit", name);
        return 0;
    }
    a->n_slots = offset[a->d];
    if (a->q > 0 && a->n_slots > UINT32_MAX / a->q) {
        PyErr_Format(PyExc_ValueError, "%s: more than 2^32 numbers beside a slot", name);
        return 0;
    }
    if (a->blocks->shape[0] != a->n_slots || a->blocks->shape[1] != a->n_slots ||
        a->blocks->shape[2] != a->q || a->table->shape[0] != a->n_slots ||
        a->table->shape[1] != a->q || a->flags->shape[0] != (by_slot ? a->n_slots : a->d)) {
        PyErr_Format(PyExc_ValueError, "%s: shapes do not fit", name);
        return 0;
    }
    return 1;
}

/* What the sums of a block of rows are computed with. */
typedef struct {
    const double *blocks;
    const int64_t *offset;
    idx d, q, n_slots;
    idx rows;     /* rows in the block */
    idx width;    /* q, or 2, 4 or 8 if q is smaller: the numbers of a pair of states in memory */
    idx n_groups; /* 0 if the groups have too many pairs of states */
    idx n_pairs;  /* pairs of states of all groups */
    uint32_t *code;  /* of each column and row */
    uint32_t *slot;  /* q times the slot of each row and column */
    uint32_t *pair;  /* width times the pair of states of each row and group */
    uint32_t *order; /* the rows, ordered by their state of a column */
    idx *end;        /* the place in `order` after the last row of each state */
    idx *n_terms;    /* the number of counted columns of each row */
    double *beside;    /* the numbers of all slots beside one state, then zeros */
    double *pair_sums; /* their sums for each pair of states */
    double *ordered_sums; /* of the rows of one state, `width` numbers each */
    double *sums;      /* of each column, row and class */
    double *totals;    /* room for two numbers for each row and class */
    double *zeros;
} PairSums;

static idx slots_of(const PairSums *s, idx j)
{
    return j < s->d ? s->offset[j + 1] - s->offset[j] : 1;
}

/* Read the codes of the rows start … start + rows - 1; 0 if one is out of range. */
#define DEFINE_READ_CODES(C)                                                                   \
    static int read_codes_##C(PairSums *s, const void *codes, idx n, idx start)                \
    {                                                                                          \
        for (idx j = 0; j < s->d; j++) {                                                       \
            const C *p = (const C *)codes + j * n + start;                                     \
            if (!largest_##C(p, s->rows, (uint32_t)(slots_of(s, j) - 1))) return 0;            \
            for (idx r = 0; r < s->rows; r++) s->code[j * s->rows + r] = (uint32_t)p[r];       \
        }                                                                                      \
        return 1;                                                                              \
    }
EACH_CODE(DEFINE_READ_CODES)

static void find_slots(PairSums *s)
{
    for (idx j = 0; j < s->d; j++) {
        const uint32_t *code = s->code + j * s->rows;
        uint32_t first = (uint32_t)(s->offset[j] * s->q), q = (uint32_t)s->q;
        for (idx r = 0; r < s->rows; r++) s->slot[r * s->d + j] = first + code[r] * q;
    }
    uint32_t first = 0, width = (uint32_t)s->width;
    for (idx g = 0; g < s->n_groups; g++) {
        idx j = 2 * g, is_last = j + 1 == s->d;
        uint32_t n_second = (uint32_t)slots_of(s, j + 1);
        const uint32_t *one = s->code + j * s->rows, *two = is_last ? one : one + s->rows;
        for (idx r = 0; r < s->rows; r++)
            s->pair[r * s->n_groups + g] = first + width * (one[r] * n_second + (is_last ? 0 : two[r]));
        first += width * (uint32_t)slots_of(s, j) * n_second;
    }
}

static void order_rows(PairSums *s, idx j)
{
    const uint32_t *code = s->code + j * s->rows;
    idx n_slots = slots_of(s, j), place = 0;
    memset(s->end, 0, sizeof(idx) * (size_t)n_slots);
    for (idx r = 0; r < s->rows; r++) s->end[code[r]]++;
    for (idx v = 0; v < n_slots; v++) {
        idx n = s->end[v];
        s->end[v] = place;
        place += n;
    }
    for (idx r = 0; r < s->rows; r++) s->order[s->end[code[r]]++] = (uint32_t)r;
}

/* Write the sums of `one` and each of n numbers `two`; a number has `width` parts. */
INLINE void add_to_each(const double *restrict one, const double *restrict two, idx n, idx width,
                        double *restrict sums)
{
    for (idx b = 0; b < n; b++)
        for (idx c = 0; c < width; c++) sums[b * width + c] = one[c] + two[b * width + c];
}

/* Sums of the numbers of two columns, for each pair of their states; column j counts 0. */
INLINE void sum_pairs(const PairSums *s, const double *from, idx j, idx q, idx width)
{
    double *beside = s->beside, *sums = ON_LINE(s->pair_sums);
    for (idx slot = 0; slot < s->n_slots; slot++)
        for (idx c = 0; c < q; c++) beside[slot * width + c] = from[slot * q + c];
    memset(beside + s->offset[j] * width, 0, sizeof(double) * (size_t)(slots_of(s, j) * width));
    for (idx i = 0; i < s->d; i += 2) {
        idx n_first = slots_of(s, i), n_second = slots_of(s, i + 1);
        const double *one = beside + s->offset[i] * width, *two = beside + s->offset[i + 1] * width;
        for (idx a = 0; a < n_first; a++, sums += n_second * width)
            add_to_each(one + a * width, two, n_second, width, sums);
    }
}

INLINE void add_pair_sums(const PairSums *s, const double *own, const uint32_t *order, idx n,
                          double *restrict out, idx q, idx width)
{
    const double *restrict pair_sums = ON_LINE(s->pair_sums);
    double *restrict sums = s->ordered_sums;
    for (idx k = 0; k < n; k++) {
        const uint32_t *pair = s->pair + order[k] * s->n_groups;
        double few[MOST_LANES] = {0}, *sum = width <= MOST_LANES ? few : sums + k * width;
        if (width > MOST_LANES) memset(sum, 0, sizeof(double) * (size_t)width);
        for (idx g = 0; g < s->n_groups; g++)
            for (idx c = 0; c < width; c++) sum[c] += pair_sums[pair[g] + c];
        if (width <= MOST_LANES) memcpy(sums + k * width, few, sizeof(double) * (size_t)width);
    }
    for (idx k = 0; k < n; k++)
        for (idx c = 0; c < q; c++) out[order[k] * q + c] = sums[k * width + c] + own[c];
}

INLINE void add_numbers(const PairSums *s, const double *from, const double *own, idx j,
                        const uint32_t *order, idx n, double *out, idx q, idx width)
{
    for (idx k = 0; k < n; k++) {
        const uint32_t *slot = s->slot + order[k] * s->d;
        double few[MOST_LANES] = {0}, *to = out + order[k] * q, *sum = width <= MOST_LANES ? few : to;
        for (idx c = 0; c < q; c++) to[c] = 0;
        for (idx i = 0; i < s->d; i += 2) {
            const double *one = i == j ? s->zeros : from + slot[i];
            const double *two = i + 1 == j || i + 1 == s->d ? s->zeros : from + slot[i + 1];
            for (idx c = 0; c < q; c++) sum[c] += one[c] + two[c];
        }
        for (idx c = 0; c < q; c++) to[c] = sum[c] + own[c];
    }
}

/* The sums beside one state of column j, and `own`, of the n rows that have it. */
INLINE void sum_rows(const PairSums *s, const double *from, const double *own, idx j,
                     const uint32_t *order, idx n, double *out, idx q, idx width)
{
    if (s->n_groups && s->n_pairs < n * (s->d - s->n_groups)) {
        sum_pairs(s, from, j, q, width);
        add_pair_sums(s, own, order, n, out, q, width);
    } else
        add_numbers(s, from, own, j, order, n, out, q, width);
}

/* sums[j, r, c] = own[slot of j, c] + sum over i != j of blocks[slot of j, slot of i, c] for each
   row of the block, or -inf if the slot of j is not counted. `own` and `counted` may be NULL. */
WIDE_WHERE_POSSIBLE
static void sum_beside(const PairSums *s, const double *own, const unsigned char *counted, idx j)
{
    idx q = s->q;
    double *out = s->sums + j * s->rows * q;
    for (idx v = 0, begin = 0; v < slots_of(s, j); begin = s->end[v++]) {
        idx slot = s->offset[j] + v, n = s->end[v] - begin;
        const double *from = s->blocks + slot * s->n_slots * q, *first = own ? own + slot * q : s->zeros;
        const uint32_t *order = s->order + begin;
        if (n == 0) continue;
        if (counted && !counted[slot]) {
            for (idx k = 0; k < n; k++) {
                s->n_terms[order[k]]--;
                for (idx c = 0; c < q; c++) out[order[k] * q + c] = -INFINITY;
            }
        } else if (q == 2) sum_rows(s, from, first, j, order, n, out, 2, 2);
        else if (q == 3) sum_rows(s, from, first, j, order, n, out, 3, 4);
        else if (q == 4) sum_rows(s, from, first, j, order, n, out, 4, 4);
        else if (q > 4 && q <= MOST_LANES) sum_rows(s, from, first, j, order, n, out, q, MOST_LANES);
        else sum_rows(s, from, first, j, order, n, out, q, s->width);
    }
}

/* totals[k] = sum over j of exp(terms[j, k] - most[k]), and most[k] the largest; terms are
   overwritten. Each loop does one thing, else the compiler does not vectorise it. */
WIDE_WHERE_POSSIBLE
static void sum_of_exps(double *restrict terms, idx d, idx n, double *restrict most,
                        double *restrict totals)
{
    for (idx k = 0; k < n; k++) most[k] = -DBL_MAX, totals[k] = 0;
    for (idx j = 0; j < d; j++)
        for (idx k = 0; k < n; k++) most[k] = terms[j * n + k] > most[k] ? terms[j * n + k] : most[k];
    for (idx j = 0; j < d; j++) {
        double *restrict term = terms + j * n;
        for (idx k = 0; k < n; k++) term[k] -= most[k];
        for (idx k = 0; k < n; k++) term[k] = term[k] < lowest ? lowest : term[k];
        for (idx k = 0; k < n; k++) totals[k] += exp_of_negative(term[k]);
    }
}

/* Of each row: the log of the mean over the counted columns j of
   exp(table[slot of j, c] + sum over i != j of blocks[slot of j, slot of i, c]); -inf if none. */
static void means_of_rows(const PairArguments *a, PairSums *s, double *out)
{
    idx q = a->q, n = s->rows * q, last = 0;
    double *most = s->totals, *totals = most + n, log_n = 0;
    for (idx r = 0; r < s->rows; r++) s->n_terms[r] = a->d;
    for (idx j = 0; j < a->d; j++) {
        order_rows(s, j);
        sum_beside(s, a->table->buf, a->flags->buf, j);
    }
    sum_of_exps(s->sums, a->d, n, most, totals);
    for (idx r = 0; r < s->rows; r++) {
        if (s->n_terms[r] != last) log_n = log((double)(last = s->n_terms[r]));
        for (idx k = r * q; k < (r + 1) * q; k++)
            out[k] = last ? most[k] + log(totals[k]) - log_n : -INFINITY;
    }
}

/* Of each row: out[c] += sum over the columns j of log f, at least the smallest normal number;
   f is the sum over i != j of blocks[slot of j, slot of i, c] if the column is flagged, else
   table[slot of j, c], and 1 if the column is left out. */
static void add_logs_of_rows(const PairArguments *a, PairSums *s, double *out)
{
    idx q = a->q;
    const unsigned char *flagged = a->flags->buf;
    for (idx j = 0; j < a->d; j++) {
        const uint32_t *code = s->code + j * s->rows, left_out = (uint32_t)slots_of(s, j) - 1;
        const double *alone = (const double *)a->table->buf + s->offset[j] * q;
        if (flagged[j]) {
            order_rows(s, j);
            sum_beside(s, NULL, NULL, j);
        }
        for (idx r = 0; r < s->rows; r++) {
            if (code[r] == left_out) continue;
            const double *factor = flagged[j] ? s->sums + (j * s->rows + r) * q : alone + code[r] * q;
            for (idx c = 0; c < q; c++) out[r * q + c] += log(factor[c] < DBL_MIN ? DBL_MIN : factor[c]);
        }
    }
}

/* Get memory for the sums of `rows` rows or fewer; returns 0 if there is none. */
static int allocate_sums(PairSums *s, const PairArguments *a, idx rows)
{
    idx d = a->d, q = a->q, most = 1;
    idx width = q > MOST_LANES ? q : q > 4 ? MOST_LANES : q > 2 ? 4 : 2;
    *s = (PairSums){.blocks = a->blocks->buf, .offset = a->offsets->buf, .d = d, .q = q,
                    .n_slots = a->n_slots, .width = width, .n_groups = (d + 1) / 2};
    for (idx j = 0; j < d; j++) most = slots_of(s, j) > most ? slots_of(s, j) : most;
    idx limit = GROUP_BYTES / (idx)sizeof(double) / width;
    for (idx j = 0; j < d && s->n_pairs <= limit; j += 2)
        s->n_pairs += most > limit ? limit + 1 : slots_of(s, j) * slots_of(s, j + 1);
    if (s->n_pairs > limit) s->n_groups = s->n_pairs = 0;
    idx fitting = SUM_BYTES / (idx)sizeof(double) / ((d + 1) * width);
    rows = rows < MAX_ROWS ? rows : MAX_ROWS;
    rows = rows < fitting ? rows : fitting;
    s->rows = rows > 1 ? rows : 1;
    size_t n = (size_t)s->rows, n_beside = s->n_groups ? (size_t)a->n_slots + 1 : 1;
    size_t number = sizeof(double), numbers = number * (size_t)width;
    s->code = malloc(sizeof(uint32_t) * n * (size_t)(d + 1));
    s->slot = malloc(sizeof(uint32_t) * n * (size_t)(d + 1));
    s->pair = malloc(sizeof(uint32_t) * n * (size_t)(s->n_groups + 1));
    s->order = malloc(sizeof(uint32_t) * n);
    s->end = malloc(sizeof(idx) * (size_t)most);
    s->n_terms = malloc(sizeof(idx) * n);
    s->beside = calloc(n_beside, numbers);
    s->pair_sums = malloc((size_t)s->n_pairs * numbers + LINE);
    s->ordered_sums = malloc(n * numbers);
    s->sums = malloc(n * (size_t)(d + 1) * numbers);
    s->totals = malloc(2 * n * numbers);
    s->zeros = calloc(1, numbers);
    return s->code && s->slot && s->pair && s->order && s->end && s->n_terms && s->beside &&
           s->pair_sums && s->ordered_sums && s->sums && s->totals && s->zeros;
}

static void free_sums(PairSums *s)
{
    free(s->code);
    free(s->slot);
    free(s->pair);
    free(s->order);
    free(s->end);
    free(s->n_terms);
    free(s->beside);
    free(s->pair_sums);
    free(s->ordered_sums);
    free(s->sums);
    free(s->totals);
    free(s->zeros);
}

typedef void (*RowFunction)(const PairArguments *, PairSums *, double *);

static PyObject *over_pair_rows(PyObject *args, const char *name, int by_slot, RowFunction work)
{
    PairArguments a;
    PairSums s;
    int fits = 1;
    if (!hold_pair_arguments(&a, args, name, by_slot)) return release(&a.held, NULL);
    if (!allocate_sums(&s, &a, a.stop - a.start))
        PyErr_NoMemory();
    else {
        idx n = a.codes->shape[0], size = a.codes->itemsize;
        Py_BEGIN_ALLOW_THREADS
        for (idx b = a.start; b < a.stop && fits; b += s.rows) {
            if (a.stop - b < s.rows) s.rows = a.stop - b;
            fits = PICK_CODE(read_codes, size)(&s, a.codes->buf, n, b);
            if (!fits) break;
            find_slots(&s);
            work(&a, &s, (double *)a.out->buf + b * a.q);
        }
        Py_END_ALLOW_THREADS
    }
    free_sums(&s);
    if (!fits) PyErr_Format(PyExc_ValueError, "%s: a code is out of range", name);
    return release(&a.held, Py_None);
}

/* log_mean_over_parents(codes, blocks, parents, counted, offsets, out, start, stop) */
PyObject *log_mean_over_parents(PyObject *self, PyObject *args)
{
    return over_pair_rows(args, "log_mean_over_parents", 1, means_of_rows);
}

/* add_log_shares(codes, blocks, alone, has_parents, offsets, out, start, stop) */
PyObject *add_log_shares(PyObject *self, PyObject *args)
{
    return over_pair_rows(args, "add_log_shares", 0, add_logs_of_rows);
}
