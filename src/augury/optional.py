"""Imports of optional dependencies."""

import importlib
from types import ModuleType


class MissingExtraError(ImportError):
    """An optional package is not installed; the message says how to install it."""


def import_extra(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, which `pip install "augury[extra]"` installs.

    Raises
    ------
    MissingExtraError
        If the module is not installed; the message names the purpose and the extra.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name != package:
            raise  # the package itself lacks another module
        raise MissingExtraError(
            f'{purpose} needs {package}, which is not installed: pip install "augury[{extra}]"'
        ) from error
