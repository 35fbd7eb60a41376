"""Models by name: what `augury models` lists and experiments ask for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from augury.errors import UnknownNameError
from augury.models.parameter_names import check_parameters


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
    ),
    ModelEntry(
        "boosted-nb",
        "ensemble",
        "boosted naive Bayes",
        "augury.ensemble.BoostedNaiveBayes",
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
        {"n_estimators": 300},
    ),
    ModelEntry(
        "boosted-trees",
        "other",
        "scikit-learn's histogram gradient boosting",
        "sklearn.ensemble.HistGradientBoostingClassifier",
    ),
    ModelEntry(
        "lightgbm",
        "other",
        "LightGBM (extra lightgbm)",
        "lightgbm.LGBMClassifier",
        {"n_jobs": 1, "verbose": -1},
    ),
    ModelEntry(
        "xgboost",
        "other",
        "XGBoost (extra xgboost)",
        "xgboost.XGBClassifier",
        {"n_jobs": 1},
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


def build_model(
    name: str,
    description: Mapping[str, Any] | None = None,
    *,
    seed: int | None = 0,
    key: str | None = None,
) -> Any:
    """Return an unfitted classifier.

    Parameters
    ----------
    name : str
        A name of the catalogue, or any other if the description has a class.
    description : mapping, default=None
        Parameters, and under "class" a name of the catalogue or the import path of a
        classifier's class. A parameter that is itself a mapping with a class is built too;
        its class may be that of any estimator. Classifiers that are not augury's are put
        behind a `PreprocessedClassifier`, unless "preprocess" is false.
    seed : int or None, default=0
        For every `random_state` that is not given; see `seed_model`.
    key : str, default=None
        Where the description was given, for messages; by default the name.

    Raises
    ------
    UnknownNameError
        If there is no such model, package, class or parameter, or the class is no
        classifier. All classes are checked before one of them is called.

    Examples
    --------
    >>> build_model("nb", {"alpha": 0.5})
    NaiveBayes(alpha=0.5)
    >>> build_model("mine", {"class": "sklearn.tree.DecisionTreeClassifier", "max_depth": 2})
    PreprocessedClassifier(estimator=DecisionTreeClassifier(max_depth=2,
                                                            random_state=0))
    """
    model = _find(name if key is None else key, name, description or {}, nested=False).build()
    return seed_model(model, seed)


def seed_model(model: Any, seed: int | None) -> Any:
    """Set every `random_state` that is None, those of models inside the model included.

    >>> from augury.ensemble import BoostedNaiveBayes
    >>> seed_model(BoostedNaiveBayes(), 7).random_state
    7
    """
    unset = {
        name: seed
        for name, value in model.get_params(deep=True).items()
        if name.rpartition("__")[2] == "random_state" and value is None
    }
    if seed is not None and unset:
        model.set_params(**unset)
    return model


@dataclass(frozen=True, slots=True)
class _Part:
    """A model that was found and checked, and is not built yet."""

    key: str
    path: str
    make: Callable[..., Any]
    parameters: Mapping[str, Any]
    preprocess: bool
    nested: bool

    def build(self) -> Any:
        from augury.models.model_classes import check_classifies
        from augury.models.preprocessed_classifier import PreprocessedClassifier

        given = {
            name: value.build() if isinstance(value, _Part) else value
            for name, value in self.parameters.items()
        }
        try:
            model = self.make(**given)
        except (TypeError, ValueError) as error:
            raise UnknownNameError(
                f"{self.key}: {self.path} does not take these parameters: {error}"
            ) from error
        if not self.nested:
            check_classifies(self.key, model)
        if not self.preprocess or (self.nested and not hasattr(model, "predict")):
            return model
        return PreprocessedClassifier(model)


def _find(key: str, name: str, description: Mapping[str, Any], *, nested: bool) -> _Part:
    """Find a model and those in its parameters; nothing is called before all are found."""
    from augury.models.model_classes import find_model_class, find_object

    given = dict(description)
    wanted, preprocess = str(given.pop("class", name)), given.pop("preprocess", True)
    entry = MODELS.get(wanted)
    path = entry.path if entry is not None else wanted
    if entry is None and "." not in wanted:
        near = get_close_matches(wanted, MODELS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(MODELS)}"
        raise UnknownNameError(f"there is no model named {wanted!r}; {hint}")
    make: Callable[..., Any] = (
        find_object(key, path)
        if path in _OWN_PATHS  # the catalogue also has functions that return a model
        else find_model_class(key, path, nested=nested)
    )
    parameters = {**(entry.parameters if entry is not None else {}), **given}
    check_parameters(key, make, parameters)
    return _Part(
        key,
        path,
        make,
        {name: _find_inner(f"{key}.{name}", name, value) for name, value in parameters.items()},
        preprocess is not False and not path.startswith("augury."),
        nested,
    )


def _find_inner(key: str, name: str, value: Any) -> Any:
    if isinstance(value, Mapping) and "class" in value:
        return _find(key, name, value, nested=True)
    return value


_OWN_PATHS = {entry.path for entry in _ENTRIES}

__all__ = ["MODELS", "ModelEntry", "build_model", "seed_model"]
