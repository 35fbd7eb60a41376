"""How many folds and runs a comparison has, and how long it may take.

- Ten folds; five from 50,000 rows on.
- All models are tested on the first run of the folds, models with short fits first.
- The folds are drawn anew and repeated, up to five runs in all, for the models that are still tied
  with the leader (see `augury.comparison.verdict`). Repeating stops when one model is left, or when
  the next run would bring the seconds of all fits, divided by the number of workers, above twelve.
  Both depend on the stored results only: a comparison that is run again with the same store ends
  the same.
- A fifth run is the last, because the corrected standard error of ten folds shrinks by a fifth at
  five runs, and by no more than a quarter at any number of runs.
- The time limit is five minutes, or one minute for a quick comparison. The fit to all rows and the
  page are part of it; `augury.comparison.schedule` says what is left out to keep it.

Tests are repeated after each run: the level of 5 % is that of each test, not of the sequence.
"""

from dataclasses import dataclass

from augury.validation import check_integer, check_number

_FOLDS, _FOLDS_OF_MANY_ROWS, _MANY_ROWS = 10, 5, 50_000
_MAX_RUNS = 5
_REPEAT_SECONDS = 12.0
_TIME_LIMIT, _QUICK_TIME_LIMIT = 300.0, 60.0


@dataclass(frozen=True, slots=True)
class Budget:
    """What a user asks for; None leaves it to the table.

    Attributes
    ----------
    folds : int or None
        Number of folds of a run, at least 2.
    repeats : int or None
        Number of runs of all models, at least 1. Then no run is added and none is left out.
    time_limit : float or None
        Seconds that the comparison may take. Repeating may take as long.
    is_quick : bool
        Test every other fold of one run only, within one minute.
    """

    folds: int | None = None
    repeats: int | None = None
    time_limit: float | None = None
    is_quick: bool = False

    def plan(self, n_rows: int) -> "Plan":
        """Return the plan for a table.

        Raises
        ------
        ValueError
            If a number is out of its range; the message begins with "compare: ".

        Examples
        --------
        >>> Budget().plan(344)
        Plan(n_folds=10, n_tested=10, n_runs=1, max_runs=5, repeat_seconds=12.0, time_limit=300.0)
        >>> Budget(is_quick=True).plan(344).n_tested, Budget(repeats=3).plan(336_776).n_folds
        (5, 5)
        """
        folds = _FOLDS_OF_MANY_ROWS if n_rows >= _MANY_ROWS else _FOLDS
        if self.folds is not None:
            folds = check_integer("compare", "folds", self.folds, at_least=2)
        runs = 1
        if self.repeats is not None:
            runs = check_integer("compare", "repeats", self.repeats, at_least=1)
        limit = _QUICK_TIME_LIMIT if self.is_quick else _TIME_LIMIT
        repeat_seconds = _REPEAT_SECONDS
        if self.time_limit is not None:
            limit = check_number("compare", "time_limit", self.time_limit, above=0.0)
            repeat_seconds = limit
        is_fixed = self.is_quick or self.repeats is not None
        return Plan(
            n_folds=folds,
            n_tested=-(-folds // 2) if self.is_quick else folds,
            n_runs=runs,
            max_runs=runs if is_fixed else _MAX_RUNS,
            repeat_seconds=repeat_seconds,
            time_limit=limit,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """Folds and runs of a comparison.

    Attributes
    ----------
    n_folds, n_tested : int
        Number of folds that the rows are dealt to, and of folds of a run that are tested.
    n_runs : int
        Number of runs of all models.
    max_runs : int
        Largest number of runs of the models that are still tied.
    repeat_seconds : float
        Seconds of all fits, divided by the number of workers, after which no run is added.
    time_limit : float
        Seconds that the comparison may take.
    """

    n_folds: int
    n_tested: int
    n_runs: int
    max_runs: int
    repeat_seconds: float
    time_limit: float


__all__ = ["Budget", "Plan"]
