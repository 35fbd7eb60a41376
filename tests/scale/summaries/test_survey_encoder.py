"""An encoder that is learned from a survey equals one that is learned from all rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.arrays import FloatArray, IntegerArray
from augury.data import load_dataset
from augury.encode import TableEncoder, TidyColumns, encode_target
from augury.encode.column_summaries import NumberSummary
from augury.encode.encoder_checks import check_fitted_encoder
from augury.hybrid.meta_features.original_column_cuts import OriginalColumnCuts
from augury.scale.summaries.survey_encoder import columns_as_labels, learn_encoder
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.survey_tidy import tidy_from_survey
from tests.scale.summaries.frames import count_parts, random_frame, survey_frame

REQUESTS: list[Any] = ["from_dtype", "all", None, ["count", -1], ["length", "objects", "nullable"]]


def learn_by_survey(
    encoder: TableEncoder,
    frame: pd.DataFrame,
    y: IntegerArray,
    weight: FloatArray | None,
    ends: list[int],
) -> TableEncoder:
    """Learn in two passes over parts of the rows."""
    as_labels = columns_as_labels(encoder, [str(name) for name in frame.columns], "test")
    survey = survey_frame(frame, weight, ends, SurveySettings(as_labels=as_labels))
    cuts = {}
    for name, column in survey.columns.items():
        if column.numbers is not None and name not in as_labels and encoder.discretizer:
            values = pd.to_numeric(frame[name]).to_numpy(dtype=np.float64, na_value=np.nan)
            counts = count_parts(values, y, weight, survey, name, ends)
            mean = column.numbers.mean if encoder.missing == "replace" else None
            cuts[name] = counts.cut_points(encoder.discretizer, mean)
    return learn_encoder(encoder, survey, cuts, owner="test")


def assert_equal_state(ours: TableEncoder, expected: TableEncoder) -> None:
    found, wanted = vars(ours), vars(expected)
    assert found.keys() == wanted.keys()
    for name in wanted:
        if name == "_columns":
            pairs = zip(found[name], wanted[name], strict=True)
            for one, other in pairs:
                assert type(one) is type(other)
                np.testing.assert_equal(vars(one), vars(other))
                assert [*map(type, one.states)] == [*map(type, other.states)]
        else:
            np.testing.assert_equal(found[name], wanted[name], name)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 120),
    ends=st.lists(st.integers(1, 120), max_size=4),
    request_=st.sampled_from(REQUESTS),
    missing=st.sampled_from(["state", "replace", "ignore"]),
    discretizer=st.sampled_from(["mdl", "frequency", "width", None]),
    min_frequency=st.sampled_from([None, "auto", 3, 0.2]),
    max_states=st.sampled_from([None, 2]),
    keep_numbers=st.booleans(),
    weighted=st.booleans(),
)
def test_equals_an_encoder_of_all_rows(
    seed: int,
    n_rows: int,
    ends: list[int],
    request_: Any,
    missing: str,
    discretizer: str | None,
    min_frequency: Any,
    max_states: int | None,
    keep_numbers: bool,
    weighted: bool,
) -> None:
    rng = np.random.default_rng(seed)
    frame, y = random_frame(rng, n_rows), rng.integers(0, 3, n_rows)
    # Whole numbers and halves: their means are exact, as are sums of their products.
    frame["mass"] = (frame["mass"] * 2).round() / 2 + 0.0
    frame["length"] = (frame["length"] * 2).round() / 2 + 0.0
    weight = rng.integers(0, 4, n_rows).astype(np.float64) if weighted else None
    if weight is not None:
        weight[0] = 1.0
    encoder = TableEncoder(request_, missing, discretizer, keep_numbers, min_frequency, max_states)
    rows = slice(None) if weight is None else weight > 0
    expected = TableEncoder(**encoder.get_params(deep=False)).learn(
        frame[rows], y[rows], None if weight is None else weight[rows], "test"
    )
    ours = learn_by_survey(encoder, frame, y, weight, ends)
    assert_equal_state(ours, expected)
    check_fitted_encoder(ours)
    np.testing.assert_array_equal(ours.encode(frame).codes, expected.encode(frame).codes)


def test_extra_columns_follow_the_others() -> None:
    rng = np.random.default_rng(0)
    frame, y = random_frame(rng, 90), rng.integers(0, 2, 90)
    frame["length"] += y
    wider = frame.assign(p=rng.random(90), q=rng.random(90))
    encoder = TableEncoder(discretizer=OriginalColumnCuts(2), keep_numbers=True)
    expected = TableEncoder(**encoder.get_params(deep=False)).learn(wider, y)
    survey = survey_frame(frame, None, [40])
    cuts = {
        name: count_parts(
            pd.to_numeric(frame[name]).to_numpy(np.float64, na_value=np.nan), y, None, survey, name
        ).cut_points("mdl")
        for name, column in survey.columns.items()
        if column.numbers is not None
    }
    assert len(cuts["length"]) > 0
    extra = {name: NumberSummary(cuts=np.empty(0)) for name in ("p", "q")}
    ours = learn_encoder(encoder, survey, cuts, extra)
    found, wanted = vars(ours), vars(expected)
    assert found.pop("discretizer") is wanted.pop("discretizer")
    assert_equal_state(ours, expected)


class TestErrors:
    def test_infinity(self) -> None:
        survey = survey_frame(pd.DataFrame({"a": [1.0, np.inf, 2.0]}), None, [1])
        with pytest.raises(ValueError, match="column 'a' must be finite or missing, got inf"):
            learn_encoder(TableEncoder(), survey, {"a": np.empty(0)})

    def test_numbers_that_were_not_surveyed_as_labels(self) -> None:
        survey = survey_frame(pd.DataFrame({"a": [1, 2]}))
        with pytest.raises(ValueError, match="column 'a' must be surveyed as labels"):
            learn_encoder(TableEncoder("all"), survey, {})

    def test_timestamps(self) -> None:
        survey = survey_frame(pd.DataFrame({"a": pd.to_datetime(["2020-01-01", None])}))
        with pytest.raises(TypeError, match="column 'a' must be numbers, text"):
            learn_encoder(TableEncoder(), survey, {})

    def test_values_that_are_no_labels(self) -> None:
        survey = survey_frame(pd.DataFrame({"a": [(1, 2), (3,)]}))
        with pytest.raises(TypeError, match="column 'a' must be text, numbers or booleans, got"):
            learn_encoder(TableEncoder(), survey, {})

    def test_an_unknown_column(self) -> None:
        survey = survey_frame(pd.DataFrame({"a": [1, 2]}))
        with pytest.raises(ValueError, match="categorical_features must name columns of X"):
            learn_encoder(TableEncoder(["b"]), survey, {})


def test_integers_are_floats_if_other_blocks_have_gaps() -> None:
    parts = [pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [2.0, np.nan]})]
    settings = SurveySettings(as_labels=frozenset("a"))
    first, second = (survey_frame(part, settings=settings) for part in parts)
    ours = learn_encoder(TableEncoder("all"), first + second, {})
    expected = TableEncoder("all").learn(pd.concat(parts))
    assert_equal_state(ours, expected)


@pytest.mark.parametrize("name", ["hypothyroid", "letter", "waveform-5000", "colic", "audiology"])
def test_equals_an_encoder_of_a_published_set(name: str, shared_data: Path) -> None:
    data = load_dataset(name, shared_data)
    frame, y = data.X, encode_target("test", data.y)[1]
    expected_tidy = TidyColumns().fit(frame)
    survey = survey_frame(frame, None, [7, 100, 150])
    tidied = tidy_from_survey(TidyColumns(), survey)
    assert tidied.tidy.decisions_ == expected_tidy.decisions_
    assert tidied.tidy.formats_ == expected_tidy.formats_
    encoder = TableEncoder(min_frequency="auto")
    expected = TableEncoder(min_frequency="auto").learn(frame, y, owner="test")
    assert_equal_state(learn_by_survey(encoder, frame, y, None, [50, 128]), expected)
