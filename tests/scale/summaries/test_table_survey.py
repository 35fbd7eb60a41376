"""Surveys of parts add up to the survey of all rows."""

import pickle
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import fsum
from operator import add
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.encode import TableEncoder
from augury.encode.column_plan import OpenLabelColumn
from augury.encode.encoder_checks import check_fitted_encoder
from augury.encode.table import INFREQUENT, MISSING
from augury.scale.summaries.exact_sum import ExactSum
from augury.scale.summaries.hashes import hash_numbers, hash_rows
from augury.scale.summaries.label_counts import LabelCounts
from augury.scale.summaries.number_survey import NumberSurvey
from augury.scale.summaries.survey_encoder import learn_encoder
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.table_survey import TableSurvey
from tests.scale.summaries.frames import parts_of, random_frame, survey_frame, survey_parts

SMALL = SurveySettings(max_values=20, max_sample=16, max_hashes=8)


def plain(value: Any) -> Any:
    """Return a summary as values that can be compared, with dicts in their order."""
    if isinstance(value, dict):
        return [(key, plain(each)) for key, each in value.items()]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


def assert_equal_surveys(ours: TableSurvey, expected: TableSurvey) -> None:
    for name, column in expected.columns.items():
        found = ours.columns[name]
        if column.numbers is not None and found.numbers is not None and not column.numbers.once:
            # The larger block had an integer twice that was not sampled.
            changed = replace(found, numbers=replace(found.numbers, once=None))
            ours = replace(ours, columns={**ours.columns, name: changed})
    np.testing.assert_equal(plain(ours), plain(expected))


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 60),
    ends=st.lists(st.integers(1, 60), max_size=5),
    split=st.integers(0, 5),
    settings=st.sampled_from(
        [SurveySettings(), SMALL, SurveySettings(as_labels=frozenset({"count", "length"}))]
    ),
    weighted=st.booleans(),
)
def test_any_division_of_the_rows_gives_the_same_survey(
    seed: int,
    n_rows: int,
    ends: list[int],
    split: int,
    settings: SurveySettings,
    weighted: bool,
) -> None:
    rng = np.random.default_rng(seed)
    frame = random_frame(rng, n_rows)
    weight = rng.integers(0, 5, n_rows) / 2 if weighted else None
    parts = survey_parts(frame, weight, parts_of(n_rows, ends), settings)
    expected = survey_frame(frame, weight, [], settings)
    assert_equal_surveys(reduce(add, parts), expected)
    left, right = parts[:split], parts[split:]
    if left and right:
        grouped = reduce(add, left) + reduce(lambda a, b: b + a, reversed(right))
        assert_equal_surveys(grouped, expected)
    assert_equal_surveys(pickle.loads(pickle.dumps(expected)), expected)


class TestByHand:
    def test_numbers(self) -> None:
        frame = pd.DataFrame({"a": [2.0, np.nan, 5.0, 2.0], "b": [1, 2, 3, 4]})
        weight = np.array([1.0, 1.0, 2.0, 0.0])
        column = survey_frame(frame, weight, [1, 3]).column("a")
        assert (column.kind, column.n_rows, column.n_missing) == ("numbers", 4, 1)
        assert column.numbers is not None
        assert column.numbers.values is not None
        assert column.numbers.values.tolist() == [2.0, 5.0]
        assert column.numbers.mean == 4.0
        assert (column.numbers.low, column.numbers.high) == (2.0, 5.0)
        assert not column.numbers.occur_once
        assert survey_frame(frame).column("b").numbers.occur_once  # type: ignore[union-attr]

    def test_labels_keep_the_order_of_their_first_rows(self) -> None:
        frame = pd.DataFrame({"a": ["b", None, "a", "b"]})
        labels = survey_frame(frame, np.array([1.0, 1.0, 0.5, 2.0]), [2]).column("a").labels
        assert labels is not None
        assert list(labels.rows.items()) == [("b", 2), ("a", 1)]
        assert labels.weights == {"b": 3.0, "a": 0.5}

    def test_declared_labels_are_united(self) -> None:
        one = pd.DataFrame({"a": pd.Categorical(["y"], categories=["x", "y"])})
        two = pd.DataFrame({"a": pd.Categorical(["z", None], categories=["z", "x"])})
        column = (survey_frame(one) + survey_frame(two)).column("a")
        assert column.declared == ("x", "y", "z")
        assert column.labels is not None
        assert column.labels.rows == {"y": 1, "z": 1}

    def test_a_missing_value_of_weight_zero(self) -> None:
        column = survey_frame(pd.DataFrame({"a": ["x", None]}), np.array([1.0, 0.0])).column("a")
        assert (column.n_missing, column.has_missing) == (1, False)

    def test_blocks_without_a_value_take_the_kind_of_the_others(self) -> None:
        nothing = survey_frame(pd.DataFrame({"a": [np.nan, np.nan]}))
        labels = survey_frame(pd.DataFrame({"a": ["x", "y"]}))
        for both in (nothing + labels, labels + nothing):
            column = both.column("a")
            assert (column.kind, column.n_missing, column.n_rows) == ("labels", 2, 4)


