"""Types of a summary: what a store contains, as plain numbers and text.

Nothing heavy is imported here. `Summary` is the whole; the other types are its parts:

- `overview`: the experiment, its models, data sets, measures and failures
- `comparisons`: means of folds, comparisons of models, ranks, the leaderboard
- `verdict`: which model to use for one table
- `predictions`: errors of single rows: bias and variance, reliability, confusions; learning curves
"""

from augury.summary.contents.comparisons import (
    Average,
    Cell,
    Comparisons,
    ControlTest,
    FriedmanRanks,
    LeaderboardLine,
    SignedRanks,
)
from augury.summary.contents.overview import (
    DatasetOverview,
    ExperimentOverview,
    FailedFold,
    Measure,
    ModelOverview,
)
from augury.summary.contents.predictions import (
    BiasVarianceTables,
    CurveComparison,
    ErrorParts,
    ErrorTable,
    LearningCurve,
    LearningCurves,
    Predictions,
    Reliability,
    ReliabilityBin,
)
from augury.summary.contents.summary import FORMAT, Summary, SummaryError
from augury.summary.contents.verdict import Baseline, Standing, Verdict

__all__ = [
    "FORMAT",
    "Average",
    "Baseline",
    "BiasVarianceTables",
    "Cell",
    "Comparisons",
    "ControlTest",
    "CurveComparison",
    "DatasetOverview",
    "ErrorParts",
    "ErrorTable",
    "ExperimentOverview",
    "FailedFold",
    "FriedmanRanks",
    "LeaderboardLine",
    "LearningCurve",
    "LearningCurves",
    "Measure",
    "ModelOverview",
    "Predictions",
    "Reliability",
    "ReliabilityBin",
    "SignedRanks",
    "Standing",
    "Summary",
    "SummaryError",
    "Verdict",
]
