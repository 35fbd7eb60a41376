/* The maximum log likelihood of tables of counts. */

#include "_native.h"

/* n log n of small integers is looked up, since most counts are small integers. */
enum { KNOWN = 4096 };
static double known[KNOWN];

static double x_log_x(double x)
{
    if (x < KNOWN) {
        idx n = (idx)x;
        if ((double)n == x) return known[n];
    }
    return x * log(x);
}

/* log_likelihoods(tables, out)
   out[s] = sum over j, k of N_sjk log(N_sjk / N_sj) of tables (s, j, k) of counts >= 0. */
PyObject *log_likelihoods(PyObject *self, PyObject *args)
{
    PyObject *tables_object, *out_object;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OO", &tables_object, &out_object)) return NULL;
    Py_buffer *tables = hold_floats(&held, tables_object, 3, "tables");
    Py_buffer *out = hold_out(&held, out_object, 1);
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = tables->shape[0], q = tables->shape[1], r = tables->shape[2];
    const double *count = tables->buf;
    if (out->shape[0] != n) return fail(&held, "log_likelihoods: shapes do not fit");
    for (idx i = 0; i < n * q * r; i++)
        if (!(count[i] >= 0)) return fail(&held, "log_likelihoods: counts must be >= 0");
    if (known[2] == 0) /* under the GIL */
        for (idx k = 1; k < KNOWN; k++) known[k] = (double)k * log((double)k);
    Py_BEGIN_ALLOW_THREADS
    for (idx s = 0; s < n; s++) {
        double sum = 0;
        for (idx j = 0; j < q; j++, count += r) {
            double total = 0;
            for (idx k = 0; k < r; k++)
                if (count[k] != 0) {
                    total += count[k];
                    sum += x_log_x(count[k]);
                }
            sum -= x_log_x(total);
        }
        ((double *)out->buf)[s] = sum;
    }
    Py_END_ALLOW_THREADS
    return release(&held, Py_None);
}
