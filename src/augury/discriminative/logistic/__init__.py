"""Parts of the logistic regression.

- `linear_terms`: rows as the terms of a linear model, without a matrix of indicators
- `merged_columns`: columns with few states, merged for faster sums
- `logistic_loss`, `prior_curvature`: the penalised loss, and the preconditioner of its search
- `spline_terms`: terms of a smooth function of a number
- `block_terms`: terms of the rows of one block
- `sample_start`: a start at the optimum of a sample of the rows
- `regression_time`, `coefficient_memory`: checks of time and memory before the search
- `estimation`: the search for the coefficients, and the choice of the penalty
"""
