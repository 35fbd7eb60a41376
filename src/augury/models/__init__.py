"""Models by name, built from descriptions and wrapped for raw tables."""

from augury.models.catalogue import MODELS, ModelEntry, build_model, seed_model
from augury.models.tidy_model import tidy_model
from augury.models.wrapped_models import DecidingPart, find_deciding_part

__all__ = [
    "MODELS",
    "DecidingPart",
    "ModelEntry",
    "build_model",
    "find_deciding_part",
    "seed_model",
    "tidy_model",
]
