"""Models by name: what `augury models` lists and experiments ask for."""

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from operator import attrgetter
from typing import Any

from augury.bench.errors import UnknownNameError
from augury.bench.parameter_names import check_parameters

# Packages that are no part of augury, and the extra that brings them.
_EXTRAS = {"lightgbm": "lightgbm", "xgboost": "xgboost", "catboost": "catboost"}


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model with a short name.

    Attributes
    ----------
    name : str
        As in `augury fit --model`.
    family : {"generative", "discriminative", "hybrid", "ensemble", "other"}
        What kind of model it is.
    description : str
        One line.
    path : str
        Import path of the class, or of a function that returns the model.
    parameters : mapping
        Other than its defaults.
    """

    name: str
    family: str
    description: str
    path: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


_ENTRIES = (
    ModelEntry("nb", "generative", "naive Bayes, cuts by MDL", "augury.generative.NaiveBayes"),
    ModelEntry(
        "gaussian-nb",
        "generative",
        "naive Bayes, a normal density for each number",
        "augury.generative.NaiveBayes",
        {"continuous": "gaussian"},
    ),
    ModelEntry("hnb", "generative", "hidden naive Bayes", "augury.generative.HiddenNaiveBayes"),
    ModelEntry(
        "aode",
        "generative",
        "averaged one-dependence estimators",
        "augury.generative.AveragedOneDependence",
    ),
    ModelEntry(
        "tan",
        "generative",
        "tree-augmented naive Bayes",
        "augury.generative.TreeAugmentedNaiveBayes",
    ),
    ModelEntry("kdb", "generative", "k-dependence Bayes", "augury.generative.KDependenceBayes"),
    ModelEntry(
        "bn",
        "generative",
        "Bayesian network found by hill climbing",
        "augury.generative.BayesianNetworkClassifier",
    ),
    ModelEntry(
        "lda",
        "generative",
        "linear discriminant analysis",
        "augury.generative.LinearDiscriminantAnalysis",
    ),
    ModelEntry(
        "qda",
        "generative",
        "quadratic discriminant analysis",
        "augury.generative.QuadraticDiscriminantAnalysis",
    ),
    ModelEntry(
        "rda",
        "generative",
        "regularized discriminant analysis",
        "augury.generative.RegularizedDiscriminantAnalysis",
    ),
    ModelEntry(
        "lr",
        "discriminative",
        "logistic regression on states and numbers",
        "augury.discriminative.LogisticRegression",
    ),
    ModelEntry("svm", "discriminative", "linear SVM", "augury.discriminative.LinearSVM"),
    ModelEntry(
        "knn", "discriminative", "nearest neighbours", "augury.discriminative.KNearestNeighbors"
    ),
    ModelEntry("c45", "discriminative", "C4.5 decision tree", "augury.discriminative.C45Tree"),
    ModelEntry(
        "blended-nb",
        "hybrid",
        "naive Bayes between generative and discriminative",
        "augury.hybrid.BlendedNaiveBayes",
    ),
    *(
        ModelEntry(
            name,
            "hybrid",
            f"{name.upper()} exactly as published in 2022",
            "augury.hybrid.AugmentedClassifier.as_published",
            {"name": name},
        )
        for name in ("nb-lr", "hnb-lr", "nb-nb", "lr-nb", "lr-lr")
    ),
    ModelEntry(
        "hbayes-nb", "hybrid", "Kang and Tian's split of the columns", "augury.hybrid.HBayesNB"
    ),
    ModelEntry(
        "hybrid",
        "hybrid",
        "log odds of HNB as features of a regression: our best by the honest protocol",
        "augury.hybrid.AugmentedClassifier",
        {"estimator": {"class": "hnb"}},
    ),
    ModelEntry(
        "bagged-networks",
        "ensemble",
        "bagged Bayesian networks",
        "augury.ensemble.BaggedNetworks",
        {"random_state": 0},
    ),
    ModelEntry(
        "boosted-nb",
        "ensemble",
        "boosted naive Bayes",
        "augury.ensemble.BoostedNaiveBayes",
        {"random_state": 0},
    ),
    ModelEntry(
        "majority",
        "other",
        "shares of the classes, whatever the row: what any model must beat",
        "sklearn.dummy.DummyClassifier",
        {"strategy": "prior"},
    ),
    ModelEntry(
        "forest",
        "other",
        "scikit-learn's random forest",
        "sklearn.ensemble.RandomForestClassifier",
        {"n_estimators": 300, "random_state": 0},
    ),
    ModelEntry(
        "boosted-trees",
        "other",
        "scikit-learn's histogram gradient boosting",
        "sklearn.ensemble.HistGradientBoostingClassifier",
        {"random_state": 0},
    ),
    ModelEntry(
        "lightgbm",
        "other",
        "LightGBM (extra lightgbm)",
        "lightgbm.LGBMClassifier",
        {"random_state": 0, "n_jobs": 1, "verbose": -1},
    ),
    ModelEntry(
        "xgboost",
        "other",
        "XGBoost (extra xgboost)",
        "xgboost.XGBClassifier",
        {"random_state": 0, "n_jobs": 1},
    ),
    ModelEntry(
        "catboost",
        "other",
        "CatBoost (extra catboost)",
        "catboost.CatBoostClassifier",
        {"random_state": 0, "thread_count": 1, "verbose": False, "allow_writing_files": False},
    ),
)

MODELS: Mapping[str, ModelEntry] = {entry.name: entry for entry in _ENTRIES}


def build_model(name: str, description: Mapping[str, Any] | None = None) -> Any:
    """Return an unfitted classifier.

    Parameters
    ----------
    name : str
        A name of the catalogue, or any other if the description has a class.
    description : mapping, default=None
        Parameters, and under "class" a name of the catalogue or an import path. A
        parameter that is itself a mapping with a class is built too. Classifiers that
        are not augury's are put behind a `PreprocessedClassifier`, unless "preprocess"
        is false.

    Raises
    ------
    UnknownNameError
        If there is no such model, package, class or parameter.

    Examples
    --------
    >>> build_model("nb", {"alpha": 0.5})
    NaiveBayes(alpha=0.5)
    >>> build_model("mine", {"class": "sklearn.tree.DecisionTreeClassifier", "max_depth": 2})
    PreprocessedClassifier(estimator=DecisionTreeClassifier(max_depth=2))
    """
    given = dict(description or {})
    wanted, preprocess = str(given.pop("class", name)), given.pop("preprocess", True)
    entry = MODELS.get(wanted)
    path = entry.path if entry is not None else wanted
    if entry is None and "." not in wanted:
        near = get_close_matches(wanted, MODELS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(MODELS)}"
        raise UnknownNameError(f"there is no model named {wanted!r}; {hint}")
    parameters = {**(entry.parameters if entry is not None else {}), **given}
    model = _build(name, path, {key: _nested(name, value) for key, value in parameters.items()})
    if path.startswith("augury.") or preprocess is False:
        return model
    from augury.bench.preprocessed_classifier import PreprocessedClassifier

    return PreprocessedClassifier(model)


def _nested(name: str, value: Any) -> Any:
    if isinstance(value, Mapping) and "class" in value:
        return build_model(name, value)
    return value


def _build(name: str, path: str, parameters: Mapping[str, Any]) -> Any:
    # A class, or a method of one.
    parts = path.split(".")
    n_modules = next((n for n, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    module_name, package = ".".join(parts[:n_modules]), parts[0]
    if importlib.util.find_spec(package) is None:
        extra = _EXTRAS.get(package)
        hint = f': pip install "augury[{extra}]"' if extra else ""
        raise UnknownNameError(f"{name} needs {package}, which is not installed{hint}")
    try:
        make = attrgetter(".".join(parts[n_modules:]))(importlib.import_module(module_name))
    except (ModuleNotFoundError, AttributeError) as error:
        raise UnknownNameError(f"{name}: there is no {path}: {error}") from error
    check_parameters(name, make, parameters)
    try:
        return make(**parameters)
    except TypeError as error:
        raise UnknownNameError(f"{name}: {path} does not take these parameters: {error}") from error


__all__ = ["MODELS", "ModelEntry", "build_model"]
