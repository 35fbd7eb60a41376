"""With what a row was computed."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from augury import __version__

_PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "pandas",
    "narwhals",
    "joblib",
    "lightgbm",
    "xgboost",
    "catboost",
)


def describe_environment() -> dict[str, Any]:
    """Return versions and machine, as JSON can hold them."""
    packages = {"augury": __version__}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue  # an extra that is not installed has no part in the results
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "packages": packages,
        "machine": platform.machine(),
        "system": f"{platform.system()} {platform.release()}",
        "processors": os.cpu_count(),
    }


__all__ = ["describe_environment"]
