"""Parameters and classes that were renamed, for stores and files of earlier versions.

A store and a model file describe a model by the import path of its class and by the names and
values of its parameters. This module translates a description of an earlier version into the
names of this version. A description of this version stays as it is.

=========================== ================================================================
`current_class_path`        the import path of a class under its present name
`current_parameters`        the parameters of one model under their present names, with the
                            defaults of parameters that are new
`current_description`       a whole description: a mapping with the key "class", models inside
                            of it included
=========================== ================================================================

A class is named by its folder and its name, `augury.generative.HiddenNaiveBayes`. A longer path,
`augury.generative.hidden_naive_bayes.HiddenNaiveBayes`, names the same class.

To rename a parameter, add it to `_RENAMED` of this module. To add a parameter, add its default
to `_ADDED`; the default must give the results of the version that did not have the parameter.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

_NETWORK = {"strength": "equivalent_sample_size"}
_ENCODING = {"columns": "encoding"}

# Class path → {former name of a parameter: present name}.
_RENAMED: Mapping[str, Mapping[str, str]] = {
    "augury.discriminative.LiblinearLogisticRegression": _ENCODING,
    "augury.discriminative.LinearSVM": _ENCODING,
    "augury.discriminative.LogisticRegression": {"numbers": "continuous"},
    "augury.discriminative.MatrixReader": _ENCODING,
    "augury.ensemble.BaggedNetworks": {"score": "structure_score", **_NETWORK},
    "augury.generative.BayesianNetworkClassifier": {"score": "structure_score", **_NETWORK},
    # A model file also has the fitted attribute.
    "augury.generative.HiddenNaiveBayes": {"smoothing": "alpha", "_smoothing": "_alpha"},
    "augury.generative.KDependenceBayes": _NETWORK,
    "augury.generative.TreeAugmentedNaiveBayes": _NETWORK,
    "augury.hybrid.AugmentedClassifier": _ENCODING,
    "augury.hybrid.GenerativeFeatures": _ENCODING,
    "augury.hybrid.HBayesNB": _ENCODING,
    "augury.hybrid.OriginalColumnCuts": {"n_opinions": "n_meta_features"},
    "augury.structure.HillClimb": {"smoothing": "alpha"},
    "augury.structure.OrderSearch": {"smoothing": "alpha"},
}

# (Class path, former name of a parameter) → {former value: present value}; others stay.
_TRANSLATED: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("augury.generative.HiddenNaiveBayes", "smoothing"): {"laplace": 1.0},
    ("augury.generative.HiddenNaiveBayes", "_smoothing"): {"laplace": 1.0},
}

# Class path → {new parameter: the default, which gives the results of versions without it}.
_ADDED: Mapping[str, Mapping[str, Any]] = {
    "augury.ensemble.BaggedNetworks": {"start_nodes": "random"},
    "augury.generative.AveragedOneDependence": {"alpha": 1.0},
    "augury.structure.HillClimb": {"order": None, "skeleton": None},
}

# Former class path → present class path.
_MOVED: Mapping[str, str] = {
    "augury.bench.PreprocessedClassifier": "augury.models.PreprocessedClassifier",
    "augury.discriminative.ColumnReader": "augury.discriminative.MatrixReader",
}


@lru_cache(maxsize=1024)  # a file names few classes, each for thousands of objects
def current_class_path(path: str) -> str:
    """Return the folder and the name of a class of augury; other paths stay as they are.

    >>> current_class_path("augury.bench.preprocessed_classifier.PreprocessedClassifier")
    'augury.models.PreprocessedClassifier'
    >>> current_class_path("sklearn.tree._classes.DecisionTreeClassifier")
    'sklearn.tree._classes.DecisionTreeClassifier'
    """
    parts = path.split(".")
    if parts[0] != "augury" or len(parts) < 3:
        return path
    short = ".".join([*parts[:2], parts[-1]])
    return _MOVED.get(short, short)


def current_parameters(path: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model under their present names.

    Parameters
    ----------
    path : str
        Import path of the class.
    parameters : mapping
        All parameters of the model, from this version or an earlier one.

    Examples
    --------
    >>> current_parameters("augury.generative.HiddenNaiveBayes", {"smoothing": "laplace"})
    {'alpha': 1.0}
    >>> current_parameters("augury.generative.HiddenNaiveBayes", {"alpha": 0.5})
    {'alpha': 0.5}
    """
    path = current_class_path(path)
    renamed = _RENAMED.get(path, {})
    current: dict[str, Any] = {}
    for name, value in parameters.items():
        values = _TRANSLATED.get((path, name), {})
        if isinstance(value, str) and value in values:
            value = values[value]
        current[renamed.get(name, name)] = value
    return {**_ADDED.get(path, {}), **current}


def current_description(description: Any) -> Any:
    """Return a description of a model, and of all models inside of it, in present names.

    Parameters
    ----------
    description : what JSON can hold
        A mapping with the key "class" describes a model. Everything else is searched for models.
        A `class_weight` of None, which classifiers of earlier versions do not have, is left out.

    Examples
    --------
    >>> current_description({"class": "augury.generative.AveragedOneDependence", "n_parents": 1})
    {'class': 'augury.generative.AveragedOneDependence', 'alpha': 1.0, 'n_parents': 1}
    """
    if isinstance(description, Mapping):
        found = {name: current_description(value) for name, value in description.items()}
        if not isinstance(found.get("class"), str):
            return found
        path = found.pop("class")
        if path.startswith("augury.") and found.get("class_weight", "absent") is None:
            del found["class_weight"]
        return {"class": current_class_path(path), **current_parameters(path, found)}
    if isinstance(description, Sequence) and not isinstance(description, str | bytes):
        return [current_description(value) for value in description]
    return description


__all__ = ["current_class_path", "current_description", "current_parameters"]
