import math
import re
from collections.abc import Iterator
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import (
    FixedThresholdClassifier,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from augury.evaluate import FoldResult, WekaFolds, cross_validate


def table(name: str = "tiny", **columns: Any) -> Any:
    frame = pd.DataFrame(columns)
    return SimpleNamespace(name=name, X=frame.drop(columns="y"), y=frame["y"])


def shipped(load: Any) -> Any:
    X, y = load(return_X_y=True, as_frame=True)
    return SimpleNamespace(name=load.__name__.removeprefix("load_"), X=X, y=y)


def without_seconds(rows: list[FoldResult]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in asdict(row).items() if not key.endswith("seconds")}
        for row in rows
    ]


class Recorder(ClassifierMixin, BaseEstimator):
    """Predicts the first class, and remembers what it was given."""

    seen: ClassVar[list[tuple[pd.DataFrame, pd.Series, pd.DataFrame]]] = []

    def fit(self, X: pd.DataFrame, y: pd.Series) -> "Recorder":
        self.classes_ = np.unique(y)
        self.training_ = (X, y)
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        self.seen.append((*self.training_, X))
        return np.zeros(len(X), dtype=int)


@pytest.fixture
def recorded() -> Iterator[list[tuple[pd.DataFrame, pd.Series, pd.DataFrame]]]:
    Recorder.seen.clear()
    yield Recorder.seen
    Recorder.seen.clear()


def test_by_hand() -> None:
    """Shares of the classes, learned from the other two thirds: 2/4 each in every fold."""
    data = table(x=[1, 2, 3, 4, 5, 6], y=list("ababab"))
    rows = cross_validate(
        [data], {"prior": DummyClassifier(strategy="prior")}, WekaFolds(n_splits=3, n_repeats=2)
    )
    assert [(row.run, row.fold) for row in rows] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    for row in rows:
        assert (row.dataset, row.model, row.protocol) == ("tiny", "prior", "honest")
        assert (row.n_train, row.n_test) == (4, 2)
        assert (row.accuracy, row.brier) == (0.5, 0.5)
        assert row.log_loss == pytest.approx(math.log(2))
        assert row.fit_seconds > 0
        assert row.predict_seconds > 0


def test_equal_to_scikit_learn() -> None:
    iris = shipped(load_iris)
    rows = cross_validate([iris], {"nb": GaussianNB()}, WekaFolds(n_repeats=2))
    for scoring, sign, name in [
        ("accuracy", 1, "accuracy"),
        ("neg_log_loss", -1, "log_loss"),
    ]:
        scores = cross_val_score(
            GaussianNB(), iris.X, iris.y, cv=WekaFolds(n_repeats=2), scoring=scoring
        )
        np.testing.assert_allclose([getattr(row, name) for row in rows], sign * scores, rtol=1e-9)


def test_order_is_dataset_model_run_fold() -> None:
    data = [table(name, x=range(8), y=list("abababab")) for name in "qp"]
    models = {"second": DummyClassifier(), "first": DummyClassifier()}
    rows = cross_validate(data, models, WekaFolds(n_splits=2, n_repeats=2))
    assert [(row.dataset, row.model, row.run, row.fold) for row in rows] == [
        (d, m, run, fold) for d in "qp" for m in models for run in (1, 2) for fold in (1, 2)
    ]


