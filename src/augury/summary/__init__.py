"""Summary of a store of results: all numbers and texts that a report shows.

- `summarize_store`: a store of results → a `Summary`
- `write_summary`, `read_summary`: a `Summary` as a JSON file
- `augury.summary.contents`: the types of a summary
- `augury.summary.model_scores`: a short table of the models, for the command line

A store that names its models and data sets, such as that of `augury compare`, is limited to
these. Models that have less than half of the data sets are in no average and in no test over
data sets, because they would remove these data sets for all other models.
"""

from augury.summary.contents import Summary, SummaryError
from augury.summary.summarize import summarize_store
from augury.summary.summary_file import read_summary, write_summary

__all__ = ["Summary", "SummaryError", "read_summary", "summarize_store", "write_summary"]
