/* Nodes of boosted trees. */

#ifndef AUGURY_BOOSTED_TREES_H
#define AUGURY_BOOSTED_TREES_H

#include "_native.h"

/* - column: the column of the split; -1 for a leaf
   - test: the largest code that goes left, or the row of the codes that go left in the table of
     bits; and two flags
   - left: the left child, counted from the root, and the right child is the next node; of a leaf,
     its number among all leaves. */
typedef struct {
    int32_t column, test, left;
} BoostedNode;

enum {
    GAPS_GO_LEFT = 1 << 30,
    SPLITS_LABELS = 1 << 29,
    BITS_WORDS = 8,
    MAX_CODES = 254, /* of a column, without the missing value */
    GAP = 255,
    FEW_STATES = 4, /* with more labels in a node, splits of labels are regularised further */
};

#endif
