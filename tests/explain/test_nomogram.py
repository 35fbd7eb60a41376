"""Points of a nomogram sum to the log odds of the model."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline

from augury.discriminative import C45Tree, LiblinearLogisticRegression, LogisticRegression
from augury.encode import TidyColumns
from augury.errors import PictureError
from augury.explain.nomogram import make_nomogram
from augury.explain.nomogram_contents import probability
from augury.generative import (
    BernoulliNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier

RNG = np.random.default_rng(0)
N = 200
CODES = RNG.integers(0, 3, N)
Y = np.array(["maybe", "no", "yes"])[CODES]
SKY = np.array(["fog", "rain", "sun", "snow"], dtype=object)


def make_rows() -> pd.DataFrame:
    shift = CODES * (RNG.random(N) < 0.5)
    rows = pd.DataFrame(
        {
            "sky": SKY[(RNG.integers(0, 4, N) + shift) % 4],
            "temperature": RNG.normal(CODES, 1 + 0.5 * CODES),
            "wind": RNG.normal(size=N) + (CODES == 1),
        }
    )
    rows.loc[RNG.random(N) < 0.1, "sky"] = None
    rows.loc[RNG.random(N) < 0.1, "temperature"] = np.nan
    return rows


X = make_rows()
# Known values, an unseen label, a number far away, missing values where `fit` saw none.
NEW = X.iloc[:8].copy()
NEW.loc[1, "sky"] = "an unseen label"
NEW.loc[2, "temperature"] = 12.0
NEW.loc[3, "wind"] = np.nan
NEW.loc[4, ["sky", "temperature"]] = [None, np.nan]
TWO = Y != "maybe"

ANY_CLASSES = (
    NaiveBayes(),
    NaiveBayes(missing="replace"),
    NaiveBayes(missing="ignore"),
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="gaussian", missing="replace"),
    NaiveBayes(continuous="interval"),
    BernoulliNaiveBayes(),
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(missing="ignore"),
    LogisticRegression(),
    LogisticRegression(continuous="standardize"),
    LogisticRegression(continuous="discretize"),
    LogisticRegression(coefficients="reference", missing="replace"),
    AugmentedClassifier(),
    AugmentedClassifier(encoding="none", output="proba"),
    AugmentedClassifier(encoding="ordinal"),
    Pipeline([("columns", TidyColumns()), ("model", NaiveBayes(continuous="gaussian"))]),
)
TWO_CLASSES = (
    LiblinearLogisticRegression(),
    LiblinearLogisticRegression(encoding="ordinal", scaling="range"),
    LiblinearLogisticRegression(encoding="onehot", missing="replace"),
    LiblinearLogisticRegression(encoding="ordinal", discretizer=None, missing="ignore"),
    AugmentedClassifier.as_published("nb-lr"),
    AugmentedClassifier.as_published("nb-nb"),
)


def check_sums(model: Any, positive: str, negative: str) -> None:
    has_logs = hasattr(model, "predict_log_proba")
    log_proba = model.predict_log_proba(NEW) if has_logs else np.log(model.predict_proba(NEW))
    at = {label: k for k, label in enumerate(model.classes_)}
    for i in range(len(NEW)):
        found = make_nomogram(model, positive=positive, negative=negative, row=NEW.iloc[i : i + 1])
        points = found.row_points()
        assert min(points) >= -1e-9
        assert max(points) <= 100 + 1e-9
        expected = log_proba[i, at[positive]] - log_proba[i, at[negative]]
        assert found.log_odds_of(sum(points)) == pytest.approx(expected, abs=1e-9, rel=1e-9)
        assert found.row is not None
        assert found.intercept + sum(mark.log_odds for mark in found.row) == pytest.approx(
            expected, abs=1e-9, rel=1e-9
        )


@pytest.mark.parametrize("model", ANY_CLASSES, ids=repr)
def test_points_of_a_row_sum_to_its_log_odds(model: Any) -> None:
    check_sums(model.fit(X, Y), "yes", "no")


@pytest.mark.parametrize("model", TWO_CLASSES, ids=repr)
def test_points_of_a_row_sum_to_its_log_odds_of_two_classes(model: Any) -> None:
    check_sums(model.fit(X[TWO], Y[TWO]), "yes", "no")


class TestNaiveBayes:
    # p(sun | yes) = 3/4, p(sun | no) = 1/3: the log odds are log 9/4; for rain log 3/8.
    model = NaiveBayes().fit(pd.DataFrame({"sky": ["sun", "sun", "rain"]}), ["yes", "yes", "no"])

    def test_log_odds_of_labels(self) -> None:
        found = make_nomogram(self.model)
        [column] = found.columns
        assert [label.label for label in column.labels] == ["rain", "sun"]
        assert [label.log_odds for label in column.labels] == pytest.approx(np.log([3 / 8, 9 / 4]))
        assert found.intercept == pytest.approx(np.log(3 / 2))
        assert (column.missing, column.unseen) == (0.0, 0.0)
        assert (found.positive, found.negative, found.n_classes) == ("yes", "no", 2)

    def test_points(self) -> None:
        found = make_nomogram(self.model)
        [column] = found.columns
        assert [found.points(column, label.log_odds) for label in column.labels] == pytest.approx(
            [0.0, 100.0]
        )
        assert found.largest_total == pytest.approx(100.0)
        assert found.base == pytest.approx(np.log(3 / 2) + np.log(3 / 8))
        assert found.total_of(found.log_odds_of(37.0)) == pytest.approx(37.0)
        assert probability(found.log_odds_of(100.0)) == pytest.approx(27 / 35)

    def test_the_other_direction(self) -> None:
        found = make_nomogram(self.model, positive="no", negative="yes")
        assert found.intercept == pytest.approx(np.log(2 / 3))
        assert found.columns[0].labels[0].log_odds == pytest.approx(np.log(8 / 3))

    def test_marks(self) -> None:
        for value, text in (("sun", "sun"), ("fog", "unseen"), (None, "unseen")):
            found = make_nomogram(self.model, row=pd.DataFrame({"sky": [value]}))
            assert found.row is not None
            assert found.row[0].value == text


class TestNumbers:
    def test_a_normal_density_is_one_parabola(self) -> None:
        model = NaiveBayes(continuous="gaussian", variance_floor=0.0)
        x, y = np.array([[0.0], [2.0], [5.0], [9.0]]), ["a", "a", "b", "b"]
        found = make_nomogram(model.fit(x, y))
        [piece] = found.columns[0].pieces
        (m0, m1), (v0, v1) = model.mean_[0], model.variance_[0]
        for value in (-3.0, 0.0, 4.0):
            expected = 0.5 * (
                (value - m0) ** 2 / v0 - (value - m1) ** 2 / v1 + np.log(v0) - np.log(v1)
            )
            assert piece.log_odds(value) == pytest.approx(expected)
        turn = piece.turning_point()
        assert turn is not None
        assert turn == pytest.approx((m1 / v1 - m0 / v0) / (1 / v1 - 1 / v0))

    def test_intervals_are_labels_with_cut_points(self) -> None:
        model = NaiveBayes().fit([[1.0], [2.0], [7.0], [9.0]] * 5, [0, 0, 1, 1] * 5)
        [column] = make_nomogram(model).columns
        assert column.cuts == (4.5,)
        assert [label.label for label in column.labels] == ["≤ 4.5", "> 4.5"]
        assert column.log_odds(4.5) == column.labels[0].log_odds
        assert column.log_odds(4.6) == column.labels[1].log_odds

    def test_a_regression_on_intervals_and_numbers_has_a_line_in_each(self) -> None:
        model = LogisticRegression().fit([[1.0], [2.0], [7.0], [9.0]] * 5, [0, 0, 1, 1] * 5)
        [column] = make_nomogram(model).columns
        assert [(piece.low, piece.high) for piece in column.pieces] == [(None, 4.5), (4.5, None)]
        for x in (0.0, 4.5, 4.6, 11.0):
            assert column.log_odds(x) == pytest.approx(
                model.decision_function([[x]])[0] - model.intercept_[1] + model.intercept_[0]
            )

    def test_the_range_is_that_of_given_rows(self) -> None:
        model = NaiveBayes(continuous="gaussian").fit(X, Y)
        columns = {
            c.name: c for c in make_nomogram(model, positive="yes", negative="no", X=X).columns
        }
        temperature = columns["temperature"]
        assert (temperature.low, temperature.high) == (
            X["temperature"].min(), X["temperature"].max(),
        )  # fmt: skip
        far = NEW.iloc[2:3]
        marked = make_nomogram(model, positive="yes", negative="no", X=X, row=far)
        assert {c.name: c for c in marked.columns}["temperature"].high == 12.0

    def test_a_density_without_a_formula_is_approximated(self) -> None:
        model = NaiveBayes(continuous="interval").fit(X[["wind"]], Y)
        [column] = make_nomogram(model, positive="yes", negative="no", X=X[["wind"]]).columns
        assert not column.is_exact
        x = pd.DataFrame({"wind": np.linspace(-2.0, 2.0, 50)})
        log_proba = np.log(model.predict_proba(x))
        prior = model.log_prior_[2] - model.log_prior_[1]
        exact = log_proba[:, 2] - log_proba[:, 1] - prior
        drawn = np.array([column.log_odds(value) for value in x["wind"]])
        assert np.abs(drawn - exact).max() < 0.05 * np.ptp(exact)


def test_missing_values_of_a_number_have_a_label() -> None:
    found = make_nomogram(
        NaiveBayes(continuous="gaussian").fit(X, Y), positive="yes", negative="no"
    )
    columns = {column.name: column for column in found.columns}
    assert set(columns) == {"sky", "temperature", "wind"}
    assert [label.label for label in columns["sky"].labels] == [
        "fog", "rain", "snow", "sun", "missing",
    ]  # fmt: skip
    assert columns["sky"].missing is None
    [label] = columns["temperature"].labels
    assert (label.label, columns["temperature"].missing) == ("missing", None)
    assert columns["wind"].labels == ()
    assert columns["wind"].missing == 0.0


def test_a_label_with_the_text_missing_is_no_missing_value() -> None:
    rows = pd.DataFrame({"sky": ["sun", "missing", "rain", "sun"]})
    [column] = make_nomogram(NaiveBayes().fit(rows, [0, 1, 0, 1])).columns
    assert [label.label for label in column.labels] == ["missing", "rain", "sun"]
    assert column.missing == 0.0


class OtherNaiveBayes(NaiveBayes):
    """A model with weights of columns, which its base does not know."""

    def _log_terms(self, table: Any) -> tuple[list[str], Any]:
        names, terms = super()._log_terms(table)
        terms[:, 1:] *= 0.5
        return names, terms


def test_models_of_states_that_explain_themselves_need_no_lines_here() -> None:
    labels = X[["sky"]].assign(hot=(X["temperature"] > 1).astype(str))
    model = OtherNaiveBayes().fit(labels, Y)
    row = labels.iloc[:1]
    found = make_nomogram(model, positive="yes", negative="no", row=row)
    expected = model.explain(row, "yes", "no").iloc[0]
    assert found.log_odds_of(sum(found.row_points())) == pytest.approx(expected.sum())
    assert found.intercept == pytest.approx(expected["prior"])


def test_columns_are_ordered_by_range() -> None:
    found = make_nomogram(LogisticRegression().fit(X, Y), positive="yes", negative="no")
    ranges = [column.largest - column.smallest for column in found.columns]
    assert ranges == sorted(ranges, reverse=True)
    assert found.points(found.columns[0], found.columns[0].largest) == pytest.approx(100.0)


def test_all_numbers_are_json() -> None:
    found = make_nomogram(
        NaiveBayes(continuous="gaussian").fit(X, Y), positive="yes", negative="no", row=NEW[:1]
    )
    again = json.loads(json.dumps(asdict(found), allow_nan=False))
    assert again["columns"][0]["name"] == found.columns[0].name


class TestErrors:
    def test_classes(self) -> None:
        model = NaiveBayes().fit(X, Y)
        with pytest.raises(PictureError, match="two of the 3 classes maybe, no, yes"):
            make_nomogram(model)
        with pytest.raises(
            PictureError, match=r"positive must be one of the classes .* got perhaps"
        ):
            make_nomogram(model, positive="perhaps", negative="no")
        with pytest.raises(PictureError, match="must be two classes, got no for both"):
            make_nomogram(model, positive="no", negative="no")
        declared = pd.Categorical(Y[TWO], categories=["maybe", "no", "yes"])
        regression = LogisticRegression().fit(X[TWO], declared)
        with pytest.raises(PictureError, match="no training row has the class maybe"):
            make_nomogram(regression, positive="maybe", negative="no")

    def test_models_without_additive_log_odds(self) -> None:
        for model in (TreeAugmentedNaiveBayes(), C45Tree()):
            with pytest.raises(PictureError, match=f"of {type(model).__name__} are not a sum"):
                make_nomogram(model.fit(X, Y), positive="yes", negative="no")
        with pytest.raises(PictureError, match="fits each of more than two classes"):
            make_nomogram(LiblinearLogisticRegression().fit(X, Y), positive="yes", negative="no")

    def test_rows(self) -> None:
        model = NaiveBayes().fit(X[TWO], Y[TWO])
        with pytest.raises(PictureError, match="a table of one row, got 2 rows"):
            make_nomogram(model, row=NEW[:2])
