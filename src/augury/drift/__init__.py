"""Drift: whether new rows come from the distribution of the training rows.

- `collect_reference`: statistics of the training rows, small enough for a model file
- `collect_reference_from_source`: the same from a table that is read in pieces
- `Reference`: these statistics
- `check_drift`: compare new rows with them
- `DriftReport`, `Finding`: the result
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from augury.drift.check import check_drift
    from augury.drift.collect import collect_reference, collect_reference_from_source
    from augury.drift.reference import ColumnReference, Reference
    from augury.drift.report import DriftReport, Finding

# Modules are imported when they are used: loading a model needs the types of a reference only.
_MODULES = {
    "ColumnReference": "reference",
    "DriftReport": "report",
    "Finding": "report",
    "Reference": "reference",
    "check_drift": "check",
    "collect_reference": "collect",
    "collect_reference_from_source": "collect",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


__all__ = [
    "ColumnReference",
    "DriftReport",
    "Finding",
    "Reference",
    "check_drift",
    "collect_reference",
    "collect_reference_from_source",
]
