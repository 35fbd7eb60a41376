"""The loss of a logistic regression, and the rows as a linear model sees them."""
