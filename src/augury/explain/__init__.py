"""Explanations of predictions and summaries of fitted models, for any classifier."""

from augury.explain.additive_contents import AdditiveColumn, AdditiveModel
from augury.explain.additive_export import ExportedModel, export_additive
from augury.explain.feature_influence import feature_influence
from augury.explain.model_summary import summarize_model
from augury.explain.row_explanation import RowExplanation, explain_row
from augury.explain.summary_contents import ColumnInfluence, ModelSummary

__all__ = [
    "AdditiveColumn",
    "AdditiveModel",
    "ColumnInfluence",
    "ExportedModel",
    "ModelSummary",
    "RowExplanation",
    "explain_row",
    "export_additive",
    "feature_influence",
    "summarize_model",
]
