"""Parts of the randomised trees.

- `codes`: columns of labels and numbers as codes of one or two bytes
- `distinct_rows`: different rows with their weights, and random samples of them
- `growing`: the trees, and the strength of the smoothing of their leaves
- `calibration`: the exponent of the mean of the trees
- `trees`: the fitted trees, and their class probabilities
"""
