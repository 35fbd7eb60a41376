"""The fair fight: what the published gain of the hybrids is worth.

Honest protocol, 36 UCI sets, one run of WEKA's ten folds. One choice of the paper is changed
at a time: how the regression reads columns, who is asked about the training rows, what is
appended, and which generative model is asked.

`python -m benchmarks fair_fight [DIR]` keeps every fold in DIR (fair-fight-results by
default) and goes on where it was stopped; tables of all rows are printed at the end.
"""

import sys
from pathlib import Path
from statistics import fmean

from sklearn.base import BaseEstimator, ClassifierMixin, clone

from augury.bench import PAPERS, FailedFoldsError, Job, ResultStore, run_jobs
from augury.data import load_dataset
from augury.discriminative import LogisticRegression
from augury.encode import TableEncoder
from augury.evaluate import (
    WekaFolds,
    mean_scores,
    wilcoxon_signed_rank,
    win_tie_loss,
)
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier

FIRST = {
    "NB": NaiveBayes,
    "HNB": HiddenNaiveBayes,
    "AODE": AveragedOneDependence,
    "TAN": TreeAugmentedNaiveBayes,
}
WAYS = {"resubstitution": None, "leave-one-out": "loo", "5 folds": 5}


class InsideFold(ClassifierMixin, BaseEstimator):
    """The paper's preprocessing, learned from the training rows: modes, means, MDL's cuts.

    The model gets labels; or, as the paper's regression, the index of each as a number.
    """

    def __init__(self, model, as_numbers=False):
        self.model = model
        self.as_numbers = as_numbers

    def fit(self, X, y):
        """Learn the preprocessing, then the model."""
        self._encoder = TableEncoder(missing="replace").fit(X, y)
        self._fitted = clone(self.model).fit(self._read(X), y)
        self.classes_ = self._fitted.classes_
        return self

    def _read(self, X):
        table = self._encoder.transform(X)
        return table.codes.astype(float) if self.as_numbers else table.to_frame()

    def predict(self, X):
        """Return classes."""
        return self._fitted.predict(self._read(X))

    def predict_proba(self, X):
        """Return probabilities."""
        return self._fitted.predict_proba(self._read(X))


def hybrid(first, encoding, output, cv):
    if encoding == "index":
        final = LogisticRegression(numbers="standardize")
        return InsideFold(AugmentedClassifier(first, final, output, columns="ordinal", cv=cv))
    model = AugmentedClassifier(first, output=output, cv=cv)
    return InsideFold(model) if encoding == "one-hot" else model


def models():
    """Every row of the tables, by name."""
    plain = LogisticRegression(numbers="standardize")
    named = {
        "LR, index": InsideFold(plain, as_numbers=True),
        "LR, one-hot": InsideFold(LogisticRegression()),
        "LR, one-hot + numbers": LogisticRegression(),
    }
    named |= {name: InsideFold(make()) for name, make in FIRST.items()}
    for first, make in FIRST.items():
        for encoding in ("index", "one-hot", "one-hot + numbers"):
            for output in ("proba", "log_odds"):
                for way, cv in WAYS.items():
                    if is_wanted(first, encoding, output, way):
                        name = f"{first}-LR, {encoding}, {output}, {way}"
                        named[name] = hybrid(make(), encoding, output, cv)
    return named


def is_wanted(first, encoding, output, way):
    """All of NB and HNB; of AODE and TAN what was best of those, and the paper's way."""
    if first in ("NB", "HNB"):
        return encoding != "one-hot + numbers" or (output == "log_odds" and way != "5 folds")
    if encoding == "index":
        return (output, way) == ("proba", "resubstitution")
    return output == "log_odds" and way == "leave-one-out"


def compare(results, models, reference):
    """Return lines of a Markdown table: each model, and how it stands against the reference."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")
    outcome = {each.model: each for each in win_tie_loss(results, reference)}
    lines = [
        f"| | accuracy | log loss | W/T/L against {reference} | Wilcoxon p | of log loss |",
        "|---|---|---|---|---|---|",
    ]
    for name in models:
        cells = [name, f"{100 * fmean(accuracy[name]):.2f}", f"{fmean(nats[name]):.3f}"]
        if name == reference:
            cells += ["", "", ""]
        else:
            count = outcome[name]
            cells.append(f"{count.wins}/{count.ties}/{count.losses}")
            for scores in (accuracy, nats):
                p = wilcoxon_signed_rank(scores[name], scores[reference]).p
                cells.append("< 0.001" if p < 0.001 else f"{p:.3f}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "fair-fight-results")
    contestants = models()
    names = PAPERS["hybrid-2022"].datasets
    jobs = [Job(load_dataset(name), contestants, WekaFolds(10, 1), "honest") for name in names]
    jobs.sort(key=lambda job: job.dataset.X.size)  # what is wrong is to show soon
    with ResultStore(folder) as store:
        run_jobs(jobs, store, n_jobs=-1)
        if failures := store.failures():
            raise FailedFoldsError(failures)
        results = [row for row in store.results() if row.model in contestants]
    print(f"{len(names)} sets, one run of ten folds")
    for reference in ("LR, index", "LR, one-hot", "LR, one-hot + numbers", "HNB"):
        print("\n".join(compare(results, contestants, reference)), end="\n\n")


if __name__ == "__main__":
    main()
