"""Decisions from a survey equal those of `TidyColumns.fit` of all rows."""

import datetime as dt
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.encode import TidyColumns
from augury.scale.summaries.column_survey import ColumnSurvey
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.survey_tidy import tidy_from_survey
from tests.scale.summaries.frames import parts_of, random_frame, survey_frame, survey_parts

DATES = ["2020-01-31", "2021-02-28", "2022-12-01"]


def text_frame(rng: np.random.Generator, n_rows: int) -> pd.DataFrame:
    """Return columns of texts that are numbers, dates, codes, identifiers and labels."""
    numbers = rng.integers(0, 3000, n_rows)
    gaps = rng.random(n_rows) < 0.1

    def with_gaps(texts: Any) -> Any:
        return np.where(gaps, None, np.asarray(texts, dtype=object))

    days = rng.integers(1, 13, n_rows)
    frame = {
        "price": [f"${n:,}.50" for n in numbers],
        "percent": with_gaps([f"{n % 100},5 %" for n in numbers]),
        "words": np.where(gaps, "n/a", [f"{n}" for n in numbers]),
        "codes": [f"{n:05d}" for n in numbers],
        "iso": with_gaps(rng.choice(DATES, n_rows)),
        "day first": [f"{d + 1}/{d}/2020" for d in days],
        "ambiguous": [f"0{d % 9 + 1}/0{d % 8 + 1}/2021" for d in days],
        "date category": pd.Categorical(rng.choice(DATES, n_rows)),
        "date objects": [dt.date(2020, 1, int(d)) for d in days],
        "mixed": [[False, True, "True", "x"][n % 4] for n in numbers],
        "mixed category": pd.Categorical.from_codes(numbers % 4, [1, "1", "2", 2.5]),
        "name": [f"customer {i}" for i in range(n_rows)],
        "number": [str(i) for i in range(n_rows)],
        "row": rng.permutation(n_rows),
        "row as float": np.where(gaps, np.nan, np.arange(n_rows, dtype=np.float64)),
        "one": ["same"] * n_rows,
        "one number": np.full(n_rows, 3),
        "one float": np.full(n_rows, 2.0, dtype=np.float32),
        "one or none": np.where(gaps, np.nan, 1.0),
        "nothing": pd.Series([None] * n_rows, dtype="str"),
        "no object": pd.Series([None] * n_rows, dtype=object),
        "time": pd.to_datetime(rng.choice(DATES, n_rows)),
        "zone": pd.to_datetime(with_gaps(rng.choice(DATES, n_rows)), utc=True),
        "one time": pd.to_datetime(["2020-01-31 10:00"] * n_rows),
    }
    return pd.DataFrame(frame)


def assert_equal_tidy(ours: TidyColumns, expected: TidyColumns) -> None:
    pairs = zip(ours.decisions_, expected.decisions_, strict=True)
    assert [one for one, other in pairs if one != other] == []
    assert ours.decisions_ == expected.decisions_
    assert ours.formats_ == expected.formats_
    assert ours.n_features_in_ == expected.n_features_in_
    assert ours.feature_names_in_.tolist() == expected.feature_names_in_.tolist()
    assert vars(ours).keys() == vars(expected).keys()
    ours._check_fitted_state()


def assert_equal_columns(ours: ColumnSurvey, expected: ColumnSurvey) -> None:
    """Compare what a model learns from."""
    kinds = {ours.kind, expected.kind} - {"empty"}
    assert len(kinds) <= 1, ours.name
    for name in ("n_rows", "n_missing", "has_missing", "declared"):
        assert getattr(ours, name) == getattr(expected, name), (ours.name, name)
    if expected.numbers is not None and ours.numbers is not None:
        np.testing.assert_equal(ours.numbers.values, expected.numbers.values)
        assert ours.numbers.mean == pytest.approx(expected.numbers.mean, rel=1e-14)
        assert ours.numbers.n_known == expected.numbers.n_known
    if expected.labels is not None:
        assert ours.labels is not None
        assert dict(ours.labels.weight_of()) == dict(expected.labels.weight_of())
        assert dict(ours.labels.rows) == dict(expected.labels.rows)


FLAGS = st.fixed_dictionaries(
    {
        name: st.booleans()
        for name in ("drop_identifiers", "drop_constants", "read_dates", "read_numbers")
    }
)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 80),
    ends=st.lists(st.integers(1, 80), max_size=4),
    flags=st.one_of(st.just({}), FLAGS),
    weighted=st.booleans(),
    as_labels=st.sampled_from([frozenset(), frozenset({"price", "iso", "count"})]),
)
def test_equals_the_decisions_from_all_rows(
    seed: int,
    n_rows: int,
    ends: list[int],
    flags: dict[str, bool],
    weighted: bool,
    as_labels: frozenset[str],
) -> None:
    rng = np.random.default_rng(seed)
    frame = pd.concat([random_frame(rng, n_rows), text_frame(rng, n_rows).add_prefix("t ")], axis=1)
    frame = frame.rename(columns={"t price": "price", "t iso": "iso"})
    weight = rng.integers(0, 3, n_rows).astype(np.float64) if weighted else None
    settings = SurveySettings(as_labels=as_labels)
    survey = survey_frame(frame, weight, ends, settings)
    expected = TidyColumns(**flags).fit(frame)
    tidied = tidy_from_survey(TidyColumns(**flags), survey)
    assert_equal_tidy(tidied.tidy, expected)
    assert tidied.again == ()
    read = survey_frame(expected.transform(frame), weight, [], settings)
    assert list(tidied.survey.columns) == list(read.columns)
    for name, column in read.columns.items():
        assert_equal_columns(tidied.survey.columns[name], column)


