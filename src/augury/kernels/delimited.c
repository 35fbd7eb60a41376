/* Rows of delimited text (CSV): their lines, and which columns hold words, or digits that are not
   plain numbers. */

#include "_native.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

enum { TEXT_BLOCK = 64 };

typedef struct {
    const uint8_t *text;
    idx n, at, line, max_field;
    uint8_t delimiter;
    /* The delimiters and line breaks of the 64 bytes from `block` on, a bit for each byte. */
    idx block;
    uint64_t ends;
} Scan;

#ifdef __SSE2__

/* The delimiters and line breaks of a block, a bit for each byte. */
static inline uint64_t ends_of_block(const uint8_t *text, uint8_t delimiter)
{
    const __m128i delimiters = _mm_set1_epi8((char)delimiter), breaks = _mm_set1_epi8('\n');
    uint64_t ends = 0;
    for (int i = 0; i < TEXT_BLOCK; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(text + i));
        __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters),
                                     _mm_cmpeq_epi8(bytes, breaks));
        ends |= (uint64_t)(unsigned)_mm_movemask_epi8(found) << i;
    }
    return ends;
}

/* The place of the next delimiter or line break from `at` on, or n. Blocks are longer than most
   values: the branches that depend on the lengths of values, which cannot be predicted, are few. */
static inline idx end_of_value(Scan *scan, idx at)
{
    for (;;) {
        if (at < scan->block + TEXT_BLOCK) {
            uint64_t ends = scan->ends >> (at - scan->block);
            if (ends) return at + __builtin_ctzll(ends);
            at = scan->block + TEXT_BLOCK;
        }
        if (at + TEXT_BLOCK > scan->n) break;
        scan->block = at;
        scan->ends = ends_of_block(scan->text + at, scan->delimiter);
    }
    while (at < scan->n && scan->text[at] != scan->delimiter && scan->text[at] != '\n') at++;
    return at;
}

#else

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

/* The place of the next delimiter or line break from `at` on, or n. */
static inline idx end_of_value(Scan *scan, idx at)
{
    const uint8_t *text = scan->text, delimiter = scan->delimiter;
    idx n = scan->n;
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

#endif

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

/* Whether a value, of which the first byte is given (0 if it is empty), may have marks. Blanks
   behind it do not matter: without them it is shorter. */
static inline int may_have_marks(const uint8_t *text, idx n, uint8_t first)
{
    if (first == '0') return n > 1 && is_digit(text[1]);
    if (is_digit(first) || first == '-' || first == '+') return n >= LONG_INTEGER;
    return may_be_blank(first);
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
    idx at = scan->at = end_of_value(scan, scan->at);
    if (end < 0) end = at;
    if (at - start > scan->max_field) return 0;
    uint8_t first = start < end ? text[start] : 0;
    *n_words += begins_word(first);
    if (may_have_marks(text + start, end - start, first))
        *marks |= marks_of(text + start, end - start);
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
    Scan scan = {text->buf, n, start, line, max_field, (uint8_t)delimiter, -TEXT_BLOCK, 0};
    idx n_rows;
    Py_BEGIN_ALLOW_THREADS
    n_rows = scan_all(&scan, n_columns, lines->buf, room, marks->buf, n_words->buf);
    Py_END_ALLOW_THREADS
    return release(&held, Py_BuildValue("nn", n_rows, scan.line - line));
}
