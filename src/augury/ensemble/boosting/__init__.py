"""Parts of the boosted trees.

- `folds`: the folds of the rows, and models that are boosted in each of them
- `trees`: the fitted trees, and their scores
"""
