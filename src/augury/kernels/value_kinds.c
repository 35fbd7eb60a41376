/* Kinds of values in delimited text (CSV): values of one kind are read alike, whatever the type of
   their column. */

#include "delimited.h"

/* Kinds of values; value_kinds.py has the same numbers. */
enum { MISSING, BOOLEAN, TEXT, ODD, INTEGERS };
/* Integers have a form and a size: INTEGERS + 4 * form + size. */
enum { PLAIN, LEADING_ZERO, PLUS, MINUS };
/* Less than 19 digits; 64 bits with sign; 64 bits without sign; more. */
enum { SHORT, SIGNED_64, UNSIGNED_64, BEYOND };
enum {
    POINT = INTEGERS + 16, /* 12.5 */
    POINT_GROUP,           /* 1.234 */
    EXPONENT,              /* 1e5 */
    POINT_EXPONENT,        /* 1.5e5 */
    COMMA,                 /* 12,5 */
    COMMA_GROUP,           /* 1,234 */
    GROUPS,                /* 1.234.567 */
    GROUPS_COMMA,          /* 1.234,5 */
    N_PLAIN,
    N_KINDS = N_PLAIN + (N_PLAIN - INTEGERS) /* numbers again, between blanks */
};
enum { MAX_EXPONENT_DIGITS = 3, MAX_DIGITS = 18 };

typedef struct {
    const uint8_t *text;
    idx n, at;
} Reader;

static inline idx skip_digits(Reader *r)
{
    idx start = r->at;
    while (r->at < r->n && is_digit(r->text[r->at])) r->at++;
    return r->at - start;
}

static inline int next_is(const Reader *r, uint8_t c) { return r->at < r->n && r->text[r->at] == c; }

static inline int next_is_exponent(const Reader *r)
{
    return r->at < r->n && (r->text[r->at] | 0x20) == 'e';
}

static inline int size_of(const uint8_t *digits, idx n, int is_negative)
{
    if (n <= MAX_DIGITS) return SHORT;
    while (n && *digits == '0') digits++, n--;
    if (n <= MAX_DIGITS) return SIGNED_64;
    const char *largest = is_negative ? "9223372036854775808" : "9223372036854775807";
    if (n == 19 && memcmp(digits, largest, 19) <= 0) return SIGNED_64;
    if (is_negative || n > 20) return BEYOND;
    return n == 19 || memcmp(digits, "18446744073709551615", 20) <= 0 ? UNSIGNED_64 : BEYOND;
}

/* The kind of a value that is no number of a usual form: TEXT if it cannot be a number, else ODD. */
static int unusual(const uint8_t *text, idx n)
{
    idx n_marks = 0;
    for (idx i = 0; i < n; i++) {
        uint8_t c = text[i];
        int is_sign = c == '+' || c == '-';
        n_marks += c == '.' || c == ',';
        if (is_sign && i && (text[i - 1] | 0x20) != 'e') return TEXT;
        if (!is_digit(c) && !is_sign && c != '.' && c != ',' && (c | 0x20) != 'e') return TEXT;
    }
    return n_marks > 1 ? TEXT : ODD;
}

/* The kind of 1.234.567, 1.234,5 and the like, behind the first group of three digits. */
static int kind_of_groups(Reader *r, idx n_digits)
{
    while (next_is(r, '.')) {
        r->at++;
        if (skip_digits(r) != 3) return TEXT;
        n_digits += 3;
    }
    int has_comma = next_is(r, ',');
    if (has_comma) {
        r->at++;
        if (!skip_digits(r)) return unusual(r->text, r->n);
    }
    if (r->at < r->n) return unusual(r->text, r->n);
    if (n_digits > MAX_DIGITS) return ODD;
    return has_comma ? GROUPS_COMMA : GROUPS;
}

static int kind_of_exponent(Reader *r, int kind)
{
    r->at++;
    if (next_is(r, '+') || next_is(r, '-')) r->at++;
    idx n_digits = skip_digits(r);
    if (r->at < r->n || !n_digits || n_digits > MAX_EXPONENT_DIGITS) return unusual(r->text, r->n);
    return kind;
}

