"""The fair fight: how much of the published gain of the hybrids remains.

Honest protocol, 36 UCI sets, one run of WEKA's ten folds. The study changes one choice of the
paper at a time: how the regression reads the columns, which model predicts the training rows,
which columns are appended, and which generative model comes first.

`python -m benchmarks fair_fight [DIR [N_JOBS]]` keeps every fold in DIR (fair-fight-results by
default), continues an interrupted run, and prints the tables of docs/results/fair-fight.md.
"""

import sys
from itertools import product
from pathlib import Path
from statistics import fmean

from sklearn.base import BaseEstimator, ClassifierMixin, clone

from augury.data import load_dataset
from augury.discriminative import LogisticRegression
from augury.encode import TableEncoder
from augury.evaluate import (
    WekaFolds,
    mean_scores,
    wilcoxon_signed_rank,
    win_tie_loss,
)
from augury.experiments.job import Job
from augury.experiments.runner import FailedFoldsError, run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier
from augury.papers import find_paper

FIRST = {
    "NB": NaiveBayes,
    "HNB": HiddenNaiveBayes,
    "AODE": AveragedOneDependence,
    "TAN": TreeAugmentedNaiveBayes,
}
ENCODINGS = ("index", "one-hot", "one-hot + numbers")
OUTPUTS = {"proba": "probabilities", "log_odds": "log odds"}
WAYS = {"resubstitution": None, "leave-one-out": "loo", "5 folds": 5}

# The pairs of the table of tests: a model, and the model that it is compared with.
_PUBLISHED = "index, proba, resubstitution"
_OURS = "one-hot + numbers, log_odds, leave-one-out"
_ONE_HOT = "one-hot, log_odds"
PAIRS = (
    (f"NB-LR, {_PUBLISHED}", "LR, index"),
    (f"HNB-LR, {_PUBLISHED}", "LR, index"),
    ("LR, one-hot", "LR, index"),
    ("LR, one-hot + numbers", "LR, one-hot"),
    (f"NB-LR, {_PUBLISHED}", "LR, one-hot"),
    (f"HNB-LR, {_PUBLISHED}", "LR, one-hot"),
    (f"NB-LR, {_ONE_HOT}, leave-one-out", "LR, one-hot"),
    (f"HNB-LR, {_ONE_HOT}, leave-one-out", "LR, one-hot"),
    (f"NB-LR, {_OURS}", "LR, one-hot + numbers"),
    (f"HNB-LR, {_OURS}", "LR, one-hot + numbers"),
    (f"AODE-LR, {_OURS}", "LR, one-hot + numbers"),
    (f"TAN-LR, {_OURS}", "LR, one-hot + numbers"),
    # Each generative model against models that read missing values as it does.
    (f"HNB-LR, {_PUBLISHED}", "HNB, replaced gaps"),
    (f"HNB-LR, {_OURS}", "HNB"),
    ("HNB, replaced gaps", "LR, one-hot"),
    ("HNB", "LR, one-hot + numbers"),
    ("NB", "NB, replaced gaps"),
    ("HNB", "HNB, replaced gaps"),
    (f"NB-LR, {_ONE_HOT}, leave-one-out", "NB-LR, one-hot, proba, resubstitution"),
    (f"HNB-LR, {_ONE_HOT}, leave-one-out", "HNB-LR, one-hot, proba, resubstitution"),
    (f"HNB-LR, {_ONE_HOT}, leave-one-out", f"HNB-LR, {_ONE_HOT}, resubstitution"),
    (f"HNB-LR, {_ONE_HOT}, leave-one-out", f"HNB-LR, {_ONE_HOT}, 5 folds"),
)


class InsideFold(ClassifierMixin, BaseEstimator):
    """The paper's preprocessing, learned from the training rows: modes, means, MDL's cuts.

    The model reads labels or, like the paper's regression, the index of each label as a number.
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
        final = LogisticRegression(continuous="standardize")
        return InsideFold(AugmentedClassifier(first, final, output, encoding="ordinal", cv=cv))
    model = AugmentedClassifier(first, output=output, cv=cv)
    return InsideFold(model) if encoding == "one-hot" else model


def models():
    """Return every model of the study by name."""
    plain = LogisticRegression(continuous="standardize")
    named = {
        "LR, index": InsideFold(plain, as_numbers=True),
        "LR, one-hot": InsideFold(LogisticRegression()),
        "LR, one-hot + numbers": LogisticRegression(),
    }
    named |= {name: make() for name, make in FIRST.items()}
    named |= {f"{name}, replaced gaps": InsideFold(make()) for name, make in FIRST.items()}
    for first, make in FIRST.items():
        for encoding, output, way in product(ENCODINGS, OUTPUTS, WAYS):
            if is_wanted(first, encoding, output, way):
                name = hybrid_name(first, encoding, output, way)
                named[name] = hybrid(make(), encoding, output, WAYS[way])
    return named


def hybrid_name(first, encoding, output, way):
    return f"{first}-LR, {encoding}, {output}, {way}"


def is_wanted(first, encoding, output, way):
    """Select all hybrids of NB and HNB; for AODE and TAN the best of those and the paper's."""
    if first in ("NB", "HNB"):
        return encoding != "one-hot + numbers" or (output == "log_odds" and way != "5 folds")
    if encoding == "index":
        return (output, way) == ("proba", "resubstitution")
    return output == "log_odds" and way == "leave-one-out"


