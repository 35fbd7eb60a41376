"""Instance weights: which models take them, and how they are passed to `fit`."""

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from augury.arrays import Array
from augury.foreign import Labels, Table

WEIGHT = "sample_weight"

# scikit-learn's classes whose `fit` passes all its parameters to the one inner model, and those
# that take sample_weight although `fit` does not name it.
_PASS_ON_ALL = {"BaseSearchCV", "RFE"}
_PASS_ON_WEIGHTS = {"StackingClassifier", "VotingClassifier"}


class UnweightedFitWarning(UserWarning):
    """A model is fitted without the instance weights of its data set."""


def weight_parameters(estimator: Any) -> tuple[str, ...]:
    """Return the parameters of `fit` by which a model takes instance weights.

    Parameters
    ----------
    estimator : scikit-learn classifier
        A Pipeline takes weights if its last step does; earlier steps that take weights get
        them as well. A model that contains models takes weights if all of them do.

    Returns
    -------
    tuple of str
        Empty if the model takes no weights.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.preprocessing import StandardScaler
    >>> weight_parameters(Pipeline([("scale", StandardScaler()), ("nb", GaussianNB())]))
    ('nb__sample_weight', 'scale__sample_weight')
    >>> weight_parameters(KNeighborsClassifier())
    ()
    """
    if isinstance(estimator, Pipeline):
        return _pipeline_parameters(estimator)
    kinds = sklearn_classes(estimator)
    if kinds & _PASS_ON_ALL:
        return weight_parameters(estimator.estimator)
    if not (kinds & _PASS_ON_WEIGHTS or has_fit_parameter(estimator, WEIGHT)):
        return ()
    if "BaggingClassifier" in kinds:  # draws rows by their weights
        return (WEIGHT,)
    is_ours = type(estimator).__module__.startswith("augury.")
    for inner in _inner_models(estimator):
        names = weight_parameters(inner)
        # scikit-learn's meta-estimators pass on `sample_weight` only.
        if not names or not (is_ours or names == (WEIGHT,)):
            return ()
    return (WEIGHT,)


def sklearn_classes(estimator: Any) -> set[str]:
    """Return the names of the scikit-learn classes that an estimator is an instance of.

    Names are compared because some classes are private, and importing all of them is slow.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> "ClassifierMixin" in sklearn_classes(GaussianNB())
    True
    """
    kinds = type(estimator).__mro__
    return {kind.__name__ for kind in kinds if kind.__module__.startswith("sklearn.")}


def _pipeline_parameters(pipeline: Pipeline) -> tuple[str, ...]:
    *before, (last_name, last) = pipeline.steps
    names = tuple(f"{last_name}__{name}" for name in _step_parameters(last))
    if not names:
        return ()
    return names + tuple(
        f"{step}__{name}" for step, each in before for name in _step_parameters(each)
    )


def _step_parameters(step: Any) -> tuple[str, ...]:
    return () if step is None or isinstance(step, str) else weight_parameters(step)


def _inner_models(estimator: Any) -> Iterator[Any]:
    """Yield the classifiers and regressors among the parameters of a model."""
    for value in estimator.get_params(deep=False).values():
        found = [value]
        if isinstance(value, list | tuple):  # pairs of name and model, some of them "drop"
            found = [part for pair in value if isinstance(pair, list | tuple) for part in pair]
        for each in found:
            if hasattr(each, "fit") and hasattr(each, "predict"):
                yield each


def why_unweighted(estimator: Any) -> str:
    """Return a phrase that names the model inside an estimator that takes no weights.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> why_unweighted(Pipeline([("model", KNeighborsClassifier())]))
    'KNeighborsClassifier takes no sample_weight'
    """
    inner = (
        [estimator.steps[-1][1]] if isinstance(estimator, Pipeline) else _inner_models(estimator)
    )
    for each in inner:
        if hasattr(each, "fit") and not weight_parameters(each):
            return why_unweighted(each)
    return f"{type(estimator).__name__} takes no {WEIGHT}"


def fit_with_weights(estimator: Any, X: Table, y: Labels, weight: Array | None) -> Any:
    """Fit a model, with the instance weights if it takes them.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Fitted in place.
    X, y : rows and their classes
    weight : array of shape (n_samples,) or None
        Weight of each row.

    Returns
    -------
    The fitted estimator.

    Warns
    -----
    UnweightedFitWarning
        If there are weights and the model takes none.
    """
    if weight is None:
        return estimator.fit(X, y)
    names = weight_parameters(estimator)
    if not names:
        warnings.warn(
            f"fitted without the instance weights: {why_unweighted(estimator)}",
            UnweightedFitWarning,
            stacklevel=2,
        )
    return estimator.fit(X, y, **dict.fromkeys(names, weight))


def warn_of_unweighted(dataset: str, models: Mapping[str, Any]) -> None:
    """Warn of the models that cannot be fitted with the instance weights of a data set.

    Parameters
    ----------
    dataset : str
        Name of a data set with weights.
    models : mapping from name to classifier
    """
    without = [
        f"{name} ({why_unweighted(model)})"
        for name, model in models.items()
        if not weight_parameters(model)
    ]
    if without:
        warnings.warn(
            f"{dataset}: fitted without the instance weights of the data set, yet scored with "
            f"them: {', '.join(without)}",
            UnweightedFitWarning,
            stacklevel=3,
        )


__all__ = [
    "UnweightedFitWarning",
    "fit_with_weights",
    "sklearn_classes",
    "warn_of_unweighted",
    "weight_parameters",
    "why_unweighted",
]
