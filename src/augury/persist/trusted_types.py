"""Which types a model file may name.

A file names types, and loading makes objects of them. It may name classes that augury's
model folders define, which only hold numbers, labels and each other, and the few
listed below. scikit-learn's own estimators are on the list that skops keeps.
"""

import importlib
import pkgutil
from functools import cache

from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold
from sklearn.utils import Bunch

from augury import counts, discriminative, encode, ensemble, generative, hybrid, structure
from augury.evaluate import WekaFolds

FOLDERS = (encode, counts, structure, generative, discriminative, hybrid, ensemble)

# How to split rows is a parameter (`cv`) of hybrids.
SPLITTERS = (KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold, WekaFolds)

# A dict, in which scikit-learn's ensembles have their members by name.
BUNCH = "sklearn.utils._bunch.Bunch"


@cache
def trusted_types() -> dict[str, type]:
    """Return the classes that a model file may name, by the names that it gives them.

    They are found by going through the modules of the model folders, never by what a file
    says: a name in a file is looked up here and nowhere else.

    Examples
    --------
    >>> trusted = trusted_types()
    >>> "augury.generative.naive_bayes.NaiveBayes" in trusted, "os.system" in trusted
    (True, False)
    """
    found = {}
    for folder in FOLDERS:
        for entry in pkgutil.iter_modules(folder.__path__):
            module = importlib.import_module(f"{folder.__name__}.{entry.name}")
            for thing in vars(module).values():
                if isinstance(thing, type) and thing.__module__ == module.__name__:
                    found[type_name(thing)] = thing
    return found | {type_name(other): other for other in (*SPLITTERS, Bunch)}


def type_name(thing: type) -> str:
    """Return the name of a class as skops writes it."""
    return f"{thing.__module__}.{thing.__name__}"
