"""Check of the estimated time of a logistic regression."""

from augury.discriminative.logistic.estimation import N_SEARCHES_OF_CV
from augury.time_limit import require_time

# Evaluations of the loss that a search takes at least, and those that it takes with spline terms,
# which are correlated.
FEWEST_EVALUATIONS, EVALUATIONS_OF_SPLINES = 20, 60
# Cost of the score of a row in a class: a step for each term, and as much as ten steps for its
# exponential.
_TERMS_OF_SCORE = 10
_NS_OF_TERM = 0.5


def require_regression_time(
    owner: str,
    n_rows: int,
    n_entries: int,
    n_classes: int,
    *,
    chooses_penalty: bool,
    n_evaluations: int = FEWEST_EVALUATIONS,
) -> None:
    """Raise `TooLongError` if the search for the coefficients takes too long.

    Parameters
    ----------
    owner : name of the estimator
    n_rows, n_classes : numbers of rows and classes
    n_entries : number of terms of a row that are not zero
    chooses_penalty : whether C is "cv"
    n_evaluations : number of evaluations of the loss in one search
    """
    n_evaluations *= N_SEARCHES_OF_CV if chooses_penalty else 1
    n_scores = n_rows * (1 if n_classes <= 2 else n_classes)
    require_time(
        n_evaluations * n_scores * (n_entries + _TERMS_OF_SCORE),
        _NS_OF_TERM,
        f"{n_evaluations:,} evaluations of the loss of {n_rows:,} rows with {n_entries:,} terms in "
        f"{n_classes:,} classes",
        n_rows=n_rows,
        owner=owner,
        advice="use fewer columns, merge rare classes, or take NaiveBayes",
    )


__all__ = ["EVALUATIONS_OF_SPLINES", "FEWEST_EVALUATIONS", "require_regression_time"]