/* The kind of a value without blanks around it: a number, TEXT, or ODD. */
static int kind_of_number(const uint8_t *text, idx n)
{
    Reader r = {text, n, 0};
    int form = PLAIN;
    if (next_is(&r, '-')) form = MINUS;
    if (next_is(&r, '+')) form = PLUS;
    if (form != PLAIN) r.at++;
    const uint8_t *digits = text + r.at;
    idx n_digits = skip_digits(&r);
    if (r.at == n) {
        if (!n_digits) return TEXT;
        if (form == PLAIN && n_digits > 1 && *digits == '0') form = LEADING_ZERO;
        return INTEGERS + 4 * form + size_of(digits, n_digits, form == MINUS);
    }
    int is_group = n_digits >= 1 && n_digits <= 3 && *digits != '0';
    if (n_digits && next_is_exponent(&r)) return kind_of_exponent(&r, EXPONENT);
    if (next_is(&r, ',')) {
        r.at++;
        idx n_behind = skip_digits(&r);
        if (r.at < n || !n_digits || !n_behind) return unusual(text, n);
        return is_group && n_behind == 3 ? COMMA_GROUP : COMMA;
    }
    if (!next_is(&r, '.')) return unusual(text, n);
    r.at++;
    idx n_behind = skip_digits(&r);
    is_group = is_group && n_behind == 3;
    if (n_digits + n_behind == 0) return unusual(text, n);
    if (r.at == n) return is_group ? POINT_GROUP : POINT;
    if (next_is_exponent(&r)) return kind_of_exponent(&r, POINT_EXPONENT);
    return is_group ? kind_of_groups(&r, n_digits + 3) : unusual(text, n);
}

