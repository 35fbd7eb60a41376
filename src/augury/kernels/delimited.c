/* Rows of delimited text (CSV): their lines, and which columns hold words, or digits that are not
   plain numbers. */

#include "_native.h"

/* Marks of a column. */
enum { HAS_CODE = 1, HAS_LONG_INTEGER = 2, HAS_BLANKS = 4 };
enum { LONG_INTEGER = 16 }; /* from this number of digits on, float64 may not suffice */

static inline int is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

/* Blanks in ASCII, and bytes of other characters, which may be blanks. */
static inline int may_be_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f) || c >= 0x80;
}

/* Whether a value that begins with this character is neither a number nor missing (n/a, NULL). */
static inline int begins_word(uint8_t c)
{
    uint8_t lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z' && lower != 'n') || c == '$';
}

/* Mark the bytes that are zero; the first mark in memory order is right, others may be false. */
static inline uint64_t zero_bytes(uint64_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
}

/* The place of the first mark. */
static inline idx first_byte(uint64_t marks)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(marks) / 8;
#else
    idx at = 0;
    while (!(marks & 0xff)) marks >>= 8, at++;
    return at;
#endif
}

/* The place of the next delimiter or line break, or n. */
static inline idx end_of_value(const uint8_t *text, idx at, idx n, uint8_t delimiter)
{
    const uint64_t ones = 0x0101010101010101u;
    while (at + 8 <= n) {
        uint64_t eight;
        memcpy(&eight, text + at, 8);
        uint64_t ends = zero_bytes(eight ^ (ones * delimiter)) | zero_bytes(eight ^ (ones * '\n'));
        if (ends) return at + first_byte(ends);
        at += 8;
    }
    while (at < n && text[at] != delimiter && text[at] != '\n') at++;
    return at;
}

/* The marks of one value: 0[0-9]+ is a code, [-+]?[0-9]{16,} a long integer. */
static inline uint8_t marks_of(const uint8_t *text, idx n)
{
    while (n && may_be_blank(text[0])) text++, n--;
    while (n && may_be_blank(text[n - 1])) n--;
    if (n < 2) return 0;
    int is_code = text[0] == '0';
    if (text[0] == '-' || text[0] == '+') text++, n--;
    if (!is_code && n < LONG_INTEGER) return 0;
    for (idx i = 0; i < n; i++)
        if (!is_digit(text[i])) return 0;
    return (uint8_t)((is_code ? HAS_CODE : 0) | (n >= LONG_INTEGER ? HAS_LONG_INTEGER : 0));
}

/* A line of blanks only; a delimiter is not a blank. */
static inline int is_blank_line(const uint8_t *text, idx n, idx at, uint8_t delimiter)
{
    while (at < n && text[at] != '\n') {
        if (text[at] == delimiter || (text[at] != ' ' && text[at] != '\t')) return 0;
        at++;
    }
    return 1;
}

typedef struct {
    const uint8_t *text;
    idx n, at, line, max_field;
    uint8_t delimiter;
} Scan;

/* Move behind a quoted value that begins at the quote; return 0 if it is not closed. Text
   behind the closing quote belongs to the value. */
static int skip_quoted(Scan *scan)
{
    const uint8_t *text = scan->text;
    idx at = scan->at + 1, n = scan->n;
    for (;;) {
        while (at < n && text[at] != '"') {
            scan->line += text[at] == '\n';
            at++;
        }
        if (at >= n) return 0;
        at++;
        if (at >= n || text[at] != '"') break;
        at++;
    }
    scan->at = at;
    return 1;
}

/* Move to the delimiter or the end of the line behind a value; return 0 if it is not closed or
   too long. */
static int skip_value(Scan *scan, uint8_t *marks, int64_t *n_words)
{
    const uint8_t *text = scan->text;
    idx n = scan->n;
    uint8_t delimiter = scan->delimiter;
    idx begin = scan->at;
    while (scan->at < n && text[scan->at] == ' ' && delimiter != ' ') scan->at++;
    idx start = scan->at, end;
    if (start > begin || (start < n && text[start] == '\t')) *marks |= HAS_BLANKS;
    if (start < n && text[start] == '"') {
        if (!skip_quoted(scan)) return 0;
        end = scan->at - 1;
        start++;
    } else
        end = -1;
    idx at = scan->at = end_of_value(text, scan->at, n, delimiter);
    if (end < 0) end = at;
    if (at - start > scan->max_field) return 0;
    uint8_t first = start < end ? text[start] : 0;
    *n_words += begins_word(first);
    if (is_digit(first) || first == '-' || first == '+' || may_be_blank(first))
        *marks |= marks_of(text + start, end - start);
    return 1;
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
                if (j == n_columns || !skip_value(scan, &marks[j], &n_words[j])) return -1;
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
