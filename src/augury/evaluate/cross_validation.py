"""Cross-validation of any scikit-learn classifier, by two protocols."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone, is_regressor
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from augury.encode import TableEncoder
from augury.encode.target import encode_target
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.evaluate.weka_folds import WekaFolds
from augury.validation import (
    Array,
    check_choice,
    check_sample_weight,
    check_threads,
    is_frame,
    is_pandas,
)

PROTOCOLS = ("honest", "published")

# Enough tasks to keep all workers busy to the end, few enough that sending the
# table along with each of them costs little: fits may take only a millisecond.
_TASKS_PER_JOB = 4
_LEAST_TASKS = 10


class LabelledTable(Protocol):
    """What cross-validation asks of a data set; `augury.data.Dataset` has it.

    It may also have `sample_weight`, a weight for each row or None.
    """

    @property
    def name(self) -> str:
        """Name in the result rows."""

    @property
    def X(self) -> Any:  # noqa: N802
        """Features, one row for each example: a data frame or a two-dimensional array."""

    @property
    def y(self) -> Any:
        """Class labels; a pandas categorical declares its classes and their order."""


@dataclass(frozen=True, slots=True)
class _Fold:
    run: int
    fold: int
    train: Array
    test: Array


@dataclass(frozen=True, slots=True)
class _Task:
    """Some folds of one model on one data set: what a worker gets at a time."""

    dataset: str
    model: str
    protocol: str
    estimator: Any
    X: Any
    y: pd.Series
    weight: Array | None
    is_weighted: bool  # whether the model is fitted with the weights
    folds: Sequence[_Fold]


def cross_validate(
    datasets: Iterable[LabelledTable],
    models: Mapping[str, Any],
    splitter: Any = None,
    *,
    protocol: str = "honest",
    n_jobs: int | None = None,
    progress: Callable[[Sequence[FoldResult]], None] | None = None,
) -> list[FoldResult]:
    """Fit and test every model on every fold of every data set.

    Parameters
    ----------
    datasets : iterable of data sets
        Each with `name`, `X` (a data frame or an array), `y` and perhaps
        `sample_weight`; taken one after another, so a generator keeps only two of
        them in memory.
    models : mapping from name to scikit-learn classifier
        Cloned for each fold. A model without `predict_proba` has accuracies only.
    splitter : scikit-learn splitter, default=WekaFolds()
        Split once for each data set: all models see the same folds. One with
        `n_repeats` numbers its runs, any other has one run.
    protocol : {"honest", "published"}, default="honest"
        "honest" learns everything from the training rows alone. "published"
        replaces missing values and cuts numeric columns on the *whole* data set,
        test rows included, before it is split: **optimistic**, by 1 point of
        accuracy on average and 8 on some sets, and only there to reproduce
        documents that did so.
    n_jobs : int, default=None
        Worker processes; None means 1, -1 all processors. The rows are the same
        for any number, the seconds apart, if the models have a `random_state`.
    progress : callable, default=None
        Called with the rows of a few folds whenever they are complete.

    Returns
    -------
    list of FoldResult
        By data set, model, run and fold, in the order given.

    Warns
    -----
    UserWarning
        If a data set has instance weights and the `fit` of a model takes none.

    Notes
    -----
    The target is handed to the models as a categorical of the *declared* classes,
    numbered 0, 1, … in declared order. So ties go to the class declared first, and
    a model that reads the categories counts the classes that have no rows. A model
    that does not know a class gives it probability 0.

    Instance weights that a data set may have are given to `fit` and weigh the rows in
    the accuracy and the losses, as in WEKA. The folds do not depend on them.

    Linear algebra runs on one thread within a fit, for the sake of equal sums
    with any number of workers, and because they would compete for the processors.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> iris = SimpleNamespace(name="iris", X=X, y=y)
    >>> rows = cross_validate([iris], {"gaussian": GaussianNB()}, WekaFolds(n_repeats=1))
    >>> len(rows), rows[0].n_train, rows[0].n_test
    (10, 135, 15)
    """
    check_choice("cross_validate", "protocol", protocol, PROTOCOLS)
    n_workers = check_threads("cross_validate", n_jobs)
    _check_models(models)
    splitter = WekaFolds() if splitter is None else splitter
    if isinstance(splitter, type) or not hasattr(splitter, "get_n_splits"):
        raise TypeError(
            "cross_validate: splitter must be a scikit-learn splitter, such as "
            f"WekaFolds(n_splits=10), got {splitter!r}"
        )
    n_tasks = max(_LEAST_TASKS, _TASKS_PER_JOB * n_workers)
    results: list[FoldResult] = []
    halted = False

    def collect(batches: Iterable[list[FoldResult] | Exception]) -> None:
        for batch in batches:
            if isinstance(batch, Exception):
                raise batch
            results.extend(batch)
            if progress is not None:
                progress(batch)

    with Parallel(n_jobs=n_jobs, return_as="generator", batch_size=1) as parallel:
        running: Iterator[list[FoldResult] | Exception] = iter(())
        try:
            for dataset in _distinct(datasets):
                # Prepared here while the workers are busy with the data set before.
                tasks = list(_tasks(dataset, models, splitter, protocol, n_tasks))
                collect(running)
                running = parallel(delayed(_run_task)(task) for task in tasks if not halted)
            collect(running)
        except BaseException:
            # joblib cannot cancel tasks under way without noise from its own
            # threads, but it can be given no more of them.
            halted = True
            for _ in running:
                pass
            raise
    return results


def _check_models(models: Any) -> None:
    if not isinstance(models, Mapping):
        raise TypeError(
            "cross_validate: models must be a mapping from names to classifiers, such as "
            f"{{'nb': NaiveBayes()}}, got {models!r}"
        )
    if not models:
        raise ValueError("cross_validate: models must name at least one estimator")
    for name, model in models.items():
        is_model = all(hasattr(model, method) for method in ("get_params", "fit", "predict"))
        if isinstance(model, type) or not is_model or _predicts_numbers(model):
            raise TypeError(
                f"cross_validate: models[{name!r}] must be a scikit-learn classifier, got {model!r}"
            )


def _predicts_numbers(model: Any) -> bool:
    # Classifiers without tags are none of scikit-learn's, but may do.
    return hasattr(model, "__sklearn_tags__") and is_regressor(model)


def _distinct(datasets: Any) -> Iterator[LabelledTable]:
    if hasattr(datasets, "X") or not isinstance(datasets, Iterable):
        raise TypeError(
            f"cross_validate: datasets must be a list of data sets, got {type(datasets).__name__}; "
            "a single one is to be put in a list"
        )
    names: set[str] = set()
    for dataset in datasets:
        if not all(hasattr(dataset, part) for part in ("name", "X", "y")):
            raise TypeError(
                f"cross_validate: datasets must each have a name, X and y, got {dataset!r}"
            )
        if dataset.name in names:
            raise ValueError(f"cross_validate: two data sets have the name {dataset.name!r}")
        names.add(dataset.name)
        yield dataset


def _tasks(
    dataset: LabelledTable, models: Mapping[str, Any], splitter: Any, protocol: str, n_tasks: int
) -> Iterator[_Task]:
    X = _check_features(dataset)
    y = _declared_codes(dataset)
    weight = getattr(dataset, "sample_weight", None)
    weight = check_sample_weight(dataset.name, weight, X.shape[0])
    if protocol == "published":
        X = TableEncoder(missing="replace").fit(X, y, sample_weight=weight).transform(X).to_frame()
    folds = _number_folds(splitter, X, y)
    n_parts = min(n_tasks, len(folds))
    bounds = [len(folds) * part // n_parts for part in range(n_parts + 1)]
    for model, estimator in models.items():
        weighted = weight is not None and has_fit_parameter(estimator, "sample_weight")
        if weight is not None and not weighted:
            warnings.warn(
                f"cross_validate: {model} is fitted without the instance weights of "
                f"{dataset.name}, because its fit takes no sample_weight",
                UserWarning,
                stacklevel=3,
            )
        for first, last in pairwise(bounds):
            yield _Task(
                dataset.name, model, protocol, estimator, X, y, weight, weighted, folds[first:last]
            )


def _check_features(dataset: LabelledTable) -> Any:
    X = dataset.X
    if is_frame(X) or len(getattr(X, "shape", ())) == 2:
        return X
    raise TypeError(
        f"{dataset.name}: X must be a data frame or a two-dimensional array, got {type(X).__name__}"
    )


def _declared_codes(dataset: LabelledTable) -> pd.Series:
    """Return the target with the declared classes renamed to 0, 1, …."""
    X, y = dataset.X, dataset.y
    if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        labels = pd.Series(y)
        classes, codes = labels.cat.categories, labels.cat.codes.to_numpy()
        if (codes < 0).any():
            raise ValueError(
                f"{dataset.name}: y must not have missing values, got one in row {codes.argmin()}"
            )
    else:
        classes, codes = encode_target(dataset.name, y)
    if len(codes) != X.shape[0]:
        raise ValueError(f"{dataset.name}: X has {X.shape[0]} rows but y has {len(codes)}")
    declared = pd.Categorical.from_codes(codes, categories=np.arange(len(classes)))
    index = X.index if is_pandas(X) else None
    return pd.Series(declared, index=index, name=getattr(y, "name", None))


def _number_folds(splitter: Any, X: Any, y: pd.Series) -> list[_Fold]:
    pairs = list(splitter.split(X, y))
    n_repeats = getattr(splitter, "n_repeats", 1)
    per_run = len(pairs) // n_repeats if len(pairs) % n_repeats == 0 else len(pairs)
    return [
        _Fold(1 + number // per_run, 1 + number % per_run, train, test)
        for number, (train, test) in enumerate(pairs)
    ]


def _run_task(task: _Task) -> list[FoldResult] | Exception:
    """Return the rows, or what went wrong: see `cross_validate` on why it is not raised."""
    with threadpool_limits(limits=1):
        try:
            return [_run_fold(task, fold) for fold in task.folds]
        except Exception as error:  # noqa: BLE001 - whatever a model raises, `collect` raises it
            return error


def _run_fold(task: _Task, fold: _Fold) -> FoldResult:
    X_train, y_train = _take(task.X, fold.train), task.y.iloc[fold.train]
    X_test, codes = _take(task.X, fold.test), task.y.iloc[fold.test].cat.codes.to_numpy()
    weights = {}
    if task.weight is not None and task.is_weighted:
        weights = {"sample_weight": task.weight[fold.train]}
    test_weight = None if task.weight is None else task.weight[fold.test]
    try:
        start = perf_counter()
        fitted = clone(task.estimator).fit(X_train, y_train, **weights)
        fit_seconds = perf_counter() - start
        start = perf_counter()
        predicted = np.asarray(fitted.predict(X_test))
        predict_seconds = perf_counter() - start
        probabilities = _declared_probabilities(fitted, X_test, len(task.y.cat.categories))
        # Not the arg-max of the probabilities: some classifiers decide otherwise.
        right = accuracy(codes, predicted, test_weight)
        nats = squares = np.nan
        if probabilities is not None:
            nats = log_loss(codes, probabilities, test_weight)
            squares = brier_score(codes, probabilities, test_weight)
    except Exception as error:
        error.add_note(f"({task.model} on {task.dataset}, run {fold.run}, fold {fold.fold})")
        raise
    return FoldResult(
        dataset=task.dataset,
        model=task.model,
        protocol=task.protocol,
        run=fold.run,
        fold=fold.fold,
        n_train=len(fold.train),
        n_test=len(fold.test),
        accuracy=right,
        log_loss=nats,
        brier=squares,
        fit_seconds=fit_seconds,
        predict_seconds=predict_seconds,
    )


def _take(X: Any, rows: Array) -> Any:
    """Return rows of a frame or an array, as the same kind of thing."""
    if is_pandas(X):
        return X.iloc[rows]
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[rows].to_native()
    return X[rows]


def _declared_probabilities(fitted: Any, X: Any, n_classes: int) -> Array | None:
    """Return the predicted probabilities with a column for each declared class."""
    if not hasattr(fitted, "predict_proba"):
        return None
    probabilities = np.zeros((X.shape[0], n_classes))
    probabilities[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
    return probabilities


__all__ = ["PROTOCOLS", "LabelledTable", "cross_validate"]
