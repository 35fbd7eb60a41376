"""Meta-features: class probabilities of one model as features of another.

- `class_probabilities`: class probabilities of training rows (resubstitution, folds,
  leave-one-out) and of new rows
- `meta_feature_columns`: their columns, names and scaling
- `original_column_cuts`: the default discretizer of the second model
- `published_hybrids`: the hybrids of Zhang, Jiang and Zhang (2022)
"""
