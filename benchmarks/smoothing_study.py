"""How the defaults of HNB's and the networks' smoothing were chosen.

Honest protocol: everything is learned inside the fold; one run of WEKA's ten folds. It
takes a quarter of an hour: `python -m benchmarks smoothing_study > …`.
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

# The smaller ones of the 36 UCI sets.
SETS = (
    "anneal autos balance-scale breast-cancer credit-a credit-g diabetes glass heart-c hepatitis "
    "ionosphere kr-vs-kp labor lymph primary-tumor segment vehicle vote vowel zoo"
).split()


def models():
    named = {
        "NB": NaiveBayes(),
        "HNB, m-estimate": HiddenNaiveBayes(smoothing="m-estimate"),
        "HNB, laplace": HiddenNaiveBayes(smoothing="laplace"),
        "AODE": AveragedOneDependence(),
    }
    for alpha in (0.25, 0.5, 1.0):
        for strength in (0.0, 1.0, 2.0, 5.0):
            label = f"α={alpha:g}, m={strength:g}"
            named[f"TAN, {label}"] = TreeAugmentedNaiveBayes(alpha=alpha, strength=strength)
            named[f"KDB k=2, {label}"] = KDependenceBayes(k=2, alpha=alpha, strength=strength)
    return named


def main() -> None:
    sets = (load_dataset(name) for name in SETS)
    rows = cross_validate(sets, models(), WekaFolds(n_repeats=1), n_jobs=-1)
    measures = ["accuracy", "log_loss", "brier"]
    frame = pd.DataFrame([asdict(row) for row in rows])
    per_set = frame.groupby(["model", "dataset"])[measures].mean()
    print(per_set.groupby("model").mean().loc[list(models())].round(4).to_string())


if __name__ == "__main__":
    main()
