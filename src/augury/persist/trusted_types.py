"""Types that a model file may name.

A file names types, and loading creates objects of them. A name in a file is looked up in these
lists and nowhere else:

- The classes of augury's model folders that check what a file says about them
  (`_check_fitted_state`). A file names them by folder and class, `augury.generative.NaiveBayes`,
  so that a class can move to another module. Files of 0.1 name the module as well; the names of
  both are translated by `augury.renamed_parameters`.
- Splitters of rows, and estimators of scikit-learn that compute with NumPy alone.
- Models of other packages, if they are registered (`augury.registration`) and the class itself
  defines `_check_fitted_state`. The user has installed such a package or imported its module, and
  a file can only choose between such classes. The author of the class is responsible for two
  things: `_check_fitted_state` raises an error unless the attributes are as `fit` leaves them, and
  `__new__` and `__setstate__`, if there are any, run nothing that a file names. Such a model is
  named by its module and class.
"""

import importlib
import pkgutil
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeGuard

from sklearn.utils import Bunch

from augury import counts, decide, discriminative, encode, ensemble, generative, hybrid, structure
from augury.encode import INFREQUENT, MISSING
from augury.registration import load_entry_points, public_path, registered_classes
from augury.renamed_parameters import current_class_path

FOLDERS = (encode, counts, structure, generative, discriminative, hybrid, ensemble, decide)

# Values of the parameter `cv` of hybrids. They are imported when a model has one: their modules
# import the metrics of scikit-learn and scipy.stats, which is slow.
SPLITTERS = frozenset(
    """
    augury.evaluate.WekaFolds
    sklearn.model_selection._split.KFold
    sklearn.model_selection._split.LeaveOneOut
    sklearn.model_selection._split.ShuffleSplit
    sklearn.model_selection._split.StratifiedKFold
    """.split()
)

# A dict; scikit-learn's ensembles keep their members in it by name.
BUNCH = "sklearn.utils._bunch.Bunch"

# Estimators of scikit-learn that compute with NumPy alone when they predict or transform: a
# hostile file can cause an exception and nothing else. The list leaves out all estimators that
# pass numbers of the file to compiled code that uses them as indices (neighbors, libsvm, k-means,
# …), and the trees inside of the tree estimators.
SKLEARN_TYPES = frozenset(
    """
    compose._column_transformer.ColumnTransformer
    decomposition._pca.PCA
    decomposition._truncated_svd.TruncatedSVD
    discriminant_analysis.LinearDiscriminantAnalysis
    discriminant_analysis.QuadraticDiscriminantAnalysis
    dummy.DummyClassifier
    ensemble._bagging.BaggingClassifier
    ensemble._forest.ExtraTreesClassifier
    ensemble._forest.RandomForestClassifier
    ensemble._stacking.StackingClassifier
    ensemble._voting.VotingClassifier
    ensemble._weight_boosting.AdaBoostClassifier
    feature_extraction.text.CountVectorizer
    feature_extraction.text.TfidfTransformer
    feature_extraction.text.TfidfVectorizer
    feature_selection._variance_threshold.VarianceThreshold
    frozen._frozen.FrozenEstimator
    impute._base.MissingIndicator
    impute._base.SimpleImputer
    linear_model._base.LinearRegression
    linear_model._logistic.LogisticRegression
    linear_model._logistic.LogisticRegressionCV
    linear_model._passive_aggressive.PassiveAggressiveClassifier
    linear_model._perceptron.Perceptron
    linear_model._ridge.Ridge
    linear_model._ridge.RidgeClassifier
    linear_model._ridge.RidgeClassifierCV
    linear_model._stochastic_gradient.SGDClassifier
    model_selection._classification_threshold.FixedThresholdClassifier
    model_selection._classification_threshold.TunedThresholdClassifierCV
    multiclass.OneVsOneClassifier
    multiclass.OneVsRestClassifier
    naive_bayes.BernoulliNB
    naive_bayes.CategoricalNB
    naive_bayes.ComplementNB
    naive_bayes.GaussianNB
    naive_bayes.MultinomialNB
    pipeline.FeatureUnion
    pipeline.Pipeline
    preprocessing._data.Binarizer
    preprocessing._data.MaxAbsScaler
    preprocessing._data.MinMaxScaler
    preprocessing._data.Normalizer
    preprocessing._data.PowerTransformer
    preprocessing._data.QuantileTransformer
    preprocessing._data.RobustScaler
    preprocessing._data.StandardScaler
    preprocessing._discretization.KBinsDiscretizer
    preprocessing._encoders.OneHotEncoder
    preprocessing._encoders.OrdinalEncoder
    preprocessing._function_transformer.FunctionTransformer
    preprocessing._label.LabelBinarizer
    preprocessing._label.LabelEncoder
    svm._classes.LinearSVC
    tree._classes.DecisionTreeClassifier
    tree._classes.ExtraTreeClassifier
    """.split()
)

