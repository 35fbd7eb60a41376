"""The models of a comparison: the default list, their order by cost, their roles and simplicity."""

from collections.abc import Iterable, Sequence
from typing import Any

from sklearn.dummy import DummyClassifier

from augury.models.catalogue import find_model
from augury.models.preprocessed_classifier import is_of_another_library
from augury.models.wrapped_models import final_estimator
from augury.summary.contents.verdict import BASELINE, MODEL, YARDSTICK

# The flagship, models of each family, a known yardstick, and a baseline that ignores the columns.
SENSIBLE_MODELS = (
    *("augury", "random-trees", "hybrid", "lr", "hnb", "aode", "tan", "c45", "nb"),
    *("forest", "majority"),
)

# Short fits first, so that results are there soon; other models come last.
_BY_COST = (
    *("majority", "nb", "gaussian-nb", "lda", "tan", "aode", "hnb", "c45", "lr", "hybrid"),
    *("random-trees", "random-cuts", "kernel", "forest", "augury"),
)

# The yardstick reads labels as indicator columns in memory, and takes longest on many rows.
_MAX_ROWS_OF_YARDSTICK = 20_000

# What a model adds up to: a sum of a term for each column; one tree or network; one model of
# several; an ensemble. A model of another package is taken to be as complex as an ensemble.
ADDITIVE, ONE_STRUCTURE, COMPOSITE, ENSEMBLE = range(4)
_TIERS = {
    **dict.fromkeys(("nb", "gaussian-nb", "kernel-nb", "cfw-nb", "wanbia-c"), ADDITIVE),
    **dict.fromkeys(("lda", "lr", "svm", "gam", "blended-nb"), ADDITIVE),
    **dict.fromkeys(("c45", "tan", "kdb", "bn"), ONE_STRUCTURE),
}
_TIER_OF_FAMILY = dict.fromkeys(("generative", "discriminative", "hybrid"), COMPOSITE)


def default_models(n_rows: int, *, is_quick: bool = False) -> tuple[str, ...]:
    """Return the models that are compared if none are named.

    The random forest of scikit-learn is left out of a quick comparison, and of a table with more
    than 20,000 rows.

    >>> "forest" in default_models(1_000), "forest" in default_models(100_000)
    (True, False)
    """
    if is_quick or n_rows > _MAX_ROWS_OF_YARDSTICK:
        return tuple(name for name in SENSIBLE_MODELS if name != "forest")
    return SENSIBLE_MODELS


def cheap_first(names: Iterable[str]) -> list[str]:
    """Return the models in the order in which they are run.

    >>> cheap_first(["augury", "mine.Model", "lr", "nb"])
    ['nb', 'lr', 'augury', 'mine.Model']
    """
    place = {name: number for number, name in enumerate(_BY_COST)}
    return sorted(names, key=lambda name: place.get(name, len(place)))


def role_of(model: Any) -> str:
    """Return the role of an unfitted model: "model", "baseline" or "yardstick".

    >>> from augury.models.tidy_model import tidy_model
    >>> [role_of(tidy_model(name)) for name in ("nb", "majority", "forest")]
    ['model', 'baseline', 'yardstick']
    """
    if isinstance(final_estimator(model), DummyClassifier):
        return BASELINE
    return YARDSTICK if is_of_another_library(model) else MODEL


def tier_of(name: str) -> int:
    """Return how complex a model is, from 0 (a sum of a term for each column) to 3 (an ensemble).

    >>> [tier_of(name) for name in ("lr", "tan", "hnb", "hybrid", "augury")]
    [0, 1, 2, 2, 3]
    """
    if name in _TIERS:
        return _TIERS[name]
    entry = None if "." in name else find_model(name)
    return ENSEMBLE if entry is None else _TIER_OF_FAMILY.get(entry.family, ENSEMBLE)


def reference_among(models: Sequence[str]) -> str:
    """Return the model of the page's comparisons: naive Bayes if it is there, else the first."""
    return "nb" if "nb" in models else models[0]


__all__ = [
    "SENSIBLE_MODELS",
    "cheap_first",
    "default_models",
    "reference_among",
    "role_of",
    "tier_of",
]
