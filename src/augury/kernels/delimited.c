/* Rows of delimited text (CSV): their lines, and which columns hold words, or digits that are not
   plain numbers. */

#include "delimited.h"

/* Whether a value that begins with this character is neither a number nor missing (n/a, NULL). */
static inline int begins_word(uint8_t c)
{
    uint8_t lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z' && lower != 'n') || c == '$';
}

/* Move to the delimiter or the end of the line behind a value; return 0 if it is not closed or
   too long. */
static int skip_value(Scan *scan, uint8_t *marks, int64_t *n_words)
{
    Value value;
    if (!find_value(scan, &value)) return 0;
    mark_value(scan, &value, marks);
    if (value.start < value.end) *n_words += begins_word(scan->text[value.start]);
    return 1;
}

/* What the first byte tells about a value. CAREFUL: a quote, a blank, or the end of the line. */
enum { WORD = 1, NUMBER = 2, CAREFUL = 4 };

static void fill_kinds(uint8_t *kinds)
{
    for (int c = 0; c < 256; c++) {
        int is_number = is_digit((uint8_t)c) || c == '-' || c == '+';
        int is_careful = c == '"' || may_be_blank((uint8_t)c);
        kinds[c] = (uint8_t)(begins_word((uint8_t)c) * WORD + is_number * NUMBER +
                             is_careful * CAREFUL);
    }
}

/* Move to the end of the line behind a row; return 0 if the row is irregular. */
static int skip_row(Scan *scan, const uint8_t *kinds, idx n_columns, uint8_t *restrict marks,
                    int64_t *restrict n_words)
{
    const uint8_t *restrict text = scan->text;
    idx n = scan->n, max_field = scan->max_field, at = scan->at;
    for (idx j = 0; j < n_columns; j++, at++) {
        uint8_t kind = at < n ? kinds[text[at]] : CAREFUL;
        if (kind & CAREFUL) {
            scan->at = at;
            if (!skip_value(scan, &marks[j], &n_words[j])) return 0;
            at = scan->at;
        } else {
            idx start = at;
            at = end_of_value(scan, at);
            if (at - start > max_field) return 0;
            n_words[j] += kind & WORD;
            if (kind & NUMBER && may_have_marks(text + start, at - start, text[start]))
                marks[j] |= marks_of(text + start, at - start);
        }
        if (at >= n || text[at] == '\n') {
            scan->at = at;
            return j + 1 == n_columns;
        }
    }
    return 0;
}

/* The number of rows, or -1 if a row has another number of values, a quote is not closed, or a
   value is too long. */
static idx scan_all(Scan *scan, idx n_columns, int64_t *lines, idx room, uint8_t *marks,
                    int64_t *n_words)
{
    uint8_t kinds[256];
    fill_kinds(kinds);
    kinds[scan->delimiter] &= CAREFUL; /* the value is empty */
    idx n_rows = 0;
    while (scan->at < scan->n) {
        idx line = scan->line;
        if (is_blank_line(scan->text, scan->n, scan->at, scan->delimiter)) {
            for (; scan->at < scan->n && scan->text[scan->at] != '\n'; scan->at++)
                marks[0] |= HAS_BLANKS;
        } else {
            if (!skip_row(scan, kinds, n_columns, marks, n_words)) return -1;
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
    Scan scan = start_scan(text->buf, n, start, line, max_field, delimiter);
    idx n_rows;
    Py_BEGIN_ALLOW_THREADS
    n_rows = scan_all(&scan, n_columns, lines->buf, room, marks->buf, n_words->buf);
    Py_END_ALLOW_THREADS
    return release(&held, Py_BuildValue("nn", n_rows, scan.line - line));
}
