"""Parts of the C4.5 decision tree.

- `rows`: training rows, and their division by a split
- `gain`, `growing`: gain ratios, and the growth of the full tree
- `pruning`: collapsing and pruning
- `node`: the immutable tree, and its text
- `descent`: class probabilities of rows
- `drawing`: Graphviz and SVG
"""
