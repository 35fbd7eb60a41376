"""A model of the catalogue after `TidyColumns`."""

from collections.abc import Mapping
from typing import Any

from sklearn.pipeline import Pipeline

from augury.encode import TidyColumns
from augury.models.build import build_model

# The value of every random_state that is not given.
SEED = 0


def tidy_model(name: str, parameters: Mapping[str, Any] | None = None) -> Pipeline:
    """Return a model of the catalogue after `TidyColumns`, with a fixed seed."""
    model = build_model(name, parameters, seed=SEED)
    return Pipeline([("columns", TidyColumns()), ("model", model)])


__all__ = ["SEED", "tidy_model"]
