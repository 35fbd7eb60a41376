"""Result rows of folds, and their means."""

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoldResult:
    """Result of one fold: one model, fitted and tested once.

    Attributes
    ----------
    dataset, model : str
        Names of the data set and the model.
    protocol : str
        `"honest"` or `"published"`, see `cross_validate`.
    run, fold : int
        Number of the run, and of the fold within the run, both from 1. The number of a fold of
        `GrowingSamples` is its number of training rows.
    n_train, n_test : int
        Numbers of training and test rows.
    accuracy : float
        Share of the test rows predicted correctly, from 0 to 1.
    log_loss, brier : float
        NaN for a model without probabilities.
    fit_seconds, predict_seconds : float
        Wall-clock time of `fit` and of the call that returns the predicted classes of all test
        rows. That call is `predict`, or `predict_with_proba` for a classifier that has it; the
        latter includes the time of the probabilities. `TidyColumns` at the start of a Pipeline is
        computed once for all models of a fold, and is in neither time.
    """

    dataset: str
    model: str
    protocol: str
    run: int
    fold: int
    n_train: int
    n_test: int
    accuracy: float
    log_loss: float
    brier: float
    fit_seconds: float
    predict_seconds: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over all folds of one model on one data set.

    Attributes
    ----------
    dataset, model, protocol : str
        As in the rows.
    n_folds : int
        Number of folds.
    accuracy_mean, accuracy_std : float
        Mean and sample standard deviation (divisor n - 1) over the folds, in percent. The
        latter is NaN for one fold.
    log_loss_mean, brier_mean : float
        Means over the folds.
    fit_seconds_mean, predict_seconds_mean : float
        Means over the folds.
    """

    dataset: str
    model: str
    protocol: str
    n_folds: int
    accuracy_mean: float
    accuracy_std: float
    log_loss_mean: float
    brier_mean: float
    fit_seconds_mean: float
    predict_seconds_mean: float


def summarize(results: Iterable[FoldResult]) -> list[Summary]:
    """Average the folds of each data set and model.

    Every fold has the same weight, whatever its size, as in WEKA's Experimenter and in
    published tables.

    Parameters
    ----------
    results : iterable of FoldResult
        In any order.

    Returns
    -------
    list of Summary
        One for each data set, model and protocol, in order of first appearance.

    Examples
    --------
    >>> row = dict(dataset="d", model="m", protocol="honest", run=1, n_train=8, n_test=2,
    ...            log_loss=0.5, brier=0.25, fit_seconds=0.01, predict_seconds=0.01)
    >>> [summary] = summarize([FoldResult(**row, fold=1, accuracy=1.0),
    ...                        FoldResult(**row, fold=2, accuracy=0.5)])
    >>> summary.accuracy_mean, round(summary.accuracy_std, 2)
    (75.0, 35.36)
    """
    groups: dict[tuple[str, str, str], list[FoldResult]] = {}
    for result in results:
        groups.setdefault((result.dataset, result.model, result.protocol), []).append(result)
    return [_summarize_group(group) for group in groups.values()]


def _summarize_group(group: list[FoldResult]) -> Summary:
    first = group[0]
    percent = [100.0 * result.accuracy for result in group]
    return Summary(
        dataset=first.dataset,
        model=first.model,
        protocol=first.protocol,
        n_folds=len(group),
        accuracy_mean=_mean(percent),
        accuracy_std=_sample_deviation(percent),
        log_loss_mean=_mean([result.log_loss for result in group]),
        brier_mean=_mean([result.brier for result in group]),
        fit_seconds_mean=_mean([result.fit_seconds for result in group]),
        predict_seconds_mean=_mean([result.predict_seconds for result in group]),
    )


def _mean(values: list[float]) -> float:
    # fsum rounds once, so the mean does not depend on the order of the rows.
    return math.fsum(values) / len(values)


def _sample_deviation(values: list[float]) -> float:
    if len(values) < 2:
        return math.nan
    mean = _mean(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


__all__ = ["FoldResult", "Summary", "summarize"]
