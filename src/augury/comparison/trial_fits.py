"""Fits to small samples of the rows, which show how long a model takes on a large table.

Each model is fitted to 1/256 of the training rows of a fold, then to 1/64, 1/16 and 1/4. This ends
when a fit takes long, or when it shows that the whole fold is short. All trial fits of a model
together take about a third more than the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from augury.comparison.fit_times import FitTimes
from augury.comparison.row_sample import sample_rows
from augury.evaluate.folds import Fold, PreparedTable, run_fold
from augury.foreign import Classifier
from augury.workers.run_tasks import run_tasks
from augury.workers.tasks import Answer, Task, Workers

_PARTS = (256, 64, 16, 4)
_FEWEST_ROWS = 200

Timed = list[tuple[int, float]]
_Answer = Answer[PreparedTable, Fold, Timed]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A model, and the seconds that end its trial fits, see `time_trial_fits`."""

    model: str
    estimator: Classifier
    short: float
    long: float

    def run(self, table: PreparedTable, fold: Fold) -> Timed:
        """Fit the model to growing samples of the training rows."""
        found: Timed = []
        codes = table.y.cat.codes.to_numpy()
        for part in _PARTS:
            n_train, n_test = len(fold.train) // part, len(fold.test) // part
            if n_train < _FEWEST_ROWS:
                continue
            train = fold.train[sample_rows(codes[fold.train], n_train)]
            test = fold.test[sample_rows(codes[fold.test], n_test)]
            # The number of the fold identifies the rows, see `SharedSteps`.
            result = run_fold(table, self.model, self.estimator, Fold(0, part, train, test)).result
            seconds = result.fit_seconds + result.predict_seconds
            found.append((len(train), seconds))
            if seconds >= self.long or seconds * part <= self.short:
                break
        return found


def time_trial_fits(
    models: Mapping[str, Classifier],
    table: PreparedTable,
    fold: Fold,
    times: FitTimes,
    *,
    workers: Workers,
    short: float,
    long: float,
    until: float,
    begin: Callable[[str], None] | None = None,
) -> None:
    """Add the times of trial fits. A model that raises an error has none: its folds report it.

    Parameters
    ----------
    models : mapping from name to classifier
    table : PreparedTable
    fold : Fold
        Samples are drawn from its training rows and its test rows.
    times : FitTimes
        Gets the times.
    workers : Workers
        Started already.
    short : float
        Seconds of a fold below which its time need not be known better.
    long : float
        Seconds of a trial fit after which there is no larger one.
    until : float
        Value of `time.monotonic` at which the trials end.
    begin : callable, default=None
        Called with the name of a model before its trial.
    """

    def tasks() -> Iterator[Task[PreparedTable, Fold, Timed]]:
        for name, estimator in models.items():
            if begin is not None:
                begin(name)
            trial = _Trial(name, estimator, short, long)
            yield Task(partial(_run, trial), table, [fold], (name,))

    def keep(answer: _Answer) -> None:
        [name] = answer.task.label
        for n_rows, seconds in answer.value or ():
            times.add(name, n_rows, seconds)

    run_tasks("compare", tasks(), keep, workers=workers, until=until)


def _run(trial: _Trial, table: PreparedTable, fold: Fold) -> Timed:
    return trial.run(table, fold)


__all__ = ["time_trial_fits"]
