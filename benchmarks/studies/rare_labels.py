"""What the models gain or lose if infrequent labels share a state.

Columns of text with many labels: the sets of the 36 that have one, with identifiers kept, sets with
an identifier added, and tables of a generator. Honest folds: which labels are infrequent is learned
from the training rows. Each rule is applied to the frames before the models read them, and the
labels that remain are declared, so that the models do not group them.

`python -m benchmarks rare_labels` prints the tables of docs/results/rare-labels.md. It takes about
five minutes on one core.
"""

import os
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from augury.data import IdentifierWarning, load_dataset, read_table
from augury.discriminative import LogisticRegression
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier

MODELS = {
    "NB": NaiveBayes,
    "LR": LogisticRegression,
    "AODE": AveragedOneDependence,
    "TAN": TreeAugmentedNaiveBayes,
    "KDB": KDependenceBayes,
    "HNB": HiddenNaiveBayes,
    "hybrid": lambda: AugmentedClassifier(HiddenNaiveBayes()),
}
# In columns with at least MIN_LABELS labels, and more than a share of the rows, infrequent labels
# share a state; labels that the training rows do not have are left out, or share it too.
MIN_LABELS = 20
OWN = "default"  # the labels are not declared, and each model has its own rule
RULES = {
    "none": None,
    OWN: None,
    "fewer than 2": (0.1, 2, False),
    "fewer than 3": (0.1, 3, False),
    "fewer than 3, unseen too": (0.1, 3, True),
    "fewer than 5": (0.1, 5, False),
    "fewer than 5, unseen too": (0.1, 5, True),
    "fewer than 10": (0.1, 10, False),
}
N_REPEATS = 2
WITH_IDENTIFIERS = {"zoo": "animal", "colic.ORIG": "Hospital Number"}
IDENTIFIER_ADDED = ("labor", "hepatitis", "lymph", "heart-c", "primary-tumor")
RARE = "<infrequent>"


def as_text(X: pd.DataFrame) -> pd.DataFrame:
    """Return a frame whose labels are not declared: as a CSV file is read."""
    return X.apply(lambda c: c.astype(object) if isinstance(c.dtype, pd.CategoricalDtype) else c)


def real_tables():
    """Yield the name, the columns and the classes of each real table."""
    for name in ("autos", "colic.ORIG"):
        data = load_dataset(name)
        yield name, as_text(data.X), data.y.cat.codes.to_numpy()
    for name, identifier in WITH_IDENTIFIERS.items():
        data = load_dataset(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IdentifierWarning)
            whole = read_table(data.source, target=data.target)
        X = as_text(whole.X)[[identifier, *data.X.columns]]
        yield f"{name}, {identifier}", X, data.y.cat.codes.to_numpy()
    for name in IDENTIFIER_ADDED:
        data = load_dataset(name)
        X = as_text(data.X)
        X.insert(0, "key", [f"k{i}" for i in range(len(X))])
        yield f"{name}, key added", X, data.y.cat.codes.to_numpy()


def made_tables():
    """Yield tables of six columns of three labels, and one of 500 labels by Zipf's law."""
    for n in (105, 500, 2000, 5000):
        for is_informative in (False, True):
            rng = np.random.default_rng(n)
            y = rng.integers(0, 2, n)
            columns = {}
            for j in range(6):
                signal = rng.random(n) < 0.3
                columns[f"x{j}"] = np.where(signal, y, rng.integers(0, 3, n))
            share = 1 / np.arange(1, 501)
            label = rng.choice(500, n, p=share / share.sum())
            if is_informative:  # the labels of each class have another order of frequency
                order = rng.permutation(500)
                label = np.where(y == 0, label, order[label])
            columns["zipf"] = label
            X = pd.DataFrame(columns).map(lambda v: f"v{v}").astype(object)
            kind = "informative" if is_informative else "noise"
            yield f"Zipf, {kind}, {n}", X, y


