"""Tables that are larger than memory or lie on several machines: the same statistics, summed."""

from augury.scale.fit import ReadingReport, fit, fit_with_report
from augury.scale.predict import PredictionSummary, predict
from augury.scale.sources import Partition, Source, open_source

__all__ = [
    "Partition",
    "PredictionSummary",
    "ReadingReport",
    "Source",
    "fit",
    "fit_with_report",
    "open_source",
    "predict",
]
