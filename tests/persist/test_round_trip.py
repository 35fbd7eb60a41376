"""Every public classifier predicts the same, bit for bit, when another process loads it."""

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression as SklearnLogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import augury
from augury.discriminative import C45Tree, LogisticRegression
from augury.encode import MISSING, EqualFrequencyDiscretizer
from augury.ensemble import BaggedNetworks, BoostedNaiveBayes
from augury.evaluate import WekaFolds
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    BernoulliNaiveBayes,
    HiddenNaiveBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
)
from augury.hybrid import AugmentedClassifier
from augury.models.catalogue import model_classes
from augury.persist import load_model, save_model
from augury.structure import HillClimb, IndependenceTests


def public_classifiers():
    """Return one of each registered model class."""
    models = {make.__name__: make() for make in model_classes()}
    for model in models.values():
        if "n_estimators" in model.get_params():
            model.set_params(n_estimators=6)  # as good as 30, and faster
    return models


COUNT_MODELS = {
    "Bernoulli of counts": BernoulliNaiveBayes(),
    "multinomial of counts": MultinomialNaiveBayes(),
    "Poisson of counts": PoissonNaiveBayes(),
}
NESTED = {
    "Gaussian NB": NaiveBayes(continuous="gaussian"),
    "interval NB": NaiveBayes(continuous="interval"),
    "kernel NB": NaiveBayes(continuous="kernel"),
    "A2DE": AveragedOneDependence(n_parents=2),
    "NB with its own cuts": NaiveBayes(discretizer=EqualFrequencyDiscretizer(), missing="replace"),
    "HNB-LR": AugmentedClassifier(HiddenNaiveBayes(), scaling="range"),
    "LR-LR by folds": AugmentedClassifier(LogisticRegression(), LogisticRegression(), cv=3),
    "folds of scikit-learn": AugmentedClassifier(cv=StratifiedKFold(3)),
    "WEKA's folds": AugmentedClassifier(cv=WekaFolds(3)),
    "leave one out": AugmentedClassifier(cv="loo", output="log_odds"),
    "scikit-learn decides": AugmentedClassifier(
        NaiveBayes(), SklearnLogisticRegression(), encoding="onehot"
    ),
    "scikit-learn has an opinion": AugmentedClassifier(
        AugmentedClassifier(NaiveBayes(), GaussianNB(), encoding="none"), C45Tree()
    ),
    "boosting decides": AugmentedClassifier(C45Tree(), BoostedNaiveBayes(n_estimators=4)),
    "bagging with a state": BaggedNetworks(n_estimators=3, random_state=np.random.RandomState(0)),
    "network in a learned skeleton": BayesianNetworkClassifier(
        HillClimb("acll", order="columns", skeleton=IndependenceTests(0.2))
    ),
    "network in a given skeleton": BayesianNetworkClassifier(HillClimb(skeleton=[(0, 1)])),
    "votes": VotingClassifier([("nb", NaiveBayes()), ("c45", C45Tree())], voting="soft"),
}
PREDICT = ("predict", "predict_proba", "predict_joint_log_proba")

# Run in a new process: what every file predicts for every table of its kind.
LOAD_AND_PREDICT = """
import sys, warnings
from pathlib import Path
import numpy as np, pandas as pd
from scipy import sparse
from augury.persist import load_model

warnings.simplefilter("error")
folder = Path(sys.argv[1])
tables = {file.stem: pd.read_parquet(file) for file in folder.glob("*.parquet")}
counts = {"counts": sparse.csr_array(sparse.load_npz(folder / "counts.npz"))}
predicted = {}
for file in sorted(folder.glob("*.augury")):
    model = load_model(file).model
    for name, X in (counts if file.stem.endswith("counts") else tables).items():
        for method in sys.argv[2:]:
            if hasattr(model, method):
                predicted[f"{file.stem}/{name}/{method}"] = getattr(model, method)(X)
np.savez(folder / "predicted.npz", **predicted)
"""


