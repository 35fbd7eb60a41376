"""What `augury.persist` says when a model file cannot be used, or a model not be saved."""

from augury.data import DataError, DataWarning


class ModelFileError(DataError):
    """A model file that cannot be used, or a model that no file can hold.

    The message names the file, what is wrong with it and what to do.
    """


class ModelVersionWarning(DataWarning):
    """A model of another version of augury, which may predict otherwise here."""
