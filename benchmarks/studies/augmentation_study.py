"""The study by which the defaults of AugmentedClassifier were chosen.

Honest protocol: everything is learned inside the fold; one run of WEKA's ten folds.
`python -m benchmarks augmentation_study` takes half an hour on 2 cores.
"""

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from augury.data import load_dataset
from augury.discriminative import LogisticRegression
from augury.evaluate import cross_validate
from augury.generative import AveragedOneDependence, HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier
from benchmarks.studies.smoothing_study import compare

# The smaller data sets of the 36 UCI sets.
SETS = (
    "autos balance-scale breast-cancer breast-w colic credit-a diabetes glass heart-c "
    "heart-statlog hepatitis ionosphere iris labor lymph primary-tumor sonar vehicle vote zoo"
).split()

# Data sets that were not used to choose the defaults.
LARGER = "vowel segment kr-vs-kp waveform-5000 sick mushroom".split()

FIRST = {"NB": NaiveBayes, "HNB": HiddenNaiveBayes, "AODE": AveragedOneDependence}


def alone():
    named = {f"LR, {way}": LogisticRegression(numbers=way) for way in ("both", "standardize")}
    return named | {name: make() for name, make in FIRST.items()}


def hybrids(final: LogisticRegression | None, encoding: str = "as_is"):
    """Return hybrids of every first model, output and cv; final=None is the default model."""
    return {
        f"{name}-LR, {output}, cv={cv}": AugmentedClassifier(
            make(), final, output=output, encoding=encoding, cv=cv
        )
        for name, make in FIRST.items()
        for output in ("proba", "log_odds")
        for cv in (None, "loo", 5)
    }


def larger():
    """Return the models that are tested on the larger data sets."""
    named = {"LR": LogisticRegression()}
    for name in ("NB", "HNB"):
        named[f"{name}-LR"] = AugmentedClassifier(FIRST[name](), cv="loo")
        named[f"{name}-LR, cv=None"] = AugmentedClassifier(FIRST[name](), cv=None)
    return named


def compare_on_larger_sets() -> None:
    """Print accuracy / log loss on data sets that were not used to choose the defaults."""
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    print("| | " + " | ".join(larger()) + " |\n|---|" + "---|" * len(larger()))
    for name in LARGER:
        rows = cross_validate([load_dataset(name)], larger(), folds)
        cells = []
        for model in larger():
            own = [row for row in rows if row.model == model]
            accuracy = 100 * np.mean([row.accuracy for row in own])
            cells.append(f"{accuracy:.2f} / {np.mean([row.log_loss for row in own]):.3f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def measure_overconfidence() -> None:
    """Print the log loss on new rows if the columns are independent of the class."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (20_000, 30)).astype(str), rng.integers(0, 3, 20_000)
    train, test = slice(10_000), slice(10_000, None)

    def loss(model):
        return log_loss(y[test], model.fit(X[train], y[train]).predict_proba(X[test]))

    print(f"LR alone {loss(LogisticRegression()):.3f}, best possible {np.log(3):.3f}")
    print("| | cv=None | loo | 5 |\n|---|---|---|---|")
    for output in ("proba", "log_odds"):
        losses = [loss(AugmentedClassifier(output=output, cv=cv)) for cv in (None, "loo", 5)]
        print(f"| {output} | " + " | ".join(f"{value:.3f}" for value in losses) + " |")


def main() -> None:
    print(f"{len(SETS)} sets; models alone")
    print(compare(SETS, alone()))
    for way, final in (
        ("columns cut and as numbers, meta-features as numbers", None),
        ("columns and meta-features cut and as numbers", LogisticRegression(continuous="both")),
        ("columns and meta-features as numbers", LogisticRegression(continuous="standardize")),
    ):
        print(f"the final regression: {way}")
        print(compare(SETS, hybrids(final)))
    print("the final regression: meta-features only")
    print(compare(SETS, hybrids(None, encoding="none")))
    print("larger sets, three stratified folds")
    compare_on_larger_sets()
    print("columns of pure noise")
    measure_overconfidence()


if __name__ == "__main__":
    main()