class TestErrors:
    @pytest.mark.parametrize(
        ("one", "two"),
        [([1, 2], ["x", "y"]), ([True, False], [0, 1]), (["x"], pd.Categorical(["x"]))],
    )
    def test_columns_of_mixed_kinds(self, one: Any, two: Any) -> None:
        first, second = (survey_frame(pd.DataFrame({"b": 0, "a": a})) for a in (one, two))
        with pytest.raises(TypeError, match="column 'a' must hold values of one kind"):
            first + second

    def test_other_columns(self) -> None:
        first = survey_frame(pd.DataFrame({"a": [1]}))
        with pytest.raises(ValueError, match="only one has 'b'"):
            first + survey_frame(pd.DataFrame({"a": [1], "b": [1]}))

    def test_other_settings(self) -> None:
        frame = pd.DataFrame({"a": [1]})
        with pytest.raises(ValueError, match="the same settings"):
            survey_frame(frame) + survey_frame(frame, settings=SMALL)

    def test_two_columns_of_one_name(self) -> None:
        with pytest.raises(ValueError, match="two columns are named 'a'"):
            survey_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]))

    def test_values_without_a_hash(self) -> None:
        with pytest.raises(TypeError, match="column 'a' must be text, numbers, dates or booleans"):
            survey_frame(pd.DataFrame({"a": [[1], [2]]}))

    def test_a_type_that_no_model_reads(self) -> None:
        with pytest.raises(TypeError, match="column 'a' must be numbers, text, booleans"):
            survey_frame(pd.DataFrame({"a": pd.to_timedelta([1, 2])}))

    def test_bins_of_labels(self) -> None:
        with pytest.raises(ValueError, match="column 'a' must hold numbers, got labels"):
            survey_frame(pd.DataFrame({"a": ["x"]})).bins("a", 2)


class TestManyLabels:
    settings = SurveySettings(max_labels=50, max_hashes=64)

    def survey(self, n_rows: int, ends: list[int]) -> tuple[pd.DataFrame, TableSurvey]:
        rng = np.random.default_rng(4)
        frame = pd.DataFrame({"a": [f"v{i}" for i in rng.zipf(1.5, n_rows)]})
        frame.loc[::10, "a"] = None
        return frame, survey_frame(frame, None, ends, self.settings)

    @pytest.mark.parametrize("ends", [[], [100, 200, 2000], list(range(50, 5000, 50))])
    def test_the_error_of_a_weight_is_bounded(self, ends: list[int]) -> None:
        frame, survey = self.survey(5000, ends)
        labels = survey.column("a").labels
        assert labels is not None
        assert not labels.is_exact
        assert len(labels.rows) <= 50
        counts = frame["a"].value_counts()
        assert labels.lost <= counts.sum() / 51
        for label, n_rows in counts.items():
            assert 0 <= n_rows - labels.rows.get(label, 0) <= labels.lost
        assert sum(labels.rows.values()) + labels.left_out == counts.sum()

    def test_a_sample_estimates_the_number_of_labels(self) -> None:
        frame, survey = self.survey(20000, [7000])
        labels = survey.column("a").labels
        assert labels is not None
        assert labels.sample is not None
        counts = frame["a"].value_counts()
        assert labels.n_labels == pytest.approx(len(counts), rel=0.5)
        assert all(counts[label] == n_rows for label, n_rows in labels.sample.rows.items())

    def test_weights(self) -> None:
        first = LabelCounts({"a": 1, "b": 1}, {"a": 5.0, "b": 1.5}, 2, 8)
        both = first + LabelCounts({"c": 1}, {"c": 2.0}, 2, 8)
        assert both.weights == {"a": 3.5, "c": 0.5}
        assert (both.lost, both.left_out) == (1.5, 4.5)

    @pytest.mark.parametrize(
        ("min_frequency", "max_states"), [(None, None), (200, None), (None, 4)]
    )
    def test_other_labels_share_a_state(
        self, min_frequency: int | None, max_states: int | None
    ) -> None:
        frame, survey = self.survey(5000, [100])
        encoder = TableEncoder(min_frequency=min_frequency, max_states=max_states)
        learn_encoder(encoder, survey, {})
        check_fitted_encoder(encoder)
        (column,) = encoder._columns
        assert isinstance(column, OpenLabelColumn)
        states = list(column.states)
        assert states[-2:] == [INFREQUENT, MISSING]
        assert "v1" in states
        assert max_states is None or len(states) == max_states + 1
        codes = encoder.encode(frame).codes[:, 0]
        expected = [
            states.index(MISSING if pd.isna(v) else v if v in states else INFREQUENT)
            for v in frame["a"]
        ]
        assert codes.tolist() == expected
        assert encoder.unseen_labels(pd.DataFrame({"a": ["never"]})) == {}

    def test_more_declared_labels_than_are_kept(self) -> None:
        names = [f"v{i}" for i in range(80)]
        frame = pd.DataFrame({"a": pd.Categorical(["v3"] * 9 + ["v70"], categories=names)})
        column = survey_frame(frame, settings=self.settings).column("a")
        assert column.declared is None
        assert column.labels is not None
        assert column.labels.rows == {"v3": 9, "v70": 1}


