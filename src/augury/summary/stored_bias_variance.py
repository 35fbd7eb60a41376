"""Bias and variance of the models of a store."""

from collections.abc import Sequence
from pathlib import Path

from augury.errors import StoreError, UnknownNameError
from augury.evaluate import BiasVariance
from augury.experiments.store.stored_results import StoredResults
from augury.summary.fold_scores import collect_scores
from augury.summary.predictions import read_predictions


def read_bias_variance(
    folder: Path,
    *,
    models: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    protocol: str | None = None,
    method: str = "webb",
) -> dict[tuple[str, str], BiasVariance]:
    """Return bias and variance by data set and model, from the predictions in a store.

    Parameters
    ----------
    folder : path
        Folder of the store.
    models, datasets : names, default=None
        By default all of the store; data sets on which a model lacks complete runs are then
        left out.
    protocol : {"published", "honest"}, default=None
        Protocol of the folds. It is needed if the store has folds of both.
    method : {"webb", "kohavi-wolpert"}
        Definition, see `augury.evaluate`.

    Raises
    ------
    UnknownNameError
        If the store has no such model or data set.
    StoreError
        If there are fewer than two complete runs of a data set that was named, or of all.
    """
    with StoredResults(folder) as stored:
        known = {dataset.name: dataset for dataset in stored.datasets()}
        known_models = list(stored.models())
        _require("data set", datasets, list(known), folder)
        _require("model", models, known_models, folder)
        results = stored.results()
        protocol = _one_protocol({row.protocol for row in results}, protocol, folder)
        wanted = known_models if models is None else list(models)
        shown = [known[name] for name in (known if datasets is None else datasets)]
        names = {dataset.name for dataset in shown}
        rows = [
            row
            for row in results
            if row.protocol == protocol and row.model in wanted and row.dataset in names
        ]
        cells = read_predictions(stored, collect_scores(rows, shown, wanted), shown, protocol)
    parts = {
        key: cell.webb if method == "webb" else cell.kohavi_wolpert for key, cell in cells.items()
    }
    found: dict[tuple[str, str], BiasVariance] = {}
    for dataset in shown:
        own = {model: parts.get((dataset.name, model)) for model in wanted}
        complete = {model: part for model, part in own.items() if part is not None}
        if len(complete) == len(wanted):
            found |= {(dataset.name, model): part for model, part in complete.items()}
        elif datasets is not None:
            lacking = next(model for model in wanted if model not in complete)
            raise StoreError(
                f"{folder} has fewer than two complete runs of {lacking} on {dataset.name}, which "
                "bias and variance need"
            )
    if not found:
        raise StoreError(
            f"{folder} has no data set with two complete runs of {', '.join(wanted)}, which bias "
            "and variance need"
        )
    return found


def _require(what: str, names: Sequence[str] | None, known: Sequence[str], folder: Path) -> None:
    for name in names or ():
        if name not in known:
            raise UnknownNameError(f"{folder} has no {what} {name!r}; it has {', '.join(known)}")


def _one_protocol(found: set[str], asked: str | None, folder: Path) -> str:
    if asked is not None:
        return asked
    if len(found) > 1:
        raise StoreError(
            f"{folder} has folds of the protocols {', '.join(sorted(found))}: name one"
        )
    return next(iter(found), "honest")


__all__ = ["read_bias_variance"]
