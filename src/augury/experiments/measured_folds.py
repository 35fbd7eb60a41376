"""Any measure of the folds of a store, computed from the predictions of their rows."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.errors import StoreError
from augury.evaluate import CorrectedTTest, Measure, ScoredRows, corrected_t_test
from augury.evaluate.measure_choice import rare_class
from augury.experiments.store.stored_results import StoredDataset, StoredResults

# These are in the rows of the store, computed from probabilities of full precision.
_STORED = ("accuracy", "log_loss", "brier")
_OF_PROBABILITIES = ("log_loss", "brier")

# Run, fold, and the predictions of the test rows.
FoldRows = tuple[int, int, ScoredRows]
Decide = Callable[[Sequence[FoldRows]], Sequence[FoldRows]]


@dataclass(frozen=True, slots=True)
class MeasuredFold:
    """Measures of one fold.

    Attributes
    ----------
    dataset, model, protocol, run, fold, n_train, n_test
        As in `FoldResult`.
    values : mapping from key to float
        The value of each measure; NaN where it is not defined (see `augury.evaluate.measures`)
        and where the store has no probabilities of the rows.
    """

    dataset: str
    model: str
    protocol: str
    run: int
    fold: int
    n_train: int
    n_test: int
    values: Mapping[str, float]


def measure_folds(
    stored: StoredResults,
    measures: Sequence[Measure],
    dataset: str,
    model: str,
    protocol: str = "honest",
    *,
    decide: Decide | None = None,
) -> list[MeasuredFold]:
    """Return measures of each completed fold of one model on one data set, by run and fold.

    Parameters
    ----------
    stored : StoredResults
        A store of `augury run` or `augury compare`.
    measures : sequence of Measure
        See `augury.evaluate.MEASURES` and `find_measure`.
    dataset, model, protocol : str
        Names in the store.
    decide : callable, default=None
        Replaces the predicted classes of all folds of the model, as a threshold or costs do; by
        default those of the store count.

    Notes
    -----
    With two classes, average precision is that of the class with fewer rows in the data set.
    Instance weights weight the rows. A store keeps no rows of a comparison of a table that is read
    in pieces: all measures but accuracy, log loss and Brier score are NaN. So are measures of
    probabilities in a store of an earlier version.
    """
    known = _dataset(stored, dataset)
    scored_folds = list(score_rows(stored, known, model, protocol))
    if decide is not None:
        scored_folds = list(decide(scored_folds))
    rows = {(run, fold): scored for run, fold, scored in scored_folds}
    of_store = _STORED if decide is None else _OF_PROBABILITIES
    found = []
    for result in stored.results():
        if (result.dataset, result.model, result.protocol) != (dataset, model, protocol):
            continue
        scored = rows.get((result.run, result.fold))
        values = {}
        for measure in measures:
            if measure.key in of_store or (scored is None and measure.key in _STORED):
                values[measure.key] = float(getattr(result, measure.key))
            else:
                values[measure.key] = math.nan if scored is None else measure.of(scored)
        place = (result.run, result.fold, result.n_train, result.n_test)
        found.append(MeasuredFold(dataset, model, protocol, *place, values))
    return found


def measure_runs(
    stored: StoredResults,
    measures: Sequence[Measure],
    dataset: str,
    model: str,
    protocol: str = "honest",
) -> dict[str, float]:
    """Return measures of the rows of all folds of a run taken together, averaged over the runs.

    This is the form for a calibration error (ECE), which is biased upwards in a small fold, and for
    measures of a class that few folds have. Runs in which a measure is NaN do not count.
    """
    runs: dict[int, list[ScoredRows]] = {}
    for run, _, scored in score_rows(stored, _dataset(stored, dataset), model, protocol):
        runs.setdefault(run, []).append(scored)
    joined = [join_rows(parts) for parts in runs.values()]
    means = {}
    for measure in measures:
        values = [value for rows in joined if not math.isnan(value := measure.of(rows))]
        means[measure.key] = math.fsum(values) / len(values) if values else math.nan
    return means


def score_rows(
    stored: StoredResults, dataset: StoredDataset, model: str, protocol: str
) -> Iterator[FoldRows]:
    """Yield run, fold, and the true and predicted classes of its test rows."""
    if not len(dataset.labels):
        return  # read in pieces: the store has no rows
    weight = stored.instance_weights(dataset.name)
    counts = np.bincount(dataset.labels, weight, dataset.n_classes)
    positive = rare_class(counts) if dataset.n_classes == 2 else 1
    probabilities = stored.probabilities(dataset.name, model, protocol)
    for run, fold, rows, predicted, _ in stored.predictions(dataset.name, model, protocol):
        given = probabilities.get((run, fold))
        if given is not None and len(given) != len(rows):
            raise StoreError(
                f"{stored.file} has a damaged row in its table probabilities (dataset "
                f"{dataset.name!r}, model {model!r}, run {run}, fold {fold}): it has {len(given)} "
                f"test rows instead of {len(rows)}; restore the file from a copy"
            )
        yield (
            run,
            fold,
            ScoredRows.of(
                dataset.labels[rows],
                predicted,
                given,
                None if weight is None else weight[rows],
                n_classes=dataset.n_classes,
                positive=positive,
            ),
        )


def compare_measured(
    a: Sequence[MeasuredFold], b: Sequence[MeasuredFold], key: str
) -> CorrectedTTest | None:
    """Compare a measure of two models by the corrected t-test on the folds that both have.

    Folds in which the measure of one of them is NaN are left out. None if fewer than two folds are
    left.
    """
    values = {(fold.run, fold.fold): fold for fold in b}
    pairs = [
        (fold, other)
        for fold in a
        if (other := values.get((fold.run, fold.fold))) is not None
        and not math.isnan(fold.values[key] + other.values[key])
    ]
    if len(pairs) < 2:
        return None
    return corrected_t_test(
        [fold.values[key] for fold, _ in pairs],
        [other.values[key] for _, other in pairs],
        n_train=[other.n_train for _, other in pairs],
        n_test=[other.n_test for _, other in pairs],
    )


def _dataset(stored: StoredResults, name: str) -> StoredDataset:
    for dataset in stored.datasets():
        if dataset.name == name:
            return dataset
    raise StoreError(f"{stored.folder} has no data set {name!r}")


def join_rows(parts: Sequence[ScoredRows]) -> ScoredRows:
    """Return the rows of several folds as those of one."""

    def column(name: str) -> Array | None:
        values = [getattr(part, name) for part in parts]
        return None if any(value is None for value in values) else np.concatenate(values)

    first = parts[0]
    return ScoredRows.of(
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.predicted for part in parts]),
        column("probabilities"),
        column("weight"),
        n_classes=first.n_classes,
        positive=first.positive,
    )


__all__ = [
    "Decide",
    "FoldRows",
    "MeasuredFold",
    "compare_measured",
    "join_rows",
    "measure_folds",
    "measure_runs",
    "score_rows",
]