def mixed_rows(n, rng, labels):
    number = rng.gamma(3, size=n)  # >= 0: some models take them for counts
    number[::7] = np.nan
    label = rng.choice(labels, n).astype(object)
    label[::9] = None
    return pd.DataFrame(
        {
            "label": label,
            "category": pd.Categorical(rng.choice(list("abc"), n), categories=list("abcd")),
            "number": number,
            "whole": rng.integers(0, 6, n),
            "flag": rng.random(n) < 0.5,
            "größe 'in' \"Zoll\"": rng.gamma(2, size=n),
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with tables, saved models, and what the models predict here and there."""
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(0)
    mixed_rows(60, rng, ["red", "blue", "green"]).to_parquet(folder / "seen.parquet")
    mixed_rows(9, rng, ["red", "never"]).to_parquet(folder / "new.parquet")
    tables = {name: pd.read_parquet(folder / f"{name}.parquet") for name in ("seen", "new")}
    X = tables["seen"]
    y = np.where(X["number"].fillna(0) > 3, "p", np.where(X["flag"], "q", "r"))
    counts = {"counts": sparse.csr_array(rng.poisson(0.4, (60, 12)))}
    sparse.save_npz(folder / "counts.npz", counts["counts"])
    here = {}
    for name, model in (public_classifiers() | NESTED | COUNT_MODELS).items():
        own = counts if name in COUNT_MODELS else tables
        rows = next(iter(own.values()))
        save_model(model.fit(rows, y), folder / f"{name}.augury", X=rows, target="class")
        for table, new in own.items():
            for method in PREDICT:
                if hasattr(model, method):
                    here[f"{name}/{table}/{method}"] = getattr(model, method)(new)
    np.savez(folder / "here.npz", **here)
    subprocess.run([sys.executable, "-c", LOAD_AND_PREDICT, folder, *PREDICT], check=True,
                   env=in_source())  # fmt: skip
    return folder


def in_source():
    """Return the environment in which a new process finds this augury and the outside package."""
    folders = [
        Path(augury.__file__).parents[1],
        Path(__file__).parents[1] / "models/outside_package",
    ]
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}


@pytest.mark.parametrize("name", [*public_classifiers(), *NESTED, *COUNT_MODELS])
def test_another_process_predicts_the_same_bits(folder, name):
    with np.load(folder / "here.npz") as here, np.load(folder / "predicted.npz") as there:
        assert set(here.files) == set(there.files)
        own = [key for key in here.files if key.startswith(f"{name}/")]
        assert len(own) >= (2 if name in COUNT_MODELS else 4) or name == "LinearSVM"
        for key in own:
            assert here[key].dtype == there[key].dtype
            assert here[key].tobytes() == there[key].tobytes(), key


def test_all_classifiers_are_here():
    assert len(public_classifiers()) > 25


def test_what_is_missing_is_the_same_one_again(folder):
    states = load_model(folder / "NaiveBayes.augury").model.encoder_.states_
    assert states[0][-1] is MISSING


def test_members_share_their_encoder_again(folder):
    members = load_model(folder / "BaggedNetworks.augury").model.estimators_
    assert len(members) > 1
    assert all(member.encoder_ is members[0].encoder_ for member in members)


def test_the_same_model_is_the_same_bytes(folder, tmp_path, monkeypatch):
    model = load_model(folder / "HNB-LR.augury").model
    monkeypatch.setattr("augury.persist.metadata.datetime", FixedDate)
    for name in ("one", "two"):
        save_model(model, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


class FixedDate:
    @staticmethod
    def now(zone):
        return pd.Timestamp("2026-01-01", tz=zone)


def test_a_loaded_model_can_be_saved_and_fitted_again(folder, tmp_path):
    X = pd.read_parquet(folder / "seen.parquet")
    model = load_model(folder / "HNB-LR.augury").model
    save_model(model, tmp_path / "again", X=X)
    again = load_model(tmp_path / "again").model
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.fit(X, X["flag"]).predict(X).dtype == bool


def test_statistics_of_a_loaded_model_add(folder):
    X = pd.read_parquet(folder / "seen.parquet")
    model = load_model(folder / "NaiveBayes.augury").model
    total = model.statistics_.counts.class_counts.sum()
    more = model.statistics_ + model.collect(X, model.predict(X))
    assert model.fit_statistics(more).statistics_.counts.class_counts.sum() == 2 * total


def test_a_tree_deeper_than_the_stack_of_python(tmp_path):
    # As in tests/discriminative/test_c45_tree.py.
    X = np.repeat(np.arange(1100.0), 30)[:, None]
    y = (X[:, 0] + (np.arange(len(X)) % 30 == 0)) % 2
    tree = C45Tree(prune=False).fit(X, y)
    save_model(tree, tmp_path / "deep.augury")
    again = load_model(tmp_path / "deep.augury").model
    assert again.to_text() == tree.to_text()
    assert again.explain_path(X[:3]) == tree.explain_path(X[:3])


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [False, True], [1.0, 2.0], ["a", "b"], np.array(["a", "b"], dtype=object)],
    ids=repr,
)
def test_classes_keep_their_type(labels, tmp_path):
    model = NaiveBayes().fit([[1.0], [2.0]], labels)
    metadata = save_model(model, tmp_path / "m.augury")
    classes = load_model(tmp_path / "m.augury").model.classes_
    assert classes.dtype == model.classes_.dtype
    assert classes.tolist() == model.classes_.tolist() == list(metadata.classes)
    assert [type(label) for label in metadata.classes] == [type(k) for k in classes.tolist()]


def test_trees_of_scikit_learn_ask_for_trust(tmp_path):
    X, y = np.arange(8.0)[:, None], [0, 1] * 4
    forest = RandomForestClassifier(n_estimators=2, random_state=0)
    model = AugmentedClassifier(NaiveBayes(), forest).fit(X, y)
    file = tmp_path / "m.augury"
    with pytest.raises(ValueError, match=r"not trusted: sklearn\.tree\._tree\.Tree.*pass trusted="):
        save_model(model, file)
    assert not list(tmp_path.iterdir())
    trusted = ["sklearn.tree._tree.Tree"]
    save_model(model, file, trusted=trusted)
    with pytest.raises(ValueError, match=r"was not loaded: .*sklearn\.tree\._tree\.Tree"):
        load_model(file)
    again = load_model(file, trusted=trusted).model
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def _category(values):
    return pd.Series(values * 10).astype("category")


@pytest.mark.parametrize(
    ("labels", "states"),
    [
        (pd.cut(pd.Series([1, 2, 3, 4] * 10), [0, 2, 4]), ["(0, 2]", "(2, 4]"]),
        (
            _category([pd.Timestamp(2026, 1, 1), pd.Timestamp(2026, 1, 2)] * 2),
            ["2026-01-01 00:00:00", "2026-01-02 00:00:00"],
        ),
        (_category([pd.Period("2026-01"), pd.Period("2026-02")] * 2), ["2026-01", "2026-02"]),
        (_category([(1, 2), (2, 3)] * 2), ["(1, 2)", "(2, 3)"]),
        (_category([Decimal("1.5"), Decimal(2)] * 2), [1.5, 2]),
        (_category([b"a", "a", b"\xff"] * 2)[:40], ["\\xff", "a"]),
        (pd.Series([b"a", b"b"] * 20), ["a", "b"]),
        (pd.DataFrame(np.array([[b"a"], [b"b"]] * 20))[0], ["a", "b"]),
        (_category([True, False] * 2), [False, True]),
    ],
    ids=[
        "interval",
        "timestamp",
        "period",
        "tuple",
        "decimal",
        "bytes",
        "objects",
        "array",
        "bool",
    ],
)
def test_labels_of_other_types(labels, states, tmp_path):
    X, y = pd.DataFrame({"label": labels}), ["in", "out", "out", "in"] * 10
    model = NaiveBayes(categorical_features=["label"]).fit(X, y)
    assert sorted(model.encoder_.states_[0], key=str) == states
    save_model(model, tmp_path / "m", X=X)
    loaded = load_model(tmp_path / "m").model
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    again = NaiveBayes().fit(X.astype({"label": "category"}), y)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
