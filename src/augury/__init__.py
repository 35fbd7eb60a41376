"""Generative, discriminative and hybrid classifiers on tabular data.

The folders, in the order in which data passes through them:

- `augury.data`: files and names become frames with declared categories
- `augury.encode`: frames become tables of integer codes
- `augury.counts`: tables become sufficient statistics that add
- `augury.structure`: which column depends on which
- `augury.bases`: base classes of all classifiers
- `augury.generative`: models of p(c, x) estimated from statistics
- `augury.discriminative`: models of p(c | x)
- `augury.hybrid`: combinations of generative and discriminative models
- `augury.ensemble`: boosting and bagging of those models
- `augury.evaluate`: protocols and losses for any scikit-learn classifier
- `augury.decide`: decisions by costs, or by a tuned threshold
- `augury.drift`: new rows compared with the training rows
- `augury.persist`: fitted models in files, without pickle
- `augury.models`: models by name, and wrapped for raw tables
- `augury.tables`: a user's tables, opened and reviewed
- `augury.explain`: explanations of predictions, summaries of fitted models
- `augury.plot`: pictures of models and of their results
- `augury.experiments`: data sets × models × folds, run into a store
- `augury.summary`: all that a report shows, computed from a store
- `augury.report`: a summary becomes one page with figures
- `augury.comparison`: models compared on a user's own table
- `augury.reproduce`: published tables computed again, cell by cell
- `augury.papers`: the papers, one .py and one .csv each

Models are offered here as well: `from augury import NaiveBayes`, and the function `augury.compare`,
which compares models on a data frame. Folders and models are imported when they are first used, so
that the command line starts fast.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the names of the models, for type checkers
    from augury.comparison.compared_models import compare as compare
    from augury.decide import *  # noqa: F403
    from augury.discriminative import *  # noqa: F403
    from augury.ensemble import *  # noqa: F403
    from augury.generative import *  # noqa: F403
    from augury.hybrid import *  # noqa: F403

__version__ = "0.2.0.dev0"

_MODEL_FOLDERS = ("generative", "discriminative", "hybrid", "ensemble", "decide")
_FOLDERS = (
    *("data", "encode", "counts", "structure", "bases"),
    *_MODEL_FOLDERS,
    *("evaluate", "drift", "persist", "models", "tables", "explain", "plot", "experiments"),
    *("summary", "report", "comparison", "reproduce", "papers"),
)
_FUNCTIONS = {"compare": "comparison.compared_models"}


def __getattr__(name: str) -> Any:
    if name in _FOLDERS:
        return importlib.import_module(f"augury.{name}")
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"augury.{_FUNCTIONS[name]}"), name)
    if name == "__all__":
        return ["__version__", *_FUNCTIONS, *sorted(_FOLDERS), *sorted(_model_homes())]
    home = None if name.startswith("_") else _model_homes().get(name)
    if home is None:
        raise AttributeError(f"module 'augury' has no attribute {name!r}")
    return getattr(importlib.import_module(f"augury.{home}"), name)


def _model_homes() -> dict[str, str]:
    """Return the folder of each model and base class; no model is imported."""
    return {
        name: folder
        for folder in _MODEL_FOLDERS
        for name in importlib.import_module(f"augury.{folder}").__all__
    }


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
