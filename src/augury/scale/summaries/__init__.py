"""Summaries of columns that add over blocks of rows, and what is learned from them.

1. `TableSurvey.collect` surveys blocks of rows; the survey of all rows is their sum.
2. `tidy_from_survey` decides on the columns as `TidyColumns.fit` of all rows does.
3. `TableSurvey.bins` and `BinCounts` find the cut points of each column of numbers.
4. `learn_encoder` learns a `TableEncoder` as `learn` of all rows does.
"""

from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.bins import Bins
from augury.scale.summaries.survey_encoder import columns_as_labels, learn_encoder
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.survey_tidy import TidySurvey, tidy_from_survey
from augury.scale.summaries.table_survey import TableSurvey

__all__ = [
    "BinCounts",
    "Bins",
    "SurveySettings",
    "TableSurvey",
    "TidySurvey",
    "columns_as_labels",
    "learn_encoder",
    "tidy_from_survey",
]
