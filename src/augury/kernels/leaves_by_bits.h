/* The leaves of many rows in a randomised tree, found without branches.

   All splits are tested for all rows (QuickScorer, Lucchese et al. 2015; in bytes, as in
   RapidScorer, Ye et al. 2018). A row has a bit for each leaf that it may reach, from left to
   right. A split that sends it right takes the bits of the leaves on the left side away. The lowest
   bit that remains is that of its leaf. */

#ifndef AUGURY_LEAVES_BY_BITS_H
#define AUGURY_LEAVES_BY_BITS_H

#include "random_trees.h"
#include "wide_loops.h"

enum { MAX_LEAVES = 256, LEAF_BYTES = MAX_LEAVES / 8, MAX_NODES = 2 * MAX_LEAVES - 1 };
enum { STRIP = 64, LAST_BYTE = 255 }; /* rows at once */

typedef struct {
    int32_t column, test;
    int32_t first, last; /* bytes with leaves of the left side */
    uint8_t keep_first, keep_last;
} Split;

typedef struct {
    Split splits[MAX_LEAVES];
    int n_splits, n_bytes;
    int32_t n_leaves[MAX_NODES], first[MAX_NODES]; /* of each node */
    uint8_t is_reached[MAX_NODES];
    int32_t leaf_of[MAX_LEAVES]; /* by byte, and by place_of the bit */
    uint8_t may_reach[LEAF_BYTES * STRIP];
} LeafBits;

/* Number the eight powers of two of a byte, in some order (a de Bruijn sequence). */
static inline uint32_t place_of(uint32_t bit)
{
    return (bit * 29 & 255) >> 5;
}

/* Write the splits of a tree of k nodes; return whether it has few leaves and fits d columns. */
static int read_splits(LeafBits *b, const Node *nodes, idx k, idx d, idx n_leaves)
{
    if (k > MAX_NODES) return 0;
    for (idx i = k - 1; i >= 0; i--) {
        Node node = nodes[i];
        b->is_reached[i] = 0;
        b->n_leaves[i] = 1;
        if (node.column < 0) continue;
        if (node.column >= d || node.right <= i + 1 || node.right >= k) return 0;
        b->n_leaves[i] = b->n_leaves[i + 1] + b->n_leaves[node.right];
        if (b->n_leaves[i] > MAX_LEAVES) return 0;
    }
    b->n_splits = 0, b->n_bytes = (b->n_leaves[0] + 7) / 8;
    b->first[0] = 0, b->is_reached[0] = 1;
    for (idx i = 0; i < k; i++) {
        if (!b->is_reached[i]) continue;
        Node node = nodes[i];
        int32_t first = b->first[i];
        if (node.column < 0) {
            if (node.right < 0 || node.right >= n_leaves) return 0;
            b->leaf_of[first / 8 * 8 + (int32_t)place_of((uint32_t)1 << first % 8)] = node.right;
            continue;
        }
        int32_t n_left = b->n_leaves[i + 1], end = first + n_left;
        Split split = {node.column, node.test, first / 8, (end - 1) / 8, 0, 0};
        uint32_t before = ((uint32_t)1 << first % 8) - 1; /* bits of other leaves of these bytes */
        uint32_t after = LAST_BYTE & ~(((uint32_t)2 << (end - 1) % 8) - 1);
        split.keep_first = (uint8_t)(split.first == split.last ? before | after : before);
        split.keep_last = (uint8_t)after;
        b->splits[b->n_splits++] = split;
        if (b->is_reached[i + 1] || b->is_reached[node.right]) return 0; /* no tree */
        b->first[i + 1] = first, b->first[node.right] = first + n_left;
        b->is_reached[i + 1] = b->is_reached[node.right] = 1;
    }
    return 1;
}

/* ---- sides of rows: 255 if a row goes right, otherwise 0 ---------------------------------- */

