"""Models by name, built from descriptions and wrapped for raw tables."""

from augury.models.build import build_model, seed_model
from augury.models.catalogue import known_models
from augury.models.preprocessed_classifier import PreprocessedClassifier
from augury.models.tidy_model import tidy_model
from augury.models.wrapped_models import DecidingPart, find_deciding_part
from augury.registration import ModelEntry, register_model

__all__ = [
    "DecidingPart",
    "ModelEntry",
    "PreprocessedClassifier",
    "build_model",
    "find_deciding_part",
    "known_models",
    "register_model",
    "seed_model",
    "tidy_model",
]