class TestManyNumbers:
    @given(seed=st.integers(0, 2**32 - 1), ends=st.lists(st.integers(1, 300), max_size=3))
    def test_the_sample_does_not_depend_on_the_parts(self, seed: int, ends: list[int]) -> None:
        values = np.random.default_rng(seed).normal(size=300)
        frame = pd.DataFrame({"a": values})
        survey = survey_frame(frame, None, ends, SMALL)
        rows = np.isin(values, survey.sample.columns["a"])
        hashes = hash_rows(5, 0, 300)
        assert survey.sample.columns["a"].tolist() == values[rows].tolist()
        assert 0 < rows.sum() <= 16
        assert hashes[rows].max() < hashes[~rows].min()
        assert survey.column("a").numbers.values is None  # type: ignore[union-attr]

    def test_known_columns_are_not_searched_again(self) -> None:
        frame = pd.DataFrame({"a": np.arange(0, 300, 0.5), "b": 1})
        survey = survey_frame(frame, None, [300], SMALL)
        assert survey.too_many == {"a"}
        one = TableSurvey.collect(frame[:300], None, 5, 0, SMALL)
        two = TableSurvey.collect(frame[300:], None, 5, 300, SMALL, one.too_many)
        assert_equal_surveys(one + two, survey)

    @pytest.mark.parametrize("kind", [np.int64, np.float64])
    def test_integers_that_occur_once(self, kind: Any) -> None:
        rng = np.random.default_rng(0)
        once = rng.permutation(3000).astype(kind)
        twice = np.append(once[:-1], once[-2])
        some = rng.integers(0, 3000, 3000).astype(kind)
        for values, expected in ((once, True), (some, False), (once * 10**9, True)):
            survey = survey_frame(pd.DataFrame({"a": values}), None, [900, 2000], SMALL)
            numbers = survey.column("a").numbers
            assert numbers is not None
            assert (numbers.occur_once, numbers.are_integers) == (expected, True)
        # One repeated integer in one block is found; in two blocks it may be missed.
        survey = survey_frame(pd.DataFrame({"a": twice}), None, [], SMALL)
        assert not survey.column("a").numbers.occur_once  # type: ignore[union-attr]

    def test_numbers_that_do_not_fit(self) -> None:
        large = np.array([2**63 + 5, 2**63 + 5, 2**63], dtype=np.uint64)
        numbers = survey_frame(pd.DataFrame({"a": large}), None, [1]).column("a").numbers
        assert numbers is not None
        assert numbers.values is not None
        assert numbers.values.tolist() == [2.0**63]
        assert numbers.mean == 2.0**63
        huge = survey_frame(pd.DataFrame({"a": [1e308] * 3}), np.array([2.0, 3.0, 4.0]))
        assert huge.column("a").numbers.mean == pytest.approx(1e308)  # type: ignore[union-attr]

    def test_settings_for_a_number_of_rows(self) -> None:
        settings = SurveySettings(max_sample=1 << 10).for_rows(100_000, n_columns=3)
        frame = pd.DataFrame({"a": np.random.default_rng(0).normal(size=100_000)})
        survey = survey_frame(frame, None, [50_000], settings)
        assert survey.sample.level == settings.min_level
        assert 512 <= len(survey.sample.hashes) <= 1024
        assert SurveySettings().for_rows(10**9, n_columns=10**4).max_sample == 1 << 12
        assert SurveySettings().for_rows(10**9, n_columns=10**4).max_labels == 1 << 16
        assert SurveySettings().for_rows(1000, n_columns=10).min_level == 0


class TestExactSum:
    @given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30))
    def test_the_sum_is_exact(self, numbers: list[float]) -> None:
        total = ExactSum.of(np.array(numbers))
        assert Fraction(total.units, 1 << 1074) == sum(map(Fraction, numbers), Fraction(0))

    def test_many_numbers(self) -> None:
        numbers = np.random.default_rng(0).normal(size=20_000) ** 5
        assert float(ExactSum.of(numbers)) == fsum(numbers)

    def test_integers(self) -> None:
        assert ExactSum.of_integer(-7) == ExactSum.of(np.array([-7.0]))


def test_equal_numbers_have_equal_hashes() -> None:
    assert len(np.unique(hash_numbers(np.array([0.0, -0.0, 1.0])))) == 2


def test_an_empty_part() -> None:
    none = NumberSurvey.collect(np.empty(0), None, max_values=4, max_hashes=4)
    some = NumberSurvey.collect(np.array([1, 2]), None, max_values=4, max_hashes=4)
    assert (none + some) is some
    assert (some + none) is some
    assert none.mean == 0.0
