"""Models inside Pipelines and other wrappers: inspected, explained and weighted."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression as PlainRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from augury.comparison.job import comparison_job
from augury.data import Dataset
from augury.discriminative import C45Tree
from augury.encode import TidyColumns
from augury.evaluate import WekaFolds, cross_validate
from augury.experiments.job import Job
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.explain.model_summary import summarize_model
from augury.explain.row_explanation import explain_row
from augury.generative import NaiveBayes, TreeAugmentedNaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.models.preprocessed_classifier import PreprocessedClassifier
from augury.models.tidy_model import tidy_model
from augury.summary import summarize_store


# "unwrap pipelines wherever a model is inspected"
def weather(n_rows: int = 40) -> Dataset:
    sky = np.array(["sun", "rain"])[np.arange(n_rows) % 2]
    X = pd.DataFrame({"heat": np.arange(n_rows) % 7 + 0.5, "sky": sky, "country": "NO"})
    return Dataset(X, pd.Series(np.where(sky == "sun", "out", "in")), "weather", "class", "here")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: make_pipeline(TidyColumns(), make_pipeline("passthrough", model)),
        lambda model: make_pipeline(make_pipeline(TidyColumns()), model),
        lambda model: GridSearchCV(make_pipeline(TidyColumns(), model), {}, cv=2),
        lambda model: make_pipeline(TidyColumns(), GridSearchCV(model, {}, cv=2)),
    ],
)
@pytest.mark.parametrize("model", [C45Tree(), TreeAugmentedNaiveBayes()])
def test_models_are_found_behind_nested_pipelines_and_searches(wrap: Any, model: Any) -> None:
    data = weather()
    learned = summarize_model("m", wrap(model), data, "honest")
    assert learned.svg.startswith("<svg")
    assert learned.influence[0].feature == "sky"
    alone = summarize_model(
        "m", model, Dataset(data.X[["heat", "sky"]], data.y, "w", "c", ""), "honest"
    )
    assert learned.influence == alone.influence
    with ResultStore(None) as store:
        run_jobs([Job(data, {"m": wrap(model)}, WekaFolds(2, 1), "honest")], store)
        [described] = summarize_store(store).models
    family = "discriminative" if isinstance(model, C45Tree) else "generative"
    assert described.family == family
    assert described.class_.endswith(type(model).__name__)
    assert described.steps_before[0]["class"] in (
        "augury.encode.TidyColumns",
        "sklearn.pipeline.Pipeline",
        "sklearn.model_selection._search.GridSearchCV",
    )


def test_columns_that_an_array_lost_get_their_names_back() -> None:
    x = np.linspace(-1, 1, 40)
    X = pd.DataFrame({"noise": np.cos(50 * x), "signal": x})
    data = Dataset(X, pd.Series(np.where(x > 0, "b", "a")), "numbers", "class", "here")
    model = make_pipeline(StandardScaler(), NaiveBayes())
    learned = summarize_model("m", model, data, "honest")
    assert learned.influence_unit.endswith("in nats")
    assert {line.feature for line in learned.influence} == {"signal", "noise"}
    assert learned.influence[0].feature == "signal"
    assert learned.influence[0].moved > 10
    explained = explain_row(model.fit(X, data.y), X.iloc[:1])
    assert explained.method == "terms"
    assert {part[0] for part in explained.contributions} == {"prior", "signal", "noise"}
    plain = make_pipeline(StandardScaler(), PreprocessedClassifier(PlainRegression()))
    explained = explain_row(plain.fit(X, data.y), X.iloc[:1])
    assert explained.method == "shapley"
    assert explained.contributions[0][:2] == ("signal", -1.0)


def test_a_calibrated_model_is_not_explained_by_terms_that_are_not_its_own() -> None:
    data = weather()
    model = CalibratedClassifierCV(NaiveBayes(), cv=2).fit(data.X[["sky"]], data.y)
    explained = explain_row(model, data.X[["sky"]].iloc[:1])
    assert explained.method == "shapley"


# "Instance weights of a data set vanish inside pipelines: models are trained unweighted and scored
# weighted."
def weighted(n_rows: int = 60) -> tuple[Dataset, Dataset]:
    """Return a table with weights, and the table with its rows repeated as often."""
    rng = np.random.default_rng(1)
    sky = rng.choice(["sun", "rain"], n_rows)
    heat = rng.normal(size=n_rows).round(1)
    y = np.where(rng.random(n_rows) < np.where(sky == "sun", 0.8, 0.4), "out", "in")
    weight = np.where(y == "out", 1, rng.integers(2, 5, n_rows))
    X = pd.DataFrame({"sky": sky, "heat": heat})
    rows = np.repeat(np.arange(n_rows), weight)
    light = Dataset(X, pd.Series(y), "w", "c", "", sample_weight=pd.Series(weight, dtype=float))
    return light, Dataset(X.iloc[rows].reset_index(drop=True), pd.Series(y[rows]), "w", "c", "here")


class AllRows:
    """A splitter that trains and tests on all rows."""

    n_repeats = 1

    def get_n_splits(self, *_: Any) -> int:
        return 1

    def split(self, X: Any, y: Any) -> Any:
        yield np.arange(len(X)), np.arange(len(X))


@pytest.mark.parametrize(
    "model",
    [
        tidy_model("nb"),
        tidy_model("lr"),
        tidy_model("hybrid"),
        tidy_model("majority"),
        make_pipeline(TidyColumns(), make_pipeline("passthrough", NaiveBayes())),
        GridSearchCV(make_pipeline(TidyColumns(), NaiveBayes()), {}, cv=2),
        make_pipeline(TidyColumns(), VotingClassifier([("nb", NaiveBayes())], voting="soft")),
        PreprocessedClassifier(make_pipeline(StandardScaler(), PlainRegression())),
        AugmentedClassifier(make_pipeline(TidyColumns(), NaiveBayes()), cv=None),
    ],
    ids=lambda model: re.sub(r"\W+", "-", repr(model))[:60],
)
def test_weights_reach_models_inside_pipelines(model: Any) -> None:
    light, repeated = weighted()
    [one] = cross_validate([light], {"m": model}, AllRows())
    [other] = cross_validate([repeated], {"m": model}, AllRows())
    assert one.log_loss == pytest.approx(other.log_loss, rel=1e-4)
    unweighted = Dataset(light.X, light.y, "w", "c", "")
    [without] = cross_validate([unweighted], {"m": model}, AllRows())
    assert abs(without.log_loss - one.log_loss) > 1e-3, "else the test would prove nothing"


def test_weights_reach_compare_and_its_model_summaries() -> None:
    light, repeated = weighted()
    job = comparison_job(light, ["nb"])
    summaries = [
        summarize_model("nb", job.models["nb"], data, "honest") for data in (light, repeated)
    ]
    values = [{line.feature: line.value for line in each.influence} for each in summaries]
    plain = summarize_model(
        "nb", job.models["nb"], Dataset(light.X, light.y, "w", "c", ""), "honest"
    )
    # The samples of rows differ, and with them the mean absolute contributions.
    assert values[0]["sky"] == pytest.approx(values[1]["sky"], rel=0.2)
    assert values[0] != {line.feature: line.value for line in plain.influence}


def test_a_wrapper_of_a_model_without_weights_is_fitted_without_them() -> None:
    light, _ = weighted()
    model = Pipeline([("model", PreprocessedClassifier(KNeighborsClassifier()))])
    with pytest.warns(UserWarning, match="m is fitted without the instance weights of w: KNeigh"):
        rows = cross_validate([light], {"m": model}, WekaFolds(2, 1))
    assert len(rows) == 2
