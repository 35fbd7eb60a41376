"""Decisions of TidyColumns: dropped columns, dates, and their reasons."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from augury.encode import TidyColumns


def decide(column, **options) -> tuple[str, str]:
    frame = pd.DataFrame({"other": np.arange(len(column)) % 3 / 2, "it": column})
    decision = TidyColumns(**options).fit(frame).decisions_[1]
    return decision.treatment, decision.reason


def test_identifiers() -> None:
    codes = [f"c{i}" for i in range(30)]
    assert decide(codes) == ("dropped", "an identifier: 30 different labels in 30 rows")
    assert decide(codes, drop_identifiers=False)[0] == "labels"
    assert decide([*codes[:20], *["c0"] * 10])[0] == "labels"
    assert decide(codes[:19])[0] == "labels", "few rows are easily all different"
    shuffled = np.random.default_rng(0).permutation(50) + 7
    assert decide(shuffled) == ("dropped", "an identifier: it counts the rows")
    assert decide(np.delete(shuffled, [3, 9, 20]))[0] == "dropped", "so does a training fold"
    assert decide(shuffled * 1000)[0] == "numbers", "honest counts may all be different"
    assert decide(shuffled / 7)[0] == "numbers"


def test_numbers_among_objects_are_numbers() -> None:
    """Regression test: measurements in an array of objects were dropped as identifiers."""
    sizes = np.random.default_rng(0).normal(size=30)
    assert decide(sizes.astype(object))[0] == "numbers"
    assert decide([*sizes[:29].tolist(), None])[0] == "numbers"
    assert decide([Decimal(i) / 8 for i in range(30)]) == ("numbers", "from 0 to 3.625")
    kept = pa.array([1.5, float("nan"), None, *range(3, 30)])  # NaN beside a missing value
    arrow = pd.Series(pd.arrays.ArrowExtensionArray(kept))
    assert decide(arrow)[1].startswith("from 1.5 to 29")
    rows = [[f"c{i % 3}", size] for i, size in enumerate(sizes)]
    assert TidyColumns().fit(rows).get_feature_names_out().tolist() == ["x0", "x1"]


def test_huge_and_infinite_numbers_do_not_count_rows() -> None:
    assert decide([1e308, -1e308] * 15)[0] == "numbers"
    assert decide([np.inf] * 24 + [np.nan])[0] == "numbers", "models say what is wrong with it"


def test_a_column_of_unhashable_values_is_named() -> None:
    with pytest.raises(TypeError, match=r"column 'it' must be text, numbers, dates .* got list"):
        decide([[1]] * 25)


def test_constants() -> None:
    assert decide(["NO"] * 25) == ("dropped", "one value in all rows: NO")
    assert decide([None] * 25) == ("dropped", "no value in any row")
    assert decide([1.5] * 24 + [np.nan])[0] == "numbers", "the gap may tell something"
    assert decide(["NO"] * 25, drop_constants=False)[0] == "labels"


def test_dates() -> None:
    days = pd.date_range("2021-05-01", periods=25, freq="36h")
    for dates in (days, days.tz_localize("Europe/Oslo"), days.strftime("%Y-%m-%dT%H:%M:%S")):
        treatment, reason = decide(dates)
        assert (treatment, reason) == ("date", "days since 1970, from 2021-05-01 to 2021-06-06")
    stray = [*days[:24].strftime("%Y-%m-%d"), "soon"]
    assert decide(stray)[1].endswith("; 1 that are not dates are missing")
    assert decide(days.strftime("%d %b %Y"), drop_identifiers=False)[0] == "labels"
    assert decide(days, read_dates=False)[0] == "dropped"


def test_a_date_is_a_number_of_days() -> None:
    frame = pd.DataFrame({"d": ["1970-01-02", "1971-01-01 12:00", None], "n": [1.0, 2.0, 3.0]})
    read = TidyColumns().fit_transform(frame)
    assert read["d"].tolist()[:2] == [1.0, 365.5]
    assert np.isnan(read["d"].iloc[2])
    later = TidyColumns().fit(frame).transform(pd.DataFrame({"d": [None], "n": [1.0]}))
    assert np.isnan(later["d"].iloc[0])


def test_times_with_a_zone_are_converted_to_utc() -> None:
    days = pd.date_range("2021-05-01 10:00", periods=25, freq="36h")
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S.%f", "%Y-%m-%dT%H:%M:%S+00:00"):
        assert decide(days.strftime(form))[0] == "date", form
    frame = pd.DataFrame({"d": ["1970-01-02T01:00:00+01:00", "1970-01-01T23:00:00-0100", None]})
    assert TidyColumns().fit_transform(frame)["d"].tolist()[:2] == [1.0, 1.0]


def test_frames_of_polars_are_read() -> None:
    frame = pl.DataFrame({"d": ["2020-01-01", "2020-01-02"], "c": ["x", "x"], "n": [1, 2]})
    tidy = TidyColumns().fit(frame)
    assert tidy.get_feature_names_out().tolist() == ["d", "n"]
    assert tidy.transform(frame)["d"].diff().iloc[1] == 1


def test_an_error_if_no_column_is_left() -> None:
    with pytest.raises(ValueError, match="TidyColumns: no column is left: c: one value in all"):
        TidyColumns().fit(pd.DataFrame({"c": [1, 1]}))


def test_values_that_no_longer_parse_are_reported() -> None:
    frame = pd.DataFrame({"d": ["2020-01-01", "2020-01-02"], "n": [1, 2]})
    tidy = TidyColumns().fit(frame)
    with pytest.warns(UserWarning, match=r"'d' holds dates, but 1 of 2 .* such as '01/02/2020'"):
        read = tidy.transform(pd.DataFrame({"d": ["01/02/2020", "2020-01-02"], "n": [1, 2]}))
    assert read["d"].isna().tolist() == [True, False]
    with pytest.warns(UserWarning, match="2 of 2"):
        tidy.transform(pd.DataFrame({"d": [18262, 18263], "n": [1, 2]}))
