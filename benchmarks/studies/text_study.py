"""Texts with regions: hybrids against naive Bayes and logistic regression.

The data are titles and dependencies of 28,610 Debian packages in 20 sections.
`python -m benchmarks text_study` prints the tables of docs/results/text-regions.md; it takes
half an hour on one core.
"""

import os
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import hstack
from scipy.stats import ttest_rel
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import StratifiedKFold

from augury.evaluate import corrected_t_test
from augury.generative import MultinomialNaiveBayes
from augury.hybrid import (
    MaximumEntropyNaiveBayes,
    RegionLogisticRegression,
    RegionWeightedNaiveBayes,
)
from benchmarks.studies.text_meta_features import (
    Texts,
    appended,
    appended_regions,
    log_count_ratios,
    plain,
    stacked,
)

N_REPEATS = 20
MODELS = RegionWeightedNaiveBayes, MaximumEntropyNaiveBayes, RegionLogisticRegression
# Names of packages are not split into words.
WORDS = {"title": r"(?u)\b\w\w+\b", "depends": r"\S+"}


def read_packages():
    path = Path(os.environ["AUGURY_DATA"]) / "data" / "debian-sections.tsv.gz"
    packages = pd.read_csv(path, sep="\t", keep_default_na=False, quoting=3)
    return packages, np.unique(packages["section"], return_inverse=True)[1]


def read_texts(train, test):
    """Return both as counts; the words and their idf come from the training texts."""
    parts = [[], []]
    for region, words in WORDS.items():
        vectorizer = CountVectorizer(token_pattern=words, dtype=np.float64).fit(train[region])
        for part, frame in zip(parts, (train, test), strict=True):
            part.append(vectorizer.transform(frame[region]))
    tfidf = TfidfTransformer(sublinear_tf=True).fit(hstack(parts[0], format="csr"))
    return [Texts(part, tfidf.transform(hstack(part, format="csr"))) for part in parts]


def scores(proba, y):
    """Return the accuracy in percent, and the log loss."""
    own = np.maximum(proba[np.arange(len(y)), y], 1e-15)
    return 100 * float((proba.argmax(axis=1) == y).mean()), float(-np.log(own).mean())


# ---- regions, all texts ---------------------------------------------------------------


def naive_bayes(texts, y, *, alpha, region=None):
    def of(some):
        return some.counts if region is None else some.regions[region]

    model = MultinomialNaiveBayes(alpha=alpha).fit(of(texts), y)
    return lambda new: model.predict_proba(of(new))


def weighted(texts, y, *, model):
    width = texts.regions[0].shape[1]
    model = model(regions={"title": slice(width), "depends": slice(width, None)})
    model.fit(texts.counts, y)
    return lambda new: model.predict_proba(new.counts)


def unweighted(texts, y, *, alpha):
    """Multiply the probabilities of a naive Bayes model for each region: λ = 1."""
    uniform = np.full(y.max() + 1, 1 / (y.max() + 1))
    models = [
        MultinomialNaiveBayes(alpha=alpha, priors=prior).fit(region, y)
        for region, prior in zip(texts.regions, (None, uniform), strict=True)
    ]

    def proba(new):
        parts = zip(models, new.regions, strict=True)
        joint = sum(model.predict_joint_log_proba(region) for model, region in parts)
        joint -= joint.max(axis=1, keepdims=True)
        return np.exp(joint) / np.exp(joint).sum(axis=1, keepdims=True)

    return proba


def region_models():
    raina, fujino, both = MODELS
    models = {}
    for alpha in (1.0, 0.1):
        models |= {
            f"NB title, α={alpha:g}": partial(naive_bayes, alpha=alpha, region=0),
            f"NB depends, α={alpha:g}": partial(naive_bayes, alpha=alpha, region=1),
            f"NB of both, α={alpha:g}": partial(naive_bayes, alpha=alpha),
            f"NB × NB, α={alpha:g}": partial(unweighted, alpha=alpha),
        }
    hybrids = {
        "Raina": partial(raina),
        "Raina, by class": partial(raina, weights="by_class"),
        "Raina, √N": partial(raina, length_power=0.5),
        "Raina, √N, by class": partial(raina, length_power=0.5, weights="by_class"),
        "Raina, α=0.1": partial(raina, alpha=0.1),
        "Fujino": partial(fujino),
        "Fujino, by class": partial(fujino, weights="by_class"),
        "Fujino, α=0.1": partial(fujino, alpha=0.1),
    }
    models |= {name: partial(weighted, model=model) for name, model in hybrids.items()}
    # Regressions on all texts stop after 100 steps.
    few = {"max_iter": 100}
    return models | {
        "LR counts, C=1": partial(plain, of="counts", C=1.0, **few),
        "LR tf-idf, C=10": partial(plain, C=10.0, **few),
        "LR and shared log odds, C=1": partial(weighted, model=partial(both, C=1.0, **few)),
    }


