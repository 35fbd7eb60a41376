"""Mean scores of each model, and its wins, ties and losses against the reference."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from augury.evaluate import FoldResult, Summary, summarize, win_tie_loss
from augury.text_table import align_columns


@dataclass(frozen=True, slots=True)
class ModelScore:
    """Mean scores of one model.

    Attributes
    ----------
    model : str
        Name of the model.
    n_datasets : int
        Number of data sets on which all models were tested; the means are over these.
    accuracy : float
        Mean accuracy in percent.
    log_loss : float
        Mean log loss in nats; NaN for a model without class probabilities.
    fit_milliseconds : float
        Mean wall-clock time of one fit.
    fit_ratio : float
        `fit_milliseconds` divided by that of the reference.
    wins, ties, losses : int or None
        Numbers of data sets on which the model is better than the reference, neither better nor
        worse, or worse, by the corrected t-test at 5 % over the folds that both have. None for
        the reference itself and for a model that shares fewer than two folds with it.
    """

    model: str
    n_datasets: int
    accuracy: float
    log_loss: float
    fit_milliseconds: float
    fit_ratio: float
    wins: int | None
    ties: int | None
    losses: int | None


def score_models(results: Iterable[FoldResult], reference: str) -> list[ModelScore]:
    """Return the mean scores of each model, and compare it with the reference.

    Parameters
    ----------
    results : iterable of FoldResult
        Folds of one protocol.
    reference : str
        Name of a model in `results`.

    Returns
    -------
    list of ModelScore
        Scores in order of first appearance. Means are over the data sets on which *all* models
        were tested, so that they are comparable. Wins, ties and losses are over all data sets
        that a model shares with the reference.
    """
    rows = list(results)
    outcomes = {outcome.model: outcome for outcome in win_tie_loss(rows, reference)}
    tested: dict[str, dict[str, Summary]] = {}
    for summary in summarize(rows):
        tested.setdefault(summary.model, {})[summary.dataset] = summary
    shared = [name for name in tested[reference] if all(name in sets for sets in tested.values())]

    def average(model: str, field: str) -> float:
        values = [getattr(tested[model][name], field) for name in shared]
        return fmean(values) if values else float("nan")

    standard = average(reference, "fit_seconds_mean")
    scores = []
    for model in tested:
        outcome = outcomes.get(model)
        if outcome is not None and not outcome.marks:
            outcome = None
        seconds = average(model, "fit_seconds_mean")
        scores.append(
            ModelScore(
                model=model,
                n_datasets=len(shared),
                accuracy=average(model, "accuracy_mean"),
                log_loss=average(model, "log_loss_mean"),
                fit_milliseconds=1000.0 * seconds,
                fit_ratio=seconds / standard if standard else float("nan"),
                wins=None if outcome is None else outcome.wins,
                ties=None if outcome is None else outcome.ties,
                losses=None if outcome is None else outcome.losses,
            )
        )
    return scores


def incomplete_models(results: Iterable[FoldResult], reference: str) -> list[str]:
    """Return a sentence for each model that lacks folds of another model.

    >>> row = dict(dataset="d", protocol="honest", run=1, n_train=8, n_test=2, accuracy=1.0,
    ...            log_loss=0.5, brier=0.25, fit_seconds=0.01, predict_seconds=0.01)
    >>> folds = [("nb", 1), ("nb", 2), ("nb", 3), ("lr", 1), ("lr", 2)]
    >>> incomplete_models([FoldResult(**row, model=m, fold=f) for m, f in folds], "nb")
    ['lr has 2 of 3 folds of d: its averages are over these, and it is compared with nb on the 2 \
that both have.']
    """
    folds: dict[str, dict[str, set[tuple[int, int]]]] = {}
    for row in results:
        folds.setdefault(row.dataset, {}).setdefault(row.model, set()).add((row.run, row.fold))
    notes = []
    for dataset, tested in folds.items():
        n_all = len(set().union(*tested.values()))
        for model, own in tested.items():
            if len(own) == n_all:
                continue
            has = (
                f"{model} has {len(own)} of {n_all} folds of {dataset}: its averages are over these"
            )
            both = len(own & tested.get(reference, set()))
            if model == reference:
                notes.append(f"{has}, and it is compared with each model on those that both have.")
            elif both < 2:
                notes.append(f"{has}, and it is not compared with {reference}.")
            else:
                compared = f"it is compared with {reference} on the {both} that both have"
                notes.append(f"{has}, and {compared}.")
    return notes


def model_table(results: Sequence[FoldResult], reference: str) -> str:
    """Return the scores of `score_models` as a plain-text table with an explanation."""
    scores = score_models(results, reference)
    header = ["model", "accuracy %", "log loss", "fit ms", f"× {reference}", "wins/ties/losses"]
    rows = [
        [
            score.model,
            _number(score.accuracy, 2),
            _number(score.log_loss, 3),
            _number(score.fit_milliseconds, 1),
            _number(score.fit_ratio, 2),
            "-" if score.wins is None else f"{score.wins}/{score.ties}/{score.losses}",
        ]
        for score in scores
    ]
    n_datasets = scores[0].n_datasets
    notes = "".join(f"\nNote: {note}" for note in incomplete_models(results, reference))
    return (
        f"{align_columns(header, rows)}\n"
        f"Averages over {n_datasets} data set{'' if n_datasets == 1 else 's'} that all models "
        f"were tested on; wins, ties and losses over\n"
        f"all that a model shares with {reference}, by the corrected t-test of accuracy at 5 %."
        f"{notes}"
    )


def _number(value: float, digits: int) -> str:
    # A NaN is unequal to itself.
    return f"{value:.{digits}f}" if value == value else "-"


__all__ = ["ModelScore", "incomplete_models", "model_table", "score_models"]