def test_number_of_workers_changes_nothing() -> None:
    data = [shipped(load_iris), shipped(load_wine)]
    models = {"nb": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    splitter = StratifiedKFold(4, shuffle=True, random_state=0)
    alone = cross_validate(data, models, splitter)
    together = cross_validate(data, models, splitter, n_jobs=2)
    assert without_seconds(alone) == without_seconds(together)


class TestTarget:
    def test_declared_classes_in_declared_order(self, recorded: list[Any]) -> None:
        labels = pd.Categorical(["z", "a", "a", "z"], categories=["z", "empty", "a"])
        cross_validate([table(x=range(4), y=labels)], {"m": Recorder()}, WekaFolds(2, 1))
        for X, y, _ in recorded:
            assert y.cat.categories.tolist() == [0, 1, 2]
            expected = np.where(labels[X["x"].to_numpy()] == "z", 0, 2)
            assert np.asarray(y).tolist() == expected.tolist()
            assert y.index.equals(X.index)

    def test_probability_of_a_class_the_model_does_not_know(self) -> None:
        """The only row of class c is tested by a model that never saw it."""
        y = pd.Categorical(list("aabbc"), categories=list("xabc"))
        rows = cross_validate(
            [table(x=range(5), y=y)], {"prior": DummyClassifier(strategy="prior")}, LeaveOneOut()
        )
        assert rows[0].log_loss == pytest.approx(-math.log(1 / 4))  # a, of a b b c
        assert rows[4].log_loss == pytest.approx(52 * math.log(2))  # c, of a a b b
        assert rows[4].brier == pytest.approx(1 + 2 * 0.5**2)

    def test_missing_label(self) -> None:
        message = r"^tiny: y must not have missing values, got one in row 2"
        for y in (["a", "b", None], pd.Categorical(["a", "b", None]), [0.0, 1.0, np.nan]):
            with pytest.raises(ValueError, match=message):
                cross_validate([table(x=range(3), y=y)], {"m": GaussianNB()})

    @pytest.mark.parametrize("kind", [pd.Series, np.array, list])
    def test_continuous_numbers_are_no_classes(self, kind: Any) -> None:
        data = SimpleNamespace(name="tiny", X=np.ones((4, 1)), y=kind([0.0, 0.5, 1.0, 1.5]))
        with pytest.raises(ValueError, match="continuous"):
            cross_validate([data], {"m": GaussianNB()}, WekaFolds(2, 1))
        # Declared categories are classes, whatever they are.
        data.y = pd.Series([0.5, 1.5, 0.5, 1.5], dtype="category")
        assert len(cross_validate([data], {"m": DummyClassifier()}, WekaFolds(2, 1))) == 2

    def test_arrays_and_other_frames(self) -> None:
        iris = shipped(load_iris)
        models = {"nb": GaussianNB()}
        expected = without_seconds(cross_validate([iris], models, WekaFolds(3, 1)))
        names = np.array(["setosa", "versicolor", "virginica"])[iris.y]
        polars = pytest.importorskip("polars")
        for X, y in [
            (iris.X.to_numpy(), iris.y.to_numpy()),
            (iris.X, names),
            (iris.X.to_numpy(), names.tolist()),
            (polars.DataFrame(iris.X.to_dict("list")), polars.Series(iris.y.tolist())),
        ]:
            data = SimpleNamespace(name="iris", X=X, y=y)
            for n_jobs in (1, 2):
                rows = cross_validate([data], models, WekaFolds(3, 1), n_jobs=n_jobs)
                assert without_seconds(rows) == expected

    @pytest.mark.parametrize("X", [[[1.0], [2.0]], pd.Series([1.0, 2.0]), np.ones(2), None])
    def test_features_that_are_no_table(self, X: Any) -> None:
        broken = SimpleNamespace(name="odd", X=X, y=["a", "b"])
        with pytest.raises(TypeError, match=r"^odd: X must be a data frame or a two-dimensional"):
            cross_validate([broken], {"m": GaussianNB()})

    def test_unequal_lengths(self) -> None:
        broken = SimpleNamespace(name="odd", X=pd.DataFrame({"x": [1, 2]}), y=pd.Series(["a"]))
        with pytest.raises(ValueError, match=r"^odd: X has 2 rows but y has 1"):
            cross_validate([broken], {"m": GaussianNB()})


class Counter(ClassifierMixin, BaseEstimator):
    """Predicts the class of the largest weight, and remembers the weights."""

    seen: ClassVar[list[tuple[pd.DataFrame, Any]]] = []

    def fit(self, X: pd.DataFrame, y: pd.Series, sample_weight: Any = None) -> "Counter":
        self.classes_ = np.unique(y)
        self.seen.append((X, sample_weight))
        self.commonest_ = np.bincount(y, sample_weight).argmax()
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.full(len(X), self.commonest_)


class TestWeights:
    # Two rows of b outweigh six of a.
    DATA: ClassVar[Any] = table(x=range(8), y=list("aaaaaabb"))
    DATA.sample_weight = pd.Series([1.0] * 6 + [5.0] * 2)

    def test_are_given_to_fit_and_weigh_the_losses(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Counter, "seen", [])
        rows = cross_validate([self.DATA], {"m": Counter()}, WekaFolds(2, 1))
        for X, weight in Counter.seen:
            assert weight.tolist() == self.DATA.sample_weight[X["x"]].tolist()
        assert [row.accuracy for row in rows] == [5 / 8, 5 / 8]  # b, and of 3 a + 5 b it is 5
        assert [(row.n_train, row.n_test) for row in rows] == [(4, 4), (4, 4)]

    def test_equal_repeated_rows_in_the_published_protocol(self) -> None:
        rng = np.random.default_rng(0)
        frame = pd.DataFrame({"x": rng.normal(size=40), "y": list("ab") * 20})
        frame.loc[frame["y"] == "a", "x"] += 1.5
        weight = rng.integers(1, 4, 40)
        weighted = table(x=frame["x"], y=frame["y"])
        weighted.sample_weight = weight
        repeated = frame.loc[np.repeat(range(40), weight)].reset_index(drop=True)
        rows = [
            cross_validate([data], {"m": DummyClassifier(strategy="prior")},
                           LeaveNothingOut(), protocol="published")
            for data in (weighted, table(x=repeated["x"], y=repeated["y"]))
        ]  # fmt: skip
        assert rows[0][0].log_loss == pytest.approx(rows[1][0].log_loss)
        assert rows[0][0].accuracy == pytest.approx(rows[1][0].accuracy)

    def test_that_a_model_does_not_take(self, recorded: list[Any]) -> None:
        with pytest.warns(
            UserWarning, match="m is fitted without the instance weights of tiny: Recorder takes no"
        ) as caught:
            rows = cross_validate([self.DATA], {"m": Recorder(), "n": Counter()}, WekaFolds(2, 1))
        assert len(caught) == 1
        assert caught[0].filename == __file__
        assert [row.accuracy for row in rows[:2]] == [3 / 8, 3 / 8]

    def test_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Counter, "seen", [])
        data = table(x=range(8), y=list("aaaaaabb"))
        data.sample_weight = None
        cross_validate([data], {"m": Counter()}, WekaFolds(2, 1))
        assert all(weight is None for _, weight in Counter.seen)

    def test_broken(self) -> None:
        data = table(x=range(4), y=list("abab"))
        data.sample_weight = [1, 1, -1, 1]
        with pytest.raises(ValueError, match=r"^tiny: sample_weight must be >= 0, got -1"):
            cross_validate([data], {"m": Counter()})


