"""Tables that are larger than memory or lie on several machines: the same statistics, summed."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from augury.scale.cross_validating import cross_validate
    from augury.scale.fitting import ReadingReport, fit, fit_with_report
    from augury.scale.predicting import PredictionSummary, predict
    from augury.scale.sources import Partition, Source, open_source

# Modules are imported when they are used: a command that reads a table whole needs few of them.
_MODULES = {
    "Partition": "sources",
    "PredictionSummary": "predicting",
    "ReadingReport": "fitting",
    "Source": "sources",
    "cross_validate": "cross_validating",
    "fit": "fitting",
    "fit_with_report": "fitting",
    "open_source": "sources",
    "predict": "predicting",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


__all__ = [
    "Partition",
    "PredictionSummary",
    "ReadingReport",
    "Source",
    "cross_validate",
    "fit",
    "fit_with_report",
    "open_source",
    "predict",
]
