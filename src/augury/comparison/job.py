"""The job of a comparison on a user's own table, and its settings."""

from collections.abc import Sequence
from dataclasses import replace

from augury.comparison.budget import Budget, Plan
from augury.comparison.default_models import SENSIBLE_MODELS, cheap_first, reference_among
from augury.data import Dataset
from augury.evaluate import WekaFolds
from augury.experiments.job import Job
from augury.foreign import Json
from augury.instance_weights import warn_of_unweighted
from augury.models.tidy_model import SEED, tidy_model

PROTOCOL = "honest"


def describe_comparison(job: Job) -> dict[str, Json]:
    """Return the settings of a comparison for the page of its results.

    The page shows this data set and these models only: the folder may have others, of earlier
    comparisons.
    """
    runs, folds = (set(numbers) for numbers in zip(*job.fold_keys(), strict=True))
    return comparison_settings(job.dataset.name, list(job.models), len(folds), len(runs))


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


def comparison_job(
    dataset: Dataset, models: Sequence[str] = SENSIBLE_MODELS, plan: Plan | None = None
) -> Job:
    """Return a comparison of models by the honest protocol, each behind `TidyColumns`.

    The models are in the order in which they are run: short fits first.

    Warns
    -----
    augury.instance_weights.UnweightedFitWarning
        If the data set has instance weights and some of the models take none.
    """
    plan = plan or Budget().plan(len(dataset.X))
    built = {name: tidy_model(name) for name in cheap_first(models)}
    if dataset.sample_weight is not None:
        warn_of_unweighted(dataset.name, built)
    job = Job(dataset, built, WekaFolds(plan.n_folds, plan.n_runs), PROTOCOL)
    return replace(job, n_tested=plan.n_tested)


__all__ = ["PROTOCOL", "comparison_job", "comparison_settings", "describe_comparison"]
