"""Compare models on a user's own table."""

from collections.abc import Sequence
from typing import Any

from augury.data import Dataset
from augury.evaluate import WekaFolds
from augury.experiments.job import Job
from augury.instance_weights import warn_of_unweighted
from augury.models.tidy_model import SEED, tidy_model

# What a practitioner would try: quick, honest models of each family, and a forest to beat.
SENSIBLE_MODELS = ("majority", "nb", "hnb", "aode", "tan", "lr", "hybrid", "c45", "forest")

_MOST_FITS_ROWS = 200_000  # rows × runs; more runs than that make nothing clearer


def describe_comparison(job: Job) -> dict[str, Any]:
    """Return what a reader of the results may want to know, as JSON can hold it.

    Its data set and its models are those that the page shows: the folder may have others, of
    earlier comparisons.
    """
    n_repeats, n_folds = job.fold_keys()[-1]
    return {
        "protocol": job.protocol,
        "folds": n_folds,
        "repeats": n_repeats,
        "seed": SEED,
        "reference": reference_among(list(job.models)),
        "datasets": [job.dataset.name],
        "models": list(job.models),
    }


def reference_among(models: Sequence[str]) -> str:
    """Return the model that others are compared with: naive Bayes, or the first."""
    return "nb" if "nb" in models else models[0]


def comparison_job(dataset: Dataset, models: Sequence[str] = SENSIBLE_MODELS) -> Job:
    """Return an honest comparison of models, each behind `TidyColumns`.

    Ten folds, drawn up to ten times where rows are few.

    Warns
    -----
    augury.instance_weights.UnweightedFitWarning
        If the data set has instance weights and some of the models take none.
    """
    n_repeats = max(1, min(10, _MOST_FITS_ROWS // (100 * max(len(dataset.X), 1))))
    built = {name: tidy_model(name) for name in models}
    if dataset.sample_weight is not None:
        warn_of_unweighted(dataset.name, built)
    return Job(dataset, built, WekaFolds(n_splits=10, n_repeats=n_repeats), "honest")


__all__ = [
    "SENSIBLE_MODELS",
    "comparison_job",
    "describe_comparison",
    "reference_among",
]
