"""The search of the study of HBayes-NB's rules, against the models of the package."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from augury.data import load_dataset
from augury.discriminative import LiblinearLogisticRegression
from augury.evaluate import WekaFolds
from augury.evaluate.folds import prepare_table
from augury.generative import NaiveBayes
from augury.hybrid import HBayesNB, SplitClassifier
from benchmarks.studies.hbayes_rules import NEAR, accuracies_in_use, estimate, read_codes
from benchmarks.studies.hbayes_search import (
    IN_USE,
    RULES,
    STOPS,
    FoldRules,
    Rule,
    TrainedParts,
    stopping_step,
)


@pytest.fixture(scope="module")
def glass(shared_data):
    """Return a table of categories with six classes and one without rows."""
    return prepare_table(load_dataset("glass", shared_data), "published")


@pytest.mark.parametrize(
    ("rule", "model"),
    [
        (IN_USE, HBayesNB.as_published()),
        (IN_USE._replace(coding="indicators"), HBayesNB(missing="replace")),
    ],
)
def test_rules_of_the_model_s_own_search(glass, rule, model):
    codes, n_states, y = read_codes(glass)
    for train, test in list(WekaFolds(10, 1).split(glass.X, glass.y))[:3]:
        fold = FoldRules(codes, n_states, y, len(glass.classes), train)
        fitted = model.fit(glass.X.iloc[train], glass.y.iloc[train])
        accuracy = (fitted.predict(glass.X.iloc[test]) == y[test]).mean()
        assert fold.accuracy(rule, test) == pytest.approx(accuracy, abs=1e-12)


def test_scores_of_a_split(glass):
    codes, n_states, y = read_codes(glass)
    train = np.arange(0, len(y), 2)
    parts = TrainedParts(codes, n_states, y, len(glass.classes), train)
    model = SplitClassifier(
        [1, 4],
        NaiveBayes(missing="replace"),
        LiblinearLogisticRegression(encoding="ordinal", scaling=None),
    )
    model.fit(glass.X.iloc[train], glass.y.iloc[train])
    expected = model.predict_proba(glass.X)[:, parts.present]
    for coding, tolerance in (("index", 1e-6), ("index, dual", 0.02)):
        scores = parts.scores(coding, "regression's", (1, 4))
        found = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
        np.testing.assert_allclose(found, expected, atol=tolerance)
    both = parts.scores("index", "both", (1, 4)) - parts.scores("index", "regression's", (1, 4))
    np.testing.assert_allclose(both, np.broadcast_to(parts.prior, both.shape))
    loss = log_loss(y[train], model.predict_proba(glass.X.iloc[train]), labels=range(7))
    scores = parts.scores("index", "regression's", (1, 4))
    assert -parts.mean_log_likelihood(scores) == pytest.approx(loss, abs=1e-6)


def test_stopping_steps():
    path = [0.7, 0.8, 0.8, 0.9, 0.9, 0.6]
    assert [stopping_step(path, stop) for stop in STOPS] == [1, 4, 3, 4]
    assert [stopping_step([0.5, 0.6], stop) for stop in STOPS] == [1, 1, 1, 1]


def test_rules_are_distinct_and_have_the_one_in_use():
    assert len(set(RULES)) == len(RULES) == 256
    assert IN_USE in RULES
    assert Rule("index, dual", "inner accuracy", *IN_USE[2:]) not in RULES


def test_estimates_over_all_folds(shared_data, monkeypatch):
    monkeypatch.setenv("AUGURY_DATA", str(shared_data))
    in_use = accuracies_in_use("iris")
    whole = pd.DataFrame({"; ".join(rule): in_use + 1.0 for rule in NEAR})
    whole["; ".join(IN_USE)] = in_use
    first = pd.DataFrame({"; ".join(rule): in_use[:20] - 2.0 for rule in RULES})
    first.iloc[:10, -1] -= 2.0  # a rule that is 4 points below, then 2
    cell = estimate("iris", first, whole)
    assert cell.in_use == cell.means[RULES.index(IN_USE)] == pytest.approx(in_use.mean())
    near = RULES.index(NEAR[-1])
    assert (cell.means[near], cell.errors[near]) == (pytest.approx(in_use.mean() + 1.0), 0.0)
    assert cell.means[-2:] == pytest.approx(in_use.mean() - np.array([2.0, 3.0]))
    assert cell.errors[-2:] == pytest.approx([0.0, np.sqrt(20 / 19 / 20)])
    whole["; ".join(IN_USE)] += 1.0
    with pytest.raises(AssertionError, match="iris: the rule in use differs from HBayesNB"):
        estimate("iris", first, whole)
