/* Sorting of numbers by their bits (LSD radix sort), whose time depends on no instruction set. */

#include "_native.h"

enum { DIGIT_BITS = 8, N_DIGITS = 8, RADIX = 1 << DIGIT_BITS };

static const uint64_t sign = (uint64_t)1 << 63;

/* The bits of a number as an integer of the same order, and back. */
static inline uint64_t to_order(uint64_t bits)
{
    return bits ^ (bits & sign ? ~(uint64_t)0 : sign);
}

static inline uint64_t from_order(uint64_t order)
{
    return order ^ (order & sign ? sign : ~(uint64_t)0);
}

static inline size_t digit_of(uint64_t order, int digit)
{
    return (size_t)(order >> digit * DIGIT_BITS) & (RADIX - 1);
}

static void sort_bits(uint64_t *numbers, uint64_t *scratch, idx n, idx (*count)[RADIX])
{
    uint64_t *from = numbers, *to = scratch;
    memset(count, 0, sizeof(idx) * N_DIGITS * RADIX);
    for (idx i = 0; i < n; i++) {
        from[i] = to_order(from[i]);
        for (int digit = 0; digit < N_DIGITS; digit++) count[digit][digit_of(from[i], digit)]++;
    }
    for (int digit = 0; digit < N_DIGITS; digit++) {
        idx *place = count[digit], before = 0;
        if (place[digit_of(from[0], digit)] == n) continue; /* all have the same digit */
        for (int value = 0; value < RADIX; value++) {
            idx here = place[value];
            place[value] = before;
            before += here;
        }
        for (idx i = 0; i < n; i++) to[place[digit_of(from[i], digit)]++] = from[i];
        uint64_t *other = from;
        from = to, to = other;
    }
    for (idx i = 0; i < n; i++) numbers[i] = from_order(from[i]);
}

/* sort_numbers(numbers, scratch)
   Sort numbers without NaN in place; scratch is as long. */
PyObject *sort_numbers(PyObject *self, PyObject *args)
{
    PyObject *numbers_object, *scratch_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OO", &numbers_object, &scratch_object)) return NULL;
    Py_buffer *numbers = hold_out(&held, numbers_object, 1);
    Py_buffer *scratch = hold_out(&held, scratch_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = numbers->shape[0];
    if (scratch->shape[0] != n || (n && scratch->buf == numbers->buf))
        return fail(&held, "sort_numbers: shapes do not fit");
    idx(*count)[RADIX] = malloc(sizeof(idx) * N_DIGITS * RADIX);
    if (count && n) {
        Py_BEGIN_ALLOW_THREADS
        sort_bits(numbers->buf, scratch->buf, n, count);
        Py_END_ALLOW_THREADS
    } else if (!count)
        PyErr_NoMemory();
    free(count);
    return release(&held, Py_None);
}
