"""Import an optional dependency, or say which extra is missing."""

import importlib
from types import ModuleType


class MissingExtraError(ImportError):
    """A package that is not installed; the message says how to install it."""


def import_extra(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, which `pip install "augury[extra]"` brings along.

    Raises
    ------
    MissingExtraError
        If it is not installed; the message names the purpose and the extra.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # something else is missing inside the package itself
        raise MissingExtraError(
            f'{purpose} needs {module}, which is not installed: pip install "augury[{extra}]"'
        ) from error
