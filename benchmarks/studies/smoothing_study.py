"""The study by which the defaults of smoothing and of the variance floor were chosen.

Honest protocol: everything is learned inside the fold; one run of WEKA's ten folds.
`python -m benchmarks smoothing_study` takes a few minutes.
"""

from dataclasses import asdict

import pandas as pd

from augury.data import load_dataset
from augury.evaluate import WekaFolds, cross_validate
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.papers import find_paper

# The smaller data sets of the 36 UCI sets.
SMALL = (
    "anneal autos balance-scale breast-cancer credit-a credit-g diabetes glass heart-c hepatitis "
    "ionosphere kr-vs-kp labor lymph primary-tumor segment vehicle vote vowel zoo"
).split()


# Data sets with numeric columns.
NUMERIC = (
    "sklearn:iris sklearn:wine sklearn:breast_cancer sklearn:digits balance-scale breast-w "
    "diabetes glass heart-statlog ionosphere segment sonar vehicle vowel waveform-5000 letter "
    "hepatitis autos anneal labor sick"
).split()


def normals():
    return {
        f"floor {floor:g}": NaiveBayes(
            continuous="gaussian", missing="ignore", variance_floor=floor
        )
        for floor in (1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 3e-2)
    }


def families():
    return {
        "NB": NaiveBayes(),
        "HNB, m-estimate": HiddenNaiveBayes(alpha="m-estimate"),
        "HNB, laplace": HiddenNaiveBayes(alpha=1.0),
        "AODE": AveragedOneDependence(),
        "TAN": TreeAugmentedNaiveBayes(),
        "KDB, k=2": KDependenceBayes(k=2),
    }


def networks():
    named = {}
    for alpha in (0.1, 0.25, 0.5, 1.0):
        for rows in (0.0, 1.0, 2.0, 5.0):
            label = f"α={alpha:g}, m={rows:g}"
            named[f"TAN, {label}"] = TreeAugmentedNaiveBayes(
                alpha=alpha, equivalent_sample_size=rows
            )
            named[f"KDB k=2, {label}"] = KDependenceBayes(
                k=2, alpha=alpha, equivalent_sample_size=rows
            )
    return named


def compare(names, models) -> str:
    """Return the mean of each measure over the data sets."""
    sets = (load_dataset(name) for name in names)
    rows = cross_validate(sets, models, WekaFolds(n_repeats=1), n_jobs=-1)
    frame = pd.DataFrame([asdict(row) for row in rows])
    per_set = frame.groupby(["model", "dataset"])[["accuracy", "log_loss", "brier"]].mean()
    return per_set.groupby("model").mean().loc[list(models)].round(4).to_string()


def main() -> None:
    print("36 sets")
    print(compare(find_paper("hybrid-2022").datasets, families()))
    print(f"{len(SMALL)} sets")
    print(compare(SMALL, networks()))
    print(f"{len(NUMERIC)} sets with numbers, normal in each class")
    print(compare(NUMERIC, normals()))


if __name__ == "__main__":
    main()
