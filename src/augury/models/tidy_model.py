"""A model of the catalogue behind `TidyColumns`."""

from collections.abc import Mapping
from typing import Any

from sklearn.pipeline import Pipeline

from augury.encode import TidyColumns
from augury.models.build import build_model

# For every random_state of a model, unless it is given.
SEED = 0


def tidy_model(name: str, parameters: Mapping[str, Any] | None = None) -> Pipeline:
    """Return a model of the catalogue behind `TidyColumns`; it draws the same numbers always."""
    model = build_model(name, parameters, seed=SEED)
    return Pipeline([("columns", TidyColumns()), ("model", model)])


__all__ = ["SEED", "tidy_model"]
