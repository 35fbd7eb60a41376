"""Check of the estimated time before a long computation starts.

Work that grows with the square of the columns, or with the classes, takes hours on tables whose
rows and columns look ordinary. The estimate is computed from the numbers of rows, columns, states
and classes.
"""

from augury.memory import RefusedTableError

MAX_SECONDS = 600.0
# Models are not refused because of many rows: their time grows in proportion to the rows.
_ROWS_OF_LIMIT = 100_000


class TooLongError(RefusedTableError):
    """A computation takes longer than ten minutes for each 100,000 rows.

    Parameters
    ----------
    owner : name of the estimator, or "" if it is not known yet
    what : description of the computation, in the plural
    seconds : estimate of the time on one processor core of 2024
    n_operations : number of operations of the estimate
    advice : what the user can do
    """

    what: str
    advice: str
    seconds: float
    n_operations: int

    def __init__(
        self, owner: str, what: str, seconds: float, n_operations: int, advice: str
    ) -> None:
        super().__init__(owner, what, seconds, n_operations, advice)
        self.what, self.advice = what, advice
        self.seconds, self.n_operations = seconds, n_operations

    def __str__(self) -> str:
        text = (
            f"{self.what} take about {duration_in_words(self.seconds)} ({self.n_operations:.1e} "
            f"operations), and models refuse what takes more than "
            f"{duration_in_words(MAX_SECONDS)} for each {_ROWS_OF_LIMIT:,} rows"
        )
        text = f"{self.owner}: {text}" if self.owner else text[0].upper() + text[1:]
        return f"{text}: {self.advice}"


def require_time(
    n_operations: int,
    nanoseconds: float,
    what: str,
    *,
    n_rows: int,
    advice: str,
    owner: str = "",
) -> None:
    """Raise `TooLongError` if so many operations take too long.

    Parameters
    ----------
    n_operations : a Python integer, which does not overflow
    nanoseconds : time of one operation, measured on one processor core of 2024
    what : description of the computation, in the plural
    n_rows : number of rows; the limit is ten minutes for each 100,000 rows, or part of them
    advice : what the user can do
    owner : name of the estimator

    Examples
    --------
    >>> require_time(10**9, 1.0, "the scores", n_rows=50, advice="use fewer columns")
    >>> require_time(10**13, 1.0, "the scores", n_rows=50, advice="use fewer columns")
    Traceback (most recent call last):
    augury.time_limit.TooLongError: The scores take about 3 hours (1.0e+13 operations), and models \
refuse what takes more than 10 minutes for each 100,000 rows: use fewer columns
    """
    seconds = n_operations * nanoseconds * 1e-9
    if seconds > MAX_SECONDS * max(1.0, n_rows / _ROWS_OF_LIMIT):
        raise TooLongError(owner, what, seconds, n_operations, advice)


def duration_in_words(seconds: float) -> str:
    """Return a time in the largest unit in which the number is at least two.

    >>> duration_in_words(600), duration_in_words(100_000), duration_in_words(9e7)
    ('10 minutes', '28 hours', '3 years')
    """
    units = {"years": 365 * 86_400, "days": 86_400, "hours": 3_600, "minutes": 60}
    for name, size in units.items():
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {name}"
    return f"{seconds:.0f} seconds"


__all__ = ["MAX_SECONDS", "TooLongError", "duration_in_words", "require_time"]
