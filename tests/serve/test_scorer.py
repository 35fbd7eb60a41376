"""Look-ups of additive models give the probabilities of the models."""

import json

import numpy as np
import pandas as pd
import pytest

from augury.decide import CostClassifier, ThresholdClassifier
from augury.discriminative import LogisticRegression
from augury.generative import (
    CorrelationWeightedNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)
from augury.hybrid import AugmentedClassifier
from augury.models.tidy_model import tidy_model
from augury.persist import load_model, save_model
from augury.serve import make_application
from augury.serve.prediction_service import PredictionService
from tests.mixed_rows import MIXED, Y
from tests.serve.asgi import post
from tests.serve.served import make_table, row_of, save_fitted, save_named

FAST = ["nb", "gaussian-nb", "lr", "lda", "gam", "blended-nb", "wanbia-c", "cfw-nb"]


def make_service(saved) -> PredictionService:
    return PredictionService(saved, max_rows=1000)


def ask(service, content):
    return json.loads(service.answer(json.dumps(content).encode()))


def rows_with_everything():
    """Return new rows with gaps, unseen labels and numbers beyond the training range."""
    X = make_table(120, seed=5).X
    rng = np.random.default_rng(1)
    X["grade"] = X["grade"].astype(object)
    for name in ("sky", "wet", "wind", "grade", "price", "day"):
        X[name] = X[name].astype(object).where(rng.random(len(X)) > 0.15, None)
    X.loc[rng.random(len(X)) < 0.1, "sky"] = "hail"
    X.loc[rng.random(len(X)) < 0.1, "grade"] = "z"
    X.loc[rng.random(len(X)) < 0.1, "wind"] = 1e6
    X.loc[rng.random(len(X)) < 0.1, "wind"] = -40.25
    X.loc[rng.random(len(X)) < 0.1, "day"] = "1999-12-31T18:00"
    return X


def expected_of(model, X):
    X = X.assign(wind=X["wind"].astype(float))
    return model.predict_proba(X), model.predict(X)


def agree(service, model, X):
    rows = [row_of(X, i) for i in range(len(X))]
    probabilities, predicted = expected_of(model, X)
    answers = ask(service, {"rows": rows})["predictions"]
    single = [ask(service, {"row": row}) for row in rows]
    assert [each["predicted"] for each in single] == predicted.tolist()
    alone = [list(each["probabilities"].values()) for each in single]
    np.testing.assert_allclose(alone, probabilities, rtol=0, atol=1e-9)
    found = [list(each["probabilities"].values()) for each in answers]
    np.testing.assert_allclose(found, probabilities, rtol=0, atol=1e-9)
    assert [each["predicted"] for each in answers] == predicted.tolist()


@pytest.mark.parametrize("name", [*FAST, "hnb", "hybrid"])
def test_answers_are_predictions_of_the_model(name, tmp_path):
    saved = save_named(name, tmp_path / "m.augury")
    service = make_service(saved)
    assert service.is_fast == (name in FAST)
    agree(service, saved.model, rows_with_everything())


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(),
        LogisticRegression(),
        LinearDiscriminantAnalysis(),
        AugmentedClassifier(NaiveBayes()),
    ],
)
def test_a_model_without_tidy_columns_is_fast(model, tmp_path):
    path = tmp_path / "m.augury"
    save_model(model.fit(MIXED, Y), path, X=MIXED)
    service = make_service(load_model(path))
    assert service.is_fast
    for i in range(len(MIXED)):
        found = ask(service, {"row": row_of(MIXED, i)})
        expected = model.predict_proba(MIXED.iloc[[i]])[0]
        assert list(found["probabilities"].values()) == pytest.approx(expected.tolist(), abs=1e-9)


def test_a_model_of_an_array_has_columns_without_names(tmp_path):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    model = NaiveBayes().fit(X, y)
    save_model(model, tmp_path / "m.augury", X=X)
    service = make_service(load_model(tmp_path / "m.augury"))
    found = ask(service, {"columns": {"x0": [0.5, None], "x1": [0, 1]}})["predictions"]
    expected = model.predict_proba(np.array([[0.5, 0], [np.nan, 1]]))
    np.testing.assert_allclose([list(each["probabilities"].values()) for each in found], expected)
    assert [each["predicted"] for each in found] == model.predict([[0.5, 0], [np.nan, 1]]).tolist()


