"""How the defaults of AugmentedClassifier were chosen.

Honest protocol: everything is learned inside the fold; one run of WEKA's ten folds. It
takes half an hour on 2 cores: `python -m benchmarks augmentation_study`.
"""

from augury.discriminative import LogisticRegression
from augury.generative import AveragedOneDependence, HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier
from benchmarks.smoothing_study import compare

# The smaller ones of the 36 UCI sets.
SETS = (
    "autos balance-scale breast-cancer breast-w colic credit-a diabetes glass heart-c "
    "heart-statlog hepatitis ionosphere iris labor lymph primary-tumor sonar vehicle vote zoo"
).split()

FIRST = {"NB": NaiveBayes, "HNB": HiddenNaiveBayes, "AODE": AveragedOneDependence}


def alone():
    named = {f"LR, {way}": LogisticRegression(numbers=way) for way in ("both", "standardize")}
    return named | {name: make() for name, make in FIRST.items()}


def hybrids(final: LogisticRegression | None, columns: str = "as_is"):
    """Every first model, output and cv; None is the default, which does not cut opinions."""
    return {
        f"{name}-LR, {output}, cv={cv}": AugmentedClassifier(
            make(), final, output=output, columns=columns, cv=cv
        )
        for name, make in FIRST.items()
        for output in ("proba", "log_odds")
        for cv in (None, "loo", 5)
    }


def main() -> None:
    print(f"{len(SETS)} sets; models alone")
    print(compare(SETS, alone()))
    for way, final in (
        ("columns cut and as numbers, opinions as numbers", None),
        ("columns and opinions cut and as numbers", LogisticRegression(numbers="both")),
        ("columns and opinions as numbers", LogisticRegression(numbers="standardize")),
    ):
        print(f"the final regression: {way}")
        print(compare(SETS, hybrids(final)))
    print("of the opinions alone")
    print(compare(SETS, hybrids(None, columns="none")))


if __name__ == "__main__":
    main()
