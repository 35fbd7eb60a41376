from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from augury.evaluate import GrowingSamples, cross_validate, summarize_curve

labels = st.lists(st.sampled_from("aaaabbc"), min_size=20, max_size=60)


def split(y: Sequence[Any], sizes: Sequence[float], **options: Any) -> list[tuple[Any, Any]]:
    return list(GrowingSamples(sizes, **options).split(y, y))


class TestGrowingSamples:
    @given(labels, st.integers(0, 5))
    def test_samples_grow_and_keep_clear_of_the_test_rows(self, y: list[str], seed: int) -> None:
        pairs = split(y, [2, 5, 0.5, 1.0], n_repeats=2, random_state=seed)
        assert len(pairs) == 8
        for run in (pairs[:4], pairs[4:]):
            tests = {tuple(test) for _, test in run}
            assert len(tests) == 1
            for (small, _), (large, test) in pairwise(run):
                assert set(small) < set(large)
                assert not set(large) & set(test)
            train, test = run[-1]
            assert sorted([*train, *test]) == list(range(len(y)))

    @given(labels)
    def test_all_classes_as_soon_as_there_is_room(self, y: list[str]) -> None:
        classes = set(y)
        assume(len(classes) > 1)
        [(train, _)] = split(y, [len(classes)], n_repeats=1)
        assert {y[row] for row in train} == classes

    @pytest.mark.parametrize("size", [10, 20, 40, 70])
    def test_classes_in_proportion(self, size: int) -> None:
        y = np.repeat(["a", "b", "c"], [50, 30, 20])
        for train, test in split(y, [size], n_repeats=5):
            counts = np.array([(y[train] == label).sum() for label in "abc"])
            assert np.abs(counts - size * np.array([0.5, 0.3, 0.2])).max() <= 1.5
            held = np.array([(y[test] == label).sum() for label in "abc"])
            assert np.abs(held - [15, 9, 6]).max() <= 1

    def test_the_most_frequent_classes_come_first(self) -> None:
        y = np.repeat(["rare", "often", "some"], [2, 30, 10])
        for train, _ in split(y, [2], n_repeats=5):
            assert set(y[train]) == {"often", "some"}

    def test_the_seed_decides(self) -> None:
        y = np.repeat([0, 1], 20)

        def samples(seed: int) -> list[list[int]]:
            return [train.tolist() for train, _ in split(y, [5], n_repeats=3, random_state=seed)]

        assert samples(0) == samples(0)
        assert samples(0) != samples(1)
        assert len({tuple(train) for train in samples(0)}) == 3

    @pytest.mark.parametrize(
        ("sizes", "message"),
        [
            ([], "shares above 0 and up to 1.0, got none"),
            ([1], "whole numbers >= 2 of rows or shares above 0 and up to 1.0, got 1"),
            ([1.5], "got 1.5"),
            ([True], "got True"),
            ([5, 5], "must ascend from 2 rows to the 14 that are not for testing, got 5, 5"),
            ([5, 15], "got 5, 15"),
            ([0.01], "got 0"),
        ],
    )
    def test_errors_of_sizes(self, sizes: Sequence[float], message: str) -> None:
        with pytest.raises(ValueError, match=rf"^GrowingSamples: sizes .*{message}"):
            split([0, 1] * 10, sizes)

    def test_errors(self) -> None:
        with pytest.raises(TypeError, match=r"sizes must be whole numbers .* got 5"):
            GrowingSamples(5).get_n_splits()  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="test_share must be a number between 0 and 1, got 1"):
            split([0, 1] * 10, [2], test_share=1.0)
        with pytest.raises(ValueError, match="n_repeats must be an integer >= 1, got 0"):
            split([0, 1] * 10, [2], n_repeats=0)
        with pytest.raises(ValueError, match="y must be given"):
            list(GrowingSamples([2]).split([0, 1]))


class TestCurve:
    X, y = load_iris(return_X_y=True, as_frame=True)
    IRIS = SimpleNamespace(name="iris", X=X, y=y)
    MODELS = (("nb", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0)))

    def test_by_cross_validate(self) -> None:
        splitter = GrowingSamples([6, 30, 1.0], n_repeats=4)
        rows = cross_validate([self.IRIS], dict(self.MODELS), splitter)
        assert len(rows) == splitter.get_n_splits() * 2
        points = summarize_curve(reversed(rows))
        assert [(p.summary.model, p.n_train) for p in points] == [
            ("tree", 6), ("tree", 30), ("tree", 105), ("nb", 6), ("nb", 30), ("nb", 105),
        ]  # fmt: skip
        for point in points:
            mine = [
                row for row in rows
                if (row.model, row.n_train) == (point.summary.model, point.n_train)
            ]  # fmt: skip
            assert point.summary.n_folds == len(mine) == 4
            accuracy = 100 * np.mean([row.accuracy for row in mine])
            assert point.summary.accuracy_mean == pytest.approx(accuracy)
        tree = [point.summary.accuracy_mean for point in points[:3]]
        assert tree[0] < tree[2]

    def test_the_same_folds_by_hand(self) -> None:
        splitter = GrowingSamples([10], n_repeats=2)
        rows = cross_validate([self.IRIS], {"nb": GaussianNB()}, splitter)
        X, y = self.X.to_numpy(), self.y.to_numpy()
        for row, (train, test) in zip(rows, splitter.split(X, y), strict=True):
            model = GaussianNB().fit(X[train], y[train])
            assert row.accuracy == pytest.approx(model.score(X[test], y[test]))

    def test_no_rows_no_points(self) -> None:
        assert summarize_curve([]) == []