class LeaveNothingOut:
    """Trains and tests on all rows."""

    def get_n_splits(self) -> int:
        return 1

    def split(self, X: Any, y: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        yield np.arange(len(X)), np.arange(len(X))


class TestSplitter:
    @pytest.mark.parametrize("splitter", [3, "kfold", WekaFolds])
    def test_that_is_none(self, splitter: Any) -> None:
        with pytest.raises(TypeError, match=r"splitter must be a scikit-learn splitter, such as W"):
            cross_validate([table(x=[1, 2], y=["a", "b"])], {"m": GaussianNB()}, splitter)

    @pytest.mark.parametrize(
        ("splitter", "expected"),
        [
            (RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0),
             [(1, 1), (1, 2), (2, 1), (2, 2)]),
            (ShuffleSplit(n_splits=3, random_state=0), [(1, 1), (1, 2), (1, 3)]),
            (LeaveOneOut(), [(1, fold) for fold in range(1, 9)]),
        ],
    )  # fmt: skip
    def test_numbers_of_runs_and_folds(
        self, splitter: Any, expected: list[tuple[int, int]]
    ) -> None:
        data = table(x=range(8), y=list("abababab"))
        rows = cross_validate([data], {"m": DummyClassifier()}, splitter)
        assert [(row.run, row.fold) for row in rows] == expected

    def test_default_is_ten_times_ten_folds(self) -> None:
        data = table(x=range(20), y=list("ab") * 10)
        rows = cross_validate([data], {"m": DummyClassifier()})
        assert (len(rows), rows[-1].run, rows[-1].fold) == (100, 10, 10)

    def test_all_models_see_the_same_folds(self, recorded: list[Any]) -> None:
        data = table(x=range(10), y=list("ab") * 5)
        splitter = ShuffleSplit(n_splits=2)  # another split whenever it is asked
        cross_validate([data], {"m": Recorder(), "n": Recorder()}, splitter)
        tested = [X["x"].tolist() for _, _, X in recorded]
        assert tested[:2] == tested[2:]


