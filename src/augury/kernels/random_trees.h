/* Nodes of randomised trees. */

#ifndef AUGURY_RANDOM_TREES_H
#define AUGURY_RANDOM_TREES_H

#include "_native.h"

/* A node is three int32 in pre-order: the left child of node i is node i + 1.
   - column: the column of the split; -1 for a leaf
   - test: of a split, the cut, or a bit of each label or a seed of such
     bits, and three flags; of a leaf, the number of its training rows
   - right: the right child, counted from the root; of a leaf, the number of the leaf. */
typedef struct {
    int32_t column, test, right;
} Node;

enum { GAPS_GO_LEFT = 1 << 30, SPLITS_LABELS = 1 << 29, HAS_BITS = 1 << 28, N_BITS = 28 };
enum { SEED_BITS = 20, GAP = 65535 };

static inline uint64_t mix_bits(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* The bit of a small label; a label that no training row of the node has may be larger. */
static inline int bit_of(uint32_t code, int32_t test)
{
    return (int)(((uint32_t)test & (HAS_BITS - 1)) >> (code & 31) & 1);
}

/* Whether a code goes to the left child. A label goes by its bit, or by a bit of a hash of label
   and seed. */
static inline int goes_left(uint32_t code, int32_t test)
{
    uint32_t value = (uint32_t)test & (HAS_BITS - 1);
    if (code == GAP) return (test & GAPS_GO_LEFT) != 0;
    if (test & HAS_BITS) return bit_of(code, test);
    if (test & SPLITS_LABELS)
        return (int)(mix_bits((code + 1) * 0x9e3779b97f4a7c15ULL ^ ((uint64_t)value << 20)) & 1);
    return code <= value;
}

/* Codes have one or two bytes. The largest number of the type is a missing value. */
static inline uint32_t widen(uint32_t code, idx size)
{
    return size == 1 && code == 255 ? GAP : code;
}

#endif
