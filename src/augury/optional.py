"""Import an optional dependency, or say which extra is missing."""

import importlib
from types import ModuleType


def import_extra(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import `module`, which `pip install "augury[extra]"` brings along.

    Raises
    ------
    ImportError
        If it is not installed; the message names the purpose and the extra.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # something else is missing inside the package itself
        raise ImportError(
            f'{purpose} needs {module}, which is not installed: pip install "augury[{extra}]"'
        ) from error