_FEW_OTHERS = {public_path(other): other for other in (Bunch, type(INFREQUENT), type(MISSING))}
# Classes of augury that `find_type` has found among the imported modules.
_found_types: dict[str, type] = {}


def trusted_types() -> dict[str, type]:
    """Return the classes that a model file may name, by the names that it gives them.

    scikit-learn's estimators, which are imported when a file names them, are in `SKLEARN_TYPES`.

    Examples
    --------
    >>> trusted = trusted_types()
    >>> "augury.generative.NaiveBayes" in trusted, "os.system" in trusted
    (True, False)
    """
    return _own_types() | _types_of_others()


def find_type(name: str) -> type | None:
    """Return the class that a model file means by a name; None if it is not in the lists.

    Entry points of installed packages are loaded if no class that is imported has the name.
    """
    if name in _FEW_OTHERS:
        return _FEW_OTHERS[name]
    if name in SPLITTERS:
        return _import_splitter(name)
    if name.startswith(("builtins.", "numpy.", "sklearn.")):
        return None
    if name.startswith("augury."):
        if name not in _found_types and (imported := _imported_type(name)) is not None:
            _found_types[name] = imported
        return _found_types.get(name) or _own_types().get(name)
    if name not in _types_of_others():
        load_entry_points()
    return _types_of_others().get(name)


def is_trusted(name: str) -> bool:
    """Return whether a model file may name this type."""
    return name.removeprefix("sklearn.") in SKLEARN_TYPES or find_type(name) is not None


def type_name(thing: type) -> str:
    """Return the name of a class in a model file."""
    return public_path(thing)


def named_type(node: Mapping[str, Any]) -> str:
    """Return the present name of the type that a node names; files of 0.1 have former names.

    >>> named_type({"__module__": "augury.generative.naive_bayes", "__class__": "NaiveBayes"})
    'augury.generative.NaiveBayes'
    """
    return current_class_path(f"{node['__module__']}.{node['__class__']}")


@cache
def _own_types() -> dict[str, type]:
    """Return the classes of augury and the short list of others.

    They are found by going through the modules of the model folders.
    """
    found: dict[str, type] = {}
    for folder in FOLDERS:
        for entry in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            module = importlib.import_module(entry.name)
            for thing in vars(module).values():
                if _is_own_type(thing, module.__name__):
                    assert type_name(thing) not in found, f"two classes {type_name(thing)}"
                    found[type_name(thing)] = thing
    return found | _FEW_OTHERS | {name: _import_splitter(name) for name in SPLITTERS}


def _import_splitter(name: str) -> type:
    module, _, short = name.rpartition(".")
    splitter: type = getattr(importlib.import_module(module), short)
    return splitter


def _is_own_type(thing: object, module: str) -> TypeGuard[type]:
    """Return whether a thing of a module of the model folders is a class that a file may name."""
    return (
        isinstance(thing, type)
        and thing.__module__ == module
        and hasattr(thing, "_check_fitted_state")
    )


def _imported_type(name: str) -> type | None:
    """Return a class of `_own_types` that its folder offers, or whose module is imported."""
    folder, _, short = name.rpartition(".")
    offering = next((each for each in FOLDERS if each.__name__ == folder), None)
    if offering is None:
        return None
    if short in offering.__all__:
        thing = getattr(offering, short)
        if isinstance(thing, type) and _is_own_type(thing, thing.__module__):
            return thing if type_name(thing) == name else None
    for path, module in list(sys.modules.items()):
        if path.startswith(f"{folder}."):
            thing = vars(module).get(short)
            if _is_own_type(thing, path) and type_name(thing) == name:
                return thing
    return None


def _types_of_others() -> dict[str, type]:
    return {
        type_name(thing): thing
        for thing in registered_classes()
        if not thing.__module__.startswith("augury.")
        and thing.__qualname__ == thing.__name__
        and "_check_fitted_state" in vars(thing)
    }
