"""NB-LR against scikit-learn's StackingClassifier: class probabilities of naive Bayes appended.

1,000,000 rows x 30 columns x 5 values x 3 classes, one thread, processor time, measured in turn.
scikit-learn gets the codes as integers. CategoricalNB's probabilities and the columns pass to a
LogisticRegression: the columns as integers, or as indicators from a OneHotEncoder, which is the
same model as ours. The probabilities of training rows come from five folds (scikit-learn's
default), or from the model that was fitted to them (cv="prefit", its fit included). Ours reads a
frame of categories, with folds, resubstitution, or leave-one-out.

`python -m benchmarks augmented`
"""

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.metrics import log_loss
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from augury.data.synthetic import make_random_network, sample_network
from augury.discriminative import LogisticRegression
from augury.generative import NaiveBayes
from augury.hybrid import AugmentedClassifier
from benchmarks.timing import in_turn, report


def peer_regression(n_columns, n_classes, *, indicators):
    regression = Peer(max_iter=10_000)
    if not indicators:
        return regression
    columns = np.arange(n_classes, n_classes + n_columns)  # the probabilities come first
    one_hot = ColumnTransformer([("states", OneHotEncoder(), columns)], remainder="passthrough")
    return make_pipeline(one_hot, regression)


def stack(codes, y, *, indicators, cv):
    naive = CategoricalNB()
    if cv == "prefit":
        naive.fit(codes, y)
    final = peer_regression(codes.shape[1], y.max() + 1, indicators=indicators)
    return StackingClassifier([("nb", naive)], final, passthrough=True, cv=cv).fit(codes, y)


def augment(X, y, cv):
    # Probabilities, as the peer appends them; the default of AugmentedClassifier is log odds.
    final = LogisticRegression(continuous="standardize")
    return AugmentedClassifier(NaiveBayes(), final, output="proba", cv=cv).fit(X, y)


def main() -> None:
    network = make_random_network(30, 5, 3, max_parents=1, random_state=0)
    data = sample_network(1_000_000, *network, random_state=0)
    y = data.y.cat.codes.to_numpy().astype(np.int64)
    codes = np.column_stack([column.cat.codes for _, column in data.X.items()]).astype(np.int64)
    models = {
        "scikit-learn, integers, 5 folds": lambda: stack(codes, y, indicators=False, cv=5),
        "scikit-learn, indicators, 5 folds": lambda: stack(codes, y, indicators=True, cv=5),
        "scikit-learn, indicators, prefit": lambda: stack(codes, y, indicators=True, cv="prefit"),
        "augury, 5 folds": lambda: augment(data.X, y, 5),
        "augury, resubstitution": lambda: augment(data.X, y, None),
        "augury, each row left out": lambda: augment(data.X, y, "loo"),
    }
    fitted = {}

    def fit(label):
        fitted[label] = models[label]()

    works = [lambda label=label: fit(label) for label in models]
    seconds = dict(zip(models, in_turn(works, 2), strict=True))
    for label, model in fitted.items():
        rows = data.X if label.startswith("augury") else codes
        report(label, seconds[label], "s")
        report("  log loss of the training rows", log_loss(y, model.predict_proba(rows)), "nats")
    for ours, theirs in (
        ("augury, 5 folds", "scikit-learn, indicators, 5 folds"),
        ("augury, resubstitution", "scikit-learn, indicators, prefit"),
        ("augury, resubstitution", "scikit-learn, integers, 5 folds"),
        ("augury, each row left out", "scikit-learn, indicators, 5 folds"),
        ("augury, each row left out", "scikit-learn, integers, 5 folds"),
    ):
        report(f"{ours} : {theirs}", seconds[theirs] / seconds[ours], "x", "target: >= 5")


if __name__ == "__main__":
    main()