def grouped(train: pd.DataFrame, test: pd.DataFrame, rule):
    """Return both frames after a rule."""
    if rule is None:
        return train, test
    share, least, with_unseen = rule
    train, test = train.copy(), test.copy()
    for name in train.columns:
        if pd.api.types.is_numeric_dtype(train[name]):
            continue
        counts = train[name].value_counts()
        if len(counts) < MIN_LABELS or len(counts) <= share * counts.sum():
            continue
        rare = counts.index[counts < least]
        if not len(rare):
            continue
        own = test[name].isin(rare)
        if with_unseen:
            own |= test[name].notna() & ~test[name].isin(counts.index)
        train[name] = train[name].mask(train[name].isin(rare), RARE)
        test[name] = test[name].mask(own, RARE)
    return train, test


def declared(train: pd.DataFrame, test: pd.DataFrame):
    """Return both frames with the labels of the training rows declared: no model groups them."""
    train, test = train.copy(), test.copy()
    for name in train.columns:
        if not pd.api.types.is_numeric_dtype(train[name]):
            labels = sorted(train[name].dropna().unique())
            train[name] = pd.Categorical(train[name], labels)
            test[name] = pd.Categorical(test[name], labels)
    return train, test


def run(X: pd.DataFrame, y) -> pd.DataFrame:
    """Return the accuracy and log loss of each rule, model and fold."""
    rows = []
    warnings.simplefilter("ignore", ConvergenceWarning)
    for repeat in range(N_REPEATS):
        folds = StratifiedKFold(5, shuffle=True, random_state=repeat)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a class has fewer rows than folds
            splits = list(folds.split(X, y))
        for fold, (train, test) in enumerate(splits):
            for rule, parameters in RULES.items():
                left, right = grouped(X.iloc[train], X.iloc[test], parameters)
                if rule != OWN:
                    left, right = declared(left, right)
                for name, model in MODELS.items():
                    fitted = model().fit(left, y[train])
                    proba = np.zeros((len(test), y.max() + 1))
                    proba[:, fitted.classes_] = fitted.predict_proba(right)
                    accuracy = np.mean(fitted.predict(right) == y[test])
                    safe = np.clip(proba, 1e-15, None)
                    safe /= safe.sum(axis=1, keepdims=True)
                    loss = log_loss(y[test], safe, labels=np.arange(y.max() + 1))
                    rows.append((rule, name, repeat, fold, 100 * accuracy, loss))
    return pd.DataFrame(rows, columns=["rule", "model", "repeat", "fold", "accuracy", "log loss"])


def report(results: pd.DataFrame, value: str, digits: int) -> None:
    """Print the value without a rule, and the difference of each rule to it."""
    means = results.pivot_table(index="model", columns="rule", values=value, sort=False)
    means = means[list(RULES)]
    print(f"| {value} | " + " | ".join(RULES) + " |\n" + "|---" * (len(RULES) + 1) + "|")
    for model, row in means.iterrows():
        cells = [f"{row['none']:.{digits}f}"]
        cells += [f"{row[rule] - row['none']:+.{digits}f}" for rule in list(RULES)[1:]]
        print(f"| {model} | " + " | ".join(cells) + " |")
    print(flush=True)


def main() -> None:
    tables = list(made_tables())
    if "AUGURY_DATA" in os.environ:
        tables = [*real_tables(), *tables]
    results = []
    for name, X, y in tables:
        start = time.process_time()
        found = run(X, y)
        results.append(found.assign(table=name))
        print(f"### {name}: {len(X)} rows, {time.process_time() - start:.0f} s\n")
        report(found, "accuracy", 2)
        report(found, "log loss", 3)
    for kind, chosen in (("real tables", False), ("made tables", True)):
        own = [r for r in results if r["table"].iloc[0].startswith("Zipf") == chosen]
        if own:
            print(f"### Mean of {len(own)} {kind}\n")
            report(pd.concat(own), "accuracy", 2)
            report(pd.concat(own), "log loss", 3)


if __name__ == "__main__":
    main()
