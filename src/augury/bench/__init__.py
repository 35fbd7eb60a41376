"""Experiments, and the published tables beside ours.

Everything is imported when it is first used: the models need scikit-learn, of which
a list of the data sets or an error message has no need.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from augury.bench.errors import (
        ExperimentError,
        StoreError,
        UnknownNameError,
        UnknownParameterError,
    )
    from augury.bench.experiment import Experiment
    from augury.bench.explaining import RowExplanation, explain_row
    from augury.bench.figures import write_figures
    from augury.bench.job_rows import choose_reference, rows_of_jobs
    from augury.bench.judgement import Judgement, Status
    from augury.bench.known_deviation import KnownDeviation
    from augury.bench.marks_report import describe_marks, render_marks
    from augury.bench.model_catalogue import MODELS, ModelEntry, build_model, seed_model
    from augury.bench.model_scores import (
        ModelScore,
        incomplete_models,
        model_table,
        score_models,
    )
    from augury.bench.own_table import (
        SENSIBLE_MODELS,
        comparison_job,
        describe_comparison,
        reference_among,
        review_columns,
        tidy_model,
    )
    from augury.bench.paper import Column, Figure, Paper, PrintedCell
    from augury.bench.paper_marks import compare_marks, find_claims
    from augury.bench.papers import PAPERS, find_paper
    from augury.bench.plan import Omission, Plan, make_plan
    from augury.bench.portraits import add_portraits, draw_portrait
    from augury.bench.report_page import WrittenReport, write_report
    from augury.bench.reproduction import (
        Comparison,
        Reproduction,
        comparison_table,
        reproduce,
        verdict,
    )
    from augury.bench.runner import FailedFoldsError, Job, RunReport, count_before, run_jobs
    from augury.bench.store import ResultStore
    from augury.bench.stored_results import Failure, StoredResults
    from augury.bench.summary import summarize_store, write_summary
    from augury.bench.table_source import open_table, open_tidy_table, review_target
    from augury.bench.text_table import align_columns
    from augury.bench.tolerance import EqualAfterRounding, Tolerance, WithinPoints

_HOMES = {
    "errors": ("ExperimentError", "StoreError", "UnknownNameError", "UnknownParameterError"),
    "experiment": ("Experiment",),
    "explaining": ("RowExplanation", "explain_row"),
    "figures": ("write_figures",),
    "judgement": ("Judgement", "Status"),
    "known_deviation": ("KnownDeviation",),
    "job_rows": ("choose_reference", "rows_of_jobs"),
    "marks_report": ("describe_marks", "render_marks"),
    "model_catalogue": ("MODELS", "ModelEntry", "build_model", "seed_model"),
    "model_scores": ("ModelScore", "incomplete_models", "model_table", "score_models"),
    "own_table": (
        "SENSIBLE_MODELS",
        "comparison_job",
        "describe_comparison",
        "reference_among",
        "review_columns",
        "tidy_model",
    ),
    "paper": ("Column", "Figure", "Paper", "PrintedCell"),
    "paper_marks": ("compare_marks", "find_claims"),
    "papers": ("PAPERS", "find_paper"),
    "plan": ("Omission", "Plan", "make_plan"),
    "portraits": ("add_portraits", "draw_portrait"),
    "report_page": ("WrittenReport", "write_report"),
    "reproduction": ("Comparison", "Reproduction", "comparison_table", "reproduce", "verdict"),
    "runner": ("FailedFoldsError", "Job", "RunReport", "count_before", "run_jobs"),
    "store": ("ResultStore",),
    "stored_results": ("Failure", "StoredResults"),
    "summary": ("summarize_store", "write_summary"),
    "table_source": ("open_table", "open_tidy_table", "review_target"),
    "text_table": ("align_columns",),
    "tolerance": ("EqualAfterRounding", "Tolerance", "WithinPoints"),
}

__all__ = [
    "MODELS",
    "PAPERS",
    "SENSIBLE_MODELS",
    "Column",
    "Comparison",
    "EqualAfterRounding",
    "Experiment",
    "ExperimentError",
    "FailedFoldsError",
    "Failure",
    "Figure",
    "Job",
    "Judgement",
    "KnownDeviation",
    "ModelEntry",
    "ModelScore",
    "Omission",
    "Paper",
    "Plan",
    "PrintedCell",
    "Reproduction",
    "ResultStore",
    "RowExplanation",
    "RunReport",
    "Status",
    "StoreError",
    "StoredResults",
    "Tolerance",
    "UnknownNameError",
    "UnknownParameterError",
    "WithinPoints",
    "WrittenReport",
    "add_portraits",
    "align_columns",
    "build_model",
    "choose_reference",
    "compare_marks",
    "comparison_job",
    "comparison_table",
    "count_before",
    "describe_comparison",
    "describe_marks",
    "draw_portrait",
    "explain_row",
    "find_claims",
    "find_paper",
    "incomplete_models",
    "make_plan",
    "model_table",
    "open_table",
    "open_tidy_table",
    "reference_among",
    "render_marks",
    "reproduce",
    "review_columns",
    "review_target",
    "rows_of_jobs",
    "run_jobs",
    "score_models",
    "seed_model",
    "summarize_store",
    "tidy_model",
    "verdict",
    "write_figures",
    "write_report",
    "write_summary",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"augury.bench.{home}"), name)
    raise AttributeError(f"module 'augury.bench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
