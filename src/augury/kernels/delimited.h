/* The values of delimited text (CSV), found by the rules of Python's csv module. */

#ifndef AUGURY_DELIMITED_H
#define AUGURY_DELIMITED_H

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

enum { TEXT_BLOCK = 64 };

typedef struct {
    const uint8_t *text;
    idx n, at, line, max_field;
    uint8_t delimiter;
    /* The delimiters and line breaks of the 64 bytes from `block` on, a bit for each byte. */
    idx block;
    uint64_t ends;
} Scan;

/* A scan of a text of n bytes from the place `at` on. */
static inline Scan start_scan(const uint8_t *text, idx n, idx at, idx line, idx max_field,
                              int delimiter)
{
    return (Scan){text, n, at, line, max_field, (uint8_t)delimiter, -TEXT_BLOCK, 0};
}

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
static inline int skip_quoted(Scan *scan)
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

/* The place of a value: `begin` behind the delimiter before it, `start` … `end` without blanks and
   quotes, and `at`, the delimiter or end of line behind it. */
typedef struct {
    idx begin, start, end, at;
    int is_quoted;
} Value;

/* Move to the delimiter or the end of the line behind a value; return 0 if it is not closed or
   too long. */
static inline int find_value(Scan *scan, Value *value)
{
    const uint8_t *text = scan->text;
    idx n = scan->n;
    value->begin = scan->at;
    while (scan->at < n && text[scan->at] == ' ' && scan->delimiter != ' ') scan->at++;
    value->start = scan->at;
    value->is_quoted = value->start < n && text[value->start] == '"';
    if (value->is_quoted) {
        if (!skip_quoted(scan)) return 0;
        value->end = scan->at - 1;
        value->start++;
    }
    value->at = scan->at = end_of_value(scan, scan->at);
    if (!value->is_quoted) value->end = value->at;
    return value->at - value->start <= scan->max_field;
}

/* Add the marks of a value to those of its column. */
static inline void mark_value(const Scan *scan, const Value *value, uint8_t *marks)
{
    const uint8_t *text = scan->text;
    idx start = value->start - value->is_quoted;
    if (start > value->begin || (start < scan->n && text[start] == '\t')) *marks |= HAS_BLANKS;
    if (value->start >= value->end) return;
    const uint8_t *content = text + value->start;
    idx n = value->end - value->start;
    if (may_have_marks(content, n, *content)) *marks |= marks_of(content, n);
}

#endif
