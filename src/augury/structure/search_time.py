"""Check of the estimated time of a search over structures."""

import numpy as np

from augury.arrays import Array
from augury.time_limit import require_time

# Time of counting a row for a pair of columns. To score a cell of the counts takes 20 times that.
_NS_OF_ROW = 1.5
_ROWS_OF_CELL = 20
# Tables of more cells than this, and than two for each row, are scored by their filled cells.
_ALWAYS_DENSE = 1 << 10
# Each pair is scored at the start; each column that has got a parent is scored beside all again.
_FEWEST_ROUNDS = 2
# Time of the posterior probability of one class in one row.
_NS_OF_POSTERIOR = 10.0


def require_search_time(
    n_rows: int, n_states: Array, n_classes: int, *, n_pairs: int | None = None, n_searches: int = 1
) -> None:
    """Raise `TooLongError` if the candidates of a search take too long.

    With d columns of v states on average, q classes and n rows, a search scores at least 2 d²
    families, each of which takes n steps to count and 20 q v² steps to score; v² is at most
    2 n, or 1,024, because larger tables are scored by their filled cells.

    Parameters
    ----------
    n_rows, n_classes : numbers of rows and classes
    n_states : number of states of each column
    n_pairs : number of ordered pairs of columns that may be joined; None means all
    n_searches : number of searches
    """
    n_columns = len(n_states)
    n_pairs = n_columns * (n_columns - 1) if n_pairs is None else n_pairs
    most = np.sqrt(max(_ALWAYS_DENSE, 2 * n_rows))
    mean = float(np.minimum(n_states, most).mean()) if n_columns else 0.0
    steps = n_rows + int(_ROWS_OF_CELL * mean**2 * n_classes)
    searches = f"{n_searches:,} searches" if n_searches > 1 else "a search"
    require_time(
        _FEWEST_ROUNDS * n_pairs * n_searches * steps,
        _NS_OF_ROW,
        f"the scores of {searches} among {n_pairs:,} pairs of {n_columns:,} columns in "
        f"{n_classes:,} classes",
        n_rows=n_rows,
        advice="use fewer columns, give HillClimb a skeleton, or take a model without a search, "
        "such as NaiveBayes or LogisticRegression",
    )


def require_conditional_time(
    n_rows: int, n_columns: int, n_classes: int, *, n_pairs: int | None = None, n_searches: int = 1
) -> None:
    """Raise `TooLongError` if a search under the score "cll" takes too long.

    With d columns, q classes and n rows, a candidate takes n q steps. A search scores all d²
    candidates again after each of about d moves.

    Parameters
    ----------
    n_columns : number of columns
    n_rows, n_classes, n_pairs, n_searches : see `require_search_time`
    """
    n_pairs = n_columns * (n_columns - 1) if n_pairs is None else n_pairs
    searches = f"{n_searches:,} searches" if n_searches > 1 else "a search"
    require_time(
        n_searches * n_columns * n_pairs * n_rows * n_classes,
        _NS_OF_POSTERIOR,
        f"the conditional likelihoods of {n_rows:,} rows in {n_classes:,} classes in {searches} "
        f"among {n_pairs:,} pairs of {n_columns:,} columns",
        n_rows=n_rows,
        advice='use score="acll", fewer columns or a skeleton, or take a model without a search, '
        "such as NaiveBayes or LogisticRegression",
    )


__all__ = ["require_conditional_time", "require_search_time"]
