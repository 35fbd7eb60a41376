"""Ways to use naive Bayes' class probabilities of a text as features of a logistic regression.

Each function takes training texts as `Texts` and returns a function from other texts to class
probabilities.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from augury.counts import floored_log, normalize
from augury.generative import MultinomialNaiveBayes
from augury.hybrid.regions.region_loss import RegionLoss, find_weights, region_scores


@dataclass(frozen=True)
class Texts:
    """Counts of words by region, and all words weighted by tf-idf."""

    regions: list[Any]
    tfidf: Any

    @property
    def counts(self) -> Any:
        """Counts of all words, region by region."""
        return hstack(self.regions, format="csr")


def logistic(X, y, C, max_iter=1000):
    return LogisticRegression(C=C, max_iter=max_iter).fit(X, y)


def plain(texts, y, *, C, of="tfidf", max_iter=1000):
    model = logistic(getattr(texts, of), y, C, max_iter)
    return lambda new: model.predict_proba(getattr(new, of))


def centred(joint):
    return joint - joint.mean(axis=1, keepdims=True)


def few_folds(y):
    """Return five folds, or as many as the smallest class has texts."""
    n_folds = min(5, np.bincount(y).min())
    return StratifiedKFold(n_folds, shuffle=True, random_state=0).split(y, y)


def joint_by_folds(X, y, n_classes):
    joint = np.empty((len(y), n_classes))
    for train, test in few_folds(y):
        model = MultinomialNaiveBayes().fit(X[train], y[train])
        joint[test] = model.predict_joint_log_proba(X[test])
    return joint


def appended(texts, y, *, C, output, size=0.3):
    """Append meta-features of all classes to tf-idf, with a weight for each pair of classes."""
    X = texts.counts
    n_classes = y.max() + 1
    nb = MultinomialNaiveBayes().fit(X, y)
    if output == "proba, resubstitution":
        train, read = nb.predict_proba(X), nb.predict_proba
    else:
        train = {
            "log odds, resubstitution": lambda: nb.predict_joint_log_proba(X),
            "log odds, by folds": lambda: joint_by_folds(X, y, n_classes),
            "log odds, left out": lambda: nb.leave_one_out_joint_log_proba(X, y),
        }[output]()
        train = centred(train)

        def read(new):
            return centred(nb.predict_joint_log_proba(new))

    return _append(texts, y, train, lambda new: read(new.counts), C, size)


def _append(texts, y, train, read, C, size):
    scale = size / train.std()
    model = logistic(hstack([texts.tfidf, csr_array(train * scale)], format="csr"), y, C)
    return lambda new: model.predict_proba(
        hstack([new.tfidf, csr_array(read(new) * scale)], format="csr")
    )


def region_meta_features(texts, y, power=0.5):
    """Return leave-one-out log p_r(x_r | c) (L / N_r)^power, and a function for other texts."""
    n_classes = y.max() + 1
    uniform = np.full(n_classes, 1 / n_classes)
    models = [MultinomialNaiveBayes(priors=uniform).fit(region, y) for region in texts.regions]
    left_out = [m.leave_one_out_events(x, y) for m, x in zip(models, texts.regions, strict=True)]
    means = [n[n > 0].mean() for _, n in left_out]

    def scaled(likelihood, n_events, mean):
        return (
            likelihood
            * np.where(n_events > 0, mean / np.maximum(n_events, 1e-9), 0)[:, None] ** power
        )

    train = [scaled(*part, mean) for part, mean in zip(left_out, means, strict=True)]

    def read(new):
        parts = zip(models, new.regions, means, strict=True)
        return np.stack(
            [
                scaled(m.predict_joint_log_proba(x) - m.log_prior_, m.count_events(x), mean)
                for m, x, mean in parts
            ],
            axis=1,
        )

    return np.stack(train, axis=1), read


def appended_regions(texts, y, *, C, size=0.3):
    """Append leave-one-out meta-features of each region, divided by √N words, to tf-idf."""
    train, read = region_meta_features(texts, y)

    def flat(features):
        return np.hstack([centred(features[:, r]) for r in range(features.shape[1])])

    return _append(texts, y, flat(train), lambda new: flat(read(new)), C, size)


def stacked(texts, y, *, C):
    """Weight the regions and out-of-fold probabilities of a regression as regions are weighted."""
    f, read = region_meta_features(texts, y)
    n_classes = y.max() + 1
    out_of_fold = np.zeros((len(y), n_classes))
    for train, test in few_folds(y):
        model = logistic(texts.tfidf[train], y[train], C)
        out_of_fold[np.ix_(test, model.classes_)] = model.predict_proba(texts.tfidf[test])
    model = logistic(texts.tfidf, y, C)

    def logs(proba):
        return np.log(np.maximum(proba, 1e-6))[:, None]

    loss = RegionLoss(np.concatenate([f, logs(out_of_fold)], axis=1), y, None, 1.0, by_class=False)
    found = find_weights(loss, tolerance=1e-5 * len(y), max_iter=100)

    def proba(new):
        features = np.concatenate([read(new), logs(model.predict_proba(new.tfidf))], axis=1)
        return normalize(region_scores(features, found.weights, found.intercepts))

    return proba


def log_count_ratios(texts, y, *, C, mix=0.25):
    """Fit one-against-rest regressions on x · r, where r is the log count ratio of each word.

    This is NB-SVM of Wang and Manning (2012) with a logistic loss; `mix` is their interpolation.
    """
    X = csr_array((texts.counts > 0).astype(float))
    machines = []
    for c in range(y.max() + 1):
        is_c = y == c
        there, elsewhere = (np.asarray(X[rows].sum(axis=0)).ravel() + 1 for rows in (is_c, ~is_c))
        ratio = np.log(there / there.sum()) - np.log(elsewhere / elsewhere.sum())
        machine = LogisticRegression(C=C, solver="liblinear").fit(X.multiply(ratio), is_c)
        beta = machine.coef_[0]
        mixed = (1 - mix) * np.abs(beta).mean() + mix * beta
        machines.append((ratio * mixed, machine.intercept_[0]))
    weights, intercepts = map(np.array, zip(*machines, strict=True))

    def proba(new):
        scores = csr_array((new.counts > 0).astype(float)) @ weights.T + intercepts
        odds = 1 / (1 + np.exp(-scores))
        return normalize(floored_log(odds))

    return proba
