"""Errors caused by user input. Nothing heavy is imported here."""


class UnknownNameError(ValueError):
    """A paper, model, data set or class that there is not; the message says what there is."""


class UnknownParameterError(UnknownNameError):
    """A parameter that a model does not have; the message lists those that it has."""


class ExperimentError(ValueError):
    """An experiment that cannot be run as it is written, and what to write instead."""


class StoreError(ValueError):
    """A store that cannot be used for what is asked, and what to do about it."""


__all__ = ["ExperimentError", "StoreError", "UnknownNameError", "UnknownParameterError"]