INLINE void pass_numbers(const uint8_t *code, int32_t test, uint8_t *right)
{
    uint32_t cut = (uint32_t)test & (HAS_BITS - 1);
    uint8_t largest_left = (uint8_t)(cut < LAST_BYTE ? cut : LAST_BYTE - 1);
    uint8_t largest_right = test & GAPS_GO_LEFT ? LAST_BYTE - 1 : LAST_BYTE;
    for (int i = 0; i < STRIP; i++) right[i] = code[i] > largest_left ? LAST_BYTE : 0;
    for (int i = 0; i < STRIP; i++) right[i] &= code[i] <= largest_right ? LAST_BYTE : 0;
}

/* The labels of the smaller side are compared one by one; no row has a label above `largest`. */
INLINE void pass_labels(const uint8_t *code, int32_t test, uint32_t largest, uint8_t *right)
{
    uint32_t n_labels = largest < N_BITS ? largest + 1 : 32, n_left = 0;
    uint32_t all = n_labels < 32 ? ((uint32_t)1 << n_labels) - 1 : UINT32_MAX;
    uint32_t listed = (uint32_t)test & (HAS_BITS - 1) & all;
    for (uint32_t each = listed; each; each &= each - 1) n_left++;
    int is_left = 2 * n_left <= n_labels;
    if (!is_left) listed = ~listed & all;
    for (int i = 0; i < STRIP; i++) right[i] = is_left ? LAST_BYTE : 0;
    for (uint8_t label = 0; listed; label++, listed >>= 1)
        for (int i = 0; listed & 1 && i < STRIP; i++)
            right[i] ^= (code[i] & 31) == label ? LAST_BYTE : 0;
    uint8_t of_gap = test & GAPS_GO_LEFT ? 0 : LAST_BYTE;
    for (int i = 0; i < STRIP; i++) right[i] = code[i] == LAST_BYTE ? of_gap : right[i];
}

INLINE void pass_many_labels(const uint8_t *code, int32_t test, uint8_t *right)
{
    for (int i = 0; i < STRIP; i++)
        right[i] = goes_left(widen(code[i], 1), test) ? 0 : LAST_BYTE;
}

/* ---- leaves of rows ----------------------------------------------------------------------- */

INLINE void keep_bits(uint8_t *bits, const uint8_t *right, uint8_t kept)
{
    for (int i = 0; i < STRIP; i++) bits[i] &= (uint8_t)(kept | (right[i] ^ LAST_BYTE));
}

/* Write the leaf of each of STRIP rows. Column j begins at codes + j × n; largest[j] is its largest
   code that is not missing. */
WIDE_WHERE_POSSIBLE static void find_leaves_by_bits(LeafBits *b, const uint8_t *codes, idx n,
                                                    const uint8_t *largest, int32_t *leaf)
{
    uint8_t right[STRIP], byte[STRIP], bits[STRIP], *may_reach = b->may_reach;
    memset(may_reach, LAST_BYTE, (size_t)(b->n_bytes * STRIP));
    for (int s = 0; s < b->n_splits; s++) {
        Split split = b->splits[s];
        const uint8_t *code = codes + split.column * n;
        if (split.test & HAS_BITS)
            pass_labels(code, split.test, largest[split.column], right);
        else if (split.test & SPLITS_LABELS)
            pass_many_labels(code, split.test, right);
        else
            pass_numbers(code, split.test, right);
        keep_bits(may_reach + split.first * STRIP, right, split.keep_first);
        for (int32_t w = split.first + 1; w < split.last; w++)
            keep_bits(may_reach + w * STRIP, right, 0);
        if (split.last > split.first)
            keep_bits(may_reach + split.last * STRIP, right, split.keep_last);
    }
    for (int w = b->n_bytes - 1; w >= 0; w--) {
        const uint8_t *here = may_reach + w * STRIP;
        for (int i = 0; i < STRIP; i++) byte[i] = here[i] ? (uint8_t)w : byte[i];
        for (int i = 0; i < STRIP; i++) bits[i] = here[i] ? here[i] : bits[i];
    }
    for (int i = 0; i < STRIP; i++) {
        uint32_t lowest = bits[i] & (0u - bits[i]);
        leaf[i] = b->leaf_of[8 * byte[i] + (int32_t)place_of(lowest)];
    }
}

#endif
