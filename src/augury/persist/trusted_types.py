"""Which types a model file may name.

A file names types, and loading makes objects of them. It may name classes of augury's model
folders that can check what a file says about them (`_check_fitted_state`), and the few listed
below.
"""

import importlib
import pkgutil
from functools import cache

from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold
from sklearn.utils import Bunch

from augury import counts, discriminative, encode, ensemble, generative, hybrid, structure
from augury.encode import MISSING
from augury.evaluate import WekaFolds

FOLDERS = (encode, counts, structure, generative, discriminative, hybrid, ensemble)

# How to split rows is a parameter (`cv`) of hybrids.
SPLITTERS = (KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold, WekaFolds)

# A dict, in which scikit-learn's ensembles have their members by name.
BUNCH = "sklearn.utils._bunch.Bunch"

# Estimators of scikit-learn that compute with NumPy alone when they predict or transform: what
# a hostile file can provoke is an exception. Not here: all that hand numbers of the file to
# compiled code that follows them as indices (neighbours, libsvm, k-means, …), and the trees
# inside of the tree estimators.
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


@cache
def trusted_types() -> dict[str, type]:
    """Return the classes that a model file may name, by the names that it gives them.

    They are found by going through the modules of the model folders, never by what a file
    says: a name in a file is looked up here and nowhere else. scikit-learn's estimators,
    which are imported when a file names them, are in `SKLEARN_TYPES`.

    Examples
    --------
    >>> trusted = trusted_types()
    >>> "augury.generative.naive_bayes.NaiveBayes" in trusted, "os.system" in trusted
    (True, False)
    """
    found = {}
    for folder in FOLDERS:
        for entry in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            module = importlib.import_module(entry.name)
            for thing in vars(module).values():
                if (
                    isinstance(thing, type)
                    and thing.__module__ == module.__name__
                    and hasattr(thing, "_check_fitted_state")
                ):
                    found[type_name(thing)] = thing
    return found | {type_name(other): other for other in (*SPLITTERS, Bunch, type(MISSING))}


def is_trusted(name: str) -> bool:
    """Return whether a model file may name this type."""
    return name in trusted_types() or name.removeprefix("sklearn.") in SKLEARN_TYPES


def type_name(thing: type) -> str:
    """Return the name of a class as skops writes it."""
    return f"{thing.__module__}.{thing.__name__}"
