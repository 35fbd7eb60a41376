"""Mixture discriminant analysis beside the linear, quadratic and regularised analyses.

`python -m benchmarks mixture_discriminant` prints the tables of
docs/results/mixture-discriminant.md: the waveforms of Hastie and Tibshirani (1996), and sets of
numbers by the honest protocol (one run of WEKA's ten folds).
"""

from dataclasses import asdict
from time import process_time

import numpy as np
import pandas as pd
from sklearn.base import clone

from augury.data import load_dataset
from augury.data.synthetic import make_waveform
from augury.evaluate import WekaFolds, cross_validate, log_loss
from augury.generative import (
    LinearDiscriminantAnalysis,
    MixtureDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)

N_SIMULATIONS, N_TRAIN, N_TEST = 10, 300, 500
SETS = (
    "iris glass sklearn:wine sonar ionosphere heart-statlog diabetes balance-scale vehicle vowel"
).split()
# The number of components is not searched on the larger sets, because it takes long.
LARGER = ("segment", "waveform-5000")
# The usual division of letter: the first 16,000 rows are for training.
N_LETTERS = 16_000


def mixture(n_components, covariance_type="shared", **parameters):
    return MixtureDiscriminantAnalysis(n_components, covariance_type=covariance_type, **parameters)


def quick_models():
    return {
        "LDA": LinearDiscriminantAnalysis(),
        "QDA": QuadraticDiscriminantAnalysis(),
        "RDA": RegularizedDiscriminantAnalysis(),
        "MDA, 2, shared": mixture(2),
        "MDA, 3, shared": mixture(3),
        "MDA, 5, shared": mixture(5),
        "MDA, 3, class": mixture(3, "class"),
        "MDA, 2, own": mixture(2, "own"),
        "MDA, 3, diagonal": mixture(3, "diagonal"),
    }


def all_models():
    return quick_models() | {
        "MDA, 2, own, min_variance 0.05": mixture(2, "own", min_variance=0.05),
        "MDA, 2, own, min_variance 0.2": mixture(2, "own", min_variance=0.2),
        "MDA, bic, shared": mixture("bic"),
        "MDA, cv, shared": mixture("cv"),
        "MDA, bic, own": mixture("bic", "own"),
    }


def waveforms() -> str:
    """Return the mean errors of the simulations, with the standard error of the mean."""
    rng = np.random.default_rng(1996)
    chosen = all_models()
    found = {name: [] for name in chosen}
    for _ in range(N_SIMULATIONS):
        train, test = (make_waveform(n, random_state=rng) for n in (N_TRAIN, N_TEST))
        for name, model in chosen.items():
            started = process_time()
            fitted = clone(model).fit(train.X, train.y)
            seconds = process_time() - started
            proba = fitted.predict_proba(test.X)
            y = np.searchsorted(fitted.classes_, test.y.astype(str))
            found[name].append(
                (
                    1 - fitted.score(train.X, train.y),
                    1 - fitted.score(test.X, test.y),
                    log_loss(y, proba),
                    seconds,
                )
            )
    lines = [
        "| model | error, training | error, test | log loss, test | fit, times LDA's |",
        "|---|---:|---:|---:|---:|",
    ]
    base = np.mean([row[3] for row in found["LDA"]])
    for name, rows in found.items():
        mean = np.mean(rows, axis=0)
        error = np.std([row[1] for row in rows], ddof=1) / np.sqrt(len(rows))
        lines.append(
            f"| {name} | {mean[0]:.3f} | {mean[1]:.3f} ± {error:.3f} | {mean[2]:.3f} | "
            f"{mean[3] / base:.0f} |"
        )
    return "\n".join(lines)


def set_table(names, chosen) -> str:
    """Return accuracy and log loss of each model on each set, and their means."""
    rows = cross_validate(map(load_dataset, names), chosen, WekaFolds(n_repeats=1))
    frame = pd.DataFrame([asdict(row) for row in rows])
    means = frame.groupby(["model", "dataset"])[["accuracy", "log_loss"]].mean()
    lines = [
        "| model | " + " | ".join([*names, "mean"]) + " |",
        "|---|" + "---|" * (len(names) + 1),
    ]
    for name in chosen:
        own = means.loc[name].loc[list(names)]
        cells = [
            f"{100 * a:.1f} / {b:.2f}" for a, b in zip(own.accuracy, own.log_loss, strict=True)
        ]
        cells.append(f"{100 * own.accuracy.mean():.2f} / {own.log_loss.mean():.3f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def letters() -> str:
    """Return errors and log losses on the last 4,000 rows of letter."""
    data = load_dataset("letter")
    train, test = slice(0, N_LETTERS), slice(N_LETTERS, None)
    lines = ["| model | error, test | log loss, test |", "|---|---:|---:|"]
    for name, model in quick_models().items():
        fitted = model.fit(data.X[train], data.y[train])
        y = np.searchsorted(fitted.classes_, data.y[test].astype(str))
        nats = log_loss(y, fitted.predict_proba(data.X[test]))
        error = 1 - fitted.score(data.X[test], data.y[test])
        lines.append(f"| {name} | {error:.3f} | {nats:.3f} |")
    return "\n".join(lines)


def main() -> None:
    print(waveforms(), end="\n\n", flush=True)
    print(set_table(SETS, all_models()), end="\n\n", flush=True)
    print(set_table(LARGER, quick_models()), end="\n\n", flush=True)
    print(letters())


if __name__ == "__main__":
    main()
