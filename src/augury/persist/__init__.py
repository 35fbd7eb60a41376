"""Fitted models in files, without pickle.

- `save_model`, `load_model`: a fitted model → a file → an equal model, and its metadata
- `read_metadata`: what a file says about its model, without making it
- `ModelFileError`: a file that was refused, and why

A file is refused before anything in it is run: see docs/model-files.md.
"""

from augury.persist.errors import ModelFileError, ModelVersionWarning
from augury.persist.metadata import ModelColumn, ModelMetadata
from augury.persist.model_file import SavedModel, load_model, read_metadata, save_model

__all__ = [
    "ModelColumn",
    "ModelFileError",
    "ModelMetadata",
    "ModelVersionWarning",
    "SavedModel",
    "load_model",
    "read_metadata",
    "save_model",
]