def test_columns_of_integer_labels_take_numbers(tmp_path):
    X = pd.DataFrame({"code": [1, 2, 1, 2, 7, 7], "size": [1.0, 2.0, 1.5, 2.5, 3.0, 0.5]})
    model = NaiveBayes(categorical_features=["code"]).fit(X, list("ababba"))
    save_model(model, tmp_path / "m.augury", X=X)
    service = make_service(load_model(tmp_path / "m.augury"))
    found = ask(service, {"row": {"code": 7, "size": 1}})
    expected = model.predict_proba(pd.DataFrame({"code": [7], "size": [1.0]}))[0]
    assert list(found["probabilities"].values()) == pytest.approx(expected.tolist(), abs=1e-12)
    assert "unseen" not in found
    assert ask(service, {"row": {"code": 3, "size": 1}})["unseen"] == {"code": 3}


def test_infrequent_labels_share_their_scores(tmp_path):
    rng = np.random.default_rng(0)
    labels = [f"L{k}" for k in np.minimum(rng.geometric(0.08, 200), 60)]
    X = pd.DataFrame({"label": labels, "x": rng.normal(size=200)})
    y = np.where(rng.random(200) < 0.5, "a", "b")
    model = CorrelationWeightedNaiveBayes().fit(X, y)
    assert model.encoder_.infrequent_labels_["label"]
    save_model(model, tmp_path / "m.augury", X=X)
    service = make_service(load_model(tmp_path / "m.augury"))
    assert service.is_fast
    tried = pd.DataFrame({"label": [*sorted(set(labels)), "new"], "x": 0.25})
    found = ask(service, {"rows": [row_of(tried, i) for i in range(len(tried))]})["predictions"]
    expected = model.predict_proba(tried)
    np.testing.assert_allclose(
        [list(each["probabilities"].values()) for each in found], expected, atol=1e-12
    )
    assert [each.get("unseen") for each in found] == [None] * (len(tried) - 1) + [{"label": "new"}]


def test_a_tie_is_decided_by_the_model(tmp_path):
    X = pd.DataFrame({"sky": ["sun", "rain"] * 2})
    model = NaiveBayes().fit(X, ["b", "b", "a", "a"])
    save_model(model, tmp_path / "m.augury", X=X)
    service = make_service(load_model(tmp_path / "m.augury"))
    found = ask(service, {"row": {"sky": "sun"}})
    assert found["probabilities"] == {"a": 0.5, "b": 0.5}
    assert found["predicted"] == model.predict(X.iloc[:1])[0]


def test_a_scorer_that_disagrees_is_not_used(tmp_path, monkeypatch):
    from augury.serve.additive_scorer import AdditiveScorer

    right = AdditiveScorer.probabilities_of
    monkeypatch.setattr(
        AdditiveScorer, "probabilities_of", lambda self, cells: right(self, cells)[::-1]
    )
    saved = save_named("nb", tmp_path / "m.augury")
    service = make_service(saved)
    assert not service.is_fast
    X = make_table().X
    found = ask(service, {"row": row_of(X, 0)})["probabilities"]
    assert list(found.values()) == pytest.approx(saved.model.predict_proba(X.iloc[:1])[0].tolist())


@pytest.mark.parametrize("name", ["nb", "hnb"])
def test_decisions_by_costs(name, tmp_path):
    model = tidy_model(name)
    costs = {"in": {"out": 5, "stay": 1}, "out": {"in": 1, "stay": 9}, "stay": {"in": 2, "out": 3}}
    model.set_params(model=CostClassifier(model["model"], costs))
    saved = save_fitted(model, make_table(), tmp_path / "m.augury")
    service = make_service(saved)
    X = rows_with_everything()
    agree(service, saved.model, X)
    found = ask(service, {"row": row_of(X, 0)})
    numbers = X.assign(wind=X["wind"].astype(float))
    expected = saved.model[-1].expected_cost(saved.model[:-1].transform(numbers))[0]
    assert found["decision"]["expected_cost"] == pytest.approx(expected)
    best = max(found["probabilities"], key=found["probabilities"].get)
    assert found["most_probable"] == best
    decided = [ask(service, {"row": row_of(X, i)}) for i in range(len(X))]
    assert any(each["predicted"] != each["most_probable"] for each in decided)


