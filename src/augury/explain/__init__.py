"""Explanations of predictions and summaries of fitted models, for any classifier."""

from augury.explain.model_summary import summarize_model
from augury.explain.row_explanation import RowExplanation, explain_row
from augury.explain.summary_contents import ColumnInfluence, ModelSummary

__all__ = [
    "ColumnInfluence",
    "ModelSummary",
    "RowExplanation",
    "explain_row",
    "summarize_model",
]
