"""Errors caused by user input. This module imports nothing heavy."""


class UnknownNameError(ValueError):
    """There is no paper, model, data set or class of this name; the message lists the names."""


class UnknownParameterError(UnknownNameError):
    """A model has no parameter of this name; the message lists its parameters."""


class ExperimentError(ValueError):
    """An experiment cannot be run as it is written; the message says what to change."""


class StoreError(ValueError):
    """A store cannot be read or written; the message says what to do."""


class PictureError(ValueError):
    """A picture cannot be drawn from this model or these rows; the message names the reason."""


class NetworkFileError(ValueError):
    """A file or an object is not a network that can be read; the message says where and why."""


class NetworkExportError(ValueError):
    """A model cannot be written as a network; the message gives the reason."""


class ServeError(ValueError):
    """A model cannot be served; the message says what to do."""


class OnnxExportError(ValueError):
    """A model cannot be written as ONNX; the message gives the reason."""


__all__ = [
    "ExperimentError",
    "NetworkExportError",
    "NetworkFileError",
    "OnnxExportError",
    "PictureError",
    "ServeError",
    "StoreError",
    "UnknownNameError",
    "UnknownParameterError",
]
