"""Errors and warnings of `augury.persist`."""

from augury.data import DataError, DataWarning


class ModelFileError(DataError):
    """A model file cannot be used, or a model cannot be saved.

    The message names the file, what is wrong with it and what to do.
    """


class ModelVersionWarning(DataWarning):
    """A model was saved by another version of augury; its predictions may differ."""
