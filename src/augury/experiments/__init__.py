"""Experiments: data sets × models × folds, run by workers into a store."""

from augury.errors import ExperimentError, StoreError
from augury.experiments.experiment import Experiment
from augury.experiments.job import Job, rows_of_jobs
from augury.experiments.measured_folds import (
    MeasuredFold,
    compare_measured,
    measure_folds,
    measure_runs,
)
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
    "MeasuredFold",
    "ResultStore",
    "RunReport",
    "StoreError",
    "StoredResults",
    "add_model_summaries",
    "choose_reference",
    "compare_measured",
    "count_before",
    "measure_folds",
    "measure_runs",
    "rows_of_jobs",
    "run_jobs",
]
