"""Fitted models in files, without pickle.

- `save_model`: write a fitted model into a file
- `load_model`: return an equal model and its metadata from a file
- `read_metadata`: return the metadata of a file without loading the model
- `ModelFileError`: a file is refused; the message gives the reason

A file is checked before an object is created from it; see docs/model-files.md.
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
