"""Experiments: data sets × models × folds, run by workers into a store."""

from augury.errors import ExperimentError, StoreError
from augury.experiments.experiment import Experiment
from augury.experiments.job import Job, rows_of_jobs
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.reference_model import choose_reference
from augury.experiments.runner import FailedFoldsError, RunReport, count_before, run_jobs
from augury.experiments.store import Failure, ResultStore, StoredResults

__all__ = [
    "Experiment",
    "ExperimentError",
    "FailedFoldsError",
    "Failure",
    "Job",
    "ResultStore",
    "RunReport",
    "StoreError",
    "StoredResults",
    "add_model_summaries",
    "choose_reference",
    "count_before",
    "rows_of_jobs",
    "run_jobs",
]
