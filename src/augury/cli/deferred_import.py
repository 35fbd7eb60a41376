"""A module of another library that is imported when it is first used.

scikit-learn imports `scipy.stats`, with a third of SciPy, for one function that commands on a
table do not call. That takes about half of the start of such a command.
"""

import importlib
import sys
from threading import Lock
from types import ModuleType
from typing import Any


class _DeferredModule(ModuleType):
    """A module in `sys.modules` that replaces itself by the real one when it is used."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "Imported when an attribute of it is read.")
        self._lock = Lock()

    def __getattr__(self, attribute: str) -> Any:
        name = self.__name__
        with self._lock:  # not held during the import, which has locks of its own
            if sys.modules.get(name) is self:
                del sys.modules[name]
        return getattr(importlib.import_module(name), attribute)


def defer_import(name: str) -> None:
    """Let the next `import` of a module do nothing until an attribute of the module is read.

    A module that is imported already stays as it is.
    """
    if name not in sys.modules:
        sys.modules[name] = _DeferredModule(name)


__all__ = ["defer_import"]