def test_equal_labels_with_different_texts() -> None:
    values = pd.Series([True, 1, "1", "x", 1, 1.5, None] * 3, dtype=object)
    frame = pd.DataFrame({"mixed": values, "count": np.arange(21) % 5})
    survey = survey_frame(frame)
    assert_equal_tidy(tidy_from_survey(TidyColumns(), survey).tidy, TidyColumns().fit(frame))
    texts = survey.columns["mixed"].texts
    assert texts is not None
    assert texts.rows == {"True": 3, "1": 9, "x": 3, "1.5": 3}


def test_integers_and_floats_of_one_value() -> None:
    parts = [pd.DataFrame({"a": [3, 3], "b": [1, 2]}), pd.DataFrame({"a": [3.0], "b": [1]})]
    survey = survey_frame(parts[0]) + survey_frame(parts[1])
    tidied = tidy_from_survey(TidyColumns(), survey)
    assert_equal_tidy(tidied.tidy, TidyColumns().fit(pd.concat(parts)))


def test_no_column_is_left() -> None:
    with pytest.raises(ValueError, match="no column is left: a: one value in all rows: 1"):
        tidy_from_survey(TidyColumns(), survey_frame(pd.DataFrame({"a": [1, 1]})))


class TestColumnsWithTooManyValues:
    settings = SurveySettings(max_labels=40, max_values=30, max_sample=64, max_hashes=32)

    def tidied(self, frame: pd.DataFrame, ends: list[int]) -> Any:
        return tidy_from_survey(TidyColumns(), survey_frame(frame, None, ends, self.settings))

    def test_decisions_by_a_sample(self) -> None:
        n_rows = 4000
        rng = np.random.default_rng(1)
        frame = pd.DataFrame(
            {
                "row": rng.permutation(n_rows),
                "row text": [str(i) for i in rng.permutation(n_rows)],
                "amount": rng.integers(0, n_rows, n_rows),
                "price": [f"{n / 100:.2f} €" for n in rng.integers(0, 10**5, n_rows)],
                "name": [f"name {i}" for i in range(n_rows)],
                "city": [f"city {int(i)}" for i in rng.zipf(1.3, n_rows).clip(0, 10**6)],
                "day": (np.datetime64("2000-01-01") + rng.integers(0, 9999, n_rows)).astype(str),
            }
        )
        tidied = self.tidied(frame, [1500, 1600])
        expected = TidyColumns().fit(frame)
        treatments = [decision.treatment for decision in tidied.tidy.decisions_]
        assert treatments == [decision.treatment for decision in expected.decisions_]
        assert tidied.tidy.formats_ == expected.formats_
        assert tidied.again == ("price", "day")

    def test_the_columns_are_surveyed_again(self) -> None:
        rng = np.random.default_rng(2)
        frame = pd.DataFrame(
            {
                "day": (np.datetime64("2000-01-01") + rng.integers(0, 9999, 500)).astype(str),
                "size": rng.normal(size=500),
            }
        )
        tidied = self.tidied(frame, [100])
        assert tidied.again == ("day",)
        read = tidied.tidy.transform(frame)[["day"]]
        again = survey_frame(read, None, [30, 200], self.settings)
        survey = tidied.survey.replaced(again)
        expected = survey_frame(tidied.tidy.transform(frame), None, [], self.settings)
        assert list(survey.columns) == ["day", "size"]
        for name in survey.columns:
            assert_equal_columns(survey.columns[name], expected.columns[name])
            np.testing.assert_array_equal(survey.bins(name, 2).edges, expected.bins(name, 2).edges)

    def test_other_rows(self) -> None:
        frame = pd.DataFrame({"day": DATES * 30, "size": np.arange(90) % 60})
        survey = survey_frame(frame, None, [], self.settings)
        with pytest.raises(ValueError, match="must read the same rows"):
            survey.replaced(survey_frame(frame[:40], None, [], self.settings))


def test_pickled_parts_add() -> None:
    frame = text_frame(np.random.default_rng(0), 60)
    one, two = survey_parts(frame, None, parts_of(60, [20]))
    both = pickle.loads(pickle.dumps(one)) + pickle.loads(pickle.dumps(two))
    assert_equal_tidy(tidy_from_survey(TidyColumns(), both).tidy, TidyColumns().fit(frame))
