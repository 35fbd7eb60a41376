"""The environment of a run: versions of packages, and the machine."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from augury import __version__
from augury.foreign import Json

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


def describe_environment() -> dict[str, Json]:
    """Return the versions of packages and the machine."""
    packages = {"augury": __version__}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue  # an extra that is not installed
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "packages": packages,
        "machine": platform.machine(),
        "system": f"{platform.system()} {platform.release()}",
        "processors": os.cpu_count(),
    }


__all__ = ["describe_environment"]
