"""Generative, discriminative and hybrid classifiers on tabular data.

The folders are listed in the order in which data meets them:

- `augury.data`: files and names become frames with declared categories
- `augury.encode`: frames become tables of integer codes
- `augury.counts`: tables become sufficient statistics that add
- `augury.structure`: which column depends on which
- `augury.generative`: models of p(c, x) estimated from statistics
- `augury.discriminative`: models of p(c | x)
- `augury.hybrid`: one model's opinion as features of another
- `augury.ensemble`: boosting and bagging of those models
- `augury.evaluate`: protocols and losses for any scikit-learn classifier
- `augury.persist`: fitted models in files, without pickle
- `augury.models`: models by name, and wrapped for raw tables
- `augury.tables`: a user's tables, opened and reviewed
- `augury.explain`: explanations of predictions, summaries of fitted models
- `augury.experiments`: data sets × models × folds, run into a store
- `augury.summary`: all that a report shows, computed from a store
- `augury.report`: a summary becomes one page with figures
- `augury.compare`: models compared on a user's own table
- `augury.reproduce`: published tables computed again, cell by cell
- `augury.papers`: the papers, one .py and one .csv each

They are imported when first used, so that the command line answers at once.
"""

import importlib
from types import ModuleType

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "compare",
    "counts",
    "data",
    "discriminative",
    "encode",
    "ensemble",
    "evaluate",
    "experiments",
    "explain",
    "generative",
    "hybrid",
    "models",
    "papers",
    "persist",
    "report",
    "reproduce",
    "structure",
    "summary",
    "tables",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"augury.{name}")
    raise AttributeError(f"module 'augury' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
