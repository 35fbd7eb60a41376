"""Comparison of models on a user's own table."""

from collections.abc import Sequence

from augury.data import Dataset
from augury.evaluate import WekaFolds
from augury.experiments.job import Job
from augury.foreign import Json
from augury.instance_weights import warn_of_unweighted
from augury.models.tidy_model import SEED, tidy_model

# Fast models of each family, a baseline that ignores the columns, and a random forest.
SENSIBLE_MODELS = ("majority", "nb", "hnb", "aode", "tan", "lr", "hybrid", "c45", "forest")

PROTOCOL = "honest"

_MAX_ROWS_TIMES_RUNS = 2_000


def describe_comparison(job: Job) -> dict[str, Json]:
    """Return the settings of a comparison for the page of its results.

    The page shows this data set and these models only: the folder may have others, of earlier
    comparisons.
    """
    n_repeats, n_folds = job.fold_keys()[-1]
    return comparison_settings(job.dataset.name, list(job.models), n_folds, n_repeats)


def comparison_settings(
    dataset: str, models: Sequence[str], n_folds: int, n_repeats: int
) -> dict[str, Json]:
    """Return the settings of a comparison of models on a data set by the honest protocol."""
    return {
        "protocol": PROTOCOL,
        "folds": n_folds,
        "repeats": n_repeats,
        "seed": SEED,
        "reference": reference_among(models),
        "datasets": [dataset],
        "models": list(models),
    }


def reference_among(models: Sequence[str]) -> str:
    """Return the reference model: naive Bayes if it is among the models, otherwise the first."""
    return "nb" if "nb" in models else models[0]


def comparison_job(dataset: Dataset, models: Sequence[str] = SENSIBLE_MODELS) -> Job:
    """Return a comparison of models by the honest protocol, each behind `TidyColumns`.

    There are ten folds, and up to ten runs: fewer for a table of many rows.

    Warns
    -----
    augury.instance_weights.UnweightedFitWarning
        If the data set has instance weights and some of the models take none.
    """
    n_repeats = max(1, min(10, _MAX_ROWS_TIMES_RUNS // max(len(dataset.X), 1)))
    built = {name: tidy_model(name) for name in models}
    if dataset.sample_weight is not None:
        warn_of_unweighted(dataset.name, built)
    return Job(dataset, built, WekaFolds(n_splits=10, n_repeats=n_repeats), PROTOCOL)


__all__ = [
    "PROTOCOL",
    "SENSIBLE_MODELS",
    "comparison_job",
    "comparison_settings",
    "describe_comparison",
    "reference_among",
]