def alone_table(cell):
    """Yield the lines of the table of single models."""
    yield "| | accuracy / log loss |"
    yield "|---|---|"
    for name in models():
        if "-LR" not in name:
            yield f"| {name} | {cell(name)} |"


def hybrid_table(first, cell):
    """Yield the lines of the table of all hybrids of one generative model."""
    yield f"| {first}-LR | appended | " + " | ".join(WAYS) + " |"
    yield "|---|---|" + "---|" * len(WAYS)
    for encoding, output in product(ENCODINGS, OUTPUTS):
        cells = [
            cell(hybrid_name(first, encoding, output, way))
            if is_wanted(first, encoding, output, way)
            else ""
            for way in WAYS
        ]
        if any(cells):
            yield f"| {encoding} | {OUTPUTS[output]} | " + " | ".join(cells) + " |"


def first_table(cell):
    """Yield the lines of the table of the generative models under three sets of choices."""
    ways = [
        ("index", "proba", "resubstitution"),
        ("one-hot", "log_odds", "leave-one-out"),
        ("one-hot + numbers", "log_odds", "leave-one-out"),
    ]
    titles = [f"{encoding}, {OUTPUTS[output]}, {way}" for encoding, output, way in ways]
    yield f"| first model | {titles[0]} (the paper) | " + " | ".join(titles[1:]) + " |"
    yield "|---|---|---|---|"
    for first in FIRST:
        yield f"| {first} | " + " | ".join(cell(hybrid_name(first, *way)) for way in ways) + " |"


def test_table(results, accuracy, nats):
    """Yield the lines of the table of tests."""
    yield "| | against | accuracy | W/T/L | Wilcoxon p | log loss | p |"
    yield "|---|---|---|---|---|---|---|"
    for name, reference in PAIRS:
        pair = [row for row in results if row.model in (name, reference)]
        (count,) = (each for each in win_tie_loss(pair, reference) if each.model == name)
        cells = [name, reference]
        cells.append(f"{100 * (fmean(accuracy[name]) - fmean(accuracy[reference])):+.2f}")
        cells.append(f"{count.wins}/{count.ties}/{count.losses}")
        cells.append(p_value(accuracy[name], accuracy[reference]))
        cells.append(f"{fmean(nats[name]) - fmean(nats[reference]):+.3f}")
        cells.append(p_value(nats[name], nats[reference]))
        yield "| " + " | ".join(cells) + " |"


def p_value(ours, theirs):
    p = wilcoxon_signed_rank(ours, theirs).p
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def print_tables(results):
    """Print the tables of docs/results/fair-fight.md."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")

    def cell(name):
        return f"{100 * fmean(accuracy[name]):.2f} / {fmean(nats[name]):.3f}"

    tables = {
        "Models alone": alone_table(cell),
        "Hybrids of NB": hybrid_table("NB", cell),
        "Hybrids of HNB": hybrid_table("HNB", cell),
        "First models": first_table(cell),
        f"Tests ({2 * len(PAIRS)} p-values)": test_table(results, accuracy, nats),
    }
    for title, lines in tables.items():
        print(f"## {title}\n\n" + "\n".join(lines), end="\n\n")


def main() -> None:
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "fair-fight-results")
    n_jobs = int(sys.argv[3]) if len(sys.argv) > 3 else -1
    contestants = models()
    names = find_paper("hybrid-2022").datasets
    jobs = [Job(load_dataset(name), contestants, WekaFolds(10, 1), "honest") for name in names]
    jobs.sort(key=lambda job: job.dataset.X.size)  # errors appear early
    with ResultStore(folder) as store:
        run_jobs(jobs, store, n_jobs=n_jobs)
        if failures := store.failures():
            raise FailedFoldsError(failures)
        results = [row for row in store.results() if row.model in contestants]
    print(f"{len(names)} sets, one run of ten folds\n")
    print_tables(results)


if __name__ == "__main__":
    main()