class TestProtocol:
    DATA: ClassVar[Any] = table(
        number=[1.0, 2.0, 3.0, np.nan, 11.0, 12.0, 13.0, 14.0] * 3,
        label=pd.Categorical(["u", "v", None, "u"] * 6, categories=["v", "u", "w"]),
        y=list("aaaabbbb") * 3,
    )

    def test_honest_gives_the_rows_as_they_are(self, recorded: list[Any]) -> None:
        cross_validate([self.DATA], {"m": Recorder()}, WekaFolds(2, 1))
        for X, _, X_test in recorded:
            pd.testing.assert_frame_equal(X, self.DATA.X.loc[X.index])
            pd.testing.assert_frame_equal(X_test, self.DATA.X.loc[X_test.index])
            assert set(X.index) | set(X_test.index) == set(range(24))
            assert not set(X.index) & set(X_test.index)

    def test_published_preprocesses_the_whole_set(self, recorded: list[Any]) -> None:
        rows = cross_validate([self.DATA], {"m": Recorder()}, WekaFolds(2, 1), protocol="published")
        assert {row.protocol for row in rows} == {"published"}
        for X, _, X_test in recorded:
            both = pd.concat([X, X_test]).sort_index()
            # Mode u replaces the gap; all three declared labels stay.
            assert both["label"].tolist() == ["u", "v", "u", "u"] * 6
            assert both["label"].cat.categories.tolist() == ["v", "u", "w"]
            # The mean is 8, so the one cut lies between 8 and 11, and row 3 stays left.
            assert both["number"].cat.codes.tolist() == [0, 0, 0, 0, 1, 1, 1, 1] * 3

    def test_unknown(self) -> None:
        with pytest.raises(ValueError, match="protocol must be one of 'honest', 'published'"):
            cross_validate([self.DATA], {"m": Recorder()}, protocol="optimistic")


class TestModels:
    def test_without_probabilities(self) -> None:
        rows = cross_validate([shipped(load_iris)], {"ridge": RidgeClassifier()}, WekaFolds(5, 1))
        assert all(math.isnan(row.log_loss) and math.isnan(row.brier) for row in rows)
        assert all(row.accuracy > 0.5 for row in rows)

    def test_accuracy_is_of_predict(self) -> None:
        """A classifier may decide by another rule than the largest probability."""
        data = table(x=range(20), y=[0, 1] * 10)
        never = FixedThresholdClassifier(DummyClassifier(strategy="prior"), threshold=0.9)
        always = FixedThresholdClassifier(DummyClassifier(strategy="prior"), threshold=0.1)
        data.y[:4] = 1
        rows = cross_validate([data], {"never": never, "always": always}, WekaFolds(2, 1))
        never_right, always_right = (
            [row.accuracy for row in rows if row.model == model] for model in ("never", "always")
        )
        np.testing.assert_allclose(np.add(never_right, always_right), 1.0)
        assert [row.log_loss for row in rows[:2]] == [row.log_loss for row in rows[2:]]

    def test_are_left_unfitted(self) -> None:
        model = GaussianNB()
        cross_validate([shipped(load_iris)], {"nb": model}, WekaFolds(5, 1))
        assert not hasattr(model, "classes_")

    def test_none(self) -> None:
        with pytest.raises(ValueError, match="models must name at least one estimator"):
            cross_validate([shipped(load_iris)], {})

    @pytest.mark.parametrize("models", [[GaussianNB()], GaussianNB(), "nb", None])
    def test_without_names(self, models: Any) -> None:
        with pytest.raises(TypeError, match="models must be a mapping from names to classifiers"):
            cross_validate([shipped(load_iris)], models)

    @pytest.mark.parametrize("model", [3, GaussianNB, Ridge(), StandardScaler()])
    def test_that_are_no_classifiers(self, model: Any) -> None:
        with pytest.raises(
            TypeError, match=r"models\['m'\] must be a scikit-learn classifier, got"
        ):
            cross_validate([shipped(load_iris)], {"m": model})


