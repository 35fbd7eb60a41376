"""A first look: generative models against scikit-learn, on the sets scikit-learn ships."""

from collections.abc import Callable, Sequence
from typing import Any

from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from augury.bench.text_table import align_columns
from augury.data import load_dataset
from augury.evaluate import FoldResult, Summary, WekaFolds, cross_validate, summarize
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)

DATASETS = ("sklearn:iris", "sklearn:wine", "sklearn:breast_cancer", "sklearn:digits")
SPLITTER = WekaFolds(n_splits=10, n_repeats=1)


def demo_models() -> dict[str, Any]:
    """Return the classifiers to compare, unfitted."""
    return {
        "NaiveBayes, MDL cuts": NaiveBayes(continuous="discretize"),
        "NaiveBayes, Gaussian": NaiveBayes(continuous="gaussian"),
        "HiddenNaiveBayes": HiddenNaiveBayes(),
        "AveragedOneDependence": AveragedOneDependence(),
        "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis(),
        "scikit-learn GaussianNB": GaussianNB(),
        "scikit-learn LogisticRegression": make_pipeline(
            StandardScaler(), LogisticRegression(max_iter=1000)
        ),
    }


def run_demo(
    *,
    n_jobs: int | None = None,
    progress: Callable[[Sequence[FoldResult]], None] | None = None,
) -> list[Summary]:
    """Cross-validate the models on the sets, everything learned inside the fold."""
    results = cross_validate(
        [load_dataset(name) for name in DATASETS],
        demo_models(),
        SPLITTER,
        protocol="honest",
        n_jobs=n_jobs,
        progress=progress,
    )
    return summarize(results)


def summary_table(summaries: Sequence[Summary]) -> str:
    """Return aligned text: accuracy, log loss and time to fit, a line for each model."""
    header = ["dataset", "model", "accuracy %", "log loss", "fit ms"]
    rows = [
        [
            summary.dataset,
            summary.model,
            f"{summary.accuracy_mean:.2f} ± {summary.accuracy_std:5.2f}",
            f"{summary.log_loss_mean:.3f}",
            f"{1000 * summary.fit_seconds_mean:.1f}",
        ]
        for summary in summaries
    ]
    return align_columns(header, rows, left=(0, 1))


__all__ = ["DATASETS", "SPLITTER", "demo_models", "run_demo", "summary_table"]
