"""Parts of the logistic regression.

- `linear_terms`: rows as the terms of a linear model, without a matrix of indicators
- `merged_columns`: columns with few states, merged for faster sums
- `logistic_loss`, `prior_curvature`: the penalised loss, and the preconditioner of its search
- `spline_terms`: terms of a smooth function of a number
- `estimation`: the search for the coefficients, and the choice of the penalty
"""