class TestTrouble:
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_error_names_model_dataset_and_fold(
        self, n_jobs: int, capfd: pytest.CaptureFixture[str]
    ) -> None:
        wine = shipped(load_wine)
        wine.X.iloc[:, 0] = np.nan
        with pytest.raises(ValueError, match="contains NaN") as caught:
            cross_validate([shipped(load_iris), wine], {"nb": GaussianNB()}, n_jobs=n_jobs)
        (note,) = caught.value.__notes__
        # Of two processes either may fail first.
        run = "1" if n_jobs == 1 else r"\d+"
        assert re.fullmatch(rf"\(nb on wine, run {run}, fold {run}\)", note)
        assert capfd.readouterr().err == ""

    def test_a_data_set_that_fails_while_workers_are_busy(
        self, capfd: pytest.CaptureFixture[str]
    ) -> None:
        def datasets() -> Iterator[Any]:
            yield shipped(load_iris)
            raise OSError("no such file")

        with pytest.raises(OSError, match="no such file"):
            cross_validate(datasets(), {"nb": GaussianNB()}, n_jobs=2)
        assert capfd.readouterr().err == ""

    def test_nothing_more_is_computed_after_an_error(self, recorded: list[Any]) -> None:
        class Broken(Recorder):
            def predict(self, X: pd.DataFrame) -> np.ndarray:
                super().predict(X)
                raise RuntimeError("broken")

        data = table(x=range(40), y=list("ab") * 20)
        with pytest.raises(RuntimeError, match="broken"):
            cross_validate([data], {"m": Broken()})
        assert len(recorded) == 1

    def test_the_losses_name_the_fold_too(self) -> None:
        class Undecided(GaussianNB):
            def predict_proba(self, X: Any) -> np.ndarray:
                return np.full((len(X), 3), np.nan)

        with pytest.raises(ValueError, match="log_loss: probabilities must be") as caught:
            cross_validate([shipped(load_iris)], {"nb": Undecided()})
        assert caught.value.__notes__ == ["(nb on iris, run 1, fold 1)"]

    @pytest.mark.parametrize("datasets", [shipped(load_iris), 3, None])
    def test_no_list_of_data_sets(self, datasets: Any) -> None:
        with pytest.raises(TypeError, match="datasets must be a list of data sets, got"):
            cross_validate(datasets, {"nb": GaussianNB()})

    @pytest.mark.parametrize("datasets", ["iris", ["iris"], [np.ones((3, 2))]])
    def test_no_data_sets(self, datasets: Any) -> None:
        with pytest.raises(TypeError, match="datasets must each have a name, X and y, got"):
            cross_validate(datasets, {"nb": GaussianNB()})

    @pytest.mark.parametrize("n_jobs", ["2", 0, 1.5])
    def test_number_of_workers(self, n_jobs: Any) -> None:
        with pytest.raises(ValueError, match=r"^cross_validate: n_jobs must be None or an integer"):
            cross_validate([shipped(load_iris)], {"nb": GaussianNB()}, n_jobs=n_jobs)

    def test_two_data_sets_of_one_name(self) -> None:
        with pytest.raises(ValueError, match="two data sets have the name 'iris'"):
            cross_validate([shipped(load_iris)] * 2, {"nb": GaussianNB()}, WekaFolds(5, 1))


def test_progress_hears_of_every_fold() -> None:
    heard: list[FoldResult] = []
    rows = cross_validate(
        [shipped(load_iris)], {"nb": GaussianNB()}, WekaFolds(n_repeats=2), progress=heard.extend
    )
    assert heard == rows
