"""Model summaries show which columns a model uses, and never stop a run."""

import json
import warnings
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import RidgeClassifier

from augury.data import Dataset, load_dataset
from augury.discriminative import C45Tree, KNearestNeighbors, LinearSVM, LogisticRegression
from augury.evaluate import WekaFolds
from augury.experiments import model_summaries
from augury.experiments.job import Job
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.explain import ModelSummary, model_summary
from augury.explain.model_summary import EXPLAINED, MOVED, summarize_model
from augury.generative import HiddenNaiveBayes, NaiveBayes, TreeAugmentedNaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.summary import summarize_store


def weather(n_rows: int = 40) -> Dataset:
    """Return rows whose class is the sky's, whatever the wind."""
    sky = np.array(["sun", "rain"])[np.arange(n_rows) % 2]
    wind = np.array(["weak", "strong"])[(np.arange(n_rows) // 2) % 2]
    X = pd.DataFrame({"wind": wind, "sky": sky}).astype("category")
    y = pd.Series(np.where(sky == "sun", "out", "in")).astype("category")
    return Dataset(X, y, "weather", "class", "here")


class Fixed(ClassifierMixin, BaseEstimator):
    """Looks at the sky only: the first class has 0.9 of the probability if it rains, else 0.2."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        first = np.where(X["sky"] == "rain", 0.9, 0.2)
        return np.column_stack([first, 1 - first])

    def predict(self, X):
        return self.predict_proba(X).argmax(axis=1)


class Doubtful(Fixed):
    def fit(self, X, y):
        warnings.warn("hardly", UserWarning, stacklevel=2)
        return super().fit(X, y)


class Broken(Fixed):
    def fit(self, X, y):
        raise ArithmeticError("it broke")


def test_what_moves_is_the_change_of_probability_by_another_row() -> None:
    learned = summarize_model("fixed", Fixed(), weather(), "honest")
    order = np.random.default_rng(0).permutation(40)
    differs = (
        weather().X["sky"].to_numpy()[order] != weather().X["sky"].to_numpy()[np.roll(order, 1)]
    )
    [first, second] = learned.influence
    assert (first.feature, learned.influence_unit) == ("sky", MOVED)
    assert first.value == pytest.approx(70 * differs.mean())
    assert 20 < first.value < 50, "about every second row has another sky"
    assert (second.feature, second.value) == ("wind", 0.0)
    assert learned.svg is None


def test_of_decisions_the_share_that_changes() -> None:
    learned = summarize_model("ridge", RidgeClassifier(), numbers(), "honest")
    assert learned.influence[0].feature == "x"
    assert learned.influence[0].value > learned.influence[1].value
    assert 0 < learned.influence[0].value <= 100


def numbers() -> Dataset:
    x = np.linspace(-1, 1, 30)
    X = pd.DataFrame({"noise": np.cos(50 * x), "x": x})
    return Dataset(X, pd.Series(np.where(x > 0, "b", "a")), "numbers", "class", "here")


def test_models_that_explain_themselves_say_how_much_in_nats() -> None:
    data = weather()
    learned = summarize_model("nb", NaiveBayes(), data, "honest")
    assert learned.influence_unit == EXPLAINED
    first, second = learned.influence
    # 20 rows of each class, Laplace's rule: log(21 / 22) - log(1 / 22).
    assert first.value == pytest.approx(np.log(21), abs=1e-5)
    assert first.detail in ("largest for rain: 3.04", "largest for sun: 3.04")
    assert second.value == pytest.approx(0.0)
    assert first.moved > 20
    assert second.moved == pytest.approx(0.0)


@pytest.mark.parametrize("model", [HiddenNaiveBayes(), LogisticRegression(), KNearestNeighbors()])
def test_shapley_values_and_linear_terms_are_in_nats_too(model) -> None:
    learned = summarize_model("m", model, weather(), "honest")
    assert learned.influence_unit == EXPLAINED
    assert learned.influence[0].feature == "sky"
    assert learned.influence[0].value > 10 * learned.influence[1].value
    assert learned.notes == ()


@pytest.mark.parametrize("model", [C45Tree(), LinearSVM()])
def test_infinite_log_odds_and_decision_values_are_not_nats(model) -> None:
    """The leaves of the tree are pure: the log odds are infinite."""
    learned = summarize_model("m", model, weather(), "honest")
    assert learned.influence_unit == MOVED
    assert (learned.influence[0].feature, learned.notes) == ("sky", ())


def test_wide_tables_are_explained_within_the_time_limit() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 3, (300, 30))
    X = pd.DataFrame(codes.astype(str), columns=[f"c{j}" for j in range(30)])
    y = pd.Series(np.where(codes[:, 0] == codes[:, 1], "same", "other"))
    data = Dataset(X, y, "wide", "class", "here")
    learned = summarize_model("hnb", HiddenNaiveBayes(), data, "honest")
    assert learned.influence_unit == EXPLAINED
    assert {line.feature for line in learned.influence[:2]} == {"c0", "c1"}
    assert "c0" in learned.text


def test_structures_that_all_tables_share_are_not_drawn() -> None:
    assert summarize_model("nb", NaiveBayes(), weather(), "honest").svg is None
    drawn = summarize_model("h", AugmentedClassifier(), weather(), "honest")
    assert "log_odds(1)" in drawn.svg
    assert drawn.text.splitlines()[0].split() == ["NaiveBayes", "|", "wind,", "sky"]


def test_a_prior_that_is_a_column_stays() -> None:
    data = weather()
    renamed = Dataset(data.X.rename(columns={"sky": "prior"}), data.y, "weather", "class", "here")
    learned = summarize_model("nb", NaiveBayes(), renamed, "honest")
    assert [line.feature for line in learned.influence] == ["prior", "wind"]


@pytest.mark.parametrize("model", [TreeAugmentedNaiveBayes(), C45Tree()])
@pytest.mark.parametrize("protocol", ["honest", "published"])
def test_networks_and_trees_are_drawn(model, protocol: str) -> None:
    learned = summarize_model("m", model, load_dataset("sklearn:iris"), protocol)
    ET.fromstring(learned.svg)
    assert "petal" in learned.svg
    assert "petal" in learned.text
    assert ("virginica" in learned.svg) == isinstance(model, C45Tree)
    text = json.dumps(learned.to_json(), allow_nan=False)
    assert ModelSummary.from_json(json.loads(text)) == learned


def test_large_drawings_and_slow_models_are_left_out(monkeypatch) -> None:
    iris = load_dataset("sklearn:iris")
    monkeypatch.setattr(model_summary, "_MAX_DRAWING", 100)
    monkeypatch.setattr(model_summary, "_MAX_TEXT", 100)
    learned = summarize_model("c45", C45Tree(), iris, "honest")
    assert learned.svg is None
    assert len(learned.text) <= 100
    assert len(learned.notes) == 2
    monkeypatch.setattr(model_summary, "_MAX_SECONDS", -1.0)
    learned = summarize_model("lr", LogisticRegression(), iris, "honest")
    assert learned.influence == ()
    assert learned.influence_unit is None
    assert learned.notes == (
        "The contributions to the log odds are left out: those of one row take more than -1 s.",
        "The effect of moved columns is left out: 0 of 4 columns took more than -1 s.",
    )


def jobs(**models) -> list[Job]:
    models = models or {"nb": NaiveBayes(), "broken": Broken(), "tan": TreeAugmentedNaiveBayes()}
    return [Job(weather(), models, WekaFolds(2, 1), "honest")]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_store_gets_those_that_it_lacks_and_errors_as_text(n_jobs: int) -> None:
    heard = []
    with ResultStore(None) as store:
        run_jobs(jobs(), store)
        n_new = add_model_summaries(jobs(), store, n_jobs, lambda *names: heard.append(names))
        assert n_new == 3
        assert add_model_summaries(jobs(), store, n_jobs) == 0
        assert add_model_summaries(jobs(), store, retry_failed=True) == 1
        found = store.model_summaries()
        summary = summarize_store(store)
    assert sorted(heard) == [("weather", "broken"), ("weather", "nb"), ("weather", "tan")]
    broken = found["weather", "broken"]
    assert broken.notes == ("There is no model summary: it broke",)
    assert "ArithmeticError: it broke" in broken.error
    assert list(summary.model_summaries[0]) == ["nb", "broken", "tan"]
    assert summary.model_summaries[0]["tan"].svg.startswith("<svg")
    assert summary.model_summaries[0]["nb"].influence[0].feature == "sky"


def test_what_would_take_long_is_not_begun(monkeypatch) -> None:
    with ResultStore(None) as store:
        monkeypatch.setattr(model_summaries, "_MAX_VALUES", 10)
        add_model_summaries(jobs(nb=NaiveBayes()), store)
        [content] = store.model_summaries().values()
        assert content.notes == ("There is no model summary: the data set has 80 values.",)
    monkeypatch.undo()
    with ResultStore(None) as store:
        run_jobs(jobs(nb=NaiveBayes()), store)
        monkeypatch.setattr(model_summaries, "_MAX_FIT_SECONDS", -1.0)
        add_model_summaries(jobs(nb=NaiveBayes()), store)
        [content] = store.model_summaries().values()
        assert content.notes == ("There is no model summary: a fit takes 0 s.",)


def test_warnings_of_a_model_become_notes() -> None:
    with ResultStore(None) as store:
        add_model_summaries(jobs(doubtful=Doubtful()), store)
        [content] = store.model_summaries().values()
    assert content.notes == ("hardly",)
    assert content.influence[0].feature == "sky"


def test_summaries_of_earlier_versions_are_read() -> None:
    content = {
        "model": "nb",
        "svg": None,
        "text": None,
        "influence": [{"feature": "sky", "value": 3, "detail": "most where it is rain: 3.04"}],
        "influence_unit": "mean absolute part of the log odds, in nats",
        "n_features": 1,
        "notes": [],
    }
    found = ModelSummary.from_json(content)
    assert (found.influence[0].value, found.influence[0].moved) == (3.0, None)
    assert (found.protocol, found.error) == (None, None)
