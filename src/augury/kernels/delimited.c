/* Rows of delimited text (CSV): their lines, and which columns hold words, or digits that are not
   plain numbers. */

#include "delimited.h"

/* Whether a value that begins with this character is neither a number nor missing (n/a, NULL). */
static inline int begins_word(uint8_t c)
{
    uint8_t lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z' && lower != 'n') || c == '$';
}

/* The number of rows, or -1 if a row has another number of values, a quote is not closed, or a
   value is too long. */
static idx scan_all(Scan *scan, idx n_columns, int64_t *lines, idx room, uint8_t *marks,
                    int64_t *n_words)
{
    idx n_rows = 0;
    while (scan->at < scan->n) {
        idx line = scan->line, j = 0;
        if (is_blank_line(scan->text, scan->n, scan->at, scan->delimiter)) {
            for (; scan->at < scan->n && scan->text[scan->at] != '\n'; scan->at++)
                marks[0] |= HAS_BLANKS;
        } else {
            for (;; scan->at++) {
                Value value;
                if (j == n_columns || !find_value(scan, &value)) return -1;
                mark_value(scan, &value, &marks[j]);
                if (value.start < value.end) n_words[j] += begins_word(scan->text[value.start]);
                j++;
                if (scan->at >= scan->n || scan->text[scan->at] == '\n') break;
            }
            if (j != n_columns) return -1;
            if (n_rows < room) lines[n_rows] = line;
            n_rows++;
        }
        scan->at++;
        scan->line++;
    }
    return n_rows;
}

/* scan_rows(text, delimiter, start, line, max_field, lines, marks, n_words): write the line of
   each row from `start` on, as far as `lines` has room, the marks of each column, and the number
   of its values that are surely words. Return the number of rows, or -1 if a row is irregular,
   and the number of lines. */
PyObject *scan_rows(PyObject *self, PyObject *args)
{
    PyObject *text_object, *lines_object, *marks_object, *n_words_object;
    Py_ssize_t start, line, max_field;
    int delimiter;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OinnnOOO", &text_object, &delimiter, &start, &line, &max_field,
                          &lines_object, &marks_object, &n_words_object))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *text = hold(&held, text_object, PyBUF_C_CONTIGUOUS, 1, BYTE, "text");
    Py_buffer *lines = hold(&held, lines_object, writable, 1, INT64, "lines");
    Py_buffer *marks = hold(&held, marks_object, writable, 1, BYTE, "marks");
    Py_buffer *n_words = hold(&held, n_words_object, writable, 1, INT64, "n_words");
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = text->shape[0], room = lines->shape[0], n_columns = marks->shape[0];
    if (n_words->shape[0] != n_columns || start < 0 || start > n || n_columns < 1 || delimiter <= 0 ||
        delimiter > 127 || delimiter == '"' || delimiter == '\n')
        return fail(&held, "scan_rows: shapes, start or delimiter do not fit");
    Scan scan = {text->buf, n, start, line, max_field, (uint8_t)delimiter};
    idx n_rows;
    Py_BEGIN_ALLOW_THREADS
    n_rows = scan_all(&scan, n_columns, lines->buf, room, marks->buf, n_words->buf);
    Py_END_ALLOW_THREADS
    return release(&held, Py_BuildValue("nn", n_rows, scan.line - line));
}