static inline int is_ascii_blank(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Whether a value is inf, infinity or nan in any case, perhaps with a sign. */
static int is_special(const uint8_t *text, idx n)
{
    static const char *const specials[] = {"inf", "infinity", "nan"};
    if (n && (*text == '-' || *text == '+')) text++, n--;
    if (!n || ((*text | 0x20) != 'i' && (*text | 0x20) != 'n')) return 0;
    for (int k = 0; k < 3; k++) {
        idx i = 0;
        if (n != (idx)strlen(specials[k])) continue;
        while (i < n && (text[i] | 0x20) == specials[k][i]) i++;
        if (i == n) return 1;
    }
    return 0;
}

/* The kind that a list gives to a word, or -1. The list has for each word its length, its kind, and
   its bytes. */
static int kind_of_word(const uint8_t *text, idx n, const uint8_t *words, idx n_bytes)
{
    for (idx at = 0; at + 2 <= n_bytes; at += 2 + words[at])
        if (words[at] == n && words[at + 2] == text[0] && !memcmp(words + at + 2, text, (size_t)n))
            return words[at + 1];
    return -1;
}

typedef struct {
    const uint8_t *words, *names;
    const int64_t *name_ends;
    idx n_word_bytes;
    uint8_t begins_word[256];
} Words;

static int kind_of_value(const uint8_t *text, const Value *value, const Words *words)
{
    idx start = value->start, end = value->end;
    if (value->is_quoted && value->at != end + 1) return ODD; /* text behind the closing quote */
    if (!value->is_quoted) { /* pandas leaves these blanks out */
        while (start < end && (text[start] == ' ' || text[start] == '\t')) start++;
        if (start < end && text[start] == '"') return ODD;
    }
    idx n = end - start, n_before = n;
    if (!n) return MISSING;
    const uint8_t *content = text + start;
    while (n && is_ascii_blank(*content)) content++, n--;
    while (n && is_ascii_blank(content[n - 1])) n--;
    if (!n) return TEXT;
    uint8_t first = *content;
    int kind = TEXT;
    if (is_digit(first) || first == '-' || first == '+' || first == '.' || first == ',') {
        kind = kind_of_number(content, n);
        if (kind >= INTEGERS) return n == n_before ? kind : kind + N_PLAIN - INTEGERS;
    }
    if (words->begins_word[first] && n == n_before) {
        int listed = kind_of_word(content, n, words->words, words->n_word_bytes);
        if (listed >= 0) return listed;
    }
    if (kind == ODD || is_special(content, n)) return ODD;
    if (!may_be_blank(*content) && !may_be_blank(content[n - 1])) return TEXT;
    /* Python takes other characters for blanks too. */
    while (n && may_be_blank(*content)) content++, n--;
    while (n && may_be_blank(content[n - 1])) n--;
    return n && kind_of_number(content, n) != TEXT ? ODD : TEXT;
}

/* What is known of the columns. */
typedef struct {
    uint8_t *marks;
    int64_t *counts, *firsts, *odd;
    idx n_odd, room;
} Kinds;

static inline void note(int64_t *first, const Value *value, idx line)
{
    if (first[0] >= 0) return;
    first[0] = value->begin;
    first[1] = value->at;
    first[2] = line;
}

static void add_row(const Scan *scan, const Value *values, idx n_columns, idx line,
                    const Words *words, Kinds *kinds)
{
    for (idx j = 0; j < n_columns; j++) {
        const Value *value = &values[j];
        mark_value(scan, value, &kinds->marks[j]);
        int kind = kind_of_value(scan->text, value, words);
        int64_t *firsts = kinds->firsts + j * (N_KINDS + 1) * 3;
        kinds->counts[j * N_KINDS + kind]++;
        note(firsts + 3 * kind, value, line);
        int64_t name = j ? words->name_ends[j - 1] : 0;
        idx n_name = (idx)(words->name_ends[j] - name);
        if (value->end - value->start == n_name && firsts[3 * N_KINDS] < 0 &&
            !memcmp(scan->text + value->start, words->names + name, (size_t)n_name))
            note(firsts + 3 * N_KINDS, value, line);
        if (kind == ODD) {
            int64_t *odd = kinds->odd + 4 * kinds->n_odd++;
            odd[0] = j, odd[1] = value->begin, odd[2] = value->at, odd[3] = line;
        }
    }
}

/* Find the values of a row. Return 1, 0 if the row does not end in this text, or -1 if it has another
   number of values or a value is too long. */
static int find_row(Scan *scan, Value *values, idx n_columns, int is_last)
{
    for (idx j = 0;; scan->at++) {
        if (j == n_columns) return -1;
        idx begin = scan->at;
        values[j].at = -1;
        if (!find_value(scan, &values[j]))
            return values[j].at < 0 && !is_last && scan->n - begin <= scan->max_field ? 0 : -1;
        j++;
        if (scan->at >= scan->n) return !is_last ? 0 : j == n_columns ? 1 : -1;
        if (scan->text[scan->at] == '\n') return j == n_columns ? 1 : -1;
    }
}

static idx scan_block(Scan *scan, Value *values, idx n_columns, int is_last, const Words *words,
                      Kinds *kinds)
{
    idx n_rows = 0;
    while (scan->at < scan->n) {
        idx start = scan->at, line = scan->line;
        if (is_blank_line(scan->text, scan->n, start, scan->delimiter)) {
            while (scan->at < scan->n && scan->text[scan->at] != '\n') scan->at++;
            if (scan->at > start) kinds->marks[0] |= HAS_BLANKS;
            if (scan->at >= scan->n && !is_last) {
                scan->at = start;
                break;
            }
        } else {
            int found = find_row(scan, values, n_columns, is_last);
            if (found < 0) return -1;
            if (!found || kinds->n_odd + n_columns > kinds->room) {
                scan->at = start, scan->line = line;
                break;
            }
            add_row(scan, values, n_columns, line, words, kinds);
            n_rows++;
        }
        scan->at++;
        scan->line++;
    }
    if (scan->at > scan->n) scan->at = scan->n; /* the last line has no end */
    return n_rows;
}

static int names_fit(const Py_buffer *ends, idx n_bytes)
{
    const int64_t *end = ends->buf;
    for (idx j = 0; j < ends->shape[0]; j++)
        if (end[j] < (j ? end[j - 1] : 0) || end[j] > n_bytes) return 0;
    return 1;
}

static int words_fit(const uint8_t *words, idx n_bytes)
{
    idx at = 0;
    while (at + 2 <= n_bytes && words[at] > 0 && words[at + 1] < INTEGERS) at += 2 + words[at];
    return at == n_bytes;
}

/* scan_kinds(text, delimiter, is_last, start, line, max_field, words, names, name_ends, marks,
   counts, firsts, odd): find the complete rows from `start` on. Add the marks of each column, the
   number of its values of each kind, and the place, end and line of the first value of each kind
   where it is still -1 (last: of a value that equals the name of the column). Write column, place,
   end and line of each value of kind ODD. Return the number of rows, or -1 if a row is irregular,
   the place and line behind them, and the number of odd values. Rows that do not fit into `odd` are
   left for another call. */
PyObject *scan_kinds(PyObject *self, PyObject *args)
{
    PyObject *text_object, *words_object, *names_object, *ends_object, *marks_object, *counts_object,
        *firsts_object, *odd_object;
    Py_ssize_t start, line, max_field;
    int delimiter, is_last;
    Buffers held = {.n = 0};
    if (!PyArg_ParseTuple(args, "OipnnnOOOOOOO", &text_object, &delimiter, &is_last, &start, &line,
                          &max_field, &words_object, &names_object, &ends_object, &marks_object,
                          &counts_object, &firsts_object, &odd_object))
        return NULL;
    int writable = PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
    Py_buffer *text = hold(&held, text_object, PyBUF_C_CONTIGUOUS, 1, BYTE, "text");
    Py_buffer *words = hold(&held, words_object, PyBUF_C_CONTIGUOUS, 1, BYTE, "words");
    Py_buffer *names = hold(&held, names_object, PyBUF_C_CONTIGUOUS, 1, BYTE, "names");
    Py_buffer *ends = hold(&held, ends_object, PyBUF_C_CONTIGUOUS, 1, INT64, "name_ends");
    Py_buffer *marks = hold(&held, marks_object, writable, 1, BYTE, "marks");
    Py_buffer *counts = hold(&held, counts_object, writable, 2, INT64, "counts");
    Py_buffer *firsts = hold(&held, firsts_object, writable, 3, INT64, "firsts");
    Py_buffer *odd = hold(&held, odd_object, writable, 2, INT64, "odd");
    if (PyErr_Occurred()) return release(&held, NULL);
    idx n = text->shape[0], n_columns = marks->shape[0], room = odd->shape[0];
    if (start < 0 || start > n || n_columns < 1 || delimiter <= 0 || delimiter > 127 ||
        delimiter == '"' || delimiter == '\n' || ends->shape[0] != n_columns ||
        counts->shape[0] != n_columns || counts->shape[1] != N_KINDS ||
        firsts->shape[0] != n_columns || firsts->shape[1] != N_KINDS + 1 || firsts->shape[2] != 3 ||
        odd->shape[1] != 4 || room < n_columns || !names_fit(ends, names->shape[0]) ||
        !words_fit(words->buf, words->shape[0]))
        return fail(&held, "scan_kinds: shapes, start, words or delimiter do not fit");
    Value *values = malloc((size_t)n_columns * sizeof *values);
    if (!values) {
        PyErr_NoMemory();
        return release(&held, NULL);
    }
    Scan scan = start_scan(text->buf, n, start, line, max_field, delimiter);
    Kinds kinds = {marks->buf, counts->buf, firsts->buf, odd->buf, 0, room};
    Words known = {words->buf, names->buf, ends->buf, words->shape[0], {0}};
    for (idx at = 0; at < known.n_word_bytes; at += 2 + known.words[at])
        known.begins_word[known.words[at + 2]] = 1;
    idx n_rows;
    Py_BEGIN_ALLOW_THREADS
    n_rows = scan_block(&scan, values, n_columns, is_last, &known, &kinds);
    Py_END_ALLOW_THREADS
    free(values);
    return release(&held, Py_BuildValue("nnnn", n_rows, scan.at, scan.line, kinds.n_odd));
}
