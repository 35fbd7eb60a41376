"""Classes of models found by import path, and checked before they are called."""

import importlib
import importlib.util
import inspect
from operator import attrgetter
from typing import Any

from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClusterMixin,
    OutlierMixin,
    RegressorMixin,
    is_regressor,
)

from augury.errors import UnknownNameError

# Packages that are no part of augury, and the extra that brings them.
_EXTRAS = {"lightgbm": "lightgbm", "xgboost": "xgboost", "catboost": "catboost"}
_ESTIMATOR = ("fit", "get_params", "set_params")
_CLASSIFIER = (*_ESTIMATOR, "predict")


def find_model_class(key: str, path: str, *, nested: bool) -> type:
    """Return the class that an import path names, if it is one of a model.

    The module is imported, which runs its code; nothing of it is called.

    Parameters
    ----------
    key : str
        Where the path was given, for messages.
    path : str
        Such as "sklearn.tree.DecisionTreeClassifier".
    nested : bool
        Whether the model is a parameter of another one: any estimator will do, such as a
        transformer. Else it must be a classifier.

    Raises
    ------
    UnknownNameError
        If there is no such package, module or class, or it is no class of a model.

    Examples
    --------
    >>> find_model_class("mine", "sklearn.tree.DecisionTreeClassifier", nested=False).__name__
    'DecisionTreeClassifier'
    >>> find_model_class("mine", "os.system", nested=False)
    Traceback (most recent call last):
    augury.errors.UnknownNameError: mine: class must be a name that `augury models` lists \
or the import path of a classifier's class (with fit, predict, get_params and set_params), got \
'os.system', which is no class
    """
    found = find_object(key, path)
    if (fault := _fault(found, nested)) is None:
        kind: type = found
        return kind
    allowed = (
        "an estimator's class (with fit, get_params and set_params)"
        if nested
        else "a classifier's class (with fit, predict, get_params and set_params)"
    )
    raise UnknownNameError(
        f"{key}: class must be a name that `augury models` lists or the import path of {allowed}, "
        f"got {path!r}, which is {fault}"
    )


def find_object(key: str, path: str) -> Any:
    """Return the object of an import path: a class, a function or any other."""
    parts = path.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        raise UnknownNameError(f"{key}: {path!r} is no import path, such as package.module.Class")
    # A class, or a method of one.
    n_modules = next((n for n, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    module_name, package = ".".join(parts[:n_modules]), parts[0]
    if importlib.util.find_spec(package) is None:
        extra = _EXTRAS.get(package)
        hint = f': pip install "augury[{extra}]"' if extra else ""
        raise UnknownNameError(f"{key} needs {package}, which is not installed{hint}")
    try:
        return attrgetter(".".join(parts[n_modules:]))(importlib.import_module(module_name))
    except (ModuleNotFoundError, AttributeError) as error:
        raise UnknownNameError(f"{key}: there is no {path}: {error}") from error
    except (Exception, SystemExit) as error:  # a module can do anything when it is imported
        raise UnknownNameError(
            f"{key}: {module_name} cannot be imported: {type(error).__name__}: {error}"
        ) from error


def _fault(found: Any, nested: bool) -> str | None:
    """Return why something is no class of a model; None if it is one."""
    if not isinstance(found, type):
        return "no class"
    if inspect.isabstract(found) or found is BaseEstimator:
        return "an abstract class"
    needed = _ESTIMATOR if nested else _CLASSIFIER
    missing = [name for name in needed if not callable(getattr(found, name, None))]
    if missing:
        return f"a class without {missing[0]}"
    if not nested and not _may_classify(found):
        return "no classifier"
    return None


def _may_classify(kind: type) -> bool:
    if issubclass(kind, ClassifierMixin):
        return True
    if issubclass(kind, RegressorMixin | ClusterMixin | OutlierMixin):
        return False
    # Classes of other libraries state their type only if they are made for scikit-learn. The type
    # of a search or a Pipeline depends on its model; see `check_classifies`.
    said = getattr(kind, "_estimator_type", "classifier")
    return said == "classifier" or not isinstance(said, str)


def check_classifies(key: str, model: Any) -> None:
    """Raise an error if a model of other models, such as a search, turns out a regressor."""
    if hasattr(model, "__sklearn_tags__") and is_regressor(model):
        raise UnknownNameError(f"{key} must be a classifier, got a regressor: {model!r:.200}")


__all__ = ["check_classifies", "find_model_class", "find_object"]