def compare_regions():
    packages, y = read_packages()
    models = region_models()
    found = {name: [] for name in models}
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(y, y))
    for train, test in folds:
        texts, others = read_texts(packages.iloc[train], packages.iloc[test])
        for name, fit in models.items():
            found[name].append(scores(fit(texts, y[train])(others), y[test]))
    sizes = {"n_train": len(folds[0][0]), "n_test": len(folds[0][1])}
    print_table(found, corrected={"NB of both, α=1": sizes, "NB of both, α=0.1": sizes})


# ---- few texts ------------------------------------------------------------------------


def few_text_models():
    """Return the models by name, with plain regressions of several C to find the best one."""
    raina, fujino, both = MODELS
    models = {"LR counts, C=10": partial(plain, of="counts", C=10)}
    models |= {f"LR tf-idf, C={C:g}": partial(plain, C=C) for C in (10, 30, 100, 300)}
    models |= {
        "NB, α=1": partial(naive_bayes, alpha=1.0),
        "NB, α=0.1": partial(naive_bayes, alpha=0.1),
        "Raina": partial(weighted, model=raina),
        "Raina, √N": partial(weighted, model=partial(raina, length_power=0.5)),
        "Fujino": partial(weighted, model=fujino),
    }
    for output in (
        "proba, resubstitution",
        "log odds, resubstitution",
        "log odds, by folds",
        "log odds, left out",
    ):
        models[f"+ {output}, C=10"] = partial(appended, C=10, output=output)
    return models | {
        "+ regions' log odds, C=1": partial(appended_regions, C=1),
        "x · log count ratio, C=10": partial(log_count_ratios, C=10),
        "+ shared log odds, C=10": partial(weighted, model=partial(both, C=10)),
        "stacked, C=100": partial(stacked, C=100),
    }


def disjoint_samples(y, size, n_samples=N_REPEATS, seed=0):
    """Return disjoint training samples, and a test sample of all other texts."""
    n_folds = len(y) // size
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    parts = [part for _, part in folds.split(y, y)]
    return parts[:n_samples], np.concatenate(parts[n_samples:])


def compare_few_texts(size):
    packages, y = read_packages()
    models = few_text_models()
    found = {name: [] for name in models}
    samples, test = disjoint_samples(y, size)
    for train in samples:
        present = np.unique(y[train])
        assert len(present) == y.max() + 1, "a sample without a class"
        texts, others = read_texts(packages.iloc[train], packages.iloc[test])
        for name, fit in models.items():
            found[name].append(scores(fit(texts, y[train])(others), y[test]))
    print(f"{len(samples)} disjoint samples of about {size} texts, {len(test)} for testing")
    best = min(
        (name for name in models if name.startswith("LR")),
        key=lambda name: np.mean(found[name], axis=0)[1],
    )
    accurate = max(
        (name for name in models if name.startswith("LR")),
        key=lambda name: np.mean(found[name], axis=0)[0],
    )
    print_table(found, paired=dict.fromkeys((best, accurate)))
    gain = "+ shared log odds, C=10"
    for k, measure in enumerate(("accuracy", "log loss")):
        reference = (accurate, best)[k]
        a, b = (np.array(found[name])[:, k] for name in (gain, reference))
        test_ = corrected_t_test(a, b, n_train=size, n_test=len(test))
        wins = int(((a > b) if k == 0 else (a < b)).sum())
        print(
            f"{gain} against {reference}, {measure}: {test_.difference:+.3f}, better in {wins} of "
            f"{len(a)}, paired p {ttest_rel(a, b).pvalue:.2g}, corrected p {test_.p:.2g}"
        )


def print_table(found, corrected=None, paired=None):
    """Print mean accuracy and log loss, and p-values of their differences to the references."""
    references = {**(corrected or {}), **(paired or {})}
    print("model".ljust(38), "accuracy  log loss ", *(f"| p against {r}" for r in references))
    for name, rows in found.items():
        mean = np.mean(rows, axis=0)
        cells = []
        for reference, sizes in references.items():
            pairs = zip(np.array(rows).T, np.array(found[reference]).T, strict=True)
            if name == reference:
                continue
            tests = [
                corrected_t_test(a, b, **sizes).p if sizes else ttest_rel(a, b).pvalue
                for a, b in pairs
            ]
            cells.append("| " + " ".join(f"{p:.1e}" for p in tests))
        print(name.ljust(38), f"{mean[0]:8.2f}  {mean[1]:8.3f} ", *cells, flush=True)


def main() -> None:
    """Print all tables."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    print("regions, all texts, 5 folds")
    compare_regions()
    for size in (100, 1000):
        compare_few_texts(size)


if __name__ == "__main__":
    main()