def test_decisions_by_a_threshold(tmp_path):
    model = tidy_model("nb")
    model.set_params(model=ThresholdClassifier(model["model"], positive="in"))
    dataset = make_table(n_classes=2)
    saved = save_fitted(model, dataset, tmp_path / "m.augury")
    service = make_service(saved)
    agree(service, saved.model, make_table(80, seed=9, n_classes=2).X)
    decision = ask(service, {"row": row_of(dataset.X, 0)})["decision"]
    assert decision == {
        "rule": "threshold",
        "positive": "in",
        "threshold": pytest.approx(saved.model[-1].threshold_),
    }


@pytest.mark.parametrize("name", ["nb", "tan"])
def test_contributions_sum_to_the_log_odds(name, tmp_path):
    saved = save_named(name, tmp_path / "m.augury")
    service = make_service(saved)
    X = rows_with_everything().iloc[:4]
    rows = [row_of(X, i) for i in range(len(X))]
    numbers = X.assign(wind=X["wind"].astype(float))
    read = saved.model[:-1].transform(numbers)
    explained = saved.model[-1].explain(read)
    for i, found in enumerate(ask(service, {"rows": rows, "explain": True})["predictions"]):
        parts = found["explanation"]
        total = parts["prior"] + sum(parts["contributions"].values())
        assert total == pytest.approx(parts["log_odds"], abs=1e-9)
        shares = found["probabilities"]
        odds = np.log(shares[parts["positive"]] / shares[parts["negative"]])
        assert parts["log_odds"] == pytest.approx(odds, abs=1e-9)
        expected = explained.iloc[i].drop("prior").to_dict()
        assert parts["contributions"] == pytest.approx(expected, abs=1e-9)


def test_a_model_without_probabilities_predicts(tmp_path):
    saved = save_named("svm", tmp_path / "m.augury")
    X = make_table().X
    found = ask(make_service(saved), {"row": row_of(X, 0)})
    assert found == {"predicted": saved.model.predict(X.iloc[:1])[0], "probabilities": None}


@pytest.mark.parametrize("name", ["nb", "gaussian-nb", "gam", "lda", "qda", "hnb", "augury"])
def test_numbers_that_are_too_large_give_json_or_an_error(name, tmp_path):
    """An answer has no NaN; a model without finite probabilities is reported by row."""
    application = make_application(save_named(name, tmp_path / "m.augury"))
    good = row_of(make_table().X, 3)
    for value in (1e308, -1e308, 5e-324, 1e16):
        row = {**good, "wind": value, "price": value}
        for explains in (False, True):
            status, answer = post(application, {"rows": [good, row], "explain": explains})
            if status == 422:
                found = [(each["loc"], each["type"]) for each in answer["detail"]]
                assert found == [(["rows", 1], "not_finite")]
            else:
                assert status == 200
                for each in answer["predictions"]:
                    assert sum(each["probabilities"].values()) == pytest.approx(1)


def test_a_column_may_have_the_name_prior(tmp_path):
    X = pd.DataFrame({"prior": ["a", "b", "a", "b"], "x": [1.0, 2.0, 3.0, 4.0]})
    save_model(NaiveBayes().fit(X, [0, 1, 0, 1]), tmp_path / "m.augury", X=X)
    service = make_service(load_model(tmp_path / "m.augury"))
    parts = ask(service, {"row": {"prior": "a", "x": 1}, "explain": True})["explanation"]
    assert set(parts["contributions"]) == {"prior", "x"}
    total = parts["prior"] + sum(parts["contributions"].values())
    assert total == pytest.approx(parts["log_odds"], abs=1e-12)
